//! Parts of a text in UTF-8, each counted by itself, so that they can be read in parallel and in any order.

use placemat::boundary::is_continuation;
use placemat::invisible::{Kinds, clean_prefix, findings_in};
use placemat::{Form, Transcoder, valid_prefix, validate};
use placemat_detect::Before;

use super::text::{Body, Dialects, Errors};
use crate::feed::feed;
use crate::io::unfinished;
use crate::repair::blocks::are_whole;

/// The numbers of some parts of a text in UTF-8, for [`Reader::read_parts`](super::Reader::read_parts).
///
/// ```
/// use placemat_text::survey::Part;
///
/// let (mut one, mut other) = (Part::default(), Part::default());
/// assert!(one.add(b"a\n", [b"", b"b"], true) && other.add(b"b", [b"a\n", b""], false));
/// one.merge(&other);
/// assert_eq!(one.bytes(), 3);
/// ```
#[derive(Debug, Default)]
pub struct Part {
    pub(super) bytes: u64,
    pub(super) body: Body,
    pub(super) errors: Errors,
    pub(super) dialects: Dialects,
}

impl Part {
    /// Counts whole lines, or a part of a long one that is cut between characters. `around` is the text before and after them in
    /// the file, at least [`AROUND`](placemat::invisible::AROUND) bytes if there are so many; `is_start` says that nothing
    /// precedes. Returns `false` if the numbers depend on more than that: then the text must be read from its start to its end.
    ///
    /// ```
    /// use placemat_text::survey::Part;
    ///
    /// assert!(Part::default().add("déjà vu\n".as_bytes(), [b""; 2], true));
    /// // A part of a line that is malformed.
    /// assert!(!Part::default().add(b"\xFF", [b"a", b"b"], false));
    /// ```
    #[must_use]
    pub fn add(&mut self, text: &[u8], around: [&[u8]; 2], is_start: bool) -> bool {
        self.bytes += text.len() as u64;
        let is_whole = are_whole(text, around);
        match validate(text) {
            Ok(text) => {
                self.body.after(around[0].last().copied());
                self.body.count(text);
                self.hidden(text, around, is_whole, is_start)
            }
            Err(_) => is_whole && self.malformed(text, is_start),
        }
    }

    /// Adds the numbers of other parts, in any order.
    ///
    /// ```
    /// use placemat_text::survey::Part;
    ///
    /// let mut part = Part::default();
    /// part.merge(&Part::default());
    /// assert_eq!(part.bytes(), 0);
    /// ```
    pub fn merge(&mut self, more: &Part) {
        self.bytes += more.bytes;
        self.body.merge(&more.body);
        self.errors.merge(&more.errors);
        self.dialects.iter_mut().zip(more.dialects).for_each(|(sum, more)| *sum += more);
    }

    /// The number of bytes counted.
    ///
    /// ```
    /// assert_eq!(placemat_text::survey::Part::default().bytes(), 0);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Counts characters of well-formed text that are not shown.
    fn hidden(&mut self, text: &str, [before, after]: [&[u8]; 2], is_whole: bool, is_start: bool) -> bool {
        if clean_prefix(text, Kinds::DEFAULT) == text.len() {
            return true;
        }
        // Malformed bytes nearby would be skipped, so that other text would count as adjacent.
        let start = before.iter().take(3).take_while(|&&byte| is_continuation(byte)).count();
        let is_known = |bytes: &[u8]| validate(&bytes[..bytes.len() - unfinished(bytes)]).is_ok();
        if !is_whole || !is_known(&before[start..]) || !is_known(after) {
            return false;
        }
        let found = findings_in(text, Kinds::DEFAULT).between(before, after);
        for found in if is_start { found } else { found.from_middle() } {
            self.body.hidden.counts[found.kind as usize] += 1;
        }
        true
    }

    /// Counts whole lines that are not well-formed. Returns whether they are sure to have no character that is not shown.
    fn malformed(&mut self, lines: &[u8], is_start: bool) -> bool {
        self.classify(lines, is_start);
        let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error_with(self.errors.tap());
        let (mut room, mut is_known) = (vec![0; lines.len().clamp(64, 64 << 10)], true);
        let body = &mut self.body;
        for chunk in [lines, b""] {
            feed(&mut transcoder, chunk, &mut room, &mut |text, _| {
                let text = validate(text).unwrap_or_default();
                is_known &= clean_prefix(text, Kinds::DEFAULT) == text.len();
                body.count(text);
            });
        }
        is_known
    }

    /// Counts the malformed sequences by kind.
    fn classify(&mut self, lines: &[u8], is_start: bool) {
        let (mut before, mut at) = (Before::new(), 0);
        if !is_start {
            before.pass(b"\n");
        }
        loop {
            let valid = valid_prefix(&lines[at..]).0;
            before.pass(&lines[at..at + valid]);
            at += valid;
            let Some((kind, len)) = before.sequence(&lines[at..]) else { return };
            self.dialects[kind as usize] += 1;
            at += len;
        }
    }
}
