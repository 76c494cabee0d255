//! An extension for DuckDB, through its C API: SQL functions that check, repair, convert and detect text bytes.
//!
//! | function | returns |
//! |---|---|
//! | `utf8_is_valid(blob)` | whether the blob is well-formed UTF-8 |
//! | `utf8_repair(blob [, policy])` | the blob as text, repaired by a policy of `placemat repair --on-error`; the default is `replace` |
//! | `utf8_convert(blob, source)`, `utf8_convert(blob, source, target)` | the blob as text, or as a blob in `target`; an error stops the query |
//! | `utf8_detect(blob)` | the likely encoding |
//! | `utf8_mojibake(text)` | the text with its mojibake undone: every run that was decoded twice |
//! | `utf8_errors(blob)` | a table: `offset`, `length`, `kind` of each malformed sequence |
//! | `read_text_as(path, encoding)` | a table of one row: `filename`, `content`; the encoding `auto` is detected |
//!
//! NULL stays NULL. `border.rs`, the only file with `unsafe`, turns DuckDB's vectors into slices.
#![deny(unsafe_code)]

#[expect(unsafe_code, reason = "the C API of DuckDB is pointers")]
mod border;
mod functions;
