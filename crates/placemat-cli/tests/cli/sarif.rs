//! SARIF 2.1.0: the log is valid against the schema, and says what it should.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use boon::{Compiler, Schemas};
use serde_json::Value;

use crate::stage::Stage;

/// The schema in the sources of the package that ships it.
fn schema() -> Value {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version=1", "--offline", "--locked", "--manifest-path", manifest]);
    let output = command.arg(format!("--filter-platform={}", host())).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").expect("a dependency");
    let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap());
    let schema = std::fs::read(manifest.with_file_name("src").join("schema.json")).unwrap();
    serde_json::from_slice(&schema).unwrap()
}

/// The target that this runs on, as `rustc` names it.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host").to_owned()
}

/// Returns why the log is not valid, if it is not.
pub(crate) fn complaint(log: &Value) -> Option<String> {
    let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
    compiler.add_resource("file:///sarif.json", schema()).unwrap();
    let schema = compiler.compile("file:///sarif.json", &mut schemas).unwrap();
    schemas.validate(log, schema).err().map(|error| error.to_string())
}

#[test]
fn a_log_is_valid() {
    let stage = Stage::new();
    stage.file("placemat.toml", "[[rule]]\nfiles = ['*.txt']\nmark = 'required'\nline-ending = 'lf'\n");
    stage.file("a/b c.txt", b"caf\xE9!\r\n\xED\xA0\xBD\xED\xB8\x80\xC0\x80\xF0\x9F");
    stage.file("d.txt", b"\xFF\xFEa\0");
    stage.file("e\n\x1B[31m\u{202E}.txt", "cafÃ©, crÃ¨me\n");
    stage.file("f.txt", "all is well\n");
    let ran = stage.run(&["check", "--mojibake", "--format=sarif"]);
    assert_eq!(ran.code, Some(1));
    let log: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(complaint(&log), None);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: BTreeSet<_> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), rules.len(), "each rule once");
    let results = run["results"].as_array().unwrap();
    assert!(results.len() > 10, "{results:?}");
    let found: BTreeSet<_> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert!(
        found.is_superset(&["mojibake", "line-ending", "mark-required", "surrogate"].into()),
        "{found:?}"
    );
    for result in results {
        check_result(result, rules);
    }
    assert_eq!(run["properties"]["errors"], results.len());
    let few = stage.run(&["check", "--mojibake", "--format=sarif", "--max-errors=1"]).out;
    let few: Value = serde_json::from_str(&few).unwrap();
    assert_eq!(complaint(&few), None);
    assert!(few["runs"][0]["results"].as_array().unwrap().len() < results.len());
    assert_eq!(few["runs"][0]["properties"], run["properties"]);
    let uris: BTreeSet<_> = results.iter().map(uri).collect();
    assert_eq!(uris, ["a/b%20c.txt", "d.txt", "e%0A%1B%5B31m%E2%80%AE.txt", "f.txt"].into());
}

#[test]
fn a_log_without_findings_is_valid_and_a_wrong_one_is_not() {
    let stage = Stage::new();
    stage.file("a", "fine\n");
    let mut log: Value = serde_json::from_str(stage.run(&["check", "--format=sarif"]).quiet().1).unwrap();
    assert_eq!(complaint(&log), None);
    log["runs"][0]["results"] = serde_json::json!([{ "level": "dreadful" }]);
    assert!(complaint(&log).is_some());
}

fn uri(result: &Value) -> &str {
    result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap()
}

fn check_result(result: &Value, rules: &[Value]) {
    let index = result["ruleIndex"].as_u64().unwrap();
    assert_eq!(rules[usize::try_from(index).unwrap()]["id"], result["ruleId"]);
    assert_eq!(result["level"], "error");
    assert!(result["message"]["text"].as_str().is_some_and(|text| text.ends_with('.')), "{result}");
    let region = &result["locations"][0]["physicalLocation"]["region"];
    let number = |name: &str| region[name].as_u64().unwrap();
    assert!(number("startLine") >= 1 && number("startColumn") >= 1, "{region}");
    assert!(number("endColumn") >= number("startColumn") && number("byteLength") <= 4, "{region}");
}
