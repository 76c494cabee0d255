//! Detects the seven-bit encodings that switch character sets: ISO-2022-JP, -KR, -CN and HZ.
//!
//! ASCII text is valid in them too, so one is named only if characters follow a switch. A sequence that is cut off at the end
//! is no evidence against an encoding, and a few faults only make it less sure.
#![forbid(unsafe_code)]

mod hz;

const ESCAPE: u8 = 0x1B;
const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// The encoding that a text seems to be in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Guess {
    pub(crate) name: &'static str,
    /// The number of characters, divided by that of characters and faults; 0 if there are no characters.
    pub(crate) share: f32,
    /// The number of sequences that do not belong to the encoding.
    pub(crate) faults: u64,
}

impl Guess {
    /// A guess with `good` characters and `faults` faults.
    fn new(name: &'static str, good: usize, faults: u64) -> Self {
        let share = good as f32 / (good as f32 + faults as f32).max(1.0);
        Self { name, share, faults }
    }
}

/// Returns the encoding whose switches a text without bytes from 80 up has, if any.
pub(crate) fn guess(sample: &[u8]) -> Option<Guess> {
    if sample.contains(&ESCAPE) { Switches::of(sample).guess() } else { hz::guess(sample) }
}

/// The encodings that switch by escapes, each with the encoding that has the same pairs of bytes with their highest bits set.
const ENCODINGS: [(&str, &str); 3] =
    [("iso-2022-jp", "euc-jp"), ("iso-2022-kr", "euc-kr"), ("iso-2022-cn", "gb18030")];

/// What a text with escapes has of [`ENCODINGS`].
#[derive(Default)]
struct Switches {
    /// The number of designations that only this encoding has.
    of_each: [u64; ENCODINGS.len()],
    /// The two-byte characters, with their highest bits set.
    pairs: Vec<u8>,
    kana: usize,
    /// The number of other escapes, and of bytes that are not a pair although one is due.
    faults: u64,
}

impl Switches {
    fn of(sample: &[u8]) -> Self {
        let mut found = Self::default();
        let (mut width, mut kana) = (1, false);
        let mut rest = sample;
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            if byte == ESCAPE {
                match designation(rest) {
                    Some((which, next_width, len)) => {
                        which.into_iter().for_each(|which| found.of_each[which] += 1);
                        width = next_width.unwrap_or(width);
                        kana = rest.starts_with(b"(I");
                        rest = &rest[len..];
                    }
                    None => found.faults += u64::from(!is_cut(rest)),
                }
            } else if byte == SHIFT_OUT || byte == SHIFT_IN {
                width = if byte == SHIFT_OUT { 2 } else { 1 };
            } else if width == 2 && byte > b' ' {
                match rest.split_first() {
                    Some((&second, after)) if is_half(byte) && is_half(second) => {
                        found.pairs.extend([byte | 0x80, second | 0x80]);
                        rest = after;
                    }
                    None if is_half(byte) => {}
                    _ => found.faults += 1,
                }
            } else {
                found.kana += usize::from(kana && (0x21..0x60).contains(&byte));
            }
        }
        found
    }

    fn guess(&self) -> Option<Guess> {
        let most = *self.of_each.iter().max().filter(|most| **most > 0)?;
        let which = self.of_each.iter().position(|its| *its == most)?;
        let (name, alike) = ENCODINGS[which];
        let faults = self.faults + self.of_each.iter().sum::<u64>() - most;
        let good = self.pairs.len() / 2 + self.kana;
        // If anything is wrong, the pairs may be ordinary text.
        let is_noise = faults > 0 && good > self.kana && !crate::legacy::is_likely(alike, &self.pairs);
        let good = if is_noise { 0 } else { good };
        // ISO-2022-KR has its one designation at the start of the text, even if no characters follow.
        let is_announced = name == "iso-2022-kr" && faults == 0;
        Some(Guess::new(name, good.max(usize::from(is_announced)), faults))
    }
}

/// Whether a byte may be one of the two bytes of a character.
fn is_half(byte: u8) -> bool {
    (0x21..0x7F).contains(&byte)
}

/// Reads the rest of a designation, after its escape. Returns the encoding that alone has it, the number of bytes per character from
/// here on if that changes, and the length.
fn designation(rest: &[u8]) -> Option<(Option<usize>, Option<usize>, usize)> {
    Some(match rest {
        [b'(', b'B', ..] => (None, Some(1), 2),
        [b'(', b'J' | b'I', ..] => (Some(0), Some(1), 2),
        [b'$', b'@' | b'B', ..] => (Some(0), Some(2), 2),
        [b'$', b'(', b'D' | b'Q' | b'O', ..] => (Some(0), Some(2), 3),
        [b'$', b')', b'C', ..] => (Some(1), None, 3),
        [b'$', b')', b'A' | b'G' | b'E', ..] | [b'$', b'*', b'H', ..] => (Some(2), None, 3),
        _ => return None,
    })
}

/// Whether the text ends inside a designation.
fn is_cut(rest: &[u8]) -> bool {
    matches!(rest, [] | [b'(' | b'$'] | [b'$', b'(' | b')' | b'*'])
}

#[cfg(test)]
mod tests {
    use super::guess;

    /// The encoding in which a text is all well-formed.
    fn named(text: &[u8]) -> Option<&'static str> {
        guess(text).filter(|guess| guess.share == 1.0).map(|guess| guess.name)
    }

    #[test]
    fn switches_name_their_encoding() {
        assert_eq!(named(b"\x1B$BF|K\\8l\x1B(B text"), Some("iso-2022-jp"));
        assert_eq!(named(b"\x1B(I123\x1B(B"), Some("iso-2022-jp"));
        assert_eq!(named(b"\x1B$)C\x0EGQ1[\x0F"), Some("iso-2022-kr"));
        assert_eq!(named(b"\x1B$)A\x0E=;;;\x0F"), Some("iso-2022-cn"));
        assert_eq!(named(b"~{VPNDWV7{~} and ~~"), Some("hz-gb-2312"));
    }

    #[test]
    fn ascii_stays_ascii() {
        for text in
            [&b"\x1B$B"[..], b"\x1B[31mred\x1B[0m", b"~{ab~}", b"cd ~/x", b"~{VPNDWV7{", b"\x1B$B\x01", b""]
        {
            assert_eq!(named(text), None, "{text:?}");
        }
        for text in [&b"\x1B[31mred\x1B(B\x1B[m"[..], b"cd ~/x && cd ~", b"~\x1B", b"\x1B$"] {
            assert_eq!(guess(text), None, "{text:?}");
        }
    }

    /// A text that is cut anywhere after its first two characters gets the verdict of the whole text.
    #[test]
    fn a_cut_is_no_fault() {
        for text in [
            &b"\x1B$BF|K\\8l\x1B(B text \x1B$(D0!\x1B(B and \x1B(I123\x1B(B\n"[..],
            b"\x1B$)C\x0EGQ1[\x0F, \x0EGQ1[\x0F\n",
            b"~{VPND~} and ~~ ~{WV7{~}\n",
        ] {
            let whole = named(text);
            for end in 8..=text.len() {
                assert_eq!(named(&text[..end]), whole, "{:?}", text[..end].escape_ascii());
            }
        }
    }

    #[test]
    fn faults_are_counted() {
        let share = |text: &[u8]| guess(text).map(|guess| (guess.faults, (guess.share * 10.0) as u32));
        assert_eq!(share(b"\x1B$BF|K\\8l\x1B(B \x1B[31m"), Some((1, 7)));
        assert_eq!(share(b"\x1B$BF|K\\8l!\x1B(B"), Some((1, 7)));
        assert_eq!(share(b"~{VPNDWV7{~} cd ~/x"), Some((1, 8)));
        assert_eq!(share(b"~{VPNDWV7{~} ~{!\x01~}"), Some((2, 6)));
        assert_eq!(share(b"\x1B[1m\x1B$Bhello world, all of it\x1B[m"), Some((4, 0)));
        assert_eq!(share(b"(format t \"~{~a~^, ~}~%\" list)").map(|found| found.1), Some(0));
    }
}
