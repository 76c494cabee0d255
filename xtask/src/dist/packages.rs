//! Packs the command as `.deb` and `.rpm`, with the static binaries, so that one package serves every release of every distribution.

use super::commands::CPUS;
use super::place::{Place, sweep, write};
use super::tools::Tools;
use crate::shell::{Done, call, output};

/// The maintainer of the packages.
const MAINTAINER: &str = "The placemat authors <placemat@users.noreply.github.com>";

/// Packs what `commands` built. The manifest of `placemat-cli` says where each file goes.
pub(super) fn make(place: &Place, tools: &Tools) -> Done {
    tools.cargo(&["cargo-deb", "cargo-generate-rpm"])?;
    changelog(place)?;
    stamp(place)?;
    sweep(&place.out, |name| name.ends_with(".deb") || name.ends_with(".rpm"))?;
    for cpu in &CPUS {
        let mut deb = place.command("cargo-deb");
        deb.args([
            "-p",
            "placemat-cli",
            "--profile",
            "dist",
            "--no-build",
            "--no-strip",
            "--locked",
            "--quiet",
        ]);
        call(deb.args(["--target", cpu.musl, "--maintainer", MAINTAINER, "--output"]).arg(&place.out))?;
        let mut rpm = place.command("cargo-generate-rpm");
        rpm.args(["-p", "crates/placemat-cli", "--profile", "dist", "--target", cpu.musl, "--target-dir"]);
        rpm.arg(&place.build).args(["--auto-req", "disabled", "--source-date", &place.epoch]);
        call(rpm.arg("--output").arg(&place.out))?;
    }
    Ok(())
}

/// Writes the changelog of the package in Debian's format, and compresses the man pages as Debian wants.
fn changelog(place: &Place) -> Done {
    let mut date = place.command("date");
    let date = output(date.args(["--rfc-email", "--utc", &format!("--date=@{}", place.epoch)]))?;
    let version = &place.version;
    let text = format!(
        "placemat ({version}-1) unstable; urgency=medium\n\n  * Release {version}; /usr/share/doc/placemat/changelog.gz \
         says what is new.\n\n -- {MAINTAINER}  {date}"
    );
    write(&place.assets.join("debian/changelog"), text)?;
    let script = "rm -rf man-gz && cp -r man man-gz && gzip -n9 man-gz/*";
    call(place.command("sh").args(["-ec", script]).current_dir(&place.assets))
}

/// Sets the times of the files of an rpm to that of the commit, where they are older. An rpm keeps such times, and
/// files in a folder that was used before may have them.
fn stamp(place: &Place) -> Done {
    let mut find = place.command("find");
    find.args(["assets", "README.md", "GUIDE.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"]);
    find.args(CPUS.each_ref().map(|cpu| cpu.binary(place))).args(["-type", "f"]);
    let commit = format!("@{}", place.epoch);
    call(find.args(["!", "-newermt", &commit, "-exec", "touch", "--date", &commit, "--", "{}", "+"]))
}
