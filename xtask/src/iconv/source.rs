//! Fetches Debian's source packages, which tests read and do not keep.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Done, call, root};

/// Gets `$PACKAGE` without changing the package lists of the machine, and unpacks the files that match `$PATTERN`.
const FETCH: &str = "\
uri=$(grep -h '^URIs' /etc/apt/sources.list.d/*.sources | head -n 1 | cut -d ' ' -f 2)
suite=$(. /etc/os-release && echo \"$VERSION_CODENAME\")
echo \"deb-src $uri $suite main\" > list && mkdir -p lists
apt=\"apt-get -qq -o Dir::Etc::SourceList=$PWD/list -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists=$PWD/lists\"
$apt update
$apt source --download-only $PACKAGE
tar xf ${PACKAGE}_*.orig.tar.xz --wildcards \"$PATTERN\"";

/// A folder below `target` with those files of a source package.
pub(super) fn fetch(package: &str, pattern: &str) -> Result<PathBuf, String> {
    let folder = root().join("target").join(format!("iconv-{package}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut fetch = Command::new("sh");
    call(
        fetch.args(["-e", "-c", FETCH]).env("PACKAGE", package).env("PATTERN", pattern).current_dir(&folder),
    )?;
    Ok(folder)
}

/// The folder `inner` of the one source tree in `folder`.
pub(super) fn inside(folder: &Path, inner: &str) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found = entries.map(|entry| entry.path().join(inner)).filter(|path| path.is_dir());
    found.next().ok_or_else(|| format!("{inner} is not in the source package"))
}

/// Compares the charmaps of glibc's source with what is read and written here.
pub(super) fn charmaps(beside: &mut Command) -> Done {
    let folder = fetch("glibc", "*/localedata/charmaps/*")?;
    call(beside.arg("charmaps").arg(inside(&folder, "localedata/charmaps")?))
}
