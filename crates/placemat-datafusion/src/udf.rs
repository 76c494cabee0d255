//! The functions as DataFusion calls them.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion_common::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{DataFusionError, Result, ScalarValue, exec_err, plan_err};
use datafusion_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use placemat::Form;

use crate::function::Function;
use crate::task::Task;

#[derive(Debug)]
pub(crate) struct Udf {
    function: Function,
    signature: Signature,
    documentation: Documentation,
}

impl Udf {
    pub(crate) fn new(function: Function) -> Udf {
        let signature = Signature::user_defined(Volatility::Immutable);
        Udf { function, signature, documentation: function.documentation() }
    }

    /// Returns what a call does. Its options must be known when it is planned, because the type of the result depends on them.
    fn task<'a>(&self, options: impl Iterator<Item = Option<&'a ScalarValue>>) -> Result<Task> {
        let mut names = Vec::new();
        for option in options {
            match option.and_then(ScalarValue::try_as_str).flatten() {
                Some(name) => names.push(name),
                None => return plan_err!("the options of {} must be literal strings", self.name()),
            }
        }
        self.function.task(&names).or_else(|why| plan_err!("{}: {why}", self.name()))
    }
}

impl PartialEq for Udf {
    fn eq(&self, other: &Udf) -> bool {
        self.function == other.function
    }
}

impl Eq for Udf {}

impl Hash for Udf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.hash(state);
    }
}

impl ScalarUDFImpl for Udf {
    fn name(&self) -> &str {
        self.function.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, arguments: &[DataType]) -> Result<Vec<DataType>> {
        let Some((column, options)) = arguments.split_first() else {
            return plan_err!("{} takes a column of bytes or text", self.name());
        };
        let expected = self.function.options();
        if !expected.contains(&options.len()) {
            let (least, most) = expected.into_inner();
            return plan_err!("{} takes {} to {} arguments", self.name(), least + 1, most + 1);
        }
        let column = if column.is_null() { &DataType::Binary } else { column };
        // Checks that the column is of bytes or text; the type of the result is up to the task.
        placemat_arrow::converted_type(column, Form::Utf8).map_err(external)?;
        Ok([vec![column.clone()], vec![DataType::Utf8; options.len()]].concat())
    }

    fn return_type(&self, _arguments: &[DataType]) -> Result<DataType> {
        exec_err!("the type of {} depends on its options", self.name())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let task = self.task(args.scalar_arguments[1..].iter().copied())?;
        let column = &args.arg_fields[0];
        let data_type = task.returns(column.data_type()).map_err(external)?;
        // The first error of a well-formed row is null.
        let is_nullable = column.is_nullable() || self.function == Function::FirstError;
        Ok(Arc::new(Field::new(self.name(), data_type, is_nullable)))
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let options = args.args[1..].iter().map(|option| match option {
            ColumnarValue::Scalar(option) => Some(option),
            ColumnarValue::Array(_) => None,
        });
        let task = self.task(options)?;
        match &args.args[0] {
            ColumnarValue::Array(column) => Ok(ColumnarValue::Array(task.run(column).map_err(external)?)),
            ColumnarValue::Scalar(value) => {
                let row = task.run(&value.to_array()?).map_err(external)?;
                Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&row, 0)?))
            }
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

fn external(error: placemat_arrow::Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
