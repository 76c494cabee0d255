//! UTF-8 and everything around it.
#![no_std]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[allow(unsafe_code, reason = "intrinsics")]
mod arch;
mod code_point;
mod codec;
mod error;
mod form;
#[allow(unsafe_code, reason = "calls kernels through pointers")]
mod kernel;
mod run;
mod simd;

pub use code_point::CodePoint;
pub use codec::Facts;
pub use error::{Error, ErrorKind};
pub use form::Form;
pub use kernel::Level;
