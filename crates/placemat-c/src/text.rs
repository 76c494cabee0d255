//! What allocates: the functions of placemat-text over a whole text.

#![forbid(unsafe_code)]

use std::io::{self, Cursor};

use placemat::invisible::Kinds;
use placemat::label::{Label, Labels};
use placemat::{Bom, CodePoint, Error, Form, Policy, Transcoder, Unencodable};
use placemat_detect::Mixed;
use placemat_text::charset::{Charset, Legacy};
use placemat_text::convert::{Halt, Pipeline, Settings};
use placemat_text::explain::{Input, Object, objects};
use placemat_text::hidden;
use placemat_text::models::{DetectLine, FilePath};
use placemat_text::notation::{hex, write_line};
use placemat_text::repair::choice::{Choice, Verdict};
use placemat_text::repair::mend::{Change, Mender, Mending, Reading};
use placemat_text::repair::record::{Line, Record, VERSION};
use placemat_text::repair::undo::{Lines, entries};

use crate::border::Answer;
use crate::encoding::{self, placemat_encoding};
use crate::settings::{placemat_repair_flags, placemat_settings};
use crate::status::placemat_status::{
    PLACEMAT_INTERNAL, PLACEMAT_REFUSED, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNKNOWN_VALUE,
    PLACEMAT_UNSUITABLE,
};

/// What a conversion came to: what is written, errors that were replaced, and the error at which it stopped.
#[derive(Default)]
pub(crate) struct Converted {
    pub(crate) bytes: Vec<u8>,
    pub(crate) errors: u64,
    pub(crate) stopped: Option<Error>,
}

/// A text in another encoding.
pub(crate) fn convert(
    from: placemat_encoding,
    to: placemat_encoding,
    settings: &placemat_settings,
    bytes: &[u8],
) -> Answer<Converted> {
    let (from, to) = (charset(from)?, charset(to)?);
    let (policy, bom) = settings.meaning()?;
    fits(policy, bom, from, to)?;
    match (from, to) {
        (Charset::Form(from), Charset::Form(to)) => {
            let mut transcoder = Transcoder::new(from, to).on_error(policy).bom(bom);
            let mut out = Vec::new();
            let stopped = placemat::convert_into(&mut transcoder, bytes, &mut out).err();
            let errors = transcoder.errors() - u64::from(stopped.is_some());
            Ok(Converted { bytes: out, errors, stopped })
        }
        _ => {
            let mut pipeline = Pipeline::new(from, Settings { to, policy, bom });
            let mut out = Vec::with_capacity(bytes.len());
            let pushed = pipeline.push(bytes, &mut out).and_then(|()| pipeline.finish_input(&mut out));
            let stopped = match pushed.and_then(|()| pipeline.finish(&mut out)) {
                Ok(()) => None,
                Err(Halt::Stopped(stopped)) => Some(stopped.error),
                Err(Halt::Input(_) | Halt::Output(_)) => return Err(PLACEMAT_INTERNAL),
            };
            let errors = pipeline.errors().saturating_sub(stopped.is_some().into());
            Ok(Converted { bytes: out, errors, stopped })
        }
    }
}

/// The encoding of a number, if text can be read and written in it.
fn charset(number: placemat_encoding) -> Answer<Charset> {
    match encoding::label(number).ok_or(PLACEMAT_UNKNOWN_ENCODING)? {
        Label::Form(form) => Ok(form.into()),
        legacy => Charset::resolve(Labels::Lenient, legacy.name()).map_err(|_| PLACEMAT_UNKNOWN_ENCODING),
    }
}

/// Whether settings can serve between these encodings.
fn fits(policy: Policy, bom: Bom, from: Charset, to: Charset) -> Answer<()> {
    let is_unfit = match policy.unencodable {
        Unencodable::Replace(Some(c)) => !to.carries(c),
        _ => false,
    };
    let lacks_mark = bom == Bom::Add && !to.carries(CodePoint::MARK);
    // No legacy encoding has surrogates: as a source it is as good as UTF-8, as a target as bad.
    let form = |charset: Charset| charset.form().unwrap_or(Form::Utf8);
    let lacks_escapes = policy.fits(form(from), form(to)).is_err();
    if is_unfit || lacks_mark || lacks_escapes { Err(PLACEMAT_UNSUITABLE) } else { Ok(()) }
}

/// A text as well-formed UTF-8, and the report of what was changed.
pub(crate) fn repair(flags: u32, second: placemat_encoding, bytes: &[u8]) -> Answer<(Vec<u8>, Vec<u8>)> {
    if flags & !placemat_repair_flags::ALL != 0 {
        return Err(PLACEMAT_UNKNOWN_VALUE);
    }
    let asks = |flag: placemat_repair_flags| flags & flag as u32 != 0;
    let (second, is_cp1252) = second_encoding(second)?;
    let mending = Mending {
        cp1252: is_cp1252 || asks(placemat_repair_flags::PLACEMAT_REPAIR_CP1252),
        overlong: asks(placemat_repair_flags::PLACEMAT_REPAIR_OVERLONG),
        nul: asks(placemat_repair_flags::PLACEMAT_REPAIR_NUL),
        mojibake: asks(placemat_repair_flags::PLACEMAT_REPAIR_MOJIBAKE),
        hidden: if asks(placemat_repair_flags::PLACEMAT_REPAIR_INVISIBLE) {
            Kinds::DEFAULT
        } else {
            Kinds::NONE
        },
        ..Mending::default()
    };
    let is_lossy = asks(placemat_repair_flags::PLACEMAT_REPAIR_LOSSY);
    let reading = reading(&Choice { mending, second, is_lossy }, bytes)?;
    let (_, changes) = Mender::reading(mending, reading).block(bytes, true);
    let (mut repaired, mut at) = (Vec::with_capacity(bytes.len()), 0);
    for change in &changes {
        repaired.extend_from_slice(&bytes[at..change.range.start as usize]);
        repaired.extend_from_slice(change.text.as_bytes());
        at = change.range.end as usize;
    }
    repaired.extend_from_slice(&bytes[at..]);
    let report = report(bytes, &repaired, &changes).map_err(|_| PLACEMAT_INTERNAL)?;
    Ok((repaired, report))
}

/// The second encoding of a mixed text, if one is named; and whether that is windows-1252, which is read byte by byte.
fn second_encoding(number: placemat_encoding) -> Answer<(Option<Legacy>, bool)> {
    match number {
        0 => Ok((None, false)),
        number => match charset(number)? {
            Charset::Legacy(legacy) => Ok((Some(legacy), false)),
            Charset::Form(Form::Windows1252) => Ok((None, true)),
            Charset::Form(_) => Err(PLACEMAT_UNSUITABLE),
        },
    }
}

/// How the runs of a text that are no UTF-8 are to be read.
fn reading(choice: &Choice, bytes: &[u8]) -> Answer<Reading> {
    if placemat::is_valid(bytes) {
        return Ok(Reading::default());
    }
    let mut mixed = Mixed::new();
    mixed.push(bytes);
    match choice.of(placemat_detect::detect(bytes, true), mixed.finish()) {
        Verdict::Mend(reading) => Ok(reading),
        Verdict::SomethingElse(_) | Verdict::Unclear(_) => Err(PLACEMAT_REFUSED),
    }
}

/// The lines of a report, as the command writes them.
fn report(before: &[u8], after: &[u8], changes: &[Change]) -> Result<Vec<u8>, placemat_text::Error> {
    let mut record = Record::new(("-".to_owned(), None), Cursor::new(Vec::new()));
    record.before(before);
    record.after(after);
    for change in changes {
        record.change(change, &before[change.range.start as usize..change.range.end as usize])?;
    }
    let (file, lines) = record.finish()?;
    let mut report = Vec::new();
    write_line(&mut report, &Line::Report { version: VERSION })?;
    write_line(&mut report, &file)?;
    report.extend(lines.into_inner());
    write_line(&mut report, &Line::Summary { files: 1, changes: changes.len() as u64 })?;
    Ok(report)
}

/// The original of a repaired text; it must be as its report says.
pub(crate) fn undo(report: &[u8], repaired: &[u8]) -> Answer<Vec<u8>> {
    let mut lines = Lines::new(Cursor::new(report));
    let entries = entries(&mut lines).map_err(|_| PLACEMAT_UNKNOWN_VALUE)?;
    let [entry] = &entries[..] else { return Err(PLACEMAT_UNKNOWN_VALUE) };
    let mut original = Vec::with_capacity(repaired.len());
    match entry.put_back(&mut lines, repaired, &mut original) {
        Ok(true) => Ok(original),
        Ok(false) | Err(_) => Err(PLACEMAT_REFUSED),
    }
}

/// What a text seems to be, as a line of JSON.
pub(crate) fn detect(bytes: &[u8], is_complete: bool) -> Answer<Vec<u8>> {
    let found = placemat_detect::detect(bytes, is_complete);
    lines([DetectLine::file(FilePath::of("-".as_ref()), &found)])
}

/// What bytes say, sequence by sequence, as lines of JSON.
pub(crate) fn explain(form: Form, bytes: &[u8], limit: usize) -> Answer<Vec<u8>> {
    let input = Input::read(bytes, form).map_err(|_: io::Error| PLACEMAT_INTERNAL)?;
    lines(objects(&input.view(), limit))
}

/// Characters that are not shown, as lines of JSON.
pub(crate) fn invisible(kinds: Option<&str>, bytes: &[u8]) -> Answer<Vec<u8>> {
    let kinds = kinds.map_or(Ok(Kinds::DEFAULT), hidden::kinds).map_err(|_| PLACEMAT_UNKNOWN_VALUE)?;
    lines(hidden::found(bytes, kinds, true).iter().map(|found| {
        let run = &bytes[found.offset..found.offset + found.length];
        Object::Hidden {
            offset: found.offset as u64,
            length: found.length,
            bytes: hex(run),
            kind: found.kind.name(),
            payload: hidden::payload(run),
        }
    }))
}

/// One object a line.
fn lines(objects: impl IntoIterator<Item = impl serde::Serialize>) -> Answer<Vec<u8>> {
    let mut out = Vec::new();
    for object in objects {
        write_line(&mut out, &object).map_err(|_| PLACEMAT_INTERNAL)?;
    }
    Ok(out)
}
