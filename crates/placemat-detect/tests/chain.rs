//! Chains of encodings that made a mojibake.

use placemat_detect::chain::{Chain, LONGEST, MOST, chains};

fn names(chain: &Chain) -> Vec<(&str, &str)> {
    chain.steps.iter().map(|step| (step.encoding, step.read_as)).collect()
}

#[test]
fn the_right_chain_comes_first() {
    for (text, meant, steps) in [
        ("cafÃ© crÃ¨me", "café crème", &[("utf-8", "windows-1252")][..]),
        ("ÐŸÑ€Ð¸Ð²ÐµÑ‚, Ð¼Ð¸Ñ€", "Привет, мир", &[("utf-8", "windows-1252")]),
        ("Ïðèâåò, ìèð", "Привет, мир", &[("windows-1251", "windows-1252")]),
        ("cafÃƒÂ© crÃƒÂ¨me", "café crème", &[("utf-8", "windows-1252"), ("utf-8", "windows-1252")]),
    ] {
        let found = chains(text);
        assert_eq!((&*found[0].text, names(&found[0])), (meant, steps.to_vec()), "{text}: {found:#?}");
        assert_eq!(found[0].steps.last().map(|step| &step.text), Some(&found[0].text));
    }
}

#[test]
fn text_that_is_plausible_has_none() {
    for text in ["", "plain", "café", "São Paulo", "Привет, мир", "日本語の文章です。", "Größe: 5 m²"]
    {
        assert_eq!(chains(text), [], "{text}");
    }
}

#[test]
fn hostile_text_takes_bounded_work() {
    for text in
        ["\u{FFFD}".repeat(1 << 16), "Ã".repeat(1 << 16), "Ã©".repeat(1 << 16), "\u{10FFFF}é".repeat(1 << 14)]
    {
        let found = chains(&text);
        assert!(found.len() <= MOST && found.iter().all(|chain| chain.steps.len() <= LONGEST));
    }
}
