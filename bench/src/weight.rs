//! Measures how many bytes a call adds to a program, and how long each library takes to compile.

mod yard;

use std::fmt::Write as _;
use std::path::Path;

use crate::options::Options;
use crate::record;
use yard::{Simdutf, Yard, compiler, has_wasm};

/// A call of a library in a program of its own.
struct Program {
    library: &'static str,
    what: &'static str,
    /// Its dependency in `Cargo.toml`; `@` is replaced by the folder of placemat.
    dependency: &'static str,
    /// The expression that makes the call: reads `bytes`, may write to `units`, and gives a number.
    call: &'static str,
}

/// Flags of the compiler that leave out the kernels for AVX-512.
const WITHOUT_AVX512: &str = "--cfg placemat_no_avx512";

const OURS: &str = "placemat = { path = \"@\", default-features = false, features = [\"alloc\"] }";
const SIMDUTF8: &str = "simdutf8 = { version = \"0.1.5\", default-features = false, features = [\"std\"] }";
const ENCODING: &str =
    "encoding_rs = { version = \"0.8.44\", default-features = false, features = [\"alloc\"] }";
const SMOOTH: &str = "smoothutf8 = \"0.2.3\"";

/// A call of the checks, conversions and lengths of UTF-8, UTF-16 and UTF-32.
const ALL: &str = "{
        use placemat::{Form::Utf8, utf16, utf32};
        let (mut wide, mut out) = ([0; 64], [0; 256]);
        let [a, b] = [utf16::from_utf8(bytes, units), utf32::from_utf8(bytes, &mut wide)];
        let [c, d] = [utf16::to_utf8(units, &mut out), utf16::to_utf32(units, &mut wide)];
        let [e, f] = [utf32::to_utf8(&wide, &mut out), utf32::to_utf16(&wide, units)];
        let valid = [placemat::is_valid(bytes), utf16::validate(units).is_ok(), utf32::validate(&wide).is_ok()];
        let lengths = [utf16::utf8_len(units), utf16::utf32_len(units), utf32::utf8_len(&wide), utf32::utf16_len(&wide)];
        let text = lengths.iter().map(|len| *len.as_ref().unwrap_or(&0)).sum::<usize>() + placemat::count(Utf8, bytes);
        [a, b, c, d, e, f].iter().map(|step| step.written).sum::<usize>() + text + valid.map(usize::from).iter().sum::<usize>()
    }";

/// The programs. The first calls nothing, and the others are compared with it.
const PROGRAMS: &[Program] = &[
    program("nothing", "", "", "bytes.len()"),
    program("placemat", "is_valid", OURS, "usize::from(placemat::is_valid(bytes))"),
    program("placemat", "validate", OURS, "placemat::validate(bytes).map_or(0, str::len)"),
    program("placemat", "count", OURS, "placemat::count(placemat::Form::Utf8, bytes)"),
    program("placemat", "utf16::from_utf8", OURS, "placemat::utf16::from_utf8(bytes, units).written"),
    program("placemat", "repair", OURS, "placemat::repair(bytes).len()"),
    program("placemat", "all of UTF-8, UTF-16, UTF-32", OURS, ALL),
    program(
        "placemat",
        "convert to UTF-16",
        OURS,
        "placemat::convert(placemat::Form::Utf8, placemat::Form::Utf16Le, bytes).map_or(0, |it| it.len())",
    ),
    program(
        "simdutf8",
        "basic::from_utf8",
        SIMDUTF8,
        "simdutf8::basic::from_utf8(bytes).map_or(0, str::len)",
    ),
    program(
        "simdutf8",
        "compat::from_utf8",
        SIMDUTF8,
        "simdutf8::compat::from_utf8(bytes).map_or(0, str::len)",
    ),
    program("smoothutf8", "verify", SMOOTH, "usize::from(smoothutf8::verify(bytes))"),
    program("encoding_rs", "utf8_valid_up_to", ENCODING, "encoding_rs::Encoding::utf8_valid_up_to(bytes)"),
    program(
        "encoding_rs",
        "convert_utf8_to_utf16",
        ENCODING,
        "encoding_rs::mem::convert_utf8_to_utf16(bytes, units)",
    ),
    program(
        "simdutf",
        "validate_utf8",
        "",
        // SAFETY, in the program that contains this line: `bytes` is a slice.
        "unsafe { usize::from(simdutf_validate_utf8(bytes.as_ptr(), bytes.len())) }",
    ),
    program(
        "simdutf",
        "convert_utf8_to_utf16le",
        "",
        // SAFETY, in that program: `bytes` is a slice, and `units` has a unit for each of its bytes, none of which
        // becomes more than one unit.
        "unsafe { simdutf_convert_utf8_to_utf16le(bytes.as_ptr(), bytes.len(), units.as_mut_ptr()) }",
    ),
];

const fn program(
    library: &'static str,
    what: &'static str,
    dependency: &'static str,
    call: &'static str,
) -> Program {
    Program { library, what, dependency, call }
}

/// Builds everything in `bench/target/weight`, prints and records the results.
pub fn run(options: &Options, about: &str) -> Result<(), String> {
    let yard = Yard { folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("target/weight") };
    let simdutf = options.simdutf_source.as_deref().map(|source| yard.compile_simdutf(source)).transpose()?;
    let mut text = sizes(&yard, simdutf.as_ref())?;
    text.push_str(&seconds(&yard, simdutf.as_ref())?);
    print!("\n{about}\n{text}");
    if options.record {
        record::keep(options, "weight", about, &text, None, None)?;
    }
    Ok(())
}

/// The table of bytes.
fn sizes(yard: &Yard, simdutf: Option<&Simdutf>) -> Result<String, String> {
    let has_wasm = has_wasm();
    let mut text = "\
| library | call | bytes added to a program | without AVX-512 | of WebAssembly | with simd128 |
|---|---|---|---|---|---|
"
    .to_owned();
    let mut bare = [0; 4];
    for program in PROGRAMS {
        if program.library == "simdutf" && simdutf.is_none() {
            continue;
        }
        let is_bare = program.library == "nothing";
        let needs_alloc = ["repair", "convert to UTF-16"].contains(&program.what);
        let with_wasm = has_wasm && program.library != "simdutf" && !needs_alloc;
        let sizes = [
            Some(yard.native(program, simdutf, "")?),
            (is_bare || program.library == "placemat")
                .then(|| yard.native(program, simdutf, WITHOUT_AVX512))
                .transpose()?,
            with_wasm.then(|| yard.wasm(program, "")).transpose()?,
            with_wasm.then(|| yard.wasm(program, "-C target-feature=+simd128")).transpose()?,
        ];
        if is_bare {
            bare = sizes.map(Option::unwrap_or_default);
            continue;
        }
        let added = sizes.iter().zip(bare).map(|(size, bare)| {
            size.map_or_else(|| "–".to_owned(), |size| thousands(size.saturating_sub(bare)))
        });
        let added = added.collect::<Vec<_>>().join(" | ");
        let line = format!("| {} | `{}` | {added} |\n", program.library, program.what);
        eprint!("{line}");
        text.push_str(&line);
    }
    Ok(
        text + "\nPrograms: x86-64 or what this machine is, fat LTO, one codegen unit, `panic = \"abort\"`, stripped; modules: `opt-level = \"s\"`, `no_std`.\n"
    )
}

/// The table of seconds.
fn seconds(yard: &Yard, simdutf: Option<&Simdutf>) -> Result<String, String> {
    let mut text = "
| library | compiled in, CPU seconds: debug | release |
|---|---|---|
"
    .to_owned();
    for (library, dependency) in
        [("placemat", OURS), ("simdutf8", SIMDUTF8), ("smoothutf8", SMOOTH), ("encoding_rs", ENCODING)]
    {
        let both = [(library.to_owned(), ""), (format!("{library}, without AVX-512"), WITHOUT_AVX512)];
        for (name, flags) in &both[..if library == "placemat" { 2 } else { 1 }] {
            let compile = |profile| yard.compile(library, dependency, profile, flags);
            let _ = writeln!(text, "| {name} | {:.1} | {:.1} |", compile("dev")?, compile("release")?);
        }
    }
    if let Some(simdutf) = simdutf {
        let _ =
            writeln!(text, "| simdutf, by {} | {:.1} | {:.1} |", compiler(), simdutf.debug, simdutf.release);
    }
    Ok(text)
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut groups: Vec<_> = (first..digits.len()).step_by(3).map(|at| &digits[at..at + 3]).collect();
    if first > 0 {
        groups.insert(0, &digits[..first]);
    }
    groups.join(",")
}
