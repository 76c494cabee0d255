//! The explanation for programs: an object for each character, fault, shift and verdict, or for each byte of a table.

use placemat::{CodePoint, Form, verdicts};

use super::fault::{self, StandIn};
use super::layout::Class;
use super::object::{Becomes, Object, Problem, SCHEMA};
use super::table::{NoTable, Row, check_table, rows};
use super::view::{Character, Fault, Item, View};
use super::{grammar, guess, hidden};
use crate::character;
use crate::notation::hex;

/// Returns the whole explanation: the first `limit` characters and faults, the verdict of each form on all of the input,
/// and a summary.
///
/// ```
/// use placemat::Form;
/// use placemat_text::explain::{Input, Object, objects};
///
/// let input = Input::new(b"\xC0\xAF".to_vec(), Form::Utf8);
/// let objects = objects(&input.view(), 20);
/// let Object::Fault { errors, careless, .. } = &objects[0] else { panic!() };
/// assert_eq!(errors[0].kind, "overlong");
/// assert_eq!(careless.as_deref(), Some("U+002F “/”"));
/// let json = serde_json::to_value(objects.last().unwrap()).unwrap();
/// assert_eq!(json["schema"], 1);
/// ```
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
    objects.extend(hidden::objects(view));
    objects.extend(verdicts_of(view));
    objects.push(Object::Summary {
        form: view.form.name(),
        bytes: view.told.len(),
        characters: view.characters,
        errors: view.errors,
        cut: view.is_cut,
        schema: SCHEMA,
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

/// Returns only the verdict of each form on the bytes.
///
/// ```
/// use placemat::Form;
/// use placemat_text::explain::{Input, Object, verdict_objects};
///
/// let input = Input::new(b"\xED\xA0\x80".to_vec(), Form::Utf8);
/// let is_good = |object: &Object| matches!(object, Object::Verdict { form: "wtf-8", well_formed: true, .. });
/// assert!(verdict_objects(&input.view()).iter().any(is_good));
/// ```
pub fn verdict_objects(view: &View<'_>) -> Vec<Object> {
    with_schema(verdicts_of(view).collect())
}

fn verdicts_of(view: &View<'_>) -> impl Iterator<Item = Object> {
    let base = view.base + view.told.start as u64;
    verdicts(view.told()).map(move |verdict| Object::Verdict {
        form: verdict.form().name(),
        well_formed: verdict.is_well_formed(),
        error: verdict.error().map(|error| Problem::new(&error, base)),
        schema: None,
    })
}

/// Adds the version of the schema to the last object.
fn with_schema(mut objects: Vec<Object>) -> Vec<Object> {
    if let Some(Object::Verdict { schema, .. } | Object::Byte { schema, .. }) = objects.last_mut() {
        *schema = Some(SCHEMA);
    }
    objects
}

/// Returns an object for each of the 256 bytes of a form, in order.
///
/// # Errors
/// The form is one in which a single byte has no meaning.
///
/// ```
/// use placemat::Form;
/// use placemat_text::explain::{Object, table_objects};
///
/// let table = table_objects(Form::Utf8).unwrap();
/// assert!(matches!(table[0xC0], Object::Byte { class: "never", .. }));
/// assert!(table_objects(Form::Utf16Le).is_err());
/// ```
pub fn table_objects(form: Form) -> Result<Vec<Object>, NoTable> {
    check_table(form)?;
    let of_row = |row: &Row| Object::Byte {
        form: form.name(),
        byte: format!("{:02X}", row.byte),
        class: match row.class {
            Class::Ascii => "ascii",
            Class::Single => "single",
            Class::Continuation => "continuation",
            Class::Lead => "lead",
            Class::Limited => "limited-lead",
            Class::Never(_) => "never",
        },
        lengths: row.length,
        first: row.code_points.map(|(first, _)| first.to_string()),
        last: row.code_points.map(|(_, last)| last.to_string()),
        second: row.second.iter().map(|(low, high)| (format!("{low:02X}"), format!("{high:02X}"))).collect(),
        label: Some(row.label).filter(|label| !label.is_empty()),
        schema: None,
    };
    Ok(with_schema(rows(form).iter().map(of_row).collect()))
}
