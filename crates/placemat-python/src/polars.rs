//! Expressions for Polars, through the ABI of its plugins. `placemat.polars` registers them. No crate of Polars is needed.

#[expect(unsafe_code, reason = "the ABI of plugins is pointers")]
mod border;

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, new_null_array};
use arrow_schema::DataType;
use placemat::{Form, Policy};
use placemat_arrow::Error;
use placemat_text::charset::Charset;

use crate::arrow::{OBJECTS, legacy};
use crate::failure;

/// The function of an expression: from a chunk and the options to the result.
type Work = fn(&dyn Array, &[String]) -> Result<ArrayRef, String>;

/// The type of an expression's result, for the type of a column.
type Gives = fn(&DataType) -> Result<DataType, String>;

fn words(error: impl ToString) -> String {
    error.to_string()
}

fn charset(options: &[String], at: usize) -> Result<Charset, String> {
    failure::resolved(options.get(at).map_or("utf-8", String::as_str))
}

fn form(options: &[String], at: usize) -> Result<Form, String> {
    let charset = charset(options, at)?;
    charset.form().ok_or_else(|| format!("{charset} is a legacy encoding; convert the column from it first"))
}

/// The message for an error. The number of rows before a chunk is not known, so it shows the value that caused the error.
fn of_value(array: &dyn Array, error: Error) -> String {
    let Error::Row { row, error } = error else { return error.to_string() };
    let escaped =
        Policy::named("escape").and_then(|escape| placemat_arrow::repair(&*array.slice(row, 1), escape).ok());
    match escaped.and_then(|escaped| option(&*escaped)) {
        Some(value) => format!("{error} of {}", value.chars().take(60).collect::<String>()),
        None => error.to_string(),
    }
}

fn is_valid(array: &dyn Array, options: &[String]) -> Result<ArrayRef, String> {
    Ok(Arc::new(placemat_arrow::is_valid(array, form(options, 0)?).map_err(words)?))
}

fn first_error(array: &dyn Array, options: &[String]) -> Result<ArrayRef, String> {
    Ok(Arc::new(placemat_arrow::first_error(array, form(options, 0)?).map_err(words)?))
}

fn repair(array: &dyn Array, options: &[String]) -> Result<ArrayRef, String> {
    let policy =
        failure::policy_named(options.first().map_or("replace", String::as_str), failure::writes_utf8)?;
    placemat_arrow::repair(array, policy).map_err(|error| of_value(array, error))
}

fn convert(array: &dyn Array, options: &[String]) -> Result<ArrayRef, String> {
    let [source, target] = [charset(options, 0)?, charset(options, 1)?];
    let unencodable = failure::unencodable_named(options.get(3).map_or("stop", String::as_str))?;
    failure::replaceable(unencodable, target)?;
    let policy = failure::policy_named(options.get(2).map_or("replace", String::as_str), |_| true)?;
    let policy = policy.unencodable(unencodable);
    legacy::convert(array, source, target, policy).map_err(|error| of_value(array, error))
}

fn mojibake(array: &dyn Array, _: &[String]) -> Result<ArrayRef, String> {
    legacy::mojibake(array).map_err(words)
}

fn detect(array: &dyn Array, _: &[String]) -> Result<ArrayRef, String> {
    Ok(Arc::new(placemat_arrow::detect(array).map_err(words)?))
}

fn lengths(array: &dyn Array, options: &[String]) -> Result<ArrayRef, String> {
    let unit = failure::unit(options.first().map_or("code-points", String::as_str))?;
    Ok(Arc::new(placemat_arrow::lengths(array, form(options, 1)?, unit).map_err(words)?))
}

fn bool(_: &DataType) -> Result<DataType, String> {
    Ok(DataType::Boolean)
}

fn text(source: &DataType) -> Result<DataType, String> {
    placemat_arrow::converted_type(source, Form::Utf8).map_err(words)
}

fn bytes(source: &DataType) -> Result<DataType, String> {
    placemat_arrow::converted_type(source, Form::Utf16Le).map_err(words)
}

/// The type of a result, found by calling `work` with no rows.
fn made(work: Work) -> impl Fn(&DataType) -> Result<DataType, String> {
    move |source| Ok(work(&*arrow_array::new_empty_array(source), &[])?.data_type().clone())
}

/// A column as the functions take it: one of the type Null becomes nulls of bytes.
fn known(array: ArrayRef) -> ArrayRef {
    match known_type(array.data_type()) {
        Ok(data_type) if data_type != *array.data_type() => new_null_array(&data_type, array.len()),
        _ => array,
    }
}

/// The type of a column that [`known`] returns.
///
/// # Errors
/// For bytes of a fixed size: Polars uses this type only for the addresses of Python objects.
fn known_type(data_type: &DataType) -> Result<DataType, String> {
    match data_type {
        DataType::Null => Ok(DataType::BinaryView),
        DataType::FixedSizeBinary(_) => Err(OBJECTS.to_owned()),
        other => Ok(other.clone()),
    }
}

/// The value of an option, which is a literal: its first row.
fn option(array: &dyn Array) -> Option<String> {
    let is_there = !array.is_empty() && array.is_valid(0);
    match array.data_type() {
        _ if !is_there => None,
        DataType::Utf8View => Some(array.as_string_view().value(0).to_owned()),
        DataType::LargeUtf8 => Some(array.as_string::<i64>().value(0).to_owned()),
        DataType::Utf8 => Some(array.as_string::<i32>().value(0).to_owned()),
        _ => None,
    }
}
