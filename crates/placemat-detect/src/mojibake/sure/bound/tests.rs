//! The bounds against what they bound.

use super::super::super::facts::Facts;
use super::super::super::line::merit;
use super::super::super::page::TABLE;
use super::super::super::run::Reading;
use super::super::facts::KEPT;
use super::super::{Sure, parts, rival};
use super::*;

/// What was misread: letters of many languages, signs, what is mojibake itself, and what stands between.
const TEXT: &str = "aE  ..éàßÉñçłőøÅþğсотёіяРВΩσьخا日本のカ한—“”’…«»°±²³·©®™€ÃÂâ¢¿¡½\u{a0}\u{92}\u{85}\u{202c}ﬁ√│ệừĐđ\u{1F600}\u{380}";

fn text(random: &mut u64) -> String {
    let all: Vec<char> = TEXT.chars().collect();
    let mut next = || {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*random >> 33) as usize
    };
    (0..2 + next() % 12).map(|_| all[next() % all.len()]).collect()
}

/// What a page reads each byte as.
fn characters(page: usize) -> Vec<char> {
    let on_page = |byte: u8| {
        let mut all = (0x80..0x2600).filter_map(char::from_u32);
        let found = all.find(|&c| TABLE.get(c).bytes[page] == byte);
        if byte.is_ascii() { byte.into() } else { found.unwrap_or('?') }
    };
    (0..=255).map(on_page).collect()
}

#[test]
fn no_page_makes_more_of_a_line_than_its_bound() {
    let (mut sure, mut random, mut told) = (Sure::default(), 1, 0);
    for page in 0..COUNT {
        let of = characters(page);
        let misread = |text: &str| text.bytes().map(|byte| of[usize::from(byte)]).collect::<String>();
        for round in 0..400 {
            let once = misread(&text(&mut random));
            let line = if round % 5 == 0 { misread(&once) } else { once };
            let Some(pages) = sure.read(&line) else { continue };
            let others = pages.some & !pages.worn;
            let bounds = Bounds::of(&line, parts(&sure.islands, &sure.facts), others);
            // What tells nothing.
            let unknown = Bounds { covered: [usize::MAX; COUNT], ..Bounds::default() };
            for other in members(others) {
                let merit = bounds.merits[other] + 1;
                if bounds.is_outdone(other, 0, merit, sure.facts.len()) {
                    let memory = (&mut sure.known, &mut sure.memory);
                    let islands = parts(&sure.islands, &sure.facts);
                    assert!(
                        rival::is_outdone(&line, islands, (other, merit), Some((&unknown, 0)), memory),
                        "{line:?} {other}"
                    );
                    told += 1;
                }
            }
        }
    }
    assert!(told > 2_000, "{told}");
}

#[test]
fn what_is_left_is_within_the_bounds() {
    let (mut sure, mut random, mut told) = (Sure::default(), 3, 0);
    for page in 0..COUNT {
        let of = characters(page);
        let misread = |text: &str| text.bytes().map(|byte| of[usize::from(byte)]).collect::<String>();
        for round in 0..60 {
            let between = if round % 2 == 0 { " " } else { "" };
            let lines: Vec<String> = (0..40).map(|_| misread(&text(&mut random))).collect();
            let line = lines.join(between);
            let Some(pages) = sure.read(&line) else { continue };
            let others = pages.some & !pages.worn;
            let (whole, count) = (parts(&sure.islands, &sure.facts), sure.facts.len());
            let bounds = Bounds::of(&line, whole, others);
            for island in 0..sure.islands.len() {
                let from = sure.islands[..island].last().map_or(0, |island| island.count);
                let rest = || parts(&sure.islands, &sure.facts).skip(island);
                let own = Bounds::of(&line, rest(), others);
                for other in members(others).filter(|other| bounds.covered[*other] < count) {
                    let least = own.merits[other];
                    assert!(!bounds.is_outdone(other, from, least, count), "{line:?} {other} {from}");
                    told += usize::from(from >= APART && least > 0);
                }
            }
        }
    }
    assert!(told > 500, "{told}");
}

#[test]
fn worn_sequences_are_within_the_bounds() {
    let (mut sure, mut random, mut count) = (Sure::default(), 2, 0);
    for page in 0..COUNT {
        let of = characters(page);
        let misread = |text: &str| text.bytes().map(|byte| of[usize::from(byte)]).collect::<String>();
        for round in 0..600 {
            let mut line = misread(&text(&mut random));
            if round % 5 == 0 {
                line = misread(&line);
            }
            if round % 3 == 0 {
                // What goes on with a sequence is lost here and there.
                let lost =
                    |(at, c): (usize, char)| if at % 7 == round % 7 && at > 0 { '\u{FFFD}' } else { c };
                line = line.chars().enumerate().map(lost).collect();
            }
            let Some(pages) = sure.read(&line) else { continue };
            let bounds = Bounds::of(&line, parts(&sure.islands, &sure.facts), pages.some);
            let chars: Vec<char> = line.chars().collect();
            let facts = Facts::of(&chars);
            for other in members(pages.some) {
                let most = bounds.merits[other];
                let own = merit(&Reading::of(&chars, &facts, other));
                assert!(own <= most, "{line:?} {other}: {own} {most}");
                count += usize::from(own > 0 && (pages.worn & 1 << other != 0 || pages.all & KEPT == 0));
            }
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn no_character_of_a_page_is_rarer() {
    assert!(facts().iter().all(|fact| fact.pages == KEPT || i32::from(fact.rarity) <= RAREST));
}
