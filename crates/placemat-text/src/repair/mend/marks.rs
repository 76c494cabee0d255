//! Byte order marks of UTF-16 at the start of a text that is not in UTF-16. Nobody writes `ÿþ` there.

use super::{Change, Rule};

/// The byte order marks at the start of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    /// The length of all of them.
    pub(crate) len: usize,
    /// Where those of UTF-16 are, of two bytes each.
    pub(super) others: Vec<usize>,
    /// Whether the text behind what was read may go on with another one.
    pub(crate) may_go_on: bool,
}

impl Marks {
    /// `is_whole`: no text follows that might complete a mark.
    pub(crate) fn at_start(text: &[u8], is_whole: bool) -> Marks {
        let mut marks = Marks::default();
        loop {
            match text[marks.len..] {
                [0xEF, 0xBB, 0xBF, ..] => marks.len += 3,
                [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
                    marks.others.push(marks.len);
                    marks.len += 2;
                }
                [] | [0xEF | 0xFE | 0xFF] | [0xEF, 0xBB] if !is_whole => {
                    marks.may_go_on = true;
                    return marks;
                }
                _ => return marks,
            }
        }
    }

    /// The changes that remove those of UTF-16 from a text that begins at `offset`.
    pub(super) fn removals(&self, offset: u64) -> impl Iterator<Item = Change> {
        self.others.iter().map(move |&at| {
            let start = offset + at as u64;
            Change { range: start..start + 2, text: String::new(), rule: Rule::Mark, cell: None }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_end_where_the_text_begins() {
        let all = |text: &[u8], is_whole| {
            let Marks { len, others, may_go_on } = Marks::at_start(text, is_whole);
            (len, others, may_go_on)
        };
        assert_eq!(all(b"\xFF\xFEa", false), (2, vec![0], false));
        assert_eq!(all(b"\xEF\xBB\xBF\xFE\xFF\xFF\xFE\xC3\xA9", false), (7, vec![3, 5], false));
        assert_eq!(all(b"a\xFF\xFE", false), (0, vec![], false));
        for cut in [&b""[..], b"\xEF", b"\xEF\xBB", b"\xFE", b"\xFF"] {
            assert_eq!(all(cut, false), (0, vec![], true));
            assert_eq!(all(cut, true), (0, vec![], false));
        }
    }
}
