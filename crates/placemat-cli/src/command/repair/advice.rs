//! What to do with a file that is not to be repaired.

use placemat::label::Labels;
use placemat_detect::{Detection, Encoding, Second};

use crate::escape;
use crate::input::Input;
use placemat_text::charset::{Charset, guess};
use placemat_text::repair::choice::LIKELY;

/// Why it is refused, and the command that helps, which reads through compression if this one did.
pub(super) fn of(input: &Input, found: &Detection, unpack: bool) -> String {
    if found.encoding == Encoding::Several {
        return "seems to hold several encodings; --lossy or --on-error repairs it all the same".to_owned();
    }
    if found.confidence < LIKELY {
        return "is not UTF-8, and no other encoding is likely; --lossy or --on-error repairs it all the same".to_owned();
    }
    let Some(charset) = Charset::detected(found) else {
        return format!("looks like {}, not like UTF-8 with a few errors", found.encoding);
    };
    let looks = guess::looks(found);
    format!("{looks} {}: placemat convert{} -f {charset}{}", found.encoding, z(unpack), word(input))
}

/// Why a file that the rules have in another form is refused, and the command that reads it.
pub(super) fn ruled(input: &Input, charset: Charset, unpack: bool) -> String {
    format!("is {charset}, as the rules say: placemat convert{} -f {charset}{}", z(unpack), word(input))
}

/// Why a mixed file is refused, and the command that helps.
pub(super) fn mixed(input: &Input, second: &Second, unpack: bool) -> String {
    let sure = guess::percent(second.confidence);
    if second.confidence < LIKELY {
        return "is UTF-8 with runs of another encoding, and none is likely: name it with --mend".to_owned();
    }
    let encoding = second.encoding;
    if Charset::resolve(Labels::Lenient, encoding).is_err() {
        return format!("is UTF-8 with runs that may be {encoding}, which is not read here");
    }
    format!(
        "is UTF-8 with runs that may be {encoding}, which is {sure} sure: placemat repair{} --mend {encoding}{}",
        z(unpack),
        word(input)
    )
}

fn z(unpack: bool) -> &'static str {
    if unpack { " -z" } else { "" }
}

fn word(input: &Input) -> String {
    match input {
        Input::Stdin => String::new(),
        Input::Named(_) | Input::Found(_) => format!(" {}", escape::word(input.path())),
    }
}
