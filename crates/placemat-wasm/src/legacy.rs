//! Functions on legacy encodings besides conversions: errors, boundaries.

#![forbid(unsafe_code)]

use placemat::label::Labels;
use placemat::{Decision, Error, Fault, Handler, Text};
use placemat_text::charset::{Charset, Legacy, LegacyReader};

use crate::session::{Session, halves, number};

/// Within this many bytes before a position there is a boundary, unless they are a run of escape sequences.
const NEAR: usize = 64;
/// The number of bytes read at once if they are only skipped.
const PIECE: usize = 1 << 12;

/// Skips errors and records each.
#[derive(Clone, Copy)]
struct Noting<'a>(&'a std::cell::RefCell<Vec<Error>>);

impl Handler for Noting<'_> {
    fn decide(&mut self, fault: &Fault<'_>, _: &mut Text) -> Decision {
        self.0.borrow_mut().push(fault.error);
        Decision::Resume
    }
}

impl Session {
    /// Writes at most `limit` errors of the bytes in the input, which follow a line with the name of their encoding. The
    /// records are those of `Session::errors`. Returns their number, or -1.
    pub(crate) fn legacy_errors(&mut self, limit: usize) -> i32 {
        let Some((legacy, bytes)) = named(&self.input) else { return -1 };
        let noted = std::cell::RefCell::default();
        let mut reader = LegacyReader::new(legacy, Noting(&noted));
        let mut text = Vec::new();
        // `Noting` never stops.
        for piece in bytes.chunks(PIECE) {
            let _ = reader.push(piece, &mut text);
            text.clear();
            if noted.borrow().len() >= limit {
                break;
            }
        }
        if noted.borrow().len() < limit {
            let _ = reader.finish(&mut text);
        }
        self.output.clear();
        let noted = noted.into_inner();
        let records = noted.iter().take(limit);
        let found = records.len() as i32;
        for error in records {
            let [low, high] = halves(error.offset());
            for word in [number(error.kind()), error.length().into(), low, high] {
                self.output.extend_from_slice(&word.to_le_bytes());
            }
        }
        self.tell(None);
        found
    }

    /// The last start of a character or an error at or before `index` of such bytes, or -1.
    pub(crate) fn legacy_floor(&self, index: usize) -> i32 {
        let Some((legacy, bytes)) = named(&self.input) else { return -1 };
        let before = &bytes[..index.min(bytes.len())];
        let near = before.len().saturating_sub(NEAR);
        let found = floor(legacy, before, near).or_else(|| floor(legacy, before, 0));
        found.unwrap_or(0) as i32
    }
}

/// The encoding that the first line names, and the bytes after the line.
fn named(input: &[u8]) -> Option<(Legacy, &[u8])> {
    let end = input.iter().position(|&byte| byte == b'\n')?;
    let name = str::from_utf8(&input[..end]).ok()?;
    match Charset::resolve(Labels::Lenient, name) {
        Ok(Charset::Legacy(legacy)) => Some((legacy, &input[end + 1..])),
        _ => None,
    }
}

/// The end of the last character or error that ends within `bytes`, if one ends after `near`.
fn floor(legacy: Legacy, bytes: &[u8], near: usize) -> Option<usize> {
    let noted = std::cell::RefCell::default();
    let mut reader = LegacyReader::new(legacy, Noting(&noted));
    let mut text = Vec::new();
    for piece in bytes[..near].chunks(PIECE) {
        let _ = reader.push(piece, &mut text);
        text.clear();
    }
    noted.borrow_mut().clear();
    let mut last = None;
    for (at, byte) in bytes.iter().enumerate().skip(near) {
        let _ = reader.push(&[*byte], &mut text);
        let error = noted
            .borrow_mut()
            .pop()
            .map(|error: Error| error.offset() as usize + usize::from(error.length()));
        noted.borrow_mut().clear();
        // The bytes after an error may be the start of an incomplete character.
        match (text.is_empty(), error) {
            (false, _) => last = Some(at + 1),
            (true, Some(end)) => last = Some(end),
            (true, None) => {}
        }
        text.clear();
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(name: &str, bytes: &[u8]) -> Session {
        let mut session = Session::default();
        let input = [name.as_bytes(), b"\n", bytes].concat();
        session.room(input.len()).copy_from_slice(&input);
        session
    }

    fn errors(name: &str, bytes: &[u8], limit: usize) -> Vec<(u32, u32)> {
        let mut session = session(name, bytes);
        let found = session.legacy_errors(limit);
        let words: Vec<u32> =
            session.output.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        assert_eq!(words.len() as i32, 4 * found);
        words.chunks(4).map(|record| (record[2], record[1])).collect()
    }

    #[test]
    fn every_error_has_its_place() {
        assert_eq!(errors("euc-jp", b"A\xA4\xFFB\xA4", 9), [(1, 2), (4, 1)]);
        assert_eq!(errors("euc-jp", b"A\xA4\xFFB\xA4", 1), [(1, 2)]);
        assert_eq!(errors("shift_jis", b"\x81", 9), [(0, 1)]);
        assert_eq!(errors("koi8-r", b"\xC4\xC1", 9), []);
        assert_eq!(session("utf-8", b"").legacy_errors(9), -1);
        assert_eq!(Session::default().legacy_errors(9), -1);
    }

    /// The two parts of a text cut at a boundary decode as the whole does.
    #[test]
    fn text_cut_at_a_boundary_reads_the_same() {
        for (name, bytes) in [
            ("shift_jis", &b"\x93\xFA\x96\x7B\x81\xFFA\xB1"[..]),
            ("gb18030", b"\x84\x31\x95\x33\xC4\xE3a\x81\x30\x81\x30"),
            ("euc-jp", b"\x8F\xB0\xA1\xC6\xFCx\xA4\xFF"),
            ("big5", b"\x88\x62\xA7\x41\xFE"),
            ("windows-1251", b"\xCF\xF0"),
        ] {
            let (legacy, _) = named(&[name.as_bytes(), b"\n"].concat()).unwrap();
            let read = |bytes: &[u8]| {
                let mut text = Vec::new();
                let mut reader = LegacyReader::new(legacy, placemat::Policy::Replace);
                assert!(reader.push(bytes, &mut text).is_ok() && reader.finish(&mut text).is_ok());
                text
            };
            for index in 0..=bytes.len() {
                let floor = session(name, bytes).legacy_floor(index) as usize;
                assert!(floor <= index && index - floor < 4, "{name} {index} {floor}");
                let halves = [read(&bytes[..floor]), read(&bytes[floor..])].concat();
                assert_eq!(halves, read(bytes), "{name} cut at {floor}");
            }
            assert_eq!(session(name, bytes).legacy_floor(99), session(name, bytes).legacy_floor(bytes.len()));
        }
        // A long text, and one of escape sequences.
        let long = b"\x93\xFA".repeat(500);
        assert_eq!(session("shift_jis", &long).legacy_floor(777), 776);
        let escapes = [&b"a"[..], &b"\x1B(B\x1B$B".repeat(30)].concat();
        assert_eq!(session("iso-2022-jp", &escapes).legacy_floor(2), 1);
    }
}
