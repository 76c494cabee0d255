//! What a call does, once its options are read.

use std::sync::Arc;

use datafusion_common::arrow::array::{Array, ArrayRef};
use datafusion_common::arrow::datatypes::DataType;
use placemat::label::{Label, Labels};
use placemat::{Form, Policy, Unencodable};
use placemat_arrow::{Error, Unit};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Task {
    IsValid(Form),
    FirstError(Form),
    Repair(Policy),
    Convert { from: Form, to: Form, policy: Policy },
    Detect,
    Length { unit: Unit, form: Form },
}

impl Task {
    /// The type of the result for a column of this type.
    pub(crate) fn returns(self, column: &DataType) -> Result<DataType, Error> {
        Ok(match self {
            Task::IsValid(_) => DataType::Boolean,
            Task::FirstError(_) => placemat_arrow::first_error_type(),
            Task::Repair(_) => placemat_arrow::converted_type(column, Form::Utf8)?,
            Task::Convert { to, .. } => placemat_arrow::converted_type(column, to)?,
            Task::Detect => placemat_arrow::detect_type(),
            Task::Length { .. } => DataType::Int64,
        })
    }

    pub(crate) fn run(self, column: &dyn Array) -> Result<ArrayRef, Error> {
        Ok(match self {
            Task::IsValid(form) => Arc::new(placemat_arrow::is_valid(column, form)?),
            Task::FirstError(form) => Arc::new(placemat_arrow::first_error(column, form)?),
            Task::Repair(policy) => placemat_arrow::repair(column, policy)?,
            Task::Convert { from, to, policy } => placemat_arrow::convert(column, from, to, policy)?,
            Task::Detect => Arc::new(placemat_arrow::detect(column)?),
            Task::Length { unit, form } => Arc::new(placemat_arrow::lengths(column, form, unit)?),
        })
    }
}

pub(crate) fn form(name: &str) -> Result<Form, String> {
    match Labels::Lenient.resolve(name) {
        Some(Label::Form(form)) => Ok(form),
        Some(legacy) => Err(format!("{legacy} is a legacy encoding, and only Unicode forms are supported")),
        None => Err(format!("unknown form '{name}'")),
    }
}

pub(crate) fn policy(name: &str) -> Result<Policy, String> {
    Policy::named(name).ok_or_else(|| format!("unknown policy '{name}'"))
}

pub(crate) fn unit(name: &str) -> Result<Unit, String> {
    Unit::named(name).map_or_else(|| form(name).map(Unit::Byte), Ok)
}

pub(crate) fn unencodable(name: &str) -> Result<Unencodable, String> {
    match Unencodable::named(name) {
        // A replacement of the caller's own is not among the options here.
        None | Some(Unencodable::Replace(Some(_))) => {
            Err(format!("'{name}' is none of stop, replace, skip, escape, ncr"))
        }
        Some(unencodable) => Ok(unencodable),
    }
}
