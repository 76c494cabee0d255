use super::weight::has_row_of_heads;
use super::*;

fn mixed(good: &str, bad: &[u8]) -> Mixed {
    let mut mixed = Mixed::new();
    for piece in [good.repeat(3).as_bytes(), bad].concat().chunks(7) {
        mixed.push(piece);
    }
    mixed.finish()
}

const POLISH: &str = "Zażółć gęślą jaźń, żółty jeż; świeży chleb, łąka.\n";
const RUSSIAN: &str = "Съешь же ещё этих мягких французских булок, да выпей чаю.\n";

#[test]
fn the_language_and_the_runs_choose_the_encoding() {
    let encode = |encoding: &'static encoding_rs::Encoding, text| encoding.encode(text).0.into_owned();
    for (good, encoding, bad) in [
        (POLISH, encoding_rs::WINDOWS_1250, "Określa, czy karta może zostać użyta\n"),
        (POLISH, encoding_rs::ISO_8859_2, "Określa, czy karta może zostać użyta\n"),
        (RUSSIAN, encoding_rs::WINDOWS_1251, "Вчера было тепло\n"),
        (RUSSIAN, encoding_rs::KOI8_R, "Вчера было тепло\n"),
        (RUSSIAN, encoding_rs::IBM866, "Вчера было тепло\n"),
        (
            "日本語の文字をここに書きます。設定の確認\n",
            encoding_rs::SHIFT_JIS,
            "ファイルを開くことができません\n",
        ),
    ] {
        let bytes = encode(encoding, bad);
        let mixed = mixed(good, &bytes);
        let second = mixed.second().unwrap();
        let expected = encoding.name().to_lowercase();
        assert!(mixed.is_vouched() && second.is_sure(), "{second:?}");
        assert_eq!(second.encoding, expected, "{second:?}");
        assert_eq!(mixed.runs(&bytes).first(), Some(&(0..bytes.len() - 1)), "{expected}");
    }
}

#[test]
fn one_letter_decides_where_only_one_encoding_has_one_that_the_lines_have() {
    let mixed = mixed("Perché la città è più bella, però già così.\n", b"Il campo \x8A obbligatorio\n");
    let second = mixed.second().unwrap();
    assert_eq!((second.encoding, second.is_sure()), ("cp850", true), "{second:?}");
}

#[test]
fn a_single_mark_decides_nothing() {
    let mixed = mixed("Šest žutih “ćuprija” đaka, čaša.\n", b"Objective-C izvorni k\x93d\n");
    assert!(!mixed.second().unwrap().is_sure(), "cp852 has a letter there");
}

#[test]
fn what_is_read_as_no_letter_and_no_common_mark_decides_nothing() {
    let mixed = mixed("Müller, Größe, schön\n", b"3,\xFF\xFE\n");
    assert!(!mixed.second().unwrap().is_sure(), "in cp850 it is a space and a square");
}

#[test]
fn half_a_character_of_east_asia_decides_nothing() {
    for good in ["北京，上海市，你好世界，谢谢，南京路五号\n", "東京、こんにちは世界、大阪府、田中太郎\n"]
    {
        for bad in [&b"M\xFCller\n"[..], b"Espa\xF1a\n", b"P\xE9cs\n", b"\xDCbung\n"] {
            let second = mixed(good, bad).second();
            assert!(second.is_none_or(|second| !second.is_sure()), "{}", bad.escape_ascii());
        }
    }
}

#[test]
fn damage_of_utf8_is_no_other_encoding() {
    let cut = &RUSSIAN.as_bytes()[..RUSSIAN.len() - 4];
    let line = [cut, b"\xD1\n"].concat();
    let mixed = mixed(RUSSIAN, &line);
    assert!(mixed.runs(&line).is_empty());
    assert_eq!(mixed.second(), None);
}

/// Most ideographs of the damaged line are in no other line, and what is left of them reads as Chinese in GBK too.
#[test]
fn a_damaged_line_of_characters_that_no_other_line_has_is_no_other_encoding() {
    for (good, bad) in [
        ("这是一个中文测试文件。\n", "我们明天去北京。"),
        ("二进制文件匹配\n", "只有超级用户可以修改复制用户"),
        ("選取檔案\n", "設定安全情境元件到失敗"),
        ("日本語の文字をここに書きます。\n", "カレントエリザベス"),
        ("파일을 열 수 없습니다\n", "찾아볼까나"),
    ] {
        let bytes = bad.as_bytes();
        let changed = [&bytes[..11], b"\xC2", &bytes[12..]].concat();
        let inserted = [&bytes[..9], b"\x9C", &bytes[9..]].concat();
        for line in [&bytes[..bytes.len() - 1], &bytes[1..], &changed, &inserted] {
            let mixed = mixed(good, &[line, b"\n"].concat());
            assert!(mixed.runs(line).is_empty() && mixed.second().is_none(), "{}", line.escape_ascii());
        }
    }
    let quoted = b"\xE2\x80\x9E%s\xE9\xE2\x80\x9C";
    assert!(mixed(POLISH, &[&quoted[..], b"\n"].concat()).runs(quoted).is_empty());
}

/// The bytes of two of the five syllables are UTF-8 by accident.
#[test]
fn a_word_with_accidental_utf8_is_foreign_where_no_line_is_well_formed() {
    let line = b"\xBE\xC8\xB3\xE7\xC7\xCF\xBC\xBC\xBF\xE4, \xBF\xC0\xB4\xC3 \xB3\xAF\xBE\xBE\n";
    assert_eq!(mixed("", line).runs(line).first(), Some(&(0..11)));
}

#[test]
fn a_word_may_be_in_another_encoding() {
    let line = [POLISH.trim_end().as_bytes(), b" mo\xBFe\n"].concat();
    let start = line.len() - 5;
    assert_eq!(mixed(POLISH, &line).runs(&line).first(), Some(&(start..start + 4)));
}

#[test]
fn nothing_vouches_for_utf8_in_a_text_without_it() {
    let alone = mixed("", b"Okre\xB6la, czy karta mo\xBFe\n");
    assert!(!alone.is_vouched());
    assert!(!mixed(POLISH, b"").is_western());
    assert!(mixed("d\u{e9}j\u{e0} vu\n", b"").is_western());
}

/// A long line is not cut inside a character, which would make runs of its parts.
#[test]
fn long_lines_are_cut_between_characters() {
    for line in [
        "é".repeat(50_000),
        format!("x{}", "é".repeat(50_000)),
        "déjà vu, ".repeat(9_000),
        "日本".repeat(20_000),
    ] {
        let mixed = mixed(&line, b"\n");
        assert!(mixed.bad.is_empty() && mixed.is_vouched(), "{line:.9}");
    }
    let undivided = mixed("", &["déjà vu, ".repeat(9_000).as_bytes(), b"d\xE9j\xE0 vu\n"].concat());
    assert_eq!(
        undivided.second().map(|second| (second.encoding, second.is_sure())),
        Some(("windows-1252", true))
    );
    // Bytes that are no characters are cut too.
    assert!(mixed("", &b"\x80".repeat(100_000)).second().is_none_or(|second| !second.is_sure()));
}

#[test]
fn what_a_limit_on_bytes_leaves_is_no_other_encoding() {
    let good = "It’s “quoted” — naïve café… costs 5 €.\n";
    for cut in [&b"hi \xF0\x9F\x98\n"[..], b"don\xE2\x80\n", b"5 \xE2\x82;6 \xE2\x82\n"] {
        for count in 1..4 {
            let mixed = mixed(good, &cut.repeat(count));
            assert!(mixed.second().is_none() && mixed.runs(cut).is_empty(), "{}", cut.escape_ascii());
        }
    }
    let both = mixed(good, b"Gr\xFC\xDFe\ncosts 5 \xE2\x82\ncosts 7 \xE2\x82\n");
    assert!(both.is_vouched() && both.second().is_some_and(|second| second.encoding == "windows-1252"));
    // A letter and a mark of windows-1252, which begin no character that the lines have.
    assert_eq!(mixed(good, b"Le caf\xE9\x85\n").runs(b"caf\xE9\x85").first(), Some(&(0..5)));
}

/// A line for each pair: one string in UTF-8 and one in `encoding`, joined by a byte.
fn columns(rows: &[(&str, &str)], encoding: &'static encoding_rs::Encoding, between: u8) -> Vec<u8> {
    let line = |(utf8, other): &(&str, &str)| {
        [utf8.as_bytes(), &[between], &encoding.encode(other).0, b"\n"].concat()
    };
    rows.iter().flat_map(line).collect()
}

const TOWNS: [(&str, &str); 5] = [
    ("Ελένη Παπαδοπούλου", "Αθήνα"),
    ("Γιώργος Νικολάου", "Τρίπολη"),
    ("Μαρία Ιωάννου", "Αγρίνιο"),
    ("Κώστας Δημητρίου", "Νάξος"),
    ("Άννα Γεωργίου", "Λάρισα"),
];

#[test]
fn columns_in_utf8_say_what_a_column_that_is_not_is_read_as() {
    for between in *b",;\t\"|<" {
        let text = columns(&TOWNS, encoding_rs::WINDOWS_1253, between);
        let mut mixed = Mixed::new();
        // One town may be in ASCII, so that its line is well-formed.
        mixed.push(&[&text[..], "Νίκος".as_bytes(), &[between], b"Corfu\n"].concat());
        let mixed = mixed.finish();
        let second = mixed.second().unwrap();
        assert!(mixed.has_columns_of_utf8() && !mixed.is_western(), "{}", char::from(between));
        assert!(mixed.is_vouched() && second.is_sure() && second.language == "Greek", "{second:?}");
        for (line, (utf8, _)) in text.split(|&byte| byte == b'\n').zip(TOWNS) {
            assert_eq!(mixed.runs(line).first(), Some(&(utf8.len() + 1..line.len())));
        }
    }
}

#[test]
fn a_bar_that_does_not_part_columns_may_be_in_a_character() {
    // The second byte of the kana po in Shift_JIS is a vertical bar.
    let rows = [("日本語の文字", "ポスト"), ("設定の確認", "スポーツ"), ("東京都港区", "ファイル")];
    let mut mixed = Mixed::new();
    let text = columns(&rows, encoding_rs::SHIFT_JIS, b',');
    mixed.push(&text);
    let (mixed, line) = (mixed.finish(), text.split(|&byte| byte == b'\n').next().unwrap());
    assert_eq!(mixed.runs(line).first(), Some(&(rows[0].0.len() + 1..line.len())));
}

#[test]
fn columns_that_are_utf8_by_accident_do_not_say_that_it_is() {
    let rows = [("ordinary", "Приветствие"), ("names", "Дорога"), ("of", "Берег"), ("towns", "Остров")];
    let mut mixed = Mixed::new();
    mixed.push(&columns(&rows, encoding_rs::WINDOWS_1251, b','));
    mixed.push(b"\xC2\xA9,\xCF\xF0\xE8\xE2\xE5\xF2\n");
    assert!(!mixed.finish().has_columns_of_utf8());
}

#[test]
fn a_row_of_heads_of_many_kinds_is_a_word() {
    let (word, dropped) =
        (b"\xCC\xE0\xF0\xE8\xFF \xCF\xE5\xF2\xF0\xEE\xE2\xED\xE0", b"\xD0\xD1\xD0 \xD1\xD1\xD0\xD0");
    for (bytes, is_word) in [(&word[..], true), (&dropped[..], false)] {
        assert_eq!(has_row_of_heads(bytes), is_word);
    }
    assert!(!weight::is_cut_off(b"Sp\xF3\xB3dzielnia"), "no character begins so");
    assert!(weight::is_cut_off(b"\xF0\x9F\x98"));
}

/// An emoji, an arrow or a currency sign is in no alphabet: the well-formed lines need not have it.
#[test]
fn symbols_in_utf8_beside_another_encoding_are_no_part_of_it() {
    for symbol in ["😀", "👩\u{200D}🚀", "❤\u{FE0F}", "€", "™", "→", "✓", "№"] {
        for count in [1, 5] {
            let line = [symbol.as_bytes(), b" caf\xE9 br\xFBl\xE9e \xE9t\xE9\n"].concat();
            let mixed = mixed("L’été, la crème brûlée\n", &line.repeat(count));
            let second = mixed.second().unwrap();
            assert_eq!((second.encoding, second.is_sure()), ("windows-1252", true), "{symbol} {second:?}");
            assert!(mixed.runs(&line).iter().all(|run| run.start > symbol.len()), "{symbol}");
        }
    }
}

#[test]
fn heads_of_characters_that_the_lines_have() {
    let letters =
        ['\u{80}', 'é', '\u{7FF}', '\u{800}', '\u{D7FF}', '\u{E000}', '\u{FFFF}', '\u{10000}', '\u{10FFFF}'];
    let heads = (0x80..=0xFF).map(|lead| vec![lead]);
    let longer = (0x80..=0xBF)
        .flat_map(|tail| [0xC3, 0xE0, 0xED, 0xEE, 0xF0, 0xF4, 0xF5].map(|lead| vec![lead, tail]));
    let all: Vec<Vec<u8>> = heads.chain(longer).collect();
    for some in letters.windows(2).chain([&letters[..1], &letters[8..], &letters[..0]]) {
        let mut mixed = Mixed::new();
        mixed.push(some.iter().collect::<String>().as_bytes());
        let mixed = mixed.finish();
        for head in &all {
            let truth = some.iter().any(|c| c.to_string().as_bytes().starts_with(head));
            assert_eq!(mixed.begins(head), truth, "{some:?} {head:x?}");
        }
    }
}

#[test]
fn a_byte_order_mark_says_nothing_about_the_language() {
    for first in ["#!/bin/sh\n", "\"name\";\"what\"\n", "\n"] {
        let second = |mark: &str| {
            let mut mixed = Mixed::new();
            mixed.push(
                [mark.as_bytes(), first.as_bytes(), b"echo caf\xE9 na\xC3\xAFve\n"].concat().as_slice(),
            );
            mixed.finish().second().unwrap()
        };
        assert!(second("").is_sure(), "{first}");
        assert_eq!(second("\u{FEFF}"), second(""), "{first}");
    }
}

/// As a byte order mark does, a quotation mark vouches for UTF-8, and says nothing about the letters of the other lines.
#[test]
fn marks_of_the_well_formed_lines_do_not_make_letters_foreign() {
    let line = b"the caf\xE9 is open na\xC3\xAFve\n";
    for good in ["She said “hello” to us\n", "a → b\n", "5 € – 20 µm\n", "😀\n"] {
        let mixed = mixed(good, line);
        assert!(mixed.is_vouched() && mixed.has_letters(b"\xE9", "é"), "{good}");
        assert!(mixed.runs(line).iter().all(|run| *run == (4..8)), "{good} {:?}", mixed.runs(line));
        assert_eq!(mixed.second().map(|second| second.encoding), Some("windows-1252"), "{good}");
    }
}

/// A mark of UTF-16 that the text contradicts is no letters, and a mark of UTF-8 stands for one character of it.
#[test]
fn byte_order_marks_are_no_letters_of_another_encoding() {
    let of = |marks: &[u8], text: &[u8]| {
        let mut mixed = Mixed::new();
        marks.iter().for_each(|byte| mixed.push(&[*byte]));
        mixed.push(text);
        mixed.finish()
    };
    for marks in [&b"\xFF\xFE"[..], b"\xFE\xFF", b"\xFF\xFE\xFF\xFE"] {
        let clean = of(marks, "Crème brûlée\nétés\n".as_bytes());
        assert_eq!((clean.second(), clean.malformed_lines().count()), (None, 0));
        assert!(clean.is_vouched() && clean.is_mostly_utf8());
        let alone = of(marks, b"");
        assert_eq!((alone.second(), alone.is_vouched()), (None, false));
    }
    let (japanese, ..) = encoding_rs::SHIFT_JIS.encode("これは日本語の文章です。\n漢字とかな\n");
    for marks in [&b"\xEF\xBB\xBF"[..], b"\xEF\xBB\xBF\xEF\xBB\xBF", b"\xFF\xFE\xEF\xBB\xBF\xFE\xFF"] {
        let (with, without) = (of(marks, &japanese), of(b"", &japanese));
        assert_eq!(with.second(), without.second());
        assert!(with.malformed_lines().eq(without.malformed_lines()));
    }
}

/// FF is a no-break space in cp850 and я in windows-1251, but also what damage leaves.
#[test]
fn bytes_ff_alone_say_nothing() {
    for text in ["Die Straße nach München ist", "Утром поезд пришёл на станцию", "これは日本語の文章です"]
    {
        for bytes in [&b"\xFF"[..], b"\xFF \xFF", b"\xFF plain\xFF text"] {
            let mut mixed = Mixed::new();
            mixed.push(&[text.as_bytes(), bytes, b"\n", text.as_bytes(), b"\n"].concat());
            let second = mixed.finish().second();
            assert!(second.is_none_or(|second| second.confidence == 0.0 && !second.is_sure()), "{text}");
        }
    }
}
