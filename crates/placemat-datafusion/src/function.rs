//! The SQL functions: their names, options and documentation.

use std::ops::RangeInclusive;

use datafusion_expr::{DocSection, Documentation};
use placemat::Policy;
use placemat_arrow::Unit;

use crate::task::{Task, form, policy, unencodable, unit};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    IsValid,
    FirstError,
    Repair,
    Convert,
    Detect,
    Length,
}

impl Function {
    pub(crate) const ALL: [Function; 6] = [
        Function::IsValid,
        Function::FirstError,
        Function::Repair,
        Function::Convert,
        Function::Detect,
        Function::Length,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Function::IsValid => "utf8_is_valid",
            Function::FirstError => "utf8_first_error",
            Function::Repair => "utf8_repair",
            Function::Convert => "utf8_convert",
            Function::Detect => "utf8_detect",
            Function::Length => "utf8_length",
        }
    }

    /// How many options follow the column.
    pub(crate) fn options(self) -> RangeInclusive<usize> {
        match self {
            Function::IsValid | Function::FirstError | Function::Repair => 0..=1,
            Function::Convert => 2..=4,
            Function::Detect => 0..=0,
            Function::Length => 0..=2,
        }
    }

    /// Returns what a call with these options does, or why they are wrong.
    pub(crate) fn task(self, options: &[&str]) -> Result<Task, String> {
        let form_of = |at: usize| options.get(at).map_or(Ok(placemat::Form::Utf8), |name| form(name));
        let policy_of = |at: usize, or: Policy| options.get(at).map_or(Ok(or), |name| policy(name));
        Ok(match self {
            Function::IsValid => Task::IsValid(form_of(0)?),
            Function::FirstError => Task::FirstError(form_of(0)?),
            Function::Repair => Task::Repair(policy_of(0, Policy::Replace)?),
            Function::Convert => {
                let mut policy = policy_of(2, Policy::Stop)?;
                if let Some(name) = options.get(3) {
                    policy = policy.unencodable(unencodable(name)?);
                }
                Task::Convert { from: form_of(0)?, to: form_of(1)?, policy }
            }
            Function::Detect => Task::Detect,
            Function::Length => Task::Length {
                unit: options.first().map_or(Ok(Unit::CodePoint), |name| unit(name))?,
                form: form_of(1)?,
            },
        })
    }

    /// The documentation, as `information_schema.routines` and others show it.
    pub(crate) fn documentation(self) -> Documentation {
        let (syntax, description, example) = match self {
            Function::IsValid => (
                "utf8_is_valid(col[, form])",
                "Whether bytes or text are well-formed UTF-8, or well-formed in another form.",
                "utf8_is_valid(X'636166E9')",
            ),
            Function::FirstError => (
                "utf8_first_error(col[, form])",
                "The first error: a struct of its offset and length in bytes and its kind; null if there is none.",
                "get_field(utf8_first_error(X'636166E9'), 'kind')",
            ),
            Function::Repair => (
                "utf8_repair(col[, policy])",
                "Text from bytes that are nearly UTF-8, with each error replaced as the policy says (default: 'replace', U+FFFD).",
                "utf8_repair(X'636166E9', 'cp1252')",
            ),
            Function::Convert => (
                "utf8_convert(col, from, to[, policy[, unencodable]])",
                "The same text in another form: a string for UTF-8, else binary. With the default policy 'stop', the query \
                 fails at the first error.",
                "utf8_convert(X'636166E9', 'windows-1252', 'utf-8')",
            ),
            Function::Detect => (
                "utf8_detect(col)",
                "The likely encoding of each row, read as a whole text: a struct of encoding, bom, confidence, malformed and \
                 line_ending.",
                "get_field(utf8_detect(X'CFF0E8E2E5F22C20ECE8F021'), 'encoding')",
            ),
            Function::Length => (
                "utf8_length(col[, unit[, form]])",
                "The length in 'code-points' (the default), in 'utf-16-units', or in bytes of the named form. An error counts \
                 as one U+FFFD.",
                "utf8_length('né', 'utf-16le')",
            ),
        };
        let section = DocSection { include: true, label: "Text Encoding Functions", description: None };
        let documentation = Documentation::builder(section, description, syntax)
            .with_sql_example(format!("```sql\nSELECT {example};\n```"))
            .with_argument("col", "Bytes or text: any type of binary or string.");
        let names = match self {
            Function::IsValid | Function::FirstError => &["form"][..],
            Function::Repair => &["policy"],
            Function::Convert => &["from", "to", "policy", "unencodable"],
            Function::Detect => &[],
            Function::Length => &["unit", "form"],
        };
        let described = |documentation: datafusion_expr::DocumentationBuilder, name: &&'static str| {
            documentation.with_argument(*name, meaning(name))
        };
        names.iter().fold(documentation, described).build()
    }
}

/// What an option means; the same in every function.
fn meaning(option: &str) -> String {
    let policies: Vec<&str> = Policy::ALL.iter().map(|(name, _)| *name).collect();
    match option {
        "policy" => format!("What happens to errors, as a literal: {}.", policies.join(", ")),
        "unencodable" => {
            "What happens to characters that the form lacks, as a literal: stop, replace, skip, escape, ncr."
                .into()
        }
        "unit" => "What is counted, as a literal: code-points, utf-16-units, or a form.".into(),
        "from" => "The form of the bytes, as a literal.".into(),
        "to" => "The form of the result, as a literal.".into(),
        _ => "The form of the bytes, as a literal; UTF-8 if none is given.".into(),
    }
}
