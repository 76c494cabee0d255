//! Any bytes as a readable `String`, and back without loss.
//!
//! UTF-8 stays as it is. Each byte that is not part of UTF-8 becomes `\xhh`, in lower case, as with
//! [`Policy::Escape`](crate::Policy::Escape). A backslash of the text becomes `\x5c`, but only where it would be read as such an
//! escape: before `x5c` and `x80` to `xff`. So most text does not change, including paths of Windows. For file names, logs, JSON,
//! and everything else that takes only text.
//!
//! ```
//! use placemat::escaped;
//!
//! let name = b"caf\xE9 \xF0\x9F\x98\x80.txt";
//! let text = escaped::from_bytes(name);
//! assert_eq!(text, r"caf\xe9 😀.txt");
//! assert_eq!(escaped::to_bytes(&text), &name[..]);
//!
//! assert_eq!(escaped::from_bytes(br"C:\x\a"), r"C:\x\a");
//! assert_eq!(escaped::from_bytes(br"caf\xe9"), r"caf\x5cxe9");
//! ```

#![forbid(unsafe_code)]

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// Bytes of an escape: `\xhh`.
const LENGTH: usize = 4;

/// Converts any bytes to text that [`to_bytes`] converts back. Borrows if there is nothing to escape; linear.
///
/// ```
/// use placemat::escaped;
/// assert_eq!(escaped::from_bytes("naïve".as_bytes()), "naïve");
/// assert_eq!(escaped::from_bytes(b"\xFF\xFE"), r"\xff\xfe");
/// ```
#[must_use]
pub fn from_bytes(bytes: &[u8]) -> Cow<'_, str> {
    let guarded = guard(bytes);
    if let Cow::Borrowed(_) = guarded
        && let Ok(text) = crate::validate(bytes)
    {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (Vec::with_capacity(guarded.len() + LENGTH), &*guarded);
    while !rest.is_empty() {
        let (valid, error) = crate::valid_prefix(rest);
        out.extend_from_slice(&rest[..valid]);
        // A sequence that the end cuts off is not UTF-8 either.
        let end = error.map_or(rest.len(), |error| valid + usize::from(error.length()));
        for byte in &rest[valid..end] {
            out.extend(br"\x".iter().copied().chain(hex(*byte)));
        }
        rest = &rest[end..];
    }
    Cow::Owned(String::from_utf8(out).unwrap_or_default())
}

/// Two digits in lower case.
fn hex(byte: u8) -> [u8; 2] {
    [byte >> 4, byte & 0x0F].map(|digit| b"0123456789abcdef"[usize::from(digit)])
}

/// Converts text back to the bytes that [`from_bytes`] made it of. Takes every text; text without `\x5c` and `\x80` to `\xff` is
/// unchanged and borrowed. Linear.
///
/// ```
/// use placemat::escaped;
/// assert_eq!(escaped::to_bytes(r"caf\xe9"), &b"caf\xE9"[..]);
/// assert_eq!(escaped::to_bytes(r"caf\xE9 \n"), &br"caf\xE9 \n"[..]);
/// ```
#[must_use]
pub fn to_bytes(text: &str) -> Cow<'_, [u8]> {
    replace_escapes(text.as_bytes(), |byte, out| out.push(byte))
}

/// Write `\x5c` for each backslash that would begin an escape.
fn guard(bytes: &[u8]) -> Cow<'_, [u8]> {
    replace_escapes(bytes, |byte, out| {
        out.extend_from_slice(br"\x5cx");
        out.extend(hex(byte));
    })
}

/// Write each escape with `put`, and the other bytes as they are.
fn replace_escapes(bytes: &[u8], mut put: impl FnMut(u8, &mut Vec<u8>)) -> Cow<'_, [u8]> {
    let mut out = Vec::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(ahead) = bytes[at..].iter().position(|&byte| byte == b'\\') {
        at += ahead;
        match escape(&bytes[at..]) {
            Some(byte) => {
                out.extend_from_slice(&bytes[copied..at]);
                put(byte, &mut out);
                at += LENGTH;
                copied = at;
            }
            None => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(bytes);
    }
    out.extend_from_slice(&bytes[copied..]);
    Cow::Owned(out)
}

/// The byte of the escape at the start of these bytes, if [`from_bytes`] writes such an escape.
fn escape(bytes: &[u8]) -> Option<u8> {
    let &[b'\\', b'x', high, low] = bytes.first_chunk::<LENGTH>()? else { return None };
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    Some(digit(high)? << 4 | digit(low)?).filter(|&byte| byte >= 0x80 || byte == b'\\')
}
