//! Turns counts and guesses into a verdict with its reasons.
#![forbid(unsafe_code)]

mod seven_bits;

use std::borrow::Cow;

use placemat::Form;

use crate::declared::{Declared, declared};
use crate::detection::{Candidate, Detection};
use crate::dialect::Counts;
use crate::ebcdic;
use crate::encoding::Encoding;
use crate::kind::Kind;
use crate::language::{Prior, is_same};
use crate::legacy::{self, Guess};
use crate::line_ending::LineEnding;
use crate::lists::{judge_again, prefer_declared};
use crate::look::count;
use crate::twice::{Suspects, Twice};
use crate::unlikely::{LIKELY, UNLIKELY, are_several, beside_utf8, is_table_of_letters};
use crate::wide::Reader;

/// The highest number of candidates in a verdict.
const CANDIDATES: usize = 5;

/// Called from many places: inlined, it would be most of the code here.
#[inline(never)]
fn verdict(name: &'static str, confidence: f32, reason: String) -> Detection {
    let encoding = Encoding::of(name);
    Detection {
        encoding,
        bom: false,
        confidence,
        malformed: 0,
        line_ending: LineEnding::None,
        reasons: vec![reason],
        candidates: vec![Candidate { encoding, confidence }],
        counts: Counts::default(),
    }
}

/// The verdict on UTF-16 or UTF-32.
pub(crate) fn wide(reader: &Reader, bom: bool, sure: f32, complete: bool) -> Detection {
    let name = reader.wide().name();
    let reason = if bom {
        format!("a byte order mark says {name}")
    } else {
        format!("without a byte order mark, its units make sense as {name}")
    };
    let malformed = reader.malformed(complete);
    let mut found = verdict(name, sure, reason);
    if malformed > 0 {
        found.reasons.push(format!("{} malformed", sequences(malformed, "is", "are")));
    }
    Detection { bom, malformed, ..found }
}

/// The verdict on ASCII without an escape.
pub(crate) fn ascii() -> Detection {
    verdict("us-ascii", 1.0, "no byte above 7F".into())
}

fn marked() -> Detection {
    Detection { bom: true, ..verdict("utf-8", 1.0, "a byte order mark says utf-8".into()) }
}

/// The verdict on well-formed UTF-8 beyond ASCII that does not look decoded twice.
pub(crate) fn utf8(text: &[u8], counts: Counts, bom: bool) -> Detection {
    let found = if bom { marked() } else { verdict("utf-8", sure(counts.multi_byte), well_formed(&counts)) };
    let mut found = Detection { counts, ..found };
    found.reasons.extend(declared(text).map(|said| declaration(&said, !said.contradicts_utf8())));
    found
}

/// The verdict on text in which ASCII bytes are ASCII. `whole`: the sample is all of the text. `cut_off`: nothing is malformed but the
/// character that the text ends in.
pub(crate) fn bytes(sample: &[u8], counts: Counts, bom: bool, whole: bool, cut_off: bool) -> Detection {
    let found = if bom {
        marked()
    } else if counts.multi_byte == 0 && counts.malformed() == 0 {
        seven_bits::of(sample)
    } else if counts.malformed() == 0 {
        verdict("utf-8", sure(counts.multi_byte), well_formed(&counts))
    } else if let Some((name, confidence, reason)) = ebcdic::guess(sample) {
        return Detection { counts, ..verdict(name, confidence, reason.into()) };
    } else if let Some(found) = no_text(sample) {
        return Detection { malformed: counts.malformed(), counts, ..found };
    } else if counts.is_utf8_but_for_a_few() || cut_off && counts.of(Kind::Truncated) == 1 {
        nearly_utf8(&counts, cut_off)
    } else {
        return other(sample, counts, whole);
    };
    let mut found = Detection { bom, counts, ..found };
    if counts.multi_byte > 0
        && let Some(said) = declared(sample)
    {
        found.reasons.push(declaration(&said, !said.contradicts_utf8()));
    }
    if bom && counts.malformed() > 0 {
        found.malformed = counts.malformed();
        found.reasons.push(summary(&counts));
    }
    if Suspects::of(sample).are_likely() && Twice::of(&String::from_utf8_lossy(sample)).is_likely() {
        found.reasons.push("most of its characters beyond ASCII look decoded twice".into());
    }
    let nuls = nuls(sample);
    if nuls > 0 && found.encoding != Encoding::Binary {
        found.reasons.push(format!("it holds NUL ({nuls} in the sample): it may not be text"));
    }
    found
}

/// How sure it is, by the number of well-formed characters, that a text is UTF-8. Bytes of other encodings look like such a character
/// by accident about one time in nine.
fn sure(characters: u64) -> f32 {
    (1.0 - 0.11_f32.powi(characters.min(9) as i32)).min(0.99)
}

fn well_formed(counts: &Counts) -> String {
    let n = counts.multi_byte;
    format!(
        "{n} {} of several bytes, and nothing is malformed",
        if n == 1 { "character" } else { "characters" }
    )
}

/// The verdict on UTF-8 with a few malformed sequences, or on a relative of UTF-8 that is well-formed.
fn nearly_utf8(counts: &Counts, cut_off: bool) -> Detection {
    let of = |kinds: &[Kind]| kinds.iter().map(|kind| counts.of(*kind)).sum::<u64>();
    let only = |kinds: &[Kind]| of(kinds) == counts.malformed();
    let relative = if only(&[Kind::LoneSurrogate]) {
        Some("wtf-8")
    } else if only(&[Kind::SixOctet]) {
        Some("utf-8-rfc2279")
    } else if counts.four_byte > 0 {
        None
    } else if only(&[Kind::CesuPair]) {
        Some("cesu-8")
    } else if only(&[Kind::ModifiedNul, Kind::CesuPair, Kind::LoneSurrogate]) {
        Some("mutf-8")
    } else {
        None
    };
    // UTF-8 that is cut off inside a character is still UTF-8, even if it has no other beyond ASCII: two bytes of that one fit.
    let confidence =
        sure(counts.good().max(1)) * if counts.bad() == 0 || cut_off { 1.0 } else { share(counts) };
    let reason = summary(counts);
    let Some(name) = relative else {
        return Detection { malformed: counts.malformed(), ..verdict("utf-8", confidence, reason) };
    };
    let mut found = verdict(name, confidence * 0.9, reason);
    found.reasons.push(format!("all of it is well-formed {name}"));
    found.candidates.push(Candidate { encoding: Encoding::Form(Form::Utf8), confidence: confidence * 0.1 });
    found
}

fn share(counts: &Counts) -> f32 {
    counts.weight() as f32 / (counts.weight() + counts.bad()) as f32
}

#[inline(never)]
fn nuls(sample: &[u8]) -> u64 {
    count(sample, |byte| byte == 0)
}

/// Returns the verdict "binary" if there are more control characters or NULs than in text that is not UTF-8, which has hardly any.
fn no_text(sample: &[u8]) -> Option<Detection> {
    let controls = sample.iter().filter(|b| matches!(b, 0..=6 | 0x0E..=0x19 | 0x1C..=0x1F | 0x7F)).count();
    let nuls = nuls(sample);
    let reason =
        || format!("not UTF-8, and {controls} of {} bytes are controls, {nuls} of them NUL", sample.len());
    (controls * 20 > sample.len() || nuls * 200 > sample.len() as u64)
        .then(|| verdict("binary", 0.9, reason()))
}

/// The share of the doubt that remains if the text itself names the encoding.
const WRONGLY_DECLARED: f32 = 0.2;

/// Said where no letter tells of the next.
const LIST: &str = "its letters stand alone or in lists, each about as often as any other: not text";

/// The highest confidence of a doubtful guess.
const UNSURE: f32 = 0.4;

/// The verdict on text in a legacy encoding.
fn other(sample: &[u8], counts: Counts, whole: bool) -> Detection {
    let malformed = counts.malformed();
    let s = if malformed == 1 { "" } else { "s" };
    let not_utf8 = format!("not UTF-8: {malformed} malformed sequence{s}, {} well-formed", counts.multi_byte);
    let said = declared(sample);
    let prior = Prior::declaring(said.as_ref().map(Declared::encoding));
    let text = without_utf8(sample, &counts);
    let mut guesses = legacy::guesses_after(&text, whole, &prior);
    let is_mixed = counts.good() >= 4 && is_mostly_utf8(sample);
    let is_list = !is_mixed && judge_again(&mut guesses, &text, whole, &prior);
    // In other languages than English, letters beyond ASCII speak for themselves.
    let is_english = |best: &Guess| best.language == "English" && best.encoding != "windows-1252";
    if let Some(best) = guesses.first().filter(|best| prior.declares(best.encoding) == Some(false))
        && (is_list || is_english(best) || is_table_of_letters(sample))
    {
        prefer_declared(&mut guesses, &prior);
    }
    let agrees = guesses
        .first()
        .zip(said.as_ref())
        .is_some_and(|(best, said)| !best.is_faulty && is_same(said.encoding(), best.encoding));
    if let Some(best) = guesses.first_mut().filter(|_| agrees) {
        best.confidence = 1.0 - (1.0 - best.confidence) * WRONGLY_DECLARED;
    }
    let is_table = !agrees && (is_list || is_table_of_letters(sample));
    let evidence = evidence(sample);
    let western = guesses.iter().position(|guess| guess.encoding == "windows-1252" && !guess.is_faulty);
    let stand_alone = evidence == 0 && !agrees && western > Some(0);
    if let Some(at) = western.filter(|_| stand_alone) {
        let confidence = guesses[0].confidence;
        legacy::put_first(&mut guesses, at);
        guesses[0].confidence = confidence;
    }
    // One to three bytes are no evidence of a language, not even if they are repeated. Amid ASCII they are windows-1252, if anything.
    let is_doubtful = |best: &Guess| {
        let is_another = best.encoding != "windows-1252" && !agrees;
        is_mixed || best.is_faulty || stand_alone || is_another && (malformed <= 3 || evidence <= 3)
    };
    if is_table || guesses.first().is_some_and(is_doubtful) {
        let most = if is_table { UNLIKELY } else { UNSURE };
        for guess in &mut guesses {
            guess.confidence = guess.confidence.min(most);
        }
    }
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

/// "its XML declaration says koi8-r".
fn declaration(said: &Declared, agrees: bool) -> String {
    let which = if agrees { "" } else { ", which it does not look like" };
    format!("its {} says {}{which}", said.place, said.label)
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

/// `1 sequence is`, `3 sequences are`.
pub(crate) fn sequences(n: u64, one: &str, more: &str) -> String {
    if n == 1 { format!("1 sequence {one}") } else { format!("{n} sequences {more}") }
}

/// "UTF-8 but for 5 sequences; 4 fit windows-1252, 1 is CESU-8".
fn summary(counts: &Counts) -> String {
    let n = counts.malformed();
    let kinds: Vec<String> = Kind::ALL
        .iter()
        .map(|kind| (*kind, counts.of(*kind)))
        .filter(|(_, n)| *n > 0)
        .map(|(kind, n)| format!("{n} {}", kind.sentence(n == 1)))
        .collect();
    let sequences = if n == 1 { "1 sequence" } else { &format!("{n} sequences") };
    format!("UTF-8 but for {sequences}; {}", kinds.join(", "))
}
