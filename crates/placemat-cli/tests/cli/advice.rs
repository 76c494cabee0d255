//! Runs every command that a message recommends on the file that caused the message; it must repair the file.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use crate::stage::Stage;

/// The commands that a message recommends, as a shell reads them.
fn recommended(said: &str) -> Vec<String> {
    let commands = said.lines().filter_map(|line| line.split_once(": placemat "));
    commands.map(|(_, rest)| format!("placemat {}", rest.trim_end())).collect()
}

/// Runs the one command that is recommended, as a user who copies it would. Returns its output.
fn follow(stage: &Stage, said: &str) -> Vec<u8> {
    let mut commands = recommended(said);
    commands.dedup();
    assert_eq!(commands.len(), 1, "{said}");
    let programs = Path::new(env!("CARGO_BIN_EXE_placemat")).parent().unwrap();
    let path = std::env::join_paths([programs, Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
    let ran = Command::new("bash")
        .arg("-c")
        .arg(&commands[0])
        .env("PATH", path)
        .current_dir(stage.path(""))
        .output();
    let ran = ran.unwrap();
    assert!(ran.status.success(), "{commands:?}: {ran:?}");
    ran.stdout
}

/// "Grüße" in the form.
fn written(form: &str) -> Vec<u8> {
    let form = placemat::Form::named(form).unwrap();
    placemat::convert(placemat::Form::Utf8, form, "Grüße\n".as_bytes()).unwrap()
}

fn rule(stage: &Stage, form: &str, mark: &str) {
    stage.file(
        "placemat.toml",
        format!("[[rule]]\nfiles = [\"*.reg\"]\nform = \"{form}\"\nmark = \"{mark}\"\n"),
    );
}

#[test]
fn a_character_that_a_line_break_parts_is_named() {
    let parts = |text: &[u8]| {
        let ended = crate::stage::placemat(&["check"], text);
        let out = String::from_utf8(ended.out).unwrap();
        (out.matches("    = a line break parts the bytes of ").count(), out.matches("    = ").count(), out)
    };
    for (text, named, count) in [
        (&b"d\xC3\xA9j\xC3\n\xA0 vu, d\xC3\xA9j\xC3\xA0 vu\n"[..], "à (U+00E0)", 2),
        (b"d\xC3\xA9j\xC3\r\n \xA0 vu, d\xC3\xA9j\xC3\xA0 vu\n", "à (U+00E0)", 2),
        (b"5 \xE2\n\x82\xAC, d\xC3\xA9j\xC3\xA0 vu\n", "€ (U+20AC)", 3),
        (b"5 \xE2\x82\n\xAC, d\xC3\xA9j\xC3\xA0 vu\n", "€ (U+20AC)", 2),
        (b"\xF0\x9F\x98\n\x80 d\xC3\xA9j\xC3\xA0 vu\n", "😀 (U+1F600)", 2),
    ] {
        let (parted, all, out) = parts(text);
        assert!((parted, all) == (count, count) && out.contains(named), "{out}");
        let ended = crate::stage::placemat(&["check", "--format", "json"], text);
        let hint = format!(r#""hint":{{"form":"utf-8","text":"{}"}}"#, named.chars().next().unwrap());
        let json = String::from_utf8(ended.out).unwrap();
        assert_eq!(json.matches(&hint).count(), count, "{json}");
    }
    // Bytes that stand for no character together.
    for text in [&b"\xC3\xA0 d\xC3\nvu \xC3\xA0\n"[..], b"\xC3\xA0 caf\xE9\nvu\n", b"\xC3\xA0 a\n\x92vu\n"] {
        let (parted, _, out) = parts(text);
        assert_eq!(parted, 0, "{out}");
    }
}

#[test]
fn a_mark_is_written_in_the_form_of_the_rule() {
    for form in [
        "utf-8", "utf-16le", "utf-16be", "utf-16", "utf-32le", "utf-32be", "utf-32", "utf-7", "cesu-8",
        "gb18030",
    ] {
        let stage = Stage::new();
        rule(&stage, form, "required");
        let text = match form {
            "utf-16" => written("utf-16be"),
            "utf-32" => written("utf-32be"),
            "gb18030" => b"\xA8\xB9\n".to_vec(),
            _ => written(form),
        };
        stage.file("it's a.reg", &text);
        let ended = stage.run(&["check", "it's a.reg"]);
        if !ended.out.contains("mark-required") {
            // The byte order mark of this form is not recognised.
            continue;
        }
        follow(&stage, &ended.out);
        assert_eq!(stage.run(&["check", "."]).code, Some(0), "{form}");
        assert!(stage.get("it's a.reg").ends_with(&text), "{form}");
    }
}

#[test]
fn a_mark_is_removed_in_the_form_that_it_announces() {
    for (form, mark, of) in [
        ("utf-8", &b"\xEF\xBB\xBF"[..], "utf-8"),
        ("utf-16le", b"\xFF\xFE", "utf-16le"),
        ("utf-16be", b"\xFE\xFF", "utf-16be"),
        ("utf-16le", b"\xFE\xFF", "utf-16be"),
        ("utf-32le", b"\xFF\xFE\0\0", "utf-32le"),
    ] {
        let stage = Stage::new();
        rule(&stage, form, "forbidden");
        stage.file("a.reg", [mark, &written(of)].concat());
        let ended = stage.run(&["check", "a.reg"]);
        assert!(ended.out.contains("mark-forbidden"), "{form}: {}", ended.out);
        follow(&stage, &ended.out);
        assert_eq!(stage.get("a.reg"), written(form), "{form}");
        assert_eq!(stage.run(&["check", "."]).code, Some(0), "{form}");
    }
}

#[test]
fn standard_input_is_not_repaired_in_place() {
    let ended = Stage::new()
        .run_with(&["check", "--mojibake", "-"], "Ã©tÃ© â€œquotedâ€\u{9D} SÃ£o Paulo\n".as_bytes());
    let commands = recommended(&ended.out);
    assert!(
        !commands.is_empty() && commands.iter().all(|c| c == "placemat repair --mojibake"),
        "{}",
        ended.out
    );
}

#[test]
fn mojibake_is_undone() {
    let stage = Stage::new();
    stage.file("a b.txt", "Ã©tÃ© â€œquotedâ€ SÃ£o Paulo\n");
    for format in ["human", "github"] {
        let ended = stage.run(&["check", "--mojibake", "--format", format, "--max-errors", "1", "a b.txt"]);
        assert!(
            ended.out.contains("to undo it: placemat repair --in-place --mojibake 'a b.txt'"),
            "{}",
            ended.out
        );
    }
    let ended = stage.run(&["check", "--mojibake", "a b.txt"]);
    follow(&stage, &ended.out);
    assert_eq!(stage.run(&["check", "--mojibake", "a b.txt"]).code, Some(0));
}

#[test]
fn characters_that_are_not_shown_are_removed() {
    let stage = Stage::new();
    for (flag, text) in
        [("--invisible", "a\u{200B}b \u{202E}c\n"), ("--invisible=private-use", "\u{E000}a\n")]
    {
        stage.file("a.txt", text);
        let ended = stage.run(&["check", flag, "a.txt"]);
        follow(&stage, &ended.out);
        assert_eq!(stage.run(&["check", flag, "a.txt"]).code, Some(0));
    }
}

#[test]
fn what_is_refused_is_converted() {
    let text = "Съешь же ещё этих мягких французских булок, да выпей чаю\n".repeat(5);
    let (bytes, _, _) = encoding_rs::KOI8_R.encode(&text);
    let stage = Stage::new();
    stage.file("$ru.txt", &bytes);
    let refused = stage.run(&["repair", "--in-place", "$ru.txt"]);
    assert_eq!((refused.code, stage.get("$ru.txt").as_slice()), (Some(1), &*bytes));
    assert_eq!(follow(&stage, &refused.err), text.as_bytes());
    // A conversion that stops says which encoding to name.
    let stopped = stage.run(&["convert", "-t", "utf-16le", "$ru.txt"]);
    let (_, rest) = stopped.err.split_once("it looks like koi8-r: -f ").expect(&stopped.err);
    let form = rest.lines().next().unwrap();
    assert_eq!(stage.run(&["convert", "-f", form, "$ru.txt"]).out, text);
}

#[test]
fn a_few_errors_are_repaired() {
    let stage = Stage::new();
    let good = "Grüße aus Köln – schön hier\n".repeat(9);
    stage.file("a.txt", [good.as_bytes(), b"caf\xE9\n"].concat());
    stage.file("it's", [good.as_bytes(), b"caf\xE9\n"].concat());
    for args in [&["convert", "-t", "utf-16le", "-o", "out", "a.txt"][..], &["convert", "it's"]] {
        let stopped = stage.run(args);
        assert!(stopped.err.contains("few malformed sequences"), "{}", stopped.err);
        assert_eq!(follow(&stage, &stopped.err), format!("{good}café\n").into_bytes());
    }
    assert_eq!(stage.run(&["repair", "--in-place", "a.txt"]).code, Some(0));
    assert_eq!(stage.run(&["convert", "-t", "utf-16le", "-o", "out", "a.txt"]).code, Some(0));
}

#[test]
fn a_file_that_announces_another_form_is_checked_as_that() {
    let stage = Stage::new();
    stage.file("a.txt", [&b"\xFF\xFE"[..], &written("utf-16le")].concat());
    let ended = stage.run(&["check", "a.txt"]);
    let (_, rest) = ended.out.split_once(": -f ").expect(&ended.out);
    let form = rest.lines().next().unwrap();
    assert_eq!(stage.run(&["check", "-f", form, "a.txt"]).code, Some(0));
}

/// Bytes like a byte order mark before text in another encoding: no command makes ideographs of the text.
#[test]
fn nobody_is_told_to_read_a_text_in_the_form_of_a_mark_that_it_contradicts() {
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю\n";
    for text in ["hello you\n", &"plain text\n".repeat(2000), russian, &russian.repeat(999)] {
        for mark in [&b"\xFF\xFE"[..], b"\xFE\xFF", b"\xFF\xFE\0\0"] {
            let stage = Stage::new();
            let bytes = [mark, text.as_bytes()].concat();
            stage.file("a.txt", &bytes);
            let convert = ["convert", "-f", "windows-1251", "a.txt"];
            for args in
                [&["check", "a.txt"][..], &["check", "-"], &["check", "--mojibake", "a.txt"], &convert]
            {
                let ended = stage.run_with(args, &bytes);
                let said = format!("{}{}", ended.out, ended.err);
                assert!(!said.contains("-f utf-16") && !said.contains("-f utf-32"), "{args:?}: {said}");
                if args[0] == "check" {
                    let is_told = said.contains("is the byte order mark of utf-");
                    assert!(is_told && said.contains(", which the text is not in"), "{args:?}: {said}");
                    assert!(said.contains("2 errors in 1 of 1 file"), "{args:?}: {said}");
                }
            }
            stage.file("a.csv", &bytes);
            let ended = stage.run(&["repair", "--csv", "--lossy", "a.csv"]);
            assert!(!ended.err.contains("utf-16") && ended.out.ends_with(text), "{}", ended.err);
        }
    }
}

/// A pipe may bring a byte order mark, and the text that contradicts it line by line.
#[test]
fn a_pipe_is_read_until_it_may_contradict_its_mark() {
    let stage = Stage::new();
    let mut open = stage.start(&["check", "-"]);
    let stdin = open.stdin.as_mut().unwrap();
    for line in ["\n", "plain text\n", "and more plain text\n"] {
        let mark = if line == "\n" { &b"\xFF\xFE"[..] } else { b"" };
        stdin.write_all(&[mark, line.as_bytes()].concat()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    let out = String::from_utf8(open.wait_with_output().unwrap().stdout).unwrap();
    assert!(out.starts_with("<stdin>:1:1: FF occurs nowhere in UTF-8"), "{out}");
}

/// A file in another encoding is one line, whatever it is in; the command in it reads the file.
#[test]
fn a_file_in_another_encoding_is_converted() {
    let polish = "Określa, czy karta może zostać użyta. Źdźbło trawy, żółć, gęś i łąka\n";
    let turkish = "Şimdi değiştirilmiş dosyaları görüntüle, ışık yanıyor, üç gün önce çıktı\n";
    let greek = "Άνοιξη, Άρης και Άννα· ας ελπίσουμε ότι αύριο θα έχει ήλιο στη θάλασσα του νησιού\n";
    let japanese = "ファイルを開くことができません。設定の確認をしてください\n";
    let mut cases: Vec<(&str, &str, Vec<u8>)> = [
        (encoding_rs::WINDOWS_1250, "windows-1250", polish),
        (encoding_rs::ISO_8859_2, "iso-8859-2", polish),
        (encoding_rs::WINDOWS_1254, "windows-1254", turkish),
        (encoding_rs::ISO_8859_7, "iso-8859-7", greek),
        (encoding_rs::SHIFT_JIS, "shift_jis", japanese),
    ]
    .map(|(encoding, name, text)| (name, text, encoding.encode(text).0.into_owned()))
    .into();
    let wide = placemat::convert(placemat::Form::Utf8, placemat::Form::Utf16Le, polish.as_bytes()).unwrap();
    cases.push(("utf-16le", polish, wide));
    for (name, text, bytes) in cases {
        let stage = Stage::new();
        stage.file("it's.txt", &bytes);
        for args in
            [&["check", "it's.txt"][..], &["check", "--format", "github", "--max-errors", "4", "it's.txt"]]
        {
            let ended = stage.run(args);
            assert_eq!((ended.code, ended.out.lines().count()), (Some(1), 1), "{}", ended.out);
            let is_told = ended.out.contains(" malformed sequence") && ended.out.contains(", looks like ");
            assert!(is_told, "{}", ended.out);
            if args.len() == 2 {
                assert_eq!(String::from_utf8(follow(&stage, &ended.out)).unwrap(), text, "{name}");
            }
        }
        // All errors are reported on request, and to programs.
        let all = stage.run(&["check", "-f", "utf-8", "it's.txt"]);
        assert!(all.out.contains("it's.txt:1:") && !all.out.contains("looks like"), "{}", all.out);
        let json = stage.run(&["check", "--format", "json", "it's.txt"]).out;
        let lines: Vec<serde_json::Value> =
            json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let file = &lines[lines.len() - 2];
        assert_eq!((&file["type"], &file["looks_like"]["encoding"]), (&"file".into(), &name.into()));
        assert_eq!(file["errors"], lines.len() - 2);
    }
}

#[test]
fn a_few_errors_are_shown_without_hints_of_the_wrong_encoding() {
    let stage = Stage::new();
    stage.file("a.txt", b"Okre\xB6la, czy karta mo\xBFe\n");
    let ended = stage.run(&["check", "a.txt"]);
    assert!(ended.out.contains("a.txt:1:5") && ended.out.contains("a.txt:1:22"), "{}", ended.out);
    assert!(!ended.out.contains("in windows-1252"), "{}", ended.out);
    assert!(ended.out.contains("\na.txt: may be iso-8859-2 (40 %): placemat convert"), "{}", ended.out);
    assert_eq!(follow(&stage, &ended.out), "Określa, czy karta może\n".as_bytes());
}

#[test]
fn standard_input_is_judged_too() {
    let polish = "Określa, czy karta może zostać użyta. Źdźbło trawy, żółć, gęś i łąka\n";
    let (bytes, _, _) = encoding_rs::WINDOWS_1250.encode(polish);
    let stage = Stage::new();
    // A pipe that stays open is read only once, so the errors come first.
    let mut open = stage.start(&["check", "--max-errors", "2", "-"]);
    open.stdin.as_mut().unwrap().write_all(&bytes).unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    let out = String::from_utf8(open.wait_with_output().unwrap().stdout).unwrap();
    assert!(out.starts_with("<stdin>:1:5: ") && out.lines().count() > 3, "{out}");
    assert!(out.contains("\n<stdin>: looks like windows-1250 ("), "{out}");
    // A file is read twice.
    stage.file("a.txt", &bytes);
    let file = std::fs::File::open(stage.path("a.txt")).unwrap();
    let output = stage.command(&["check"]).stdin(file).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.starts_with("<stdin>:1:5: ") && out.lines().count() == 1, "{out}");
    assert!(out.ends_with("placemat convert -f windows-1250\n"), "{out}");
    assert_eq!(output.status.code(), Some(1));
}

/// By accident, two letters of windows-1251 are a character of UTF-8, and one that looks decoded twice.
#[test]
fn what_is_not_utf8_is_no_mojibake() {
    let text = "Съешь же ещё этих мягких французских булок: Г\u{453}\u{412}\u{A9} да выпей чаю\n".repeat(9);
    let (bytes, _, _) = encoding_rs::WINDOWS_1251.encode(&text);
    let stage = Stage::new();
    stage.file("a.txt", &bytes);
    let found =
        |text: &[u8]| placemat_text::faults::misread::search(&mut &text[..], 0, &mut |_| Ok::<_, ()>(()));
    assert!(found(&bytes).unwrap().0 > 0, "what this test is about");
    for input in [
        &["check", "--mojibake", "--format=json", "a.txt"][..],
        &["check", "--mojibake", "--format=json", "-"],
    ] {
        let ended = stage.run_with(input, &bytes);
        assert!(!ended.out.contains("mojibake") && ended.out.contains("windows-1251"), "{}", ended.out);
    }
}

#[test]
fn what_has_no_encoding_has_no_command() {
    let stage = Stage::new();
    stage.file("a.pdf", (1..=255).cycle().take(1000).collect::<Vec<u8>>());
    let ended = stage.run(&["check", "a.pdf"]);
    assert!(ended.out.ends_with("malformed sequences, does not seem to be text\n"), "{}", ended.out);
}

#[test]
fn what_is_not_likely_has_no_command() {
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю\n";
    let french = "Déjà vu : été, forêt, garçon, où êtes-vous passé ? À bientôt, élève zélé.\n";
    let part = |encoding: &'static encoding_rs::Encoding, text: &str| encoding.encode(text).0.repeat(2);
    let several =
        [part(encoding_rs::KOI8_R, russian), part(encoding_rs::WINDOWS_1252, french), french.into()].concat();
    let rows: String =
        "абвгдежзийклмнопрстуфхцчшщъыьэюя".chars().map(|c| format!("k\t{c}\t\" key\n")).collect();
    let table = part(encoding_rs::WINDOWS_1251, &rows);
    for (name, bytes) in [("several encodings", several), ("unknown", table)] {
        let stage = Stage::new();
        stage.file("a.txt", &bytes);
        let seen = stage.run(&["detect", "a.txt"]);
        assert!(seen.out.contains(&format!("a.txt: {name}")), "{}", seen.out);
        for args in [
            &["check", "a.txt"][..],
            &["repair", "a.txt"],
            &["convert", "-t", "utf-16le", "a.txt"],
            &["convert", "-f", "auto", "a.txt"],
        ] {
            let ended = stage.run_on(args, "");
            let said = [String::from_utf8_lossy(&ended.out).into_owned(), ended.err].concat();
            assert_eq!(ended.code, Some(1), "{args:?}: {said}");
            assert!(recommended(&said).is_empty() && !said.contains("looks like"), "{args:?}: {said}");
        }
    }
}

#[test]
fn lines_in_two_encodings_are_mended_by_the_second() {
    let french = "Déjà vu : été, forêt, garçon, où êtes-vous passé ?\n";
    let polish = "Zażółć gęślą jaźń, żółty jeż; świeży chleb, łąka.\n";
    for (encoding, line) in [(encoding_rs::WINDOWS_1252, french), (encoding_rs::WINDOWS_1250, polish)] {
        let other = encoding.encode(line).0.repeat(4);
        let stage = Stage::new();
        stage.file("it's a.txt", [line.repeat(2).as_bytes(), &other, line.as_bytes()].concat());
        let ended = stage.run_on(&["repair", "it's a.txt"], "");
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert_eq!(String::from_utf8(follow(&stage, &ended.err)).unwrap(), line.repeat(7));
    }
}

#[test]
fn check_names_the_command_for_a_text_in_two_encodings() {
    let french = "Déjà vu : été, forêt, garçon, où êtes-vous passé ?\n";
    let western = |text: &str| encoding_rs::WINDOWS_1252.encode(text).0.into_owned();
    let line = [b"Fran\xC3\xA7ois, ", &*western("café, été\n")].concat();
    let lines = [french.repeat(3).as_bytes(), &western(french).repeat(4)].concat();
    for (bytes, text) in [(line, "François, café, été\n"), (lines, &french.repeat(7))] {
        let stage = Stage::new();
        stage.file("it's a.txt", &bytes);
        for args in [&["check", "it's a.txt"][..], &["check", "--max-errors", "1", "it's a.txt"]] {
            let ended = stage.run(args);
            let told = "it's a.txt: has parts in UTF-8 and parts in windows-1252: placemat repair";
            assert!(ended.out.contains(told), "{}", ended.out);
            assert_eq!(String::from_utf8(follow(&stage, &ended.out)).unwrap(), text);
        }
        let ended = stage.run_with(&["check", "-"], &bytes);
        assert_eq!(recommended(&ended.out), ["placemat repair --mend windows-1252"], "{}", ended.out);
    }
}

#[test]
fn check_names_the_encoding_in_which_repair_reads_a_few_runs() {
    let stage = Stage::new();
    let (good, run) = ("Zażółć gęślą jaźń\n".repeat(5), b"\xB3\xB9ka\n");
    // Neither a byte order mark nor another finding hides it.
    for mark in ["", "\u{FEFF}"] {
        stage.file("pl.txt", [mark.as_bytes(), good.as_bytes(), run].concat());
        let ended = stage.run(&["check", "pl.txt"]);
        assert!(
            ended.out.contains("pl.txt: is UTF-8 with runs in windows-1250: placemat repair pl.txt"),
            "{}",
            ended.out
        );
        assert!(!ended.out.contains("windows-1252"), "{}", ended.out);
        assert_eq!(String::from_utf8(follow(&stage, &ended.out)).unwrap(), format!("{mark}{good}łąka\n"));
        let json = stage.run(&["check", "--format", "json", "pl.txt"]).out;
        assert!(json.contains(r#""bytes":"B3","hint":null}"#) && !json.contains("windows-1252"), "{json}");
        assert!(!json.contains("looks_like"), "{json}");
    }
    stage.file("pl.txt", [good.as_bytes(), "cafÃ© a\u{202E}b\n".as_bytes(), run].concat());
    let found = stage.run(&["check", "--mojibake", "pl.txt"]).out;
    assert!(found.contains("(mojibake)") && found.contains("is UTF-8 with runs in windows-1250"), "{found}");
}

/// A conversion would make mojibake of the line.
#[test]
fn one_line_of_utf8_among_many_others_is_kept_by_the_command_that_is_named() {
    let (many, one) = ("été déjà vu à côté, crème brûlée où naïf\n", "François mangeait là-bas à côté\n");
    let stage = Stage::new();
    let other = encoding_rs::WINDOWS_1252.encode(many).0.repeat(40);
    stage.file("fr.txt", [&other[..], one.as_bytes()].concat());
    let said = "has parts in UTF-8 and parts in windows-1252: placemat repair --mend windows-1252 fr.txt";
    let (found, left) = (stage.run(&["check", "fr.txt"]).out, stage.run(&["repair", "fr.txt"]).err);
    assert!(found.starts_with("fr.txt:1:1: 480 malformed sequences, ") && found.contains(said), "{found}");
    assert!(left.contains(said), "{left}");
    for told in [found, left] {
        assert_eq!(String::from_utf8(follow(&stage, &told)).unwrap(), many.repeat(40) + one);
    }
    let json = stage.run(&["check", "--format", "json", "fr.txt"]).out;
    assert!(!json.contains("looks_like"), "{json}");
}

/// The pieces, every second one in UTF-8 and the others in this encoding.
fn alternating<'a>(
    pieces: impl Iterator<Item = &'a str>,
    encoding: &'static encoding_rs::Encoding,
) -> Vec<u8> {
    let piece = |(at, text): (usize, &'a str)| match at % 2 {
        0 => encoding.encode(text).0.into_owned(),
        _ => text.as_bytes().to_vec(),
    };
    pieces.enumerate().flat_map(piece).collect()
}

#[test]
fn words_and_letters_in_two_encodings_are_mended_by_the_second() {
    let french = "Déjà vu : été, forêt, garçon, où êtes-vous passé, élève zélé, à bientôt !\n".repeat(4);
    let polish = "Zażółć gęślą jaźń, żółty jeż; świeży chleb, łąka, mówić, sześć, będę też.\n".repeat(4);
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю в саду.\n".repeat(4);
    use encoding_rs::{IBM866, ISO_8859_2, KOI8_R, MACINTOSH, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252};
    for (encoding, text) in [
        (WINDOWS_1252, &french),
        (MACINTOSH, &french),
        (WINDOWS_1250, &polish),
        (ISO_8859_2, &polish),
        (WINDOWS_1251, &russian),
        (KOI8_R, &russian),
        (IBM866, &russian),
    ] {
        let by_words = alternating(text.split_inclusive(' '), encoding);
        let by_letters = alternating(text.split_inclusive(|c: char| !c.is_ascii()), encoding);
        for bytes in [Some(by_words), Some(by_letters).filter(|_| *text != russian)].into_iter().flatten() {
            let stage = Stage::new();
            stage.file("a.txt", bytes);
            let ended = stage.run_on(&["repair", "a.txt"], "");
            let mended = if ended.code == Some(0) { ended.out } else { follow(&stage, &ended.err) };
            assert_eq!(String::from_utf8(mended).unwrap(), *text, "{}: {}", encoding.name(), ended.err);
        }
    }
}

#[test]
fn json_of_other_programs_is_advised_as_format_json() {
    let stage = Stage::new();
    stage.file("a.txt", b"a\xFF\n");
    for command in ["check", "count", "detect", "survey"] {
        let ended = stage.run(&[command, "--json", "a.txt"]);
        assert!(ended.code == Some(2) && ended.err.contains("'--format json'"), "{command}: {}", ended.err);
        let ended = stage.run(&[command, "--format", "json", "a.txt"]);
        assert!(ended.out.starts_with("{\"type\":"), "{command}: {}", ended.out);
    }
    let ended = stage.run(&["convert", "--json", "a.txt"]);
    assert!(!ended.err.contains("--format"), "{}", ended.err);
}
