//! What must hold for every input. Each module is a property; `fuzz_targets` hands it to libFuzzer. `tests/corpus.rs` runs it
//! on what is kept in `seeds` and `regressions`, and `tests/random.rs` on what chance makes of the seeds, with a plain compiler.
#![forbid(unsafe_code)]

pub mod chunks;
pub mod detect;
mod explained;
pub mod forms;
pub mod labels;
pub mod levels;
pub mod offsets;
pub mod places;
pub mod policies;
pub mod repair;
// The command's own, as in `repair`.
#[allow(dead_code, reason = "the command writes more")]
#[path = "../../crates/placemat-cli/src/report/notation.rs"]
mod report;
#[allow(dead_code, reason = "the command shows more")]
#[path = "../../crates/placemat-cli/src/shown.rs"]
mod shown;
mod source;
mod strings;
mod typed;

// Of its children, those that need nothing of the command's input.
#[allow(dead_code, reason = "the command tells more")]
#[path = "../../crates/placemat-cli/src/explain"]
mod explain {
    pub(crate) mod document;
    pub(crate) mod json;
    pub(crate) mod page;
    pub(crate) mod screen;
    pub(crate) mod story;
    pub(crate) mod table;
    pub(crate) mod view;

    mod character;
    mod controls;
    mod danger;
    mod fault;
    mod grammar;
    mod guess;
    mod layout;
    mod steps;
    mod whole;
}

/// A property: panics when `input` breaks it.
pub type Property = fn(&[u8]);

/// All properties, by the names of their targets and of the folders of their inputs.
pub const ALL: [(&str, Property); 9] = [
    ("levels", levels::run),
    ("chunks", chunks::run),
    ("forms", forms::run),
    ("policies", policies::run),
    ("offsets", offsets::run),
    ("labels", labels::run),
    ("detect", detect::run),
    ("places", places::run),
    ("repair", repair::run),
];
