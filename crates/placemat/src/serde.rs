//! Feature `serde`: how values are serialized. A value with a name is its name, a code point is its number.

#![forbid(unsafe_code)]

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Error as _, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::label::Labels;
use crate::{CodePoint, ErrorKind, Form, Level};

/// A type whose values have names that can be parsed.
trait Named: Sized {
    /// What such a name stands for, in an error: "a form".
    const WHAT: &'static str;
    fn of(name: &str) -> Option<Self>;
}

struct Name<T>(PhantomData<T>);

impl<T: Named> Visitor<'_> for Name<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of {}", T::WHAT)
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<T, E> {
        T::of(name).ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
    }
}

macro_rules! by_name {
    ($($name:ident $what:literal;)*) => {$(
        impl Named for $name {
            const WHAT: &'static str = $what;

            fn of(name: &str) -> Option<$name> {
                $name::named(name)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                deserializer.deserialize_str(Name(PhantomData))
            }
        }
    )*};
}

by_name! {
    Form "a form";
    ErrorKind "a kind of error";
    Labels "a reader of labels";
    Level "a level";
}

impl Serialize for CodePoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.value())
    }
}

impl<'de> Deserialize<'de> for CodePoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CodePoint, D::Error> {
        CodePoint::try_from(u32::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
