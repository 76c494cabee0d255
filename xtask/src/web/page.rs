//! `cargo xtask web page`: builds the playground, one page that contains everything.

use std::fs;
use std::process::Command;

use super::{NAMES, SMALL, TARGET, compile, compiled, modules};
use crate::shell::{Done, call, root, target};

/// The npm packages that the tests of the page need.
const PACKAGES: [&str; 2] = ["puppeteer-core@24", "axe-core@4"];

/// Builds the page into target/web/page.
pub(super) fn build() -> Done {
    let folder = target().join("web/plain");
    call(&mut compile("placemat-page", &folder, SMALL)?)?;
    let module = folder.join(TARGET).join("wasm/placemat_page.wasm");
    compiled(&NAMES)?;
    let names = modules().join("names.wasm");
    let mut node = Command::new("node");
    call(node.arg(root().join("web/build.mjs")).arg(module).arg(names).arg(target().join("web/page")))
}

/// Builds the page, and tests it in these engines.
pub(super) fn test(engines: &[&str]) -> Done {
    build()?;
    let place = target().join("web/page-test");
    fs::create_dir_all(&place).map_err(|error| error.to_string())?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--silent", "--no-save", "--prefix", "."]).args(PACKAGES).current_dir(&place);
    call(&mut npm)?;
    let mut node = Command::new("node");
    node.arg(root().join("web/test/run.mjs")).arg(target().join("web/page")).arg(&place).args(engines);
    call(&mut node)
}
