//! Properties that must hold for every input, one in each module. `fuzz_targets` gives them to libFuzzer. With a plain compiler,
//! `tests/corpus.rs` runs them on the inputs in `seeds` and `regressions`, and `tests/random.rs` on random changes of the seeds.
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
