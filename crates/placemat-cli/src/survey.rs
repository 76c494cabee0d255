//! `placemat survey`, from bytes to what they are made of: `reader` or `jsonl` → `text` (one text in numbers) → `total`
//! (all of them) → `chart` (rows) → `table`, `page`; or `json`.

pub(crate) mod json;
pub(crate) mod jsonl;
pub(crate) mod page;
pub(crate) mod reader;
pub(crate) mod saved;
pub(crate) mod table;
pub(crate) mod total;

mod chart;
mod numbers;
mod text;
