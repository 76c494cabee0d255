//! The scan against one that looks at every character, and all of it.

use super::*;

/// The same, character by character.
fn slowly(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut leads, mut last) = (0, 0);
    for (at, c) in text.char_indices() {
        let entry = TABLE.get(c);
        let both = leads & entry.tails;
        if both != 0 && begins(&text[last..], both) {
            return Some(last);
        }
        if at > 0 && matches!(c, 'Â' | 'Ã') {
            let after: Vec<char> = text[at..].chars().take(3).chain(['\0'; 3]).collect();
            if sequence::stranded(bytes[at - 1].into(), &after[..3]) {
                return Some(at);
            }
        }
        (leads, last) = (entry.leads, at);
    }
    None
}

/// Numbers from a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Every character that is on a page, and the byte that it is there.
fn pages() -> Vec<char> {
    let characters = (0x80..0x1_0000).filter_map(char::from_u32);
    characters.filter(|&c| TABLE.get(c).bytes.iter().any(|&byte| byte != 0)).collect()
}

/// A pair that is passed over begins no sequence, unless both are small letters.
#[test]
fn pairs_that_are_passed_over_begin_nothing() {
    let letters: Vec<char> = ('À'..='ÿ').chain('А'..='џ').chain('\u{380}'..='\u{3FF}').collect();
    let mut passed = 0;
    for (a, b) in letters.iter().flat_map(|&a| letters.iter().map(move |&b| (a, b))) {
        let mut block = [0; BLOCK + AHEAD];
        a.encode_utf8(&mut block);
        b.encode_utf8(&mut block[2..]);
        let is_passed = placemat::neighbours(&block).bits == 0;
        assert!(
            !is_passed || TABLE.get(a).leads & TABLE.get(b).tails == 0 || is_small(a) && is_small(b),
            "{a}{b}"
        );
        let begins_none = a.is_uppercase() || TABLE.get(a).leads == 0;
        assert!(!is_passed || is_small(b) <= is_small(a) || begins_none, "{a}{b}");
        passed += usize::from(is_passed);
    }
    assert!(passed > 17_000, "{passed}");
}

#[test]
fn what_is_skipped_has_nothing() {
    let pages = pages();
    let others = [
        'a',
        ' ',
        '?',
        'z',
        '\n',
        'é',
        'Â',
        'Ã',
        'р',
        'а',
        'ё',
        '’',
        '─',
        '日',
        'ا',
        'ก',
        '\u{1F600}',
        'э',
        'і',
        'ї',
        'ў',
        'н',
        'ü',
    ];
    let mut random = Random(1992);
    let mut found = 0;
    for round in 0..60_000 {
        // From texts in which hardly anything is suspicious to such in which all is.
        let (dense, kinds) = (round % 8, 1 + random.below(others.len()));
        let text: String = (0..random.below(200))
            .map(|_| match random.below(8) < dense {
                true => pages[random.below(pages.len())],
                false => others[random.below(kinds)],
            })
            .collect();
        let expected = slowly(&text);
        found += usize::from(expected.is_some());
        assert_eq!(first(&text), expected, "{text:?}");
    }
    assert!((10_000..50_000).contains(&found), "{found}");
}

#[test]
fn one_sequence_is_found_wherever_it_is() {
    let runs = [
        "Ã©",
        "â€™",
        "рџ\u{98}\u{80}",
        "├⌐",
        "тАЩ",
        "ðŸ˜€",
        "aÂ b",
        "voilÃ ",
        "ÐŸÑ€",
        "\u{ED}\u{A0}\u{BD}\u{ED}\u{B8}\u{80}",
        "нўініЎ",
        "Ві",
        "рії»",
    ];
    for run in runs {
        for fill in ["a", "é ", "日", "слово ", "ا"] {
            for before in 0..150 {
                let text: String = fill
                    .chars()
                    .cycle()
                    .take(before)
                    .chain(run.chars())
                    .chain(fill.repeat(90).chars())
                    .collect();
                assert_eq!(first(&text), slowly(&text), "{before} of {fill}, {run}");
            }
        }
    }
}
