//! Counts characters by script.

use std::array;
use std::sync::{LazyLock, OnceLock};

use unicode_script::{Script, UnicodeScript as _};

use super::rows::{EXACT, ROWS};
use crate::place::count_bytes;

/// For each script: the number of code points, and of their bytes in UTF-8. A text has few scripts.
#[derive(Debug, Default)]
pub(crate) struct Scripts(pub(crate) Vec<(Script, u64, u64)>);

impl Scripts {
    /// Counts the characters of a text. Returns their number.
    pub(super) fn add(&mut self, text: &str) -> u64 {
        let bytes = text.as_bytes();
        let letters = count_bytes(bytes, |byte| byte.is_ascii_alphabetic());
        let ascii = count_bytes(bytes, |byte| byte.is_ascii());
        self.count(Script::Latin, letters, letters as usize);
        self.count(Script::Common, ascii - letters, (ascii - letters) as usize);
        if ascii == bytes.len() as u64 {
            return ascii;
        }
        let (at, others) = if bytes.len() < MANY { (0, 0) } else { self.many(bytes) };
        ascii + others + self.few(&bytes[at..])
    }

    /// Counts the characters that are not ASCII by their first bytes, nearly to the end. Returns the offset where it stopped, and
    /// the number.
    fn many(&mut self, bytes: &[u8]) -> (usize, u64) {
        let rows = &*ROWS;
        // Several sums in turn, since an addition must wait for the one before to the same sum.
        let mut sums = [[0_u32; 256]; TURNS];
        let (mut exact, mut at) = (0, 0);
        while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<{ BLOCK + AHEAD }>()) {
            let mut leads = leads(block);
            while leads != 0 {
                let lead = leads.trailing_zeros() as usize % BLOCK;
                leads &= leads - 1;
                let class = rows.class_of([block[lead], block[lead + 1], block[lead + 2]]);
                sums[lead % TURNS][usize::from(class)] += 1;
                if class == EXACT {
                    let (c, len) = character(&block[lead..]);
                    self.count(scripts_of(c / PAGE)[c % PAGE], 1, len);
                    exact += 1;
                }
            }
            at += BLOCK;
        }
        let mut all = exact;
        for (class, &(script, len)) in rows.meanings.iter().enumerate().skip(1) {
            let sum: u64 = sums.iter().map(|sums| u64::from(sums[class])).sum();
            self.count(script, sum, sum as usize * len);
            all += sum;
        }
        (at, all)
    }

    /// Counts the characters that are not ASCII one by one. The first may be cut off.
    fn few(&mut self, bytes: &[u8]) -> u64 {
        // Characters of one script come in runs, and on few pages.
        let (mut at, mut script, mut run, mut size) = (0, Script::Common, 0, 0);
        let (mut page, mut scripts) = (0, scripts_of(0));
        let mut all = 0;
        while let Some(&byte) = bytes.get(at) {
            if byte < 0x80 {
                at += ascii_here(&bytes[at..]);
                continue;
            }
            if byte < 0xC0 {
                at += 1;
                continue;
            }
            let (c, len) = character(&bytes[at..]);
            if c / PAGE != page {
                page = c / PAGE;
                scripts = scripts_of(page);
            }
            let next = scripts[c % PAGE];
            if next != script {
                all += run;
                self.count(script, run, size);
                (script, run, size) = (next, 0, 0);
            }
            run += 1;
            size += len;
            at += len;
        }
        self.count(script, run, size);
        all + run
    }

    pub(super) fn count(&mut self, script: Script, code_points: u64, bytes: usize) {
        if code_points == 0 {
            return;
        }
        let bytes = bytes as u64;
        match self.0.iter_mut().find(|(known, ..)| *known == script) {
            Some((_, sum, size)) => (*sum, *size) = (*sum + code_points, *size + bytes),
            None => self.0.push((script, code_points, bytes)),
        }
    }
}

/// The least number of bytes for which the tables are worth building.
const MANY: usize = 32 << 10;
/// The number of bytes that are read together, and of bytes after them that may belong to the last character.
const BLOCK: usize = 64;
const AHEAD: usize = 3;
/// The number of sums for each class.
const TURNS: usize = 4;

/// The number of code points whose scripts are looked up together.
pub(super) const PAGE: usize = 128;
const PAGES: usize = (char::MAX as usize + 1) / PAGE;

/// The scripts of the characters of each page that was needed. They are allocated: an array would be 139 KB of the binary, since
/// an empty `OnceLock` is not all zeros.
static KNOWN: LazyLock<Box<[Page]>> = LazyLock::new(|| (0..PAGES).map(|_| Page::new()).collect());
type Page = OnceLock<Box<[Script; PAGE]>>;

/// The scripts of the characters of a page. They are kept, since each look-up is a search: without that, 69 % of the time of a
/// survey was spent here.
pub(super) fn scripts_of(page: usize) -> &'static [Script; PAGE] {
    KNOWN[page].get_or_init(|| {
        let of = |at| char::from_u32((page * PAGE + at) as u32).map_or(Script::Unknown, |c| c.script());
        Box::new(array::from_fn(of))
    })
}

/// A bit for each byte of the block that is C0 or above. The CPU predicts the end of a loop over many bits better.
fn leads(block: &[u8; BLOCK + AHEAD]) -> u64 {
    let (words, _) = block.as_chunks();
    (0..).zip(words).fold(0, |leads, (at, word)| {
        let word = u64::from_le_bytes(*word);
        // The multiplication collects the highest bits in the highest byte.
        let each = (word & word << 1 & 0x8080_8080_8080_8080) >> 7;
        leads | each.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * at)
    })
}

/// The number of ASCII bytes at the start of the first eight; the first byte is ASCII.
fn ascii_here(bytes: &[u8]) -> usize {
    bytes.first_chunk().map_or(1, |word| {
        let high = u64::from_le_bytes(*word) & 0x8080_8080_8080_8080;
        high.trailing_zeros() as usize / 8
    })
}

/// The first character of well-formed text that starts with no ASCII, and its length.
fn character(bytes: &[u8]) -> (usize, usize) {
    let six = |byte: u8| usize::from(byte & 0x3F);
    match *bytes {
        [a @ 0xC0..0xE0, b, ..] => (usize::from(a & 0x1F) << 6 | six(b), 2),
        [a @ 0xE0..0xF0, b, c, ..] => (usize::from(a & 0x0F) << 12 | six(b) << 6 | six(c), 3),
        [a, b, c, d, ..] => (usize::from(a & 0x07) << 18 | six(b) << 12 | six(c) << 6 | six(d), 4),
        _ => (0, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_are_counted_as_few_are() {
        let pieces = [
            "a",
            "déjà ",
            "слово ",
            "日本語、",
            "ไทย ",
            "हिन्दी।",
            "😀",
            "한국",
            "\u{300}",
            "𐍈",
            "\u{FFFD}",
            "ש,",
        ];
        let mut seed = 1992_usize;
        for size in [MANY, MANY + 1, 2 * MANY + 5] {
            let mut text = String::new();
            while text.len() < size {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) % (1 << 32);
                text.push_str(&pieces[(seed >> 16) % pieces.len()].repeat(1 + (seed >> 28)));
            }
            let (mut many, mut few) = (Scripts::default(), Scripts::default());
            let all = many.add(&text);
            let sum: u64 = text.split_inclusive(' ').map(|part| few.add(part)).sum();
            assert_eq!((all, sum), (text.chars().count() as u64, all));
            many.0.sort_unstable_by_key(|(script, ..)| *script as u8);
            few.0.sort_unstable_by_key(|(script, ..)| *script as u8);
            assert_eq!(many.0, few.0);
        }
    }
}
