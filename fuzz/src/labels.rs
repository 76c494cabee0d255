//! Any text can be looked up as a label; case and surrounding white space make no difference.

use placemat::Form;
use placemat::label::{Label, Labels, Refused, charset_of, charset_of_meta};

/// See the module.
pub fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for &labels in Labels::ALL {
        let label = labels.resolve(&text);
        assert_eq!(labels.resolve(&format!(" {}\t", text.to_ascii_uppercase())), label, "{labels}: {text:?}");
        match (label, labels.resolve_untrusted(&text, &[])) {
            (None, Err(Refused::Unknown)) => {}
            (Some(Label::Form(form)), Err(Refused::Unsafe(refused))) => {
                assert_eq!(form, refused);
                assert_eq!(labels.resolve_untrusted(&text, &[form]), Ok(Label::Form(form)));
            }
            (Some(label), Ok(same)) => assert_eq!(label, same),
            other => panic!("{labels}: {text:?} means {other:?}"),
        }
        if let Some(label) = label {
            assert_eq!(Label::named(label.name()), Some(label), "{labels}");
            assert!(text.is_ascii(), "{labels}: {text:?} is no label");
        }
    }
    if let Some(form) = Form::named(&text) {
        assert_eq!(Labels::Lenient.resolve(&text), Some(Label::Form(form)), "a form goes by its name");
    }
    for charset in [charset_of(&text), charset_of_meta(&text)].into_iter().flatten() {
        assert!(charset.as_str().len() <= text.len(), "a charset is a part of {text:?}");
    }
}
