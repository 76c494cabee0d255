//! The two orders of text, code point order and UTF-16 order, for bytes of any two forms.
//!
//! UTF-8, UTF-32BE and most of their relatives have code point order if their bytes are compared
//! ([`Facts::order_preserving`](crate::Facts) says which forms do). UTF-16BE and CESU-8 have UTF-16 order, in which supplementary
//! characters come before U+E000. All other pairs must be decoded to be compared, which these functions do. Each error counts as
//! U+FFFD, so the result is that for the texts under [`Policy::Replace`](crate::Policy::Replace).
//!
//! ```
//! use core::cmp::Ordering;
//! use placemat::{Form, compare};
//!
//! let (halfwidth, linear_b) = ("\u{FF61}".as_bytes(), "\u{10002}".as_bytes());
//! assert_eq!(compare::by_code_point((Form::Utf8, halfwidth), (Form::Utf8, linear_b)), Ordering::Less);
//! assert_eq!(compare::by_utf16((Form::Utf8, halfwidth), (Form::Utf8, linear_b)), Ordering::Greater);
//! ```

#![forbid(unsafe_code)]

use core::cmp::Ordering;

use crate::boundary;
use crate::code_point::CodePoint;
use crate::form::Form;
use crate::sequences::sequences;

/// Compares two texts by code points, which is the order of UTF-8 and UTF-32.
///
/// One pass, no allocation. The byte order mark of a form that has its own is not compared.
///
/// ```
/// # use placemat::{Form, compare};
/// use core::cmp::Ordering;
/// assert_eq!(compare::by_code_point((Form::Utf8, "é".as_bytes()), (Form::Utf16Le, b"\xE9\0")), Ordering::Equal);
/// ```
#[must_use]
pub fn by_code_point(a: (Form, &[u8]), b: (Form, &[u8])) -> Ordering {
    let (a, b) = without_common_prefix(a, b);
    code_points(a).cmp(code_points(b))
}

/// Compares two texts by UTF-16 code units, which is the order of Java, JavaScript, CESU-8 and DEX.
///
/// Code points above U+10FFFF, which UTF-16 lacks, come last. One pass, no allocation.
///
/// ```
/// # use placemat::{Form, compare};
/// use core::cmp::Ordering;
/// // U+1F600 is D83D DE00 in UTF-16, below U+FFFD.
/// assert_eq!(compare::by_utf16((Form::Utf8, "😀".as_bytes()), (Form::Utf8, "\u{FFFD}".as_bytes())), Ordering::Less);
/// ```
#[must_use]
pub fn by_utf16(a: (Form, &[u8]), b: (Form, &[u8])) -> Ordering {
    let (a, b) = without_common_prefix(a, b);
    code_points(a).flat_map(units).cmp(code_points(b).flat_map(units))
}

/// The key that sorts UTF-16 code units in code point order: `D800..=DFFF` moves behind `E000..=FFFF`.
///
/// ```
/// use placemat::compare::code_point_key;
/// let (mut a, mut b): (Vec<u16>, Vec<u16>) = ("\u{FF61}".encode_utf16().collect(), "\u{10002}".encode_utf16().collect());
/// assert!(a > b);
/// a.iter_mut().chain(&mut b).for_each(|unit| *unit = code_point_key(*unit));
/// assert!(a < b);
/// ```
#[must_use]
pub const fn code_point_key(unit: u16) -> u16 {
    match unit {
        0..=0xD7FF => unit,
        0xD800..=0xDFFF => unit + 0x2000,
        0xE000..=0xFFFF => unit - 0x800,
    }
}

type Text<'a> = (Form, &'a [u8]);

/// Both texts without a common prefix of whole sequences, if one is cheap to find.
fn without_common_prefix<'a>(a: Text<'a>, b: Text<'a>) -> (Text<'a>, Text<'a>) {
    // In a form with its own byte order mark, the rest would be read as if another mark could follow.
    if a.0 != b.0 || a.0.marked().is_some() {
        return (a, b);
    }
    let (Some(starts), Some(other)) = (boundary::of(a.0, a.1), boundary::of(b.0, b.1)) else { return (a, b) };
    let mut start = a.1.iter().zip(b.1).position(|(x, y)| x != y).unwrap_or(a.1.len().min(b.1.len()));
    // Go back to a boundary of both, in a step or two.
    loop {
        match starts.floor(other.floor(start)) {
            same if same == start => break,
            before => start = before,
        }
    }
    ((a.0, &a.1[start..]), (b.0, &b.1[start..]))
}

fn code_points((form, bytes): Text<'_>) -> impl Iterator<Item = CodePoint> {
    sequences(form, bytes).map(|sequence| sequence.code_point().unwrap_or(CodePoint::REPLACEMENT))
}

/// The UTF-16 code units of a code point. A code point above U+10FFFF is one unit, greater than all others.
fn units(c: CodePoint) -> impl Iterator<Item = u32> {
    let mut room = [0; 2];
    let (first, second) = match c.to_char().map(|c| &*c.encode_utf16(&mut room)) {
        Some(&[high, low]) => (u32::from(high), Some(u32::from(low))),
        _ => (c.value(), None),
    };
    core::iter::once(first).chain(second)
}
