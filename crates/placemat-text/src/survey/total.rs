//! Texts added up.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use placemat::ErrorKind;
use placemat_detect::{Kind, LineEnding};
use unicode_script::Script;

use super::jsonl::Lines;
use super::text::{Errors, Text};
use super::{page, table};

/// How many of the files with the most errors are named.
const WORST: usize = 20;

/// How sure a verdict must be not to count as unsure.
const SURE: f32 = 0.5;

/// The order of line endings in results.
pub(crate) const ENDINGS: [LineEnding; 5] =
    [LineEnding::Lf, LineEnding::Crlf, LineEnding::Cr, LineEnding::Mixed, LineEnding::None];

/// What a tree is made of.
#[derive(Debug, Default)]
pub struct Survey {
    /// Files that were read.
    pub(crate) files: u64,
    /// Files that were not read, as they are binary.
    pub files_skipped: u64,
    /// Files that could not be read.
    pub files_failed: u64,
    /// The field of JSON Lines that each text is; without one, each file is a text.
    pub field: Option<String>,
    /// What became of those lines.
    pub lines: Lines,
    pub(crate) texts: u64,
    /// Of those, well-formed UTF-8 (ASCII is).
    pub(crate) well_formed: u64,
    pub(crate) bytes: u64,
    pub(crate) code_points: u64,
    pub(crate) encodings: BTreeMap<&'static str, Encoding>,
    /// Texts and lines by [`ENDINGS`].
    pub(crate) endings: [(u64, u64); ENDINGS.len()],
    /// By full name.
    pub(crate) scripts: BTreeMap<&'static str, ScriptShare>,
    /// By [`ErrorKind::ALL`].
    pub(crate) errors: [ErrorShare; ErrorKind::ALL.len()],
    /// Texts and sequences by [`Kind::ALL`].
    pub(crate) dialects: [(u64, u64); Kind::ALL.len()],
    /// Files with the most errors, the worst first.
    pub(crate) worst: Vec<Worst>,
}

/// Texts in one encoding.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Encoding {
    pub(crate) texts: u64,
    pub(crate) bytes: u64,
    pub(crate) code_points: u64,
    pub(crate) errors: u64,
    /// Texts with a byte order mark.
    pub(crate) marks: u64,
    /// Texts of which something else is about as likely.
    pub(crate) unsure: u64,
}

/// Characters of one script.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScriptShare {
    pub(crate) script: Script,
    pub(crate) texts: u64,
    pub(crate) code_points: u64,
    /// What they take in UTF-8.
    pub(crate) utf8_bytes: u64,
}

/// Errors of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ErrorShare {
    pub(crate) texts: u64,
    pub(crate) errors: u64,
    pub(crate) bytes: u64,
}

/// A file with errors.
#[derive(Clone, Debug)]
pub(crate) struct Worst {
    /// `-` is standard input.
    pub(crate) path: PathBuf,
    /// That of its texts with the most errors.
    pub(crate) encoding: &'static str,
    pub(crate) errors: u64,
}

impl Survey {
    /// Of nothing yet: each file will be a text, or this field of each line of JSON.
    pub fn new(field: Option<String>) -> Survey {
        Survey { field, ..Survey::default() }
    }

    /// Over columns and bars, with colours as ANSI escape sequences.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write_table(&self, width: usize, out: &mut dyn Write) -> io::Result<()> {
        table::write(self, width, out)
    }

    /// As a web page that stands alone; `roots` are the paths that it is a survey of.
    pub fn page(&self, roots: &[PathBuf]) -> String {
        page::render(self, roots)
    }

    /// Add one text, of whatever file.
    pub fn add(&mut self, text: &Text) {
        let errors = text.errors.count();
        let decoded = text.body.as_ref().map_or(0, |body| body.code_points + errors);
        self.texts += 1;
        self.bytes += text.bytes;
        self.code_points += decoded;
        let is_utf8 = matches!(text.encoding, "us-ascii" | "utf-8");
        self.well_formed += u64::from(is_utf8 && errors == 0);
        let encoding = self.encodings.entry(text.encoding).or_default();
        encoding.texts += 1;
        encoding.bytes += text.bytes;
        encoding.code_points += decoded;
        encoding.errors += errors;
        encoding.marks += u64::from(text.mark);
        encoding.unsure += u64::from(text.confidence < SURE);
        self.add_body(text);
        self.add_errors(&text.errors);
        for (sum, kind) in self.dialects.iter_mut().zip(Kind::ALL) {
            let sequences = text.dialects.of(kind);
            sum.0 += u64::from(sequences > 0);
            sum.1 += sequences;
        }
    }

    fn add_body(&mut self, text: &Text) {
        let Some(body) = &text.body else { return };
        let ending = body.lines.ending();
        let kinds = body.lines.kinds();
        for (sum, kind) in self.endings.iter_mut().zip(ENDINGS) {
            sum.0 += u64::from(kind == ending);
            sum.1 += kinds.iter().find(|(ending, _)| *ending == kind).map_or(0, |(_, lines)| *lines);
        }
        for &(script, code_points, utf8_bytes) in &body.scripts.0 {
            self.add_script(ScriptShare { script, texts: 1, code_points, utf8_bytes });
        }
    }

    fn add_script(&mut self, more: ScriptShare) {
        let none = ScriptShare { script: more.script, texts: 0, code_points: 0, utf8_bytes: 0 };
        let sum = self.scripts.entry(more.script.full_name()).or_insert(none);
        sum.texts += more.texts;
        sum.code_points += more.code_points;
        sum.utf8_bytes += more.utf8_bytes;
    }

    fn add_errors(&mut self, errors: &Errors) {
        for (sum, (count, bytes)) in self.errors.iter_mut().zip(errors.0) {
            sum.texts += u64::from(count > 0);
            sum.errors += count;
            sum.bytes += bytes;
        }
    }

    /// Errors of all kinds.
    pub(crate) fn error_count(&self) -> u64 {
        self.errors.iter().map(|share| share.errors).sum()
    }

    /// Note the file that all of this was read from, and that it is one.
    pub fn of_file(mut self, path: PathBuf) -> Survey {
        self.files = 1;
        let errors = self.error_count();
        let bad = self.encodings.iter().filter(|(_, encoding)| encoding.errors > 0);
        if let Some((encoding, _)) = bad.max_by_key(|(_, encoding)| encoding.errors) {
            self.worst = vec![Worst { path, encoding, errors }];
        }
        self
    }

    /// Add what was found in the next files. In the order of their paths it is always the same.
    pub fn merge(&mut self, more: Survey) {
        self.files += more.files;
        self.files_skipped += more.files_skipped;
        self.files_failed += more.files_failed;
        self.lines.read += more.lines.read;
        self.lines.broken += more.lines.broken;
        self.lines.without += more.lines.without;
        self.texts += more.texts;
        self.well_formed += more.well_formed;
        self.bytes += more.bytes;
        self.code_points += more.code_points;
        for (name, share) in more.encodings {
            let sum = self.encodings.entry(name).or_default();
            sum.texts += share.texts;
            sum.bytes += share.bytes;
            sum.code_points += share.code_points;
            sum.errors += share.errors;
            sum.marks += share.marks;
            sum.unsure += share.unsure;
        }
        more.scripts.into_values().for_each(|share| self.add_script(share));
        for (sum, share) in self.errors.iter_mut().zip(more.errors) {
            sum.texts += share.texts;
            sum.errors += share.errors;
            sum.bytes += share.bytes;
        }
        add_pairs(&mut self.endings, &more.endings);
        add_pairs(&mut self.dialects, &more.dialects);
        self.worst.extend(more.worst);
        // Of the same number, by path, in whatever order they came.
        self.worst.sort_by(|a, b| b.errors.cmp(&a.errors).then_with(|| a.path.cmp(&b.path)));
        self.worst.truncate(WORST);
    }
}

fn add_pairs(sums: &mut [(u64, u64)], more: &[(u64, u64)]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum = (sum.0 + more.0, sum.1 + more.1);
    }
}
