//! Answers as JSON.

#![forbid(unsafe_code)]

use serde::Serialize;
use serde_json::Value;

/// Converts a value to JSON.
pub(crate) fn json_of(value: impl Serialize) -> Result<Value, String> {
    serde_json::to_value(value).map_err(|error| error.to_string())
}
