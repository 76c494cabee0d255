//! Characters that are not shown and that their place does not explain ([`placemat::invisible`]), with their places.

use std::io::{self, Read};

use placemat::CodePoint;
use placemat::invisible::{Kind, Kinds, findings_of};

use super::run::{Places, Run, What, each_block};
use super::unfinished;
use crate::escape::{self, Cut};
use crate::explain::character;

/// Columns of a hidden text that are shown.
pub(crate) const SHOWN: usize = 40;

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
        let found = findings_of(text, kinds);
        let found = if offset > 0 { found.from_middle() } else { found };
        if runs < limit {
            let mut found: Vec<_> = found.collect();
            found.sort_by_key(|found| found.offset);
            for found in found {
                if runs < limit {
                    let range = found.offset..found.offset + found.length;
                    report(&places.run(text, offset, range, What::Hidden(found.kind)))?;
                }
                runs += 1;
            }
            places.end(text);
        } else {
            runs += found.count() as u64;
        }
        Ok(settled)
    })?;
    Ok((runs, broken))
}

/// What is wrong with a finding.
pub(super) fn sentence(kind: Kind, run: &Run<'_>) -> String {
    let text = str::from_utf8(run.bytes).unwrap_or_default();
    let count = text.chars().count();
    let first = text.chars().next().unwrap_or_default();
    let name = format!("U+{:04X} {}", u32::from(first), character::name(CodePoint::from(first)));
    let hides = || match run.payload() {
        Some(payload) => {
            let payload = escape::text(&payload).to_string();
            format!(", hide “{}”", escape::shortened(&payload, SHOWN, Cut::End))
        }
        None => String::new(),
    };
    match kind {
        Kind::TagPayload if count > 1 => format!("{count} tag characters, which are not shown{}", hides()),
        Kind::VariationPayload if count > 1 => {
            format!("{count} variation selectors, which are not shown{}", hides())
        }
        Kind::VariationPayload => format!("{name} is not shown, and what precedes it has no such variant"),
        Kind::BidiUnbalanced => format!("{name} changes the order in which this line is shown"),
        Kind::TagPayload | Kind::ZeroWidth | Kind::Invisible => {
            format!("{name} is not shown, and nothing beside it needs it")
        }
        Kind::Control => format!("{name} is a control code"),
        Kind::PrivateUse => format!("{name} is for private use, and means nothing to others"),
        Kind::Noncharacter => format!("{name} is no character, and not for interchange"),
        Kind::Unassigned => {
            format!("{name} is not assigned in Unicode {}", placemat::invisible::UNICODE_VERSION)
        }
        kind => rule(kind).to_owned(),
    }
}

/// Characters of a run that are shown at its start.
const FIRST: usize = 3;

/// Each character as `\u{…}`; of more than a few, the first ones and the last.
///
/// ```
/// use placemat_text::faults::hidden::shown;
/// assert_eq!(shown("\u{200B}".as_bytes()), r"\u{200b}");
/// assert_eq!(shown("\u{FE00}".repeat(9).as_bytes()), r"\u{fe00}\u{fe00}\u{fe00}…\u{fe00}");
/// ```
#[must_use]
pub fn shown(run: &[u8]) -> String {
    let text = String::from_utf8_lossy(run);
    let last = text.chars().count().saturating_sub(1);
    let mut shown = String::new();
    for (at, c) in text.chars().enumerate() {
        if at == FIRST && at < last {
            shown.push('…');
        }
        if at < FIRST || at == last {
            shown.extend(c.escape_unicode());
        }
    }
    shown
}

/// What such a finding is, in general.
pub(super) fn rule(kind: Kind) -> &'static str {
    match kind {
        Kind::TagPayload => "Tag characters, which are not shown and can hide text.",
        Kind::VariationPayload => "Variation selectors that select nothing and can hide bytes.",
        Kind::BidiUnbalanced => {
            "A bidirectional control that is not closed on its line, or has a delimiter of strings or comments inside."
        }
        Kind::ZeroWidth => "A character without width where nothing needs one.",
        Kind::Invisible => "A character that is not shown where nothing needs one.",
        Kind::Control => "A control code other than tab and line ends.",
        Kind::PrivateUse => "A character for private use.",
        Kind::Noncharacter => "A noncharacter.",
        Kind::Unassigned => "A code point that Unicode has not assigned.",
        _ => "A character that is not shown.",
    }
}
