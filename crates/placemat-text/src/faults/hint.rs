//! Guesses what malformed bytes were meant to be.

use placemat::boundary::{announced_length, is_continuation};
use placemat::{CodePoint, Form, bom};
use placemat_detect::Parted;

use super::Finding;
use crate::charset::guess::other_form;

/// A form in which the bytes are text, and that text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The form.
    pub form: Form,
    /// The text.
    pub text: String,
}

/// A character in a sequence that UTF-8 does not allow. It is one mistake, although it counts as several errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its length in bytes.
    pub len: usize,
    /// The code point that a decoder without checks would read.
    pub value: u32,
    /// What is wrong with it.
    pub is: Mistake,
}

/// What is wrong with such a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// It has more bytes than necessary.
    Overlong,
    /// A surrogate, half of a pair of UTF-16.
    Surrogate,
    /// Two surrogates for one character, as in CESU-8.
    Pair,
    /// A value above U+10FFFF.
    TooLarge,
}

impl Broken {
    /// Returns the broken character at the start of `bytes`.
    pub(crate) fn at(bytes: &[u8]) -> Option<Broken> {
        let first = Broken::single(bytes)?;
        let second = Broken::single(&bytes[first.len..]);
        match (first.value, second) {
            (high @ 0xD800..=0xDBFF, Some(Broken { len: 3, value: low @ 0xDC00..=0xDFFF, .. }))
                if first.len == 3 =>
            {
                let value = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                Some(Broken { len: 6, value, is: Mistake::Pair })
            }
            _ => Some(first),
        }
    }

    /// Like [`Broken::at`], without looking for the second surrogate of a pair.
    fn single(bytes: &[u8]) -> Option<Broken> {
        let (&lead, rest) = bytes.split_first()?;
        // Sequences with other lead bytes that are long enough are well-formed.
        let tails = match lead {
            0xC0..=0xC1 | 0xE0 | 0xED | 0xF0 | 0xF4..=0xFD => announced_length(lead) - 1,
            _ => return None,
        };
        let tail_bytes = rest.get(..tails).filter(|tails| tails.iter().all(|&byte| is_continuation(byte)))?;
        let payload = u32::from(lead & (0x3F >> tails));
        let value = tail_bytes.iter().fold(payload, |value, &tail| value << 6 | u32::from(tail & 0x3F));
        let len = tails + 1;
        let is = match value {
            _ if value < least(len) => Mistake::Overlong,
            0xD800..=0xDFFF => Mistake::Surrogate,
            0x11_0000.. => Mistake::TooLarge,
            _ => return None,
        };
        Some(Broken { len, value, is })
    }
}

/// The least value that needs `len` bytes.
fn least(len: usize) -> u32 {
    match len {
        0..=2 => 0x80,
        3 => 0x800,
        4 => 0x1_0000,
        5 => 0x20_0000,
        _ => 0x400_0000,
    }
}

impl Finding<'_> {
    /// Returns the broken character that starts with this error.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::faults::locate::{Search, search};
    ///
    /// let search_for = Search { limit: 1, ..Search::new(Form::Utf8.into()) };
    /// search(&mut &b"\xC1\x81"[..], search_for, &mut |finding| {
    ///     // A careless decoder reads an A.
    ///     assert_eq!(finding.broken().unwrap().value, 0x41);
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    pub fn broken(&self) -> Option<Broken> {
        if self.charset != Form::Utf8 || self.announced.is_some() || self.is_breach() {
            return None;
        }
        Broken::at(&self.window[self.range.start..]).filter(|_| !self.continues_broken())
    }

    /// Whether this error is only the rest of a broken character that started before it.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::faults::locate::{Search, search};
    ///
    /// let search_for = Search { limit: 2, ..Search::new(Form::Utf8.into()) };
    /// search(&mut &b"\xC1\x81"[..], search_for, &mut |finding| {
    ///     // The second error is the rest of the first.
    ///     assert_eq!(finding.continues_broken(), finding.offset == 1);
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    pub fn continues_broken(&self) -> bool {
        let start = self.range.start;
        let reaches_here = |n: &usize| Broken::at(&self.window[start - n..]).is_some_and(|b| b.len > *n);
        self.charset == Form::Utf8 && (1..=start.min(5)).any(|n| reaches_here(&n))
    }

    /// Guesses what the bytes were meant to be.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::faults::locate::{Search, search};
    ///
    /// let search_for = Search { limit: 10, ..Search::new(Form::Utf8.into()) };
    /// search(&mut &b"na\xC3\xAFve\ncaf\xE9!"[..], search_for, &mut |finding| {
    ///     let hint = finding.hint().unwrap();
    ///     assert_eq!((hint.form, &*hint.text), (Form::Windows1252, "é"));
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    pub fn hint(&self) -> Option<Hint> {
        if let Some(form) = self.announced {
            return Some(Hint { form, text: String::from('\u{FEFF}') });
        }
        if self.is_breach() {
            return None;
        }
        match self.charset.form()? {
            Form::Utf8 => self.hint_in_utf8(),
            Form::UsAscii => self.utf8_here(),
            _ => None,
        }
    }

    /// Like [`Finding::hint`], but of a character that a line break parts, all of it.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::faults::locate::{Search, search};
    ///
    /// let search_for = Search { limit: 10, ..Search::new(Form::Utf8.into()) };
    /// search(&mut &b"d\xC3\xA9j\xC3\n\xA0 vu, d\xC3\xA9j\xC3\xA0 vu\n"[..], search_for, &mut |finding| {
    ///     assert_eq!(finding.whole_hint().unwrap().text, "à");
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    pub fn whole_hint(&self) -> Option<Hint> {
        let parted = self.parted().filter(|_| self.contradicted_mark().is_none());
        let whole = parted.map(|parted| Hint { form: Form::Utf8, text: parted.character.into() });
        whole.or_else(|| self.hint())
    }

    fn hint_in_utf8(&self) -> Option<Hint> {
        if let Some(broken) = self.broken() {
            let character = CodePoint::new(broken.value).and_then(CodePoint::to_char)?;
            return match (broken.is, broken.value, broken.len) {
                (Mistake::Pair, ..) => Some(Hint { form: Form::Cesu8, text: character.into() }),
                (Mistake::Overlong, 0, 2) => Some(Hint { form: Form::Mutf8, text: character.into() }),
                (Mistake::Overlong | Mistake::Surrogate | Mistake::TooLarge, ..) => None,
            };
        }
        if self.continues_broken()
            || self.bytes().len() != 1
            || !self.stands_among_ascii()
            || self.contradicted_mark().is_some()
        {
            return None;
        }
        let byte = self.bytes()[0];
        // The five bytes that windows-1252 does not use are no hint.
        let is_unused = matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D);
        let text = placemat::convert(Form::Windows1252, Form::Utf8, &[byte]).ok()?;
        let text = String::from_utf8(text).ok()?;
        (!is_unused && byte >= 0x80).then_some(Hint { form: Form::Windows1252, text })
    }

    /// The byte order mark that the error is part of, at the start of a text that is plainly not in the form of the mark: that form, and the
    /// length of the mark.
    pub(crate) fn contradicted_mark(&self) -> Option<(Form, usize)> {
        if self.charset != Form::Utf8 || self.announced.is_some() || self.window_offset() > 0 {
            return None;
        }
        let mark =
            bom::sniff(self.window).filter(|(form, len)| *form != Form::Utf8 && self.range.start < *len)?;
        other_form(self.window).is_none().then_some(mark)
    }

    /// The character that a line break parts, if the error is its first part or in its second.
    pub(crate) fn parted(&self) -> Option<Parted> {
        if self.charset != Form::Utf8 || self.is_breach() {
            return None;
        }
        let (before, from_here) = self.window.split_at(self.range.start);
        if is_continuation(from_here[0]) {
            // Other bytes of the second part, and a space or tab.
            let tails = before.iter().rev().take(2).take_while(|&&byte| is_continuation(byte)).count();
            let (before, _) = before.split_at(before.len() - tails);
            let blank = usize::from(matches!(before.last(), Some(b' ' | b'\t')));
            let (before, after) = self.window.split_at(before.len() - blank);
            return Parted::between(before, after)
                .filter(|parted| before.ends_with(b"\n") && blank + tails < parted.rest);
        }
        let line_end = self.range.end + self.after().iter().take(2).position(|&byte| byte == b'\n')? + 1;
        let (before, after) = self.window.split_at(line_end);
        Parted::between(before, after).filter(|parted| parted.head == self.bytes().len())
    }

    /// Whether at most three consecutive bytes here are not ASCII: that many accented letters may follow each other.
    fn stands_among_ascii(&self) -> bool {
        let before = self.window[..self.range.start].iter().rev().take_while(|byte| !byte.is_ascii()).count();
        let after = self.after().iter().take_while(|byte| !byte.is_ascii()).count();
        before + self.bytes().len() + after <= 3
    }

    /// Returns the character of UTF-8 at the start of the error.
    fn utf8_here(&self) -> Option<Hint> {
        let character = self.window[self.range.start..].utf8_chunks().next()?.valid().chars().next()?;
        Some(Hint { form: Form::Utf8, text: character.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_character_is_read_as_a_careless_decoder_would() {
        type Case<'a> = (&'a [u8], Option<(usize, u32, Mistake)>);
        let cases: [Case<'_>; 12] = [
            (b"\xC0\x80", Some((2, 0, Mistake::Overlong))),
            (b"\xC1\x9C!", Some((2, 0x5C, Mistake::Overlong))),
            (b"\xE0\x80\xAF", Some((3, 0x2F, Mistake::Overlong))),
            (b"\xF0\x80\x80\xAF", Some((4, 0x2F, Mistake::Overlong))),
            (b"\xFC\x80\x80\x80\x80\xAF", Some((6, 0x2F, Mistake::Overlong))),
            (b"\xED\xA0\x80", Some((3, 0xD800, Mistake::Surrogate))),
            (b"\xED\xA0\xBD\xED\xB8\x80", Some((6, 0x1F600, Mistake::Pair))),
            (b"\xED\xB8\x80\xED\xA0\xBD", Some((3, 0xDE00, Mistake::Surrogate))),
            (b"\xF4\x90\x80\x80", Some((4, 0x11_0000, Mistake::TooLarge))),
            (b"\xFD\xBF\xBF\xBF\xBF\xBF", Some((6, 0x7FFF_FFFF, Mistake::TooLarge))),
            (b"\xE0\xA4\x85", None),
            (b"\xC0a", None),
        ];
        for (bytes, expected) in cases {
            let broken = Broken::at(bytes).map(|b| (b.len, b.value, b.is));
            assert_eq!(broken, expected, "{bytes:02X?}");
        }
    }
}
