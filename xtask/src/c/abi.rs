//! Compares the ABI of libplacemat, as the header declares it, with the one that was recorded.
//!
//! From the library itself `abidw` would mostly read types of Rust. So this makes a library of empty functions from the header.
//! A test of the crate checks that the real library exports the same functions, and cbindgen makes the header from its types.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::is_installed;
use crate::shell::{Done, call, output, root, target};

/// Writes the ABI, or compares it with the recorded one.
pub(super) fn run(record: bool) -> Done {
    if !["cc", "abidw", "abidiff"]
        .iter()
        .all(|tool| is_installed(tool, "the comparison of the ABI (Debian: abigail-tools)"))
    {
        return if record { Err("nothing is recorded".to_owned()) } else { Ok(()) };
    }
    let kept = root().join("api/libplacemat.abi");
    let library = stub()?;
    if record {
        let mut abidw = Command::new("abidw");
        abidw.args([
            "--no-corpus-path",
            "--no-comp-dir-path",
            "--no-show-locs",
            "--load-all-types",
            "--out-file",
        ]);
        return call(abidw.arg(&kept).arg(&library));
    }
    let said =
        Command::new("abidiff").arg(&kept).arg(&library).output().map_err(|error| error.to_string())?;
    match said.status.code() {
        Some(0) => Ok(()),
        // 8: programs that were compiled against the old ABI do not run with the new one. 4: it changed in some way.
        Some(code) => {
            let text = String::from_utf8_lossy(&said.stdout);
            let advice = if code & 8 == 0 {
                "if it only grew: cargo xtask c abi --record"
            } else {
                "this breaks programs"
            };
            Err(format!("the ABI is not the one that is recorded; {advice}\n{text}"))
        }
        None => Err("abidiff was ended".to_owned()),
    }
}

/// A shared library of empty functions with the ABI of the header.
fn stub() -> Result<PathBuf, String> {
    let header = root().join("crates/placemat-c/include/placemat.h");
    let text = fs::read_to_string(&header).map_err(|error| format!("{}: {error}", header.display()))?;
    let folder = target().join("c");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (source, library) = (folder.join("stub.c"), folder.join("libplacemat-stub.so"));
    fs::write(&source, stub_of(&text)).map_err(|error| error.to_string())?;
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-g", "-w", "-shared", "-fPIC", "-Wl,-soname,libplacemat.so.0"]);
    // The build folder must not be in the record.
    cc.arg(format!("-ffile-prefix-map={}=.", folder.display())).arg("-I");
    cc.arg(header.parent().unwrap_or(Path::new("."))).arg(source).arg("-o").arg(&library);
    output(&mut cc)?;
    Ok(library)
}

/// Each function of a header with an empty body, a value of each enumeration, and one of each macro that is a number.
fn stub_of(header: &str) -> String {
    let mut stub = "#include <placemat.h>\n".to_owned();
    let mut is_inside = false;
    for line in header.lines().filter(|line| !line.trim_start().starts_with(['/', '*'])) {
        if let Some(name) = line.strip_prefix("typedef enum ") {
            let name = name.trim_end_matches(" {");
            stub += &format!("{name} stub_{name};\n");
        } else if line.starts_with("#define PLACEMAT_VERSION") {
            // Each release has another value.
        } else if let Some((name, value)) =
            line.strip_prefix("#define ").and_then(|rest| rest.split_once(' '))
        {
            stub += &format!("enum stub_{name} {{ stub_{name} = {value} }} stub_of_{name};\n");
        } else if is_inside || line.contains('(') && !line.starts_with([' ', 't', '#']) {
            is_inside = !line.ends_with(");");
            stub += &line.replace(");", ") { for (;;); }");
            stub += "\n";
        }
    }
    stub
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_get_bodies_and_numbers_values() {
        let header =
            "#define A 1\n/** (x); */\ntypedef enum e {\n    X = 0,\n} e;\nint f(int a,\n      int b);\n";
        let stub = stub_of(header);
        assert!(
            stub.contains("int f(int a,\n      int b) { for (;;); }\n") && stub.contains("e stub_e;"),
            "{stub}"
        );
        assert!(stub.contains("stub_A = 1") && !stub.contains("x"), "{stub}");
    }
}
