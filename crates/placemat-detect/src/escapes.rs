//! Encodings in seven bits that switch their character sets: ISO-2022-JP, -KR, -CN and HZ.
//!
//! Their text is ASCII too, so they are named only where every switch is well-formed and at least one
//! character was written after one.
#![forbid(unsafe_code)]

const ESCAPE: u8 = 0x1B;
const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// The encoding that a text without bytes from 80 up switches in, if it does.
pub(crate) fn guess(sample: &[u8]) -> Option<&'static str> {
    if sample.contains(&ESCAPE) {
        return switched(sample);
    }
    is_hz(sample).then_some("hz-gb-2312")
}

fn switched(sample: &[u8]) -> Option<&'static str> {
    let mut name = None;
    let (mut width, mut kana) = (1, false);
    let mut written = 0;
    let mut at = 0;
    while let Some(&byte) = sample.get(at) {
        if byte == ESCAPE {
            let rest = &sample[at + 1..];
            let (found, next_width, len) = designation(rest)?;
            if name.is_some_and(|name| found.is_some_and(|found| name != found)) {
                return None;
            }
            name = name.or(found);
            width = next_width.unwrap_or(width);
            kana = rest.starts_with(b"(I");
            at += 1 + len;
        } else if byte == SHIFT_OUT || byte == SHIFT_IN {
            width = if byte == SHIFT_OUT { 2 } else { 1 };
            at += 1;
        } else if width == 2 && byte > b' ' {
            let pair =
                (0x21..0x7F).contains(&byte) && sample.get(at + 1).is_none_or(|b| (0x21..0x7F).contains(b));
            if !pair {
                return None;
            }
            written += 1;
            at += 2;
        } else {
            written += u32::from(kana && (0x21..0x60).contains(&byte));
            at += 1;
        }
    }
    name.filter(|name| written > 0 || *name == "iso-2022-kr")
}

/// After an escape: the encoding that has this sequence, the bytes of a character from here on if that
/// changes, and the length.
fn designation(rest: &[u8]) -> Option<(Option<&'static str>, Option<usize>, usize)> {
    Some(match rest {
        [b'(', b'B', ..] => (None, Some(1), 2),
        [b'(', b'J' | b'I', ..] => (Some("iso-2022-jp"), Some(1), 2),
        [b'$', b'@' | b'B', ..] => (Some("iso-2022-jp"), Some(2), 2),
        [b'$', b'(', b'D' | b'Q' | b'O', ..] => (Some("iso-2022-jp"), Some(2), 3),
        [b'$', b')', b'C', ..] => (Some("iso-2022-kr"), None, 3),
        [b'$', b')', b'A' | b'G' | b'E', ..] | [b'$', b'*', b'H', ..] => (Some("iso-2022-cn"), None, 3),
        _ => return None,
    })
}

/// Whether `~{` … `~}` holds pairs of GB 2312 that are characters in use, and every tilde is an escape.
fn is_hz(sample: &[u8]) -> bool {
    let mut hanzi = Vec::new();
    let mut at = 0;
    while let Some(tilde) = sample[at..].iter().position(|byte| *byte == b'~') {
        at += tilde;
        match sample.get(at + 1) {
            Some(b'~' | b'\n') => at += 2,
            Some(b'{') => {
                let text = &sample[at + 2..];
                let Some(len) = text.windows(2).position(|pair| pair == b"~}") else { return false };
                let pairs = &text[..len];
                if len % 2 != 0 || !pairs.iter().all(|byte| (0x21..0x7F).contains(byte)) {
                    return false;
                }
                hanzi.extend(pairs.iter().map(|byte| byte | 0x80));
                at += len + 4;
            }
            _ => return false,
        }
    }
    hanzi.len() >= 4 && crate::legacy::is_chinese(&hanzi)
}

#[cfg(test)]
mod tests {
    use super::guess;

    #[test]
    fn switches_name_their_encoding() {
        assert_eq!(guess(b"\x1B$BF|K\\8l\x1B(B text"), Some("iso-2022-jp"));
        assert_eq!(guess(b"\x1B(I123\x1B(B"), Some("iso-2022-jp"));
        assert_eq!(guess(b"\x1B$)C\x0EGQ1[\x0F"), Some("iso-2022-kr"));
        assert_eq!(guess(b"\x1B$)A\x0E=;;;\x0F"), Some("iso-2022-cn"));
        assert_eq!(guess(b"~{VPNDWV7{~} and ~~"), Some("hz-gb-2312"));
    }

    #[test]
    fn ascii_stays_ascii() {
        for text in
            [&b"\x1B$B"[..], b"\x1B[31mred\x1B[0m", b"~{ab~}", b"cd ~/x", b"~{VPNDWV7{", b"\x1B$B\x01", b""]
        {
            assert_eq!(guess(text), None, "{text:?}");
        }
    }
}
