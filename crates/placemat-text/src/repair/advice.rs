//! Advice for files that are not repaired.

use std::path::Path;

use placemat::Form;
use placemat::label::Labels;
use placemat_detect::{Detection, Encoding, Second};

use super::choice::LIKELY;
use crate::charset::{Charset, guess};
use crate::escape;

/// Says why a file is refused, and names a command that helps. With `unpack`, that command also decompresses.
///
/// ```
/// let found = placemat_detect::detect(&b"Gr\xFC\xDFe aus K\xF6ln\n".repeat(9), true);
/// let advice = placemat_text::repair::advice::of(Some("a.txt".as_ref()), &found, false);
/// assert!(advice.ends_with("windows-1252: placemat convert -f windows-1252 a.txt"), "{advice}");
/// ```
#[must_use]
pub fn of(file: Option<&Path>, found: &Detection, unpack: bool) -> String {
    if found.encoding == Encoding::Several {
        return "seems to hold several encodings; --lossy or --on-error repairs it anyway".to_owned();
    }
    if found.confidence < LIKELY {
        return "is not UTF-8, and no other encoding is likely; --lossy or --on-error repairs it anyway"
            .to_owned();
    }
    let looks = guess::looks(found);
    let Some(charset) = Charset::detected(found) else {
        return match found.encoding {
            Encoding::Binary => "does not seem to be text".to_owned(),
            other => format!("{looks} {other}, which placemat cannot read"),
        };
    };
    if found.encoding == Encoding::Form(Form::Utf8) {
        return format!(
            "{looks} UTF-8, of which too little is well-formed; --lossy or --on-error repairs it anyway"
        );
    }
    if 4 * found.malformed > found.counts.malformed() && found.counts.multi_byte > found.malformed / 2 {
        return "has parts in UTF-8 and parts in an encoding that cannot be guessed: name it with --mend ENCODING"
            .to_owned();
    }
    format!(
        "{looks} {}: placemat convert{} -f {charset}{}",
        found.encoding,
        z(unpack),
        escape::argument(file)
    )
}

/// Like [`of`], for a file with lines or fields in UTF-8 and others in another encoding: names the command that repairs it, with
/// more `options`, each after a space. `None` for other files.
///
/// ```
/// let lines = ["Grüße aus Köln\n".as_bytes(), b"Gr\xFC\xDFe aus K\xF6ln und M\xFCnchen\n"].concat().repeat(3);
/// let found = placemat_detect::detect(&[lines, b"sch\xF6ne Gr\xFC\xDFe\n".repeat(9)].concat(), true);
/// let advice = placemat_text::repair::advice::of_lines(Some("a.txt".as_ref()), &found, false, "").unwrap();
/// assert_eq!(advice, "has parts in UTF-8 and parts in windows-1252: placemat repair --mend windows-1252 a.txt");
/// ```
#[must_use]
pub fn of_lines(file: Option<&Path>, found: &Detection, unpack: bool, options: &str) -> Option<String> {
    let other = beside_utf8(found)?;
    let command = mend(file, other.name(), unpack, options);
    Some(format!("has parts in UTF-8 and parts in {other}: {command}"))
}

/// The encoding of the lines that are not UTF-8, where others are, if it can be named in a command.
pub(crate) fn beside_utf8(found: &Detection) -> Option<Encoding> {
    let [utf8, other] = &found.candidates[..] else { return None };
    let is_mixed = found.encoding == Encoding::Several && utf8.encoding == Encoding::Form(Form::Utf8);
    let can_be_named = || Charset::resolve(Labels::Lenient, other.encoding.name()).is_ok();
    (is_mixed && can_be_named()).then_some(other.encoding)
}

/// Says why a file in another encoding by the rules is refused, and names the command that reads it.
///
/// ```
/// use placemat::Form;
/// use placemat_text::repair::advice::ruled;
///
/// let advice = ruled(None, Form::Cesu8.into(), false);
/// assert_eq!(advice, "is cesu-8, as the rules say: placemat convert -f cesu-8");
/// ```
#[must_use]
pub fn ruled(file: Option<&Path>, charset: Charset, unpack: bool) -> String {
    format!(
        "is {charset}, as the rules say: placemat convert{} -f {charset}{}",
        z(unpack),
        escape::argument(file)
    )
}

/// Says why a mixed file is refused, and names the command that helps, with more `options`, each after a space.
///
/// ```
/// let mut mixed = placemat_detect::Mixed::new();
/// mixed.push("Привет, мир! Как дела?\n".repeat(4).as_bytes());
/// mixed.push(b"\xFF\n");
/// let second = mixed.finish().second();
/// assert!(second.is_none_or(|second| {
///     placemat_text::repair::advice::mixed(None, &second, false, "").starts_with("is UTF-8 with runs")
/// }));
/// ```
#[must_use]
pub fn mixed(file: Option<&Path>, second: &Second, unpack: bool, options: &str) -> String {
    let sure = guess::percent(second.confidence);
    if second.confidence < LIKELY {
        return "is UTF-8 with runs of an encoding that cannot be guessed: name it with --mend ENCODING"
            .to_owned();
    }
    let encoding = second.encoding;
    if Charset::resolve(Labels::Lenient, encoding).is_err() {
        return format!("is UTF-8 with runs that may be {encoding}, which placemat cannot read");
    }
    let command = mend(file, encoding, unpack, options);
    format!("is UTF-8 with runs that may be {encoding}, which is {sure} sure: {command}")
}

/// The command that reads the runs in this encoding.
fn mend(file: Option<&Path>, encoding: &str, unpack: bool, options: &str) -> String {
    format!("placemat repair{}{options} --mend {encoding}{}", z(unpack), escape::argument(file))
}

fn z(unpack: bool) -> &'static str {
    if unpack { " -z" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_told_to_convert_from_what_is_half_utf8() {
        let words = "été à la plage São Paulo Müller déjà réservé élève garçon forêt tête où façade naïf Noël château";
        let letter = |(at, c): (usize, char)| match u8::try_from(u32::from(c)) {
            Ok(byte) if at % 5 > 0 => vec![byte],
            _ => c.to_string().into_bytes(),
        };
        let text = words.repeat(12).chars().enumerate().flat_map(letter).collect::<Vec<u8>>();
        let found = placemat_detect::detect(&text, true);
        let said = of(None, &found, false);
        assert!(!said.contains("convert"), "{found:?} {said}");
    }

    #[test]
    fn what_is_not_read_is_said_to_be_so() {
        let mut found = placemat_detect::detect(&b"Gr\xFC\xDFe aus K\xF6ln\n".repeat(9), true);
        for (encoding, expected) in [
            (Encoding::Legacy("euc-tw"), "looks like euc-tw, which placemat cannot read"),
            (Encoding::Binary, "does not seem to be text"),
        ] {
            found.encoding = encoding;
            assert_eq!(of(None, &found, false), expected);
        }
    }

    #[test]
    fn nobody_is_told_to_convert_from_utf8() {
        let found = placemat_detect::detect(b"\xE4\xA0\xA9\xAB", true);
        let said = of(None, &found, false);
        assert!(
            found.encoding == "utf-8"
                && said.starts_with("may be UTF-8, of which")
                && !said.contains("convert"),
            "{said}"
        );
    }
}
