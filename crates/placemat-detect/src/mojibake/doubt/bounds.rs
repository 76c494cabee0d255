//! Bounds of the doubt in a text, found with little of what stands around it.
#![forbid(unsafe_code)]

use super::super::letters::{EDGE, Kind, Look, Part, look_at};
use super::{ASK, Doubt, Past, SYMBOL};

/// What a character adds at least to the doubt in a text beyond ASCII, of two characters or more and without marks: its rarity, less what [`Doubt::pair`]
/// takes off where it stands behind another or before one.
pub(in crate::mojibake) fn least(look: &Look) -> i8 {
    let behind = if matches!(look.part, Part::Power | Part::Degree | Part::Times) { SYMBOL } else { 0 };
    let before = if look.kind == Kind::Ask { ASK } else { 0 };
    i8::try_from(i32::from(look.rarity) + behind + before).unwrap_or(i8::MAX)
}

/// The most doubt that there is in a text where no letters of ASCII touch it, if it is plain: words, and dashes and marks between them.
#[inline]
pub(in crate::mojibake) fn most(text: impl Iterator<Item = Look>) -> Option<i32> {
    let (mut last, mut sum) = (EDGE, 0);
    for look in text {
        sum += i32::from(look.rarity) + most_between(&last, &look)?;
        last = look;
    }
    Some(sum)
}

/// The most that [`Doubt::pair`] can say, where this is easily told. A capital has no letter before it here.
#[inline]
pub(in crate::mojibake) fn most_between(last: &Look, next: &Look) -> Option<i32> {
    let is_letter = next.kind.is_letter();
    if last.kind.is_letter() && is_letter {
        let tongues = last.tongues & next.tongues != 0 || last.tongues == 0 || next.tongues == 0;
        return (next.kind != Kind::Upper && last.script == next.script && tongues).then_some(0);
    }
    match (last.kind, next.kind) {
        (Kind::Space, Kind::Link) => Some(0),
        (Kind::Space, _) if is_letter => Some(0),
        (Kind::Link, Kind::Lower) => Some(24),
        (Kind::Link, _) if is_letter => Some(10),
        (Kind::Link, Kind::Link) => Some(2),
        (a, Kind::Link) if a.is_letter() && !last.never_alone => Some(0),
        _ => None,
    }
}

/// The same of a text in which U+FFFD stands.
pub(in crate::mojibake) fn most_with_lost(text: impl Iterator<Item = Look>) -> Option<i32> {
    let (mut last, mut sum) = (EDGE, 0);
    for look in text {
        let most = most_between(&last, &look).or_else(|| most_beside_lost(&last, &look));
        sum += i32::from(look.rarity) + most?;
        last = look;
    }
    Some(sum)
}

/// As [`most_between`] where one of the two is U+FFFD.
pub(in crate::mojibake) fn most_beside_lost(last: &Look, next: &Look) -> Option<i32> {
    match (last.kind, next.kind) {
        (Kind::Space | Kind::Other, Kind::Other) => Some(0),
        (Kind::Link, Kind::Other) | (Kind::Other, Kind::Link) => Some(2),
        (a, Kind::Other) if a.is_letter() => Some(10),
        (Kind::Other, b) if b.is_letter() => Some(10),
        _ => None,
    }
}

/// The most that [`Doubt::pair`] can say of two characters of pages or of ASCII, whatever stands before them, or 0: without [`super::NO_SYMBOL`], and as
/// if letters had no language in common.
pub(in crate::mojibake) fn most_of_pair(last: &Look, next: &Look) -> i32 {
    let apart = |look: &Look, tongue| Look { tongues: if look.tongues == 0 { 0 } else { tongue }, ..*look };
    let (last, next) = (apart(last, 1), apart(next, 2));
    let letters: &[u8] = if last.kind.is_letter() { &[1, 2, 3] } else { &[0] };
    let mut most = 0;
    // What may matter in the character before them, and of the word that ends with the first.
    for last_but_one in " aéÉ”±".chars().map(look_at) {
        let last_but_one = Past::of(&last_but_one);
        for &letters in letters {
            for capitals in 0..=letters {
                let doubt = Doubt { last, last_but_one, letters, capitals, part: Part::None, sum: 0 };
                most = most.max(doubt.pair(&next));
            }
        }
    }
    most
}
