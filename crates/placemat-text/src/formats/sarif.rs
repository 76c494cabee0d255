//! Makes the objects of a SARIF 2.1.0 log.

use std::path::Path;

use serde_json::{Value, json};

use crate::faults::run::{self, Run};
use crate::faults::{Finding, Kind, wording};
use crate::notation::hex;

/// The name of the rule for a file that as a whole seems to be in another encoding.
pub const OTHER_ENCODING: &str = "other-encoding";

/// The rules of a SARIF log: the kinds of errors in their order, then those of runs, then [`OTHER_ENCODING`].
///
/// ```
/// assert!(placemat_text::formats::sarif::rules().iter().any(|rule| rule["id"] == "overlong"));
/// ```
pub fn rules() -> Vec<Value> {
    let described = |id: &str, text: &str| json!({ "id": id, "shortDescription": { "text": text } });
    let kinds = Kind::all().map(|kind| described(kind.name(), wording::rule(kind)));
    let runs = run::rules().map(|(name, rule)| described(name, rule));
    let other = described(OTHER_ENCODING, "A file that seems to be in another encoding as a whole.");
    kinds.chain(runs).chain([other]).collect()
}

/// The position of a result in the file at `path`, a path relative to the root of the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The file.
    pub path: &'a Path,
    /// From 1.
    pub line: u64,
    /// In code points, from 1.
    pub column: u64,
    /// The length in code points.
    pub columns: u64,
    /// The offset in bytes from the start of the file.
    pub offset: u64,
    /// The length in bytes.
    pub length: usize,
}

/// Returns a result for the rule of that name. The message has no full stop.
///
/// ```
/// use placemat_text::formats::sarif::{Place, result};
/// let place = Place { path: "a b".as_ref(), line: 1, column: 2, columns: 1, offset: 1, length: 1 };
/// let result = result("overlong", "wrong", place);
/// assert_eq!(result["message"]["text"], "wrong.");
/// assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%20b");
/// ```
#[must_use]
pub fn result(rule: &str, message: &str, place: Place<'_>) -> Value {
    let Place { path, line, column, columns, offset, length } = place;
    json!({
        "ruleId": rule,
        "ruleIndex": rules().iter().position(|known| known["id"] == rule),
        "level": "error",
        "message": { "text": format!("{message}.") },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(path) },
            "region": {
                "startLine": line,
                "startColumn": column,
                "endColumn": column + columns,
                "byteOffset": offset,
                "byteLength": length,
            },
        }}],
    })
}

/// Returns the result for an error in a file that was read as `form`.
///
/// ```
/// use placemat::Form;
/// use placemat_text::faults::locate::{Search, search};
/// use placemat_text::formats::sarif::finding;
///
/// let search_for = Search { limit: 1, ..Search::new(Form::Utf8.into()) };
/// search(&mut &b"\xFF"[..], search_for, &mut |found| {
///     assert_eq!(finding("a.txt".as_ref(), "utf-8", found)["ruleId"], "invalid-byte");
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// ```
#[must_use]
pub fn finding(path: &Path, form: &str, finding: &Finding<'_>) -> Value {
    let Finding { line, column, offset, .. } = *finding;
    let message = match wording::expected(finding) {
        Some(expected) => format!("{}; {expected}", wording::sentence(finding)),
        None => wording::sentence(finding),
    };
    let place = Place { path, line, column, columns: 1, offset, length: finding.range.len() };
    let mut result = result(finding.kind.name(), &message, place);
    let hint = finding.whole_hint().map(|hint| json!({ "form": hint.form.name(), "text": hint.text }));
    result["properties"] = json!({ "form": form, "bytes": hex(finding.bytes()), "hint": hint });
    result
}

/// Returns the result for a run of well-formed text.
///
/// ```
/// use placemat_text::faults::misread::search;
/// use placemat_text::formats::sarif::run;
///
/// search(&mut "cafÃ©".as_bytes(), 1, &mut |found| {
///     assert_eq!(run("a.txt".as_ref(), found)["ruleId"], "mojibake");
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// ```
#[must_use]
pub fn run(path: &Path, run: &Run<'_>) -> Value {
    let columns = String::from_utf8_lossy(run.bytes).chars().count() as u64;
    let Run { line, column, offset, .. } = *run;
    result(
        run.name(),
        &run.sentence(),
        Place { path, line, column, columns, offset, length: run.bytes.len() },
    )
}

/// A path as a URI reference, by its bytes (RFC 3986).
///
/// ```
/// use placemat_text::formats::sarif::uri;
///
/// assert_eq!(uri("a b/é%.txt".as_ref()), "a%20b/%C3%A9%25.txt");
/// assert_eq!(uri("/tmp/x".as_ref()), "file:///tmp/x");
/// assert_eq!(uri("c:d".as_ref()), "./c:d");
/// ```
pub fn uri(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let mut uri = String::from(if bytes.starts_with(b"/") { "file://" } else { "" });
    // Without `./`, the part before the colon would be read as a scheme.
    if bytes.split(|&byte| byte == b'/').next().is_some_and(|first| first.contains(&b':')) {
        uri.push_str("./");
    }
    for &byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' | b'@' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
