//! Where the bytes come from: text, digits, code points, a file.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use placemat::{CodePoint, Form, sequences};

use crate::shown;

/// The most that is read of a file or of standard input.
pub(crate) const MOST: u64 = 1 << 20;

/// Bytes to explain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) bytes: Vec<u8>,
    /// The offset of the first of them in the file.
    pub(crate) base: u64,
    /// The byte that was asked about.
    pub(crate) focus: Option<usize>,
    /// Whether there is more that was not read.
    pub(crate) is_cut: bool,
}

impl From<Vec<u8>> for Input {
    fn from(bytes: Vec<u8>) -> Input {
        Input { bytes, ..Input::default() }
    }
}

/// A base in which bytes can be typed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Base {
    Hex,
    Octal,
    Binary,
}

impl Base {
    fn radix(self) -> u32 {
        match self {
            Base::Hex => 16,
            Base::Octal => 8,
            Base::Binary => 2,
        }
    }

    /// Digits of a whole byte.
    fn digits(self) -> usize {
        match self {
            Base::Hex => 2,
            Base::Octal => 3,
            Base::Binary => 8,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Base::Hex => "hexadecimal",
            Base::Octal => "octal",
            Base::Binary => "binary",
        }
    }

    /// The bytes that `text` names: digits in groups, apart or together, with `0x`, `\x`, `\`, `0o`, `0b` before them or not.
    pub(crate) fn parse(self, text: &str) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut at = 0;
        for group in text.split(is_separator) {
            let place = 1 + text[..at].chars().count();
            at += group.len() + text[at + group.len()..].chars().next().map_or(0, char::len_utf8);
            let digits = self.without_prefix(group);
            let place = place + group.chars().count() - digits.chars().count();
            if let (Base::Hex, 1) = (self, group.len()) {
                // `0x8` is a byte; where bytes are typed in two digits, one is half of one.
                bail!("the digit at character {place} is half a byte: two make one, or 0x before one");
            }
            self.parse_group(digits, place, &mut bytes)?;
        }
        Ok(bytes)
    }

    fn without_prefix(self, group: &str) -> &str {
        let prefixes: &[&str] = match self {
            Base::Hex => &["0x", "0X", "x"],
            Base::Octal => &["0o", "o"],
            Base::Binary => &["0b", "b"],
        };
        let stripped = prefixes.iter().find_map(|prefix| group.strip_prefix(prefix));
        stripped.filter(|rest| !rest.is_empty()).unwrap_or(group)
    }

    fn parse_group(self, digits: &str, place: usize, bytes: &mut Vec<u8>) -> Result<()> {
        if let Some((n, bad)) = digits.chars().enumerate().find(|(_, c)| !c.is_digit(self.radix())) {
            bail!(
                "character {}, “{}”, is no {} digit",
                place + n,
                shown::text(&bad.to_string()),
                self.name()
            );
        }
        let whole = self.digits();
        if digits.len() > whole && !digits.len().is_multiple_of(whole) {
            bail!(
                "the {} digits at character {place} are no whole number of bytes: {whole} digits make one",
                digits.len()
            );
        }
        for (n, byte) in digits.as_bytes().chunks(whole).enumerate() {
            let byte = std::str::from_utf8(byte)?;
            let value = u8::from_str_radix(byte, self.radix()).with_context(|| {
                format!("“{byte}” at character {} is more than a byte", place + n * whole)
            })?;
            bytes.push(value);
        }
        Ok(())
    }
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | ':' | '\\' | '_' | '-')
}

/// The bytes of code points (`U+20AC`, `0x20AC`, `20AC`; several apart) in a form.
pub(crate) fn of_code_points(text: &str, form: Form) -> Result<Vec<u8>> {
    let mut source = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
        let prefixes = ["U+", "u+", "0x", "\\u{", "&#x"];
        let digits = prefixes.iter().find_map(|prefix| word.strip_prefix(prefix)).unwrap_or(word);
        let digits = digits.trim_end_matches(['}', ';']);
        let value = u32::from_str_radix(digits, 16).ok().and_then(CodePoint::new);
        let Some(c) = value else {
            bail!("“{}” is not a code point: hexadecimal, at most 7FFFFFFF, is expected", shown::text(word));
        };
        if !form.carries(c) {
            bail!("{form} cannot carry {c}");
        }
        source.extend_from_slice(&c.value().to_be_bytes());
    }
    placemat::convert(Form::Ucs4Be, form, &source).with_context(|| format!("{form} cannot carry this"))
}

/// The beginning of a stream.
pub(crate) fn of_reader(reader: impl Read) -> io::Result<Input> {
    let mut bytes = Vec::new();
    reader.take(MOST + 1).read_to_end(&mut bytes)?;
    let is_cut = bytes.len() as u64 > MOST;
    bytes.truncate(MOST as usize);
    Ok(Input { bytes, is_cut, ..Input::default() })
}

/// The beginning of a file, or what stands around a byte of it.
pub(crate) fn of_file(path: &Path, offset: Option<u64>, form: Form) -> Result<Input> {
    let file = File::open(path).with_context(|| shown::path(path).to_string())?;
    let Some(offset) = offset else {
        return of_reader(file).with_context(|| shown::path(path).to_string());
    };
    let input = around(file, offset, form).with_context(|| shown::path(path).to_string())?;
    if input.focus.is_none() {
        bail!("{}: there is no byte {offset}", shown::path(path));
    }
    Ok(input)
}

/// Bytes shown before and after the one that was asked about.
const AROUND: u64 = 16;

/// Bytes read before those, to find a boundary.
const RUN_UP: u64 = 16;

fn around(mut file: File, offset: u64, form: Form) -> io::Result<Input> {
    // A form that owns its mark says at the start which one it is.
    let mut head = Vec::new();
    (&file).take(4).read_to_end(&mut head)?;
    let (head, form) = (&head[..], sequences(form, &head).form());
    let wanted = offset.saturating_sub(AROUND);
    let facts = form.facts();
    let unit = if matches!(facts.width.0, 2 | 4) { u64::from(facts.width.0) } else { 1 };
    // Where boundaries can only be found from the start, the start it is.
    let start = if facts.self_synchronising { wanted.saturating_sub(RUN_UP) / unit * unit } else { 0 };
    let mut bytes = Vec::new();
    let length = offset.saturating_add(AROUND + RUN_UP).saturating_sub(start);
    match file.seek(SeekFrom::Start(start)) {
        // A pipe: what stands before is read and dropped.
        Err(error) if error.kind() == io::ErrorKind::NotSeekable => {
            let mut all = head.chain(file);
            io::copy(&mut (&mut all).take(start), &mut io::sink())?;
            all.take(length).read_to_end(&mut bytes)?;
        }
        sought => {
            sought?;
            file.take(length).read_to_end(&mut bytes)?;
        }
    }
    Ok(window(&bytes, start, wanted, offset, form))
}

/// The sequences from `wanted` on, and so many after `offset`.
fn window(bytes: &[u8], start: u64, wanted: u64, offset: u64, form: Form) -> Input {
    let end = offset.saturating_add(AROUND);
    let ranges = sequences(form, bytes).map(|sequence| sequence.range());
    let mut kept = ranges
        .skip_while(|range| start + (range.end as u64) <= wanted)
        .take_while(|range| start + (range.start as u64) <= end);
    let Some(first) = kept.next() else { return Input::default() };
    let last = kept.last().map_or(first.end, |range| range.end);
    let base = start + first.start as u64;
    let focus = offset.checked_sub(base).map(|at| at as usize).filter(|&at| at < last - first.start);
    Input { bytes: bytes[first.start..last].to_vec(), base, focus, is_cut: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_may_stand_apart_or_together() {
        for text in ["E2 82 AC", "e282ac", "0xE2,0x82,0xAC", "\\xE2\\x82\\xAC", "E2:82:AC", " E2  82AC "] {
            assert_eq!(Base::Hex.parse(text).unwrap(), b"\xE2\x82\xAC", "{text}");
        }
        assert_eq!(Base::Octal.parse("\\342\\202\\254").unwrap(), b"\xE2\x82\xAC");
        assert_eq!(Base::Octal.parse("342 202 254 7").unwrap(), b"\xE2\x82\xAC\x07");
        assert_eq!(Base::Binary.parse("11100010 10000010_10101100").unwrap(), b"\xE2\x82\xAC");
        assert_eq!(Base::Hex.parse("").unwrap(), b"");
    }

    #[test]
    fn a_bad_digit_is_named_with_its_place() {
        let message = |base: Base, text| base.parse(text).unwrap_err().to_string();
        assert_eq!(message(Base::Hex, "E2 8G"), "character 5, “G”, is no hexadecimal digit");
        assert_eq!(message(Base::Hex, "0xE2 0x8G"), "character 9, “G”, is no hexadecimal digit");
        assert_eq!(message(Base::Octal, "é 400"), "character 1, “é”, is no octal digit");
        assert_eq!(message(Base::Octal, "400"), "“400” at character 1 is more than a byte");
        assert!(message(Base::Hex, "E2 82A").contains("no whole number of bytes"));
        assert!(message(Base::Hex, "E2 8").contains("the digit at character 4 is half a byte"));
        assert_eq!(Base::Hex.parse("0xE2, 0x8").unwrap(), b"\xE2\x08");
    }

    #[test]
    fn code_points_are_written_in_the_form() {
        assert_eq!(of_code_points("U+20AC, 41", Form::Utf8).unwrap(), "€A".as_bytes());
        assert_eq!(of_code_points("D800", Form::Ucs2Be).unwrap(), b"\xD8\0");
        assert!(of_code_points("D800", Form::Utf8).unwrap_err().to_string().contains("cannot carry U+D800"));
        assert!(of_code_points("80000000", Form::Utf8).is_err());
    }

    #[test]
    fn a_window_begins_and_ends_at_boundaries() {
        let text = "€".repeat(50);
        for offset in 0..150 {
            let wanted = offset - offset.min(AROUND);
            let start = wanted.saturating_sub(RUN_UP);
            let end = (offset + AROUND + RUN_UP).min(150);
            let bytes = &text.as_bytes()[start as usize..end as usize];
            let input = window(bytes, start, wanted, offset, Form::Utf8);
            assert!(placemat::is_valid(&input.bytes), "{offset}: {input:?}");
            let focus = input.focus.unwrap();
            assert_eq!(input.base + focus as u64, offset);
        }
    }
}
