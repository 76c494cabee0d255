//! Reads files of any length piece by piece, in little memory.

#![forbid(unsafe_code)]

use std::io::{Cursor, Read as _};

use placemat::Form;
use placemat_detect::{Detector, Mixed};
use placemat_text::faults::seeming::Seeming;
use placemat_text::io::{HEAD, is_binary};
use placemat_text::notation::write_line;
use placemat_text::repair::blocks::Blocks;
use placemat_text::repair::choice::{Choice, Verdict};
use placemat_text::repair::mend::{Change, Mender, Mending, Reading};
use placemat_text::repair::record::{Line, Record, VERSION};
use placemat_text::repair::whole::Refusal;
use placemat_text::repair::wording::{Counts, counts};
use placemat_text::survey::{Reader, Survey};
use serde_json::{Value, json};

use crate::findings::{detected, errors};
use crate::host::{Host, Source};
use crate::value::json_of;

/// The number of bytes read at once.
const BLOCK: usize = 256 << 10;

/// Finds the errors of a file, and detects its encoding.
pub(crate) fn check(form: Form, file: u32, host: &mut dyn Host) -> Result<Value, String> {
    let detected = detected(&mut Source::open(host, file, 0))?;
    let (totals, found) = errors(form, &mut Source::open(host, file, 0))?;
    let seeming = Seeming::of(&mut Source::open(host, file, 0)).map_err(|error| error.to_string())?;
    let seeming =
        seeming.filter(|_| form == Form::Utf8).map(|seeming| seeming.sentence(totals.errors, None, false));
    Ok(json!({
        "bytes": totals.bytes, "errors": totals.errors, "found": found, "seeming": seeming,
        "hidden": [], "detected": detected,
    }))
}

/// Repairs a file as the command does: output 0 is the text, output 1 the report.
pub(crate) fn repair(file: u32, name: String, mojibake: bool, host: &mut dyn Host) -> Result<Value, String> {
    let choice = Choice { mending: Mending { mojibake, ..Mending::default() }, ..Choice::default() };
    let reading = match judged(&choice, file, host)? {
        Ok(reading) => reading,
        Err(refusal) => return Ok(json!({ "left": refusal.to_string() })),
    };
    let mut mender = Mender::reading(choice.mending, reading);
    let mut record = Record::new((name, None), Cursor::new(Vec::new()));
    let (mut done, mut lost) = (Counts::new(), 0_u64);
    let mut offset = 0;
    host.open(file, 0);
    // The blocks borrow the host, and so does writing, so what is read is copied here.
    let mut blocks = Blocks::new(Pieces { host });
    loop {
        let block = blocks.block().map_err(|error| error.to_string())?;
        let (text, is_last) = (block.text.to_vec(), block.is_last);
        let (settled, changes) = mender.next(block);
        let mended = mended(&text[..settled], offset, &changes);
        for change in &changes {
            *done.entry(change.rule.clone()).or_default() += 1;
            lost += u64::from(change.is_loss());
            let range = (change.range.start - offset) as usize..(change.range.end - offset) as usize;
            record.change(change, &text[range]).map_err(|error| error.to_string())?;
        }
        record.before(&text[..settled]);
        record.after(&mended);
        blocks.reader_mut().host.write(0, &mended);
        blocks.settle(settled);
        offset += settled as u64;
        if is_last {
            break;
        }
    }
    let changes = record.changes();
    finish(record, host)?;
    Ok(json!({ "changes": changes, "lost": lost, "summary": counts(&done), "bytes": offset }))
}

struct Pieces<'a> {
    host: &'a mut dyn Host,
}

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        self.host.read(room).ok_or_else(|| std::io::Error::other("the file can no longer be read"))
    }
}

/// Decides how to read the malformed bytes of a file, or why the file is not repaired.
fn judged(choice: &Choice, file: u32, host: &mut dyn Host) -> Result<Result<Reading, Refusal>, String> {
    let (mut detector, mut mixed, mut is_valid) = (Detector::new(), Mixed::new(), placemat::Validator::new());
    let mut source = Source::open(host, file, 0);
    let mut block = vec![0; BLOCK];
    let mut valid = true;
    loop {
        let read = source.read(&mut block).map_err(|error| error.to_string())?;
        if read == 0 {
            break;
        }
        valid = valid && is_valid.push(&block[..read]).is_ok();
        detector.push(&block[..read]);
        mixed.push(&block[..read]);
    }
    if valid && is_valid.finish().is_ok() {
        return Ok(Ok(Reading::default()));
    }
    Ok(match choice.of(detector.finish(true), mixed.finish()) {
        Verdict::Mend(reading) => Ok(reading),
        Verdict::SomethingElse(found) => Err(Refusal::SomethingElse(found)),
        Verdict::Unclear(second) => Err(Refusal::Unclear(second)),
    })
}

fn mended(text: &[u8], offset: u64, changes: &[Change]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::with_capacity(text.len()), 0);
    for change in changes {
        let range = (change.range.start - offset) as usize..(change.range.end - offset) as usize;
        out.extend_from_slice(&text[at..range.start]);
        out.extend_from_slice(change.text.as_bytes());
        at = range.end;
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// Writes the report.
fn finish(record: Record<Cursor<Vec<u8>>>, host: &mut dyn Host) -> Result<(), String> {
    let changes = record.changes();
    let (file, lines) = record.finish().map_err(|error| error.to_string())?;
    let mut head = Vec::new();
    for line in [Line::Report { version: VERSION }, file] {
        write_line(&mut head, &line).map_err(|error| error.to_string())?;
    }
    let mut foot = Vec::new();
    write_line(&mut foot, &Line::Summary { files: 1, changes }).map_err(|error| error.to_string())?;
    for part in [head, lines.into_inner(), foot] {
        host.write(1, &part);
    }
    Ok(())
}

/// Surveys some files. Returns the charts of `placemat survey`; its page is output 0.
pub(crate) fn survey(names: Vec<String>, title: &str, host: &mut dyn Host) -> Result<Value, String> {
    let (mut survey, mut reader) = (Survey::new(None), Reader::new());
    for (file, name) in names.into_iter().enumerate() {
        let file = file as u32;
        let mut head = Vec::new();
        let is_read = Source::open(host, file, 0).take(HEAD).read_to_end(&mut head).is_ok();
        if is_read && is_binary(&head) {
            survey.files_skipped += 1;
            continue;
        }
        match reader.read(&mut Source::open(host, file, 0)) {
            Ok(text) => {
                let mut one = Survey::new(None);
                one.add(&text);
                survey.merge(one.of_file(name.into()));
            }
            Err(_) => survey.files_failed += 1,
        }
    }
    host.write(0, survey.page(title).as_bytes());
    let json = json_of(&survey)?;
    Ok(json!({ "charts": json_of(survey.charts())?, "worst": json["worst"], "json": json }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::answer;
    use crate::host::InMemory;

    fn ask(question: &Value, host: &mut InMemory) -> Value {
        serde_json::from_slice(&answer(question.to_string().as_bytes(), b"", host)).unwrap()
    }

    fn host(files: &[&[u8]]) -> InMemory {
        InMemory { files: files.iter().map(|file| file.to_vec()).collect(), ..InMemory::default() }
    }

    #[test]
    fn a_long_file_is_checked_and_repaired_with_its_report() {
        let mut text = "naïve, una façade, déjà vu\n".repeat(40_000).into_bytes();
        text.extend_from_slice(b"caf\xE9\n");
        let mut host = host(&[&text]);
        let checked = ask(&json!({"ask": "check", "form": "utf-8", "file": 0}), &mut host);
        assert_eq!((&checked["errors"], &checked["found"][0]["line"]), (&json!(1), &json!(40_001)));
        let repaired =
            ask(&json!({"ask": "repair", "file": 0, "name": "a.txt", "mojibake": false}), &mut host);
        assert_eq!((&repaired["changes"], &repaired["lost"]), (&json!(1), &json!(0)));
        assert!(host.outputs[0].ends_with("café\n".as_bytes()) && host.outputs[0].len() == text.len() + 1);
        let report = String::from_utf8(host.outputs[1].clone()).unwrap();
        assert_eq!(report.lines().count(), 4);
        assert!(report.contains(r#""bytes":"E9","text":"é""#), "{report}");
    }

    #[test]
    fn what_is_something_else_is_left() {
        let mut host = host(&[b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xCA\xE0\xEA \xE4\xE5\xEB\xE0?"]);
        let repaired =
            ask(&json!({"ask": "repair", "file": 0, "name": "a.txt", "mojibake": false}), &mut host);
        assert!(repaired["left"].as_str().unwrap().contains("windows-1251"), "{repaired}");
    }

    #[test]
    fn a_folder_is_surveyed() {
        let mut host = host(&[b"plain\n", "naïve\n".as_bytes(), b"caf\xE9\n", b"\0\x01\x02\0\0\0"]);
        let question = json!({"ask": "survey", "names": ["a", "b", "<c>", "d"], "title": "x"});
        let survey = ask(&question, &mut host);
        assert_eq!(survey["charts"]["charts"][0]["title"], "Encodings");
        assert_eq!((&survey["json"]["files"], &survey["json"]["files_skipped"]), (&json!(3), &json!(1)));
        assert!(host.outputs[0].starts_with(b"<!DOCTYPE html>"));
    }

    #[test]
    fn a_file_that_is_gone_is_no_panic() {
        let mut host = host(&[]);
        assert!(ask(&json!({"ask": "check", "form": "utf-8", "file": 0}), &mut host)["refused"].is_string());
    }
}
