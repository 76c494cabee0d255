//! `cargo xtask census`: each kernel is compiled into one function that uses the registers of its CPU level.
//!
//! A lane operation that is not inlined becomes a call that passes vectors through memory, and the kernel loses nine tenths of its
//! speed. No test of results shows that, so this reads the disassembly: no kernel may call anything of `vector` or `core_arch`.
//! What is inlined depends on the program. So the library's own tests, optimised for speed and for size, are looked at too.

use std::collections::BTreeMap;
use std::process::Command;

use crate::record;
use crate::shell::{command, output, placemat};

/// The levels that are looked for, and a register that each of their kernels must use.
const LEVELS: [(&str, &str); 3] = [("sse42", "%xmm"), ("avx2", "%ymm"), ("avx512", "%zmm")];

/// Parts of the names of lane operations. The entries are exceptions: they are functions on purpose.
const LANES: [&str; 3] = ["placemat::vector::", "core_arch::", "as placemat::vector::"];
const ENTRIES: [&str; 4] = [">::read", ">::write", ">::apart", "placemat::vector::x86::avx512::load_before"];

/// Counts over the functions of one level.
#[derive(Default)]
struct Count {
    functions: usize,
    with_register: usize,
    instructions: usize,
    calls: Vec<String>,
}

pub(crate) fn run() -> Result<(), String> {
    let sources = record::sources(&record::COMMAND);
    let build = "cargo build --quiet --release --package placemat-cli";
    output(command(build).env("CARGO_PROFILE_RELEASE_STRIP", "none"))?;
    let disassemble = ["--disassemble", "--demangle", "--no-show-raw-insn"];
    let disassembled = output(Command::new("objdump").args(disassemble).arg(placemat("release")))?;
    let counts = count(&disassembled);
    let (mut table, mut wrong) = (String::new(), Vec::new());
    for (level, register) in LEVELS {
        let Some(count) = counts.get(level) else {
            wrong.push(format!("{level}: no kernel found"));
            continue;
        };
        table += &format!(
            "{level:8} {:4} functions, {:4} of them with {register}, {:6} instructions, {} calls of lane operations\n",
            count.functions,
            count.with_register,
            count.instructions,
            count.calls.len()
        );
        wrong.extend(count.calls.iter().map(|call| format!("{level}: {call}")));
        if count.with_register < count.functions {
            wrong.push(format!("{level}: {register} is not used in all of them"));
        }
    }
    for optimisation in ["3", "s"] {
        let programs = programs(optimisation)?;
        for program in &programs {
            wrong.extend(instructions_apart(program)?.iter().map(|name| format!("{program}: {name}")));
        }
        let count = programs.len();
        table += &format!(
            "opt-level={optimisation}: {count} programs without an instruction as a function of its own\n"
        );
    }
    print!("{table}");
    if wrong.is_empty() {
        record::keep("census", "cargo xtask census", &sources, &table)
    } else {
        Err(wrong.join("\n"))
    }
}

/// Builds the library's tests at this level of optimisation, else as programs are by default, and returns their programs.
fn programs(optimisation: &str) -> Result<Vec<String>, String> {
    let build = "cargo test --quiet --release --package placemat --no-run --message-format=json";
    let profile = [("OPT_LEVEL", optimisation), ("LTO", "false"), ("CODEGEN_UNITS", "16")];
    let profile = profile.map(|(name, value)| (format!("CARGO_PROFILE_RELEASE_{name}"), value));
    let built = output(command(build).envs(profile))?;
    let (start, end) = ("\"executable\":\"", '"');
    let programs: Vec<_> = built
        .lines()
        .filter_map(|line| Some(line.split_once(start)?.1.split_once(end)?.0.to_owned()))
        .collect();
    if programs.is_empty() { Err(format!("no programs from: {build}")) } else { Ok(programs) }
}

/// The vector instructions that are functions of their own in a program.
fn instructions_apart(program: &str) -> Result<Vec<String>, String> {
    let symbols = output(Command::new("nm").args(["--demangle", program]))?;
    let instructions =
        symbols.lines().filter(|line| line.contains("core_arch::") && !line.contains("xgetbv"));
    Ok(instructions.map(str::to_owned).collect())
}

/// Counts the functions of each level in a disassembly.
fn count(listing: &str) -> BTreeMap<&'static str, Count> {
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut current: Option<(&str, &str, bool, String)> = None;
    for line in listing.lines() {
        if line.ends_with(">:") {
            let found = LEVELS.iter().find(|(level, _)| line.contains(&format!("vector::x86::{level}::")));
            current = found.map(|&(level, register)| {
                counts.entry(level).or_default().functions += 1;
                (level, register, false, line.to_owned())
            });
            continue;
        }
        let Some((level, register, seen, name)) = &mut current else { continue };
        let count = counts.entry(level).or_default();
        count.instructions += usize::from(line.contains('\t'));
        if !*seen && line.contains(*register) {
            *seen = true;
            count.with_register += 1;
        }
        let is_entry = ENTRIES.iter().any(|entry| line.contains(entry));
        let is_lane = !is_entry && LANES.iter().any(|part| line.contains(part));
        if line.contains("call") && is_lane {
            count.calls.push(format!("{name} {}", line.trim()));
        }
    }
    counts
}
