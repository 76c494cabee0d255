//! Reads input that was typed or pasted: digits, escapes, literals, or text.

#![forbid(unsafe_code)]

use placemat::{Form, Policy, Transcoder, convert_with, sequences};
use placemat_text::explain::{Base, Escapes, of_code_points};
use serde_json::{Value, json};

/// The notations in which bytes can be typed: a name, and the label on the page.
const WAYS: [(&str, &str); 16] = [
    ("text", "Text"),
    ("hex", "Hexadecimal"),
    ("url", "Percent-encoding (%C3%A9)"),
    ("base64", "Base64"),
    ("json", "\\u escapes (JSON, JavaScript)"),
    ("perl", "\\x{…} escapes (Perl)"),
    ("python", "Literal of Python"),
    ("c", "Literal of C (\\xC3)"),
    ("rust", "Literal of Rust"),
    ("java", "Literal of Java"),
    ("html", "HTML (&eacute; &#233;)"),
    ("quoted-printable", "Quoted-printable (=C3=A9)"),
    ("encoded-word", "Header of a mail (=?…?=)"),
    ("hexdump", "Dump of xxd, hexdump or od"),
    ("code-points", "Code points (U+00E9)"),
    ("binary", "Binary"),
];

/// The names of notations and forms that the page offers.
pub(crate) fn names() -> Value {
    let form = |form: &Form| {
        let facts = form.facts();
        json!({
            "name": form.name(),
            "source": facts.source,
            // Whether the form can be read from any position. A form whose variant a byte order mark selects must be read from the start.
            "midway": facts.self_synchronising && sequences(*form, b"").form() == *form,
        })
    };
    json!({
        "ways": WAYS.map(|(name, label)| json!({"name": name, "label": label})),
        "forms": Form::ALL.iter().map(form).collect::<Vec<_>>(),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// Returns the bytes, and the notation in which they were read. `typed` is UTF-16 from JavaScript; a lone surrogate is kept.
pub(crate) fn read(how: &str, typed: &[u8], form: Form) -> Result<Value, String> {
    let keeping = Transcoder::new(Form::Utf16Le, Form::Utf8Surrogates).on_error(Policy::Stop);
    let text = match convert_with(keeping, typed) {
        Ok(text) => text,
        Err(_) => halves(typed),
    };
    let known = String::from_utf8_lossy(&text).into_owned();
    let bytes = match how {
        "text" if form == Form::Utf8 => text,
        "text" => {
            let writing = Transcoder::new(Form::Utf8Surrogates, form).on_error(Policy::Stop);
            convert_with(writing, &text).map_err(|_| format!("{form} cannot hold this text"))?
        }
        "hex" => Base::Hex.parse(&known).map_err(|error| error.to_string())?,
        "binary" => Base::Binary.parse(&known).map_err(|error| error.to_string())?,
        "code-points" => of_code_points(&known, form).map_err(|error| error.to_string())?,
        name => {
            let kind = Escapes::named(name).ok_or_else(|| format!("nothing is typed as {name}"))?;
            kind.read(&known, form).map_err(|error| error.to_string())?
        }
    };
    let guess = if how == "text" { guessed(&known) } else { None };
    Ok(json!({ "hex": placemat_text::notation::hex(&bytes).replace(' ', ""), "guess": guess }))
}

/// Converts UTF-16 with lone surrogates, each of which becomes three bytes.
fn halves(typed: &[u8]) -> Vec<u8> {
    let units: Vec<u16> = typed.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let mut text = Vec::with_capacity(units.len() * 3);
    for unit in char::decode_utf16(units) {
        match unit {
            Ok(c) => text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(half) => {
                let value = half.unpaired_surrogate();
                text.extend([0xED, 0x80 | (value >> 6 & 0x3F) as u8, 0x80 | (value & 0x3F) as u8]);
            }
        }
    }
    text
}

/// Guesses the notation of a text, if it is escaped.
fn guessed(text: &str) -> Option<&'static str> {
    let digits = text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let is_spaced = text.split_whitespace().all(|group| group.len() == 2);
    if digits.len() >= 4 && Base::Hex.parse(text).is_ok() && (is_spaced || digits.starts_with("0x")) {
        return Some("hex");
    }
    if digits.starts_with("U+") && of_code_points(text, Form::Utf8).is_ok() {
        return Some("code-points");
    }
    Escapes::guess(text).filter(|kind| kind.is_evident(text)).map(Escapes::name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::asked;

    fn typed(how: &str, text: &str) -> Value {
        let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        asked(json!({"ask": "typed", "how": how, "form": "utf-8"}), &units)
    }

    #[test]
    fn every_way_is_understood() {
        for (how, text) in [
            ("text", "é"),
            ("hex", "C3 A9"),
            ("url", "%C3%A9"),
            ("base64", "w6k="),
            ("json", "\\u00e9"),
            ("perl", "\\x{e9}"),
            ("python", "b'\\xc3\\xa9'"),
            ("c", "\"\\xC3\\xA9\""),
            ("rust", "\"\\u{e9}\""),
            ("java", "\"\\u00E9\""),
            ("html", "&eacute;"),
            ("quoted-printable", "=C3=A9"),
            ("encoded-word", "=?utf-8?Q?=C3=A9?="),
            ("hexdump", "00000000  c3 a9                                             |..|"),
            ("code-points", "U+00E9"),
            ("binary", "11000011 10101001"),
        ] {
            assert_eq!(typed(how, text)["hex"], "C3A9", "{how}: {}", typed(how, text));
        }
        assert!(WAYS.iter().all(|(how, _)| !typed(how, "zz\u{1}").to_string().contains("nothing is typed")));
    }

    #[test]
    fn a_surrogate_by_itself_is_kept() {
        let units = [0x3D, 0xD8, b'a', 0];
        let answer = asked(json!({"ask": "typed", "how": "text", "form": "utf-8"}), &units);
        assert_eq!(answer["hex"], "EDA0BD61");
    }

    #[test]
    fn what_looks_escaped_is_said() {
        assert_eq!(typed("text", "E2 82 AC")["guess"], "hex");
        assert_eq!(typed("text", "caf%C3%A9")["guess"], "url");
        assert!(typed("text", "an ordinary sentence")["guess"].is_null());
        assert!(typed("hex", "E2 8G")["refused"].as_str().unwrap().contains("no hexadecimal digit"));
    }
}
