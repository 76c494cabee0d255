//! Generates text of every kind.

use crate::random::Random;
use crate::texts::Text;

const LATIN: (char, char) = ('\u{C0}', '\u{FF}');
const CYRILLIC: (char, char) = ('а', 'я');
const HAN: (char, char) = ('\u{4E00}', '\u{9FA5}');
const EMOJI: (char, char) = ('\u{1F600}', '\u{1F64F}');

/// The kinds that are used if no folder of texts is given.
pub fn plain(len: usize) -> Vec<Text> {
    vec![
        Text::new("ASCII", fill(len, 1, word)),
        Text::new("Latin", fill(len, 2, accented)),
        Text::new("2-byte", fill(len, 3, |random, out| script(random, out, CYRILLIC, 6))),
        Text::new("3-byte", fill(len, 4, |random, out| script(random, out, HAN, 40))),
        Text::new("emoji", fill(len, 5, |random, out| out.push(random.char_in(EMOJI.0, EMOJI.1)))),
        Text::new("JSON", fill(len, 6, record)),
    ]
}

/// Kinds that real texts lack: ASCII with a rare other character, and all sequence lengths mixed.
pub fn special(len: usize) -> Vec<Text> {
    let mut texts = Vec::new();
    for gap in [30, 100, 300] {
        texts.push(Text::new(
            format!("sparse {gap}"),
            fill(len, gap as u64, |random, out| sparse(random, out, gap)),
        ));
    }
    for k in 2..=4 {
        texts.push(Text::new(
            format!("random 1-{k}"),
            fill(len, 10 + k as u64, |random, out| any(random, out, k)),
        ));
    }
    texts
}

/// Text to run before a timed call: words of all scripts, or of Latin only.
pub fn stranger(len: usize, latin: bool) -> String {
    fill(len, 99, |random, out| of_all(random, out, if latin { 2 } else { 6 }))
}

fn of_all(random: &mut Random, out: &mut String, kinds: usize) {
    match random.below(kinds) {
        0 => word(random, out),
        1 => accented(random, out),
        2 => script(random, out, CYRILLIC, 6),
        3 => script(random, out, HAN, 12),
        4 => script(random, out, ('\u{905}', '\u{939}'), 5),
        _ => out.push(random.char_in(EMOJI.0, EMOJI.1)),
    }
}

pub fn ascii(len: usize) -> String {
    fill(len, 21, word)
}

pub fn french(len: usize) -> String {
    fill(len, 22, accented)
}

/// Words of Cyrillic letters between spaces.
pub fn russian(len: usize) -> String {
    fill(len, 23, |random, out| script(random, out, CYRILLIC, 6))
}

/// Clauses of Chinese characters that end with `，` or `。`, and sometimes a number.
pub fn chinese(len: usize) -> String {
    fill(len, 24, |random, out| {
        for _ in 0..4 + random.below(16) {
            out.push(random.char_in(HAN.0, HAN.1));
        }
        match random.below(8) {
            0 => out.push_str(&random.below(3000).to_string()),
            1..=4 => out.push('，'),
            _ => out.push('。'),
        }
    })
}

/// Groups of a few emoji; every fourth group is a word instead.
pub fn emoji(len: usize) -> String {
    fill(len, 25, |random, out| {
        if random.below(4) == 0 {
            word(random, out);
        }
        for _ in 0..1 + random.below(4) {
            out.push(random.char_in(EMOJI.0, EMOJI.1));
        }
    })
}

/// Words of all scripts.
pub fn mixed(len: usize) -> String {
    fill(len, 26, |random, out| of_all(random, out, 6))
}

/// Messages: English words, and one to three emoji after about 150 characters of them.
pub fn chat(len: usize) -> String {
    fill(len, 27, |random, out| {
        for _ in 0..10 + random.below(30) {
            word(random, out);
        }
        for _ in 0..1 + random.below(3) {
            out.push(random.char_in(EMOJI.0, EMOJI.1));
        }
        out.push(' ');
    })
}

fn fill(len: usize, seed: u64, mut add: impl FnMut(&mut Random, &mut String)) -> String {
    let mut random = Random::new(seed);
    let mut out = String::with_capacity(len + 1000);
    while out.len() < len {
        add(&mut random, &mut out);
    }
    out
}

/// A word and a space, sometimes a line end.
fn word(random: &mut Random, out: &mut String) {
    for _ in 0..2 + random.below(8) {
        out.push(random.char_in('a', 'z'));
    }
    out.push(if random.below(12) == 0 { '\n' } else { ' ' });
}

/// A word in which one letter of about fifteen has an accent.
fn accented(random: &mut Random, out: &mut String) {
    for _ in 0..2 + random.below(8) {
        let letters = if random.below(15) == 0 { LATIN } else { ('a', 'z') };
        out.push(random.char_in(letters.0, letters.1));
    }
    out.push(' ');
}

/// A word of up to twice `typical` letters, and a space.
fn script(random: &mut Random, out: &mut String, letters: (char, char), typical: usize) {
    for _ in 0..1 + random.below(2 * typical) {
        out.push(random.char_in(letters.0, letters.1));
    }
    out.push(if random.below(10) == 0 { '\n' } else { ' ' });
}

/// ASCII, and one other character after about `gap` bytes of it.
fn sparse(random: &mut Random, out: &mut String, gap: usize) {
    for _ in 0..gap / 2 + random.below(gap) {
        let c = if random.below(6) == 0 { ' ' } else { random.char_in('a', 'z') };
        out.push(c);
    }
    out.push(['é', 'ß', '“', '”', '–', '€', 'ü', '’'][random.below(8)]);
}

/// A character of 1 to `k` bytes.
fn any(random: &mut Random, out: &mut String, k: usize) {
    let (first, last) =
        [('\u{20}', '\u{7E}'), ('\u{80}', '\u{7FF}'), ('\u{800}', '\u{D7FF}'), ('\u{10000}', '\u{10FFFF}')]
            [random.below(k)];
    out.push(random.char_in(first, last));
}

fn record(random: &mut Random, out: &mut String) {
    let id = random.below(1_000_000);
    out.push_str(&format!("{{\"id\": {id}, \"name\": \""));
    accented(random, out);
    out.push_str("\", \"tags\": [\"");
    word(random, out);
    out.push_str("\", \"");
    let letters = if random.below(4) == 0 { HAN } else { ('a', 'z') };
    script(random, out, letters, 8);
    out.push_str("\"], \"ok\": true}\n");
}
