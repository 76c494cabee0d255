//! Conversion of a few units without a kernel, whose call would take longer. Each function is independent of the CPU level, and
//! returns `None` if the units need more work. Then the kernel is called.

#![forbid(unsafe_code)]

mod measured;

use super::Unit;
use crate::dispatch::are_widest;

pub(super) use measured::{Few, length_of};

/// The most units that count as few, and the most bytes.
const FEW: usize = 8;
const FEW_BYTES: usize = 16;

/// Whether these units are few; never in a build for size.
#[inline(always)]
pub(super) fn are<U: Unit>(units: &[U]) -> bool {
    !cfg!(placemat_lean) && units.len() <= if U::SIZE == 1 { FEW_BYTES } else { FEW }
}

/// Up to this many units are converted one by one. For more, a branch for each is mispredicted too often.
const ONES: usize = 3;

/// Converts `N` to `2 * N` units to as many, if `some` accepts the first `N` and the last `N`.
#[inline(always)]
fn plain<U: Copy, V, const N: usize>(
    src: &[U],
    dst: &mut [V],
    some: impl Fn([U; N]) -> Option<[V; N]>,
) -> Option<usize> {
    let dst = dst.get_mut(..src.len())?;
    let (first, last) = (some(*src.first_chunk()?)?, some(*src.last_chunk()?)?);
    *dst.first_chunk_mut()? = first;
    *dst.last_chunk_mut()? = last;
    Some(src.len())
}

/// Converts one to three units to as many, if `some` accepts the first, the middle and the last.
#[inline(always)]
fn ones<U: Copy, V: Copy>(
    src: &[U],
    dst: &mut [V],
    some: impl Fn([U; 3]) -> Option<[V; 3]>,
) -> Option<usize> {
    let (middle, last) = (src.len() / 2, src.len().checked_sub(1)?);
    let dst = dst.get_mut(..src.len())?;
    let units = some([src[0], src[middle], src[last]])?;
    (dst[0], dst[middle], dst[last]) = (units[0], units[1], units[2]);
    Some(src.len())
}

/// The highest bit of each unit of a [`Word`].
const HIGHEST: u64 = 0x8000_8000_8000_8000;

/// Four units of UTF-16 in one number. From four separate units the compiler makes a test for each.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    #[inline(always)]
    fn new(units: [u16; 4]) -> Word {
        let [a, b, c, d] = units.map(u64::from);
        Word(a | b << 16 | c << 32 | d << 48)
    }

    /// Sets the highest bit of each unit that is `2^n` or more.
    #[inline(always)]
    fn from(self, n: u32) -> u64 {
        // Add to the bits from `n` to the one below the highest: the sum carries if one of them is set.
        let bits = (HIGHEST >> (15 - n)) * ((1 << (15 - n)) - 1);
        (((self.0 & bits) + bits) | self.0) & HIGHEST
    }

    #[inline(always)]
    fn is_ascii(self) -> bool {
        self.0 & 0xFF80_FF80_FF80_FF80 == 0
    }

    #[inline(always)]
    fn has_surrogate(self) -> bool {
        Word(self.0 ^ 0xD800_D800_D800_D800).from(11) != HIGHEST
    }
}

/// Output to which units are appended while there is room.
struct Out<'a, V> {
    dst: &'a mut [V],
    n: usize,
}

impl<V: Copy> Out<'_, V> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, units: [V; N]) -> Option<()> {
        *self.dst.get_mut(self.n..)?.first_chunk_mut()? = units;
        self.n += N;
        Some(())
    }
}

impl Out<'_, u8> {
    /// Writes a code point in UTF-8.
    #[inline(always)]
    fn put_utf8(&mut self, c: u32) -> Option<()> {
        let tail = |shift: u32| 0x80 | (c >> shift & 0x3F) as u8;
        match c {
            0..0x80 => self.put([c as u8]),
            0x80..0x800 => self.put([0xC0 | (c >> 6) as u8, tail(0)]),
            0x800..0xD800 | 0xE000..0x1_0000 => self.put([0xE0 | (c >> 12) as u8, tail(6), tail(0)]),
            0x1_0000..0x11_0000 => self.put([0xF0 | (c >> 18) as u8, tail(12), tail(6), tail(0)]),
            _ => None,
        }
    }
}

impl Out<'_, u16> {
    /// Writes a code point in UTF-16.
    #[inline(always)]
    fn put_utf16(&mut self, c: u32) -> Option<()> {
        match c {
            0..0xD800 | 0xE000..0x1_0000 => self.put([c as u16]),
            0x1_0000..0x11_0000 => self.put([(0xD7C0 + (c >> 10)) as u16, (0xDC00 | c & 0x3FF) as u16]),
            _ => None,
        }
    }
}

/// Converts one unit, in as few instructions as possible.
#[inline(always)]
fn one<V: Copy>(dst: &mut [V], put: impl Fn(&mut Out<V>) -> Option<()>) -> Option<usize> {
    let mut out = Out { dst, n: 0 };
    put(&mut out)?;
    Some(out.n)
}

#[inline(always)]
fn utf16(src: &[u16]) -> impl Iterator<Item = Option<char>> {
    char::decode_utf16(src.iter().copied()).map(Result::ok)
}

#[inline(never)]
pub(super) fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    if src.len() > ONES {
        let n =
            plain(src, dst, |four: [u16; 4]| Word::new(four).is_ascii().then(|| four.map(|unit| unit as u8)));
        if n.is_some() || src.len() > 4 {
            return n;
        }
    }
    let mut out = Out { dst, n: 0 };
    for c in utf16(src) {
        out.put_utf8(c?.into())?;
    }
    Some(out.n)
}

#[inline(never)]
pub(super) fn utf16_to_utf32(src: &[u16], dst: &mut [u32]) -> Option<usize> {
    let is_basic = |unit: u16| unit & 0xF800 != 0xD800;
    if src.len() > ONES {
        let n =
            plain(src, dst, |four: [u16; 4]| (!Word::new(four).has_surrogate()).then(|| four.map(u32::from)));
        if n.is_some() || src.len() > 6 {
            return n;
        }
    } else if let &[unit] = src {
        return if is_basic(unit) { one(dst, |out| out.put([unit.into()])) } else { None };
    } else {
        let n = ones(src, dst, |units: [u16; 3]| {
            units.iter().fold(true, |all, &unit| all & is_basic(unit)).then(|| units.map(u32::from))
        });
        if n.is_some() {
            return n;
        }
    }
    let mut out = Out { dst, n: 0 };
    for c in utf16(src) {
        out.put([c?.into()])?;
    }
    Some(out.n)
}

#[inline(never)]
pub(super) fn utf32_to_utf8(src: &[u32], dst: &mut [u8]) -> Option<usize> {
    if let &[unit] = src {
        return one(dst, |out| out.put_utf8(unit));
    }
    if src.len() > ONES {
        return plain(src, dst, |four: [u32; 4]| {
            (four.iter().fold(0, |all, unit| all | unit) < 0x80).then(|| four.map(|unit| unit as u8))
        });
    }
    let mut out = Out { dst, n: 0 };
    for &unit in src {
        out.put_utf8(unit)?;
    }
    Some(out.n)
}

/// Whether all are code points below U+10000 other than surrogates.
#[inline(always)]
fn are_plain<const N: usize>(units: [u32; N]) -> bool {
    units.iter().fold(true, |all, &unit| all & (unit.wrapping_sub(0xE000) < 0x2000 || unit < 0xD800))
}

#[inline(always)]
pub(super) fn utf32_to_utf16(src: &[u32], dst: &mut [u16]) -> Option<usize> {
    if src.len() > ONES && are_widest() { None } else { few_utf32_to_utf16(src, dst) }
}

#[inline(never)]
fn few_utf32_to_utf16(src: &[u32], dst: &mut [u16]) -> Option<usize> {
    if let &[unit] = src {
        return one(dst, |out| out.put_utf16(unit));
    }
    if src.len() <= ONES {
        let below = |units: [u32; 3]| {
            units.iter().fold(true, |all, &unit| all & (unit < 0xD800)).then(|| units.map(|unit| unit as u16))
        };
        return ones(src, dst, below).or_else(|| each_utf32(src, dst));
    }
    let some = |four: [u32; 4]| are_plain(four).then(|| four.map(|unit| unit as u16));
    match plain(src, dst, some) {
        None if src.len() <= 5 => each_utf32(src, dst),
        n => n,
    }
}

#[inline(always)]
fn each_utf32(src: &[u32], dst: &mut [u16]) -> Option<usize> {
    let mut out = Out { dst, n: 0 };
    for &unit in src {
        out.put_utf16(unit)?;
    }
    Some(out.n)
}

#[inline(never)]
pub(super) fn latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let three = |bytes: [u8; 3]| ((bytes[0] | bytes[1] | bytes[2]) < 0x80).then_some(bytes);
    let four = |bytes: [u8; 4]| (u32::from_ne_bytes(bytes) & HIGH as u32 == 0).then_some(bytes);
    let eight = |bytes: [u8; 8]| (u64::from_ne_bytes(bytes) & HIGH == 0).then_some(bytes);
    if src.len() > FEW {
        return plain(src, dst, eight);
    }
    let n = if src.len() <= ONES { ones(src, dst, three) } else { plain(src, dst, four) };
    match n {
        None if src.len() > ONES && are_widest() => None,
        None => each_latin1(src, dst),
        n => n,
    }
}

#[inline(always)]
fn each_latin1(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let mut out = Out { dst, n: 0 };
    for &byte in src {
        out.put_utf8(byte.into())?;
    }
    Some(out.n)
}

/// For other forms: always left to the kernel.
#[inline(always)]
pub(super) fn none<U, V>(_: &[U], _: &mut [V]) -> Option<usize> {
    None
}
