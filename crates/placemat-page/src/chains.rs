//! How a text became mojibake, and how to undo that.

#![forbid(unsafe_code)]

mod fixes;

use placemat::label::Labels;
use placemat::{Bom, Form, Policy};
use placemat_detect::{chain, mojibake};
use placemat_text::charset::{Charset, guess};
use placemat_text::convert::{Pipeline, Settings};
use placemat_text::notation;
use serde_json::{Value, json};

use fixes::fixes;

/// The number of characters of a text that are shown.
const SHOWN: usize = 400;

/// The number of characters whose bytes are shown.
const WITH_BYTES: usize = 24;

/// The number of chains that are shown.
const MOST: usize = 5;

/// One mistake: a text was written in one encoding and read in another.
#[derive(Clone, Debug)]
pub(crate) struct Mistake {
    pub(crate) written: &'static str,
    pub(crate) read: &'static str,
    /// The text before the mistake.
    pub(crate) before: String,
}

/// One possible history of a text.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    /// In the order in which they were made.
    pub(crate) mistakes: Vec<Mistake>,
    pub(crate) text: String,
    /// Whether runs of the text were repaired, and the rest was not changed.
    pub(crate) in_runs: bool,
    likelihood: f32,
}

/// Returns the stories of a text, the most likely first.
pub(crate) fn stories(text: &str) -> Vec<Story> {
    let mut found: Vec<Story> = chain::chains(text).into_iter().map(of_chain).collect();
    // If only runs of a text are wrong, the text as a whole has no chain, or only a less likely one.
    if let Some(runs) = of_runs(text)
        && found.iter().take(3).all(|story| story.text != runs.text)
    {
        found.insert(found.len().min(1), runs);
    }
    // A story with a likelihood below 1 in 200, compared with the others, helps nobody.
    found.retain(|story| guess::hundredths(story.likelihood) > 0);
    found.truncate(MOST);
    found
}

fn of_chain(chain: chain::Chain) -> Story {
    let mistake =
        |step: chain::Step| Mistake { written: step.encoding, read: step.read_as, before: step.text };
    let in_runs = chain.steps.iter().any(|step| step.in_parts);
    let mistakes = chain.steps.into_iter().rev().map(mistake).collect();
    Story { mistakes, text: chain.text, in_runs, likelihood: chain.likelihood }
}

fn of_runs(text: &str) -> Option<Story> {
    let undone = mojibake::undo(text)?;
    let via = undone.changes.iter().map(|change| &change.via).max_by_key(|via| via.len())?;
    let mut before = undone.text.clone();
    let mut mistakes = Vec::new();
    // Forwards: the text after each mistake.
    for page in via.iter().rev() {
        let after = misread(&undone, text, &before, page.name());
        mistakes.push(Mistake {
            written: "utf-8",
            read: page.name(),
            before: std::mem::replace(&mut before, after),
        });
    }
    Some(Story { mistakes, text: undone.text, in_runs: true, likelihood: 0.9 })
}

/// Reads UTF-8 in another encoding. If each run has only one misreading, the result is the current text.
fn misread(undone: &mojibake::Undone, now: &str, before: &str, encoding: &str) -> String {
    let is_last = undone.changes.iter().all(|change| change.via.len() == 1);
    match is_last {
        true => now.to_owned(),
        false => charset(encoding)
            .and_then(|charset| converted(before.as_bytes(), charset, Form::Utf8.into(), Policy::Replace))
            .and_then(|text| String::from_utf8(text).ok())
            .unwrap_or_default(),
    }
}

/// Returns the stories as the page shows them.
pub(crate) fn told(bytes: &[u8]) -> Value {
    let tell = |story: &Story| {
        json!({
            "steps": story.mistakes.iter().map(step).collect::<Vec<_>>(),
            "in_runs": story.in_runs,
            "likely": guess::percent(story.likelihood),
            "fixes": fixes(story).into_iter().map(|(language, code)| json!({"language": language, "code": code})).collect::<Vec<_>>(),
        })
    };
    json!(stories(text_of(bytes)).iter().map(tell).collect::<Vec<_>>())
}

fn step(mistake: &Mistake) -> Value {
    let start: String = mistake.before.chars().take(WITH_BYTES).collect();
    let bytes = charset(mistake.written)
        .and_then(|to| converted(start.as_bytes(), Form::Utf8.into(), to, Policy::Stop));
    json!({
        "written": mistake.written,
        "read": mistake.read,
        "text": mistake.before.chars().take(SHOWN).collect::<String>(),
        "bytes": bytes.map(|bytes| notation::hex(&bytes)),
        "cut": start.len() < mistake.before.len(),
    })
}

/// Returns the text with which the nth story starts, in hexadecimal.
pub(crate) fn undone(bytes: &[u8], nth: usize) -> Result<Value, String> {
    let story = stories(text_of(bytes)).into_iter().nth(nth).ok_or("there is no such chain")?;
    Ok(json!({ "hex": notation::hex(story.text.as_bytes()).replace(' ', "") }))
}

/// Returns the text of bytes in another encoding, in hexadecimal.
pub(crate) fn decoded(bytes: &[u8], encoding: &str) -> Result<Value, String> {
    let from = charset(encoding).ok_or_else(|| format!("{encoding} is not supported"))?;
    let text = converted(bytes, from, Form::Utf8.into(), Policy::Replace).unwrap_or_default();
    Ok(json!({ "hex": notation::hex(&text).replace(' ', "") }))
}

fn text_of(bytes: &[u8]) -> &str {
    placemat::validate(bytes).unwrap_or_default()
}

fn charset(name: &str) -> Option<Charset> {
    match name {
        // WHATWG reads this name as windows-1252; here it means ISO-8859-1.
        "iso-8859-1" => Some(Form::Iso8859_1.into()),
        name => Charset::resolve(Labels::Lenient, name).ok(),
    }
}

fn converted(bytes: &[u8], from: Charset, to: Charset, policy: Policy) -> Option<Vec<u8>> {
    let mut pipeline = Pipeline::new(from, Settings { to, policy, bom: Bom::Keep });
    let mut out = Vec::with_capacity(bytes.len() * 2);
    pipeline.push(bytes, &mut out).ok()?;
    pipeline.finish(&mut out).ok()?;
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::asked;

    /// Makes each mistake, and finds it among the first three stories.
    #[test]
    fn what_was_misread_is_found_in_the_first_three() {
        let texts = [
            "Das Mädchen läuft über die Straße, und die Bäume blühen",
            "Всеобщая декларация прав человека, принятая в Париже",
            "Η ζωή είναι ωραία σήμερα, και αύριο πάλι",
            "Zażółć gęślą jaźń, powiedział król",
        ];
        let (mut right, mut all) = (0, 0);
        for text in texts {
            for read in ["windows-1252", "iso-8859-1", "windows-1251", "macintosh", "ibm437"] {
                let mut broken = text.to_owned();
                for _ in 0..2 {
                    let from = charset(read).unwrap();
                    let out = converted(broken.as_bytes(), from, Form::Utf8.into(), Policy::Replace).unwrap();
                    broken = String::from_utf8(out).unwrap();
                    if broken.contains('\u{FFFD}') {
                        break;
                    }
                    all += 1;
                    right += u32::from(stories(&broken).iter().take(3).any(|story| story.text == text));
                }
            }
        }
        assert!(all > 25 && right * 100 >= all * 95, "{right} of {all}");
    }

    #[test]
    fn a_chain_is_told_and_undone() {
        let text = "Le cafÃ© est trÃ¨s bon";
        let answer = asked(json!({"ask": "chains"}), text.as_bytes());
        let first = &answer[0]["steps"][0];
        assert_eq!(
            (&first["written"], &first["read"], &first["text"]),
            (&json!("utf-8"), &json!("windows-1252"), &json!("Le café est très bon"))
        );
        assert!(first["bytes"].as_str().unwrap().starts_with("4C 65 20 63 61 66 C3 A9"));
        let undone = asked(json!({"ask": "undo", "nth": 0}), text.as_bytes());
        assert_eq!(undone["hex"], notation::hex("Le café est très bon".as_bytes()).replace(' ', ""));
    }

    #[test]
    fn runs_in_a_text_that_is_right_otherwise_are_found() {
        let found = stories("Ein Mädchen im CafÃ© – die Straße war naß");
        assert!(
            found
                .iter()
                .take(3)
                .any(|story| story.in_runs && story.text == "Ein Mädchen im Café – die Straße war naß"),
            "{found:?}"
        );
    }

    #[test]
    fn plausible_text_has_no_story() {
        for text in ["Привет, как дела?", "Grüße aus Österreich", "naïve café", "日本語の文章です"]
        {
            assert!(stories(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn legacy_bytes_are_decoded() {
        let answer = asked(json!({"ask": "decode", "encoding": "windows-1251"}), b"\xCF\xF0\xE8\xE2\xE5\xF2");
        assert_eq!(answer["hex"], notation::hex("Привет".as_bytes()).replace(' ', ""));
        assert!(asked(json!({"ask": "decode", "encoding": "moon"}), b"a")["refused"].is_string());
    }
}
