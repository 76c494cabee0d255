use super::File;
use super::graph::Graph;

/// The cycles between files, each given as module and text.
fn cycles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let file = |&(module, text): &(&str, &str)| File {
        module: module.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        shown: module.to_owned(),
        text: text.to_owned(),
    };
    Graph::new(&files.iter().map(file).collect::<Vec<_>>()).cycles()
}

/// Whether `code`, in a module that `b` uses, is a use of `b`.
fn uses_b(code: &str) -> bool {
    let found = cycles(&[("", "pub use b::Thing;\nmod a;\nmod b;"), ("a", code), ("b", "use crate::a::f;")]);
    assert!(found.is_empty() || found == [["a", "b"]], "{found:?}");
    !found.is_empty()
}

#[test]
fn every_way_to_name_a_module_counts() {
    for code in [
        "use crate::b;",
        "use crate::b::{self, f};",
        "use crate::{c::d, b::f};",
        "use crate::{c::{d, e}, b::*};",
        "use crate::{c as d, b as e};",
        "pub(crate) use crate::b::f as g;",
        "fn f() { crate::b::f() }",
        "fn f() { $crate::b::f() }",
        "fn f() -> Option<crate::b::T> { None }",
        "use super::b::f;",
        "use super::{c, b};",
        "mod inline { use super::super::b::f; }",
        "mod inline { fn f() {} } use super::b;",
        "impl crate::b::Trait for T {}",
        "#[derive(crate::b::Derive)] struct S;",
        "#[cfg(not(test))] use crate::b;",
        "#[cfg(any(test, windows))] use crate::b;",
        "fn f<'a>(x: &'a str) { crate::b::f::<'a>(x) }",
        r#"fn f() { g("//", '"', '\'', b'"'); crate::b::f() }"#,
        "fn f() { g(r#\"\"\"#); crate::b::f() } // \"",
        "#[cfg(test)] use c::d; use crate::b;",
        "#[cfg(test)] mod tests { fn f() {} } use crate::b;",
        "struct S { #[cfg(test)] x: u8, y: crate::b::T }",
        // Through a name that the root takes from it.
        "use crate::Thing;",
        "use super::Thing;",
    ] {
        assert!(uses_b(code), "{code}");
    }
}

#[test]
fn what_is_not_compiled_does_not_count() {
    for code in [
        "// use crate::b;",
        "/* use crate::b; /* nested */ use crate::b; */",
        "//! [`crate::b::f`]",
        r#"fn f() { g("crate::b::f") }"#,
        "fn f() { g(r\"\\\", r#\"\" crate::b::f\"#) }",
        "#[cfg(test)] use crate::{c, b};",
        "#[cfg(test)]\n#[expect(x)]\nmod tests { use crate::b; mod more { use crate::b; } }",
        "#[cfg(test)] fn f(x: [u8; 4]) -> crate::b::T { g() }",
        "#[cfg(all(test, unix))] mod tests { use crate::b; }",
        "#[cfg(test)] const X: [u8; 2] = { crate::b::X };",
        "struct S { #[cfg(test)] x: crate::b::T, y: u8 }",
        "#![cfg(test)] use crate::b;",
        // A `b` of another crate, or of the module itself.
        "use other::b; use self::b; fn f() { b::f() }",
        "mod inline { use super::b; }",
        "pub(in crate::b) fn f() {}",
        "use crate::bb; fn f() { crate::b_b::f() }",
    ] {
        assert!(!uses_b(code), "{code}");
    }
}

#[test]
fn files_for_tests_do_not_count() {
    let found = cycles(&[
        ("", "mod a; mod b;"),
        ("a", "#[cfg(test)]\nmod tests;"),
        ("a::tests", "use crate::b;"),
        ("a::tests::more", "use crate::b;"),
        ("b", "use crate::a;"),
    ]);
    assert_eq!(found, Vec::<Vec<String>>::new());
}

#[test]
fn children_count_as_their_parents_and_not_against_them() {
    let children = [("a", "use self::b::f;"), ("a::b", "use super::g; use crate::a::h;")];
    assert_eq!(cycles(&children), Vec::<Vec<String>>::new());
    let across = [("a::x", "use crate::b::y;"), ("b::y", "use super::super::a::z;")];
    assert_eq!(cycles(&across), [["a", "b"]]);
}

#[test]
fn long_ways_round_are_found_and_told_apart() {
    let found = cycles(&[
        ("a", "use crate::b::x;"),
        ("b", "use crate::c::x;"),
        ("c", "use crate::a::x; use crate::d::x;"),
        ("d", "use crate::e::x;"),
        ("e", "use crate::d::x; use crate::f::x;"),
        ("f", ""),
    ]);
    assert_eq!(found, [vec!["a", "b", "c"], vec!["d", "e"]]);
}

#[test]
fn a_cycle_is_told_with_a_place_for_each_use() {
    let file = |name: &str, text: &str| File {
        module: vec![name.to_owned()],
        shown: format!("{name}.rs"),
        text: text.to_owned(),
    };
    let graph =
        Graph::new(&[file("a", "\"\n\";\nuse crate::{\n    b,\n};"), file("b", "fn f() { crate::a::f() }")]);
    let told = graph.describe(&graph.cycles()[0]);
    assert_eq!(told, "  a uses b (a.rs:4)\n  b uses a (b.rs:1)");
}
