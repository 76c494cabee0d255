//! Runs of mojibake: well-formed text that was decoded twice.

use std::io::{self, Read};

use placemat_detect::mojibake::Page;

use super::run::{Places, Run, What, each_block};
use crate::repair::blocks::Block;
use crate::repair::mend::{Mender, Mending, Rule};

/// Count the runs in a text in UTF-8, and report up to `limit` of them. Where the input breaks off, why, beside those before.
///
/// # Errors
/// Those of `report`.
///
/// ```
/// use placemat_text::faults::misread::search;
///
/// let (runs, broken) = search(&mut "café\ncafÃ©".as_bytes(), 10, &mut |run| {
///     assert_eq!((run.line, run.column, run.bytes), (2, 4, "Ã©".as_bytes()));
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// assert!(runs == 1 && broken.is_none());
/// ```
pub fn search<E>(
    input: &mut dyn Read,
    limit: u64,
    report: &mut dyn FnMut(&Run<'_>) -> Result<(), E>,
) -> Result<(u64, Option<io::Error>), E> {
    let mut mender = Mender::new(Mending { mojibake: true, ..Mending::default() });
    let (mut places, mut runs) = (Places::new(), 0);
    let broken = each_block(input, |Block { text: block, is_last, .. }, offset| {
        let (settled, changes) = mender.block(block, is_last);
        for change in &changes {
            let Rule::Mojibake(via) = &change.rule else { continue };
            if runs < limit {
                let range = (change.range.start - offset) as usize..(change.range.end - offset) as usize;
                report(&places.run(block, offset, range, What::Mojibake { text: &change.text, via }))?;
            }
            runs += 1;
        }
        if runs < limit {
            places.end(&block[..settled]);
        }
        Ok(settled)
    })?;
    Ok((runs, broken))
}

/// "Ã© stands for é: its UTF-8 was read as windows-1252".
pub(super) fn sentence(run: &[u8], text: &str, via: &[Page]) -> String {
    let pages: Vec<_> = via.iter().rev().map(|page| page.name()).collect();
    let (run, text) = (crate::escape::bytes(run), crate::escape::text(text));
    format!("{run} stands for {text}: its UTF-8 was read as {}", pages.join(", then as "))
}
