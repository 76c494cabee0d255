//! The diagnostic of a conversion that stopped: where, what, and what can be done.

use std::fmt::Write as _;

use placemat::ErrorKind;

use crate::charset::Charset;
use crate::input::Input;
use crate::pipeline::{Place, Stopped};
use crate::shown;

/// Where `input`, read as `from`, stopped on its way to `to`.
pub(super) fn complaint(
    input: &Input,
    from: Charset,
    to: Charset,
    place: Option<&Place>,
    stopped: &Stopped,
) -> String {
    let mut text = format!("{input}:");
    if let Some((line, column)) = place.map(Place::get) {
        let _ = write!(text, "{line}:{column}:");
    }
    let _ = write!(text, " byte {}:", stopped.error.offset());
    for byte in &stopped.bytes {
        let _ = write!(text, " {byte:02X}");
    }
    match stopped.code_point {
        Some(c) => {
            let character = c.to_char().map(|c| format!(" ({})", shown::text(c.encode_utf8(&mut [0; 4]))));
            let character = character.unwrap_or_default();
            let is = if stopped.bytes.is_empty() { "" } else { " is" };
            let _ = write!(text, "{is} {c}{character}, which {to} cannot carry");
            let _ = write!(text, "\n  choose what stands for it: --unencodable replace, escape, ncr or skip");
        }
        None if stopped.error.kind() == ErrorKind::Unencodable => {
            let _ = write!(text, " cannot be written as {to}");
        }
        None => {
            let _ = write!(text, " is malformed {from}: {}", stopped.error.kind());
            let _ = write!(text, "\n  {}", advice(from));
        }
    }
    text
}

fn advice(from: Charset) -> &'static str {
    match from.name() {
        "utf-8" => {
            "if all of it is in another encoding, name it: -f windows-1252\n  \
             if it is damaged, choose what stands for damage: --on-error replace"
        }
        _ => "is it another encoding? name it with -f; if not, --on-error replace",
    }
}
