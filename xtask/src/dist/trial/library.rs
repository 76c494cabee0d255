//! Tests the C libraries in a root: programs are linked with the unpacked libraries, and run there.

use std::path::Path;
use std::process::Command;

use super::roots::chroot;
use crate::dist::c::linker;
use crate::dist::commands::CPUS;
use crate::dist::place::{Place, copy, read, write};
use crate::shell::{Done, call, output};

/// The output of the program in the README of the iconv library.
pub(super) const SAYS: &str = "creme brulee, 3 not identical\n";

/// Links the programs of the libraries' READMEs on this machine, since the root has no compiler, and runs them in the root.
pub(super) fn run(place: &Place, root: &Path, is_arm: bool) -> Done {
    let cpu = &CPUS[usize::from(is_arm)];
    let compiler = linker(&place.root, cpu.gnu)?;
    let (folder, local) = (root.join("release"), root.join("usr/local"));
    let page = read(&place.source.join("crates/placemat-c/README.md"))?;
    write(&folder.join("to-utf8.c"), code(&page, "<!-- program to-utf8.c -->")?)?;
    let mut pkg_config = Command::new("pkg-config");
    pkg_config.args(["--cflags", "--libs", "placemat"]).env("PKG_CONFIG_PATH", local.join("lib/pkgconfig"));
    let flags = output(&mut pkg_config)?;
    let mut cc = place.command(&compiler);
    cc.args(["-std=c11", "to-utf8.c", "-o", "to-utf8"]).args(flags.split_whitespace());
    call(cc.current_dir(&folder))?;
    let says = |line: &str| output(&mut chroot(root, &format!("ldconfig; {line}")));
    // If both went to one pipe, the C library would decide which comes first.
    let said = says("printf 'caf\\351 \\355\\240\\200' | ./to-utf8 cesu-8 2>errors; cat errors")?;
    expect(&said, "caf\u{FFFD} \u{FFFD}2 errors\n")?;
    iconv(place, root, &compiler, &format!("libplacemat_iconv-{}-{}.tar.gz", place.version, cpu.gnu))
}

/// The same with the library for iconv: linked, and then preloaded into a program that does not link it.
fn iconv(place: &Place, root: &Path, compiler: &Path, archive: &str) -> Done {
    let folder = root.join("release");
    copy(&place.out.join(archive), &folder)?;
    call(&mut chroot(root, &format!("tar xzf {archive} --strip-components=1 -C /usr/local && ldconfig")))?;
    let page = read(&place.source.join("crates/placemat-iconv/README.md"))?;
    write(&folder.join("menu.c"), code(&page, "## A program that links it")?)?;
    let library = root.join("usr/local/lib/libplacemat_iconv.so.0");
    for (name, library) in [("linked", Some(library)), ("preloaded", None)] {
        let mut cc = place.command(compiler);
        call(cc.args(["menu.c", "-o", name]).args(library).current_dir(&folder))?;
    }
    let says = |line: &str| output(&mut chroot(root, line));
    expect(&says("./linked")?, SAYS)?;
    expect(&says("LD_PRELOAD=/usr/local/lib/libplacemat_iconv.so ./preloaded")?, SAYS)
}

/// The block of code below a line of a page.
pub(super) fn code<'a>(page: &'a str, line: &str) -> Result<&'a str, String> {
    let block = page.split_once(line).and_then(|(_, rest)| rest.split("```").nth(1));
    let (_, code) = block.and_then(|block| block.split_once('\n')).ok_or_else(|| format!("no {line}"))?;
    Ok(code)
}

pub(super) fn expect(said: &str, wanted: &str) -> Done {
    if said == wanted { Ok(()) } else { Err(format!("{said:?} rather than {wanted:?}")) }
}
