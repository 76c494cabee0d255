//! The input divided into characters and faults: the model behind screen, page and JSON.

mod group;

use std::cell::OnceCell;
use std::ops::Range;

use placemat::{CodePoint, Error, Form, Layout, sequences};

use self::group::{count_last_bits, grouped};
use super::layout::Class;

/// A part of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A well-formed sequence.
    Character(Character),
    /// Malformed bytes.
    Fault(Fault),
    /// Bytes of the form that are no character: a byte order mark, a shift of UTF-7.
    Shift(Range<usize>),
}

/// A well-formed sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Character {
    /// Its bytes.
    pub range: Range<usize>,
    /// The code point.
    pub code_point: CodePoint,
}

/// Errors that belong together: a malformed lead byte, and the continuation bytes after it that it announced.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// All its bytes.
    pub range: Range<usize>,
    /// The errors, at least one.
    pub errors: Vec<Error>,
}

/// The input, or a window of it, divided into characters and faults. Ranges are indices into [`bytes`](View::bytes).
#[non_exhaustive]
pub struct View<'a> {
    /// The form of the bytes. If a byte order mark selects the form, it is the selected one.
    pub form: Form,
    /// All bytes that were read. Those around a window can affect how the window is read.
    pub bytes: &'a [u8],
    /// The bytes of the items.
    pub told: Range<usize>,
    /// The items, in order, without gaps.
    pub items: Vec<Item>,
    /// The number of items that are characters.
    pub characters: usize,
    /// The number of errors.
    pub errors: usize,
    pub(crate) layout: Layout,
    /// In base64, the bytes that end one character and start the next. They are shown with the first.
    pub(crate) shared: Vec<usize>,
    /// The offset of the first byte in its stream.
    pub(crate) base: u64,
    /// The byte that was asked for, as an index into `bytes`.
    pub(crate) focus: Option<usize>,
    /// Whether there is more input that was not read.
    pub(crate) is_cut: bool,
    /// The class of each byte. It is computed when it is first needed, which takes hundreds of readings.
    pub(crate) classes: [OnceCell<Class>; 256],
}

impl<'a> View<'a> {
    /// Divides all of `bytes`; with a window, keeps the items that overlap it. The time and the memory are linear in the bytes.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::explain::{Item, View};
    ///
    /// let view = View::new(Form::Utf8, b"A\xC0\xAF", None);
    /// assert_eq!((view.characters, view.errors), (1, 2));
    /// let Item::Fault(fault) = &view.items[1] else { panic!() };
    /// assert_eq!((fault.range.clone(), fault.errors.len()), (1..3, 2));
    /// ```
    pub fn new(form: Form, bytes: &'a [u8], window: Option<&Range<usize>>) -> View<'a> {
        let resolved = sequences(form, bytes).form();
        let layout = resolved.facts().layout;
        let mut items = cut(form, bytes);
        let shared = if layout == Layout::Base64 { count_last_bits(bytes, &mut items) } else { Vec::new() };
        if layout == Layout::Announced {
            items = grouped(bytes, items);
        }
        if let Some(window) = window {
            let overlaps = |range: &Range<usize>| range.start < window.end && window.start < range.end;
            items.retain(|item| overlaps(item.range()));
        }
        let told = items.first().zip(items.last()).map(|(a, b)| a.range().start..b.range().end);
        let characters = items.iter().filter(|item| matches!(item, Item::Character(_))).count();
        let errors = items.iter().filter_map(Item::as_fault).map(|fault| fault.errors.len()).sum();
        View {
            form: resolved,
            layout,
            bytes,
            told: told.unwrap_or_default(),
            items,
            shared,
            characters,
            errors,
            base: 0,
            focus: None,
            is_cut: false,
            classes: [const { OnceCell::new() }; 256],
        }
    }

    /// The role of a byte at the start of a sequence.
    pub(crate) fn class(&self, byte: u8) -> Class {
        *self.classes[usize::from(byte)].get_or_init(|| Class::of(self.form, byte))
    }

    /// The first `limit` items, or those around the byte that was asked for.
    pub(crate) fn shown(&self, limit: usize) -> &[Item] {
        let most = self.items.len().min(limit);
        let of = |focus| self.items.iter().position(|item| item.range().end > focus);
        let middle = self.focus.and_then(of).unwrap_or(0);
        &self.items[middle.saturating_sub(most / 2).min(self.items.len() - most)..][..most]
    }

    /// The bytes of the items.
    ///
    /// ```
    /// # use placemat::Form;
    /// # use placemat_text::explain::View;
    /// assert_eq!(View::new(Form::Utf8, b"abc", Some(&(1..2))).told(), b"b");
    /// ```
    pub fn told(&self) -> &'a [u8] {
        &self.bytes[self.told.clone()]
    }
}

impl Item {
    /// Its bytes, as indices into those of its [`View`].
    ///
    /// ```
    /// # use placemat::Form;
    /// # use placemat_text::explain::View;
    /// assert_eq!(*View::new(Form::Utf8, "aé".as_bytes(), None).items[1].range(), 1..3);
    /// ```
    pub fn range(&self) -> &Range<usize> {
        match self {
            Item::Character(Character { range, .. })
            | Item::Fault(Fault { range, .. })
            | Item::Shift(range) => range,
        }
    }

    /// The fault, if it is one.
    ///
    /// ```
    /// # use placemat::Form;
    /// # use placemat_text::explain::View;
    /// assert!(View::new(Form::Utf8, b"\xFF", None).items[0].as_fault().is_some());
    /// ```
    pub fn as_fault(&self) -> Option<&Fault> {
        match self {
            Item::Fault(fault) => Some(fault),
            Item::Character(_) | Item::Shift(_) => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(bytes: &[u8]) -> Vec<Range<usize>> {
        View::new(Form::Utf8, bytes, None).items.iter().map(Item::range).cloned().collect()
    }

    #[test]
    fn a_malformed_lead_byte_takes_the_continuation_bytes_that_it_announced() {
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
    fn a_byte_order_mark_of_the_form_is_a_shift() {
        let view = View::new(Form::Utf16, b"\xFF\xFEA\0", None);
        assert_eq!(view.form, Form::Utf16Le);
        assert_eq!(view.items[0], Item::Shift(0..2));
    }

    #[test]
    fn a_window_is_read_with_the_bytes_around_it() {
        let view = View::new(Form::Utf7, b"a+ZeVnLIqe-b", Some(&(5..6)));
        assert_eq!((view.told, view.items.len()), (5..8, 1), "the second of three characters in one run");
        let view = View::new(Form::Utf7, b"a+ZeVnLIqe-b", Some(&(1..2)));
        assert_eq!(view.items, [Item::Shift(1..2)]);
    }

    #[test]
    fn the_last_bits_of_a_character_belong_to_it() {
        let cut = |form, bytes: &[u8]| {
            let view = View::new(form, bytes, None);
            let starts = |item: &Item| (item.range().start, matches!(item, Item::Shift(_)));
            (view.items.iter().map(starts).collect::<Vec<_>>(), view.shared)
        };
        let (shift, c) = (|at| (at, true), |at| (at, false));
        assert_eq!(cut(Form::Utf7, b"+AOk-"), (vec![shift(0), c(1), shift(4)], vec![]));
        assert_eq!(cut(Form::Utf7, b"+AOk!+AOk"), (vec![shift(0), c(1), c(4), shift(5), c(6)], vec![]));
        assert_eq!(cut(Form::Utf7, b"+ZeVnLIqe!"), (vec![shift(0), c(1), c(4), c(7), c(9)], vec![3, 6]));
        assert_eq!(cut(Form::Utf7, b"+2D3eAA-"), (vec![shift(0), c(1), shift(7)], vec![]));
        let two = vec![shift(0), c(1), shift(4), c(5), shift(6), c(7), shift(10)];
        assert_eq!(cut(Form::Utf7Imap, b"&AOk- &AOk-"), (two, vec![]));
        let bytes = b"&MMM&MMa-";
        assert_eq!(cut(Form::Utf7Imap, bytes).0.len(), 7);
    }
}
