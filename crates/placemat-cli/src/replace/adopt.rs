//! Copies to a new file what it must keep of the file that it replaces.

use std::fs::{File, Metadata};
use std::path::Path;
#[cfg(unix)]
use std::{ffi::OsString, io};

use anyhow::Result;

/// Gives the new file the owner, the extended attributes and the permissions of the `original` at `path`.
#[cfg(unix)]
pub(super) fn adopt(file: &File, path: &Path, original: &Metadata) -> Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};

    use anyhow::Context as _;
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (original.uid(), original.gid()) {
        fchown(file, Some(original.uid()), Some(original.gid())).context("its owner cannot be kept")?;
    }
    adopt_attributes(file, &File::open(path)?).context("its extended attributes cannot be kept")?;
    // Last: until the access control list is right, nobody else may read the file. Setting a list has set the mode already.
    let mode = original.mode() & 0o1777;
    if file.metadata()?.mode() & 0o7777 != mode {
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    Ok(())
}

/// Gives the file the extended attributes of the original; the access control list is one of them.
#[cfg(unix)]
fn adopt_attributes(file: &File, original: &File) -> io::Result<()> {
    use xattr::FileExt as _;
    let kept = attributes(original)?;
    for name in &kept {
        if let Some(value) = original.get_xattr(name)? {
            file.set_xattr(name, &value)?;
        }
    }
    // Remove the access control list that the folder gives to new files.
    for name in attributes(file)? {
        if begins(&name, b"system.") && !kept.contains(&name) {
            file.remove_xattr(&name)?;
        }
    }
    Ok(())
}

/// The names of the attributes that we may set: labels and capabilities are left to the system.
#[cfg(unix)]
fn attributes(file: &File) -> io::Result<Vec<OsString>> {
    let is_ours = |name: &OsString| !begins(name, b"security.") && !begins(name, b"trusted.");
    match xattr::FileExt::list_xattr(file) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(Vec::new()),
        names => Ok(names?.filter(is_ours).collect()),
    }
}

#[cfg(unix)]
fn begins(name: &OsString, with: &[u8]) -> bool {
    name.as_encoded_bytes().starts_with(with)
}

#[cfg(not(unix))]
pub(super) fn adopt(file: &File, _: &Path, original: &Metadata) -> Result<()> {
    Ok(file.set_permissions(original.permissions())?)
}
