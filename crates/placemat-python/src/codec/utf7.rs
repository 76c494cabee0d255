//! The fast path for whole well-formed texts of UTF-7 (RFC 2152).
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

/// Whether a byte outside of base64 is its own character: sets D and O, and white space.
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

/// Writes the UTF-16 of a text and returns its length; `None` if the text is malformed. Surrogates are not checked, except that no run
/// may end with a high one. `units` has room for a unit for each byte.
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
        // A run has at least one digit, and the unused bits of its last digit are zero.
        let is_whole = length > 0 && bits < 6 && value & ((1 << bits) - 1) == 0;
        if !is_whole || last & 0xFC00 == 0xD800 {
            return None;
        }
        at += length;
        at += usize::from(bytes.get(at) == Some(&b'-'));
    }
    Some(written)
}

/// The bytes of a text; `None` if it has a surrogate.
pub(super) fn encode(text: &[u32]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() * 3 + 8);
    let mut rest = text;
    while !rest.is_empty() {
        let (plain, other) = rest.split_at(rest.iter().take_while(|&&c| is_direct(c)).count());
        out.extend(plain.iter().map(|&c| c as u8));
        if let [PLUS, after @ ..] = other {
            out.extend(b"+-");
            rest = after;
            continue;
        }
        let (run, after) = other.split_at(other.iter().take_while(|&&c| !is_direct(c)).count());
        if !run.is_empty() {
            out.push(b'+');
            encode_run(run, &mut out)?;
            // A run needs its end marked at the end of the text, and before a base64 digit or `-`.
            let ends = after.first().is_none_or(|&c| c == u32::from(b'-') || DIGITS[c as usize] != NONE);
            out.extend(ends.then_some(b'-'));
        }
        rest = after;
    }
    Some(out)
}

const PLUS: u32 = b'+' as u32;

fn is_direct(c: u32) -> bool {
    c < 0x80 && DIRECT[c as usize]
}

/// Appends the base64 of a run, without the characters around it; `None` if it has a surrogate.
fn encode_run(run: &[u32], out: &mut Vec<u8>) -> Option<()> {
    // In Latin text most runs have one character.
    if let &[c @ (0..0xD800 | 0xE000..0x1_0000)] = run {
        out.extend_from_slice(&TWO_DIGITS[(c >> 4) as usize]);
        out.push(BASE64[(c << 2 & 0x3F) as usize]);
        return Some(());
    }
    // The last `bits` bits of `value` are not written yet.
    let (mut value, mut bits) = (0_u64, 0_usize);
    for &c in run {
        if c & 0xFFFF_F800 == 0xD800 {
            return None;
        }
        if let Some(offset) = c.checked_sub(0x1_0000) {
            let pair = (0xD800 | offset >> 10) << 16 | 0xDC00 | offset & 0x3FF;
            value = value << 32 | u64::from(pair);
            bits += 32;
        } else {
            value = value << 16 | u64::from(c);
            bits += 16;
        }
        if bits >= 48 {
            bits -= 48;
            out.extend_from_slice(eight_digits(value >> bits).as_flattened());
        }
    }
    // The rest is padded with zero bits to eight digits. Those that it does not need are cut off.
    out.extend_from_slice(eight_digits(value << (48 - bits)).as_flattened());
    out.truncate(out.len() - 8 + bits.div_ceil(6));
    Some(())
}

/// The base64 of the lowest 48 bits: three units.
fn eight_digits(value: u64) -> [[u8; 2]; 4] {
    [36, 24, 12, 0].map(|shift| TWO_DIGITS[(value >> shift & 0xFFF) as usize])
}

/// The base64 of twelve bits.
static TWO_DIGITS: [[u8; 2]; 1 << 12] = {
    let mut digits = [[0; 2]; 1 << 12];
    let mut bits = 0;
    while bits < digits.len() {
        digits[bits] = [BASE64[bits >> 6], BASE64[bits & 0x3F]];
        bits += 1;
    }
    digits
};
