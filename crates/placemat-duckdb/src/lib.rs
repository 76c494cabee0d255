//! An extension for DuckDB, by its C API: text bytes are checked, repaired, converted and detected in SQL.
//!
//! | function | gives |
//! |---|---|
//! | `utf8_is_valid(blob)` | whether it is well-formed UTF-8 |
//! | `utf8_repair(blob [, policy])` | it as text; `policy` as `placemat repair --on-error` takes it, `replace` without it |
//! | `utf8_convert(blob, source)`, `utf8_convert(blob, source, target)` | it as text, or as a blob in another encoding; an error stops the query |
//! | `utf8_detect(blob)` | the encoding that it seems to be in |
//! | `utf8_mojibake(text)` | it with every run undone that was decoded twice |
//! | `utf8_errors(blob)` | a table: `offset`, `length`, `kind` of each malformed sequence |
//! | `read_text_as(path, encoding)` | a table of one row: `filename`, `content`; `auto` detects |
//!
//! What is NULL stays NULL. What DuckDB hands over becomes slices in `border.rs`, the only file with `unsafe`.
#![deny(unsafe_code)]

#[expect(unsafe_code, reason = "the C API of DuckDB is pointers")]
mod border;
mod functions;
