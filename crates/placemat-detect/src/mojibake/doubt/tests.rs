//! The bounds against what they bound.

use super::super::page::{FIRST_LATE, TABLE};
use super::*;

/// Numbers from a fixed seed.
struct Random(u64);

impl Random {
    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        all[(self.0 >> 33) as usize % all.len()]
    }
}

/// The characters of the pages that the bounds are asked about.
fn pages() -> Vec<char> {
    let is_on_one = |&c: &char| TABLE.get(c).pages & ((1 << FIRST_LATE) - 1) != 0;
    (0x80..0x1_0000).filter_map(char::from_u32).filter(is_on_one).collect()
}

/// Text, and what stands before and behind it.
fn check(random: &mut Random, around: &[char], text: &[char], says: impl Fn(&[char], i32)) {
    let edges: Vec<Option<char>> = around.iter().copied().map(Some).chain([None]).collect();
    for length in (2..9).flat_map(|length| [length; 20_000]) {
        let before: Vec<char> = (0..3).filter_map(|_| random.of(&edges)).collect();
        let text: Vec<char> = (0..length).map(|_| random.of(text)).collect();
        let doubt = Doubt::after(&before, &[]).over(&text, random.of(&edges));
        says(&text, doubt);
    }
}

#[test]
fn there_is_no_less_doubt_than_the_least() {
    let pages = pages();
    assert!(pages.iter().all(|&c| look_at(c).kind != Kind::Mark && !look_at(c).ascii));
    let ascii: Vec<char> = (' '..='~').collect();
    let odd = ['Å', 'Ω', 'Р', '²', '°', '·', '¿', '¡', '\u{85}', '\u{92}', 'Â', 'Ã', '\u{A0}', '™'];
    for text in [&pages[..], &odd] {
        check(&mut Random(1), &ascii, text, |text, doubt| {
            let least: i32 = text.iter().map(|&c| i32::from(least(&look_at(c)))).sum();
            assert!(least <= doubt, "{text:?}: {least} {doubt}");
        });
    }
}

#[test]
fn there_is_no_more_doubt_than_the_most() {
    let all: Vec<char> = ('\u{80}'..'\u{3100}').chain('一'..'丠').filter(|c| !c.is_control()).collect();
    let plain: Vec<char> = "Абвя—–、。•日本語ーのカéÉâÂαΩ한ا".chars().collect();
    let around: Vec<char> = (' '..='~').filter(|c| !c.is_ascii_alphabetic()).collect();
    let told = std::cell::Cell::new(0);
    for text in [&plain[..], &all] {
        check(&mut Random(2), &around, text, |text, doubt| {
            if let Some(most) = most(text.iter().map(|&c| look_at(c))) {
                told.set(told.get() + 1);
                assert!(doubt <= most, "{text:?}: {doubt} {most}");
            }
        });
    }
    assert!(told.get() > 5_000, "{}", told.get());
}

#[test]
fn pairs_cost_no_more_than_the_most() {
    let pages = pages();
    let odd = [
        'Å', 'Ω', 'Р', '²', '°', '·', '¿', '\u{92}', 'Â', 'Ã', 'â', '\u{A0}', '™', '”', '“', '»', '√', '│',
        'é', 'É',
    ];
    let around: Vec<char> = (' '..='~').collect();
    for text in [&pages[..], &odd] {
        let random = &mut Random(3);
        for length in (2..9).flat_map(|length| [length; 10_000]) {
            check_pairs(random, &around, text, length);
        }
    }
}

/// The most by pairs against the doubt in one text.
fn check_pairs(random: &mut Random, around: &[char], text: &[char], length: usize) {
    let before: Vec<char> = (0..3).map(|_| random.of(around)).collect();
    let text: Vec<char> = (0..length).map(|_| random.of(text)).collect();
    let next = random.of(around);
    let doubt = Doubt::after(&before, &[]).over(&text, Some(next));
    let all: Vec<Look> = before.iter().chain(&text).chain([&next]).map(|&c| look_at(c)).collect();
    let most = |looks: &[Look]| {
        let is_symbol = |part| matches!(part, Part::Symbol | Part::Unit);
        let is_symbol = is_symbol(looks[0].part) && !is_symbol(looks[1].part) && looks[1].part != Part::None;
        most_of_pair(&looks[1], &looks[2]) + if is_symbol { NO_SYMBOL } else { 0 }
    };
    let rarity: i32 = text.iter().map(|&c| i32::from(look_at(c).rarity)).sum();
    let most = rarity + all[1..].windows(3).map(most).sum::<i32>();
    assert!(doubt <= most, "{before:?} {text:?} {next:?}: {doubt} {most}");
}

#[test]
fn what_stands_behind_ascii_is_as_doubtful_as_behind_its_characters() {
    let all = || (0..0x80_u8).step_by(3).chain(*b" aZ0.");
    for before in all().flat_map(|a| all().flat_map(move |b| all().map(move |c| [a, b, c]))) {
        let [by_bytes, by_chars] = [Doubt::after_ascii(before), Doubt::after(&before.map(char::from), &[])];
        for text in [&['Ã', '©'][..], &['»', 'é'], &['Ω'], &['²', '·'], &['é', 'É', 'é'], &['\u{92}', 's']]
        {
            assert_eq!(by_bytes.over(text, Some('x')), by_chars.over(text, Some('x')), "{before:?} {text:?}");
        }
    }
}
