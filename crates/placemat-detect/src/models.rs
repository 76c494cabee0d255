//! Statistics of languages in Unicode, independent of any encoding: how often one letter follows another,
//! and how often a character of Chinese, Japanese or Korean occurs. `models/README.md` names the sources.
#![forbid(unsafe_code)]

use std::sync::OnceLock;

/// Quarter bits.
pub(crate) type Cost = u8;

/// The writing systems that the single-byte encodings serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    Latin,
    Cyrillic,
    Greek,
    Hebrew,
    Arabic,
    Thai,
}

const SCRIPTS: [Script; 6] =
    [Script::Latin, Script::Cyrillic, Script::Greek, Script::Hebrew, Script::Arabic, Script::Thai];

/// Pair statistics of one language.
#[derive(Clone, Debug)]
pub(crate) struct Language {
    /// The two-letter code of ISO 639.
    pub(crate) name: &'static str,
    /// The name in English.
    pub(crate) title: &'static str,
    pub(crate) script: Script,
    /// Lower-case letters in code point order.
    letters: Vec<char>,
    /// `(letters + 2)` rows (after no letter, after each letter, after a foreign one) of `letters + 1` costs.
    costs: Vec<Cost>,
}

/// The cost of a letter outside the alphabet.
const FOREIGN: Cost = 88;
/// The cost of a pair that a language borrows from others of its script, in addition to its average cost there.
const BORROWED: Cost = 16;
/// The weight of a language with few readers in the average of its script.
const SELDOM: f32 = 0.1;
const FEW_READERS: &[&str] =
    &["af", "br", "cy", "eo", "eu", "fo", "ga", "gd", "gl", "is", "kl", "mt", "se", "sq", "be", "mk", "sr"];

/// The cost of two neighbours that are not letters, which the tables do not cover.
const APART: Cost = 4;

impl Language {
    /// The number for "no letter".
    pub(crate) const BREAK: u8 = 0;

    /// The number of a lower-case letter, or the number for "foreign letter".
    pub(crate) fn index(&self, letter: char) -> u8 {
        // Most Latin alphabets begin with all of a to z.
        let at = (letter as usize).wrapping_sub('a' as usize);
        if self.letters.get(at) == Some(&letter) {
            return at as u8 + 1;
        }
        self.letters.binary_search(&letter).map_or(self.letters.len() + 1, |at| at + 1) as u8
    }

    /// The cost of `next` after `previous`, both from [`Self::index`].
    pub(crate) fn cost(&self, previous: u8, next: u8) -> Cost {
        let columns = self.letters.len() + 1;
        if previous == Self::BREAK && next == Self::BREAK {
            return APART;
        }
        if usize::from(next) >= columns {
            return FOREIGN;
        }
        self.costs[usize::from(previous) * columns + usize::from(next)]
    }

    fn parse(block: &'static str) -> Option<Self> {
        let mut lines = block.lines();
        let mut words = lines.next()?.split(' ');
        let (name, script, title) = (words.next()?, words.next()?, words.next()?);
        let script = match script {
            "latin" => Script::Latin,
            "cyrillic" => Script::Cyrillic,
            "greek" => Script::Greek,
            "hebrew" => Script::Hebrew,
            "arabic" => Script::Arabic,
            "thai" => Script::Thai,
            _ => return None,
        };
        let letters: Vec<char> = lines.next()?.chars().collect();
        let costs: Vec<Cost> = lines.flat_map(str::bytes).map(|b| b.saturating_sub(b'0')).collect();
        let whole = costs.len() == (letters.len() + 2) * (letters.len() + 1);
        whole.then_some(Self { name, title, script, letters, costs })
    }
}

/// Every language, parsed once, with the pairs that it borrows.
pub(crate) fn languages() -> &'static [Language] {
    static LANGUAGES: OnceLock<Vec<Language>> = OnceLock::new();
    LANGUAGES.get_or_init(|| {
        let own: Vec<_> = blocks(include_str!("models/languages.txt")).filter_map(Language::parse).collect();
        let averages = SCRIPTS.map(|script| Average::new(script, &own));
        let average = |language: &Language| averages.iter().find(|a| a.script == language.script);
        own.iter()
            .map(|language| average(language).map_or_else(|| language.clone(), |a| a.lend(language)))
            .collect()
    })
}

/// The letters of every language, in lower case; some several times.
pub(crate) fn letters() -> impl Iterator<Item = char> {
    blocks(include_str!("models/languages.txt")).filter_map(|block| block.lines().nth(1)).flat_map(str::chars)
}

/// The languages of a script, and what each pair of letters costs in all of them, side by side. All of them have every letter of the
/// script.
pub(crate) struct Alphabet {
    script: Script,
    /// The indices of the languages in [`languages`].
    pub(crate) languages: Vec<usize>,
    /// The number of different numbers that a letter can have.
    numbers: usize,
    /// The number of costs of a pair: one for each language, and zeros up to a multiple of [`SIDE_BY_SIDE`].
    stride: usize,
    costs: Vec<Cost>,
    /// The least cost of each pair in any of the languages.
    least: Vec<Cost>,
}

/// The number of languages whose costs are added at once, in vectors. To add a remainder one by one would take longer than all the
/// rest.
const SIDE_BY_SIDE: usize = 16;

impl Alphabet {
    fn of(script: Script) -> Self {
        let all = languages();
        let languages: Vec<usize> = (0..all.len()).filter(|&at| all[at].script == script).collect();
        let numbers = languages.first().map_or(0, |&at| all[at].letters.len() + 2);
        let stride = languages.len().next_multiple_of(SIDE_BY_SIDE);
        let mut costs = Vec::with_capacity(numbers * numbers * stride);
        let mut least = Vec::with_capacity(numbers * numbers);
        for (previous, next) in (0..numbers).flat_map(|a| (0..numbers).map(move |b| (a as u8, b as u8))) {
            let start = costs.len();
            costs.extend(languages.iter().map(|&at| all[at].cost(previous, next)));
            least.extend(costs[start..].iter().min());
            costs.resize(start + stride, 0);
        }
        Self { script, languages, numbers, stride, costs, least }
    }

    /// The cost of this pair in each language, then zeros.
    fn pair(&self, previous: u8, next: u8) -> &[Cost] {
        let at = (usize::from(previous) * self.numbers + usize::from(next)) * self.stride;
        &self.costs[at..at + self.stride]
    }

    /// The bits of pairs in each language, each pair times its weight.
    pub(crate) fn bits(&self, pairs: impl Iterator<Item = (f32, u8, u8)>) -> Vec<f32> {
        // A quarter of the weight is exact, as a quarter of the cost would be.
        let found = pairs.map(|(weight, previous, next)| (weight / 4.0, self.pair(previous, next)));
        let found: Vec<(f32, &[Cost])> = found.collect();
        let mut bits = Vec::with_capacity(self.stride);
        for lane in (0..self.stride).step_by(SIDE_BY_SIDE) {
            bits.extend_from_slice(&sums(&found, lane));
        }
        bits.truncate(self.languages.len());
        bits
    }

    /// The least cost of this pair in any language, in quarter bits.
    pub(crate) fn least(&self, previous: u8, next: u8) -> f32 {
        f32::from(self.least[usize::from(previous) * self.numbers + usize::from(next)])
    }

    /// The cost of a text in the language that suits it best, in quarter bits. `text` has the numbers of its letters, with
    /// [`Language::BREAK`] at its ends and between its words. Time is linear, times the number of languages.
    pub(crate) fn spelt(&self, text: &[u8]) -> u32 {
        let mut sums = vec![0_u32; self.languages.len()];
        for pair in text.windows(2) {
            let costs = self.pair(pair[0], pair[1]);
            sums.iter_mut().zip(costs).for_each(|(sum, cost)| *sum += u32::from(*cost));
        }
        sums.into_iter().min().unwrap_or(u32::MAX)
    }

    /// Whether one of its languages has this lower-case letter.
    #[cfg(test)]
    pub(crate) fn has(&self, letter: char) -> bool {
        self.first().is_some_and(|language| language.letters.binary_search(&letter).is_ok())
    }

    /// The first of its languages. Every alphabet has one.
    pub(crate) fn first(&self) -> Option<&'static Language> {
        languages().get(*self.languages.first()?)
    }
}

/// The sums of the costs, for the languages from `lane` on.
#[inline(never)]
fn sums(found: &[(f32, &[Cost])], lane: usize) -> [f32; SIDE_BY_SIDE] {
    let mut sums = [0.0; SIDE_BY_SIDE];
    for (quarter, costs) in found {
        let costs: &[Cost; SIDE_BY_SIDE] = costs[lane..].first_chunk().unwrap_or(&[0; SIDE_BY_SIDE]);
        sums = core::array::from_fn(|i| sums[i] + quarter * f32::from(costs[i]));
    }
    sums
}

/// The alphabet of each script, made once.
pub(crate) fn alphabets() -> &'static [Alphabet; 6] {
    static ALPHABETS: OnceLock<[Alphabet; 6]> = OnceLock::new();
    ALPHABETS.get_or_init(|| SCRIPTS.map(Alphabet::of))
}

/// The alphabet of a script.
pub(crate) fn alphabet(script: Script) -> &'static Alphabet {
    let all = alphabets();
    all.iter().find(|alphabet| alphabet.script == script).unwrap_or(&all[0])
}

/// How often a letter of a script follows another, over all its languages.
struct Average {
    script: Script,
    letters: Vec<char>,
    /// As in [`Language`], without the last row, and with [`BORROWED`] added.
    costs: Vec<Cost>,
}

impl Average {
    fn new(script: Script, languages: &[Language]) -> Self {
        let members: Vec<_> = languages.iter().filter(|language| language.script == script).collect();
        let mut letters: Vec<char> =
            members.iter().flat_map(|language| language.letters.iter().copied()).collect();
        letters.sort_unstable();
        letters.dedup();
        let size = letters.len() + 1;
        let mut shares = vec![0.0; size * size];
        let weight = |l: &Language| if FEW_READERS.contains(&l.name) { SELDOM } else { 1.0 };
        let total: f32 = members.iter().map(|language| weight(language)).sum();
        for language in members {
            let at: Vec<usize> = core::iter::once(0)
                .chain(language.letters.iter().filter_map(|c| Some(letters.binary_search(c).ok()? + 1)))
                .collect();
            for (row, &a) in at.iter().enumerate() {
                for (column, &b) in at.iter().enumerate() {
                    let bits = f32::from(language.cost(row as u8, column as u8)) / 4.0;
                    shares[a * size + b] += weight(language) / total * (-bits).exp2();
                }
            }
        }
        let borrowed = |share: f32| ((-4.0 * share.max(1e-9).log2()) as Cost + BORROWED).min(FOREIGN);
        Self { script, letters, costs: shares.into_iter().map(borrowed).collect() }
    }

    /// Returns the language with every letter of its script. A pair that is cheaper in the average gets that cost.
    fn lend(&self, language: &Language) -> Language {
        let size = self.letters.len() + 1;
        let own: Vec<u8> = core::iter::once(Language::BREAK)
            .chain(self.letters.iter().map(|c| language.index(*c)))
            .collect();
        let mut costs = Vec::with_capacity((size + 1) * size);
        for (row, &a) in own.iter().enumerate() {
            for (column, &b) in own.iter().enumerate() {
                costs.push(language.cost(a, b).min(self.costs[row * size + column]));
            }
        }
        let foreign = (language.letters.len() + 1) as u8;
        costs.extend(own.iter().map(|&b| language.cost(foreign, b)));
        Language { letters: self.letters.clone(), costs, ..language.clone() }
    }
}

/// How often each character occurs in a language with thousands of them.
#[derive(Debug)]
pub(crate) struct Characters {
    pub(crate) name: &'static str,
    /// The name in English.
    pub(crate) title: &'static str,
    /// Half bits by code unit; 0 if unknown.
    costs: Vec<u8>,
}

impl Characters {
    /// The bits of a character, if it is among the frequent ones.
    pub(crate) fn cost(&self, unit: u16) -> Option<f32> {
        match self.costs[usize::from(unit)] {
            0 => None,
            half_bits => Some(f32::from(half_bits) / 2.0),
        }
    }

    fn parse(block: &'static str) -> Option<Self> {
        let mut lines = block.lines();
        let (name, title) = lines.next()?.split_once(' ')?;
        let mut costs = vec![0; 0x1_0000];
        for line in lines {
            let (cost, characters) = line.split_once(' ')?;
            let cost = cost.parse().ok()?;
            for c in characters.chars() {
                *costs.get_mut(c as usize)? = cost;
            }
        }
        Some(Self { name, title, costs })
    }
}

/// Simplified Chinese, traditional Chinese, Japanese, Korean.
pub(crate) fn characters() -> &'static [Characters] {
    static CHARACTERS: OnceLock<Vec<Characters>> = OnceLock::new();
    CHARACTERS
        .get_or_init(|| blocks(include_str!("models/characters.txt")).filter_map(Characters::parse).collect())
}

fn blocks(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split("\n\n").filter(|block| !block.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_parses() {
        assert_eq!(languages().len(), blocks(include_str!("models/languages.txt")).count());
        assert_eq!(characters().len(), blocks(include_str!("models/characters.txt")).count());
    }

    #[test]
    fn alphabets_are_complete() {
        let own = |name| {
            let mut blocks = blocks(include_str!("models/languages.txt")).filter_map(Language::parse);
            blocks.find(|language| language.name == name).map(|language| language.letters)
        };
        let table = include_str!("../tests/vectors/alphabets.txt");
        for row in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (name, letters) = row.split_once(" | ").unwrap();
            let own = own(name).unwrap();
            let missing: String = letters.chars().filter(|c| !own.contains(c)).collect();
            assert!(missing.is_empty(), "{name} lacks {missing}");
        }
    }

    #[test]
    fn frequent_pairs_cost_less() {
        let english = languages().iter().find(|l| l.name == "en").unwrap();
        let cost = |a, b| english.cost(english.index(a), english.index(b));
        assert!(cost('t', 'h') < cost('h', 't'));
        assert_eq!(cost('t', 'ж'), FOREIGN);
        let japanese = characters().iter().find(|c| c.name == "ja").unwrap();
        assert!(japanese.cost('の' as u16) < japanese.cost('曜' as u16));
        assert_eq!(japanese.cost('é' as u16), None);
    }
}
