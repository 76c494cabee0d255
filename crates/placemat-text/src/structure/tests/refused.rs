//! Inputs that are refused though they parse.

use super::{CSV, Choice, Structure, whole};
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
