//! UTF-8 and everything around it.
#![no_std]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[allow(unsafe_code, reason = "intrinsics; none on some targets")]
mod arch;
pub mod bom;
mod carry;
mod code_point;
mod codec;
mod count;
mod error;
mod form;
#[cfg(feature = "std")]
pub mod io;
#[expect(unsafe_code, reason = "kernels are called through pointers")]
mod kernel;
#[cfg(all(test, feature = "std"))]
mod laws;
#[cfg(feature = "alloc")]
#[expect(unsafe_code, reason = "text that the UTF-8 writer wrote")]
mod owned;
mod policy;
mod run;
mod sequences;
mod simd;
mod transcode;
#[expect(unsafe_code, reason = "text that was validated")]
mod validate;

pub use bom::Bom;
pub use code_point::CodePoint;
pub use codec::Facts;
pub use count::{count, length, length_with};
pub use error::{Error, ErrorKind};
pub use form::Form;
pub use kernel::Level;
#[cfg(feature = "alloc")]
pub use owned::{convert, convert_into, convert_with, repair};
pub use policy::{ErrorSize, Fault, Fixed, Handler, Policy, StandIn, Text, Unencodable, Verdict};
pub use sequences::{Errors, Sequence, Sequences, errors, sequences};
pub use transcode::{Status, Step, Transcoder};
pub use validate::{is_valid, valid_prefix, validate};
