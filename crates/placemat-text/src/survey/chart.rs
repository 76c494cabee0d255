//! A survey as charts: each row has its share of the whole.

use placemat::{ErrorKind, invisible};
use placemat_detect::Kind;
use serde::Serialize;

use super::numbers::compact;
use super::total::{ENDINGS, Survey};
use crate::notation::plural;

/// The result of [`Survey::charts`].
#[derive(Debug, Serialize)]
pub struct Charts {
    pub(crate) headlines: Vec<String>,
    pub(crate) charts: Vec<Chart>,
}

/// One chart.
#[derive(Debug, Serialize)]
pub(crate) struct Chart {
    pub(crate) title: &'static str,
    /// A few words on what is counted.
    pub(crate) note: &'static str,
    pub(crate) measures: Vec<&'static str>,
    /// The measure whose shares the bars show.
    pub(crate) main: usize,
    /// The total of each measure.
    pub(crate) whole: Vec<u64>,
    /// The rows, the largest first.
    pub(crate) rows: Vec<Row>,
}

/// One part of the whole.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) tone: Tone,
    /// One value for each measure.
    pub(crate) values: Vec<u64>,
}

/// The meaning of a part's colour. The words say everything without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tone {
    /// UTF-8.
    Good,
    Plain,
    /// An encoding that is not UTF-8.
    Old,
    Bad,
}

impl Chart {
    /// The share of a row in the whole, from 0 to 1, for one measure.
    pub(crate) fn share(&self, row: &Row, measure: usize) -> f64 {
        row.values[measure] as f64 / self.whole[measure].max(1) as f64
    }
}

/// Returns the parts that occur, the largest first. Equal parts keep their order.
pub(crate) fn largest_first<T>(parts: impl Iterator<Item = T>, size: impl Fn(&T) -> u64) -> Vec<T> {
    let mut parts: Vec<Option<T>> = parts.filter(|part| size(part) > 0).map(Some).collect();
    let sizes: Vec<u64> = parts.iter().flatten().map(size).collect();
    order(&sizes).into_iter().filter_map(|at| parts[at].take()).collect()
}

/// Returns the indices, the largest size first. It is not generic, since sorting is much code for each type.
fn order(sizes: &[u64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..sizes.len()).collect();
    places.sort_unstable_by_key(|&at| (std::cmp::Reverse(sizes[at]), at));
    places
}

/// The survey in one or two sentences.
pub(crate) fn headlines(survey: &Survey) -> Vec<String> {
    let of = |n: u64, one: &str| format!("{} {one}{}", compact(n), plural(n));
    let unit = if survey.field.is_some() { "text" } else { "file" };
    let mut counted = vec![of(survey.files, "file")];
    if survey.field.is_some() {
        counted.push(of(survey.texts, "text"));
    }
    counted.extend([of(survey.bytes, "byte"), of(survey.code_points, "code point")]);
    if survey.files_skipped > 0 {
        counted.push(format!("{} skipped", compact(survey.files_skipped)));
    }
    if survey.files_failed > 0 {
        counted.push(format!("{} not readable", compact(survey.files_failed)));
    }
    let mut lines = vec![counted.join(", ")];
    if survey.texts > 0 {
        let (good, all) = (compact(survey.well_formed), of(survey.texts, unit));
        let be = if survey.well_formed == 1 || survey.texts == 1 { "is" } else { "are" };
        lines.push(format!("{good} of {all} {be} well-formed UTF-8"));
    }
    let unsure: u64 = survey.encodings.values().map(|share| share.unsure).sum();
    if unsure > 0 {
        lines.push(format!("{} in an encoding that is less than 50% sure", of(unsure, unit)));
    }
    let broken = survey.lines;
    if broken.broken + broken.without > 0 {
        lines.push(format!(
            "of {}, {} broken and {} without a string in the field",
            of(broken.read, "line"),
            compact(broken.broken),
            compact(broken.without)
        ));
    }
    lines
}

/// Returns every chart that has rows.
pub(crate) fn all(survey: &Survey) -> Vec<Chart> {
    let unit = if survey.field.is_some() { "texts" } else { "files" };
    let charts = [
        encodings(survey, unit),
        marks(survey, unit),
        line_endings(survey, unit),
        scripts(survey, unit),
        errors(survey, unit),
        dialects(survey, unit),
        invisible(survey, unit),
    ];
    charts.into_iter().filter(|chart| !chart.rows.is_empty()).collect()
}

fn encodings(survey: &Survey, unit: &'static str) -> Chart {
    let rows = survey.encodings.iter().map(|(&name, share)| Row {
        label: name.to_owned(),
        tone: tone(name),
        values: vec![share.texts, share.bytes, share.code_points],
    });
    Chart {
        title: "Encodings",
        note: "as detected",
        measures: vec![unit, "bytes", "code points"],
        main: 0,
        whole: vec![survey.texts, survey.bytes, survey.code_points],
        rows: largest_first(rows, |row| row.values[0]),
    }
}

fn tone(encoding: &str) -> Tone {
    match encoding {
        "us-ascii" | "utf-8" => Tone::Good,
        "binary" => Tone::Plain,
        _ => Tone::Old,
    }
}

fn marks(survey: &Survey, unit: &'static str) -> Chart {
    let rows = survey.encodings.iter().map(|(&name, share)| Row {
        label: name.to_owned(),
        tone: Tone::Plain,
        values: vec![share.marks],
    });
    Chart {
        title: "Byte order marks",
        note: "at the start",
        measures: vec![unit],
        main: 0,
        whole: vec![survey.texts],
        rows: largest_first(rows, |row| row.values[0]),
    }
}

fn line_endings(survey: &Survey, unit: &'static str) -> Chart {
    let rows = ENDINGS.iter().zip(&survey.endings).map(|(ending, &(texts, lines))| Row {
        label: ending.name().to_owned(),
        tone: Tone::Plain,
        values: vec![texts, lines],
    });
    let (texts, lines) = survey.endings.iter().fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1));
    Chart {
        title: "Line endings",
        note: "",
        measures: vec![unit, "lines"],
        main: 0,
        whole: vec![texts, lines],
        rows: largest_first(rows, |row| row.values[0].max(row.values[1])),
    }
}

fn scripts(survey: &Survey, unit: &'static str) -> Chart {
    let rows = survey.scripts.iter().map(|(name, share)| Row {
        label: name.replace('_', " "),
        tone: Tone::Plain,
        values: vec![share.texts, share.code_points, share.utf8_bytes],
    });
    let sum = |of: fn(&super::total::ScriptShare) -> u64| survey.scripts.values().map(of).sum();
    Chart {
        title: "Scripts",
        note: "Common is what all share",
        measures: vec![unit, "code points", "UTF-8 bytes"],
        main: 1,
        whole: vec![survey.texts, sum(|share| share.code_points), sum(|share| share.utf8_bytes)],
        rows: largest_first(rows, |row| row.values[1]),
    }
}

fn errors(survey: &Survey, unit: &'static str) -> Chart {
    let rows = ErrorKind::ALL.iter().zip(&survey.errors).map(|(kind, share)| Row {
        label: kind.name().to_owned(),
        tone: Tone::Bad,
        values: vec![share.texts, share.errors, share.bytes],
    });
    Chart {
        title: "Errors",
        note: "in its own encoding",
        measures: vec![unit, "errors", "bytes"],
        main: 1,
        whole: vec![survey.texts, survey.error_count(), survey.errors.iter().map(|share| share.bytes).sum()],
        rows: largest_first(rows, |row| row.values[1]),
    }
}

fn dialects(survey: &Survey, unit: &'static str) -> Chart {
    let rows = Kind::ALL.iter().zip(&survey.dialects).map(|(kind, &(texts, sequences))| Row {
        label: kind.name().to_owned(),
        tone: Tone::Bad,
        values: vec![texts, sequences],
    });
    Chart {
        title: "Malformed UTF-8",
        note: "by what it seems to be",
        measures: vec![unit, "sequences"],
        main: 1,
        whole: vec![survey.texts, survey.dialects.iter().map(|(_, sequences)| sequences).sum()],
        rows: largest_first(rows, |row| row.values[1]),
    }
}

fn invisible(survey: &Survey, unit: &'static str) -> Chart {
    let rows = invisible::Kind::ALL.iter().zip(&survey.hidden).map(|(kind, &(texts, findings))| Row {
        label: kind.name().to_owned(),
        tone: Tone::Bad,
        values: vec![texts, findings],
    });
    Chart {
        title: "Invisible characters",
        note: "where nothing explains them",
        measures: vec![unit, "findings"],
        main: 1,
        whole: vec![survey.texts, survey.hidden.iter().map(|(_, findings)| findings).sum()],
        rows: largest_first(rows, |row| row.values[1]),
    }
}
