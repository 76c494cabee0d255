//! One field: its range in the buffer, its unescaped text, and the mapping of changes from the text to the buffer.

use std::borrow::Cow;
use std::ops::Range;

use super::nested::Nested;
use super::scan::Grammar;
use super::{Cell, half};
use crate::io::unfinished;
use crate::repair::mend::{Change, Rule, Sequence};
use placemat_detect::Kind;

/// An escape: a range of the buffer, and the range of the text that it means.
struct Stand {
    source: Range<usize>,
    says: Range<usize>,
}

/// A field, or a part of a long one.
pub(super) struct Field {
    /// Its range in the buffer.
    pub(super) range: Range<usize>,
    /// Its unescaped text, if that differs from the buffer, and the escapes in it.
    says: Vec<u8>,
    stands: Vec<Stand>,
    /// Whether more of the field follows.
    pub(super) is_cut: bool,
    /// For a later part of a long field, whether the field opens as a [`Nested`] value.
    pub(super) rest_of: Option<bool>,
}

impl Field {
    pub(super) fn at(start: usize) -> Field {
        Field { range: start..start, says: Vec::new(), stands: Vec::new(), is_cut: false, rest_of: None }
    }

    pub(super) fn text(&mut self, buffer: &[u8], length: usize) {
        let range = self.range.end..self.range.end + length;
        if !self.stands.is_empty() {
            self.says.extend_from_slice(&buffer[range.clone()]);
        }
        self.range.end = range.end;
    }

    /// Shortens the field by an incomplete character at its end.
    pub(super) fn end_with_a_character(&mut self, buffer: &[u8]) {
        let text = self.stands.last().map_or(self.range.start, |stand| stand.source.end);
        let unfinished = unfinished(&buffer[text.max(self.range.end.saturating_sub(3))..self.range.end]);
        self.range.end -= unfinished;
        self.says.truncate(self.says.len().saturating_sub(unfinished));
    }

    pub(super) fn stands(&mut self, buffer: &[u8], length: usize, bytes: &[u8]) {
        if self.stands.is_empty() {
            self.says.extend_from_slice(&buffer[self.range.clone()]);
        }
        let source = self.range.end..self.range.end + length;
        self.range.end = source.end;
        let start = self.says.len();
        self.says.extend_from_slice(bytes);
        self.stands.push(Stand { source, says: start..self.says.len() });
    }

    pub(super) fn shift(&mut self, by: usize) {
        let moved = |range: &Range<usize>| range.start - by..range.end - by;
        self.range = moved(&self.range);
        for stand in &mut self.stands {
            stand.source = moved(&stand.source);
        }
    }

    /// Whether the field opens as a value that is read by a second grammar. Not in WebAssembly, for its size.
    pub(super) fn is_nested(&self, grammar: &dyn Grammar, buffer: &[u8]) -> bool {
        let opens = || Nested::is_opened(grammar.openers(), self.says(buffer), self.is_cut);
        !cfg!(target_family = "wasm") && self.rest_of.unwrap_or_else(opens)
    }

    /// The unescaped text.
    pub(super) fn says<'a>(&'a self, buffer: &'a [u8]) -> &'a [u8] {
        if self.stands.is_empty() { &buffer[self.range.clone()] } else { &self.says }
    }

    /// Whether a character has bytes that are escapes and bytes that are none. The latter would stay alone, since the text is well-formed.
    pub(super) fn has_half_escaped(&self) -> bool {
        let is_inside = |at: usize| is_inside_character(&self.says, at);
        let before = [0].into_iter().chain(self.stands.iter().map(|stand| stand.says.end));
        let after = self.stands.iter().skip(1).map(|stand| stand.says.start).chain([usize::MAX]);
        self.stands.iter().zip(before.zip(after)).any(|(Stand { says, .. }, (before, after))| {
            before < says.start && is_inside(says.start) || says.end < after && is_inside(says.end)
        })
    }

    /// The text before each escape that starts with a backslash and means another byte, from the escape before it on.
    pub(super) fn before_escapes<'a>(&'a self, buffer: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let starts = [0].into_iter().chain(self.stands.iter().map(|stand| stand.says.end));
        starts.zip(&self.stands).filter_map(move |(start, stand)| {
            let is_other = buffer[stand.source.start] == b'\\' && self.says[stand.says.clone()] != *b"\\";
            is_other.then(|| &self.says[start..stand.says.start])
        })
    }

    /// The text from which an encoding is guessed: a backslash that may be the second byte of a character stays.
    pub(super) fn hint<'a>(&'a self, buffer: &'a [u8]) -> Cow<'a, [u8]> {
        if !self.before_escapes(buffer).any(half::may_end_in_half) {
            return Cow::Borrowed(self.says(buffer));
        }
        let (mut text, mut at) = (Vec::new(), 0);
        for stand in &self.stands {
            let before = &self.says[at..stand.says.start];
            let says = &self.says[stand.says.clone()];
            text.extend_from_slice(before);
            text.extend_from_slice(if half::may_end_in_half(before) && says != b"\\" {
                &buffer[stand.source.clone()]
            } else {
                says
            });
            at = stand.says.end;
        }
        text.extend_from_slice(&self.says[at..]);
        Cow::Owned(text)
    }

    /// Maps changes of the text to changes of the buffer, written by the rules of the grammar.
    pub(super) fn changes(
        &self,
        changes: Vec<Change>,
        cell: Option<Cell>,
        grammar: &dyn Grammar,
        buffer: &[u8],
    ) -> Vec<Change> {
        let mut changes = self.whole(changes);
        let mut nested = self.is_nested(grammar, buffer).then(|| Nested::new(grammar.openers()));
        for change in &mut changes {
            let says = change.range.start as usize..change.range.end as usize;
            let source = self.source(says.start)..self.source(says.end);
            // Half a pair of surrogates is three bytes only here, so it gets one U+FFFD instead of three.
            if matches!(change.rule, Rule::Policy(..))
                && source.len() == 6
                && says.len() == 3
                && change.text == "\u{FFFD}\u{FFFD}\u{FFFD}"
            {
                change.text.truncate(3);
            }
            let is_escape = matches!(change.rule, Rule::Policy("escape", _));
            let text = match &mut nested {
                // How often is not known there.
                Some(_) if is_escape && self.rest_of.is_some() => None,
                Some(nested) if is_escape => {
                    let backslashes = "\\".repeat(nested.backslashes(self.says(buffer), says.start));
                    Some(change.text.replace('\\', &backslashes))
                }
                _ => Some(std::mem::take(&mut change.text)),
            };
            match text.and_then(|text| grammar.spell(&text, &buffer[source.clone()])) {
                Some(text) => change.text = text,
                None => {
                    change.text = char::REPLACEMENT_CHARACTER.into();
                    change.rule = Rule::Policy("replace", Sequence(Kind::Other));
                }
            }
            change.range = source.start as u64..source.end as u64;
            change.cell = cell;
        }
        changes
    }

    /// Extends each change to the whole of the escapes that it touches, since an escape changes as a whole.
    fn whole(&self, changes: Vec<Change>) -> Vec<Change> {
        if self.stands.is_empty() {
            return changes;
        }
        let mut whole: Vec<Change> = Vec::with_capacity(changes.len());
        for mut change in changes {
            let start = self.stand(change.range.start).map_or(change.range.start, |stand| stand.start);
            let end = self.stand(change.range.end).map_or(change.range.end, |stand| stand.end);
            match whole.last_mut().filter(|last| last.range.end > change.range.start) {
                // The last change covers the rest of this escape already, and is changed here.
                Some(last) => {
                    let rest = (last.range.end - change.range.start) as usize;
                    last.text.truncate(last.text.len().saturating_sub(rest));
                    last.text.push_str(&change.text);
                    last.text.push_str(&self.between(change.range.end..end));
                    last.range.end = end;
                }
                None => {
                    let (before, after) = (start..change.range.start, change.range.end..end);
                    change.text = format!("{}{}{}", self.between(before), change.text, self.between(after));
                    change.range = start..end;
                    whole.push(change);
                }
            }
        }
        whole
    }

    fn between(&self, range: Range<u64>) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.says[range.start as usize..range.end as usize])
    }

    /// Returns the range of the text of the escape around `at`, if `at` is inside one.
    fn stand(&self, at: u64) -> Option<Range<u64>> {
        let at = at as usize;
        let stand = self.stands.partition_point(|stand| stand.says.end <= at);
        let says = &self.stands.get(stand)?.says;
        (says.start < at).then_some(says.start as u64..says.end as u64)
    }

    /// Maps an offset in the text to an offset in the buffer.
    fn source(&self, at: usize) -> usize {
        match self.stands.partition_point(|stand| stand.says.end <= at).checked_sub(1) {
            None => self.range.start + at,
            Some(last) => self.stands[last].source.end + (at - self.stands[last].says.end),
        }
    }
}

/// Whether the offset is inside a well-formed character.
fn is_inside_character(text: &[u8], at: usize) -> bool {
    let is_character = |range: Range<usize>| {
        let text = text.get(range).and_then(|bytes| str::from_utf8(bytes).ok());
        text.is_some_and(|text| text.chars().count() == 1)
    };
    matches!(text.get(at), Some(0x80..0xC0))
        && (1..4.min(at + 1)).any(|back| (1..=4 - back).any(|more| is_character(at - back..at + more)))
}
