//! Text that must be read before it is explained: escapes, and legacy encodings.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use placemat::{Bom, Form, Policy};
use placemat_text::charset::Charset;
use placemat_text::convert::{Settings, whole};
use placemat_text::explain::Escapes;
use placemat_text::faults::Finding;
use placemat_text::faults::locate::{self, Search};

use crate::choices::one_of;
use crate::console;
use crate::escape;
use crate::report::hex;

/// The parser of `--escapes`.
pub(super) fn kinds() -> impl clap::builder::TypedValueParser<Value = Escapes> {
    one_of(Escapes::ALL.iter().map(|kind| kind.name()).collect(), Escapes::named)
}

/// Parses `12:5` or `12`.
pub(super) fn line_and_column(text: &str) -> Result<(u64, u64), String> {
    let (line, column) = text.split_once(':').unwrap_or((text, "1"));
    match (line.parse(), column.parse()) {
        (Ok(line @ 1..), Ok(column @ 1..)) => Ok((line, column)),
        _ => Err("a line and a column from 1 are expected, such as 12:5".into()),
    }
}

/// Reads escapes. Returns the bytes, and the encoding that the escapes name. If the kind is guessed, says which it is.
pub(super) fn unescaped(
    kind: Option<Escapes>,
    bytes: &[u8],
    form: Form,
) -> Result<(Vec<u8>, Option<String>)> {
    let text = str::from_utf8(bytes).context("--escapes reads text in UTF-8")?;
    // A file ends with a line end, an argument does not.
    let text = text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text);
    let kind = match kind {
        Some(kind) => kind,
        None => {
            if are_code_points(text) {
                bail!("not escapes, but names of characters: {}", by_code_points(text.as_ref()));
            }
            let guess = Escapes::guess(text)
                .ok_or_else(|| anyhow!("no known kind of escapes: name it with --escapes=KIND"))?;
            console::say(&format!("read as {}", guess.name()));
            guess
        }
    };
    let read = kind.read(text, form).context("--escapes")?;
    Ok((read, kind.charset(text).map(str::to_owned)))
}

/// Whether a text is one or several words such as `U+00E9`.
fn are_code_points(text: &str) -> bool {
    let is_one = |word: &str| {
        let digits = word.strip_prefix("U+").or_else(|| word.strip_prefix("u+")).unwrap_or_default();
        (4..=6).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    };
    !text.is_empty() && text.split(' ').all(is_one)
}

/// The command that explains the characters of these names.
fn by_code_points(text: &OsStr) -> String {
    format!("placemat explain --code-point {}", escape::word(Path::new(text)))
}

/// Prints the command that reads the text, if it is the name of a file, or looks like escapes or names of characters; it is explained as
/// it is.
pub(super) fn advise(text: &OsStr) {
    if Path::new(text).is_file() {
        console::say(&format!(
            "explained as plain text; to explain the file of that name: placemat explain --file{}",
            escape::argument(Some(Path::new(text)))
        ));
        return;
    }
    let Some(known) = text.to_str() else { return };
    if are_code_points(known) {
        console::say(&format!(
            "explained as plain text; to read the names of characters: {}",
            by_code_points(text)
        ));
        return;
    }
    let Some(kind) = Escapes::guess(known).filter(|kind| kind.is_evident(known)) else { return };
    let word = escape::word(Path::new(text));
    console::say(&format!(
        "explained as plain text; to read the escapes: placemat explain --escapes={} {word}",
        kind.name()
    ));
}

/// Converts text in a legacy encoding to UTF-8, and reports up to `limit` malformed sequences.
pub(super) fn in_utf8(legacy: Charset, bytes: &[u8], limit: usize) -> Result<Vec<u8>> {
    let search = Search { limit: limit as u64, ..Search::new(legacy) };
    locate::search(&mut &bytes[..], search, &mut |finding: &Finding<'_>| {
        let (offset, bytes) = (finding.offset, hex(&finding.window[finding.range.clone()]));
        console::say(&format!("byte {offset}: {bytes} is malformed {legacy}, shown as U+FFFD"));
        anyhow::Ok(())
    })?;
    let settings = Settings { to: Form::Utf8.into(), policy: Policy::Replace, bom: Bom::Keep };
    // This policy never stops.
    Ok(whole(legacy, settings, bytes).unwrap_or_default())
}
