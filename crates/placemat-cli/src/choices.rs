//! Names of which one is to be typed, so that completions can offer them.

use std::ffi::OsStr;

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

/// One of these names, and nothing else.
pub(crate) fn one_of<T: Clone + Send + Sync + 'static>(
    names: Vec<&'static str>,
    named: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    let expected = format!("one of {} is expected", names.join(", "));
    Named { parser: move |name: &str| named(name).ok_or_else(|| expected.clone()), names }
}

/// Kinds of characters that are not shown.
pub(crate) mod invisible {
    use placemat::invisible::{Kind, Kinds};

    /// What a flag without kinds means.
    pub(crate) const DEFAULT: &str = "default";

    /// The kind of that name.
    pub(crate) fn kind(name: &str) -> Result<Kind, String> {
        let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        Kind::named(name).ok_or_else(|| format!("{name}: one of {} is expected", names.join(", ")))
    }

    /// A list of names with commas between, `all` or [`DEFAULT`].
    pub(crate) fn kinds(text: &str) -> Result<Kinds, String> {
        text.split(',').try_fold(Kinds::NONE, |kinds, name| {
            Ok(match name {
                DEFAULT => Kind::ALL
                    .iter()
                    .filter(|kind| Kinds::DEFAULT.contains(**kind))
                    .fold(kinds, |set, &kind| set.with(kind)),
                "all" => Kind::ALL.iter().fold(kinds, |set, &kind| set.with(kind)),
                name => kinds.with(kind(name)?),
            })
        })
    }
}
