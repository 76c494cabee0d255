//! Every property on every input that is kept: seeds, what grew from them, and what once failed.

use std::fs;
use std::path::Path;

#[test]
fn corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, property) in placemat_fuzz::ALL {
        let mut inputs = 0;
        for folder in ["seeds", "regressions"] {
            for file in fs::read_dir(root.join(folder).join(name)).into_iter().flatten().flatten() {
                let input = fs::read(file.path()).expect("an input can be read");
                eprintln!("{}", file.path().display());
                property(&input);
                inputs += 1;
            }
        }
        assert!(inputs > 0, "{name} has no inputs");
    }
}
