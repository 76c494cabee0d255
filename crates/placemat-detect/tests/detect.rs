//! Verdicts on texts of tables, and what is true of every verdict.
#![forbid(unsafe_code)]

use placemat_detect::{Detection, Detector, Encoding, LIKELY, detect};

mod vectors;
use vectors::{bytes, rows};

#[test]
fn verdicts() {
    let mut wrong = String::new();
    for row in rows(include_str!("vectors/detect.txt")) {
        let [input, ends, encoding, bom, malformed, line_ending] = row[..] else { panic!("{row:?}") };
        let found = detect(&bytes(input), ends == "complete");
        let bom = if bom == "bom" { "bom" } else { "-" };
        let seen_bom = if found.bom { "bom" } else { "-" };
        let seen = (found.encoding.name(), seen_bom, found.malformed.to_string(), found.line_ending.name());
        if seen != (encoding, bom, malformed.to_string(), line_ending) {
            wrong += &format!("{input}: {seen:?} {:?}\n", found.reasons);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A generator of pseudo-random numbers (xorshift).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A text of random pieces of many kinds, so that every branch is taken.
    fn text(&mut self) -> Vec<u8> {
        const PIECES: [&[u8]; 16] = [
            b"plain text ",
            b"\r\n",
            b"\xC3\xA9",
            b"\xE2\x82\xAC",
            b"\xF0\x9F\x98\x80",
            b"\xED\xA0\xBD\xED\xB8\x80",
            b"\xC0\x80",
            b"\xE9",
            b"\x93",
            b"\xF8\x88\x80\x80\x80",
            b"\x1B$B",
            b"\0a",
            b"a\0",
            b"\xCF\xF0\xE8\xE2\xE5\xF2",
            b"\xEF\xBB\xBF",
            b"\xFF\xFE",
        ];
        let mut text = Vec::new();
        for _ in 0..self.next() % 40 {
            match self.next() % 4 {
                0 => text.push(self.next() as u8),
                _ => text.extend(PIECES[(self.next() % 16) as usize]),
            }
        }
        text
    }
}

fn check(found: &Detection) {
    assert!((0.0..=1.0).contains(&found.confidence), "{found:?}");
    assert!(!found.reasons.is_empty(), "{found:?}");
    let is_none = matches!(found.encoding, Encoding::Unknown | Encoding::Several);
    assert_eq!(is_none, found.confidence < LIKELY, "{found:?}");
    assert!(is_none || found.candidates.first().map(|c| c.encoding) == Some(found.encoding), "{found:?}");
    assert!(found.candidates.iter().all(|c| (0.0..=1.0).contains(&c.confidence)), "{found:?}");
    assert!(found.candidates.is_sorted_by(|a, b| a.confidence >= b.confidence), "{found:?}");
}

#[test]
fn chunks_do_not_matter() {
    let mut noise = Noise(0x5EED);
    for _ in 0..500 {
        let text = noise.text();
        let complete = noise.next().is_multiple_of(2);
        let whole = detect(&text, complete);
        check(&whole);
        for size in [1, 1 + (noise.next() % 9) as usize] {
            let mut detector = Detector::new();
            text.chunks(size).for_each(|chunk| detector.push(chunk));
            assert_eq!(detector.finish(complete), whole, "{text:02X?} in chunks of {size}");
        }
    }
}

#[test]
fn chunks_do_not_matter_beyond_the_sample() {
    let mut text: Vec<u8> = "Зелёная трава. ".repeat(9000).into_bytes();
    text.extend(b"\xED\xA0\xBD\xED\xB8\x80 \xE9t\r\n".repeat(9));
    let whole = detect(&text, true);
    assert_eq!((whole.encoding.name(), whole.malformed), ("utf-8", 18));
    for size in [4095, 65_536, 100_003] {
        let mut detector = Detector::new();
        text.chunks(size).for_each(|chunk| detector.push(chunk));
        assert_eq!(detector.finish(true), whole, "in chunks of {size}");
    }
    let mut utf16: Vec<u8> =
        "Зелёная трава\n".repeat(9000).encode_utf16().flat_map(u16::to_be_bytes).collect();
    utf16.extend([0xD8, 0x00, 0x00]);
    let whole = detect(&utf16, true);
    assert_eq!((whole.encoding.name(), whole.malformed, whole.line_ending.name()), ("utf-16be", 1, "lf"));
    for size in [4095, 65_536, 100_003] {
        let mut detector = Detector::new();
        utf16.chunks(size).for_each(|chunk| detector.push(chunk));
        assert_eq!(detector.finish(true), whole, "in chunks of {size}");
    }
}

#[test]
fn prefixes_of_utf8_are_utf8() {
    let text = "Grüße, мир, 日本語 😀, plain again";
    for end in 0..=text.len() {
        let found = detect(&text.as_bytes()[..end], false);
        let wanted = if text.as_bytes()[..end].is_ascii() { "us-ascii" } else { "utf-8" };
        assert_eq!((found.encoding.name(), found.malformed), (wanted, 0), "prefix of {end}");
    }
}

#[test]
fn ascii_and_a_character_that_is_cut_off_are_utf8() {
    let text = "The quick brown fox jumps over the lazy dog\nthanks ".repeat(3);
    for head in [&b"\xE2\x82"[..], b"\xE6\x97", b"\xEF\xBB", b"\xF0\x9F", b"\xF0\x9F\x91", b"\xF0\x9F\x98"] {
        for before in ["", "hi ", &text] {
            let found = detect(&[before.as_bytes(), head].concat(), true);
            assert_eq!((found.encoding.name(), found.malformed), ("utf-8", 1), "{before:?} {head:02X?}");
            assert!(found.confidence > 0.8, "{found:?}");
        }
        let found = detect(&[text.as_bytes(), head, b" and on"].concat(), true);
        assert_ne!(found.encoding.name(), "utf-8", "{head:02X?}");
    }
    // A single byte may be any letter.
    assert_eq!(detect(b"the best caf\xE9", true).encoding, "windows-1252");
}

#[test]
fn ascii_is_certain() {
    let found = detect(b"plain", true);
    assert_eq!((found.encoding.name(), found.confidence), ("us-ascii", 1.0));
}

#[test]
fn reasons_count_by_kind() {
    let found = detect(
        b"\xC3\xA9\xC3\xA8\xC3\xAA\xC3\xA0\xC3\xB4 \xE9t\xE9, \x93a\x94 \xED\xA0\xBD\xED\xB8\x80",
        true,
    );
    assert_eq!(found.reasons[0], "UTF-8 but for 5 sequences; 4 fit windows-1252, 1 is CESU-8");
}

#[test]
fn a_cut_through_the_sample_is_no_fault() {
    // An odd byte in front makes the sample end inside a character.
    let text = [b"a".to_vec(), b"\x93\xFA\x96\x7B\x8C\xEA\x82\xCC".repeat(60_000)].concat();
    let found = detect(&text, true);
    assert_eq!((found.encoding.name(), found.malformed), ("shift_jis", 0));
}

#[test]
fn twice_encoded_text_is_pointed_out() {
    let text = "CafÃ© crÃ¨me, dÃ©jÃ  vu. ".repeat(9000);
    let found = detect(text.as_bytes(), true);
    assert_eq!(found.encoding.name(), "utf-8");
    assert!(found.reasons.iter().any(|reason| reason.contains("decoded twice")), "{:?}", found.reasons);
}

#[test]
fn a_row_of_the_same_bytes_is_no_evidence() {
    for byte in 0x80..=0xFF {
        for text in [vec![byte; 1000], [b"Config\n", &[byte; 500][..]].concat(), [byte, b'a'].repeat(400)] {
            let found = detect(&text, true);
            assert!(found.confidence < 0.5, "{byte:02X}: {} {}", found.encoding, found.confidence);
        }
    }
    let found = detect(b"\xBA\xDD\xCB\xDF\xAD\xB0\xC0 \xBF\xCC\xC4\xB3\xAA\xB1", true);
    assert_eq!(found.encoding.name(), "shift_jis");
}

fn in_encoding(label: &str, text: &str) -> Vec<u8> {
    encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned()
}

#[test]
fn what_is_mostly_utf8_is_no_legacy_text_for_sure() {
    let russian = "Привет, как дела? Всё хорошо.\n";
    for (label, line) in [
        ("windows-1251", russian),
        ("koi8-r", russian),
        ("gb18030", "这个文件的编码是混合的，请检查。\n"),
        ("shift_jis", "このファイルの文字コードは混ざっています。\n"),
        ("euc-kr", "이 파일의 문자 인코딩이 섞여 있습니다.\n"),
        ("windows-1252", "“A” and “B”, “C” and “D”\n"),
    ] {
        let other = in_encoding(label, line);
        let found = detect(&[line.repeat(3).as_bytes(), &other].concat(), true);
        assert!(found.encoding == "utf-8" || found.confidence < 0.5, "{label}: {found:?}");
        assert!(found.candidates.iter().any(|candidate| candidate.encoding == "utf-8"), "{label}: {found:?}");
        check(&found);
    }
    // Quotation marks, half of them in windows-1252.
    let quoted =
        ["say “a” or “b”\n".as_bytes(), &b"say \x93c\x94 or \x93d\x94, or \x93\x80e\x94\n"[..]].concat();
    assert!(detect(&quoted, true).confidence < 0.5, "{:?}", detect(&quoted, true));
}

#[test]
fn lines_of_utf8_among_others_are_named() {
    let german = "Grüße aus Köln und München, schöne Straße\n";
    let other = in_encoding("windows-1252", german);
    let found = detect(&[&other.repeat(30), german.repeat(2).as_bytes()].concat(), true);
    assert_eq!(found.encoding.name(), "several encodings");
    let candidates: Vec<&str> = found.candidates.iter().map(|candidate| candidate.encoding.name()).collect();
    assert_eq!(candidates, ["utf-8", "windows-1252"]);
    // A few characters of UTF-8 are no evidence against the encoding of the rest.
    let found = detect(&[&other.repeat(30), "Très élégant\n".as_bytes()].concat(), true);
    assert!(found.encoding == "windows-1252" && found.confidence > 0.9, "{found:?}");
}

#[test]
fn one_short_line_of_utf8_is_told_from_the_lines_beside_it() {
    for (label, utf8, others) in [
        ("windows-1252", "Müller wohnt in Köln\n", "Zoë bleibt hier\nMüller geht\nFür Gräfin\n"),
        ("windows-1251", "Привет, мир\n", "Как дела?\nХорошо\nСпасибо\n"),
        ("windows-1253", "Μαρκέλλα Μπούζα\n", "Αμβροσία Σολωμίδου\n"),
        ("windows-1250", "Roksana Muskała\n", "Jacek Sośniak\npan Nataniel Sapała\n"),
    ] {
        let other = in_encoding(label, others);
        let found = detect(&[&other, utf8.as_bytes()].concat(), true);
        let candidates: Vec<&str> = found.candidates.iter().map(|c| c.encoding.name()).collect();
        assert_eq!((found.encoding.name(), &candidates[..]), ("several encodings", &["utf-8", label][..]));
        assert_eq!(detect(&other, true).encoding, label);
    }
}

#[test]
fn an_emoji_weighs_more_than_two_letters() {
    let found = detect(b"The caf\xE9 was na\xEFve \xF0\x9F\x98\x80\n", true);
    assert!(found.encoding == "utf-8" && found.confidence > 0.5, "{found:?}");
    // Four bytes of EUC-JP that are UTF-8 by accident are no emoji.
    let found = detect(b"\xF3\xA4\xB5\xA4 \xA4\xBD \xA4\xCE", true);
    assert_ne!(found.encoding.name(), "utf-8", "{found:?}");
}

#[test]
fn utf8_by_accident_does_not_make_unsure() {
    for (label, text) in [
        ("euc-jp", "昨日の朝早く駅へ行き、東京まで電車に乗りました。窓から海が見えて、とてもきれいでした。"),
        ("ibm866", "Он так устал, что уснул сразу, а утром её разбудил стук в дверь."),
        (
            "macintosh",
            "L’été dernier, à l’étranger, l’école était fermée : près de l’étang, nous avons mangé des crêpes.",
        ),
    ] {
        let found = detect(&in_encoding(label, text), true);
        assert!(found.counts.multi_byte > 0 && found.confidence > 0.8, "{label}: {found:?}");
        assert_eq!(found.encoding.name(), label);
    }
}

#[test]
fn a_reading_with_much_that_is_malformed_is_unsure() {
    // EBCDIC.
    let text = b"\xA3\x88\x85\x40\x98\xA4\x89\x83\x92\x40\x82\x99\x96\xA6\x95\x40\x86\x96\xA7\x40\x91\xA4\x94\x97\xA2\x40\x96\xA5\x85\x99\x40\xA3\x88\x85\x40\x93\x81\xA9\xA8\x40\x84\x96\x87\x5E\x40".repeat(5);
    let found = detect(&text, true);
    assert!(found.encoding == "binary" || found.confidence < 0.5, "{found:?}");
}

/// The bytes of a text in UTF-16 and UTF-32, in both byte orders, without a byte order mark.
fn in_wide_forms(text: &str) -> [(&'static str, Vec<u8>); 4] {
    let wide = |bytes: fn(char) -> [u8; 4]| text.chars().flat_map(bytes).collect();
    [
        ("utf-16le", text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("utf-16be", text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        ("utf-32le", wide(|c| u32::from(c).to_le_bytes())),
        ("utf-32be", wide(|c| u32::from(c).to_be_bytes())),
    ]
}

#[test]
fn text_needs_no_white_space() {
    for row in rows(include_str!("vectors/unspaced.txt")) {
        let [encoding, text, times] = row[..] else { panic!("{row:?}") };
        let text = text.repeat(times.parse().unwrap());
        let inputs = match encoding {
            "wide" => in_wide_forms(&text).to_vec(),
            _ => vec![(encoding, in_encoding(encoding, &text))],
        };
        for (encoding, input) in inputs {
            let found = detect(&input, true);
            assert!(found.encoding == encoding && found.confidence > 0.5, "{text}: {encoding} {found:?}");
        }
    }
}

fn little_endian(units: impl Iterator<Item = u16>) -> Vec<u8> {
    units.flat_map(u16::to_le_bytes).collect()
}

#[test]
fn utf16_behind_something_else_is_not_all_utf16() {
    let log = "2026-11-22 10:00:00 service started\r\n".repeat(20);
    let appended = little_endian("2026-11-22 10:00:01 service stopped\r\n".repeat(20).encode_utf16());
    let found = detect(&[log.as_bytes(), &appended].concat(), true);
    assert_eq!(found.encoding.name(), "us-ascii");
    // As many bytes as in one part of the text: the few words of ASCII must not become ideographs.
    let ascii = "appended by a shell, a line\nand another line here\n";
    let wide = "PowerShell log line, première ligne\r\nsecond line with text\r\n";
    for wide in [little_endian(wide.encode_utf16()), wide.encode_utf16().flat_map(u16::to_be_bytes).collect()]
    {
        for text in [[ascii.as_bytes(), &wide].concat(), [&wide, ascii.as_bytes()].concat()] {
            let found = detect(&text, true);
            assert!(!found.encoding.name().starts_with("utf-16"), "{found:?}");
        }
        assert!(detect(&wide, true).encoding.name().starts_with("utf-16"));
    }
}

#[test]
fn numbers_are_not_utf16() {
    let mut noise = Noise(7);
    let counts = little_endian((0..2000).map(|_| 1000 + (noise.next() % 500) as u16));
    let sound =
        little_endian((0..2000).map(|_| (noise.next() % 60) as u16).map(|loud| loud.wrapping_sub(30)));
    let wave =
        little_endian((0..2000).map(|_| (noise.next() % 600) as u16).map(|loud| loud.wrapping_sub(300)));
    for array in [counts, sound, wave, b"\xF0\x0F".repeat(300)] {
        assert_eq!(detect(&array, true).encoding, "binary");
    }
    let text = "这个文件没有换行也没有空格但是它的每一个句子后面都有标点，所以我们知道这是文字。";
    assert_eq!(detect(&little_endian(text.repeat(20).encode_utf16()), true).encoding, "utf-16le");
}

/// A declaration decides if there is little other evidence, but not against clear evidence.
#[test]
fn declarations_are_evidence() {
    let text = |head: &str, encoding: &'static encoding_rs::Encoding, body: &str| {
        [head.as_bytes(), &encoding.encode(body).0[..]].concat()
    };
    let (latin2, cyrillic) = (encoding_rs::ISO_8859_2, encoding_rs::KOI8_R);
    for (head, encoding, body, expected) in [
        ("<?xml version='1.0' encoding='ISO-8859-2'?>\n<a>", latin2, "Źle</a>\n", "iso-8859-2"),
        ("<html><meta charset=\"windows-1251\">\n", encoding_rs::WINDOWS_1251, "<p>Да</p>\n", "windows-1251"),
        ("# -*- coding: koi8-r -*-\nprint('", cyrillic, "Ну')\n", "koi8-r"),
        ("@charset \"iso-8859-7\";\n/* ", encoding_rs::ISO_8859_7, "Ά */\n", "iso-8859-7"),
        (
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=ISO-8859-15\\n\"\n\nmsgid \"a\"\nmsgstr \"",
            encoding_rs::ISO_8859_15,
            "5 €\"\n",
            "iso-8859-15",
        ),
    ] {
        let found = detect(&text(head, encoding, body), true);
        assert!(found.encoding == expected && found.confidence > 0.5, "{found:?}");
        assert!(found.reasons.iter().any(|reason| reason.starts_with("its ")), "{found:?}");
    }
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю.\n".repeat(5);
    let found = detect(&text("# coding: iso-8859-2\n", cyrillic, &russian), true);
    assert!(found.encoding == "koi8-r" && found.confidence > 0.9, "{found:?}");
    assert!(found.reasons.iter().any(|reason| reason.contains("which it does not look like")), "{found:?}");
    let found = detect("# coding: latin1\nDéjà vu\n".as_bytes(), true);
    assert!(found.encoding == "utf-8" && found.reasons[1].contains("says latin1, which"), "{found:?}");
    let found = detect(b"# coding: koi8-r\nplain\n", true);
    assert_eq!((found.encoding.name(), found.reasons.len()), ("us-ascii", 1), "{found:?}");
}

#[test]
fn a_language_is_not_told_by_a_sign_or_a_letter() {
    for text in [&b"25\xB0C, 30\xB0C, 35\xB0C and 40\xB0C\n"[..], b"it\x92s\n", b"a\xA0b\n", b"M\xFCnchen\n"]
    {
        let found = detect(text, true);
        assert_eq!(found.encoding, "windows-1252");
        assert!(found.reasons.iter().all(|reason| !reason.contains("looks like")), "{found:?}");
    }
    let german = detect(b"Gr\xFC\xDFe aus M\xFCnchen und K\xF6ln\n", true);
    assert!(german.reasons[1].ends_with("it looks like German"), "{german:?}");
}

#[test]
fn a_few_foreign_names_in_english_say_no_other_script() {
    let english =
        "Conveying under any other circumstances is permitted solely under the conditions stated below.\n";
    let italian = [
        "Canale Bellò",
        "Rotonda Borzomì",
        "Incrocio Almagià",
        "Luigina Foà-Perini",
        "Giosuè Saffi",
        "Bartolomeo Donà",
    ];
    let text: String = italian.iter().map(|name| format!("{name}: {english}")).collect();
    assert_eq!(detect(&in_encoding("windows-1252", &text), true).encoding.name(), "windows-1252");
    let rule =
        "The rule will translate \"Ääç\" to \"aac\": searching \"Çelik\", \"çelik\" or \"celik\" finds it.\n";
    let found = detect(&in_encoding("windows-1252", &[english, rule].concat()), true);
    assert_ne!(found.encoding.name(), "shift_jis");
    let croatian = ["Filipović", "Božanić", "Grubišno Polje", "Maračić", "Žufika", "Dolić"];
    let text: String = croatian.iter().map(|name| format!("{name}: {english}")).collect();
    assert_eq!(detect(&in_encoding("windows-1250", &text), true).encoding.name(), "windows-1250");
}

#[test]
fn french_with_names_of_others_is_western() {
    let words = "été à la plage São Paulo Müller déjà réservé élève garçon forêt tête où façade naïf Noël château hôpital";
    let words: Vec<&str> = words.split(' ').collect();
    let word = |at: usize| words[at * at % words.len()];
    let rows: String =
        (0..60).map(|row| format!("{row},'{} {} {}'\n", word(row), word(row + 5), word(3 * row))).collect();
    assert_eq!(detect(&in_encoding("windows-1252", &rows), true).encoding.name(), "windows-1252");
    let names =
        ["été à la plage", "São Paulo", "Müller", "déjà réservé", "élève", "forêt", "château", "São João"];
    let rows: String =
        (0..60).map(|row| format!("{row},{},{}\n", names[row % 8], names[row * 3 % 8])).collect();
    assert_eq!(detect(&in_encoding("windows-1252", &rows), true).encoding.name(), "windows-1252");
}

#[test]
fn tabs_beside_letters_are_not_utf16() {
    let letters = "ĄĆĘŁŃÓŚŹŻąćęłńóśź".chars().zip(0x80..);
    let rows =
        letters.flat_map(|(c, byte)| [b"\t", &[byte][..], b"\t", c.to_string().as_bytes(), b"\n"].concat());
    assert_ne!(detect(&rows.collect::<Vec<u8>>(), true).encoding.name(), "utf-16be");
}

#[test]
fn a_table_of_letters_is_in_no_encoding() {
    let rows: String = ('Α'..='Ρ').chain('α'..='ω').map(|c| format!("{c}\tkey {c}\t\" {c}\n")).collect();
    for encoding in [encoding_rs::WINDOWS_1253, encoding_rs::ISO_8859_7] {
        let found = detect(&encoding.encode(&rows).0, true);
        assert!(found.encoding == Encoding::Unknown && found.confidence < LIKELY, "{found:?}");
        assert!(!found.candidates.is_empty());
    }
}

#[test]
fn clean_text_gets_the_same_verdict_at_once() {
    let pieces = [
        "plain text, line by line\n",
        "\r\n",
        "\r",
        "café, naïve, über — “quoted” ",
        "Привет, мир! ",
        "日本語のテキスト。",
        "😀",
        "cafÃ© franÃ§ais â€œquotedâ€\u{9d} ",
        "~{Hz~} ",
        "\u{1b}$B",
        "\u{1}\u{2}\u{3}",
        "\0",
        "\u{feff}",
        "Ã",
        "½ ",
        "<?xml version='1.0' encoding='koi8-r'?>",
        "<meta charset=utf-8>",
    ];
    let mut random = 7_u64;
    let mut next = move |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    for round in 0..300 {
        let kinds: Vec<&str> = (0..1 + next(4)).map(|_| pieces[next(pieces.len())]).collect();
        let length = if round % 20 == 0 { 300_000 + next(300_000) } else { next(3000) };
        let mut text = String::new();
        while text.len() < length {
            text.push_str(kinds[next(kinds.len())]);
        }
        let mut detector = Detector::new();
        text.as_bytes().chunks(1 + next(5000)).for_each(|chunk| detector.push(chunk));
        let slowly = detector.finish(true);
        assert_eq!(
            format!("{:?}", detect(text.as_bytes(), true)),
            format!("{slowly:?}"),
            "{kinds:?}, {length}"
        );
    }
}

/// `detect` and `Detector` agree on odd bytes at the ends of blocks and of a sample's head.
#[test]
fn clean_text_is_looked_at_across_blocks() {
    const BITS: [&str; 10] =
        ["\0", "\r", "\u{1b}[1m", "~{VPND~}", "\u{7f}", "é", "😀", "Ã©", "â€œ", "é\u{A0}"];
    // Something beyond ASCII in every block, or in none.
    for word in ["text,", "é", "Ã©"] {
        let plain = format!("plain {word} line by line\n").repeat(4_000);
        for (n, bit) in BITS.iter().enumerate() {
            let place = [32 << 10, 64 << 10, 68 << 10][n % 3] - n % 4;
            let at = (place..).find(|at| plain.is_char_boundary(*at)).unwrap();
            let end = (place + 4096 - n..).find(|at| plain.is_char_boundary(*at)).unwrap();
            let text = [&plain[..at], bit, &plain[at..end]].concat();
            let mut detector = Detector::new();
            detector.push(text.as_bytes());
            assert_eq!(detect(text.as_bytes(), true), detector.finish(true), "{bit:?} at {at}, {word:?}");
        }
    }
}

#[test]
fn signs_behind_numbers_are_no_evidence_of_a_language() {
    for sign in [&b"\xA3"[..], b" m\xB2", b"\xA7", b"\xBD", b"\xB0", b"\xB1", b"\xD7", b"\xB5m"] {
        let lines: Vec<u8> =
            (5..60).flat_map(|n: u8| [n.to_string().as_bytes(), sign, b"\n"].concat()).collect();
        let found = detect(&lines, true);
        assert!(found.confidence < 0.5, "{}: {found:?}", sign.escape_ascii());
    }
    let log = b"10:00:01 INFO sensor 2 temperature=21\xB0 humidity=3\n".repeat(200);
    assert!(detect(&log, true).confidence < 0.5);
    // Letters are evidence, even if the text is repeated.
    let text = b"Pr\xF3ba \xB6wiat\xB3a: \xBF\xF3\xB3ty je\xBF, ma\xB3y \xB6lad.\n".repeat(9);
    assert_eq!(detect(&text, true).encoding, "iso-8859-2");
}

/// Its bytes are the same in three encodings, which differ in the comma or cedilla of four letters. So the answer says which others it may be.
#[test]
fn romanian_says_in_which_encodings_it_has_cedillas() {
    let texts = [
        "Primăria a anunțat că lucrările la podul din centrul orașului vor începe în luna mai. Șoferii sunt rugați să ocolească zona.",
        "A fost odată ca niciodată un împărat care avea trei fete. Cea mai mică era și cea mai frumoasă, încât nimeni nu îndrăznea.",
        "Se bat ouăle cu zahărul până devin spumoase, apoi se adaugă făina și laptele. Se lasă aluatul la dospit o oră.",
        "Fișierul nu a putut fi deschis. Verificați dacă aveți drepturi de acces și încercați din nou.",
        "Cetățenii sunt egali în fața legii și a autorităților publice, fără privilegii și fără discriminări.",
    ];
    for text in texts {
        let cedillas: String = text
            .chars()
            .map(|c| "ȘșȚț".chars().position(|comma| comma == c).map_or(c, |at| ['Ş', 'ş', 'Ţ', 'ţ'][at]))
            .collect();
        let (bytes, _, is_lossy) = encoding_rs::WINDOWS_1250.encode(&cedillas);
        assert!(!is_lossy && bytes == encoding_rs::ISO_8859_16.encode(text).0);
        let found = detect(&bytes, true);
        assert_eq!(found.encoding, "iso-8859-16");
        let last = found.reasons.last().unwrap();
        assert_eq!(last, "as windows-1250 or iso-8859-2 it would be the same text with ş and ţ for ș and ț");
        let names: Vec<_> = found.candidates.iter().map(|candidate| candidate.encoding.name()).collect();
        assert_eq!(names[..3], ["iso-8859-16", "windows-1250", "iso-8859-2"]);
        // Marks that only Windows has decide it.
        let quoted = format!("\u{201E}{cedillas}\u{201D}");
        assert_eq!(detect(&encoding_rs::WINDOWS_1250.encode(&quoted).0, true).encoding, "windows-1250");
        // The euro sign and the low quote of ISO 8859-16 are other characters elsewhere.
        let euro = format!("\u{201E}{text}\u{201D} 5 €");
        let found = detect(&encoding_rs::ISO_8859_16.encode(&euro).0, true);
        assert!(
            found.encoding == "iso-8859-16" && !found.reasons.iter().any(|it| it.contains("ş")),
            "{found:?}"
        );
    }
}
