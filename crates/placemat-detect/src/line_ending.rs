//! How the lines of a text end.
#![forbid(unsafe_code)]

use core::fmt;

/// How the lines of a text end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LineEnding {
    /// No line ends: there is one line, or none.
    #[default]
    None,
    /// U+000A.
    Lf,
    /// U+000D U+000A.
    Crlf,
    /// U+000D.
    Cr,
    /// More than one kind.
    Mixed,
}

impl LineEnding {
    /// The name in reports: `none`, `lf`, `crlf`, `cr`, `mixed`.
    ///
    /// ```
    /// assert_eq!(placemat_detect::detect(b"a\r\nb", true).line_ending.name(), "crlf");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lf => "lf",
            Self::Crlf => "crlf",
            Self::Cr => "cr",
            Self::Mixed => "mixed",
        }
    }
}

impl fmt::Display for LineEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Counts line ends in any chunking.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    feeds: u64,
    returns: u64,
    pairs: u64,
    after_return: bool,
}

impl Lines {
    /// Takes in bytes of a text in which ASCII is ASCII.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return };
        if self.pairs > 0 && self.feeds > self.pairs {
            // They are of more than one kind, whatever follows.
            return;
        }
        let mut returns = 0;
        // Both in one pass.
        for part in bytes.chunks(COUNTED) {
            let (mut feeds, mut its_returns) = (0_u8, 0_u8);
            for &byte in part {
                feeds += u8::from(byte == b'\n');
                its_returns += u8::from(byte == b'\r');
            }
            self.feeds += u64::from(feeds);
            returns += u64::from(its_returns);
        }
        if returns > 0 {
            self.returns += returns;
            self.pairs += pairs(bytes);
        }
        self.pairs += u64::from(self.after_return && first == b'\n');
        self.after_return = last == b'\r';
    }

    /// Takes in one code unit.
    pub(crate) fn unit(&mut self, unit: u32) {
        match unit {
            0x0A => {
                self.feeds += 1;
                self.pairs += u64::from(self.after_return);
            }
            0x0D => self.returns += 1,
            _ => {}
        }
        self.after_return = unit == 0x0D;
    }

    pub(crate) fn ending(&self) -> LineEnding {
        match (self.feeds - self.pairs, self.returns - self.pairs, self.pairs) {
            (0, 0, 0) => LineEnding::None,
            (_, 0, 0) => LineEnding::Lf,
            (0, _, 0) => LineEnding::Cr,
            (0, 0, _) => LineEnding::Crlf,
            _ => LineEnding::Mixed,
        }
    }
}

/// How many carriage returns a line feed follows.
fn pairs(bytes: &[u8]) -> u64 {
    let of = |first: &[u8], second: &[u8]| {
        first.iter().zip(second).map(|(a, b)| u8::from((*a == b'\r') & (*b == b'\n'))).sum::<u8>()
    };
    bytes
        .chunks(COUNTED)
        .zip(bytes[1..].chunks(COUNTED))
        .map(|(first, second)| u64::from(of(first, second)))
        .sum()
}

/// Bytes whose number fits a byte, and that fill wide registers.
const COUNTED: usize = 192;

/// How many bytes are such. Sums that fit a byte let the compiler use wide registers.
pub(crate) fn count(bytes: &[u8], is_such: impl Fn(u8) -> bool) -> u64 {
    bytes
        .chunks(COUNTED)
        .map(|chunk| u64::from(chunk.iter().map(|byte| u8::from(is_such(*byte))).sum::<u8>()))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_do_not_matter() {
        for (text, ending) in [
            ("", LineEnding::None),
            ("a", LineEnding::None),
            ("a\nb\n", LineEnding::Lf),
            ("a\r\nb", LineEnding::Crlf),
            ("a\rb\r", LineEnding::Cr),
            ("a\r\r\n", LineEnding::Mixed),
            ("a\n\r", LineEnding::Mixed),
            ("a\nb\r\nc\r", LineEnding::Mixed),
        ] {
            for at in 0..=text.len() {
                let mut lines = Lines::default();
                lines.bytes(&text.as_bytes()[..at]);
                lines.bytes(&text.as_bytes()[at..]);
                assert_eq!(lines.ending(), ending, "{text:?} split at {at}");
            }
            let mut lines = Lines::default();
            text.bytes().for_each(|b| lines.unit(b.into()));
            assert_eq!(lines.ending(), ending, "{text:?} by units");
        }
    }
}
