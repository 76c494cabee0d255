//! `placemat explain`, from bytes to what is told of them: `input` → `view` (the model) → `story` (blocks of text) →
//! `screen`, `page` or `json`.

pub(crate) mod digits;
pub(crate) mod document;
pub(crate) mod fault;
pub(crate) mod input;
pub(crate) mod json;
pub(crate) mod layout;
pub(crate) mod page;
pub(crate) mod screen;
pub(crate) mod story;
pub(crate) mod table;
pub(crate) mod view;

mod character;
mod controls;
mod danger;
mod grammar;
mod guess;
mod steps;
mod whole;
