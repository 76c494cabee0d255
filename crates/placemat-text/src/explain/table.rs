//! The 16 × 16 table of the role of each byte in a form. The form's reader is called to find it.

mod tell;

use std::{error, fmt};

use placemat::boundary::announced_length;
use placemat::{CodePoint, Form, Layout};

use super::layout::{Class, Reading, edge, followers, ranges, read};

pub use self::tell::tell_table;

/// One byte of a form whose code units are bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) byte: u8,
    pub(crate) class: Class,
    /// The lengths, in bytes, of the shortest and of the longest sequence that starts with the byte. For a byte that
    /// never occurs, the length that it announced in RFC 2279; 0 if none.
    pub(crate) length: (usize, usize),
    /// The first and the last code point whose sequence starts with it.
    pub(crate) code_points: Option<(CodePoint, CodePoint)>,
    /// The possible second bytes, as ranges.
    pub(crate) second: Vec<(u8, u8)>,
    /// A word for the characters that start with it.
    pub(crate) label: &'static str,
}

/// Short words for the characters from each code point up to the next.
const LABELS: &[(u32, &str)] = &[
    (0x0080, "Latin"),
    (0x0240, "IPA"),
    (0x0300, "accents"),
    (0x0380, "Greek"),
    (0x0400, "Cyril"),
    (0x0540, "Armeni"),
    (0x0580, "Hebrew"),
    (0x0600, "Arabic"),
    (0x0700, "Syriac"),
    (0x0740, "Arabic"),
    (0x0780, "Thaana"),
    (0x07C0, "N'Ko"),
    (0x0800, "Indic"),
    (0x1000, "Misc."),
    (0x2000, "Symbol"),
    (0x3000, "Kana, CJK"),
    (0x4000, "CJK"),
    (0xA000, "Asian"),
    (0xB000, "Hangul"),
    (0xE000, "PUA"),
    (0xF000, "Forms"),
    (0x1_0000, "SMP, SIP"),
    (0x4_0000, ""),
    (0xC_0000, "SSP, SPUA"),
    (0x10_0000, "SPUA-B"),
    (0x11_0000, ""),
];

fn label(c: CodePoint) -> &'static str {
    let after = LABELS.partition_point(|&(first, _)| first <= c.value());
    after.checked_sub(1).and_then(|at| LABELS.get(at)).map_or("", |&(_, label)| label)
}

/// Returns a row for each of the 256 bytes.
pub(crate) fn rows(form: Form) -> Vec<Row> {
    (0..=0xFF).map(|byte| row(form, byte)).collect()
}

fn row(form: Form, byte: u8) -> Row {
    let class = Class::of(form, byte);
    let edges = edge(form, &[byte], true).zip(edge(form, &[byte], false));
    let Some(((first, low), (last, high))) = edges else {
        let length = if form.facts().layout == Layout::Announced { announced_length(byte) } else { 0 };
        let length = (length, length);
        return Row { byte, class, length, code_points: None, second: Vec::new(), label: "" };
    };
    let label = if matches!(class, Class::Lead | Class::Limited) { label(first) } else { "" };
    let leads_on = |&next: &u8| edge(form, &[byte, next], true).is_some();
    let second = if high.len() > 1 { followers(form, &[byte]) } else { Vec::new() };
    let second = ranges(second.into_iter().filter(leads_on));
    Row { byte, class, length: (low.len(), high.len()), code_points: Some((first, last)), second, label }
}

/// Why a form has no table of bytes, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoTable(String);

impl fmt::Display for NoTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for NoTable {}

pub(crate) fn check_table(form: Form) -> Result<(), NoTable> {
    without_table(form).map_or(Ok(()), |reason| Err(NoTable(reason)))
}

/// Why a form has no table of bytes, if it has none.
fn without_table(form: Form) -> Option<String> {
    if form.facts().layout == Layout::Base64 {
        return Some(format!(
            "{form} has no such table: the same byte is a character outside a shifted run, and six bits of a character inside one."
        ));
    }
    if let (Reading::Whole(escape), true) = (read(form, &[0x80]), reads_as_utf8(form, 'é')) {
        let but = unlike_utf8(form);
        let but = if but.is_empty() { String::new() } else { format!(" but for {},", but.join(" and ")) };
        let surrogates = match read(form, b"\xED\xA0\x80") {
            Reading::Whole(_) => " reads surrogates by value,",
            Reading::Begun | Reading::Wrong(_) => "",
        };
        return Some(format!(
            "{form} has no table of its own: it reads what is well-formed utf-8 as utf-8 does,{but}{surrogates} and \
             takes every other byte as a character by itself, 80 as {escape}."
        ));
    }
    match form.facts().layout {
        Layout::Units { size, .. } => Some(format!(
            "{form} has no such table: its code units are {size} bytes long, and one byte alone means nothing."
        )),
        Layout::Announced | Layout::Biased | Layout::Base64 | Layout::Plain => None,
    }
}

fn reads_as_utf8(form: Form, c: char) -> bool {
    read(form, c.encode_utf8(&mut [0; 4]).as_bytes()) == Reading::Whole(c.into())
}

/// The ranges of scalar values whose UTF-8 bytes the form reads differently.
fn unlike_utf8(form: Form) -> Vec<String> {
    let mut ranges: Vec<(char, char)> = Vec::new();
    for (before, c) in ('\0'..=char::MAX).zip('\u{1}'..=char::MAX) {
        if reads_as_utf8(form, c) {
            continue;
        }
        match ranges.last_mut() {
            Some((_, last)) if *last == before => *last = c,
            _ => ranges.push((c, c)),
        }
    }
    let point = |c: char| CodePoint::from(c);
    ranges.iter().map(|&(first, last)| format!("{}..{}", point(first), point(last))).collect()
}

#[cfg(test)]
mod tests {
    use placemat::ErrorKind;

    use super::tell::is_listed;
    use super::*;
    use crate::explain::layout::written;

    /// Compares every fact in the table of UTF-8 with a file of facts.
    #[test]
    fn utf8_is_as_the_vectors_say() {
        let vectors = include_str!("../../tests/vectors/byte_table.txt");
        let mut seen = 0;
        for (line, row) in vectors.lines().filter(|line| !line.starts_with('#')).zip(rows(Form::Utf8)) {
            assert_eq!(line, as_vector(&row));
            seen += 1;
        }
        assert_eq!(seen, 256);
    }

    /// `byte | class | length | adds | first..last | second | label`
    fn as_vector(row: &Row) -> String {
        let class = match row.class {
            Class::Ascii => "ascii",
            Class::Single => "single",
            Class::Continuation => "tail",
            Class::Lead => "lead",
            Class::Limited => "limited",
            Class::Never(_) => "never",
        };
        let dash = || "-".to_owned();
        let length = if row.length.0 == 0 { dash() } else { row.length.0.to_string() };
        let adds = if row.class == Class::Continuation { format!("{:02X}", row.byte & 0x3F) } else { dash() };
        let range = |(a, b): (CodePoint, CodePoint)| format!("{:04X}..{:04X}", a.value(), b.value());
        let points = row.code_points.map_or_else(dash, range);
        let second = if row.second.is_empty() { dash() } else { written(&row.second) };
        let label = if row.label.is_empty() { "-" } else { row.label };
        format!("{:02X} | {class} | {length} | {adds} | {points} | {second} | {label}", row.byte)
    }

    #[test]
    fn a_form_without_a_table_says_what_it_reads() {
        let reason = |name| without_table(Form::named(name).unwrap());
        assert_eq!(reason("utf-8"), None);
        assert!(reason("utf-8b").unwrap().contains("as utf-8 does, and takes every other byte"));
        let optu = "as utf-8 does, but for U+EF80..U+EFFF and U+FFFE..U+10FFFF, reads surrogates by value, and takes every other byte";
        assert!(reason("optu-8").unwrap().contains(optu), "{:?}", reason("optu-8"));
        // It has lead bytes from A0 on, and its own continuation bytes.
        assert_eq!(reason("utf-1"), None);
        let utf1 = rows(Form::named("utf-1").unwrap());
        assert_eq!(
            (utf1[0x9F].class, utf1[0xA0].class, utf1[0xFD].class),
            (Class::Single, Class::Lead, Class::Lead)
        );
        assert_eq!(written(&utf1[0xA0].second), "A0..FF");
        assert_eq!(written(&utf1[0xA1].second), "21..7E, A0..FF");
        assert_eq!(utf1[0xA1].code_points.unwrap().0.value(), 0x100);
    }

    #[test]
    fn other_forms_have_their_own_tables() {
        let ascii = rows(Form::UsAscii);
        assert_eq!(ascii[0x80].class, Class::Never(ErrorKind::InvalidByte));
        // In these forms, a byte does not announce the length that it announces in UTF-8.
        for form in [Form::UsAscii, Form::FssUtf199207] {
            let never = rows(form).into_iter().filter(|row| matches!(row.class, Class::Never(_)));
            assert!(never.into_iter().all(|row| row.length == (0, 0) && !is_listed(form, &row)), "{form}");
        }
        assert_eq!(rows(Form::Utf8)[0xF8].length, (5, 5));
        let web = rows(Form::Windows1252);
        assert_eq!(web[0x80].code_points.unwrap().0.value(), 0x20AC);
        let loose = rows(Form::Utf8Surrogates);
        assert_eq!(loose[0xED].code_points.unwrap().1.value(), 0xDFFF);
        for &form in Form::ALL.iter().filter(|&&form| without_table(form).is_none()) {
            assert!(tell_table(form).unwrap().0.len() > 1, "{form}");
        }
    }
}
