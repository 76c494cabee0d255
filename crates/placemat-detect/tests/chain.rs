//! Chains of misreadings are found and undone.

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

/// Checks that the right chain is among the first three.
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
        // Bytes that have no character in Shift_JIS are read as characters of private use.
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
fn a_sign_behind_a_word_is_no_sequence() {
    for text in [
        "PARCE QUE SUR LEURS PLAQUES IL Y MARQUÉ…",
        "spirito ammaccato,\u{A0}è come se nel cuore avessi un vetro",
    ] {
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

/// The text of bytes that are read one by one, as ISO 8859-1.
fn latin(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().map(char::from).collect()
}

#[test]
fn utf_16_read_in_another_encoding() {
    for text in
        ["The café opens at nine.", "Сегодня хорошая погода, и мы идём гулять.", "これは日本語の文章です。"]
    {
        let little = latin(text.encode_utf16().flat_map(u16::to_le_bytes));
        let big = latin(text.encode_utf16().flat_map(u16::to_be_bytes));
        for (broken, encoding) in
            [(&little, "utf-16le"), (&big, "utf-16be"), (&format!("ÿþ{little}"), "utf-16le")]
        {
            let found = chains(broken);
            assert_eq!((&*found[0].text, found[0].steps[0].encoding), (text, encoding), "{broken:?}");
        }
    }
    // UTF-16 that was read in the other byte order.
    let swapped: String =
        "Le café".encode_utf16().filter_map(|unit| char::from_u32(unit.swap_bytes().into())).collect();
    is_found(&swapped, "Le café", false);
    // Plain ASCII, and more of it than is judged.
    let long = "All human beings are born free. ".repeat(40);
    is_found(&latin(long.encode_utf16().flat_map(u16::to_le_bytes)), &long, false);
}

#[test]
fn other_encodings_read_as_utf_16() {
    for text in ["Le café est très bon, et la crème", "Привет, как дела? Хорошо!"] {
        let units = text.as_bytes().chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let broken: String = char::decode_utf16(units).map(|c| c.unwrap_or('\u{FFFD}')).collect();
        assert!(chains(&broken).iter().take(3).any(|chain| text.starts_with(&chain.text)), "{broken}");
    }
    for clean in ["今天天气很好我们去公园", "हिन्दी में लिखा", "한국어로 쓴 글"]
    {
        assert_eq!(chains(clean), [], "{clean}");
    }
}

#[test]
fn some_lines_of_a_text_are_undone() {
    let meant = "Привет, как дела?\nСегодня хорошая погода, и мы идём гулять.";
    let mixed = "Привет, как дела?\nяЕЦНДМЪ УНПНЬЮЪ ОНЦНДЮ, Х ЛШ ХД╦Л ЦСКЪРЭ.";
    is_found(mixed, meant, true);
}

#[test]
fn what_is_lost_does_not_hide_the_rest() {
    // windows-1253 has no FF, which is `я` in windows-1251.
    is_found("Ρεγξδν� υξπξψΰ� οξγξδΰ, θ μϋ θδΈμ γσλ�ςό.", "Сегодн� хороша� погода, и мы идём гул�ть.", false);
}

#[test]
fn encodings_of_one_system() {
    let text = "Les élèves étaient arrivés à l'école très tôt, et la fenêtre était déjà ouverte";
    // Macintosh, read as its Cyrillic.
    let mac = text.replace('é', "О").replace('è', "П").replace('à', "И").replace('ê', "Р").replace('ô', "Щ");
    is_found(&mac, text, false);
}
