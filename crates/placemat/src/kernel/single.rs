//! Converts characters one by one, if there are so few that a vector would take longer.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{from_utf16, from_utf32};

/// For at most this many units, a second attempt with vectors does not pay.
pub(crate) const SOME: usize = 8;

/// A form to which characters are written one by one.
pub(crate) trait Single {
    /// For at most this many code units, an attempt with vectors does not pay.
    const FEW: usize;

    /// Writes a character if there is room. Returns how many bytes it became.
    fn put_one(c: char, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize>;
}

/// Converts UTF-16 of at most [`SOME`] units, if it is well-formed and there is room. Returns how many bytes
/// it became.
#[inline(always)]
pub(crate) fn utf16<T: Single, const BIG: bool>(src: &[u8], out: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let unit = |&bytes: &[u8; 2]| if BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
    let mut n = 0;
    for c in char::decode_utf16(src.as_chunks().0.iter().map(unit)) {
        n += T::put_one(c.ok()?, out, n)?;
    }
    Some(n)
}

/// Like [`utf16`], for UTF-32.
#[inline(always)]
pub(crate) fn utf32<T: Single>(src: &[u8], out: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let mut n = 0;
    for &unit in src.as_chunks().0 {
        let unit = u32::from_le_bytes(unit);
        n += T::put_one(char::from_u32(unit)?, out, n)?;
    }
    Some(n)
}

#[inline(always)]
fn store<const N: usize>(bytes: [u8; N], out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
    *out.get_mut(at..)?.first_chunk_mut()? = bytes.map(MaybeUninit::new);
    Some(N)
}

#[inline(always)]
fn utf8(c: char, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
    let c = u32::from(c);
    let tail = |shift: u32| 0x80 | (c >> shift & 0x3F) as u8;
    match c {
        0..0x80 => store([c as u8], out, at),
        0x80..0x800 => store([0xC0 | (c >> 6) as u8, tail(0)], out, at),
        0x800..0x1_0000 => store([0xE0 | (c >> 12) as u8, tail(6), tail(0)], out, at),
        _ => store([0xF0 | (c >> 18) as u8, tail(12), tail(6), tail(0)], out, at),
    }
}

#[inline(always)]
fn wide(c: char, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
    match *c.encode_utf16(&mut [0; 2]) {
        [high, low] => Some(store(high.to_le_bytes(), out, at)? + store(low.to_le_bytes(), out, at + 2)?),
        [unit, ..] => store(unit.to_le_bytes(), out, at),
        [] => None,
    }
}

#[inline(always)]
fn whole(c: char, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
    store(u32::from(c).to_le_bytes(), out, at)
}

macro_rules! single {
    ($($form:ty $(, $big:ident)? => $put:expr, $few:expr;)*) => {$(
        impl $(<const $big: bool>)? Single for $form {
            const FEW: usize = $few;

            #[inline(always)]
            fn put_one(c: char, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
                $put(c, out, at)
            }
        }
    )*};
}

single! {
    from_utf16::Utf8<BIG>, BIG => utf8, 6;
    from_utf32::Utf8 => utf8, 9;
    from_utf32::Utf16 => wide, 6;
    from_utf16::Utf32 => whole, 4;
}
