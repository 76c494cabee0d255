//! The playground: a page and its service worker, for any static host or to be opened from its file.

use std::fs;

use super::place::{Place, copy, create, sweep};
use super::tools::Tools;
use crate::shell::{Done, call};

/// Builds the page with the xtask of the clone, and packs it.
pub(super) fn make(place: &Place, tools: &Tools) -> Done {
    tools.rust_with_source(&["wasm32-unknown-unknown"])?;
    sweep(&place.out, |name| name.starts_with("placemat-playground-"))?;
    call(place.command("cargo").args(["run", "--quiet", "--locked", "-p", "xtask", "--", "web", "page"]))?;
    let name = format!("placemat-playground-{}", place.version);
    let parent = place.build.join("web/playground");
    let _ = fs::remove_dir_all(&parent);
    let folder = parent.join(&name);
    create(&folder)?;
    for file in ["index.html", "sw.js"] {
        copy(&place.build.join("web/page").join(file), &folder)?;
    }
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&place.source.join(license), &folder)?;
    }
    copy(&place.assets.join("THIRD-PARTY-playground.txt"), &folder.join("LICENSE-THIRD-PARTY.txt"))?;
    place.pack(&parent, &name)
}
