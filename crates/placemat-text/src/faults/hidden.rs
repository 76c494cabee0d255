//! Characters that are not shown and that their place does not explain ([`placemat::invisible`]), with their places.

use std::io::{self, Read};

use placemat::invisible::{Kinds, findings_of};

use super::run::{Places, Run, What, each_block};
use super::unfinished;
use crate::hidden::found;

/// Count the findings of these kinds in a text in UTF-8, and report up to `limit` of them. Where the input breaks off, why, beside
/// those before. Lines above a mebibyte are looked at in parts.
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
    let broken = each_block(input, |block, offset, is_last| {
        let settled = if is_last { block.len() } else { block.len() - unfinished(block) };
        let text = &block[..settled];
        if runs < limit {
            for found in found(text, kinds, offset == 0) {
                if runs < limit {
                    let range = found.offset..found.offset + found.length;
                    report(&places.run(text, offset, range, What::Hidden(found.kind)))?;
                }
                runs += 1;
            }
            places.end(text);
        } else {
            // A mark counts at the start alone.
            let found = findings_of(text, kinds);
            runs += if offset > 0 { found.from_middle() } else { found }.count() as u64;
        }
        Ok(settled)
    })?;
    Ok((runs, broken))
}
