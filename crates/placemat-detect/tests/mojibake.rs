//! Mojibake is undone and its positions are right, and nothing else is changed.
#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::sync::mpsc;
use std::thread;

use encoding_rs as rs;
use placemat_detect::mojibake::{Change, Page, Rows, Undoer, undo, undo_text};

const VECTORS: &str = include_str!("mojibake/vectors.txt");
const LANGUAGES: &str = include_str!("mojibake/languages.txt");
const CLEAN: &str = include_str!("mojibake/clean.txt");
const PAIRS: &str = include_str!("mojibake/pairs.txt");
const CELLS: &str = include_str!("mojibake/cells.txt");

/// The text that the UTF-8 of `text` is read as on `page`; `None` if the page lacks one of its bytes.
fn misread(text: &str, page: Page) -> Option<String> {
    let web = |encoding: &'static rs::Encoding| {
        let (text, malformed) = encoding.decode_without_bom_handling(text.as_bytes());
        (!malformed).then(|| text.into_owned())
    };
    let oem = |table: &[char; 128]| {
        let read = |&byte: &u8| if byte < 0x80 { char::from(byte) } else { table[usize::from(byte) - 0x80] };
        Some(text.as_bytes().iter().map(read).collect())
    };
    match page {
        Page::Windows1252 => web(rs::WINDOWS_1252),
        Page::Latin1 => Some(text.bytes().map(char::from).collect()),
        Page::Windows1250 => web(rs::WINDOWS_1250),
        Page::Windows1251 => web(rs::WINDOWS_1251),
        Page::Iso8859_2 => web(rs::ISO_8859_2),
        Page::Windows1254 => web(rs::WINDOWS_1254),
        Page::Windows1257 => web(rs::WINDOWS_1257),
        Page::Windows1253 => web(rs::WINDOWS_1253),
        Page::MacRoman => web(rs::MACINTOSH),
        Page::Cp437 => oem(&oem_cp::code_table::DECODING_TABLE_CP437),
        Page::Cp850 => oem(&oem_cp::code_table::DECODING_TABLE_CP850),
        Page::Cp852 => oem(&oem_cp::code_table::DECODING_TABLE_CP852),
        Page::Cp866 => web(rs::IBM866),
        Page::Koi8R => web(rs::KOI8_R),
        other => panic!("no test knows how to read {other:?}"),
    }
}

const PAGES: [Page; 14] = [
    Page::Windows1252,
    Page::Latin1,
    Page::Windows1250,
    Page::Windows1251,
    Page::Iso8859_2,
    Page::Windows1254,
    Page::Windows1257,
    Page::Windows1253,
    Page::MacRoman,
    Page::Cp437,
    Page::Cp850,
    Page::Cp852,
    Page::Cp866,
    Page::Koi8R,
];

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with("# "))
}

fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    lines(LANGUAGES).map(|line| line.split_once(" | ").expect("language | sentence"))
}

fn sentences() -> impl Iterator<Item = &'static str> {
    languages().map(|(_, sentence)| sentence)
}

fn fixed(text: &str) -> String {
    undo(text).map_or_else(|| text.to_owned(), |undone| undone.text)
}

#[test]
fn vectors() {
    let text = |code_points: &str| -> String {
        let scalar =
            |hex| char::from_u32(u32::from_str_radix(hex, 16).expect("hexadecimal")).expect("a scalar");
        code_points.split_whitespace().map(scalar).collect()
    };
    for line in lines(VECTORS) {
        let [misread, meant, rounds] = line.split('|').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let rounds: usize = rounds.trim().parse().expect("a number of rounds");
        let undone = undo(&text(misread));
        let made =
            undone.as_ref().map_or(0, |undone| undone.changes.iter().map(|c| c.via.len()).max().unwrap());
        assert_eq!(undone.map_or_else(|| text(misread), |undone| undone.text), text(meant), "{line}");
        assert_eq!(made, rounds, "{line}");
    }
}

/// Sentences with so few letters that another sentence, read on another page, gives the same text.
const AMBIGUOUS: [(&str, Page); 1] = [("cy", Page::Iso8859_2)];

#[test]
fn every_language_comes_back_from_every_page() {
    let mut ambiguous = Vec::new();
    for (language, sentence) in languages() {
        for page in PAGES {
            let Some(once) = misread(sentence, page) else { continue };
            let fixed = fixed(&once);
            if fixed != sentence {
                let other = PAGES.iter().find(|page| misread(&fixed, **page).as_ref() == Some(&once));
                assert!(other.is_some(), "{language} {page:?}\n{once}\n{fixed}");
                ambiguous.push((language, page));
            }
        }
    }
    assert_eq!(ambiguous, AMBIGUOUS);
}

#[test]
fn every_language_comes_back_from_two_and_three_misreadings() {
    for sentence in sentences() {
        for page in [Page::Windows1252, Page::Latin1, Page::Windows1251, Page::MacRoman] {
            let Some(twice) = misread(sentence, page).and_then(|once| misread(&once, page)) else { continue };
            assert_eq!(fixed(&twice), sentence, "{page:?} {twice:?}");
            let Some(thrice) = misread(&twice, page) else { continue };
            assert_eq!(fixed(&thrice), sentence, "{page:?} {thrice:?}");
        }
    }
}

#[test]
fn different_pages_one_after_the_other() {
    assert_eq!(fixed("clave de sesiÐ“Ñ–n"), "clave de sesión");
    let once = misread("coûte £5 à l’été", Page::Windows1252).unwrap();
    let twice = misread(&once, Page::Windows1251).unwrap();
    let undone = undo(&twice).unwrap();
    assert_eq!(undone.text, "coûte £5 à l’été");
    assert!(undone.changes.iter().all(|c| c.via == [Page::Windows1251, Page::Windows1252]), "{undone:?}");
}

#[test]
fn pairs() {
    for line in lines(PAIRS) {
        let (damaged, meant) = line.split_once(" ⇒ ").expect("damaged ⇒ meant");
        assert_eq!(fixed(damaged), meant, "{damaged}");
    }
}

#[test]
fn clean_text_is_left_alone() {
    for line in lines(CLEAN).chain(sentences()) {
        assert_eq!(undo(line), None, "{line}");
    }
    assert_eq!(undo(CLEAN), None);
}

#[test]
fn capitals_have_signs_by_nature() {
    for cell in lines(CELLS) {
        let cell = cell.replace('~', "\u{A0}");
        assert_eq!(undo(&cell), None, "{cell:?}");
    }
    for (damaged, meant) in [
        ("Il va Г\u{A0} Paris", "Il va à Paris"),
        ("GΓ\u{A0}idhlig", "Gàidhlig"),
        ("OГ№", "Où"),
        ("jusqu'Г\u{A0}", "jusqu'à"),
        ("97.9 В± 0.1 mi", "97.9 ± 0.1 mi"),
        ("В°C", "°C"),
        ("nÄ…ja", "nąja"),
        ("Ä—jo", "ėjo"),
        ("Î±", "α"),
        ("Ä°stanbul", "İstanbul"),
        ("LIMITÃ‰", "LIMITÉ"),
        ("Ä°FADE", "İFADE"),
        ("de 1 Г\u{A0} %d", "de 1 à %d"),
    ] {
        assert_eq!(fixed(damaged), meant, "{damaged}");
    }
}

#[test]
fn bytes_that_a_page_lacks_are_those_of_latin_1() {
    assert_eq!(fixed("NĆ£o hĆ¡ problema"), "Não há problema");
    assert_eq!(fixed("TiΓªng ViΓªt"), "Tiêng Viêt");
}

/// Rows in which a single character shows the misreading.
#[test]
fn one_character_is_enough() {
    for (damaged, meant) in [
        ("MÉ™tn", "Mətn"),
        ("ko e houa Ę»eni", "ko e houa ʻeni"),
        ("KHÃ”NG", "KHÔNG"),
        ("sená»ą", "senỹ"),
        ("NĂşmero total", "Número total"),
        ("đź‘¬", "👬"),
        ("R1 = 2 kÎ©", "R1 = 2 kΩ"),
        ("‚àí5 ¬∞F", "−5 °F"),
        ("đ‘„‡đ‘„§đ‘„‹đ‘„´đ‘„‰đ‘„®đ‘„Łđ‘„¨đ‘„Śđ‘„´", "𑄇𑄧𑄋𑄴𑄉𑄮𑄣𑄨𑄌𑄴"),
    ] {
        assert_eq!(fixed(damaged), meant, "{damaged}");
    }
}

/// Rows that were misread on the Arabic and Hebrew pages and damaged afterwards.
#[test]
fn rows_and_texts_are_undone_alike() {
    let mut rows = Rows::new();
    for text in [
        "â€œquoteâ€\u{200C} fox",
        "â€\u{200C} ",
        "â€\u{200D}Zitatâ€œ",
        "×©××•×\u{200C} ×",
        "أ،r�أ\u{AD}z",
        "ײÂ²\u{5B2} o�ײ²\u{5B2}»",
        "Nguyظ„آââ¦n Viظ„آ»â€،t lظ„طآ¯m",
        "×–×\u{200C}” ×¢××œ×\u{200C} ×",
        "ط¥â€œuvre la ط¥â€�uvre d”ط£آ©\u{200C}jط£آ\u{A0}",
    ] {
        let undone = undo(text).map(|undone| undone.text);
        assert_eq!(undo_text(text), undone, "{text}");
        assert_eq!(rows.undo(text), undone.as_deref(), "{text}");
    }
    assert_eq!(undo_text("â€œquoteâ€\u{200C} fox").as_deref(), Some("“quote” fox"));
}

/// What is remembered of one text does not change the next, and a long text between them does not either.
#[test]
fn texts_of_a_thread_are_undone_as_if_alone() {
    let long = "cafÃ© ".repeat(1_000);
    let texts =
        ["cafÃ© Â« thÃ© Â»", "São Paulo", &long, "CAFÃ‰", "naÃ¯ve ðŸ˜€", "Г©, кёё", "CafÃ©, voilÃ  tout"];
    let undone = texts.map(|text| undo(text).map(|undone| undone.text));
    assert_eq!(undone.iter().flatten().count(), 6, "{undone:?}");
    let all = || {
        for (text, undone) in texts.iter().zip(&undone).cycle().take(300) {
            assert_eq!(undo_text(text), *undone, "{text}");
        }
    };
    thread::scope(|scope| (0..3).for_each(|_| drop(scope.spawn(all))));
}

#[test]
fn a_thread_that_ends_undoes_texts() {
    struct Last(mpsc::Sender<Option<String>>);
    impl Drop for Last {
        fn drop(&mut self) {
            self.0.send(undo_text("thÃ©")).unwrap();
        }
    }
    thread_local! {
        static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
    }
    let (sender, receiver) = mpsc::channel();
    let work = move || {
        LAST.set(Some(Last(sender)));
        undo_text("cafÃ©")
    };
    assert_eq!(thread::spawn(work).join().unwrap().as_deref(), Some("café"));
    assert_eq!(receiver.recv().unwrap().as_deref(), Some("thé"));
}

/// `кёё` and `еђѕ` may be Cyrillic words by themselves.
#[test]
fn what_may_be_a_word_goes_with_the_rest() {
    let mut rows = Rows::new();
    for (damaged, meant) in [
        ("мѓ€ кёё м•€л‚ґм™Ђ лЏ„лЎњлЄ…", "새 길 안내와 도로명"),
        ("еђѕиј©гЃЇзЊ«гЃ§гЃ‚г‚‹гЂ‚еђЌе‰ЌгЃЇгЃѕгЃ\u{A0}з„ЎгЃ„", "吾輩は猫である。名前はまだ無い"),
    ] {
        assert_eq!(fixed(damaged), meant);
        assert_eq!(rows.undo(damaged), Some(meant));
    }
    for left in ["кёё", "еђѕ и кёё", "т·км, кёё"] {
        assert_eq!(rows.undo(left), None);
    }
}

/// Characters that no page reads as part of a sequence stay; the rest is repaired as if it were alone.
#[test]
fn what_was_not_misread_stays_beside_what_was() {
    let mut rows = Rows::new();
    for (damaged, meant) in [
        (
            "III DivisÃ£o - SÃ©rie F > Jornadas Classificação",
            "III Divisão - Série F > Jornadas Classificação",
        ),
        ("l’humanitÃ© du frÃ¨re", "l’humanité du frère"),
        ("日本 cafÃ© und Ελλάδα", "日本 café und Ελλάδα"),
        ("Привіт, cafÃ©, ﬁn", "Привіт, café, ﬁn"),
        // U+200C is a byte of windows-1256.
        ("PUTEA, â€\u{200C}x", "PUTEA, ”x"),
        ("آ\u{AD}tiإ‘", "\u{AD}tiő"),
    ] {
        assert_eq!(fixed(damaged), meant);
        for _ in 0..2 {
            assert_eq!(rows.undo(damaged).unwrap_or(damaged), meant);
            assert_eq!(rows.undo("cafÃ©"), Some("café"));
        }
    }
}

#[test]
fn formulas_and_drawings_are_no_letters() {
    for clean in [
        "√∞",
        "√±1",
        "√∂x",
        "the root √∫f of it",
        "√∏ and √∂",
        "√∞ √∂ √∫ √± √∏",
        "│ ├ñ",
        "├ñ──",
        "└─┬ñ",
        "├ñ foo",
        "  ├é",
        "x = √∞ und √∂x, √∫f, √±1 √∏ √π√Σ",
    ] {
        assert_eq!(fixed(clean), clean);
    }
    assert_eq!(fixed("sch√∂n"), "schön");
    assert_eq!(fixed("√∂ffnen"), "öffnen");
    assert_eq!(fixed("├ñndern"), "ändern");
    assert_eq!(fixed("f├╝r M├ñnner"), "für Männer");
}

#[test]
fn mojibake_beside_clean_text() {
    assert_eq!(fixed("Привет, FranÃ§ois! 日本 â‚¬ 5"), "Привет, François! 日本 € 5");
    assert_eq!(fixed("SÃ©rie F > ClassificaÃ§Ã£o, Classificação"), "Série F > Classificação, Classificação");
    assert_eq!(fixed("â€œa misfit of quotesâ€¦”"), "“a misfit of quotes…”");
    assert_eq!(fixed("le cafÃ©Où"), "le caféOù");
    assert_eq!(fixed("uma palavra-passe ├® muito"), "uma palavra-passe é muito");
    assert_eq!(fixed("un ├¿xit ‚Äî avui"), "un èxit — avui");
}

#[test]
fn what_closes_a_word_is_no_byte() {
    for letter in "éèàêçôîùïëäöüßñõóíú".chars() {
        for sign in "”’»…–—“‘›".chars() {
            for damaged in [
                format!("le mo{letter}{sign} Ã©tait rare"),
                format!("le mo{letter} {sign} Ã©tait rare"),
                format!("mo{letter} {sign} Ã©tÃ© Ã  “mo{letter}{sign} â€” “mo{letter}{sign} câ€™est"),
            ] {
                let meant =
                    damaged.replace("Ã©", "é").replace("Ã ", "à").replace("â€”", "—").replace("â€™", "’");
                assert_eq!(fixed(&damaged), meant, "{damaged}");
            }
        }
    }
    assert_eq!(fixed("Il a une intensitÃ© maximale ‘à’"), "Il a une intensité maximale ‘à’");
    assert_eq!(fixed("«là» Ã©tait"), "«là» était");
}

#[test]
fn what_has_no_width_stands_anywhere() {
    for invisible in ('\u{200B}'..='\u{200F}').chain(['\u{2060}']) {
        for meant in
            [format!("Hello{invisible}World"), format!("Hello {invisible}(x)"), format!("{invisible}Hi")]
        {
            for page in [Page::Windows1252, Page::Latin1, Page::Windows1250] {
                let Some(once) = misread(&meant, page) else { continue };
                assert_eq!(fixed(&once), meant, "{once} {page:?} U+{:04X}", invisible as u32);
            }
        }
    }
}

#[test]
fn what_belongs_to_no_symbol() {
    for (damaged, meant) in [
        ("20В°C, 5 В± 3", "20°C, 5 ± 3"),
        ("Å±r, Å°rhajó", "űr, Űrhajó"),
        ("Е±r", "űr"),
        ("Δ°stanbul", "İstanbul"),
        ("Î²-carotene, Î± and Î³", "β-carotene, α and γ"),
        ("10 В· 20", "10 · 20"),
        ("ΓΌber hΓ΄tel", "über hôtel"),
        ("Ξ΄ΞµΞ½", "δεν"),
        ("NÂ° 5", "N° 5"),
    ] {
        assert_eq!(fixed(damaged), meant, "{damaged}");
    }
}

#[test]
fn no_break_spaces_and_signs_by_themselves() {
    for (damaged, meant) in [
        ("âœ” No problems", "✔ No problems"),
        ("Hello.Â  World", "Hello.\u{A0} World"),
        ("1Â 000Â €", "1\u{A0}000\u{A0}€"),
        ("Â\u{A0}Hello", "\u{A0}Hello"),
        ("a Â\u{A0} b", "a \u{A0} b"),
        ("Â\u{A0}", "\u{A0}"),
    ] {
        assert_eq!(fixed(damaged), meant, "{damaged}");
    }
    for meant in ["«\u{A0}Â\u{A0}»", "Â\u{A0}: l’accent", "MANHÃ–TARDE", "LÃ®", "Â  Ă  Î", "Â, Ê. Â "]
    {
        assert_eq!(undo(meant), None, "{meant}");
    }
}

/// Of ∠, ≠ and ⚠ the last byte is A0, which many programs turn into a space.
#[test]
fn signs_whose_last_byte_became_a_space() {
    for (damaged, meant) in [
        ("Sâˆ A", "S∠A"),
        ("âˆ ABC = 90", "∠ABC = 90"),
        ("x â‰  y", "x ≠ y"),
        ("if (a â‰  b) // naÃ¯ve", "if (a ≠ b) // naïve"),
        ("âš  Warning: disk full", "⚠ Warning: disk full"),
        ("note: âš  Warning", "note: ⚠ Warning"),
    ] {
        assert_eq!(fixed(damaged), meant, "{damaged}");
        assert_eq!(undo_text(damaged).as_deref(), Some(meant), "{damaged}");
        assert_eq!(Rows::new().undo(damaged), Some(meant), "{damaged}");
    }
    for clean in
        ["hâlâ A", "â A", "voilà A", "là à A", "sâš A", "kâš  A", "âš a", "il a là‰ ", "à ˆ A", "3 à‰ A"]
    {
        assert_eq!(undo(clean), None, "{clean}");
        assert_eq!(undo_text(clean), None, "{clean}");
    }
}

/// What is left of a sequence where a field was cut is no word that the rest would be a piece of.
#[test]
fn what_was_cut_at_its_ends_comes_back_but_for_the_ends() {
    for (damaged, meant) in [
        ("›lÄ… jaÅºÅ", "›lą jaźÅ"),
        ("Ð¸Ñ… Ñ„Ñ€Ð", "их фрÐ"),
        ("{\"name\": \"lÄ… jaÅºÅ\"}", "{\"name\": \"lą jaźÅ\"}"),
        ("łŃ– ĐµŇŁ ŇŻĐ»ĐşĐµĐ˝", "łі ең үлкен"),
        ("ìÐéð©Ðà ð╝", "ìтих м"),
    ] {
        assert_eq!(fixed(damaged), meant, "{damaged}");
        assert_eq!(undo_text(damaged).as_deref(), Some(meant), "{damaged}");
    }
    // All that is left of a character of Japanese.
    for piece in ["ãƒ", "ã¼", "ã¢"] {
        for text in [piece.to_owned(), format!("a {piece} b"), format!("[\"{piece}\"]"), format!("{piece}1")]
        {
            assert_eq!(undo(&text), None, "{text}");
            assert_eq!(undo_text(&text), None, "{text}");
        }
    }
    assert_eq!(fixed("hÃ¡i ãƒ"), "hái ãƒ");
}

#[test]
fn pages_that_read_the_same_runs_go_by_spelling() {
    for meant in
        ["España", "nada más en España", "Köln", "Mörder", "Estoy en España, nada más", "É a maior cidade"]
    {
        for page in [Page::Iso8859_2, Page::Windows1250] {
            let Some(once) = misread(meant, page) else { continue };
            assert_eq!(fixed(&once), meant, "{once} {page:?}");
        }
    }
}

#[test]
fn koi8_r_has_its_no_break_space_elsewhere() {
    let damaged = misread("Привет: я, к, р и Київ", Page::Koi8R).unwrap();
    assert_eq!(fixed(&damaged), "Привет: я, к, р и Київ");
    assert!(damaged.contains('\u{A0}'));
    assert_eq!(fixed(&damaged.replace('\u{A0}', " ")), "Привет: я, к, р и Київ");
}

#[test]
fn lost_bytes() {
    // A0 as a space: inside a word, at its end, folded with the space behind it, and before `quele`.
    assert_eq!(fixed("à¸ à¸²à¸©à¸²"), "ภาษา");
    assert_eq!(fixed("dÃ©jÃ  vu"), "déjà vu");
    assert_eq!(fixed("dÃ©jÃ vu"), "déjà vu");
    assert_eq!(fixed("voilÃ tout"), "voilà tout");
    assert_eq!(fixed("lesÃµes semelhantes Ã quelas"), "lesões semelhantes àquelas");
    // The space is the rest of the byte, not the one before the next word.
    assert_eq!(fixed("Je suis lÃ , et voilÃ . celui-lÃ ; lÃ -bas"), "Je suis là, et voilà. celui-là; là-bas");
    assert_eq!(fixed(r#"{"a":"voilÃ ","b":"cafÃ©"}"#), r#"{"a":"voilà","b":"café"}"#);
    assert_eq!(fixed("<b>lÃ </b>Ã©"), "<b>là</b>é");
    assert_eq!(fixed("Ã s vezes nÃ£o vou Ã quela praia, Ã s."), "às vezes não vou àquela praia, às.");
    assert_eq!(fixed("prÃªt Ã (re)lire, lÃ - bas, Ã s'y"), "prêt à (re)lire, là - bas, à s'y");
    assert_eq!(fixed(r#"prÃªt Ã "lire" Ã 5 € Ã <b>"#), r#"prêt à "lire" à 5 € à <b>"#);
    // Within words, in Vietnamese; a letter and a space, unless the rest of the line was misread too.
    assert_eq!(fixed("phim hĂ i hay nháşĄt"), "phim hài hay nhất");
    assert_eq!(fixed("Å is slaptaÅ¾odis yra, JÄ¯ turi"), "Šis slaptažodis yra, Jį turi");
    assert_eq!(fixed("Å være CafÃ©"), "Å være Café");
    // 9D dropped by strict windows-1252.
    assert_eq!(fixed("â€œquotedâ€ text"), "“quoted” text");
    // A character that cannot be known becomes U+FFFD, and the change is lossy.
    let undone = undo("AmÃ©rica, Ã\u{FFFD}frica").unwrap();
    assert_eq!(undone.text, "América, \u{FFFD}frica");
    assert_eq!(undone.changes.iter().map(Change::is_lossy).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn surrogate_pairs() {
    assert_eq!(fixed("Hi í\u{A0}½í¸\u{8D}"), "Hi 😍");
}

#[test]
fn changes_say_where_and_how() {
    let undone = undo("ok\ncafÃ© ÃƒÂ¼ber\n").unwrap();
    let expected = [
        Change { range: 6..10, replacement: "é".into(), via: vec![Page::Windows1252] },
        Change { range: 11..19, replacement: "ü".into(), via: vec![Page::Windows1252; 2] },
    ];
    assert_eq!(undone.changes, expected);
}

/// Puts the source of each change back in its place.
fn put_back(source: &str, undone: &str, changes: &[Change]) -> String {
    let (mut out, mut at, mut behind) = (String::new(), 0, 0);
    for change in changes {
        let (start, end) = (change.range.start as usize, change.range.end as usize);
        let kept = start - behind;
        out.push_str(&undone[at..at + kept]);
        assert_eq!(&undone[at + kept..][..change.replacement.len()], change.replacement);
        out.push_str(&source[start..end]);
        at += kept + change.replacement.len();
        behind = end;
    }
    out + &undone[at..]
}

#[test]
fn changes_lead_back_to_the_source() {
    for sentence in sentences() {
        for page in PAGES {
            let Some(once) = misread(sentence, page) else { continue };
            let source = format!("{sentence} {once}\n{}", misread(&once, Page::Latin1).unwrap());
            let undone = undo(&source).unwrap();
            assert!(undone.changes.is_sorted_by(|a, b| a.range.end <= b.range.start), "{:?}", undone.changes);
            assert_eq!(put_back(&source, &undone.text, &undone.changes), source);
        }
    }
}

#[test]
fn blocks_of_lines_give_the_changes_of_the_whole() {
    let damaged: Vec<String> = sentences().filter_map(|s| misread(s, Page::Windows1252)).collect();
    let text = damaged.join("\n");
    let whole = undo(&text).unwrap().changes;
    let (mut undoer, mut blocks) = (Undoer::new(), Vec::new());
    for line in text.split_inclusive('\n') {
        undoer.block(line, |change| blocks.push(change));
    }
    assert_eq!(blocks, whole);
}

#[test]
fn long_lines() {
    let sentence = "Ð¡ÑŠÐµÑˆÑŒ ÐµÑ‰Ñ‘ Ð¼Ð°Ð»Ð¸Ð½Ñ‹. ";
    let undone = undo(&sentence.repeat(5_000)).unwrap();
    assert_eq!(undone.text, fixed(sentence).repeat(5_000));
    for character in ["м", "😀", "今天的天气非常好，", "é,"] {
        let meant = character.repeat(10_000);
        let once = misread(&meant, Page::Latin1).unwrap();
        assert!(fixed(&once) == meant, "{character}");
        assert!(fixed(&misread(&once, Page::Windows1252).unwrap()) == meant, "{character}");
    }
    // The space that is the last byte of `à` is no place to cut at.
    let line = |x| {
        format!(
            "{}{} voilÃ tout le monde {}",
            "le cafÃ© ".repeat(1_488),
            "x".repeat(x),
            "le cafÃ© ".repeat(400)
        )
    };
    assert!((0..30).all(|x| fixed(&line(x)).contains(" voilà tout le")));
}

/// A small generator of pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

#[test]
fn random_text_is_undone_once_for_all() {
    let alphabet: Vec<char> =
        "aZ 0.?\n\u{A0}\u{AD}\u{85}\u{9D}\u{FFFD}ÃÂâ€™œ©éÐ±Ñ‚РСТёвЂћ├┤√πĂĹ˝Ä™Î¬日م😀í½".chars().collect();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..20_000 {
        let length = random.below(24);
        let text: String = (0..length).map(|_| alphabet[random.below(alphabet.len())]).collect();
        let Some(undone) = undo(&text) else { continue };
        assert_ne!(undone.text, text);
        assert_eq!(put_back(&text, &undone.text, &undone.changes), text);
        assert_eq!(undo(&undone.text), None, "{text:?} -> {:?}", undone.text);
    }
}

#[test]
fn undone_text_has_nothing_left_to_undo() {
    for sentence in sentences() {
        for page in PAGES {
            let Some(undone) = misread(sentence, page).and_then(|once| undo(&once)) else { continue };
            assert_eq!(undo(&undone.text), None);
        }
    }
}

#[test]
fn languages_come_back_from_pages_of_their_script() {
    // Like a reader that takes a byte without a character as in Latin-1.
    let read_by = |page: Page, text: &str| {
        let encoding = rs::Encoding::for_label(page.name().as_bytes()).unwrap();
        let read = |byte: u8| {
            let bytes = [byte];
            let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
            text.and_then(|text| text.chars().next()).unwrap_or(char::from(byte))
        };
        text.bytes().map(read).collect::<String>()
    };
    for (page, language) in [
        (Page::Windows1256, "ar"),
        (Page::Windows1256, "fa"),
        (Page::Windows1256, "ru"),
        (Page::Windows874, "th"),
        (Page::Windows874, "ru"),
        (Page::Windows1255, "he"),
        (Page::Windows1255, "ru"),
    ] {
        let sentences: Vec<&str> =
            languages().filter(|(name, _)| *name == language).map(|(_, text)| text).collect();
        assert!(!sentences.is_empty(), "{language}");
        for sentence in sentences {
            let misread = read_by(page, sentence);
            assert_eq!(
                undo(&misread).map(|undone| undone.text).as_deref(),
                Some(sentence),
                "{page} {misread}"
            );
            assert_eq!(Rows::new().undo(&misread), Some(sentence), "{page} {misread}");
        }
    }
}
