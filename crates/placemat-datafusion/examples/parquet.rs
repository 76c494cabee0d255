//! Finds, counts and repairs the bad rows of a Parquet file, which it writes first.
//!
//! `cargo run --example parquet`
#![forbid(unsafe_code)]

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BinaryArray, Int64Array, RecordBatch};
use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::error::Result;
use datafusion::prelude::{ParquetReadOptions, SessionContext};

/// A thousand names. A program that writes windows-1252 wrote some of them, and some are cut off inside a character.
fn names() -> Result<RecordBatch> {
    let name = |id: i64| match id % 100 {
        7 => b"Jos\xE9".to_vec(),
        42 => b"Zo\xC3".to_vec(),
        _ => format!("Zoë №{id}").into_bytes(),
    };
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..1000));
    let names: ArrayRef = Arc::new(BinaryArray::from_iter_values((0..1000).map(name)));
    Ok(RecordBatch::try_from_iter([("id", ids), ("name", names)])?)
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut ctx = SessionContext::new();
    placemat_datafusion::register(&mut ctx)?;

    let folder = tempfile::tempdir()?;
    let path = folder.path().join("names.parquet");
    let path = path.to_string_lossy();
    ctx.read_batch(names()?)?.write_parquet(&path, DataFrameWriteOptions::new(), None).await?;
    ctx.register_parquet("names", &path, ParquetReadOptions::default()).await?;

    let queries = [
        "SELECT get_field(utf8_first_error(name), 'kind') AS kind, count(*) AS rows FROM names WHERE NOT utf8_is_valid(name) GROUP BY kind",
        "SELECT id, name, utf8_repair(name, 'cp1252') AS repaired FROM names WHERE NOT utf8_is_valid(name) ORDER BY id LIMIT 4",
        "SELECT max(utf8_length(name)) AS characters, max(utf8_length(name, 'utf-8')) AS bytes FROM names",
    ];
    for query in queries {
        println!("{query}");
        ctx.sql(query).await?.show().await?;
    }
    Ok(())
}
