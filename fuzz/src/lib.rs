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
mod source;
mod strings;
mod typed;

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
