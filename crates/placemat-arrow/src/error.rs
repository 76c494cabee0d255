//! Why a column was refused.
#![forbid(unsafe_code)]

use core::fmt;

use arrow_schema::{ArrowError, DataType};

/// Why a column was refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The column holds neither bytes nor text.
    Type(DataType),
    /// The policy is to stop, and this row has an error. Offsets count from the start of the row.
    Row {
        /// The row, from 0.
        row: usize,
        /// What is wrong in it.
        error: placemat::Error,
    },
    /// The result has more bytes than the offsets of its type can count: 2 GiB, except for `LargeBinary` and `LargeUtf8`.
    TooLong,
    /// The policy cannot be used between these forms; the value says why.
    Misfit(placemat::Misfit),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Type(data_type) => {
                let hint = match data_type {
                    DataType::RunEndEncoded(..) => " before it is decoded (pyarrow.compute.run_end_decode)",
                    DataType::List(_)
                    | DataType::LargeList(_)
                    | DataType::FixedSizeList(..)
                    | DataType::ListView(_)
                    | DataType::LargeListView(_) => ", but lists: flatten or explode it first",
                    _ => "",
                };
                write!(f, "a column of type {data_type} holds neither bytes nor text{hint}")
            }
            Error::Row { row, error } => write!(f, "row {row}: {error}"),
            Error::TooLong => f.write_str(
                "the result has more bytes than offsets of 32 bits can count; cast the column to LargeBinary, or \
                 split it",
            ),
            Error::Misfit(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

impl From<Error> for ArrowError {
    fn from(error: Error) -> ArrowError {
        ArrowError::from_external_error(Box::new(error))
    }
}
