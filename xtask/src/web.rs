//! `cargo xtask web`: builds the npm package into target/web/npm and tests it as it is installed.
//!
//! Debian's `rustc-web` with `rust-web-src` is used, as for `cargo xtask machine`, or else a compiler whose target rustup has installed.

mod engines;
mod page;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::record;
use crate::shell::{Done, call, command, output, root, target};

const TARGET: &str = "wasm32-unknown-unknown";
const SOURCE: &str = "crates/placemat-wasm/npm";

/// A module of the package.
struct Module {
    name: &'static str,
    /// The features of the crate.
    features: &'static str,
    has_simd: bool,
    /// The largest size, gzipped, in bytes. A commit that raises it says why.
    budget: usize,
}

const MODULES: [Module; 8] = [
    Module { name: "placemat", features: "forms", has_simd: false, budget: 60 << 10 },
    Module { name: "placemat-simd", features: "forms", has_simd: true, budget: 60 << 10 },
    Module { name: "legacy", features: "legacy", has_simd: false, budget: 250 << 10 },
    Module { name: "detect", features: "detect", has_simd: false, budget: 356 << 10 },
    Module { name: "explain", features: "explain", has_simd: false, budget: 368 << 10 },
    Module { name: "mend", features: "mend", has_simd: false, budget: 503 << 10 },
    Module { name: "survey", features: "survey", has_simd: false, budget: 466 << 10 },
    NAMES,
];

const NAMES: Module = Module { name: "names", features: "names", has_simd: false, budget: 280 << 10 };

/// All modules but the names in one, for a page that needs most of them. It is not in the package.
const WHOLE: Module = Module {
    name: "whole",
    features: "forms,legacy,detect,explain,mend,survey",
    has_simd: false,
    budget: 1040 << 10,
};

const USAGE: &str = "\
cargo xtask web COMMAND

  build   the npm package, into target/web/npm
  test    the same, and its tests on Node
  audit   the same, and its types and exports by tsc, publint and @arethetypeswrong/cli, which npm installs
  sizes   the same, and how large each module is, gzipped
  bundlers  the same, bundled by esbuild, rollup, vite and webpack, which npm installs, and run
  bench   the same, and how fast it is beside the engine's own: the page crates/placemat-wasm/npm/SPEED.md
  engines NAME...
          the same, WPT's tests and our vectors in these engines: chromium firefox webkit node node-newest deno bun workerd
  all     the same in all of them, and the page that compares them
  whole   a module of all parts but the names, target/web/modules/whole.wasm, for a page that needs most of them
  page [test [ENGINE...]]
          the playground, target/web/page/index.html (with node and xz); its tests in chromium, and in firefox and webkit if they are named";

pub(crate) fn run(args: impl Iterator<Item = String>) -> Done {
    let words: Vec<String> = args.collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["build"] => build().map(drop),
        ["test"] => build().and_then(|package| test(&package)),
        ["audit"] => build().and_then(|package| audit(&package)),
        ["sizes"] => build().and_then(|_| sizes()),
        ["engines", ref names @ ..] if engines::known(names) => {
            build().and_then(|package| engines::run(&package, names))
        }
        ["all"] => build().and_then(|package| engines::run(&package, &engines::ALL)),
        ["bundlers"] => build().and_then(|package| bundlers(&package)),
        ["bench"] => build().and_then(|package| bench(&package)),
        ["whole"] => compiled(&WHOLE),
        ["page"] => page::build(),
        ["page", "test", ref engines @ ..] => page::test(engines),
        _ => Err(USAGE.to_owned()),
    }
}

/// Builds the package. Returns its folder.
fn build() -> Result<PathBuf, String> {
    let package = target().join("web/npm");
    copy(&root().join(SOURCE), &package)?;
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        put(&root().join(license), &package.join(license))?;
    }
    for module in &MODULES {
        compiled(module)?;
    }
    let mut node = Command::new("node");
    node.arg(root().join(SOURCE).join("build.mjs")).arg(modules()).arg(&package);
    call(&mut node)?;
    for only_here in ["build.mjs", "test"] {
        let path = package.join(only_here);
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(package)
}

/// Compiles only a few kernels: all of them are larger than the rest of a module. And the rounds of SHA-256 as a loop.
const SMALL: &str = "--cfg placemat_small --cfg sha2_backend_soft=\"compact\"";

/// The folder of compiled modules.
fn modules() -> PathBuf {
    target().join("web/modules")
}

/// Compiles a module into [`modules`].
fn compiled(module: &Module) -> Done {
    // A folder for each set of flags: in one folder, the standard library would be compiled anew each time.
    let (folder, flags) = match module.has_simd {
        true => ("simd", "-C target-feature=+simd128"),
        false => ("plain", ""),
    };
    let flags = format!("{flags} {SMALL}");
    let folder = target().join("web").join(folder);
    call(compile("placemat-wasm", &folder, &flags)?.args([
        "--no-default-features",
        "--features",
        module.features,
    ]))?;
    fs::create_dir_all(modules()).map_err(|error| error.to_string())?;
    let file = folder.join(TARGET).join("wasm/placemat_wasm.wasm");
    put(&file, &modules().join(format!("{}.wasm", module.name)))
}

fn compile(package: &str, folder: &Path, flags: &str) -> Result<Command, String> {
    // Flags that the caller set, such as path prefixes to remove, apply here too.
    let flags = format!("{} {flags}", std::env::var("RUSTFLAGS").unwrap_or_default());
    let flags = flags.trim();
    let own = record::first_line("rustc --print sysroot");
    let rest =
        format!("build -p {package} --profile wasm --target {TARGET} --target-dir {}", folder.display());
    // A panic stops the module without a message: code that formats one would be a tenth of the module.
    let small = "-Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size";
    let abort = "-Zunstable-options -Cpanic=immediate-abort";
    match std_source(&own) {
        Some(Std::Own) => {
            let mut cargo = command(&format!("cargo {rest} {small}"));
            cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", format!("{flags} {abort}"));
            Ok(cargo)
        }
        Some(Std::Debian) => {
            let host = record::first_line("rustc --print host-tuple");
            let mut cargo = command(&format!("/usr/bin/cargo {rest} {small}"));
            cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTUP_TOOLCHAIN");
            let linker = format!("-C linker={own}/lib/rustlib/{host}/bin/rust-lld");
            cargo.env("RUSTFLAGS", format!("{flags} {abort} {linker}"));
            Ok(cargo)
        }
        None if Path::new(&own).join("lib/rustlib").join(TARGET).join("lib").is_dir() => {
            let mut cargo = command(&format!("cargo {rest}"));
            cargo.env("RUSTFLAGS", flags);
            Ok(cargo)
        }
        None => Err(format!("no standard library for {TARGET}: rustup target add {TARGET}")),
    }
}

/// The origin of the standard library that is compiled too, for smaller modules.
enum Std {
    /// Of the toolchain in use: `rustup component add rust-src`.
    Own,
    /// Of Debian's `rust-web-src`.
    Debian,
}

fn std_source(sysroot: &str) -> Option<Std> {
    if has_source(Path::new(sysroot)) {
        return Some(Std::Own);
    }
    let is_debian = Path::new("/usr/lib/rustlib/src").exists() && Path::new("/usr/bin/cargo").exists();
    is_debian.then_some(Std::Debian)
}

/// Whether a toolchain has the source of its standard library.
pub(crate) fn has_source(sysroot: &Path) -> bool {
    sysroot.join("lib/rustlib/src/rust/library").exists()
}

/// Runs the tests on Node, with and without SIMD. By itself Node takes the module with SIMD.
fn test(package: &Path) -> Done {
    let place = target().join("web/test");
    let installed = place.join("node_modules/placemat");
    for plain in [false, true] {
        copy(package, &installed)?;
        copy(&root().join(SOURCE).join("test"), &place)?;
        if plain {
            put(&installed.join("placemat.wasm"), &installed.join("placemat-simd.wasm"))?;
        }
        let vectors = format!("file://{}/", root().join("crates/placemat/tests/vectors").display());
        let mut node = Command::new("node");
        node.args(["--test", "package.test.mjs", "entries.test.mjs", "upload.test.mjs"])
            .current_dir(&place)
            .env("PLACEMAT_VECTORS", vectors);
        call(&mut node)?;
    }
    Ok(())
}

/// Checks the types and `exports` with other programs.
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
    // After npm, which removes what it did not install.
    let installed = place.join("node_modules/placemat");
    copy(package, &installed)?;
    for types in ["types.mts", "types.cts"] {
        put(&root().join(SOURCE).join("test").join(types), &place.join(types))?;
    }
    let strict =
        ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom"];
    call(Command::new(bin.join("tsc")).args(strict).args(["types.mts", "types.cts"]).current_dir(&place))?;
    call(Command::new(bin.join("publint")).arg("--strict").current_dir(&installed))?;
    // Resolution by `main` does not know entries.
    let profile = ["--pack", ".", "--profile", "node16"];
    call(Command::new(bin.join("attw")).args(profile).current_dir(&installed))
}

/// Bundles the package with several bundlers in a folder of its own, and runs the results.
fn bundlers(package: &Path) -> Done {
    const BUNDLERS: [&str; 6] =
        ["esbuild", "rollup", "@rollup/plugin-node-resolve", "vite", "webpack", "webpack-cli"];
    let place = target().join("web/bundlers");
    fs::create_dir_all(&place).map_err(|error| error.to_string())?;
    let mut npm = Command::new("npm");
    call(npm.args(["install", "--silent", "--no-save", "--prefix", "."]).args(BUNDLERS).current_dir(&place))?;
    copy(package, &place.join("node_modules/placemat"))?;
    put(&root().join(SOURCE).join("test/bundlers.mjs"), &place.join("bundlers.mjs"))?;
    call(Command::new("node").arg("bundlers.mjs").current_dir(&place))
}

/// The page with the table of speeds.
const SPEED: &str = "crates/placemat-wasm/npm/SPEED.md";

/// Writes a table of speeds, and prints it.
fn bench(package: &Path) -> Done {
    let place = target().join("web/test");
    copy(package, &place.join("node_modules/placemat"))?;
    put(&root().join(SOURCE).join("test/bench.mjs"), &place.join("bench.mjs"))?;
    let table = output(Command::new("node").arg("bench.mjs").current_dir(&place))?;
    println!("{table}");
    fs::write(root().join(SPEED), table).map_err(|error| format!("{SPEED}: {error}"))
}

/// Prints the sizes, and fails if one exceeds its budget.
fn sizes() -> Done {
    let own = record::first_line("rustc --print sysroot");
    // Rustup's standard library contains the code that formats panic messages.
    let is_small = std_source(&own).is_some();
    for Module { name, budget, .. } in MODULES.iter().chain([&WHOLE]) {
        let path = modules().join(format!("{name}.wasm"));
        if !path.exists() {
            continue;
        }
        let bytes = read(&path)?;
        let gzipped = gzip(&bytes)?;
        let most = if is_small { *budget } else { budget + budget / 10 };
        println!("{name}: {} bytes, {gzipped} gzipped, of at most {most}", bytes.len());
        if gzipped > most {
            return Err(format!("{name} is too large"));
        }
    }
    Ok(())
}

/// The length of these bytes after `gzip -9`.
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

/// Copies a folder.
fn copy(from: &Path, to: &Path) -> Done {
    fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    output(Command::new("cp").arg("-r").arg(from.join(".")).arg(to)).map(drop)
}
