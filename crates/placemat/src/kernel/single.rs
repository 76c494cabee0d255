//! Characters one by one, where they are so few that a vector takes longer.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{from_utf16, from_utf32};

/// Code units of which vectors are not worth a second try.
pub(crate) const SOME: usize = 8;

/// A form that takes characters one by one.
pub(crate) trait Single {
    /// Code units of which vectors are not worth a try.
    const FEW: usize;

    /// Write one, and say how many bytes it took, if there is room.
    fn put_one(c: char, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize>;
}

/// UTF-16 that is well-formed and for which there is room: how many bytes it took. At most [`SOME`] units.
#[inline(always)]
pub(crate) fn utf16<T: Single, const BIG: bool>(src: &[u8], out: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let unit = |&bytes: &[u8; 2]| if BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
    let mut n = 0;
    for c in char::decode_utf16(src.as_chunks().0.iter().map(unit)) {
        n += T::put_one(c.ok()?, out, n)?;
    }
    Some(n)
}

/// The same of UTF-32.
#[inline(always)]
pub(crate) fn utf32<T: Single, const BIG: bool>(src: &[u8], out: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let mut n = 0;
    for &unit in src.as_chunks().0 {
        let unit = if BIG { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) };
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
fn wide<const BIG: bool>(c: char, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
    let bytes = |unit: u16| if BIG { unit.to_be_bytes() } else { unit.to_le_bytes() };
    match *c.encode_utf16(&mut [0; 2]) {
        [high, low] => Some(store(bytes(high), out, at)? + store(bytes(low), out, at + 2)?),
        [unit, ..] => store(bytes(unit), out, at),
        [] => None,
    }
}

#[inline(always)]
fn whole<const BIG: bool>(c: char, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
    let c = u32::from(c);
    store(if BIG { c.to_be_bytes() } else { c.to_le_bytes() }, out, at)
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
    from_utf16::Utf8 => utf8, 6;
    from_utf32::Utf8 => utf8, 9;
    from_utf16::Utf16<BIG>, BIG => wide::<BIG>, 6;
    from_utf32::Utf16<BIG>, BIG => wide::<BIG>, 6;
    from_utf16::Utf32<BIG>, BIG => whole::<BIG>, 4;
    from_utf32::Utf32<BIG>, BIG => whole::<BIG>, 6;
}
