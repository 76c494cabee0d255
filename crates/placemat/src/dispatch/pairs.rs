//! Which conversion a pair of forms uses.

use core::mem::MaybeUninit;

#[cfg(feature = "alloc")]
use super::Direct;
use super::entry::{Converter, Swapped};
use super::table::TABLES;
use super::units::Units;
use super::{Entry, Kernels, MOST_LEVELS};
use crate::form::Form;
use crate::form::cesu8::Cesu8;
use crate::form::mutf8::{Mutf8, Strict};
use crate::form::utf8::Utf8;
use crate::kernel::cesu8::{self, Join, Split};
use crate::kernel::{Common, Convert, Prefix, Progress, Ready, Swap};
use crate::policy::Fixed;

impl Kernels {
    /// The kernel from one concrete form to another under a fixed policy.
    #[inline(always)]
    pub(crate) fn find(self, from: Form, to: Form, fixed: Fixed) -> Option<Entry> {
        /// A kernel, and whether it stops at every error under any policy.
        macro_rules! converter {
            ($name:ident, $stops:literal) => {
                kernel!(self, $name: Convert).map(|convert| Converter { convert, fixed, stops: $stops })
            };
        }
        /// A kernel that applies the policy, or that can find no errors.
        macro_rules! pair {
            ($name:ident) => {
                converter!($name, false).map(Entry::Convert)
            };
        }
        /// A kernel that stops at every error.
        macro_rules! strict {
            ($name:ident) => {
                converter!($name, true).map(Entry::Convert)
            };
        }
        /// A kernel for little-endian units, with the bytes in a unit of the source and of the target if these are swapped.
        macro_rules! swapped {
            ($name:ident, $source:literal, $target:literal) => {
                swapped!($name, $source, $target, false)
            };
            ($name:ident, $source:literal, $target:literal, $stops:literal) => {
                Some(self.swapped(converter!($name, $stops)?, $source, $target))
            };
        }
        /// A copy of units of this many bytes, with its check.
        macro_rules! units {
            ($valid:ident, $size:literal) => {
                self.units(kernel!(self, $valid: Prefix)?, $size, [from, to], fixed)
            };
        }
        match (from, to) {
            (Form::Utf8, Form::Utf16Le) => pair!(utf8_to_utf16le),
            (Form::Utf8, Form::Utf16Be) => pair!(utf8_to_utf16be),
            (Form::Utf8, Form::Utf32Le) => pair!(utf8_to_utf32le),
            (Form::Utf8, Form::Utf32Be) => swapped!(utf8_to_utf32le, 1, 4),
            (Form::Utf16Le, Form::Utf8) => pair!(utf16le_to_utf8),
            (Form::Utf16Le, Form::Utf16Le) => units!(utf16le_valid, 2),
            (Form::Utf16Le, Form::Utf16Be) => units!(utf16le_valid, 2),
            (Form::Utf16Le, Form::Utf32Le) => pair!(utf16le_to_utf32le),
            (Form::Utf16Le, Form::Utf32Be) => swapped!(utf16le_to_utf32le, 1, 4),
            (Form::Utf16Be, Form::Utf8) => pair!(utf16be_to_utf8),
            (Form::Utf16Be, Form::Utf16Le) => units!(utf16be_valid, 2),
            (Form::Utf16Be, Form::Utf16Be) => units!(utf16be_valid, 2),
            (Form::Utf16Be, Form::Utf32Le) => swapped!(utf16le_to_utf32le, 2, 1),
            (Form::Utf16Be, Form::Utf32Be) => swapped!(utf16le_to_utf32le, 2, 4),
            (Form::Utf32Le, Form::Utf8) => pair!(utf32le_to_utf8),
            (Form::Utf32Le, Form::Utf16Le) => pair!(utf32le_to_utf16le),
            (Form::Utf32Le, Form::Utf16Be) => swapped!(utf32le_to_utf16le, 1, 2),
            (Form::Utf32Le, Form::Utf32Le) => units!(utf32le_valid, 4),
            (Form::Utf32Le, Form::Utf32Be) => units!(utf32le_valid, 4),
            (Form::Utf32Be, Form::Utf8) => swapped!(utf32le_to_utf8, 4, 1),
            (Form::Utf32Be, Form::Utf16Le) => swapped!(utf32le_to_utf16le, 4, 1),
            (Form::Utf32Be, Form::Utf16Be) => swapped!(utf32le_to_utf16le, 4, 2),
            (Form::Utf32Be, Form::Utf32Le) => units!(utf32be_valid, 4),
            (Form::Utf32Be, Form::Utf32Be) => units!(utf32be_valid, 4),
            (Form::Utf8, Form::Iso8859_1) => strict!(utf8_to_latin1),
            (Form::Utf16Le, Form::Iso8859_1) => strict!(utf16le_to_latin1),
            (Form::Utf16Be, Form::Iso8859_1) => swapped!(utf16le_to_latin1, 2, 1, true),
            (Form::Utf32Le, Form::Iso8859_1) => strict!(utf32le_to_latin1),
            (Form::Utf32Be, Form::Iso8859_1) => swapped!(utf32le_to_latin1, 4, 1, true),
            (Form::Iso8859_1, Form::Utf8) => pair!(latin1_to_utf8),
            (Form::Iso8859_1, Form::Utf16Le) => pair!(latin1_to_utf16le),
            (Form::Iso8859_1, Form::Utf16Be) => swapped!(latin1_to_utf16le, 1, 2),
            (Form::Iso8859_1, Form::Utf32Le) => pair!(latin1_to_utf32le),
            (Form::Iso8859_1, Form::Utf32Be) => swapped!(latin1_to_utf32le, 1, 4),
            (Form::Utf8, Form::Utf8) if fixed == Fixed::Stop || !self.has_vectors() => {
                Some(Entry::CopyValid(self.utf8_valid()))
            }
            (Form::Utf8, Form::Utf8) => pair!(repair),
            (Form::Utf8, Form::Cesu8) if self.has_vectors() => self.related(
                kernel!(self, cesu8_common: Prefix),
                kernel!(self, utf8_to_cesu8: Convert),
                cesu8::convert::<Utf8, Cesu8, Split, false>,
            ),
            (Form::Cesu8, Form::Utf8) if self.has_vectors() => self.related(
                kernel!(self, cesu8_common: Prefix),
                kernel!(self, cesu8_to_utf8: Convert),
                cesu8::convert::<Cesu8, Utf8, Join, false>,
            ),
            (Form::Utf8, Form::Mutf8) => self.related(
                kernel!(self, mutf8_common: Prefix),
                kernel!(self, utf8_to_mutf8: Convert),
                cesu8::convert::<Utf8, Mutf8<Strict>, Split, true>,
            ),
            (Form::Mutf8, Form::Utf8) => self.related(
                kernel!(self, mutf8_common: Prefix),
                kernel!(self, mutf8_to_utf8: Convert),
                cesu8::convert::<Mutf8<Strict>, Utf8, Join, true>,
            ),
            _ if from.facts().ascii_transparent && to.facts().ascii_transparent => {
                Some(Entry::Copy(every!(self, ascii: Prefix)))
            }
            _ => None,
        }
    }

    /// The kernel between two of the most common forms. If the forms are constants, this is a single read from a table.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn direct(self, from: Form, to: Form) -> Option<Direct> {
        let (convert, halves) = match (from, to) {
            (Form::Utf8, Form::Utf16Le) => (kernel!(self, utf8_to_utf16le: Convert), 4),
            (Form::Utf8, Form::Utf32Le) => (kernel!(self, utf8_to_utf32le: Convert), 8),
            (Form::Utf16Le, Form::Utf8) => (kernel!(self, utf16le_to_utf8: Convert), 3),
            (Form::Iso8859_1, Form::Utf8) => (kernel!(self, latin1_to_utf8: Convert), 4),
            _ => return None,
        };
        Some(Direct { convert: convert?, halves })
    }

    /// Whether this is a level above the scalar one, which lacks most kernels.
    #[inline(always)]
    fn has_vectors(self) -> bool {
        self.number > 1
    }

    /// A kernel for little-endian units, between units of this many bytes that are swapped, or 1.
    fn swapped(self, little_endian: Converter, source: usize, target: usize) -> Entry {
        let swap = kernel!(self, swap: [Swap; 2]).expect("a level with kernels for units can swap them");
        Entry::Swapped(Swapped { little_endian, swap, units: [source, target] })
    }

    fn units(self, valid: Ready<Prefix>, size: usize, forms: [Form; 2], fixed: Fixed) -> Option<Entry> {
        let [is_big, to_big] = forms.map(|form| matches!(form, Form::Utf16Be | Form::Utf32Be));
        let swap = if is_big == to_big { None } else { Some(kernel!(self, swap: [Swap; 2])?.at(size / 4)) };
        Some(Entry::Units(Units { valid, swap, size, is_big, fixed }))
    }

    fn related(
        self,
        prefix: Option<Ready<Prefix>>,
        other: Option<Ready<Convert>>,
        convert: fn(Common, &[u8], &mut [MaybeUninit<u8>]) -> Progress,
    ) -> Option<Entry> {
        if cfg!(placemat_small) {
            return None;
        }
        let common = Common { valid: self.utf8_valid(), prefix: prefix?, other: other? };
        Some(Entry::Related(common, convert))
    }
}
