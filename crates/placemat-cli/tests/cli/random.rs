//! Random damage through the whole command. Its JSON can be read and is right, its reports undo what was done, and a
//! report that somebody has changed is never applied in part. `PLACEMAT_ROUNDS` sets the number of rounds.

use placemat::{Form, errors};
use serde_json::Value;

use crate::stage::Stage;

/// The pieces of damaged text.
const PIECES: [&[u8]; 18] = [
    b"text, ",
    b"\n",
    "é".as_bytes(),
    "日本語".as_bytes(),
    "😀".as_bytes(),
    "Ã©".as_bytes(),
    b"\r\n",
    b"\"\\\x01\x1b\x7f",
    b"\xE9",
    b"\xFF",
    b"\x80",
    b"\xC0\xAF",
    b"\xC0\x80",
    b"\xED\xA0\xBD\xED\xB8\x80",
    b"\xED\xA0\x80",
    b"\xE6\x97",
    b"\xF4\x90\x80\x80",
    b"\xE2\x80\xAE",
];

/// Numbers that are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) as usize % n
    }

    /// Good text, with some of the pieces among it.
    fn text(&mut self) -> Vec<u8> {
        let good = "Où sont les cafés ? À l'été, où l'on fêta Noël, déjà, ça va.\n";
        let mut text = Vec::new();
        for _ in 0..self.below(40) {
            text.extend_from_slice(if self.below(3) > 0 { good.as_bytes() } else { PIECES[self.below(18)] });
        }
        text
    }
}

/// The rounds of a test, with their numbers.
fn rounds() -> impl Iterator<Item = (usize, Chance)> {
    let rounds =
        std::env::var("PLACEMAT_ROUNDS").map_or(12, |n| n.parse().expect("PLACEMAT_ROUNDS is a number"));
    (0..rounds).map(|round| (round, Chance(round as u64 * 2 + 1)))
}

fn lines(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

fn unhex(text: &Value) -> Vec<u8> {
    let digits = text.as_str().expect("hex").split_whitespace();
    digits.map(|digits| u8::from_str_radix(digits, 16).expect("hex")).collect()
}

#[test]
fn json_says_what_is_there() {
    for (round, mut chance) in rounds() {
        let text = chance.text();
        let stage = Stage::new();
        stage.file("file", &text);
        let out = stage.run(&["check", "--format=json", "--binary", "file"]).out;
        let found = lines(&out);
        let wrong: Vec<_> = errors(Form::Utf8, &text).collect();
        let said: Vec<_> = found.iter().filter(|line| line["type"] == "error").collect();
        assert_eq!(said.len(), wrong.len(), "round {round}: {out}");
        for (said, error) in said.iter().zip(&wrong) {
            let at = error.offset() as usize;
            assert_eq!(
                (&said["offset"], &said["length"]),
                (&at.into(), &error.length().into()),
                "round {round}"
            );
            assert_eq!(unhex(&said["bytes"]), &text[at..at + usize::from(error.length())], "round {round}");
            let line = 1 + text[..at].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(said["line"], line, "round {round}");
        }
        let summary = found.last().expect("a summary");
        assert_eq!(
            (&summary["errors"], &summary["bytes"]),
            (&wrong.len().into(), &text.len().into()),
            "round {round}"
        );
        for args in [
            ["explain", "--format=json", "--file=file"],
            ["survey", "--format=json", "file"],
            ["detect", "--format=json", "file"],
            ["check", "--format=sarif", "file"],
        ] {
            let ran = stage.run(&args);
            assert!(matches!(ran.code, Some(0 | 1)), "round {round}, {args:?}: {}", ran.err);
            // Some of these are one document, some a line for each thing.
            let values = serde_json::Deserializer::from_str(&ran.out).into_iter();
            let values: Result<Vec<Value>, _> = values.collect();
            let values = values.unwrap_or_else(|e| panic!("round {round}, {args:?}: {e}: {}", ran.out));
            if args[0] == "explain" {
                let summary = values.last().expect("a summary");
                assert_eq!(
                    (&summary["errors"], &summary["bytes"]),
                    (&wrong.len().into(), &text.len().into()),
                    "round {round}"
                );
            }
        }
    }
}

#[test]
fn a_report_undoes_what_was_done_and_no_other_does() {
    for (round, mut chance) in rounds() {
        let stage = Stage::new();
        let files = ["a", "sub/b", "c"].map(|name| (name, chance.text()));
        files.iter().for_each(|(name, text)| _ = stage.file(format!("tree/{name}"), text));
        let now = || files.each_ref().map(|(name, _)| stage.get(format!("tree/{name}")));
        let mut args = vec!["repair", "--in-place", "--binary", "--report=report", "tree"];
        args.extend(
            [["--mojibake"].as_slice(), &["--mend=overlong,nul"], &["--on-error=escape"], &[]]
                [chance.below(4)],
        );
        stage.run(&args);
        let repaired = now();
        if !stage.path("report").exists() {
            assert!(files.iter().map(|file| &file.1).eq(&repaired), "round {round}: no report");
            continue;
        }
        let report = stage.get("report");

        for _ in 0..4 {
            let mut forged = report.clone();
            let at = chance.below(forged.len());
            match chance.below(4) {
                0 => forged[at] ^= 1 << chance.below(8),
                1 => drop(forged.drain(at..)),
                2 => drop(forged.remove(at)),
                _ => forged.insert(at, b"0123456789,}{]\"\n"[chance.below(16)]),
            }
            stage.file("forged", &forged);
            let ran = stage.run(&["repair", "--undo", "forged"]);
            assert!(ran.code.is_some() && !ran.err.contains("panicked"), "round {round}: {}", ran.err);
            // A change that does not matter, such as of a rule's name, is accepted. Contents are then the repaired or the original ones.
            for ((now, repaired), (name, original)) in now().iter().zip(&repaired).zip(&files) {
                assert!(now == repaired || now == original, "round {round}: {name} is something else");
            }
            files
                .iter()
                .zip(&repaired)
                .for_each(|((name, _), text)| _ = stage.file(format!("tree/{name}"), text));
        }
        let ran = stage.run(&["repair", "--undo", "report"]);
        assert_eq!(ran.code, Some(0), "round {round}: {}", ran.err);
        assert!(now().iter().eq(files.iter().map(|(_, text)| text)), "round {round}: not what it was");
    }
}
