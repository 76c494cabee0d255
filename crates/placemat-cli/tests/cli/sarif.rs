//! SARIF 2.1.0: the log obeys what the schema says of the objects that it has.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::stage::Stage;

/// What the schema says of one kind of object: required properties, and the others of those that it may have.
struct Shape(&'static [&'static str], &'static [&'static str]);

const LOG: Shape = Shape(&["version", "runs"], &["$schema"]);
const RUN: Shape = Shape(&["tool"], &["columnKind", "results", "invocations"]);
const DRIVER: Shape = Shape(&["name"], &["version", "informationUri", "rules"]);
const RULE: Shape = Shape(&["id"], &["shortDescription", "helpUri"]);
const RESULT: Shape = Shape(&["message"], &["ruleId", "ruleIndex", "level", "locations", "properties"]);
const LOCATION: Shape = Shape(&[], &["physicalLocation"]);
const PHYSICAL: Shape = Shape(&[], &["artifactLocation", "region"]);
const ARTIFACT: Shape = Shape(&[], &["uri"]);
const REGION: Shape = Shape(&[], &["startLine", "startColumn", "endColumn", "byteOffset", "byteLength"]);
const TEXT: Shape = Shape(&[], &["text"]);

impl Shape {
    /// The object, when it has all that it must and nothing that it may not: the schema allows no further properties.
    #[track_caller]
    fn of<'a>(&self, value: &'a Value) -> &'a Value {
        let Shape(required, others) = self;
        let has: BTreeSet<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
        assert!(required.iter().all(|name| has.contains(name)), "{required:?} in {value}");
        let known = |name: &&str| required.contains(name) || others.contains(name);
        assert!(has.iter().all(known), "{value}");
        value
    }
}

#[test]
fn a_log_has_the_shape_that_the_schema_asks() {
    let stage = Stage::new();
    stage.file("placemat.toml", "[[rule]]\nfiles = ['*.txt']\nmark = 'required'\nline-ending = 'lf'\n");
    stage.file("a/b c.txt", b"caf\xE9!\r\n\xED\xA0\xBD\xED\xB8\x80\xC0\x80\xF0\x9F");
    stage.file("d.txt", b"\xFF\xFEa\0");
    let ran = stage.run(&["check", "--format=sarif"]);
    assert_eq!(ran.code, Some(1));
    let log: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(LOG.of(&log)["version"], "2.1.0");
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(1));
    let run = RUN.of(&log["runs"][0]);
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let driver = DRIVER.of(&run["tool"]["driver"]);
    let rules = driver["rules"].as_array().unwrap();
    for rule in rules {
        assert_ne!(TEXT.of(&RULE.of(rule)["shortDescription"])["text"], "");
    }
    let ids: BTreeSet<_> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), rules.len(), "each rule once");
    let results = run["results"].as_array().unwrap();
    assert!(results.len() > 8, "{results:?}");
    for result in results {
        check_result(RESULT.of(result), rules);
    }
}

fn check_result(result: &Value, rules: &[Value]) {
    let index = result["ruleIndex"].as_u64().unwrap();
    assert_eq!(rules[usize::try_from(index).unwrap()]["id"], result["ruleId"]);
    assert_eq!(result["level"], "error");
    assert!(TEXT.of(&result["message"])["text"].as_str().is_some_and(|text| text.ends_with('.')));
    let [location] = &result["locations"].as_array().unwrap()[..] else { panic!("{result}") };
    let physical = PHYSICAL.of(&LOCATION.of(location)["physicalLocation"]);
    let uri = ARTIFACT.of(&physical["artifactLocation"])["uri"].as_str().unwrap();
    assert!(uri == "a/b%20c.txt" || uri == "d.txt", "{uri}");
    let region = REGION.of(&physical["region"]);
    let number = |name: &str| region[name].as_u64().unwrap();
    assert!(number("startLine") >= 1 && number("startColumn") >= 1, "{region}");
    assert!(number("endColumn") >= number("startColumn") && number("byteLength") <= 4, "{region}");
}
