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

/// The chain is among the first three.
fn is_found(text: &str, meant: &str, in_parts: bool) {
    let found = chains(text);
    let right = found.iter().take(3).find(|chain| chain.text == meant);
    let right = right.unwrap_or_else(|| panic!("{text}: {found:#?}"));
    assert_eq!(right.steps.iter().any(|step| step.in_parts), in_parts, "{text}");
}

#[test]
fn parts_of_a_text_are_undone() {
    for (text, meant) in [
        // A part was never misread.
        ("Série, SÃ©rie … DivisÃ£o", "Série, Série … Divisão"),
        (
            "Das MÃ¤dchen sagte „ja“ und lief über die StraÃŸe",
            "Das Mädchen sagte „ja“ und lief über die Straße",
        ),
        // A no-break space became a space.
        ("Il est jusqu'Ã prÃ©sent rÃ©solu", "Il est jusqu'à présent résolu"),
        ("La rГ©gion se trouve Г lвЂ™ouest", "La région se trouve à l’ouest"),
        // A byte is lost.
        ("Ð¯Ð·Ñ‹Ðº: Ñ€ÑƒÑ�Ñ�ÐºÐ¸Ð¹", "Язык: ру��кий"),
    ] {
        is_found(text, meant, true);
    }
}

#[test]
fn surrogate_pairs_of_cesu_8_are_undone() {
    is_found("Hi guys í\u{A0}½í¸\u{8D}", "Hi guys 😍", true);
}

#[test]
fn one_legacy_encoding_read_in_another() {
    for (text, meant) in [
        ("vytváøí se soubor keše pøi ètení", "vytváří se soubor keše při čtení"),
        ("Nije moguæe pretvoriti, veæ se iskljuèuje", "Nije moguće pretvoriti, već se isključuje"),
        ("оПХБЕР, ЙЮЙ ДЕКЮ?", "Привет, как дела?"),
        // Shift_JIS is read as characters of private use where it has none.
        ("ﾎｴﾊｶｱ\u{E074}ﾄﾍｬﾒ蟠ﾊﾗﾖｵ茣ﾎﾊ\u{F8F1}", "未识别的同义词字典参数"),
    ] {
        is_found(text, meant, false);
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
