//! Values serialized to JSON and back.

use placemat::label::Labels;
use placemat::{CodePoint, Error, ErrorKind, Form, Level, utf16};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn round<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T, json: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(json).unwrap(), *value);
}

#[test]
fn values_come_back() {
    Form::ALL.iter().for_each(|form| round(form, &format!("\"{form}\"")));
    ErrorKind::ALL.iter().for_each(|kind| round(kind, &format!("\"{kind}\"")));
    Labels::ALL.iter().for_each(|labels| round(labels, &format!("\"{labels}\"")));
    Level::available().for_each(|level| round(&level, &format!("\"{level}\"")));
    round(&CodePoint::from('€'), "8364");
    round(&Error::new(ErrorKind::Overlong, 7, 2), r#"{"kind":"overlong","length":2,"unit":1,"offset":7}"#);
    round(
        &utf16::validate(&[0x61, 0xDC00]).unwrap_err(),
        r#"{"kind":"surrogate","length":1,"unit":2,"offset":1}"#,
    );
}

/// A line of `placemat check --format json` is such an error: it counts bytes, and has more fields.
#[test]
fn an_error_of_the_command_is_an_error() {
    let line = r#"{"type":"error","path":"a.txt","form":"utf-8","offset":32,"length":1,"line":3,"column":10,"kind":"missing-continuation","bytes":"E9","hint":null}"#;
    let error = Error::new(ErrorKind::MissingContinuation, 32, 1);
    assert_eq!(serde_json::from_str::<Error>(line).unwrap(), error);
    assert!(serde_json::from_str::<Error>(r#"{"kind":"overlong","length":2}"#).is_err());
}

#[test]
fn what_is_none_is_refused() {
    let error = serde_json::from_str::<Form>("\"utf-9\"").unwrap_err().to_string();
    assert!(error.starts_with("invalid value: string \"utf-9\", expected the name of a form"), "{error}");
    assert!(serde_json::from_str::<ErrorKind>("7").is_err());
    assert!(serde_json::from_str::<CodePoint>("2147483648").is_err());
}
