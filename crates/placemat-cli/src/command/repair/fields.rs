//! `--csv`, `--jsonl` and `--sql`, which repair text field by field, and `--nul`.

use std::io::Read as _;

use anyhow::Result;
use clap::ArgGroup;
use placemat_text::Error;
use placemat_text::repair::choice::{Choice, Verdict};
use placemat_text::repair::mend::{Reading, ZEROS};
use placemat_text::structure::{Dialect, Structure, Texts, check, is_wide};

use super::job::Fate;
use super::reading;
use crate::input::{Body, Input};
use placemat_text::repair::advice;

/// How much of a dump is searched for its dialect, in bytes.
const HEAD: u64 = 64 << 10;

#[derive(clap::Args, Debug)]
#[command(group = ArgGroup::new("structure").args(["csv", "jsonl", "sql"]).conflicts_with("names"))]
pub(super) struct Fields {
    /// The files are CSV (RFC 4180) with this delimiter, one character or tab: mend each field by itself, and touch no delimiter, quote
    /// or line end
    ///
    /// A file that cannot be read as CSV is refused and stays as it is; the message names the line. The same holds for --jsonl and --sql. Also
    /// refused is a file in which a delimiter, a backslash or the quote of a name may be the second byte of a character (Shift_JIS, Big5, GBK).
    #[arg(long, value_name = "DELIMITER", num_args = 0..=1, require_equals = true, default_missing_value = ",", value_parser = csv)]
    csv: Option<Structure>,

    /// The files are JSON Lines: mend each string by itself, with its escapes decoded, and write it with the same escapes
    #[arg(long)]
    jsonl: bool,

    /// The files are SQL dumps as pg_dump, mysqldump or sqlite3 .dump write them: mend each string, name, comment and field of COPY by
    /// itself
    ///
    /// DIALECT is postgres, mysql (and MariaDB) or sqlite; without it, the start of the dump decides. Strings after _binary or the name of another
    /// encoding than UTF-8 (_latin1), and values of columns that the dump defines as binary, are no text in UTF-8 and stay as they are. If a dump of MySQL has no CREATE TABLE for a table, its
    /// columns may be binary: the dump is refused if a malformed value there has control characters. A dump that says that its text is in another
    /// encoding (SET NAMES latin1) is refused if it has bytes beyond ASCII.
    #[arg(long, value_name = "DIALECT", num_args = 0..=1, require_equals = true, default_missing_value = "", value_parser = sql)]
    sql: Option<Structure>,

    /// What to do with U+0000, which PostgreSQL accepts in no text: skip leaves it out, replace writes U+FFFD; without this it stays
    #[arg(long, value_name = "WHAT", value_parser = ZEROS.map(|(name, _)| name))]
    nul: Option<String>,
}

fn csv(delimiter: &str) -> Result<Structure, Error> {
    Structure::csv(delimiter)
}

fn sql(dialect: &str) -> Result<Structure, Error> {
    Ok(Structure::Sql(if dialect.is_empty() { None } else { Some(dialect.parse()?) }))
}

impl Fields {
    pub(super) fn structure(&self) -> Option<Structure> {
        self.csv.or(self.sql).or(self.jsonl.then_some(Structure::JsonLines))
    }

    pub(super) fn zero(&self) -> Option<(&'static str, &'static str)> {
        ZEROS.into_iter().find(|(name, _)| self.nul.as_deref() == Some(name))
    }
}

/// The option for a structure, as it is written in a command that a message advises.
fn option(structure: Structure) -> String {
    match structure {
        Structure::Csv(b',') => " --csv".to_owned(),
        Structure::Csv(b'\t') => " --csv=tab".to_owned(),
        Structure::Csv(b'\'') => " --csv=\"'\"".to_owned(),
        // A message shows no control character as it is.
        Structure::Csv(control) if control.is_ascii_control() => format!(" --csv=$'\\x{control:02x}'"),
        Structure::Csv(delimiter) => format!(" --csv='{}'", char::from(delimiter)),
        Structure::JsonLines => " --jsonl".to_owned(),
        Structure::Sql(None) => " --sql".to_owned(),
        Structure::Sql(Some(Dialect::Postgres)) => " --sql=postgres".to_owned(),
        Structure::Sql(Some(Dialect::MySql)) => " --sql=mysql".to_owned(),
        Structure::Sql(Some(Dialect::Sqlite)) => " --sql=sqlite".to_owned(),
    }
}

/// How a text is read.
pub(super) type How = (Option<Structure>, Reading);

/// Reads all of a text and decides how it is repaired, by its fields if it has a structure, or else what becomes of it.
/// Afterwards the text is at its start.
///
/// # Errors
/// Those of reading.
pub(super) fn judge(
    structure: Option<Structure>,
    choice: &Choice,
    input: &Input,
    body: &mut Body,
    unpack: bool,
) -> Result<Result<How, Fate>> {
    let mut head = Vec::new();
    body.take(HEAD).read_to_end(&mut head)?;
    body.rewind()?;
    let refused = |error: Error| match error {
        Error::Misfit(_) | Error::Refused(_) => Ok(Err(Fate::Unclear(error.to_string()))),
        error => Err(error.into()),
    };
    let (mut known, mut options) = (None, String::new());
    let verdict = match structure.filter(|_| !is_wide(&head)) {
        None => reading::judge(choice, body, |body| Box::new(body))?,
        Some(structure) => {
            options = option(structure);
            let checked =
                structure.known(&head).and_then(|structure| Ok((structure, check(structure, &mut *body)?)));
            body.rewind()?;
            let structure = match checked {
                Ok((structure, true)) => return Ok(Ok((Some(structure), Reading::default()))),
                Ok((structure, false)) => structure,
                Err(Error::Misfit(misfit)) if misfit.may_be_half_a_character() => {
                    return match reading::judge(choice, body, |body| Box::new(body))? {
                        Verdict::SomethingElse(found) => Ok(Err(Fate::Refused(found))),
                        Verdict::Mend(_) | Verdict::Unclear(_) => refused(misfit.into()),
                    };
                }
                Err(error) => return refused(error),
            };
            known = Some(structure);
            reading::judge(choice, body, |body| Box::new(Texts::new(structure, body)))?
        }
    };
    Ok(match verdict {
        Verdict::Mend(reading) => Ok((known, reading)),
        Verdict::SomethingElse(found) => {
            Err(match advice::of_lines(input.file(), &found, unpack, &options) {
                Some(advice) => Fate::Unclear(advice),
                None => Fate::Refused(found),
            })
        }
        Verdict::Unclear(second) => {
            Err(Fate::Unclear(advice::mixed(input.file(), &second, unpack, &options)))
        }
    })
}
