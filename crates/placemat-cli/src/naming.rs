//! Names of encodings in arguments, and what they mean.

use anyhow::{Result, anyhow, bail};
use clap::builder::TypedValueParser;
use placemat::Form;
use placemat::label::Labels;
use placemat_text::charset::{Asked, Charset};

use crate::choices::one_of;

/// Whose names count.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Naming {
    /// How names of encodings are read: lenient (the default), iana, whatwg, rfc2279, oracle, mysql
    #[arg(long, value_name = "PROFILE", default_value = "lenient", hide_default_value = true, value_parser = labels(), hide_possible_values = true)]
    labels: Labels,
}

impl Naming {
    /// Returns the form or legacy encoding with that name.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn charset(self, label: &str) -> Result<Charset> {
        resolve(self.labels, label)
    }

    /// Returns which results of `detect` have that name.
    ///
    /// # Errors
    /// As [`Naming::charset`].
    pub(crate) fn asked(self, label: &str) -> Result<Asked> {
        Ok(Asked::named(self.labels, label)?)
    }

    /// Returns the form with that name, for commands that cannot use legacy encodings.
    ///
    /// # Errors
    /// As [`Naming::charset`], and for legacy encodings.
    pub(crate) fn form(self, label: &str) -> Result<Form> {
        match self.charset(label)? {
            Charset::Form(form) => Ok(form),
            Charset::Legacy(_) => bail!(
                "{label} is a legacy encoding, and only forms of Unicode can be explained; convert it to UTF-8 first: \
                 placemat convert -f {label}"
            ),
        }
    }
}

/// Returns the form or legacy encoding with that name.
///
/// # Errors
/// Why there is none.
pub(crate) fn resolve(labels: Labels, label: &str) -> Result<Charset> {
    Charset::resolve(labels, label).map_err(|error| match &*label.to_ascii_lowercase() {
        "euc-tw" | "johab" => {
            anyhow!("{label} can be detected, but placemat cannot read it; glibc's iconv can")
        }
        "binary" | "unknown" | "several encodings" => {
            anyhow!("{label:?} is no encoding: `placemat detect` says it where it can name none")
        }
        _ => error.into(),
    })
}

/// The parser of `--labels`.
pub(crate) fn labels() -> impl TypedValueParser<Value = Labels> {
    one_of(Labels::ALL.iter().map(|labels| labels.name()).collect(), Labels::named)
}
