//! Checks that run on this machine rather than in a root.

use std::process::Command;

use crate::dist::place::{Place, files};
use crate::dist::tools::{self, Tools};
use crate::shell::{Done, call, output, python_with};

/// Runs lintian on the Debian packages, and twine's check on the files for PyPI.
pub(super) fn lint(place: &Place) -> Done {
    let all = files(&place.out)?;
    let of = |end: &str| {
        all.iter().filter(|name| name.ends_with(end)).map(|name| place.out.join(name)).collect::<Vec<_>>()
    };
    call(Command::new("lintian").args(["--fail-on", "error,warning,info", "--info"]).args(of(".deb")))?;
    let bin = Tools::new(&tools::folder()).python(&["twine==6.2.0"])?;
    let sdist = place.out.join(format!("placemat-{}.tar.gz", place.version));
    call(Command::new(bin.join("twine")).args(["check", "--strict"]).args(of(".whl")).arg(sdist))
}

/// Builds the sdist with pip in an environment of its own, from nothing but itself. This needs the compiler.
pub(super) fn sdist(place: &Place) -> Done {
    let folder = place.root.join("sdist");
    let _ = std::fs::remove_dir_all(&folder);
    call(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let mut pip = Command::new(folder.join("bin/pip"));
    pip.args(["install", "--quiet"]).arg(place.out.join(format!("placemat-{}.tar.gz", place.version)));
    // Unoptimised: this only tests that the sdist is complete.
    call(
        pip.env("MATURIN_PEP517_ARGS", "--profile dev")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .current_dir(&folder),
    )?;
    let check = "import placemat; assert placemat.repair(b'caf\\xe9', 'cp1252') == b'caf\\xc3\\xa9'";
    call(Command::new(folder.join("bin/python")).args(["-c", check]).current_dir(&folder))?;
    print!("{}", output(Command::new(folder.join("bin/placemat")).arg("--version"))?);
    Ok(())
}

/// Tests the extension of the release in the DuckDB of PyPI.
pub(super) fn duckdb(place: &Place) -> Done {
    let extension =
        files(&place.out)?.into_iter().find(|name| name.ends_with("linux_amd64.duckdb_extension"));
    let extension = extension.ok_or("there is no extension for DuckDB")?;
    let python = python_with(&place.root.join("duckdb"), &["duckdb", "pytest"])?.join("python");
    let mut pytest = Command::new(python);
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    pytest.arg(place.source.join("crates/placemat-duckdb/tests"));
    call(pytest.env("PLACEMAT_EXTENSION", place.out.join(extension)))
}
