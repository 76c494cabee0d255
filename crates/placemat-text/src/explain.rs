//! Explains bytes: every bit, every character, every error. This is the model of `placemat explain`.
//!
//! [`Input`] holds the bytes, [`View`] divides them into characters and faults, and [`tell`] writes a [`Document`]
//! about them, which can be shown on a terminal or as a web page. [`objects`] gives the same facts to programs.

mod cells;
mod code_points;
mod danger;
mod digits;
mod document;
mod escapes;
mod fault;
mod grammar;
mod guess;
mod hidden;
mod input;
mod json;
mod layout;
mod line;
mod object;
mod page;
mod screen;
mod sequence;
mod steps;
mod story;
mod table;
mod tables;
mod view;
mod whole;

pub(crate) use self::document::Line;
pub(crate) use self::page::{END, write_head};

pub use crate::character::find_names_by;

pub use self::cells::{Cell, Cells, cells};
pub use self::code_points::{CodePointsError, of_code_points};
pub use self::digits::{Base, DigitsError};
pub use self::document::Document;
pub use self::escapes::{Escapes, EscapesError};
pub use self::fault::expected;
pub use self::input::{Input, InputError, MOST};
pub use self::json::{objects, table_objects, verdict_objects};
pub use self::line::{LineError, offset_of};
pub use self::object::{Becomes, Object, Problem, SCHEMA};
pub use self::sequence::{Sequence, Sequences, sequences};
pub use self::story::{Detail, tell, tell_verdicts};
pub use self::table::{NoTable, tell_table};
pub use self::tables::tell_tables;
pub use self::view::{Character, Fault, Item, View};
