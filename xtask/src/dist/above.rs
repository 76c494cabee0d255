//! A workspace above the clone, for crates that are workspaces of their own.
//!
//! Cargo uses the whole path of a dependency outside the workspace in the names of its symbols, and the order of functions in
//! a library follows these names. Below one workspace the paths are relative, and the library is the same in every folder.

use std::fs;
use std::path::Path;

use super::place::{Place, copy, read, write};
use crate::shell::Done;

/// Runs `build` while `crates/NAME` of the clone is a member of a workspace whose root is the folder of the release.
pub(super) fn with(place: &Place, name: &str, build: impl FnOnce() -> Done) -> Done {
    let member = format!("source/crates/{name}");
    let folder = place.root.join(&member);
    let manifest = folder.join("Cargo.toml");
    let whole = read(&manifest)?;
    let (own, profiles) = split(&whole);
    let (above, lock) = (place.root.join("Cargo.toml"), place.root.join("Cargo.lock"));
    let head = format!("[workspace]\nresolver = \"3\"\nmembers = [\"{member}\"]\nexclude = [\"source\"]\n\n");
    let built = (|| {
        write(&above, head + &profiles)?;
        write(&manifest, own)?;
        copy(&folder.join("Cargo.lock"), &lock)?;
        build()
    })();
    let remove = |path: &Path| fs::remove_file(path).map_err(|error| format!("{}: {error}", path.display()));
    built.and(write(&manifest, whole)).and(remove(&above)).and(remove(&lock))
}

/// Splits a manifest: the manifest without `[workspace]` and profiles, and the profiles, which cargo reads only at the root of a workspace.
fn split(manifest: &str) -> (String, String) {
    let (mut own, mut profiles) = (String::new(), String::new());
    let mut section = "";
    for line in manifest.split_inclusive('\n') {
        if line.starts_with('[') {
            section = line.trim();
        }
        match section {
            "[workspace]" => {}
            section if section.starts_with("[profile.") => profiles += line,
            _ => own += line,
        }
    }
    (own, profiles)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn profiles_go_to_the_root() {
        let manifest =
            "[package]\nname = \"a\"\n\n[workspace]\n\n[lib]\n[profile.dev]\ndebug = 0\n[dependencies]\n";
        let own = "[package]\nname = \"a\"\n\n[lib]\n[dependencies]\n";
        assert_eq!(split(manifest), (own.to_owned(), "[profile.dev]\ndebug = 0\n".to_owned()));
    }
}
