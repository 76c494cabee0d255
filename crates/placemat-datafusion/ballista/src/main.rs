//! Ballista with placemat's functions. Scheduler, executors and client are one program, since each of them must know the
//! functions.
//!
//! `cargo run` starts a scheduler and two executors on the loopback interface, queries a Parquet table that it writes first, and
//! stops them. On machines of your own, start `placemat-ballista scheduler` and `placemat-ballista executor N FOLDER` (its number
//! from 1, and a folder that it may write to).
#![forbid(unsafe_code)]

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::Duration;

use ballista::prelude::SessionContextExt as _;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::utils::{default_config_producer, default_session_builder};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use datafusion::arrow::array::{ArrayRef, BinaryArray, Int64Array, RecordBatch};
use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::execution::SessionState;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};

type Done = Result<(), Box<dyn std::error::Error>>;

const PORT: u16 = 50050;

#[tokio::main]
async fn main() -> Done {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["scheduler"] => scheduler().await,
        ["executor", number, folder] => executor(number.parse()?, folder).await,
        [] => everything().await,
        _ => Err("placemat-ballista [scheduler | executor N FOLDER]".into()),
    }
}

/// A session state with the functions.
fn state(config: SessionConfig) -> datafusion::error::Result<SessionState> {
    let mut state = default_session_builder(config)?;
    placemat_datafusion::register(&mut state)?;
    Ok(state)
}

async fn scheduler() -> Done {
    let config = SchedulerConfig::default().with_override_session_builder(Arc::new(state));
    let cluster = BallistaCluster::new_from_config(&config).await?;
    Ok(start_server(cluster, ([127, 0, 0, 1], PORT).into(), Arc::new(config)).await?)
}

async fn executor(number: u16, folder: &str) -> Done {
    let functions = BallistaFunctionRegistry::from(&state(default_config_producer())?);
    let config = ExecutorProcessConfig {
        port: PORT + 2 * number,
        grpc_port: PORT + 2 * number + 1,
        scheduler_port: PORT,
        scheduler_connect_timeout_seconds: 30,
        vcores: 1,
        work_dir: Some(folder.into()),
        override_function_registry: Some(Arc::new(functions)),
        ..ExecutorProcessConfig::default()
    };
    Ok(start_executor_process(Arc::new(config)).await?)
}

/// Writes the table and queries it, as the client.
async fn client(folder: &Path) -> Done {
    let table = folder.join("names").to_string_lossy().into_owned();
    for part in 0..4 {
        let path = format!("{table}/{part}.parquet");
        SessionContext::new()
            .read_batch(names(part)?)?
            .write_parquet(&path, DataFrameWriteOptions::new(), None)
            .await?;
    }
    let mut ctx = SessionContext::remote_with_state(
        &format!("df://127.0.0.1:{PORT}"),
        state(default_config_producer())?,
    )
    .await?;
    // `remote_with_state` drops the functions of its state.
    placemat_datafusion::register(&mut ctx)?;
    ctx.register_parquet("names", &table, ParquetReadOptions::default()).await?;
    for query in [
        "SELECT get_field(utf8_first_error(name), 'kind') AS kind, count(*) AS rows FROM names WHERE NOT utf8_is_valid(name) GROUP BY kind ORDER BY kind",
        "SELECT id, name, utf8_repair(name, 'cp1252') AS repaired FROM names WHERE NOT utf8_is_valid(name) ORDER BY id LIMIT 4",
    ] {
        println!("{query}");
        ctx.sql(query).await?.show().await?;
    }
    Ok(())
}

/// A quarter of a thousand names. A program that writes windows-1252 wrote some of them, and some are cut off inside a character.
fn names(part: i64) -> datafusion::error::Result<RecordBatch> {
    let name = |id: i64| match id % 100 {
        7 => b"Jos\xE9".to_vec(),
        42 => b"Zo\xC3".to_vec(),
        _ => format!("Zoë №{id}").into_bytes(),
    };
    let ids = part * 250..(part + 1) * 250;
    let names: ArrayRef = Arc::new(BinaryArray::from_iter_values(ids.clone().map(name)));
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(ids));
    Ok(RecordBatch::try_from_iter([("id", ids), ("name", names)])?)
}

/// Child processes, which end with this one.
struct Running(Vec<Child>);

impl Drop for Running {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

async fn everything() -> Done {
    let folder = tempfile::tempdir()?;
    let folders = ["1", "2"].map(|number| folder.path().join(number));
    let start = |words: &[&str]| Command::new(std::env::current_exe()?).args(words).spawn();
    let mut running = Running(vec![start(&["scheduler"])?]);
    for _ in 0..600 {
        if TcpStream::connect(("127.0.0.1", PORT)).is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for (number, folder) in ["1", "2"].into_iter().zip(&folders) {
        std::fs::create_dir(folder)?;
        running.0.push(start(&["executor", number, &folder.to_string_lossy()])?);
    }
    client(folder.path()).await?;
    for (number, folder) in (1..).zip(&folders) {
        // A folder for each job, beside DataFusion's own folder for data that does not fit in memory.
        let names = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name()));
        let names = names.collect::<std::io::Result<Vec<_>>>()?;
        let jobs = names.iter().filter(|name| !name.to_string_lossy().starts_with("datafusion-")).count();
        println!("executor {number} took part in {jobs} jobs");
    }
    Ok(())
}
