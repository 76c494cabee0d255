//! `placemat survey`: reads texts, whose numbers the library adds up.

pub(crate) mod reader;
