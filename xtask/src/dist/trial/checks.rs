//! What is tried on this machine rather than in a root.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::dist::place::{Place, files};
use crate::dist::tools::{self, Tools};
use crate::shell::{Done, call, output, python_with};

/// lintian on the Debian packages, and twine's check of what goes to PyPI.
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

/// The wheel for musl, resolved by musl's own loader: all that it lacks must be Python's.
pub(super) fn wheel_for_musl(place: &Place) -> Done {
    let wheel = files(&place.out)?.into_iter().find(|name| name.ends_with("musllinux_1_2_x86_64.whl"));
    let wheel = place.out.join(wheel.ok_or("there is no wheel for musl")?);
    let folder = place.root.join("musl");
    let _ = std::fs::remove_dir_all(&folder);
    call(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&folder))?;
    let library = folder.join("placemat/_core.abi3.so");
    let mut loader = Command::new(musl_loader(&folder)?);
    let found =
        loader.arg("--list").arg(&library).output().map_err(|error| format!("musl's loader: {error}"))?;
    let said = String::from_utf8_lossy(&[found.stdout, found.stderr].concat()).into_owned();
    let missing: Vec<_> = said.lines().filter_map(|line| line.strip_suffix(": symbol not found")).collect();
    let others: Vec<_> =
        missing.iter().filter(|line| !line.contains(": Py") && !line.contains(": _Py")).collect();
    if missing.is_empty() || !others.is_empty() || said.contains("Error loading shared library") {
        return Err(format!("the wheel for musl cannot be loaded:\n{said}"));
    }
    println!("musl's loader lacks {} symbols, all of them Python's", missing.len());
    Ok(())
}

/// The loader of Debian's package `musl`, taken out of it: installed, it would answer for programs of this machine.
fn musl_loader(folder: &Path) -> Result<PathBuf, String> {
    call(Command::new("apt-get").args(["-qq", "download", "musl"]).current_dir(folder))?;
    let package = files(folder)?.into_iter().find(|name| name.ends_with(".deb"));
    let package = package.ok_or("apt-get downloaded no package musl")?;
    call(Command::new("dpkg-deb").args(["-x", &package, "."]).current_dir(folder))?;
    Ok(folder.join("lib/x86_64-linux-musl/libc.so"))
}

/// The sdist, built by pip in an environment of its own from nothing but itself. This needs the compiler.
pub(super) fn sdist(place: &Place) -> Done {
    let folder = place.root.join("sdist");
    let _ = std::fs::remove_dir_all(&folder);
    call(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let mut pip = Command::new(folder.join("bin/pip"));
    pip.args(["install", "--quiet"]).arg(place.out.join(format!("placemat-{}.tar.gz", place.version)));
    // Unoptimised: this is about what the sdist holds.
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

/// The extension as it is handed out, in the DuckDB of PyPI.
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
