//! The functions, as queries call them.
#![forbid(unsafe_code)]

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryViewArray, DictionaryArray, Int8Array, LargeBinaryArray,
    RecordBatch,
};
use datafusion::arrow::datatypes::{DataType, Int8Type};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::error::Result;
use datafusion::execution::FunctionRegistry as _;
use datafusion::prelude::{SessionContext, col, lit};

fn context() -> SessionContext {
    let mut ctx = SessionContext::new();
    placemat_datafusion::register(&mut ctx).unwrap();
    ctx
}

const ROWS: [Option<&[u8]>; 4] =
    [Some(b"plain"), Some(b"caf\xE9"), None, Some(b"a row that no view can hold, with an \xC3\xA9")];

/// A table `t` of one column `c`.
fn with_table(column: ArrayRef) -> SessionContext {
    let ctx = context();
    ctx.register_batch("t", RecordBatch::try_from_iter_with_nullable([("c", column, true)]).unwrap())
        .unwrap();
    ctx
}

/// All rows, their values joined by `|`.
async fn rows(ctx: &SessionContext, query: &str) -> Result<Vec<String>> {
    let mut rows = Vec::new();
    for batch in ctx.sql(query).await?.collect().await? {
        let options = FormatOptions::default().with_null("null");
        let columns: Vec<_> =
            batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options).unwrap()).collect();
        rows.extend((0..batch.num_rows()).map(|row| {
            columns.iter().map(|column| column.value(row).to_string()).collect::<Vec<_>>().join("|")
        }));
    }
    Ok(rows)
}

async fn error(query: &str) -> String {
    rows(&with_table(Arc::new(BinaryArray::from_opt_vec(ROWS.to_vec()))), query)
        .await
        .unwrap_err()
        .to_string()
}

#[tokio::test]
async fn literals() -> Result<()> {
    let cases = [
        ("utf8_is_valid('né')", "true"),
        ("utf8_is_valid(X'FF')", "false"),
        ("utf8_is_valid(X'C080', 'mutf-8')", "true"),
        ("utf8_is_valid(NULL)", "null"),
        ("utf8_first_error(X'6180')", "{offset: 1, length: 1, kind: unexpected-continuation}"),
        ("get_field(utf8_first_error(X'6180'), 'kind')", "unexpected-continuation"),
        ("utf8_first_error('fine')", "null"),
        ("get_field(utf8_first_error('fine'), 'kind')", "null"),
        ("utf8_repair(X'61FF')", "a\u{FFFD}"),
        ("utf8_repair(X'61FF', 'escape')", "a\\xff"),
        ("utf8_repair(NULL)", "null"),
        ("utf8_convert(X'636166E9', 'latin1', 'utf8')", "café"),
        ("utf8_convert('né', 'utf-8', 'utf-16le')", "6e00e900"),
        ("utf8_convert('3 €', 'utf-8', 'iso-8859-1', 'stop', 'ncr')", "33202623383336343b"),
        ("get_field(utf8_detect('né'), 'encoding')", "utf-8"),
        ("utf8_length('né😀')", "3"),
        ("utf8_length('né😀', 'utf-16-units')", "4"),
        ("utf8_length('né😀', 'utf-16le')", "8"),
        ("utf8_length(X'6100', 'code-points', 'utf-16le')", "1"),
    ];
    let ctx = context();
    for (call, expected) in cases {
        assert_eq!(rows(&ctx, &format!("SELECT {call}")).await?, [expected], "{call}");
    }
    Ok(())
}

#[tokio::test]
async fn columns_of_every_layout() -> Result<()> {
    let values = BinaryArray::from_opt_vec(ROWS.to_vec());
    let keys = Int8Array::from(vec![0, 1, 2, 3]);
    let columns: [(ArrayRef, DataType); 4] = [
        (Arc::new(values.clone()), DataType::Utf8),
        (Arc::new(LargeBinaryArray::from_opt_vec(ROWS.to_vec())), DataType::LargeUtf8),
        (Arc::new(BinaryViewArray::from_iter(ROWS)), DataType::Utf8View),
        (
            Arc::new(DictionaryArray::<Int8Type>::new(keys, Arc::new(values))),
            DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8)),
        ),
    ];
    for (column, text) in columns {
        let ctx = with_table(column);
        let query = "SELECT utf8_is_valid(c), utf8_repair(c, 'cp1252'), get_field(utf8_first_error(c), 'offset'), utf8_length(c) FROM t";
        assert_eq!(
            rows(&ctx, query).await?,
            [
                "true|plain|null|5",
                "false|café|3|4",
                "null|null|null|null",
                "true|a row that no view can hold, with an é|null|38"
            ]
        );
        let batches = ctx.sql("SELECT utf8_repair(c) FROM t").await?.collect().await?;
        assert_eq!(batches[0].column(0).data_type(), &text);
    }
    Ok(())
}

#[tokio::test]
async fn filters_and_aggregates() -> Result<()> {
    let ctx = with_table(Arc::new(BinaryViewArray::from_iter(ROWS)));
    let query = "SELECT get_field(utf8_first_error(c), 'kind') AS kind, count(*) FROM t WHERE NOT utf8_is_valid(c) GROUP BY kind";
    assert_eq!(rows(&ctx, query).await?, ["truncated|1"]);
    let query = "SELECT count(*) FROM t WHERE utf8_repair(c, 'cp1252') = 'café'";
    assert_eq!(rows(&ctx, query).await?, ["1"]);
    Ok(())
}

#[tokio::test]
async fn constants_are_folded() -> Result<()> {
    let ctx = context();
    let plan = ctx.sql("SELECT utf8_repair(X'61FF', 'escape')").await?.into_optimized_plan()?;
    assert!(plan.to_string().contains(r#"Utf8("a\xff")"#), "{plan}");
    Ok(())
}

#[tokio::test]
async fn clean_columns_are_not_copied() -> Result<()> {
    let column = BinaryArray::from_vec(vec![b"plain", b"text"]);
    let address = column.values().as_ptr();
    let ctx = with_table(Arc::new(column));
    let batches = ctx.sql("SELECT utf8_repair(c) FROM t").await?.collect().await?;
    assert_eq!(batches[0].column(0).as_string::<i32>().values().as_ptr(), address);
    Ok(())
}

#[tokio::test]
async fn data_frames() -> Result<()> {
    let ctx = with_table(Arc::new(BinaryArray::from_opt_vec(ROWS.to_vec())));
    let repair = ctx.udf("utf8_repair")?;
    let batches =
        ctx.table("t").await?.select(vec![repair.call(vec![col("c"), lit("skip")])])?.collect().await?;
    assert_eq!(batches[0].column(0).as_string::<i32>().value(1), "caf");
    Ok(())
}

#[tokio::test]
async fn mistakes_are_named() {
    let cases = [
        ("utf8_is_valid(1)", "type Int64 holds neither bytes nor text"),
        ("utf8_repair(c, 'nonsense')", "unknown policy 'nonsense'"),
        ("utf8_repair(c, c)", "the options of utf8_repair must be literal strings"),
        ("utf8_convert(c, 'utf-8')", "utf8_convert takes 3 to 5 arguments"),
        ("utf8_convert(c, 'utf-8', 'koi8-r')", "koi8-r is a legacy encoding"),
        ("utf8_convert(c, 'utf-8', 'latin1', 'stop', 'maybe')", "'maybe' is none of"),
        ("utf8_convert(c, 'utf-8', 'latin1', 'stop', 'replace=X')", "'replace=X' is none of"),
        ("utf8_length(c, 'ells')", "unknown form 'ells'"),
        ("utf8_repair(c, 'stop')", "row 1: truncated at byte 3 (length 1)"),
        (
            "utf8_repair(c, 'surrogateescape')",
            "only utf-8b, ucs-2, ucs-4 and utf-16 with surrogates can hold",
        ),
    ];
    for (call, expected) in cases {
        let error = error(&format!("SELECT {call} FROM t")).await;
        assert!(error.contains(expected), "{call}: {error}");
    }
}

#[test]
fn every_function_is_documented() {
    for function in placemat_datafusion::functions() {
        let documentation = function.documentation().unwrap();
        assert!(documentation.syntax_example.starts_with(function.name()));
        assert!(include_str!("../README.md").contains(&format!("| `{}` |", documentation.syntax_example)));
        assert!(include_str!("../src/lib.rs").contains(&format!("| `{}` |", documentation.syntax_example)));
    }
}
