//! The model as lines of JSON, for programs: an object for each character, fault, shift and verdict, or for each byte of
//! a table.

use placemat::{CodePoint, Form, verdicts};
use serde::Serialize;

use super::fault::{self, StandIn};
use super::layout::Class;
use super::table::{NoTable, Row, check_table, rows};
use super::view::{Character, Fault, Item, View};
use super::{character, grammar, guess};
use crate::notation::hex;

/// One line.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Object {
    Character {
        offset: u64,
        length: usize,
        bytes: String,
        code_point: String,
        text: Option<char>,
        name: String,
        category: &'static str,
        block: Option<&'static str>,
        script: Option<&'static str>,
        rule: Option<&'static str>,
        note: Option<&'static str>,
    },
    Fault {
        offset: u64,
        length: usize,
        bytes: String,
        errors: Vec<Problem>,
        reason: Option<String>,
        expected: Option<String>,
        careless: Option<String>,
        danger: Option<&'static str>,
        meant: Vec<String>,
        /// Code points by policy; null where the policy stops.
        stand_ins: Vec<Becomes>,
    },
    Shift {
        offset: u64,
        length: usize,
        bytes: String,
    },
    Verdict {
        form: &'static str,
        well_formed: bool,
        error: Option<Problem>,
    },
    Byte {
        form: &'static str,
        byte: String,
        class: &'static str,
        /// Bytes in the shortest and in the longest sequence that it begins.
        lengths: (usize, usize),
        first: Option<String>,
        last: Option<String>,
        /// Ranges, each with its last.
        second: Vec<(String, String)>,
        label: Option<&'static str>,
    },
    Summary {
        form: &'static str,
        bytes: usize,
        characters: usize,
        errors: usize,
        /// Whether there was more input, which was not read.
        cut: bool,
    },
}

#[derive(Serialize)]
pub struct Problem {
    offset: u64,
    length: u8,
    kind: &'static str,
}

#[derive(Serialize)]
pub struct Becomes {
    policy: &'static str,
    code_points: Option<String>,
}

impl Problem {
    fn new(error: &placemat::Error, base: u64) -> Problem {
        Problem { offset: base + error.offset(), length: error.length(), kind: error.kind().name() }
    }
}

/// Everything that is told of the input; of the characters and faults the first `limit`.
pub fn objects(view: &View<'_>, limit: usize) -> Vec<Object> {
    let shown = view.shown(limit);
    let faults: Vec<&Fault> = shown.iter().filter_map(Item::as_fault).collect();
    let stand_ins = if faults.is_empty() { Vec::new() } else { fault::stand_ins(view, &faults) };
    let mut nth = 0..;
    let mut objects: Vec<Object> = shown
        .iter()
        .map(|item| match item {
            Item::Character(c) => of_character(view, c),
            Item::Fault(f) => of_fault(view, f, becomes(&stand_ins, nth.next().unwrap_or(0))),
            Item::Shift(range) => Object::Shift {
                offset: view.base + range.start as u64,
                length: range.len(),
                bytes: hex(&view.bytes[range.clone()]),
            },
        })
        .collect();
    objects.extend(verdict_objects(view));
    objects.push(Object::Summary {
        form: view.form.name(),
        bytes: view.told.len(),
        characters: view.characters,
        errors: view.errors,
        cut: view.is_cut,
    });
    objects
}

fn of_character(view: &View<'_>, c: &Character) -> Object {
    let bytes = &view.bytes[c.range.clone()];
    let rule = (view.form == Form::Utf8).then(|| grammar::rule(bytes[0])).flatten();
    Object::Character {
        offset: view.base + c.range.start as u64,
        length: bytes.len(),
        bytes: hex(bytes),
        code_point: c.code_point.to_string(),
        text: c.code_point.to_char(),
        name: character::name(c.code_point),
        category: character::category(c.code_point).0,
        block: character::block(c.code_point),
        script: character::script(c.code_point),
        rule: rule.map(|rule| rule.name),
        note: character::remark(c.code_point),
    }
}

fn of_fault(view: &View<'_>, f: &Fault, stand_ins: Vec<Becomes>) -> Object {
    let first = f.errors.first();
    let (careless, danger) =
        guess::careless_text(view, f).map_or((None, None), |(text, why)| (Some(text), why));
    Object::Fault {
        offset: view.base + f.range.start as u64,
        length: f.range.len(),
        bytes: hex(&view.bytes[f.range.clone()]),
        errors: f.errors.iter().map(|error| Problem::new(error, view.base)).collect(),
        reason: first.map(|error| fault::reason(view, error)),
        expected: first.and_then(|error| fault::expected(view.form, fault::malformed(view, error))),
        careless,
        danger,
        meant: guess::meant(view, f),
        stand_ins,
    }
}

fn becomes(stand_ins: &[(&'static str, Vec<StandIn>)], nth: usize) -> Vec<Becomes> {
    let points = |text: &[CodePoint]| {
        let points: Vec<String> = text.iter().map(|c| format!("{:04X}", c.value())).collect();
        points.join(" ")
    };
    let one = |(policy, all): &(&'static str, Vec<StandIn>)| {
        let code_points = match all.get(nth)? {
            StandIn::Stops => None,
            StandIn::Text(text) => Some(points(text)),
        };
        Some(Becomes { policy, code_points })
    };
    stand_ins.iter().filter_map(one).collect()
}

/// What each form says of the bytes, taken alone.
pub fn verdict_objects(view: &View<'_>) -> Vec<Object> {
    let base = view.base + view.told.start as u64;
    verdicts(view.told())
        .map(|verdict| Object::Verdict {
            form: verdict.form().name(),
            well_formed: verdict.is_well_formed(),
            error: verdict.error().map(|error| Problem::new(&error, base)),
        })
        .collect()
}

/// The bytes of a form.
pub fn table_objects(form: Form) -> Result<Vec<Object>, NoTable> {
    check_table(form)?;
    let of_row = |row: &Row| Object::Byte {
        form: form.name(),
        byte: format!("{:02X}", row.byte),
        class: match row.class {
            Class::Ascii => "ascii",
            Class::Single => "single",
            Class::Tail => "continuation",
            Class::Lead => "lead",
            Class::Limited => "limited-lead",
            Class::Never(_) => "never",
        },
        lengths: row.length,
        first: row.code_points.map(|(first, _)| first.to_string()),
        last: row.code_points.map(|(_, last)| last.to_string()),
        second: row.second.iter().map(|(low, high)| (format!("{low:02X}"), format!("{high:02X}"))).collect(),
        label: Some(row.label).filter(|label| !label.is_empty()),
    };
    Ok(rows(form).iter().map(of_row).collect())
}
