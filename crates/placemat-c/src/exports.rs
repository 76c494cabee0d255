//! The functions that C calls, one file for each section of the header.

pub mod about;
pub mod check;
pub mod convert;
#[cfg(feature = "text")]
pub mod converter;
pub mod encodings;
pub mod measure;
#[cfg(feature = "text")]
pub mod text;
pub mod transcoder;
