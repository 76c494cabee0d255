//! How the lines of a text end.
#![forbid(unsafe_code)]

use core::fmt;

use crate::look::has;

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

/// Finds line ends in any chunking.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    /// Whether there is a line feed alone, a carriage return alone, or both as a pair.
    feed: bool,
    carriage: bool,
    pair: bool,
    /// Whether the last unit is a carriage return, which the next unit may turn into a pair.
    after_return: bool,
}

impl Lines {
    /// Reads bytes of a text in which ASCII bytes are ASCII characters.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        let has_returns = has(bytes, b'\r');
        self.bytes_that(bytes, has_returns.then(|| placemat::glance_at_returns(bytes).has_odd_returns));
    }

    /// Like [`Self::bytes`], for a caller that knows whether there are carriage returns (`None` if not), and whether one of them, or a
    /// line feed, stands alone.
    pub(crate) fn bytes_that(&mut self, bytes: &[u8], are_odd: Option<bool>) {
        let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return };
        self.unit(first.into());
        if bytes.len() == 1 || self.pair && self.feed {
            // They are mixed, whatever follows.
            return;
        }
        let rest = &bytes[1..];
        if let Some(are_odd) = are_odd {
            self.with_returns(bytes, rest, are_odd);
        } else if !self.feed {
            self.feed = has(rest, b'\n');
        }
        self.after_return = last == b'\r';
    }

    /// Reads bytes with carriage returns. `rest` has the next byte of each.
    fn with_returns(&mut self, bytes: &[u8], rest: &[u8], are_odd: bool) {
        let mut pairs = bytes.iter().zip(rest);
        if are_odd {
            self.feed |= pairs.clone().any(|(&one, &next)| one != b'\r' && next == b'\n');
            self.carriage |= pairs.clone().any(|(&one, &next)| one == b'\r' && next != b'\n');
            self.pair |= pairs.any(|(&one, &next)| one == b'\r' && next == b'\n');
        } else {
            self.pair |= has(&bytes[..rest.len()], b'\r');
        }
    }

    /// Reads one code unit.
    pub(crate) fn unit(&mut self, unit: u32) {
        let is_feed = unit == 0x0A;
        self.feed |= is_feed && !self.after_return;
        self.carriage |= self.after_return && !is_feed;
        self.pair |= self.after_return && is_feed;
        self.after_return = unit == 0x0D;
    }

    pub(crate) fn ending(&self) -> LineEnding {
        match (self.feed, self.carriage || self.after_return, self.pair) {
            (false, false, false) => LineEnding::None,
            (true, false, false) => LineEnding::Lf,
            (false, true, false) => LineEnding::Cr,
            (false, false, true) => LineEnding::Crlf,
            _ => LineEnding::Mixed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Longer than any block in which the kernels read.
    const NEAR: usize = 256;

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

    #[test]
    fn line_ends_are_found_wherever_they_are() {
        for (end, ending) in [("\n", LineEnding::Lf), ("\r", LineEnding::Cr), ("\r\n", LineEnding::Crlf)] {
            for at in [0, 1, NEAR - 1, NEAR, NEAR + 1, 2 * NEAR] {
                let text = ["a".repeat(at).as_str(), end, &"b".repeat(2 * NEAR - at)].concat();
                let mut lines = Lines::default();
                lines.bytes(text.as_bytes());
                assert_eq!(lines.ending(), ending, "{end:?} at {at}");
                lines.bytes(b"c\rd\n");
                assert_eq!(lines.ending(), LineEnding::Mixed, "{end:?} at {at}, then others");
            }
        }
    }
}
