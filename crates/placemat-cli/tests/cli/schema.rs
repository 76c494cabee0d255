//! The schemas of what the commands write as JSON.

use boon::{Compiler, Schemas};
use serde_json::Value;

use crate::stage::Stage;

/// The schema of one command's output.
pub(crate) struct Schema {
    all: Schemas,
    index: boon::SchemaIndex,
    /// The version that the last line names.
    version: u32,
}

impl Schema {
    /// `crates/placemat-text/schema/NAME.json`
    pub(crate) fn named(name: &str) -> Schema {
        let path = format!("{}/../placemat-text/schema/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let (mut compiler, mut all) = (Compiler::new(), Schemas::new());
        let url = format!("file:///{name}.json");
        compiler.add_resource(&url, schema).unwrap();
        let index = compiler.compile(&url, &mut all).unwrap();
        Schema { all, index, version: if name == "check" { 2 } else { 1 } }
    }

    /// Checks all of some output: a value on each line, of which only the last names the schema.
    #[track_caller]
    pub(crate) fn check(&self, out: &str) {
        self.check_but(out, &["jsonl"]);
    }

    /// Like [`Schema::check`], but these fields may be left out.
    #[track_caller]
    fn check_but(&self, out: &str, optional: &[&str]) {
        let lines = self.check_lines(out, &[optional, &["schema"]].concat());
        let (last, others) = lines.split_last().expect("a last line");
        assert_eq!(last["schema"], self.version, "{last}");
        assert!(out.ends_with(&format!(",\"schema\":{}}}\n", self.version)), "{out}");
        assert!(others.iter().all(|line| line.get("schema").is_none()));
    }

    /// Checks every line by itself.
    #[track_caller]
    pub(crate) fn check_lines(&self, out: &str, optional: &[&str]) -> Vec<Value> {
        let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for line in &lines {
            self.check_one(line).unwrap_or_else(|error| panic!("{error}\n{line}"));
            self.check_strict(line, optional);
        }
        lines
    }

    fn check_one(&self, value: &Value) -> Result<(), String> {
        self.all.validate(value, self.index).map_err(|error| error.to_string())
    }

    /// Checks that every field is known to the schema, and that none is missing but the optional ones.
    #[track_caller]
    fn check_strict(&self, value: &Value, optional: &[&str]) {
        let Some(fields) = value.as_object() else { panic!("{value} is no object") };
        for name in fields.keys() {
            let mut less = fields.clone();
            let field = less.remove(name).unwrap();
            let may_lack = optional.contains(&&**name);
            assert!(may_lack || self.check_one(&less.clone().into()).is_err(), "{value} without {name}");
            less.insert(format!("{name}_"), field);
            assert!(self.check_one(&less.into()).is_err(), "{name}_ in {value}");
        }
    }
}

/// The types of lines, each once, in the order of their first appearance.
fn types(lines: &[Value]) -> Vec<&str> {
    let mut types = Vec::new();
    for line in lines {
        let name = line["type"].as_str().unwrap();
        if !types.contains(&name) {
            types.push(name);
        }
    }
    types
}

/// Files with errors of many kinds, mojibake, and one whose name is not UTF-8.
fn broken() -> Stage {
    let stage = Stage::new();
    stage.file("bad.txt", b"na\xC3\xAFve caf\xE9\n\xC0\x80 \xED\xA0\xBD\xED\xB8\x80 \xE2\x82\n");
    stage.file("twice.txt", "cafÃ©\n");
    stage.file("wide.txt", b"\xFF\xFEa\0");
    #[cfg(target_os = "linux")]
    stage.file(
        <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"caf\xE9.txt"),
        b"na\xC3\xAFve caf\xE9\n",
    );
    stage
}

#[test]
fn check_follows_its_schema() {
    let (schema, stage) = (Schema::named("check"), broken());
    stage.file("old.txt", b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!\n");
    let out = stage.run(&["check", "--format=json", "--mojibake", ".", "missing"]).out;
    assert!(out.contains("\"looks_like\":{\"encoding\":\"windows-1251\""), "{out}");
    schema.check_but(&out, &["path_bytes", "looks_like", "text", "via", "payload"]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut seen = types(&lines);
    seen.sort_unstable();
    assert_eq!(seen, ["error", "failed", "file", "summary"]);
    assert!(
        lines.iter().any(|line| line["hint"].is_object()) && lines.iter().any(|line| line["hint"].is_null())
    );
    assert!(!cfg!(target_os = "linux") || out.contains("path_bytes"));
    assert!(out.contains(r#""kind":"mojibake""#), "{out}");
    schema.check(&stage.run(&["check", "--format=json", "--count", "twice.txt"]).out);

    let rules = "[[rule]]\nfiles = [\"*.txt\"]\nmark = \"required\"\nline-ending = \"crlf\"\n";
    stage.file("placemat.toml", rules);
    let ran = stage.run(&["check", "--format=json", "twice.txt"]);
    assert!(ran.out.contains("mark-required") && ran.out.contains("line-ending"), "{ran:?}");
    schema.check(&ran.out);
}

#[test]
fn detect_follows_its_schema() {
    let (schema, stage) = (Schema::named("detect"), broken());
    stage.file("empty.txt", "");
    stage.file("lines.txt", "a\r\nb\rc\n");
    schema.check_but(&stage.run(&["detect", "--format=json", "--binary", "."]).out, &["path_bytes"]);
    schema.check(&stage.run_with(&["detect", "--format=json"], b"\0\x01\x02\x03").out);
}

#[test]
fn count_follows_its_schema() {
    let (schema, stage) = (Schema::named("count"), broken());
    schema.check_but(&stage.run(&["count", "--format=json", "."]).out, &["path_bytes"]);
    let ran = stage.run(&["count", "--format=json", "-t", "utf-16", "twice.txt"]);
    assert!(ran.out.contains("\"length\":"), "{ran:?}");
    schema.check_but(&ran.out, &["length"]);
}

#[test]
fn forms_follow_their_schema() {
    let (schema, stage) = (Schema::named("forms"), Stage::new());
    for args in [&["forms", "--format=json"][..], &["forms", "--format=json", "sjis"]] {
        schema.check(&stage.run(args).out);
    }
}

#[test]
fn a_report_of_repairs_follows_its_schema() {
    let (schema, stage) = (Schema::named("repair-report"), broken());
    let args = ["repair", "--in-place", "--lossy", "--mojibake", "--mend=overlong,nul", "--report", "r.json"];
    let ran = stage.run(&[&args[..], &["bad.txt", "twice.txt"]].concat());
    let report = String::from_utf8(stage.get("r.json")).unwrap();
    let lines = schema.check_lines(&report, &["path_bytes", "kind", "via"]);
    assert_eq!(types(&lines), ["report", "file", "change", "summary"], "{ran:?}");
    assert!(report.contains("\"via\":") && report.contains("\"kind\":"), "{report}");
    stage.file("hidden", "a\u{200B}b\u{E000}\u{378}\u{FFFE}\u{1}");
    let ran = stage.run(&["repair", "--in-place", "--invisible=all", "--report", "h.json", "hidden"]);
    let report = String::from_utf8(stage.get("h.json")).unwrap();
    schema.check_lines(&report, &["kind"]);
    assert_eq!(report.matches("\"rule\":\"invisible\"").count(), 5, "{ran:?} {report}");
    stage.file("a", "é");
    let ran = stage.run(&["convert", "-t", "latin1", "--in-place", "--report", "c.json", "a"]);
    let report = String::from_utf8(stage.get("c.json")).unwrap();
    let lines = schema.check_lines(&report, &["path_bytes", "kind", "via", "text_bytes"]);
    assert_eq!(types(&lines), ["report", "file", "change", "summary"], "{ran:?}");
    assert!(report.contains("\"text\":\"\",\"text_bytes\":\"E9\""), "{report}");
}
