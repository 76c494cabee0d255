//! `FromStr` and `TryFrom<&str>` for every type that has a function `named`.

#![forbid(unsafe_code)]

use core::fmt;
use core::str::FromStr;

use crate::label::{Label, Labels};
use crate::{Bom, ErrorKind, Form, Level, Policy, Unencodable};

/// The error of parsing a name that does not exist.
///
/// ```
/// use placemat::Form;
/// assert_eq!("utf-8".parse(), Ok(Form::Utf8));
/// assert_eq!("UTF8".parse::<Form>().unwrap_err().to_string(), "no form has this name");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnknownName(&'static str);

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} has this name", self.0)
    }
}

impl core::error::Error for UnknownName {}

/// Both conversions, by the type's `named`.
macro_rules! names {
    ($($name:ident $what:literal)*) => {$(
        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<$name, UnknownName> {
                $name::named(name).ok_or(UnknownName($what))
            }
        }

        impl TryFrom<&str> for $name {
            type Error = UnknownName;

            fn try_from(name: &str) -> Result<$name, UnknownName> {
                name.parse()
            }
        }
    )*};
}

names! {
    Bom "byte order mark setting"
    ErrorKind "kind of error"
    Form "form"
    Label "label"
    Labels "reader of labels"
    Level "level"
    Policy "policy"
    Unencodable "stand-in"
}
