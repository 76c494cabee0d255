//! The input cut into characters and faults: the model that screen, page and JSON show.

use std::ops::Range;

use placemat::{CodePoint, Error, ErrorKind, Form, sequences};

use super::layout::{Layout, announced, is_tail};

/// What stands somewhere in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Character(Character),
    Fault(Fault),
    /// Bytes that belong to the form and stand for no character: a byte order mark, a shift of UTF-7.
    Shift(Range<usize>),
}

/// A well-formed sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Character {
    pub(crate) range: Range<usize>,
    pub(crate) code_point: CodePoint,
}

/// Errors that belong together: a bad lead, and the continuation bytes that it announced and that are stray without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) range: Range<usize>,
    pub(crate) errors: Vec<Error>,
}

/// The whole input.
pub(crate) struct View<'a> {
    /// The form of the bytes; a form that owns its mark is resolved.
    pub(crate) form: Form,
    pub(crate) layout: Layout,
    pub(crate) bytes: &'a [u8],
    pub(crate) items: Vec<Item>,
    pub(crate) characters: usize,
    pub(crate) errors: usize,
}

impl<'a> View<'a> {
    pub(crate) fn new(form: Form, bytes: &'a [u8]) -> View<'a> {
        let resolved = sequences(form, bytes).form();
        let layout = Layout::of(resolved);
        let mut items = cut(form, bytes);
        if layout == Layout::Announced {
            items = grouped(bytes, items);
        }
        let characters = items.iter().filter(|item| matches!(item, Item::Character(_))).count();
        let errors = items.iter().filter_map(Item::as_fault).map(|fault| fault.errors.len()).sum();
        View { form: resolved, layout, bytes, items, characters, errors }
    }
}

impl Item {
    pub(crate) fn as_fault(&self) -> Option<&Fault> {
        match self {
            Item::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

fn cut(form: Form, bytes: &[u8]) -> Vec<Item> {
    let mut items = Vec::new();
    let mut at = 0;
    for sequence in sequences(form, bytes) {
        let range = sequence.range();
        if at < range.start {
            items.push(Item::Shift(at..range.start));
        }
        at = range.end;
        items.push(match sequence.code_point() {
            Ok(code_point) => Item::Character(Character { range, code_point }),
            Err(error) => Item::Fault(Fault { range, errors: vec![error] }),
        });
    }
    if at < bytes.len() {
        items.push(Item::Shift(at..bytes.len()));
    }
    items
}

/// Join each bad lead with the stray tails that it announced, and the two halves of a surrogate pair.
fn grouped(bytes: &[u8], items: Vec<Item>) -> Vec<Item> {
    let mut grouped: Vec<Item> = Vec::with_capacity(items.len());
    for item in items {
        match (grouped.last_mut(), item) {
            (Some(Item::Fault(open)), Item::Fault(next)) if belongs(bytes, &open.range, &next) => {
                open.range.end = next.range.end;
                open.errors.extend(next.errors);
            }
            (_, item) => grouped.push(item),
        }
    }
    grouped
}

fn belongs(bytes: &[u8], open: &Range<usize>, next: &Fault) -> bool {
    let is_stray = next.errors.first().is_some_and(|e| e.kind() == ErrorKind::UnexpectedContinuation);
    let half = bytes.get(open.start + 3..open.end).unwrap_or_default();
    match half.first() {
        // In the second half of a pair.
        Some(0xED) if is_high(&bytes[open.clone()]) => is_stray && half.len() < 3,
        _ if is_stray => open.len() < announced(bytes[open.start]),
        _ => {
            let low = bytes.get(next.range.start..next.range.start + 3).unwrap_or_default();
            open.len() == 3 && is_high(&bytes[open.clone()]) && is_low(low)
        }
    }
}

fn is_high(bytes: &[u8]) -> bool {
    matches!(bytes, [0xED, 0xA0..=0xAF, tail, ..] if is_tail(*tail))
}

fn is_low(bytes: &[u8]) -> bool {
    matches!(bytes, [0xED, 0xB0..=0xBF, tail, ..] if is_tail(*tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(bytes: &[u8]) -> Vec<Range<usize>> {
        let range = |item| match item {
            Item::Character(Character { range, .. })
            | Item::Fault(Fault { range, .. })
            | Item::Shift(range) => range,
        };
        View::new(Form::Utf8, bytes).items.into_iter().map(range).collect()
    }

    #[test]
    fn a_bad_lead_takes_the_tails_that_it_announced() {
        assert_eq!(ranges(b"a\xC0\xAF\xAFb"), [0..1, 1..3, 3..4, 4..5]);
        assert_eq!(ranges(b"\xE0\x80\xAFa"), [0..3, 3..4]);
        assert_eq!(ranges(b"\xF8\x88\x80\x80\x80\x80"), [0..5, 5..6]);
        assert_eq!(ranges(b"\xE2\x82\xE2\x82\xAC"), [0..2, 2..5]);
        assert_eq!(ranges(b"\x80\x80"), [0..1, 1..2]);
    }

    #[test]
    fn the_halves_of_a_pair_are_one_fault() {
        assert_eq!(ranges(b"\xED\xA0\xBD\xED\xB8\x80\x80"), [0..6, 6..7]);
        assert_eq!(ranges(b"\xED\xA0\xBD\xED\xA0\xBD"), [0..3, 3..6]);
        assert_eq!(ranges(b"\xED\xA0\xBDa"), [0..3, 3..4]);
        assert_eq!(ranges(b"\xED\xB8\x80\xED\xB8\x80"), [0..3, 3..6]);
    }

    #[test]
    fn a_mark_that_the_form_owns_is_a_shift() {
        let view = View::new(Form::Utf16, b"\xFF\xFEA\0");
        assert_eq!(view.form, Form::Utf16Le);
        assert_eq!(view.items[0], Item::Shift(0..2));
    }
}
