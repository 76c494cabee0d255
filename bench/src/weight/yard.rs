//! Builds the programs that are compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Program;

const MAIN: &str = "\
unsafe extern \"C\" {
    #[allow(dead_code, reason = \"a program makes one call at most\")]
    fn simdutf_validate_utf8(bytes: *const u8, len: usize) -> bool;
    #[allow(dead_code, reason = \"a program makes one call at most\")]
    fn simdutf_convert_utf8_to_utf16le(bytes: *const u8, len: usize, units: *mut u16) -> usize;
}

#[inline(never)]
fn call(bytes: &[u8], units: &mut [u16]) -> usize {
    let _ = &units;
    CALL
}

fn main() {
    let bytes = std::env::args().next().unwrap_or_default().into_bytes();
    let mut units = vec![0; bytes.len() + 1];
    println!(\"{}\", call(std::hint::black_box(&bytes), std::hint::black_box(&mut units)));
}
";

/// The same for a module of WebAssembly with nothing else in it.
const MODULE: &str = "\
#![no_std]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

#[unsafe(no_mangle)]
unsafe extern \"C\" fn call(start: *const u8, len: usize, out: *mut u16, room: usize) -> usize {
    // SAFETY: never called; whoever calls it passes `len` bytes and room for `room` units.
    let bytes = unsafe { core::slice::from_raw_parts(start, len) };
    // SAFETY: as above, and nothing else has the room.
    let units = unsafe { core::slice::from_raw_parts_mut(out, room) };
    let _ = &units;
    CALL
}
";

const PROGRAM: &str = "\
[profile.release]
lto = \"fat\"
codegen-units = 1
panic = \"abort\"
strip = true
";

const LIBRARY: &str = "\
[lib]
crate-type = [\"cdylib\"]

[profile.release]
opt-level = \"s\"
lto = \"fat\"
codegen-units = 1
panic = \"abort\"
strip = true
";

const WASM: &str = "wasm32-unknown-unknown";

/// The folder in which everything is built.
pub struct Yard {
    pub folder: PathBuf,
}

/// simdutf as an object file, and the seconds it took to compile.
pub struct Simdutf {
    object: PathBuf,
    pub debug: f64,
    pub release: f64,
}

/// Whether WebAssembly modules can be built here.
pub fn has_wasm() -> bool {
    let folder = Command::new("rustc").args(["--print", "target-libdir", "--target", WASM]).output();
    folder.is_ok_and(|out| Path::new(String::from_utf8_lossy(&out.stdout).trim()).is_dir())
}

impl Yard {
    /// A package that depends on one library and nothing else.
    fn package(&self, settings: &str, dependency: &str, file: &str, text: &str) -> Result<PathBuf, String> {
        let folder = self.folder.join("package");
        let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/placemat");
        let dependency = dependency.replace('@', &library.display().to_string());
        let manifest = format!(
            "[package]\nname = \"weighed\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependency}\n\n{settings}"
        );
        let put = |name: &str, text: &str| fs::write(folder.join(name), text);
        let made = fs::remove_dir_all(&folder).or_else(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        });
        made.and_then(|()| fs::create_dir_all(folder.join("src")))
            .and_then(|()| put("Cargo.toml", &manifest))
            .and_then(|()| put(&format!("src/{file}"), text))
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(folder)
    }

    /// Bytes of a program that makes this call.
    pub fn native(&self, program: &Program, simdutf: Option<&Simdutf>, flags: &str) -> Result<u64, String> {
        let text = MAIN.replace("CALL", program.call);
        let folder = self.package(PROGRAM, program.dependency, "main.rs", &text)?;
        let mut cargo = self.cargo(&folder, &["build", "--release"], "program");
        cargo.env("RUSTFLAGS", flags);
        if let (Some(simdutf), "simdutf") = (simdutf, program.library) {
            cargo.env("RUSTFLAGS", format!("-C link-arg={} -C link-arg=-lstdc++", simdutf.object.display()));
        }
        call(&mut cargo)?;
        size(&self.folder.join("program/release/weighed"))
    }

    /// Bytes of a module that makes this call.
    pub fn wasm(&self, program: &Program, flags: &str) -> Result<u64, String> {
        let dependency = ["alloc", "std"].map(|feature| format!(", features = [\"{feature}\"]"));
        let dependency =
            dependency.iter().fold(program.dependency.to_owned(), |line, with| line.replace(with, ""));
        let text = MODULE.replace("CALL", program.call);
        let folder = self.package(LIBRARY, &dependency, "lib.rs", &text)?;
        let mut cargo = self.cargo(&folder, &["build", "--release", "--target", WASM], "module");
        call(cargo.env("RUSTFLAGS", flags))?;
        size(&self.folder.join("module").join(WASM).join("release/weighed.wasm"))
    }

    /// CPU seconds to compile a library alone, with its default settings, from nothing.
    pub fn compile(
        &self,
        library: &str,
        dependency: &str,
        profile: &str,
        flags: &str,
    ) -> Result<f64, String> {
        let folder = self.package("", dependency, "main.rs", "fn main() {}\n")?;
        let target = self.folder.join("library");
        if target.exists() {
            fs::remove_dir_all(&target).map_err(|error| format!("{}: {error}", target.display()))?;
        }
        let before = children()?;
        let words = ["build", "--profile", profile, "--package", library];
        call(self.cargo(&folder, &words, "library").env("RUSTFLAGS", flags))?;
        Ok(children()? - before)
    }

    /// Compiles simdutf with the compiler that `CXX` names.
    pub fn compile_simdutf(&self, source: &Path) -> Result<Simdutf, String> {
        let object = self.folder.join("simdutf.o");
        fs::create_dir_all(&self.folder).map_err(|error| error.to_string())?;
        let compile = |level: &str| {
            let before = children()?;
            let mut command = Command::new(compiler());
            command.args([level, "-DNDEBUG", "-std=c++17", "-ffunction-sections", "-fdata-sections", "-c"]);
            command.arg(source.join("src/simdutf.cpp")).arg("-I").arg(source.join("include"));
            call(command.arg("-I").arg(source.join("src")).arg("-o").arg(&object))?;
            Ok::<_, String>(children()? - before)
        };
        let (debug, release) = (compile("-O0")?, compile("-O3")?);
        Ok(Simdutf { object, debug, release })
    }

    fn cargo(&self, folder: &Path, words: &[&str], target: &str) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.args(words).arg("--quiet").current_dir(folder);
        cargo.env("CARGO_TARGET_DIR", self.folder.join(target));
        cargo
    }
}

pub fn compiler() -> String {
    std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned())
}

fn call(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

fn size(file: &Path) -> Result<u64, String> {
    fs::metadata(file).map(|data| data.len()).map_err(|error| format!("{}: {error}", file.display()))
}

/// The CPU seconds of all child processes that have ended.
fn children() -> Result<f64, String> {
    let text = fs::read_to_string("/proc/self/stat").map_err(|error| format!("/proc/self/stat: {error}"))?;
    // After the name, which may hold anything: the 14th and 15th field, in hundredths.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: Vec<f64> = fields.skip(13).take(2).filter_map(|field| field.parse().ok()).collect();
    Ok(ticks.iter().sum::<f64>() / 100.0)
}
