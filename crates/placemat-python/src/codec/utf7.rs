//! Whole texts of UTF-7 (RFC 2152) in which nothing is wrong.
#![forbid(unsafe_code)]

/// The value of each base64 digit; [`NONE`] of every other byte.
const DIGITS: [u8; 256] = {
    let mut digits = [NONE; 256];
    let mut value = 0;
    while value < BASE64.len() {
        digits[BASE64[value] as usize] = value as u8;
        value += 1;
    }
    digits
};
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NONE: u8 = 64;

/// Whether a byte outside of base64 stands for itself: sets D and O, and white space.
const DIRECT: [bool; 256] = {
    let mut direct = [false; 256];
    let mut byte = b' ';
    while byte <= b'}' {
        direct[byte as usize] = !matches!(byte, b'+' | b'\\');
        byte += 1;
    }
    direct[b'\t' as usize] = true;
    direct[b'\n' as usize] = true;
    direct[b'\r' as usize] = true;
    direct
};

/// Write the UTF-16 of a text, and return its length; `None` if the text is malformed. Halves of pairs are not looked at, but that no run
/// ends between two. There is room for a unit of each byte.
pub(super) fn decode(bytes: &[u8], units: &mut [u16]) -> Option<usize> {
    let (mut at, mut written) = (0, 0);
    let mut write = |unit: u16| {
        units[written] = unit;
        written += 1;
    };
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if DIRECT[usize::from(byte)] {
            write(u16::from(byte));
            continue;
        }
        let next = *bytes.get(at).filter(|_| byte == b'+')?;
        if next == b'-' {
            write(u16::from(b'+'));
            at += 1;
            continue;
        }
        let (mut value, mut bits, mut last) = (0_u32, 0, 0);
        let run = bytes[at..].iter().map(|&byte| DIGITS[usize::from(byte)]);
        let mut length = 0;
        for digit in run.take_while(|&digit| digit != NONE) {
            value = value << 6 | u32::from(digit);
            bits += 6;
            length += 1;
            if bits >= 16 {
                bits -= 16;
                last = (value >> bits) as u16;
                write(last);
            }
        }
        // A run has a digit, and what is left of its last one is zero bits.
        let is_whole = length > 0 && bits < 6 && value & ((1 << bits) - 1) == 0;
        if !is_whole || last & 0xFC00 == 0xD800 {
            return None;
        }
        at += length;
        at += usize::from(bytes.get(at) == Some(&b'-'));
    }
    Some(written)
}

/// The bytes of a text; `None` if a surrogate is in it.
pub(super) fn encode(text: &[u32]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() * 3 + 8);
    let mut run: Option<(u32, u32)> = None;
    for &c in text {
        let c = char::from_u32(c)?;
        let direct = u8::try_from(c).ok().filter(|&byte| DIRECT[usize::from(byte)]);
        if direct.is_none() && !(c == '+' && run.is_none()) {
            let (mut value, mut bits) = run.unwrap_or_else(|| {
                out.push(b'+');
                (0, 0)
            });
            for &unit in &*c.encode_utf16(&mut [0; 2]) {
                value = value << 16 | u32::from(unit);
                bits += 16;
                while bits >= 6 {
                    bits -= 6;
                    out.push(digit(value >> bits));
                }
                value &= (1 << bits) - 1;
            }
            run = Some((value, bits));
            continue;
        }
        let Some(byte) = direct else {
            out.extend(b"+-");
            continue;
        };
        if let Some(rest) = run.take() {
            leave(rest, byte == b'-' || DIGITS[usize::from(byte)] != NONE, &mut out);
        }
        out.push(byte);
    }
    if let Some(rest) = run {
        leave(rest, true, &mut out);
    }
    Some(out)
}

/// End a run, of which so many bits are not written yet.
fn leave((value, bits): (u32, u32), must_close: bool, out: &mut Vec<u8>) {
    if bits > 0 {
        out.push(digit(value << (6 - bits)));
    }
    if must_close {
        out.push(b'-');
    }
}

/// The base64 digit of the lowest six bits.
fn digit(value: u32) -> u8 {
    BASE64[(value & 0x3F) as usize]
}
