//! A file of any encoding as UTF-8 that can be edited, and the way back.

pub mod merge;
pub mod view;
