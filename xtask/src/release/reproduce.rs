//! Checks that builds of the same sources in different folders give the same command, byte for byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::record;
use crate::shell::{Done, call, command, root};

/// Builds what is committed twice, in folders of different depth, and compares the results.
pub(crate) fn run() -> Done {
    let sources = record::sources(&["crates", "Cargo.toml", "Cargo.lock"]);
    let places = ["target/reproduce/a", "target/reproduce/another/place/b"].map(|place| root().join(place));
    // Copies both before the first build, which takes long: a commit meanwhile must not get into only one of them.
    places.iter().try_for_each(|place| copy(place))?;
    let [first, second] = places.each_ref().map(|place| build(place));
    let (first, second) = (first?, second?);
    let same = fs::read(&first).map_err(said)? == fs::read(&second).map_err(said)?;
    let hash = record::first_line(&format!("sha256sum {}", first.display()));
    let hash = hash.split(' ').next().unwrap_or_default();
    let size = fs::metadata(&first).map_err(said)?.len();
    if !same {
        return Err(format!("the two builds differ: {} and {}", first.display(), second.display()));
    }
    places.iter().try_for_each(fs::remove_dir_all).map_err(said)?;
    let outcome = format!("Two builds in different folders: the same {size} bytes.\nsha256 {hash}\n");
    print!("{outcome}");
    record::keep("reproduce", "cargo xtask release reproduce", &sources, &outcome)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn said(error: std::io::Error) -> String {
    error.to_string()
}

/// Copies what is committed to `place`.
fn copy(place: &Path) -> Done {
    let _ = fs::remove_dir_all(place);
    fs::create_dir_all(place).map_err(said)?;
    call(command("git clone --quiet --no-hardlinks .").arg(place.join("source")))
}

/// Builds the command as a release is built, from the copy at `place`.
fn build(place: &Path) -> Result<PathBuf, String> {
    let source = place.join("source");
    let target = place.join("target");
    let home = std::env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from);
    // Otherwise the paths would be in panic messages and in the names of C sources.
    let map = |flag: &str| {
        let pairs = [(place, "/placemat"), (home.as_path(), "/cargo")];
        pairs.map(|(path, name)| format!("{flag}{}={name}", path.display())).join(" ")
    };
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--locked", "--quiet", "-p", "placemat-cli"]).current_dir(&source);
    cargo.env("CARGO_TARGET_DIR", &target).env("CARGO_INCREMENTAL", "0");
    cargo.env("RUSTFLAGS", map("--remap-path-prefix=")).env("CFLAGS", map("-ffile-prefix-map="));
    call(&mut cargo)?;
    Ok(target.join("release/placemat"))
}

fn home() -> PathBuf {
    PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cargo")
}
