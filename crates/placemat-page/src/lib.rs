//! What the playground in `web/` asks: `placemat-text` as one WebAssembly module, which runs in a worker.
//!
//! One function answers: a question as JSON, with bytes behind it, and an answer as JSON. Files are not in memory: `host::Host` hands
//! out their bytes piece by piece, and takes what is written. Every sentence comes from `placemat-text`, as the command has it.

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
