//! How a text came to be mojibake: the chain of encodings in which it was written and read, the most likely first.
//!
//! [`placemat_detect::mojibake::undo`] puts UTF-8 right that was read in another encoding, run by run. Here a text is taken as a whole,
//! and any encoding may have been read as any other: `Ïðèâåò` was written in windows-1251 and read as windows-1252.

mod fixes;

use placemat::label::Labels;
use placemat::{Bom, Form, Policy};
use placemat_detect::mojibake::{ROUNDS, undo};
use placemat_detect::{Detection, LIKELY};
use serde::Serialize;

use crate::charset::Charset;
use crate::convert::{Pipeline, Settings};

pub use self::fixes::{Fix, fixes};

/// One mistake: a text was written in one encoding and read in another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// The encoding that the bytes were in.
    pub written: &'static str,
    /// The encoding that they were read in.
    pub read: &'static str,
    /// The text before this mistake.
    pub before: String,
}

/// One way in which a text may have come about.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Chain {
    /// The mistakes, in the order in which they were made.
    pub steps: Vec<Step>,
    /// What the text was at first.
    pub text: String,
    /// Parts of the text were put right and others left as they are.
    pub in_parts: bool,
    /// How likely it is, from 0 to 1.
    pub confidence: f32,
}

/// The encodings that a text may have been misread in, the usual ones first.
const READ: [&str; 17] = [
    "windows-1252", "iso-8859-1", "windows-1250", "windows-1251", "iso-8859-2", "windows-1254", "windows-1257", "windows-1253",
    "macintosh", "ibm437", "ibm850", "ibm866", "koi8-r", "shift_jis", "gbk", "euc-kr", "big5",
];

/// Mistakes on top of one another that are looked for in a whole text.
const DEEPEST: usize = 4;

/// The chains that may have made `text`, at most `limit`, the most likely first; none where it is plausible as it stands. Cost: linear,
/// some fifty readings of the text.
///
/// ```
/// use placemat_text::chains::chains;
///
/// let found = chains("voilÃ  le cafÃ©", 3);
/// assert_eq!((&*found[0].text, found[0].steps[0].read), ("voilà le café", "windows-1252"));
/// let found = chains("Ïðèâåò, êàê äåëà?", 3);
/// assert_eq!((&*found[0].text, found[0].steps[0].written), ("Привет, как дела?", "windows-1251"));
/// assert!(chains("café", 3).is_empty());
/// ```
#[must_use]
pub fn chains(text: &str, limit: usize) -> Vec<Chain> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut found: Vec<Chain> = by_runs(text).into_iter().collect();
    let has_runs = !found.is_empty();
    let mut whole = Vec::new();
    for read in READ {
        let Some(bytes) = written(text, read) else { continue };
        if let Ok(before) = str::from_utf8(&bytes) {
            whole.push(deeper(Step { written: "utf-8", read, before: before.to_owned() }));
        }
    }
    whole.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    found.extend(whole);
    if !has_runs {
        found.extend(between_legacy(text));
        found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    }
    let mut seen: Vec<String> = vec![text.to_owned()];
    found.retain(|chain| {
        let is_new = !seen.contains(&chain.text);
        seen.push(chain.text.clone());
        is_new
    });
    found.truncate(limit);
    found
}

/// What the runs of mojibake say, if there are any.
fn by_runs(text: &str) -> Option<Chain> {
    let undone = undo(text)?;
    let via = undone.changes.iter().map(|change| &change.via).max_by_key(|via| via.len())?;
    let in_parts = undone.changes.iter().any(|change| change.via != *via || change.is_lossy());
    // Forwards: what each mistake made of it.
    let mut steps: Vec<Step> = Vec::new();
    let mut before = undone.text.clone();
    for page in via.iter().rev() {
        let after = misread(&before, page.name());
        steps.push(Step { written: "utf-8", read: page.name(), before: std::mem::replace(&mut before, after) });
    }
    Some(Chain { steps, text: undone.text, in_parts, confidence: 0.99 })
}

/// UTF-8 read in another encoding.
fn misread(text: &str, encoding: &str) -> String {
    converted(text.as_bytes(), encoding, "utf-8", Policy::Replace).map_or_else(String::new, into_text)
}

/// Undo further mistakes, as long as the whole text can be.
fn deeper(last: Step) -> Chain {
    let mut steps = vec![last];
    while steps.len() < DEEPEST.min(ROUNDS) {
        let text = &steps[steps.len() - 1].before;
        let next = READ.iter().find_map(|&read| {
            let bytes = written(text, read).filter(|_| !text.is_ascii())?;
            let before = String::from_utf8(bytes).ok()?;
            Some(Step { written: "utf-8", read, before })
        });
        match next {
            Some(step) => steps.push(step),
            None => break,
        }
    }
    steps.reverse();
    let text = steps[0].before.clone();
    let confidence = plausible(&text);
    Chain { steps, text, in_parts: false, confidence }
}

/// How likely it is that UTF-8 came out by chance: each sequence makes that less likely, and what nobody writes makes it more so.
fn plausible(text: &str) -> f32 {
    let high = text.chars().filter(|c| !c.is_ascii()).count();
    let odd = text.chars().filter(|&c| matches!(c, '\u{80}'..='\u{9F}' | '\u{FFFD}' | '\u{E000}'..='\u{F8FF}')).count();
    let sure = 1.0 - 0.3_f32.powi(i32::try_from(high).unwrap_or(i32::MAX));
    sure * 0.95 * (1.0 - odd as f32 / high.max(1) as f32)
}

/// Texts in one legacy encoding that were read as another. Nothing where the text is plausible as it stands: it seems to be in the
/// encoding in which it was written here.
fn between_legacy(text: &str) -> Vec<Chain> {
    let mut found: Vec<Chain> = Vec::new();
    for read in READ {
        let Some(bytes) = written(text, read) else { continue };
        let Detection { encoding, confidence, .. } = placemat_detect::detect(&bytes, true);
        let Some(name) = Charset::resolve(Labels::Lenient, encoding.name()).ok().map(Charset::name) else { continue };
        if confidence < LIKELY || matches!(name, "utf-8" | "us-ascii") {
            continue;
        }
        let Some(before) = converted(&bytes, name, "utf-8", Policy::Stop).map(into_text) else { continue };
        if before == text {
            return Vec::new();
        }
        let steps = vec![Step { written: name, read, before: before.clone() }];
        found.push(Chain { steps, text: before, in_parts: false, confidence: confidence * 0.9 });
    }
    found
}

/// The bytes of a text in an encoding, if it has all its characters.
///
/// ```
/// use placemat::Form;
/// use placemat_text::chains::bytes_in;
///
/// assert_eq!(bytes_in("é", Form::Windows1252.into()).as_deref(), Some(&b"\xE9"[..]));
/// assert_eq!(bytes_in("я", Form::Windows1252.into()), None);
/// ```
#[must_use]
pub fn bytes_in(text: &str, charset: Charset) -> Option<Vec<u8>> {
    through(text.as_bytes(), Form::Utf8.into(), charset, Policy::Stop)
}

/// A text with a chain undone: pairs of the encodings in which it was written and read, in the order of the mistakes. With `in_parts` the
/// runs of mojibake are undone, and the pairs do not matter. `None` where part of the text does not fit the chain.
///
/// ```
/// use placemat_text::chains::undo_chain;
///
/// let steps = [("utf-8", "windows-1252"), ("utf-8", "macintosh")];
/// assert_eq!(undo_chain("cafâˆšÂ©", &steps, true).unwrap(), "café");
/// assert_eq!(undo_chain("ÑˆÑƒÑ‚", &steps[..1], false).unwrap(), "шут");
/// ```
#[must_use]
pub fn undo_chain<S: AsRef<str>>(text: &str, steps: &[(S, S)], in_parts: bool) -> Option<String> {
    if in_parts {
        return Some(undo(text).map_or_else(|| text.to_owned(), |undone| undone.text));
    }
    steps.iter().rev().try_fold(text.to_owned(), |text, (written_in, read)| {
        let bytes = written(&text, read.as_ref())?;
        String::from_utf8(converted(&bytes, written_in.as_ref(), "utf-8", Policy::Stop)?).ok()
    })
}

/// The bytes of a text in an encoding of this name, if it has all its characters.
fn written(text: &str, encoding: &str) -> Option<Vec<u8>> {
    converted(text.as_bytes(), "utf-8", encoding, Policy::Stop)
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_default()
}

/// Bytes from one encoding to another.
fn converted(bytes: &[u8], from: &str, to: &str, policy: Policy) -> Option<Vec<u8>> {
    let charset = |name: &str| match name {
        // The web takes it for windows-1252, and here it is not.
        "iso-8859-1" => Some(Form::Iso8859_1.into()),
        name => Charset::resolve(Labels::Lenient, name).ok(),
    };
    through(bytes, charset(from)?, charset(to)?, policy)
}

fn through(bytes: &[u8], from: Charset, to: Charset, policy: Policy) -> Option<Vec<u8>> {
    let mut pipeline = Pipeline::new(from, Settings { to, policy, bom: Bom::Keep });
    let mut out = Vec::with_capacity(bytes.len() * 2);
    pipeline.push(bytes, &mut out).ok()?;
    pipeline.finish(&mut out).ok()?;
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> (String, Vec<(&'static str, &'static str)>) {
        let chain = chains(text, 3).into_iter().next().unwrap();
        (chain.text, chain.steps.iter().map(|step| (step.written, step.read)).collect())
    }

    /// Each mistake made, and found again.
    #[test]
    fn what_was_misread_is_found_in_the_first_three() {
        let texts = ["Das Mädchen läuft über die Straße", "Всеобщая декларация прав человека", "Η ζωή είναι ωραία σήμερα", "日本語の文章です"];
        let (mut right, mut all) = (0, 0);
        for text in texts {
            for read in ["windows-1252", "iso-8859-1", "windows-1251", "macintosh", "ibm437"] {
                for rounds in 1..=2 {
                    let broken = (0..rounds).fold(text.to_owned(), |text, _| misread(&text, read));
                    if broken.contains('\u{FFFD}') {
                        continue;
                    }
                    all += 1;
                    right += u32::from(chains(&broken, 3).iter().any(|chain| chain.text == text));
                }
            }
        }
        assert!(all > 25 && right * 100 >= all * 95, "{right} of {all}");
    }

    #[test]
    fn steps_stand_in_the_order_of_the_mistakes() {
        let twice = misread(&misread("café", "windows-1252"), "macintosh");
        let (text, steps) = first(&twice);
        assert_eq!((&*text, steps), ("café", vec![("utf-8", "windows-1252"), ("utf-8", "macintosh")]));
    }

    #[test]
    fn legacy_encodings_are_taken_for_one_another() {
        let (text, steps) = first("оПХБЕР, ЙЮЙ ДЕКЮ? ъ УНВС ДНЛНИ");
        assert_eq!((&*text, steps), ("Привет, как дела? Я хочу домой", vec![("koi8-r", "windows-1251")]));
    }

    #[test]
    fn plausible_text_has_no_chain() {
        for text in ["Привет, как дела?", "Grüße aus Österreich", "naïve café", "Zażółć gęślą jaźń", "日本語", "São João", "Ã"] {
            assert_eq!(chains(text, 3), [], "{text}");
        }
    }
}
