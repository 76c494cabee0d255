//! `cargo xtask perimeter`: checks that `unsafe` is only in the files listed here.

use std::fs;
use std::path::Path;

use crate::shell::{Done, root};

/// Files and folders of the library that may hold `unsafe`.
const MAY: [&str; 11] = [
    "vector",
    "vector.rs",
    "dispatch.rs",
    "dispatch/entry.rs",
    "kernel/entry.rs",
    "owned.rs",
    "owned/related.rs",
    "owned/repair.rs",
    "typed.rs",
    "validate.rs",
    "wtf8.rs",
];

/// These turn checked bytes into a column of text, and counted keys into a dictionary.
const COLUMNS_MAY: [&str; 2] =
    ["crates/placemat-arrow/src/convert.rs", "crates/placemat-arrow/src/dictionary.rs"];

/// These read the pointers of Arrow's C data interface, also as Polars passes them to its plugins. For the units of a
/// str they call CPython's functions, or read its memory.
const PYTHON_MAY: [&str; 3] = [
    "crates/placemat-python/src/arrow/capsule.rs",
    "crates/placemat-python/src/codec/units.rs",
    "crates/placemat-python/src/polars/border.rs",
];

/// The border to C: what turns pointers into slices, and the functions that C calls.
const C_MAY: [&str; 2] = ["crates/placemat-c/src/border.rs", "crates/placemat-c/src/exports"];

/// The border to C: its pointers, descriptors that one thread uses at a time, and glibc's functions; and the tests that call it as C does.
const ICONV_MAY: [&str; 7] = [
    "crates/placemat-iconv/src/border.rs",
    "crates/placemat-iconv/src/exports.rs",
    "crates/placemat-iconv/src/live.rs",
    "crates/placemat-iconv/src/next.rs",
    "crates/placemat-iconv/tests/iconv/library.rs",
    "crates/placemat-iconv/examples/beside/guarded.rs",
    "crates/placemat-iconv/examples/beside/icu.rs",
];

/// The border to DuckDB: its C API is pointers.
const DUCKDB_MAY: [&str; 1] = ["crates/placemat-duckdb/src/border.rs"];

/// The names that JavaScript calls, and the functions of JavaScript that are called.
const WASM_MAY: [&str; 3] = [
    "crates/placemat-wasm/src/exports.rs",
    "crates/placemat-wasm/src/pull.rs",
    "crates/placemat-page/src/exports.rs",
];

/// Tests that make inaccessible pages by system calls.
const TESTS_MAY: &str = "crates/placemat/tests/guard";

/// The folders that are searched.
const TREES: [&str; 2] = ["crates", "xtask/src"];

pub(crate) fn run() -> Done {
    let mut found = Vec::new();
    for tree in TREES {
        visit(&root().join(tree), &mut found).map_err(|error| error.to_string())?;
    }
    if found.is_empty() {
        Ok(())
    } else {
        Err(format!("unsafe outside the perimeter:\n{}", found.join("\n")))
    }
}

fn visit(folder: &Path, found: &mut Vec<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            visit(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") && !may_hold_unsafe(&path) {
            let text = fs::read_to_string(&path)?;
            let lines = text.lines().enumerate().filter(|(_, line)| is_unsafe(line));
            found.extend(lines.map(|(at, line)| format!("{}:{}: {}", path.display(), at + 1, line.trim())));
        }
    }
    Ok(())
}

fn may_hold_unsafe(path: &Path) -> bool {
    let source = root().join("crates/placemat/src");
    path.strip_prefix(source).is_ok_and(|inside| MAY.iter().any(|may| inside.starts_with(may)))
        || path.starts_with(root().join(TESTS_MAY))
        || COLUMNS_MAY
            .iter()
            .chain(&PYTHON_MAY)
            .chain(&C_MAY)
            .chain(&ICONV_MAY)
            .chain(&WASM_MAY)
            .chain(&DUCKDB_MAY)
            .any(|may| path.starts_with(root().join(may)))
}

/// Whether the line opens an unsafe block, function, impl, trait or attribute.
fn is_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    code.match_indices("unsafe").any(|(at, word)| {
        let rest = code[at + word.len()..].trim_start();
        let is_word = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        is_word
            && ["{", "(", "fn ", "impl", "trait ", "extern "].iter().any(|opening| rest.starts_with(opening))
    })
}
