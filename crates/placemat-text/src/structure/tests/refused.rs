//! Inputs that are refused though they parse.

use super::{CSV, Choice, Mending, Structure, ZEROS, whole};
use crate::charset::Charset;

#[test]
fn wide_text_without_a_mark_is_no_structure() {
    let csv = "id,name\n1,café\n2,Grüße\n".repeat(5);
    let json = "{\"name\": \"café\"}\n".repeat(5);
    let second = Charset::resolve(placemat::label::Labels::Lenient, "windows-1250");
    let Ok(Charset::Legacy(second)) = second else { panic!("it is read here") };
    for text in [csv, json] {
        let structure = if text.starts_with('{') { Structure::JsonLines } else { CSV };
        for form in [placemat::Form::Utf16Le, placemat::Form::Utf16Be, placemat::Form::Utf32Le] {
            let bytes = placemat::convert(placemat::Form::Utf8, form, text.as_bytes()).unwrap();
            for second in [None, Some(second)] {
                let choice = Choice { second, ..Default::default() };
                let refused = whole(&bytes, structure, &choice).unwrap_err().to_string();
                assert!(refused.starts_with(&format!("it looks like {form} (")), "{refused}");
            }
        }
    }
}

#[test]
fn keys_that_only_the_repair_makes_equal_are_refused() {
    let choice = Choice { mending: Mending { mojibake: true, ..Mending::default() }, ..Choice::default() };
    let refused = |json: &str| {
        let found = whole(json.as_bytes(), Structure::JsonLines, &choice);
        found.err().map(|refused| refused.to_string())
    };
    for json in [
        r#"{"cafÃ©": 1, "café": 2}"#,
        r#"{"café": {"x": 1}, "caf\u00c3\u00a9": 2}"#,
        r#"[{"a": [{"b": 1}], "cafÃ©": 1, "b": {"café": 3}, "café": 2}]"#,
    ] {
        let refused = refused(&format!("{{}}\n{json}\n"));
        assert!(refused.as_ref().is_some_and(|why| why.starts_with("line 2: after the repair")), "{json}");
    }
    for json in [
        r#"{"cafÃ©": {"café": 2}, "b": [{"café": 1}, {"cafÃ©": 1}]}"#,
        "{\"cafÃ©\": 1}\n{\"café\": 2}",
        // They were equal before.
        r#"{"cafÃ©": 1, "caf\u00c3\u00a9": 2, "café\u0021": "café", "café!": "cafÃ©!"}"#,
    ] {
        assert_eq!(refused(json), None, "{json}");
    }
    let zero =
        Choice { mending: Mending { zero: Some(ZEROS[1]), ..Mending::default() }, ..Choice::default() };
    assert!(whole(br#"{"ab": 1, "a\u0000b": 2}"#, Structure::JsonLines, &zero).is_err());
}
