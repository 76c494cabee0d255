//! Sums up many texts: encodings, byte order marks, line endings, scripts, errors. This is the model of `placemat survey`.
//!
//! A [`Reader`] reads each text in constant memory and makes a [`Text`] of it. A [`Survey`] adds these up, and is
//! written as JSON
//! (see `schema/survey.json`), as a table or as a web page. [`Merged`] adds up surveys that were written as JSON.

mod chart;
mod json;
mod jsonl;
mod numbers;
mod page;
mod part;
mod reader;
mod rows;
mod saved;
mod scripts;
mod table;
mod text;
mod total;

pub use self::chart::Charts;
pub use self::json::SCHEMA;
pub use self::jsonl::{LONGEST_LINE, Lines, each_field};
pub use self::part::Part;
pub use self::reader::Reader;
pub use self::saved::{MergeError, Merged};
pub use self::text::Text;
pub use self::total::Survey;
