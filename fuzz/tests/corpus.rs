//! Runs every property on every input that is kept: the seeds (some texts, and a selection of the fuzzers' inputs that
//! reaches as much as all of them), and the inputs that once failed.

mod seeds;

use std::fs;
use std::path::{Path, PathBuf};

fn within(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.expect("a folder can be read").path())
}

#[test]
fn every_seed_keeps_its_property() {
    for (name, property) in placemat_fuzz::ALL {
        let seeds = seeds::of(name);
        assert!(!seeds.is_empty(), "{name} has no seeds");
        for seed in seeds {
            // Shown when the property fails.
            println!("{name}: {}", seed.escape_ascii());
            property(&seed);
        }
    }
}

#[test]
fn what_once_failed_keeps_its_property() {
    for folder in within(&Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions")) {
        let target = placemat_fuzz::ALL.iter().find(|(name, _)| folder.ends_with(name));
        let (_, property) = target.unwrap_or_else(|| panic!("{} belongs to no target", folder.display()));
        for file in within(&folder) {
            println!("{}", file.display());
            property(&fs::read(&file).expect("an input can be read"));
        }
    }
}

#[test]
fn every_file_of_seeds_belongs_to_a_target() {
    for path in within(&Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds")) {
        let is_of = |name: &str| path.file_name().is_some_and(|file| *file == *format!("{name}.txt"));
        assert!(placemat_fuzz::ALL.iter().any(|(name, _)| is_of(name)), "{}", path.display());
    }
}
