//! For any bytes, the JSON of `explain` has all of them, in order and unchanged, and each error of the form.

use placemat::{Form, count, errors, verdicts};
use placemat_text::escape;
use placemat_text::explain::{Detail, View, objects, tell};
use placemat_text::notation::json_text;
use serde_json::Value;

/// See the module.
pub(crate) fn whole(form: Form, bytes: &[u8]) {
    let view = View::new(form, bytes, None);
    let out: Vec<String> = objects(&view, usize::MAX)
        .iter()
        .map(|object| json_text(object).expect("each object is JSON"))
        .collect();
    assert!(!out.iter().any(|line| line.contains(escape::is_hostile)), "{out:?} is not for a terminal");
    let lines: Vec<Value> = out
        .iter()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let is_verdict = |line: &Value| line["type"] == "verdict";
    let [told @ .., summary] = &lines[..] else { panic!("{form}: nothing is told") };
    let (items, said) = told.split_at(told.iter().position(is_verdict).unwrap_or(told.len()));
    let is_hidden = |line: &Value| line["type"] == "hidden";
    let (items, hidden) = items.split_at(items.iter().position(is_hidden).unwrap_or(items.len()));
    for found in hidden {
        let (at, length) = (found["offset"].as_u64(), found["length"].as_u64());
        let (at, length) = (at.unwrap_or(0) as usize, length.unwrap_or(0) as usize);
        assert_eq!(unhex(&found["bytes"]), bytes[at..at + length], "{form}: {found}");
    }
    let (mut at, mut wrong) = (0, Vec::new());
    for item in items {
        let length = item["length"].as_u64().unwrap_or(0) as usize;
        assert!(item["offset"] == at && length > 0, "{form}: {item} does not begin at {at}");
        assert_eq!(unhex(&item["bytes"]), bytes[at..at + length], "{form}: {item}");
        at += length;
        wrong.extend(item["errors"].as_array().into_iter().flatten());
    }
    assert_eq!(at, bytes.len(), "{form}: not all is told");
    let characters = items.iter().filter(|item| item["type"] == "character").count();
    assert_eq!(characters + wrong.len(), count(form, bytes), "{form}");
    assert_eq!([&summary["characters"], &summary["errors"]], [characters, wrong.len()], "{form}");
    assert!(
        errors(form, bytes).map(Some).eq(wrong.into_iter().map(|said| of(Some(said), form, bytes))),
        "{form}: {out:?}"
    );
    for (said, verdict) in said.iter().zip(verdicts(bytes)) {
        assert_eq!(said["form"], verdict.form().name());
        assert_eq!(said["well_formed"], verdict.is_well_formed());
        assert_eq!(of(said.get("error"), verdict.form(), bytes), verdict.error(), "{said}");
    }
    assert_eq!(said.len(), verdicts(bytes).count());

    let told = tell(&view, Detail { limit: usize::MAX, ..Detail::default() });
    let _ = (told.screen(80), told.page());
}

/// The error of the form that the JSON describes.
fn of(said: Option<&Value>, form: Form, bytes: &[u8]) -> Option<placemat::Error> {
    let said = said?;
    errors(form, bytes).find(|error| {
        said["offset"] == error.offset()
            && said["length"] == error.length()
            && said["kind"] == error.kind().name()
    })
}

fn unhex(digits: &Value) -> Vec<u8> {
    let digits = digits.as_str().unwrap_or_default().split(' ');
    digits.map(|digits| u8::from_str_radix(digits, 16).expect("hexadecimal")).collect()
}
