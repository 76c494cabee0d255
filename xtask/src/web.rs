//! `cargo xtask web`: the npm package, built into target/web/npm and tried as it is installed.
//!
//! A compiler whose target rustup has installed is used, or else Debian's `rustc-web` with `rust-web-src`, as for `cargo xtask machine`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::record;
use crate::shell::{Done, call, command, output, root, target};

const TARGET: &str = "wasm32-unknown-unknown";
const SOURCE: &str = "crates/placemat-wasm/npm";

/// The files of the package, and the flags of each.
const BUILDS: [(&str, &str); 2] =
    [("placemat-simd.wasm", "-C target-feature=+simd128"), ("placemat.wasm", "")];

/// Bytes, gzipped, that each may have. A change that exceeds it says why.
const BUDGETS: [usize; 2] = [150 << 10, 62 << 10];

const USAGE: &str = "\
cargo xtask web COMMAND

  build   the npm package, into target/web/npm
  test    the same, and its tests on Node
  audit   the same, and its types and exports by tsc, publint and @arethetypeswrong/cli, which npm installs
  sizes   the same, and how large each module is, gzipped";

pub(crate) fn run(mut args: impl Iterator<Item = String>) -> Done {
    match (args.next().as_deref(), args.next()) {
        (Some("build"), None) => build().map(drop),
        (Some("test"), None) => build().and_then(|package| test(&package)),
        (Some("audit"), None) => build().and_then(|package| audit(&package)),
        (Some("sizes"), None) => build().and_then(|package| sizes(&package)),
        _ => Err(USAGE.to_owned()),
    }
}

/// Build the package; its folder.
fn build() -> Result<PathBuf, String> {
    let package = target().join("web/npm");
    copy(&root().join(SOURCE), &package)?;
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        put(&root().join(license), &package.join(license))?;
    }
    for (name, flags) in BUILDS {
        // A folder for each: one would compile the standard library anew each time.
        let folder = target().join("web").join(name);
        call(&mut compile(&folder, flags)?)?;
        put(&folder.join(TARGET).join("wasm/placemat_wasm.wasm"), &package.join(name))?;
    }
    let base64 = output(Command::new("base64").arg("-w0").arg(package.join(BUILDS[1].0)))?;
    let inline = package.join("src/bytes.js");
    fs::write(&inline, format!("export default \"{base64}\";\n")).map_err(|error| error.to_string())?;
    Ok(package)
}

fn compile(folder: &Path, flags: &str) -> Result<Command, String> {
    // What a caller set, such as the paths to leave out, holds here too.
    let flags = format!("{} {flags}", std::env::var("RUSTFLAGS").unwrap_or_default());
    let flags = flags.trim();
    let own = record::first_line("rustc --print sysroot");
    let rest =
        format!("build -p placemat-wasm --profile wasm --target {TARGET} --target-dir {}", folder.display());
    if Path::new(&own).join("lib/rustlib").join(TARGET).join("lib").is_dir() {
        let mut cargo = command(&format!("cargo {rest}"));
        cargo.env("RUSTFLAGS", flags);
        return Ok(cargo);
    }
    if !Path::new("/usr/lib/rustlib/src").exists() || !Path::new("/usr/bin/cargo").exists() {
        return Err(format!("no standard library for {TARGET}: rustup target add {TARGET}"));
    }
    let host = record::first_line("rustc --print host-tuple");
    let mut cargo = command(&format!("/usr/bin/cargo {rest} -Zbuild-std=std,panic_abort"));
    cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTUP_TOOLCHAIN");
    cargo.env("RUSTFLAGS", format!("{flags} -C linker={own}/lib/rustlib/{host}/bin/rust-lld"));
    Ok(cargo)
}

/// The tests on Node, with each module. What Node takes by itself is the one with SIMD.
fn test(package: &Path) -> Done {
    let place = target().join("web/test");
    let installed = place.join("node_modules/placemat");
    for plain in [false, true] {
        copy(package, &installed)?;
        copy(&package.join("test"), &place)?;
        if plain {
            put(&installed.join("placemat.wasm"), &installed.join("placemat-simd.wasm"))?;
        }
        let vectors = format!("file://{}/", root().join("crates/placemat/tests/vectors").display());
        let mut node = Command::new("node");
        node.args(["--test", "package.test.mjs"]).current_dir(&place).env("PLACEMAT_VECTORS", vectors);
        call(&mut node)?;
    }
    Ok(())
}

/// What others say of the types and of `exports`.
fn audit(package: &Path) -> Done {
    let place = target().join("web/audit");
    let bin = place.join("node_modules/.bin");
    fs::create_dir_all(&place).map_err(|error| error.to_string())?;
    let mut npm = Command::new("npm");
    npm.args([
        "install",
        "--silent",
        "--no-save",
        "--prefix",
        ".",
        "typescript",
        "publint",
        "@arethetypeswrong/cli",
    ]);
    call(npm.current_dir(&place))?;
    // Behind npm, which removes what it did not install.
    let installed = place.join("node_modules/placemat");
    copy(package, &installed)?;
    put(&package.join("test/types.mts"), &place.join("types.mts"))?;
    let strict =
        ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom"];
    call(Command::new(bin.join("tsc")).args(strict).arg("types.mts").current_dir(&place))?;
    call(Command::new(bin.join("publint")).arg("--strict").current_dir(&installed))?;
    let modules_only = ["--pack", ".", "--profile", "esm-only"];
    call(Command::new(bin.join("attw")).args(modules_only).current_dir(&installed))
}

/// Print the sizes, and fail beyond the budget.
fn sizes(package: &Path) -> Done {
    for ((name, _), budget) in BUILDS.into_iter().zip(BUDGETS) {
        let bytes = read(&package.join(name))?;
        let gzipped = gzip(&bytes)?;
        println!("{name}: {} bytes, {gzipped} gzipped, of at most {budget}", bytes.len());
        if gzipped > budget {
            return Err(format!("{name} is too large"));
        }
    }
    Ok(())
}

/// The length of what `gzip -9` makes of bytes.
fn gzip(bytes: &[u8]) -> Result<usize, String> {
    let failed = |error: std::io::Error| format!("gzip: {error}");
    let mut gzip = Command::new("gzip");
    let mut child = gzip.arg("-9cn").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let input = child.stdin.take();
    std::thread::scope(|scope| {
        scope.spawn(|| input.map(|mut input| input.write_all(bytes)));
        child.wait_with_output().map(|out| out.stdout.len()).map_err(failed)
    })
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn put(from: &Path, to: &Path) -> Done {
    fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", from.display()))
}

/// Copy a folder.
fn copy(from: &Path, to: &Path) -> Done {
    fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    output(Command::new("cp").arg("-r").arg(from.join(".")).arg(to)).map(drop)
}
