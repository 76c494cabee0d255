//! The counts of a text.

#![forbid(unsafe_code)]

use placemat::{Form, Status, Transcoder};

/// The counts of a text. A malformed sequence counts as one code point and as one UTF-16 code unit.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct placemat_counts {
    /// Code points.
    pub code_points: u64,
    /// The number of code units of the text in UTF-16.
    pub utf16_units: u64,
    /// Occurrences of U+000A.
    pub lines: u64,
    /// Malformed sequences.
    pub errors: u64,
}

impl placemat_counts {
    /// Counts a text in this form.
    pub(crate) fn of(form: Form, bytes: &[u8]) -> placemat_counts {
        let mut counts = placemat_counts::default();
        // This form can hold every value of any form.
        let mut transcoder = Transcoder::new(form, Form::Utf8Rfc2279Surrogates);
        let (mut read, mut room) = (0, [0; 4096]);
        loop {
            let rest = &bytes[read..];
            let step =
                if rest.is_empty() { transcoder.finish(&mut room) } else { transcoder.push(rest, &mut room) };
            read += step.read;
            counts.add(&room[..step.written]);
            match step.status {
                Status::Done => return counts,
                Status::NeedInput | Status::NeedOutput => {}
                Status::Failed(_) => {
                    counts.errors += 1;
                    counts.code_points += 1;
                    counts.utf16_units += 1;
                }
            }
        }
    }

    /// Counts text in UTF-8 (up to six bytes a character, with surrogates) that ends between characters.
    fn add(&mut self, text: &[u8]) {
        let count = |is: fn(u8) -> bool| text.iter().filter(|&&byte| is(byte)).count() as u64;
        self.lines += count(|byte| byte == b'\n');
        let code_points = count(|byte| byte & 0xC0 != 0x80);
        self.code_points += code_points;
        // UTF-16 has no pairs for values above U+10FFFF, whose sequences start at F4 90.
        let last = text.windows(2).filter(|two| two[0] == 0xF4 && two[1] < 0x90).count() as u64;
        self.utf16_units += code_points + count(|byte| matches!(byte, 0xF0..=0xF3)) + last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_other_functions() {
        let text = "né😀\n".repeat(5000);
        let expected = placemat_counts { code_points: 20_000, utf16_units: 25_000, lines: 5000, errors: 0 };
        assert_eq!(placemat_counts::of(Form::Utf8, text.as_bytes()), expected);
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(placemat_counts::of(Form::Utf16Le, &utf16), expected);
        let expected = placemat_counts { code_points: 3, utf16_units: 3, lines: 0, errors: 2 };
        assert_eq!(placemat_counts::of(Form::Utf8, b"\xFFa\xC3"), expected);
    }
}
