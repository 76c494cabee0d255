//! What to do with a file that is not to be repaired.

use placemat_detect::Detection;

use crate::escape;
use crate::input::Input;
use placemat_text::charset::{Charset, guess};

/// Why it is refused, and the command that helps, which reads through compression if this one did.
pub(super) fn of(input: &Input, found: &Detection, unpack: bool) -> String {
    let Some(charset) = Charset::detected(found) else {
        return format!("looks like {}, not like UTF-8 with a few errors", found.encoding);
    };
    let looks = guess::looks(found);
    let unpack = if unpack { " -z" } else { "" };
    let path = match input {
        Input::Stdin => String::new(),
        Input::Named(_) | Input::Found(_) => format!(" {}", escape::word(input.path())),
    };
    format!("{looks} {}: placemat convert{unpack} -f {charset}{path}", found.encoding)
}
