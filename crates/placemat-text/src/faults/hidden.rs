//! Finds characters that are not shown and that their context does not explain ([`placemat::invisible`]), with their positions.

use std::io::{self, Read};

use placemat::invisible::{Kind, Kinds, clean_prefix, findings_in, findings_of};
use placemat::{Form, errors, is_valid, validate};

use super::run::{Places, Run, What, each_block};
use crate::hidden::found_between;
use crate::repair::blocks::{Block, Cutter};

/// Counts the findings of these kinds in a text in UTF-8, and reports up to `limit` of them. If reading fails, also returns that
/// error. A line of more than a mebibyte is searched in parts ([`LONGEST_LINE`](crate::repair::blocks::LONGEST_LINE)).
///
/// # Errors
/// Those of `report`.
///
/// ```
/// use placemat::invisible::Kinds;
/// use placemat_text::faults::hidden::search;
///
/// let (runs, broken) = search(&mut "ok\na\u{200B}b".as_bytes(), Kinds::DEFAULT, 10, &mut |run| {
///     assert_eq!((run.line, run.column, run.offset), (2, 2, 4));
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// assert!(runs == 1 && broken.is_none());
/// ```
pub fn search<E>(
    input: &mut dyn Read,
    kinds: Kinds,
    limit: u64,
    report: &mut dyn FnMut(&Run<'_>) -> Result<(), E>,
) -> Result<(u64, Option<io::Error>), E> {
    let (mut places, mut runs) = (Places::new(), 0);
    let broken = each_block(input, |Block { text, around, .. }, offset| {
        if runs < limit {
            for found in found_between(text, around, kinds, offset == 0) {
                if runs < limit {
                    let range = found.offset..found.offset + found.length;
                    report(&places.run(text, offset, range, What::Hidden(found.kind)))?;
                }
                runs += 1;
            }
            places.end(text);
        } else {
            runs += count(text, around, kinds, offset == 0).hidden;
        }
        Ok(text.len())
    })?;
    Ok((runs, broken))
}

/// Counts errors, and findings of these kinds, in `lines` of UTF-8. `before` and `after` are the text around them, each at
/// least [`AROUND`](placemat::invisible::AROUND) bytes if there are so many. `is_start`: nothing precedes.
///
/// ```
/// use placemat::invisible::Kinds;
/// use placemat_text::faults::hidden::count;
///
/// let counts = count(b"a\xE2\x80\x8Bb\xFF\n", [b""; 2], Kinds::DEFAULT, true);
/// assert_eq!((counts.errors, counts.hidden), (1, 1));
/// ```
#[must_use]
pub fn count(lines: &[u8], [before, after]: [&[u8]; 2], kinds: Kinds, is_start: bool) -> Counts {
    if kinds == Kinds::NONE {
        let errors = if is_valid(lines) { 0 } else { errors(Form::Utf8, lines).count() as u64 };
        return Counts { errors, hidden: 0 };
    }
    let (found, errors) = match validate(lines) {
        Ok(text) if clean_prefix(text, kinds) == text.len() => return Counts::default(),
        Ok(text) => (findings_in(text, kinds), 0),
        Err(_) => (findings_of(lines, kinds), errors(Form::Utf8, lines).count() as u64),
    };
    let found = found.between(before, after);
    Counts { errors, hidden: if is_start { found } else { found.from_middle() }.count() as u64 }
}

/// The result of [`count`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Malformed sequences.
    pub errors: u64,
    /// Findings.
    pub hidden: u64,
}

/// Counts findings of each kind in a text that is pushed in chunks. The size of the chunks makes no difference.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    cutter: Cutter,
    is_begun: bool,
    /// The counts, in the order of [`Kind::ALL`].
    pub(crate) counts: [u64; Kind::ALL.len()],
}

impl Counter {
    pub(crate) fn push(&mut self, text: &[u8]) {
        self.cutter.end().extend_from_slice(text);
        self.count(false);
    }

    /// Ends the text.
    pub(crate) fn finish(&mut self) {
        self.count(true);
    }

    fn count(&mut self, is_over: bool) {
        while let Some(Block { text, around: [before, after], is_last }) = self.cutter.block(is_over) {
            let found = match validate(text) {
                Ok(text) => findings_in(text, Kinds::DEFAULT),
                // Text with surrogates is in generalised UTF-8.
                Err(_) => findings_of(text, Kinds::DEFAULT),
            };
            let found = found.between(before, after);
            for found in if self.is_begun { found.from_middle() } else { found } {
                self.counts[found.kind as usize] += 1;
            }
            let settled = text.len();
            self.is_begun |= settled > 0;
            self.cutter.settle(settled);
            if is_last {
                return;
            }
        }
    }
}
