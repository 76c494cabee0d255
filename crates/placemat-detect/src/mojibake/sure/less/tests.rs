//! What is lost on other pages against what it bounds.

use super::super::super::facts::Facts;
use super::super::super::line::merit;
use super::super::super::page::{COUNT, Page, TRIED};
use super::super::super::run::Reading;
use super::super::facts::KEPT;
use super::super::{Sure, parts, worn};
use super::*;

/// Letters of many languages, with those that windows-1254 and others lack when they are misread, and what stands between.
const TEXTS: [&str; 8] = [
    "ώΎ ώραΌμορφημέα—«ύ» 12 A",
    "株式会社林 Street電話。3番10号、カスタマー・ノートはい",
    "žluťkůňŠkodaŘím 5-ABC",
    "Nguyễn Thị Hồng,đường",
    "Зима—ёлка Объём 5 м",
    "שלום רוך מרכז «ךםץ», 5",
    "мир خطر “Ґґ” ř¨ž žšľ æøå",
    "한국어 번역 ไท “été”… naïveœ",
];

/// What the right page makes of a line more than another; `None` if that is not told.
fn told(sure: &mut Sure, line: &str, page: usize, other: usize) -> Option<i32> {
    let pages = sure.read(line)?;
    sure.bytes = sure.facts.iter().map(|fact| fact.bytes[page]).collect();
    if pages.all & KEPT == 0 {
        worn::replace_lost(&mut sure.islands, &mut sure.bytes, &mut sure.memory.bytes)?;
    }
    let bytes = sure.bytes.clone();
    let text = str::from_utf8(&bytes).ok()?;
    let is_read = pages.covering & 1 << page != 0 && pages.worn & 1 << other == 0;
    let sums = sure.weigh(line, text, page).filter(|sums| is_read && sums.certain().is_some())?;
    lead(line, parts(&sure.islands, &sure.facts), text, (page, other), &sums)
}

#[test]
fn no_page_is_nearer_than_told() {
    let (mut sure, mut random, mut count) = (Sure::default(), 1_u64, 0);
    let mut next = |most: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % most
    };
    let right =
        (0..COUNT).filter(|&page| !matches!(TRIED[page], Page::Iso8859_2 | Page::Cp866 | Page::Koi8R));
    for page in right {
        let all = (0x80..0x2600).filter_map(char::from_u32);
        let of: Vec<(u8, char)> =
            all.map(|c| (TABLE.get(c).bytes[page], c)).filter(|(byte, _)| *byte > 0).collect();
        let read = |byte: u8| of.iter().rfind(|(its, _)| *its == byte).map_or(byte.into(), |(_, c)| *c);
        for _ in 0..600 {
            let letters: Vec<char> = TEXTS[next(TEXTS.len())].chars().collect();
            let text: String = (0..2 + next(30)).map(|_| letters[next(letters.len())]).collect();
            let mut chars: Vec<char> = text.bytes().map(read).collect();
            let lost = next(2 * chars.len());
            if let Some(lost) = chars.get_mut(lost) {
                *lost = '\u{FFFD}';
            }
            let line: String = chars.iter().collect();
            let facts = Facts::of(&chars);
            for other in (0..COUNT).filter(|&other| other != page) {
                if let Some(lead) = told(&mut sure, &line, page, other) {
                    let [own, its] = [page, other].map(|page| merit(&Reading::of(&chars, &facts, page)));
                    assert!(own - its >= lead, "{line:?} {other}: {own} {its} {lead}");
                    count += usize::from(lead > 0);
                }
            }
        }
    }
    assert!(count > 1_000, "{count}");
}
