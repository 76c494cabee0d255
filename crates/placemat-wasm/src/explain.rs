//! Explains bytes: objects for programs, text for people, and errors with positions and sentences.

#![forbid(unsafe_code)]

use std::convert::Infallible;
use std::io::{self, BufRead, BufReader, Read};

use placemat::Form;
use placemat::label::Labels;
use placemat_text::charset::Charset;
use placemat_text::explain::{
    Base, Detail, Escapes, Input, objects, of_code_points, sequences, table_objects, tell, tell_table,
    tell_verdicts, verdict_objects,
};
use placemat_text::faults::excerpt::{Piece, excerpt};
use placemat_text::faults::locate::{Search, search};
use placemat_text::faults::{Finding, wording};
use placemat_text::models::{CheckLine, FilePath};
use serde::Serialize;

use crate::session::{Answer, Session};

/// A finding, as `placemat check` writes it in JSON and as it shows it.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    line: CheckLine,
    sentence: String,
    expected: Option<String>,
    excerpt: Vec<(&'static str, String)>,
    /// The columns that the carets mark.
    caret: (usize, usize),
}

/// The answer of `faults`.
#[derive(Serialize)]
struct Faults {
    bytes: u64,
    errors: u64,
    found: Vec<Shown>,
}

fn form(name: &str) -> Result<Form, String> {
    Form::named(name).ok_or_else(|| format!("{name} is not a form"))
}

fn number<T: std::str::FromStr>(text: &str, default: T) -> T {
    text.parse().unwrap_or(default)
}

fn skip(reader: &mut impl BufRead, count: u64) -> io::Result<()> {
    io::copy(&mut reader.take(count), &mut io::sink()).map(drop)
}

/// Reads the start of the source, or the bytes around the one at `offset`.
fn input(source: &mut dyn Read, form: Form, offset: &str) -> Result<Input, String> {
    let Ok(offset) = offset.parse() else {
        return Input::read(source, form).map_err(|error| error.to_string());
    };
    let around = Input::around(BufReader::new(source), skip, offset, form);
    around.map_err(|error| error.to_string())
}

impl Session {
    /// Settings: form, offset or nothing, limit. Answers with the objects of `placemat explain --format json`.
    pub(crate) fn explain(&mut self, source: &mut dyn Read) -> i32 {
        let [name, offset, limit] = self.lines();
        let answer = form(&name).and_then(|form| input(source, form, &offset));
        self.answer(answer.and_then(|input| Answer::of(&objects(&input.view(), number(&limit, 20)))))
    }

    /// Settings as for `explain`. Answers with the verdict of each form on all the bytes.
    pub(crate) fn verdicts(&mut self, source: &mut dyn Read) -> i32 {
        let [name, offset] = self.lines();
        let answer = form(&name).and_then(|form| input(source, form, &offset));
        self.answer(answer.and_then(|input| Answer::of(&verdict_objects(&input.view()))))
    }

    /// Settings: form. Answers with its 256 bytes.
    pub(crate) fn table(&mut self) -> i32 {
        let [name] = self.lines();
        let objects = form(&name).and_then(|form| table_objects(form).map_err(|error| error.to_string()));
        self.answer(objects.and_then(|objects| Answer::of(&objects)))
    }

    /// Settings: form, limit. Answers with the sequences of the input.
    pub(crate) fn sequences(&mut self) -> i32 {
        let [name, limit] = self.lines();
        let answer = form(&name).and_then(|form| {
            let all: Vec<_> = sequences(form, &self.input).take(number(&limit, usize::MAX)).collect();
            Answer::of(&all)
        });
        self.answer(answer)
    }

    /// Settings: form, offset or nothing, limit, one of `explain`, `steps`, `verdicts` and `table`, and a number of columns or
    /// `page`. Answers with the text of `placemat explain`.
    pub(crate) fn story(&mut self, source: &mut dyn Read) -> i32 {
        let [name, offset, limit, what, width] = self.lines();
        let document = form(&name).and_then(|form| {
            if what == "table" {
                return tell_table(form).map_err(|error| error.to_string());
            }
            let input = input(source, form, &offset)?;
            let view = input.view();
            if what == "verdicts" {
                return Ok(tell_verdicts(&view));
            }
            let full = what == "steps";
            Ok(tell(&view, Detail { limit: number(&limit, 20), full, names_flags: false }))
        });
        let answer = document.map(|document| match &*width {
            "page" => document.page(),
            width => document.screen(number(width, 80)),
        });
        self.answer(answer.map(Answer::text))
    }

    /// Settings: the notation of the input, and the form of characters in it. The output is the bytes.
    pub(crate) fn unescape(&mut self) -> i32 {
        let [kind, name] = self.lines();
        let text = String::from_utf8_lossy(&self.input);
        let base = [("hex", Base::Hex), ("octal", Base::Octal), ("binary", Base::Binary)];
        let bytes = form(&name).and_then(|form| {
            if let Some((_, base)) = base.into_iter().find(|(name, _)| *name == kind) {
                return base.parse(&text).map_err(|error| error.to_string());
            }
            if kind == "code-points" {
                return of_code_points(&text, form).map_err(|error| error.to_string());
            }
            let kind = Escapes::named(&kind).or_else(|| (kind == "auto").then(|| Escapes::guess(&text))?);
            let kind = kind.ok_or("unknown kind of escapes")?;
            kind.read(&text, form).map_err(|error| error.to_string())
        });
        self.answer(bytes.map(Answer::bytes))
    }

    /// Settings: encoding, limit, columns. Answers with the errors of the source, as `placemat check` reports them.
    pub(crate) fn faults(&mut self, source: &mut dyn Read) -> i32 {
        let [name, limit, width] = self.lines();
        let charset = Charset::resolve(Labels::Lenient, &name).map_err(|error| error.to_string());
        let answer = charset.and_then(|charset| {
            let (limit, width) = (number(&limit, 1000), number(&width, 80));
            let wanted = Search { limit, ..Search::new(charset) };
            let mut found = Vec::new();
            let searched = search(source, wanted, &mut |finding| {
                found.push(shown(finding, width));
                Ok::<_, Infallible>(())
            });
            let Ok((totals, broken)) = searched;
            broken.map_or_else(
                || Answer::of(&Faults { bytes: totals.bytes, errors: totals.errors, found }),
                Answer::refused,
            )
        });
        self.answer(answer)
    }
}

fn shown(finding: &Finding<'_>, width: usize) -> Shown {
    let length = finding.broken().map_or(finding.range.len(), |broken| broken.len);
    let line = excerpt(finding, if finding.is_breach() { 0 } else { length }, width);
    let piece = |piece| match piece {
        Piece::Plain(text) => ("plain", text),
        Piece::Escaped(text) => ("escaped", text),
        Piece::Malformed(text) => ("malformed", text),
    };
    Shown {
        line: CheckLine::finding(FilePath::of("".as_ref()), finding.charset, finding),
        sentence: wording::sentence(finding),
        expected: wording::expected(finding),
        caret: (line.caret.start, line.caret.end),
        excerpt: line.pieces.into_iter().map(piece).collect(),
    }
}
