//! The verdict of every form on the whole input, and one code point in every form.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use placemat::{CodePoint, Error, ErrorKind, Form, FormVerdict, sequences, verdicts};

use crate::character;

/// The names of forms that agree. A profile is left out if its strict form is listed.
pub(crate) type Names = Vec<&'static str>;

/// Groups names by equal keys, in the order of the first occurrence of each key.
fn grouped<K: PartialEq>(pairs: impl Iterator<Item = (Form, K)>) -> Vec<(K, Names)> {
    let mut groups: Vec<(K, Names)> = Vec::new();
    for (form, key) in pairs {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, names)) => names.push(form.name()),
            None => groups.push((key, vec![form.name()])),
        }
    }
    for (_, names) in &mut groups {
        let strict: Names = names.iter().copied().filter(|name| !name.contains('/')).collect();
        names.retain(|name| name.split_once('/').is_none_or(|(base, _)| !strict.contains(&base)));
    }
    groups
}

/// Encodes a code point in each form; `None` for the forms that cannot carry it.
pub(crate) fn in_every_form(c: CodePoint) -> Vec<(Option<Vec<u8>>, Names)> {
    let source = c.value().to_be_bytes();
    let groups =
        grouped(Form::ALL.iter().map(|&form| (form, placemat::convert(Form::Ucs4Be, form, &source).ok())));
    let (mut able, unable): (Vec<_>, Vec<_>) = groups.into_iter().partition(|(bytes, _)| bytes.is_some());
    able.extend(unable);
    able
}

/// A text: its start, its length, and a digest to compare it with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) start: Vec<CodePoint>,
    length: usize,
    digest: u64,
}

impl Reading {
    fn new(form: Form, bytes: &[u8]) -> Reading {
        let mut reading = Reading { start: Vec::new(), length: 0, digest: 0 };
        let mut digest = DefaultHasher::new();
        for c in sequences(form, bytes).filter_map(|sequence| sequence.code_point().ok()) {
            if reading.length <= EXCERPT {
                reading.start.push(c);
            }
            reading.length += 1;
            c.hash(&mut digest);
        }
        reading.digest = digest.finish();
        reading
    }
}

/// The verdicts of all forms on the bytes.
pub(crate) struct Judged {
    /// Each text that the bytes decode to, with the forms that decode them so.
    pub(crate) well_formed: Vec<(Reading, Names)>,
    /// The kind and the offset of the first error, with the forms that have it.
    pub(crate) malformed: Vec<((ErrorKind, u64), Names)>,
}

pub(crate) fn judged(bytes: &[u8]) -> Judged {
    let good = verdicts(bytes)
        .filter(FormVerdict::is_well_formed)
        .map(|v| (v.form(), Reading::new(v.form(), bytes)));
    let key = |error: Error| (error.kind(), error.offset());
    let bad = verdicts(bytes).filter_map(|v| Some((v.form(), key(v.error()?))));
    Judged { well_formed: grouped(good), malformed: grouped(bad) }
}

/// The number of code points of a text that are shown on one line.
pub(crate) const EXCERPT: usize = 40;

/// Returns the start of a text, with escapes for characters that cannot be shown.
pub(crate) fn excerpt(text: impl IntoIterator<Item = CodePoint>) -> String {
    let mut text = text.into_iter();
    let mut excerpt = String::new();
    for c in text.by_ref().take(EXCERPT) {
        match c.to_char().filter(|_| character::can_be_seen(c)) {
            Some(character) => excerpt.push(character),
            None => excerpt.push_str(&format!("\\u{{{:x}}}", c.value())),
        }
    }
    if text.next().is_some() {
        excerpt.push('…');
    }
    excerpt
}

/// Decodes one byte of a single-byte encoding.
type Reads = fn(u8) -> char;

/// The encodings in which UTF-8 is most often misread.
const MISREADINGS: [(&str, Reads); 3] =
    [("windows-1252", windows_1252), ("iso-8859-1", char::from), ("cp437", cp437)];

fn windows_1252(byte: u8) -> char {
    let read = sequences(Form::Windows1252, &[byte]).next();
    read.and_then(|s| s.code_point().ok()).and_then(CodePoint::to_char).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn cp437(byte: u8) -> char {
    match byte {
        0x80.. => oem_cp::code_table::DECODING_TABLE_CP437[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Returns the bytes misread in each of these encodings.
pub(crate) fn misreadings(bytes: &[u8]) -> Vec<(&'static str, String)> {
    MISREADINGS
        .iter()
        .map(|&(name, read)| (name, excerpt(bytes.iter().map(|&byte| read(byte).into()))))
        .collect()
}

/// Returns the text before it was read as windows-1252 and written as UTF-8, if that may have happened.
pub(crate) fn once_decoded(bytes: &[u8]) -> Option<String> {
    let single = placemat::convert(Form::Utf8, Form::Windows1252, bytes).ok()?;
    let text = placemat::validate(&single).ok()?;
    (!text.is_ascii()).then(|| excerpt(text.chars().map(CodePoint::from)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_agree_stand_together_and_profiles_go_without_saying() {
        let groups = in_every_form(CodePoint::from('é'));
        let (_, names) = groups.iter().find(|(bytes, _)| bytes.as_deref() == Some(b"\xC3\xA9")).unwrap();
        assert!(names.contains(&"utf-8") && !names.contains(&"utf-8/surrogates"), "{names:?}");
        let (none, names) = groups.last().unwrap();
        assert!(none.is_none() && names.contains(&"us-ascii"));
    }

    #[test]
    fn every_form_has_a_verdict() {
        let judged = judged(b"\xC3\xA9");
        assert!(
            judged
                .well_formed
                .iter()
                .any(|(text, names)| text.start == [CodePoint::from('é')] && names.contains(&"utf-8"))
        );
        assert!(judged.malformed.iter().any(|((kind, at), names)| {
            (*kind, *at) == (ErrorKind::InvalidByte, 0) && names.contains(&"us-ascii")
        }));
    }

    #[test]
    fn every_high_byte_is_misread_as_the_vectors_say() {
        let vectors = include_str!("../../tests/vectors/misreadings.txt");
        let mut seen = 0;
        for line in vectors.lines().filter(|line| !line.starts_with('#')) {
            let numbers: Vec<u32> =
                line.split(" | ").map(|number| u32::from_str_radix(number, 16).unwrap()).collect();
            let byte = u8::try_from(numbers[0]).unwrap();
            let read = |name| MISREADINGS.iter().find(|(known, _)| *known == name).unwrap().1(byte);
            let all = ["iso-8859-1", "windows-1252", "cp437"].map(|name| u32::from(read(name)));
            assert_eq!(all, numbers[1..], "{line}");
            seen += 1;
        }
        assert_eq!(seen, 128);
    }

    #[test]
    fn misreadings_are_those_of_the_tables() {
        let euro = misreadings("€".as_bytes());
        assert_eq!(euro[0], ("windows-1252", "â‚¬".to_owned()));
        assert_eq!(euro[2], ("cp437", "Γé¼".to_owned()));
        assert_eq!(once_decoded("Ã©".as_bytes()).as_deref(), Some("é"));
        assert_eq!(once_decoded("é".as_bytes()), None);
    }
}
