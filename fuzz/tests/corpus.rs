//! Every property on every input that is kept: seeds, which are a few texts and what of the fuzzers' corpora reaches as
//! much as all of them, and what once failed.

use std::fs;
use std::path::{Path, PathBuf};

fn within(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.expect("a folder can be read").path())
}

#[test]
fn corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut inputs = placemat_fuzz::ALL.map(|(name, property)| (name, property, 0));
    for folder in ["seeds", "regressions"].iter().flat_map(|kind| within(&root.join(kind))) {
        let target = inputs.iter_mut().find(|(name, ..)| folder.ends_with(name));
        let (_, property, count) = target.unwrap_or_else(|| panic!("{} is no target's", folder.display()));
        for file in within(&folder) {
            // Shown when the property fails.
            println!("{}", file.display());
            property(&fs::read(&file).expect("an input can be read"));
            *count += 1;
        }
    }
    for (name, _, count) in inputs {
        assert!(count > 0, "{name} has no inputs");
    }
}
