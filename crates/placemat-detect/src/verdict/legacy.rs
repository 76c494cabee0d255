//! The verdict on text in a legacy encoding.
#![forbid(unsafe_code)]

use std::borrow::Cow;

use encoding_rs::{Encoding as Encoder, ISO_8859_2, ISO_8859_16, WINDOWS_1250};
use placemat::Form;

use super::{CANDIDATES, UNSURE, declaration, number, verdict};
use crate::declared::{Declared, declared};
use crate::detection::{Candidate, Detection};
use crate::dialect::Counts;
use crate::encoding::Encoding;
use crate::language::Prior;
use crate::legacy::{self, Guess};
use crate::lists::{is_declared, judge_again, prefer_declared};
use crate::unlikely::{LIKELY, UNLIKELY, are_several, beside_utf8, is_table_of_letters};

/// The share of the doubt that remains if the text itself names the encoding.
const WRONGLY_DECLARED: f32 = 0.2;

/// Said where no letter tells of the next.
const LIST: &str = "its letters stand alone or in lists, each about as often as any other: not text";

/// The verdict on text in a legacy encoding.
pub(super) fn of(sample: &[u8], counts: Counts, whole: bool) -> Detection {
    let malformed = counts.malformed();
    let s = if malformed == 1 { "" } else { "s" };
    let not_utf8 = format!(
        "not UTF-8: {} malformed sequence{s}, {} well-formed",
        number(malformed),
        number(counts.multi_byte)
    );
    let said = declared(sample);
    let Judged { guesses, agrees, is_table, is_mixed } = judge(sample, &counts, whole, said.as_ref());
    let Some(best) = guesses.first() else {
        return Detection { counts, malformed, ..verdict("unknown", 0.0, not_utf8) };
    };
    let mut found = verdict(best.encoding, best.confidence, not_utf8);
    found.malformed = best.malformed;
    found.reasons.push(if is_table { LIST.into() } else { reading(best, sample) });
    found.reasons.extend(said.map(|said| declaration(&said, agrees)));
    if is_mixed {
        found.reasons.push("it has more UTF-8 than another encoding would have by accident".into());
    }
    let alike: Vec<&str> =
        guesses.iter().skip(1).filter(|g| g.alike).map(|g| g.encoding).take(CANDIDATES).collect();
    if !alike.is_empty() {
        found.reasons.push(format!("{} would give the same text", alike.join(", ")));
    }
    if best.encoding == "iso-8859-16"
        && let others @ [_, ..] = &with_cedillas(sample)[..]
    {
        let others = others.join(" or ");
        found.reasons.push(format!("as {others} it would be the same text with ş and ţ for ș and ț"));
    }
    found.candidates = guesses
        .iter()
        .take(CANDIDATES)
        .map(|g| Candidate { encoding: Encoding::of(g.encoding), confidence: g.confidence })
        .collect();
    if is_mixed {
        found
            .candidates
            .insert(1, Candidate { encoding: Encoding::Form(Form::Utf8), confidence: found.confidence });
        found.candidates.truncate(CANDIDATES);
    }
    let may_be_several = !is_table && (is_mixed || best.is_faulty || found.confidence < LIKELY);
    unless_likely(sample, may_be_several, &alike, Detection { counts, ..found })
}

/// The guesses, the best first, and what was found on the way to them.
struct Judged {
    guesses: Vec<Guess>,
    /// Whether the best guess is the encoding that the text names.
    agrees: bool,
    /// Whether the text is a list or a table of letters, and names no encoding that reads it.
    is_table: bool,
    /// Whether most of it is UTF-8.
    is_mixed: bool,
}

fn judge(sample: &[u8], counts: &Counts, whole: bool, said: Option<&Declared>) -> Judged {
    let prior = Prior::declaring(said.map(Declared::encoding));
    let text = without_utf8(sample, counts);
    let mut guesses = legacy::guesses_after(&text, whole, &prior);
    let is_mixed = counts.good() >= 4 && is_mostly_utf8(sample);
    let is_list = !is_mixed && judge_again(&mut guesses, &text, whole, &prior);
    let mut agrees = guesses.first().is_some_and(|best| is_declared(best, &prior));
    let mut is_table = !agrees && (is_list || is_table_of_letters(sample));
    // In other languages than English, letters beyond ASCII speak for themselves.
    let is_english = |best: &Guess| best.language == "English" && best.encoding != "windows-1252";
    if let Some(best) = guesses.first().filter(|best| prior.declares(best.encoding) == Some(false))
        && (is_table || is_english(best))
    {
        agrees = prefer_declared(&mut guesses, &prior);
        is_table &= !agrees;
    }
    if let Some(best) = guesses.first_mut().filter(|_| agrees) {
        best.confidence = 1.0 - (1.0 - best.confidence) * WRONGLY_DECLARED;
    }
    let is_doubtful = is_doubtful(&mut guesses, sample, counts.malformed(), agrees);
    if is_table || is_doubtful || is_mixed {
        let most = if is_table { UNLIKELY } else { UNSURE };
        guesses.iter_mut().for_each(|guess| guess.confidence = guess.confidence.min(most));
    }
    Judged { guesses, agrees, is_table, is_mixed }
}

/// Whether the best guess has too little evidence. One to three bytes are no evidence of a language, not even if they are repeated. Amid ASCII they
/// are windows-1252, if anything, which is then put first.
fn is_doubtful(guesses: &mut [Guess], sample: &[u8], malformed: u64, agrees: bool) -> bool {
    let evidence = evidence(sample);
    let western = guesses.iter().position(|guess| guess.encoding == "windows-1252" && !guess.is_faulty);
    let stand_alone = evidence == 0 && !agrees && western > Some(0);
    if let Some(at) = western.filter(|_| stand_alone) {
        let confidence = guesses[0].confidence;
        legacy::put_first(guesses, at);
        guesses[0].confidence = confidence;
    }
    guesses.first().is_some_and(|best| {
        let is_another = best.encoding != "windows-1252" && !agrees;
        best.is_faulty || stand_alone || is_another && (malformed <= 3 || evidence <= 3)
    })
}

/// The number of bytes from 80 up that have a letter beside them, counted up to four. The same byte beside the same letters counts
/// once. Currency and degree signs after numbers have no letter beside them.
fn evidence(sample: &[u8]) -> usize {
    let letter = |at: Option<usize>| {
        let byte = at.and_then(|at| sample.get(at)).copied().unwrap_or(0);
        if byte.is_ascii_alphabetic() || byte >= 0x80 { byte } else { 0 }
    };
    let (mut known, mut count) = ([[0; 3]; 4], 0);
    for at in (0..sample.len()).filter(|at| sample[*at] >= 0x80) {
        let around = [letter(at.checked_sub(1)), sample[at], letter(Some(at + 1))];
        if around[0] | around[2] != 0 && !known[..count].contains(&around) {
            known[count] = around;
            count += 1;
            if count == known.len() {
                break;
            }
        }
    }
    count
}

/// Returns the verdict if it is likely, or else one that names no encoding. `may_be_several`: perhaps it does not read everything.
/// `alike`: the encodings that read the text as it does.
fn unless_likely(sample: &[u8], may_be_several: bool, alike: &[&str], mut found: Detection) -> Detection {
    let is_unlikely = found.confidence < LIKELY;
    let is_best = |name: &str| found.encoding == name || alike.contains(&name);
    let beside = if found.counts.multi_byte > 0 { beside_utf8(sample, is_best) } else { None };
    if beside.is_some() || may_be_several && are_several(sample) {
        let confidence = found.confidence.min(UNLIKELY);
        let malformed = found.counts.malformed();
        let (mut reason, mut candidates) =
            ("parts of it are in different encodings".into(), found.candidates);
        if let Some(beside) = beside {
            reason = format!("some parts are utf-8, others {beside}");
            let both = [Encoding::Form(Form::Utf8), Encoding::of(beside)];
            candidates = both.map(|encoding| Candidate { encoding, confidence }).to_vec();
        }
        let reasons = vec![found.reasons.swap_remove(0), reason];
        return Detection {
            encoding: Encoding::Several,
            confidence,
            malformed,
            reasons,
            candidates,
            ..found
        };
    }
    if !is_unlikely {
        return found;
    }
    let mut found = Detection { malformed: found.counts.malformed(), ..found };
    found.reasons.push("that is too little to name an encoding".into());
    Detection { encoding: Encoding::Unknown, ..found }
}

/// Whether most bytes from 80 up are in runs (without ASCII) that are UTF-8 from end to end. In legacy encodings, one run in ten is so
/// in DOS Cyrillic, and hardly any elsewhere, except for pairs: `l’é` has one in Mac Roman.
fn is_mostly_utf8(sample: &[u8]) -> bool {
    let (mut whole, mut broken) = (0, 0);
    let stretches = sample.chunk_by(|a, b| a.is_ascii() == b.is_ascii());
    for stretch in stretches.filter(|stretch| !stretch[0].is_ascii()) {
        let is_whole = stretch.len() > 2 && str::from_utf8(stretch).is_ok();
        *if is_whole { &mut whole } else { &mut broken } += stretch.len();
    }
    whole >= broken
}

/// Returns the text without its few runs of UTF-8. In the encoding of the rest nobody writes what they read as (`Ã¨`), so they would
/// count against it.
fn without_utf8<'a>(sample: &'a [u8], counts: &Counts) -> Cow<'a, [u8]> {
    if counts.good() == 0 || counts.good() * 8 > counts.bad() {
        return Cow::Borrowed(sample);
    }
    let mut text = sample.to_vec();
    let stretches = text.chunk_by_mut(|a, b| a.is_ascii() == b.is_ascii());
    let utf8 = stretches.filter(|stretch| !stretch[0].is_ascii() && str::from_utf8(stretch).is_ok());
    utf8.for_each(|stretch| stretch.fill(b' '));
    Cow::Owned(text)
}

/// The encodings in which Romanian text in ISO 8859-16 is the same, with cedillas for commas: its bytes do not tell which one was meant.
fn with_cedillas(sample: &[u8]) -> Vec<&'static str> {
    let with_comma = |c| match c {
        'Ş' => 'Ș',
        'ş' => 'ș',
        'Ţ' => 'Ț',
        'ţ' => 'ț',
        c => c,
    };
    let text = ISO_8859_16.decode_without_bom_handling(sample).0;
    let others = [("windows-1250", WINDOWS_1250), ("iso-8859-2", ISO_8859_2)];
    let is_same = |other: &'static Encoder| {
        let cedillas = other.decode_without_bom_handling(sample).0;
        cedillas != text && cedillas.chars().map(with_comma).eq(text.chars())
    };
    others.into_iter().filter(|&(_, other)| is_same(other)).map(|(name, _)| name).collect()
}

fn reading(best: &Guess, sample: &[u8]) -> String {
    let (encoding, language) = (best.encoding, best.language);
    if best.letters(sample) < LETTERS {
        return format!("read as {encoding}, it has too few letters beyond ASCII to tell its language");
    }
    format!("read as {encoding}, it looks like {language}")
}

/// The fewest letters beyond ASCII for which a language is named.
const LETTERS: usize = 4;
