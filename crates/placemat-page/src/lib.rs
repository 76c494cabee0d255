//! Answers the questions of the playground in `web/`: `placemat-text` as one WebAssembly module, which runs in a worker.
//!
//! One function answers: the question is JSON followed by bytes, and the answer is JSON. Files are not in memory: `host::Host`
//! reads their bytes piece by piece, and takes the output. All sentences are those of `placemat-text`, as in the command.

mod answer;
mod around;
mod chains;
mod exports;
mod files;
mod findings;
mod host;
mod names;
mod readers;
mod typed;
mod value;
