//! Adds up what many texts are made of: the model of `placemat survey`.

mod chart;
mod json;
mod jsonl;
mod numbers;
mod page;
mod path;
mod saved;
mod table;
mod text;
mod total;

pub use self::json::SCHEMA;
pub use self::jsonl::{Lines, MOST, each};
pub use self::saved::{MergeError, Merged};
pub use self::text::{Body, Errors, Text};
pub use self::total::Survey;
