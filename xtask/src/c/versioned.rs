//! Makes the shared library with versioned symbols. rustc gives the linker a script of its own, which gives them no
//! versions, so the library is linked again from the static one.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::shell::{Done, call, output};

/// Replaces the libplacemat.so in the folder `lib` by one that `linker` makes of libplacemat.a. `package` is the folder of the crate.
pub(crate) fn link(linker: &Path, lib: &Path, package: &Path) -> Done {
    // The link `libplacemat.so` leads to `libplacemat.so.0.1.0`, and `libplacemat.so.0` is the soname.
    let file = fs::canonicalize(lib.join("libplacemat.so")).map_err(|error| error.to_string())?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let soname: Vec<_> = name.splitn(4, '.').take(3).collect();
    let mut cc = Command::new(linker);
    cc.args(["-shared", "-s"]).arg(format!("-Wl,-soname,{}", soname.join(".")));
    cc.arg(format!("-Wl,--version-script={}", package.join("placemat.map").display()));
    cc.args(["-Wl,--gc-sections,-z,relro,-z,now,--as-needed", "-Wl,--whole-archive"]);
    cc.arg(lib.join("libplacemat.a")).arg("-Wl,--no-whole-archive");
    call(cc.args(["-lgcc_s", "-lpthread", "-ldl", "-lm", "-o"]).arg(&file))?;
    check(&file)
}

/// Checks that each function that the library exports has a version.
fn check(library: &Path) -> Done {
    let said =
        output(Command::new("nm").args(["-D", "--defined-only", "--with-symbol-versions"]).arg(library))?;
    let mut functions = said.lines().filter(|line| line.contains(" T ")).peekable();
    let is_right = functions.peek().is_some() && functions.all(|line| line.contains("@@PLACEMAT_"));
    if is_right {
        Ok(())
    } else {
        Err(format!("{} has symbols without versions:\n{said}", library.display()))
    }
}
