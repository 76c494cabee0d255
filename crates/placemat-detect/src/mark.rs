//! Byte order marks, longest first.
#![forbid(unsafe_code)]

use placemat::Form;

use crate::wide::{Order, Wide, Width};

/// The form that a byte order mark at the start of a text announces, and the length of the mark. `None` without a mark, and if the text after
/// it is plainly not in that form: ASCII after the mark of UTF-16, for example. `head` is the start of the text; a few KiB are enough.
///
/// ```
/// use placemat::Form;
/// use placemat_detect::announced;
///
/// assert_eq!(announced(b"\xFF\xFEh\0i\0"), Some((Form::Utf16Le, 2)));
/// assert_eq!(announced(b"\xFF\xFEhello you\n"), None);
/// ```
#[must_use]
pub fn announced(head: &[u8]) -> Option<(Form, usize)> {
    match Mark::of(head)? {
        Mark::Utf8 => Some((Form::Utf8, 3)),
        Mark::Wide(wide) => Form::named(wide.name()).map(|form| (form, wide.width.bytes())),
    }
}

/// What a byte order mark says about the bytes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Utf8,
    Wide(Wide),
}

impl Mark {
    /// The byte order mark at the start of a text, unless the text plainly contradicts it. `FF FE 00 00` is UTF-32LE, and UTF-16LE with a
    /// NUL only if UTF-32LE is contradicted.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        let mark = Self::at_head(head)?;
        let Self::Wide(wide) = mark else { return Some(mark) };
        let text = head.get(wide.width.bytes()..).unwrap_or_default();
        if wide.is_contradicted(text) {
            let half = Wide { width: Width::Two, ..wide };
            return (half != wide && wide.order == Order::Little && !half.is_contradicted(text))
                .then_some(Self::Wide(half));
        }
        Some(mark)
    }

    /// The byte order mark at the start of a text, whatever follows it.
    pub(crate) fn at_head(bytes: &[u8]) -> Option<Self> {
        let wide = |width, order| Some(Self::Wide(Wide { width, order }));
        match bytes {
            [0x00, 0x00, 0xFE, 0xFF, ..] => wide(Width::Four, Order::Big),
            [0xFF, 0xFE, 0x00, 0x00, ..] => wide(Width::Four, Order::Little),
            [0xEF, 0xBB, 0xBF, ..] => Some(Self::Utf8),
            [0xFE, 0xFF, ..] => wide(Width::Two, Order::Big),
            [0xFF, 0xFE, ..] => wide(Width::Two, Order::Little),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::announced;
    use crate::detect;

    fn units(text: &str, to: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to).collect()
    }

    #[test]
    fn a_mark_that_the_text_contradicts_decides_nothing() {
        for (text, encoding) in [
            (&b"\xFF\xFEhello you\n"[..], "unknown"),
            (b"\xFE\xFFhello world, this is text\n\n", "unknown"),
            (b"\xFF\xFE{\"a\":1}", "unknown"),
            (
                b"\xFF\xFE{\"id\": 1, \"name\": \"caf\xE9\", \"note\": \"there is a long text here\"}\n",
                "unknown",
            ),
            ("\u{FE}\u{FE}".as_bytes(), "utf-8"),
            (b"\xFF\xFE\0\0some other text that is long\n", "binary"),
        ] {
            let found = detect(text, true);
            assert_eq!((found.encoding.name(), found.bom), (encoding, false), "{}", text.escape_ascii());
        }
        let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю.\n";
        let text = [&b"\xFF\xFE"[..], russian.as_bytes()].concat();
        let found = detect(&text, true);
        assert_eq!((found.encoding.name(), found.malformed), ("utf-8", 2));
        assert!(found.reasons.iter().any(|reason| reason.contains("says utf-16le, which it does not")));
        // The head of a longer text may end inside a character.
        assert_eq!((announced(&text), announced(&text[..text.len() - 20])), (None, None));
        let long = [&b"\xFF\xFEx"[..], russian.repeat(900).as_bytes()].concat();
        assert_eq!(detect(&long, true).encoding.name(), "utf-8");
        // UTF-16 that begins with a NUL.
        let found = detect(&[&b"\xFF\xFE\0\0"[..], &units("hello there", u16::to_le_bytes)].concat(), true);
        assert_eq!((found.encoding.name(), found.malformed), ("utf-16le", 0));
    }

    #[test]
    fn a_mark_decides_where_the_text_may_be_in_its_form() {
        for text in ["", "h", "hi\n", "日本語", "楨", "中文字，沒有換行", "Съешь же ещё", "𐌰𐌱", "a\u{0}b"]
        {
            let little = [&b"\xFF\xFE"[..], &units(text, u16::to_le_bytes)].concat();
            let big = [&b"\xFE\xFF"[..], &units(text, u16::to_be_bytes)].concat();
            let wide = text.chars().flat_map(|c| u32::from(c).to_le_bytes());
            let wide: Vec<u8> = b"\xFF\xFE\0\0".iter().copied().chain(wide).collect();
            for (bytes, name) in [(little, "utf-16le"), (big, "utf-16be"), (wide, "utf-32le")] {
                let found = detect(&bytes, true);
                assert_eq!((found.encoding.name(), found.bom), (name, true), "{text:?}");
            }
        }
    }
}
