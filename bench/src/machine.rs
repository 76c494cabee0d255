//! The first lines of a record: versions, CPU and date.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use placemat::Level;

use crate::options::Options;

/// Date, command, CPU and the versions of all peers, one line each.
pub fn description(options: &Options) -> String {
    let choosing = ["simdutf8", "encoding_rs", "simd_cesu8"].into_iter().filter(|_| !options.is_below_avx2());
    let peers = choosing.chain(["smoothutf8", "bstr"]).map(|name| format!("{name} {}", version(name)));
    format!(
        "{}, cargo xtask bench{}\nCPU: {}, level {}\nplacemat {} beside {}\n{}, std of {}\n",
        date(),
        options.line,
        cpu(),
        Level::current().name(),
        version("placemat"),
        simdutf(options),
        peers.collect::<Vec<_>>().join(", "),
        env!("BENCH_RUSTC"),
    )
}

/// The versions of simdutf that were loaded, or a note that none was.
fn simdutf(options: &Options) -> String {
    let forced = std::env::var("SIMDUTF_FORCE_IMPLEMENTATION");
    let names: Vec<_> = options.simdutf.iter().map(|library| library.name.as_str()).collect();
    match (names.is_empty(), &options.simdutf_source, forced) {
        (false, _, Ok(forced)) => format!("{} (kernels: {forced})", names.join(", ")),
        (false, _, Err(_)) => names.join(", "),
        (true, Some(_), _) => "simdutf from its source".to_owned(),
        (true, None, _) => "no simdutf, for --simdutf named none".to_owned(),
    }
}

/// The version of a package in this build.
fn version(package: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry = lock.split_once(&format!("name = \"{package}\"\nversion = \""));
    entry.and_then(|(_, rest)| rest.split('"').next()).unwrap_or("?")
}

/// Model name, family and model.
pub fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |key: &str| {
        let line = text.lines().find(|line| line.split(':').next().is_some_and(|name| name.trim() == key))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let name = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    match (field("cpu family"), field("model")) {
        (Some(family), Some(model)) => format!("{name} (family {family}, model {model})"),
        _ => name,
    }
}

/// Today, in UTC: year, month, day.
pub fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let mut days = seconds / 86_400;
    let mut year = 1970;
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 1;
    for len in [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < len {
            break;
        }
        days -= len;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}
