//! Runs the Python wheel, its tests, and clusters of Spark and Ray.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::record;
use crate::shell::{Done, ZOPFLI, call, command, compress_again, output, placemat, python_with, root};

/// The packages from PyPI for the wheel, the pages about columns, a small Spark job, and files on S3 and WebHDFS.
const QUICK: [&str; 13] = [
    "maturin>=1.16,<2",
    ZOPFLI,
    "pytest",
    "mypy",
    "numpy",
    "pyarrow",
    "pandas",
    "polars",
    "duckdb",
    "pyspark==4.3.*",
    "requests",
    "s3fs",
    "moto[server]",
];

/// The packages for the other recipes and tests.
const ALL: [&str; 8] = [
    "ray[data]==2.60.*",
    "dask[dataframe]",
    "distributed",
    "daft",
    "datafusion",
    "setuptools",
    "ftfy",
    "chardet>=7",
];

/// The largest size of the wheel, in bytes.
const LARGEST: u64 = 5_000_000;

/// Builds the wheel, installs it into a virtual environment and runs its tests. With `--quick` Spark runs in one process; without, on a
/// cluster whose workers are killed, with Ray on two nodes and every recipe, and the outcome is recorded.
pub(crate) fn run(arguments: impl Iterator<Item = String>) -> Done {
    let mut quick = false;
    for argument in arguments {
        match argument.as_str() {
            "--quick" => quick = true,
            _ => return Err("cargo xtask release scale [--quick]".to_owned()),
        }
    }
    let folders = ["crates/placemat/src", "crates/placemat-arrow/src", "crates/placemat-python"];
    let sources = record::sources(&folders);
    let start = Instant::now();
    let folder = root().join("target/scale");
    let more: &[&str] = if quick { &[] } else { &ALL };
    let bin = python_with(&folder.join("venv"), &[&QUICK, more].concat())?;
    let wheel = wheel(&folder, &bin)?;
    compress_again(&bin, std::slice::from_ref(&wheel))?;
    let size = wheel.metadata().map_err(|error| error.to_string())?.len();
    if size > LARGEST {
        return Err(format!("the wheel has {size} bytes, more than {LARGEST}"));
    }
    let install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall"];
    call(Command::new(bin.join("python")).args(install).arg(&wheel))?;
    // The tests compare the wheel with the command.
    call(&mut command("cargo build --quiet -p placemat-cli"))?;
    let tests = root().join("crates/placemat-python/tests");
    let pytest = |paths: &[PathBuf]| {
        let mut pytest = Command::new(bin.join("python"));
        pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs"]).args(paths).current_dir(&folder);
        pytest.env("PLACEMAT_COMMAND", placemat("debug"));
        pytest
    };
    if quick {
        call(&mut pytest(std::slice::from_ref(&tests)))?;
        // The tests that use pandas, again with its version 2, in which text is a column of objects.
        call(Command::new(bin.join("python")).args(["-m", "pip", "install", "--quiet", "pandas<3"]))?;
        return call(&mut pytest(&["test_arrow.py", "test_report.py"].map(|file| tests.join(file))));
    }
    let report = output(pytest(&[tests]).args(["-v", "--durations=15"]).env("PLACEMAT_CLUSTER", "1"))?;
    let bench = root().join("crates/placemat-python/bench/columns.py");
    let speed = output(Command::new(bin.join("python")).arg(bench).arg("--spark").current_dir(&folder))?;
    let table = root().join("crates/placemat-python/bench/table.py");
    call(Command::new(bin.join("python")).arg(table).arg("--write").current_dir(&folder))?;
    let outcome = format!(
        "wheel    {size} bytes\nwall     {} s\n{}\n\n{}\n\n{speed}",
        start.elapsed().as_secs(),
        versions(&bin)?,
        gist(&report)
    );
    record::keep("scale", "cargo xtask release scale", &sources, &outcome)
}

/// Builds the wheel. Returns its path.
fn wheel(folder: &Path, bin: &Path) -> Result<PathBuf, String> {
    let dist = folder.join("dist");
    let _ = std::fs::remove_dir_all(&dist);
    call(
        Command::new(bin.join("maturin"))
            .args(["build", "--release", "--quiet", "--interpreter"])
            .arg(bin.join("python"))
            .arg("--out")
            .arg(&dist)
            .env("CARGO_TARGET_DIR", folder.join("build"))
            .current_dir(root().join("crates/placemat-python")),
    )?;
    let mut built = std::fs::read_dir(&dist).map_err(|error| error.to_string())?;
    let wheel = built.next().ok_or("maturin built nothing")?.map_err(|error| error.to_string())?;
    Ok(wheel.path())
}

/// The versions of Python, Java and the packages.
fn versions(bin: &Path) -> Result<String, String> {
    let freeze = output(Command::new(bin.join("python")).args([
        "-m",
        "pip",
        "freeze",
        "--disable-pip-version-check",
    ]))?;
    let names: Vec<_> =
        QUICK.iter().chain(&ALL).filter_map(|name| name.split(['=', '<', '>', '[']).next()).collect();
    let is_named = |line: &&str| line.split_once("==").is_some_and(|(name, _)| names.contains(&name));
    let python = output(Command::new(bin.join("python")).arg("--version"))?;
    let java = Command::new("java").arg("-version").output().map_err(|error| error.to_string())?;
    let java = String::from_utf8_lossy(&java.stderr);
    let lines: Vec<_> = [python.trim(), java.lines().next().unwrap_or_default()]
        .into_iter()
        .chain(freeze.lines().filter(is_named))
        .collect();
    Ok(format!("versions {}", lines.join(", ")))
}

/// The lines of pytest's report that are about clusters, and its summary.
fn gist(report: &str) -> String {
    let wanted = ["test_spark.py", "test_ray.py", "test_recipes.py", "SKIPPED", " passed", " failed"];
    report.lines().filter(|line| wanted.iter().any(|word| line.contains(word))).collect::<Vec<_>>().join("\n")
}
