//! Parsers of arguments: those that are one of several names, which they list so that completions can offer them, and numbers.

use std::ffi::OsStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::Arg;
use clap::builder::{PossibleValue, TypedValueParser};

/// A parser of names that completions can offer.
#[derive(Clone)]
pub(crate) struct Named<P> {
    pub(crate) parser: P,
    pub(crate) names: Vec<&'static str>,
}

impl<P: TypedValueParser> TypedValueParser for Named<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, clap::Error> {
        self.parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}

/// A parser that accepts these names and nothing else.
pub(crate) fn one_of<T: Clone + Send + Sync + 'static>(
    names: Vec<&'static str>,
    named: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    let expected = format!("one of {} is expected", names.join(", "));
    Named { parser: move |name: &str| named(name).ok_or_else(|| expected.clone()), names }
}

/// Parses a whole number that is not negative.
///
/// # Errors
/// What is expected instead.
pub(crate) fn number<T: FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| "a whole number from 0 on is expected")
}

/// A parser of whole numbers in this range.
pub(crate) fn number_in<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("a whole number from {} to {} is expected", range.start(), range.end()))
    }
}
