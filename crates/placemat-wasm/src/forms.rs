//! Functions on forms besides conversions: labels, errors, boundaries, names.

#![forbid(unsafe_code)]

use placemat::label::{Label, Labels};
use placemat::{ErrorKind, Form, boundary};

use crate::session::Refusal;
use crate::session::{Session, halves, number};

impl Session {
    /// Writes at most `limit` errors of the input in a form, as records of kind, length, and offset in two halves. Returns their
    /// number, or -1.
    pub(crate) fn errors(&mut self, form: usize, limit: usize) -> i32 {
        self.output.clear();
        let Some(&form) = Form::ALL.get(form) else { return Refusal::Source as i32 };
        let mut found = 0;
        for error in placemat::errors(form, &self.input).take(limit) {
            let [low, high] = halves(error.offset());
            for word in [number(error.kind()), error.length().into(), low, high] {
                self.output.extend_from_slice(&word.to_le_bytes());
            }
            found += 1;
        }
        self.tell(None);
        found
    }

    /// The last boundary of the input at or before `index`, or -1 if boundaries of the form can only be found by reading from the start.
    pub(crate) fn floor(&self, form: usize, index: usize) -> i32 {
        let found = Form::ALL.get(form).and_then(|&form| boundary::of(form, &self.input));
        found.map_or(Refusal::Source as i32, |found| found.floor(index) as i32)
    }

    /// Resolves the label in the input for the reader of labels that its first line names. Returns the index of the form in
    /// `Form::ALL`, -1 if the label is unknown, -2 if the encoding is not a form. The output is the canonical name.
    pub(crate) fn label(&mut self) -> i32 {
        let (reader, label) = self.text().split_once('\n').unwrap_or_default();
        let found = Labels::named(reader).and_then(|reader| reader.resolve(label));
        self.output.clear();
        self.output.extend_from_slice(found.map_or("", Label::name).as_bytes());
        self.tell(None);
        match found {
            Some(Label::Form(form)) => {
                Form::ALL.iter().position(|&known| known == form).map_or(-1, |at| at as i32)
            }
            Some(_) => -2,
            None => -1,
        }
    }

    /// Writes the names of the forms and, after an empty line, those of the kinds of errors, one per line.
    pub(crate) fn names(&mut self) {
        let forms = Form::ALL.iter().map(|form| form.name());
        let kinds = ErrorKind::ALL.iter().map(|kind| kind.name());
        let lines: Vec<_> = forms.chain([""]).chain(kinds).collect();
        self.output = lines.join("\n").into_bytes();
        self.tell(None);
    }
}
