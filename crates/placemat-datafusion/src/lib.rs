//! SQL functions for DataFusion that check, repair, convert and measure text.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! use datafusion::prelude::SessionContext;
//!
//! let mut ctx = SessionContext::new();
//! placemat_datafusion::register(&mut ctx)?;
//! let found = ctx.sql("SELECT utf8_repair(X'636166E9', 'cp1252') AS text").await?.collect().await?;
//! assert_eq!(datafusion::arrow::util::pretty::pretty_format_batches(&found)?.to_string(), "\
//! +------+
//! | text |
//! +------+
//! | café |
//! +------+");
//! # Ok(())
//! # }
//! ```
//!
//! | function | result |
//! |---|---|
//! | `utf8_is_valid(col[, form])` | whether it is well-formed |
//! | `utf8_first_error(col[, form])` | its first error: a struct of `offset`, `length`, `kind`; null if there is none |
//! | `utf8_repair(col[, policy])` | text, with each error replaced as the policy says (default: `replace`) |
//! | `utf8_convert(col, from, to[, policy[, unencodable]])` | the text in another form: text if that form is UTF-8, otherwise bytes |
//! | `utf8_detect(col)` | what the text seems to be: a struct of `encoding`, `bom`, `confidence`, `malformed`, `line_ending` |
//! | `utf8_length(col[, unit[, form]])` | its length in `code-points` (the default), `utf-16-units`, or bytes of a form |
//!
//! A column may be of bytes or of text, in any layout that Arrow has for them. The other arguments must be literals. A form may
//! have any name that [`placemat::label::Labels::Lenient`] accepts (default: `utf-8`), a policy any name of
//! [`placemat::Policy::ALL`]; `unencodable` is `stop`, `replace`, `skip`, `escape` or `ncr`. Under the policy `stop` an error
//! ends the query, and the message says in which row of its batch it is.
//!
//! [`placemat_arrow`] does the work: on whole columns at a time, without a copy if there is nothing to repair.
#![forbid(unsafe_code)]

mod function;
mod task;
mod udf;

use std::sync::Arc;

use datafusion_common::Result;
use datafusion_expr::ScalarUDF;
use datafusion_expr::registry::FunctionRegistry;

use crate::function::Function;
use crate::udf::Udf;

/// Returns all functions, for a `SessionStateBuilder` or a registry of your own.
#[must_use]
pub fn functions() -> Vec<Arc<ScalarUDF>> {
    Function::ALL.into_iter().map(|function| Arc::new(ScalarUDF::new_from_impl(Udf::new(function)))).collect()
}

/// Registers the functions in a `SessionContext`, a `SessionState`, or any other registry.
///
/// # Errors
/// If functions cannot be added to the registry.
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    functions().into_iter().try_for_each(|function| registry.register_udf(function).map(drop))
}

/// Runs the README's code as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
