//! Right-to-left text near a place, which explains a directional mark there.

/// How many bytes on either side of a directional mark are searched for right-to-left text.
pub const AROUND: usize = 2048;
const NEAR: usize = AROUND - TAIL;
/// Bytes behind a lead byte that are needed too.
const TAIL: usize = 2;

/// A search that reads each byte once, for places in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Near<'a> {
    /// Lines, with the bytes before and behind them.
    parts: [&'a [u8]; 3],
    /// Where the next search begins, counted from the start of the first part.
    seen: usize,
    /// The last right-to-left letter before `seen`.
    last: Option<usize>,
}

impl<'a> Near<'a> {
    pub(super) fn new(parts: [&'a [u8]; 3]) -> Near<'a> {
        Near { parts, seen: 0, last: None }
    }

    /// Whether there is right-to-left text near `at`, which counts from the start of the lines.
    pub(super) fn right_to_left(&mut self, at: usize) -> bool {
        let at = self.parts[0].len() + at;
        let start = at.saturating_sub(NEAR);
        if self.last.is_some_and(|last| last >= start) {
            return true;
        }
        let end = self.parts.iter().map(|part| part.len()).sum::<usize>().min(at + NEAR);
        let found = (self.seen.max(start)..end).find(|&at| self.is_right_to_left(at));
        self.seen = found.map_or(end.max(self.seen), |found| found + 1);
        self.last = found.or(self.last);
        found.is_some()
    }

    fn byte(&self, mut at: usize) -> u8 {
        for part in self.parts {
            match part.get(at) {
                Some(&byte) => return byte,
                None => at -= part.len(),
            }
        }
        0
    }

    /// Whether a character of a right-to-left script begins at `at`: U+0590 to U+08FF except the mark U+061C, U+FB1D to U+FDFF,
    /// U+FE70 to U+FEFC, U+10800 to U+10FFF, U+1E800 to U+1EFFF.
    fn is_right_to_left(&self, at: usize) -> bool {
        let lead = self.byte(at);
        if lead < 0xD6 {
            return false;
        }
        let [second, third] = [self.byte(at + 1), self.byte(at + 2)];
        match lead {
            0xD6 => matches!(second, 0x90..=0xBF),
            0xD8 => matches!(second, 0x80..=0x9B | 0x9D..=0xBF),
            0xD7 | 0xD9..=0xDF => matches!(second, 0x80..=0xBF),
            0xE0 => matches!(second, 0xA0..=0xA3),
            0xEF => match second {
                0xAC => matches!(third, 0x9D..=0xBF),
                0xAD..=0xB7 | 0xBA => true,
                0xB9 => matches!(third, 0xB0..=0xBF),
                0xBB => matches!(third, 0x80..=0xBC),
                _ => false,
            },
            0xF0 => matches!((second, third), (0x90 | 0x9E, 0xA0..=0xBF)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_the_blocks_that_are_named() {
        for c in '\0'..=char::MAX {
            let mut bytes = [0; 4];
            let text = c.encode_utf8(&mut bytes).as_bytes();
            let expected = matches!(c,
                '\u{590}'..='\u{61B}' | '\u{61D}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
                | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}');
            assert_eq!(Near::new([b"", text, b""]).right_to_left(0), expected, "{:X}", u32::from(c));
        }
    }

    #[test]
    fn a_place_is_near_on_either_side_and_across_the_edges() {
        let mut text = [b'a'; 3 * AROUND];
        let letter = AROUND + 7;
        text[letter..letter + 2].copy_from_slice("\u{5D0}".as_bytes());
        for (start, end) in [(0, text.len()), (letter - 1, letter + 1), (letter + 1, letter + 2), (5, letter)]
        {
            let parts = [&text[..start], &text[start..end], &text[end..]];
            for at in [start, (start + letter) / 2, letter, letter + NEAR, letter + NEAR + 1] {
                if at >= start {
                    let expected = at + NEAR > letter && at <= letter + NEAR;
                    assert_eq!(Near::new(parts).right_to_left(at - start), expected, "{start} {end} {at}");
                }
            }
            let mut near = Near::new(parts);
            for at in (start..text.len()).step_by(101) {
                let expected = at + NEAR > letter && at <= letter + NEAR;
                assert_eq!(near.right_to_left(at - start), expected, "{start} {end} {at}");
            }
        }
    }
}
