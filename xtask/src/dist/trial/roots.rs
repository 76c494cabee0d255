//! Roots of other systems, to install into. They need root, `mmdebstrap` and, for another CPU, `qemu-user-static` with its binfmt.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::dist::place::{Place, copy, create};
use crate::shell::{Done, call};

/// What the roots of Debian have: no compiler, but a manual and completions to look into, and Python.
const PACKAGES: &str = "man-db,bash,bash-completion,python3,python3-venv,python3-pip";

/// A system to install into.
pub(super) enum Root {
    /// A release of Debian for a CPU.
    Debian(&'static str, &'static str),
    /// Debian's Node, without npm, which would bring a compiler.
    Node,
    /// A folder with busybox and nothing else.
    Busybox,
}

impl Root {
    /// Makes the root anew. Returns its folder, which contains a folder `release`.
    pub(super) fn fresh(&self, place: &Place, name: &str) -> Result<PathBuf, String> {
        let folder = place.root.join("roots");
        let root = folder.join(name);
        if root.exists() {
            fs::remove_dir_all(&root).map_err(|error| format!("{}: {error}", root.display()))?;
        }
        create(&root)?;
        match self {
            Root::Debian(suite, cpu) => {
                unpack(&root, &folder.join(format!("{suite}-{cpu}.tar")), suite, cpu, PACKAGES)?;
            }
            Root::Node => unpack(&root, &folder.join("node.tar"), "bookworm", "amd64", "nodejs")?,
            Root::Busybox => busybox(&root)?,
        }
        create(&root.join("release"))?;
        Ok(root)
    }
}

/// Lets the kernel run programs for AArch64 by qemu. On a fresh machine this must be registered first.
pub(super) fn emulate() -> Done {
    let registry = Path::new("/proc/sys/fs/binfmt_misc");
    if !registry.join("register").exists() {
        call(Command::new("mount").args(["-t", "binfmt_misc", "binfmt_misc"]).arg(registry))?;
    }
    if !registry.join("qemu-aarch64").exists() {
        call(Command::new("update-binfmts").args(["--enable", "qemu-aarch64"]))?;
    }
    Ok(())
}

/// Unpacks a root from `archive`, which is downloaded once.
fn unpack(root: &Path, archive: &Path, suite: &str, cpu: &str, packages: &str) -> Done {
    if !archive.exists() {
        bootstrap(suite, cpu, packages, archive)?;
    }
    call(Command::new("tar").arg("-xpf").arg(archive).arg("-C").arg(root))
}

/// Downloads a root.
fn bootstrap(suite: &str, cpu: &str, packages: &str, archive: &Path) -> Done {
    // Written under another name first, so that half an archive is never taken for a whole one.
    let part = archive.with_extension("part.tar");
    let mut debian = Command::new("mmdebstrap");
    debian.args(["--quiet", "--variant=minbase", "--skip=check/qemu"]).arg(format!("--include={packages}"));
    debian.arg(format!("--architectures={cpu}"));
    // Small roots leave out the packages' documentation; the manual must stay.
    call(debian.arg(suite).arg(&part))?;
    fs::rename(&part, archive).map_err(|error| error.to_string())
}

/// A root with busybox, which Debian has as a static binary.
fn busybox(root: &Path) -> Done {
    for folder in ["bin", "tmp", "dev", "usr/local/bin", "var/lib"] {
        create(&root.join(folder))?;
    }
    copy(Path::new("/bin/busybox"), &root.join("bin"))?;
    call(Command::new("chroot").arg(root).args(["/bin/busybox", "--install", "-s", "/bin"]))?;
    // Scripts redirect output to it.
    call(Command::new("mknod").args(["-m", "666"]).arg(root.join("dev/null")).args(["c", "1", "3"]))
}

/// A command that runs a line of shell in the folder `release` of a root, with a clean environment.
pub(super) fn chroot(root: &Path, line: &str) -> Command {
    let mut command = Command::new("chroot");
    command.arg(root).args(["/bin/sh", "-ec", &format!("cd /release; {line}")]);
    command.env_clear().env("LC_ALL", "C.UTF-8").env("HOME", "/tmp");
    command.env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    command
}
