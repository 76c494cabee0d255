//! Packs the npm package, as `npm publish` takes it and `npm install` installs it.

use std::fs;

use super::place::{Place, copy, sweep};
use super::tools::Tools;
use crate::shell::{Done, call};

/// Builds the package with the xtask of the clone, and packs it.
pub(super) fn make(place: &Place, tools: &Tools) -> Done {
    tools.rust_with_source(&["wasm32-unknown-unknown"])?;
    let is_ours = |name: &str| name.starts_with("placemat-") && name.ends_with(".tgz");
    sweep(&place.out, is_ours)?;
    // Otherwise a file of an earlier commit would be packed too.
    let package = place.build.join("web/npm");
    let _ = fs::remove_dir_all(&package);
    call(place.command("cargo").args(["run", "--quiet", "--locked", "-p", "xtask", "--", "web", "build"]))?;
    copy(&place.assets.join("THIRD-PARTY-npm.txt"), &package.join("LICENSE-THIRD-PARTY.txt"))?;
    // npm gives each file the same time, and packs in the order of names.
    let mut npm = place.command("npm");
    npm.args(["pack", "--silent", "--pack-destination"]).arg(&place.out);
    call(npm.current_dir(&package))
}
