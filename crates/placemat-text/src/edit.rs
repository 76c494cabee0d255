//! Shows a file of any encoding as UTF-8 that can be edited, and writes it back in its own encoding.

pub mod merge;
pub mod view;
