//! UTF-8 and everything around it.
#![no_std]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod code_point;
mod codec;
mod error;
mod form;
pub mod label;
mod run;

pub use code_point::CodePoint;
pub use codec::Facts;
pub use error::{Error, ErrorKind};
pub use form::Form;
