//! Policies change errors and nothing else, the result can be read, and a handler is called once for each error.

use placemat::{Decision, Fault, Form, Policy, Text, Transcoder, Unencodable, errors};

use crate::source::{Source, plainly};

/// See the module.
pub fn run(input: &[u8]) {
    let mut source = Source::new(input);
    let (from, to, policy) = (source.form(), source.form(), source.policy());
    let bytes = source.text();

    let outcome = plainly(Transcoder::new(from, to).on_error(policy), &bytes);
    let strict = plainly(Transcoder::new(from, to), &bytes);
    if strict.errors == 0 {
        assert_eq!(outcome, strict, "{from} to {to}, {policy:?}: it changes well-formed text");
    }
    assert!(
        outcome.text.len() <= 16 * 32 * (bytes.len() + 2),
        "{from} to {to}, {policy:?}: it grows without bound"
    );
    repairs(from, to, &bytes);
    is_asked_once(from, &bytes);
}

/// With a replacement for errors and for unencodable code points nothing fails, and the result is well-formed.
fn repairs(from: Form, to: Form, bytes: &[u8]) {
    let policy = Policy::Replace.unencodable(Unencodable::Replace(None));
    let repaired = plainly(Transcoder::new(from, to).on_error(policy), bytes);
    assert_eq!(repaired.stops, [], "{from} to {to}");
    assert_eq!(errors(to, &repaired.text).next(), None, "{from} to {to}: {:02X?}", repaired.text);
    if to == Form::Utf8 {
        assert!(core::str::from_utf8(&repaired.text).is_ok(), "{from}");
    }
}

/// A handler is called for each error that `errors` finds, in order.
fn is_asked_once(form: Form, bytes: &[u8]) {
    let mut seen = Vec::new();
    let handler = |fault: &Fault<'_>, _: &mut Text| {
        assert_eq!(fault.error.range().end - fault.error.offset(), fault.bytes.len() as u64);
        seen.push(fault.error);
        Decision::Resume
    };
    plainly(Transcoder::new(form, Form::Ucs4Le).on_error_with(handler), bytes);
    assert_eq!(seen, errors(form, bytes).collect::<Vec<_>>(), "{form}");
}
