//! Adds up texts.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use placemat::{ErrorKind, invisible};
use placemat_detect::{Kind, LineEnding};
use unicode_script::Script;

use super::jsonl::Lines;
use super::text::{Errors, Text};
use super::{Charts, chart, page, table};
use crate::escape;

/// The number of files with the most errors that are listed.
const WORST: usize = 20;

/// The confidence below which an encoding counts as unsure.
const SURE: f32 = 0.5;

/// The order of line endings in results.
pub(crate) const ENDINGS: [LineEnding; 5] =
    [LineEnding::Lf, LineEnding::Crlf, LineEnding::Cr, LineEnding::Mixed, LineEnding::None];

/// The sums over the files of a tree. Its JSON is described by `schema/survey.json`.
#[derive(Debug, Default)]
pub struct Survey {
    /// Files that were read.
    pub files: u64,
    /// Binary files, which were not read.
    pub files_skipped: u64,
    /// Files that could not be read.
    pub files_failed: u64,
    /// The field of JSON Lines in which each text is; without one, each file is a text.
    pub field: Option<String>,
    /// The number of those lines.
    pub lines: Lines,
    pub(crate) texts: u64,
    /// Texts that are well-formed UTF-8; ASCII is.
    pub(crate) well_formed: u64,
    pub(crate) bytes: u64,
    pub(crate) code_points: u64,
    pub(crate) encodings: BTreeMap<&'static str, Encoding>,
    /// Texts and lines, in the order of [`ENDINGS`].
    pub(crate) endings: [(u64, u64); ENDINGS.len()],
    /// By the full name of the script.
    pub(crate) scripts: BTreeMap<&'static str, ScriptShare>,
    /// In the order of [`ErrorKind::ALL`].
    pub(crate) errors: [ErrorShare; ErrorKind::ALL.len()],
    /// Texts and sequences, in the order of [`Kind::ALL`].
    pub(crate) dialects: [(u64, u64); Kind::ALL.len()],
    /// Texts and findings of characters that are not shown, in the order of `placemat::invisible::Kind::ALL`.
    pub(crate) hidden: [(u64, u64); invisible::Kind::ALL.len()],
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
    /// Texts whose encoding was detected with little confidence.
    pub(crate) unsure: u64,
}

/// Characters of one script.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScriptShare {
    pub(crate) script: Script,
    pub(crate) texts: u64,
    pub(crate) code_points: u64,
    /// The bytes that they take in UTF-8.
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
    /// The path; `-` for standard input.
    pub(crate) path: PathBuf,
    /// The encoding of its texts that has the most errors.
    pub(crate) encoding: &'static str,
    pub(crate) errors: u64,
}

impl Survey {
    /// Creates an empty survey. Each file will be a text or, with a field, the string in that field of each line of JSON.
    ///
    /// ```
    /// let json = serde_json::to_value(placemat_text::survey::Survey::new(None)).unwrap();
    /// assert_eq!(json["files"], 0);
    /// ```
    #[must_use]
    pub fn new(field: Option<String>) -> Survey {
        Survey { field, ..Survey::default() }
    }

    /// Writes the survey as columns and bars for a terminal of `width` columns, with colours as ANSI escape sequences.
    ///
    /// # Errors
    /// Those of writing.
    ///
    /// ```
    /// use placemat_text::survey::Survey;
    ///
    /// let mut out = Vec::new();
    /// Survey::new(None).write_table(80, &mut out).unwrap();
    /// assert!(String::from_utf8(out).unwrap().contains("0 files, 0 bytes, 0 code points"));
    /// ```
    pub fn write_table(&self, width: usize, out: &mut dyn Write) -> io::Result<()> {
        table::write(self, width, out)
    }

    /// Returns the survey as a single web page: no script, no network, light and dark. `of` names what was surveyed.
    ///
    /// ```
    /// use placemat_text::survey::Survey;
    ///
    /// assert!(Survey::new(None).page("/var/log").contains("<title>Survey of /var/log</title>"));
    /// ```
    #[must_use]
    pub fn page(&self, of: &str) -> String {
        page::render(self, of)
    }

    /// Returns the survey as sentences and charts, for a renderer in another language. The bars of a chart are shares. The shape
    /// of the serialisation may change with any version.
    ///
    /// ```
    /// use placemat_text::survey::{Reader, Survey};
    ///
    /// let mut survey = Survey::new(None);
    /// survey.add(&Reader::new().read(&mut &b"plain"[..]).unwrap());
    /// let json = serde_json::to_value(survey.charts()).unwrap();
    /// assert_eq!(json["charts"][0]["title"], "Encodings");
    /// ```
    #[must_use]
    pub fn charts(&self) -> Charts {
        Charts { headlines: chart::headlines(self), charts: chart::all(self) }
    }

    /// Adds one text, of any file.
    ///
    /// ```
    /// use placemat_text::survey::{Reader, Survey};
    ///
    /// let mut survey = Survey::new(None);
    /// for text in [&b"caf\xC3\xA9"[..], b"tea"] {
    ///     survey.add(&Reader::new().read(&mut &text[..]).unwrap());
    /// }
    /// assert_eq!(serde_json::to_value(&survey).unwrap()["texts"], 2);
    /// ```
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
        for (sum, &kind) in self.dialects.iter_mut().zip(Kind::ALL) {
            let sequences = text.dialects[kind as usize];
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
        for (sum, &found) in self.hidden.iter_mut().zip(&body.hidden.counts) {
            *sum = (sum.0 + u64::from(found > 0), sum.1 + found);
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

    /// The number of errors of all kinds.
    pub(crate) fn error_count(&self) -> u64 {
        self.errors.iter().map(|share| share.errors).sum()
    }

    /// Returns the survey as that of one file, from which all texts so far were read.
    ///
    /// ```
    /// use placemat_text::survey::{Reader, Survey};
    ///
    /// let mut survey = Survey::new(None);
    /// survey.add(&Reader::new().read(&mut &b"caf\xC3\xA9 \xFF, d\xC3\xA9j\xC3\xA0 vu"[..]).unwrap());
    /// let json = serde_json::to_value(survey.of_file("a.txt".into())).unwrap();
    /// assert_eq!((&json["files"], &json["worst"][0]["path"]), (&1.into(), &"a.txt".into()));
    /// ```
    #[must_use]
    pub fn of_file(mut self, path: PathBuf) -> Survey {
        self.files = 1;
        let errors = self.error_count();
        let bad = self.encodings.iter().filter(|(_, encoding)| encoding.errors > 0);
        if let Some((encoding, _)) = bad.max_by_key(|(_, encoding)| encoding.errors) {
            self.worst = vec![Worst { path, encoding, errors }];
        }
        self
    }

    /// Adds the survey of other files. The sum does not depend on the order.
    ///
    /// ```
    /// use placemat_text::survey::Survey;
    ///
    /// let mut all = Survey::new(None);
    /// all.merge(Survey::new(None).of_file("a.txt".into()));
    /// all.merge(Survey::new(None).of_file("b.txt".into()));
    /// assert_eq!(serde_json::to_value(&all).unwrap()["files"], 2);
    /// ```
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
        add_pairs(&mut self.hidden, &more.hidden);
        for new in more.worst {
            // Files with the same number are sorted by path, so that the order of merging does not matter.
            let is_before = |known: &&Worst| (new.errors, &known.path) <= (known.errors, &new.path);
            let at = self.worst.iter().take_while(is_before).count();
            self.worst.insert(at, new);
            self.worst.truncate(WORST);
        }
    }
}

fn add_pairs(sums: &mut [(u64, u64)], more: &[(u64, u64)]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum = (sum.0 + more.0, sum.1 + more.1);
    }
}

/// A path for people, with `<stdin>` for `-`.
pub(crate) fn shown(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { escape::path(path).to_string() }
}
