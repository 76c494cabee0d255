//! Runs git's own test scripts for encodings, from Debian's source package, with Debian's git. Each script that passes
//! with the C library's iconv must pass under the preload. The scripts are not kept here.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::source;
use crate::shell::Done;

/// What a build of git would leave beside the tests: options, and a program that these scripts use only for the size of a file.
const OPTIONS: &str = "SHELL_PATH=/bin/sh\nTEST_SHELL_PATH=/bin/sh\nPERL_PATH=/usr/bin/perl\nDIFF=diff\nTAR=tar\nNO_GETTEXT=1\n";
const HELPER: &str = "#!/bin/sh\nexit 1\n";

const SCRIPTS: [&str; 7] = [
    "t0028-working-tree-encoding.sh",
    "t3434-rebase-i18n.sh",
    "t3900-i18n-commit.sh",
    "t3901-i18n-patch.sh",
    "t4201-shortlog.sh",
    "t4210-log-i18n.sh",
    "t8005-blame-i18n.sh",
];

pub(super) fn run(library: &Path) -> Done {
    let tests = source::inside(&source::fetch("git", "*/t/*")?, "t")?;
    prepare(&tests).map_err(|error| error.to_string())?;
    let (mut passed, mut failed) = (0, Vec::new());
    for script in SCRIPTS {
        let Some(without) = passes(&tests, script, None) else {
            println!("{script} does not pass without us");
            continue;
        };
        for habit in ["", "glibc"] {
            match passes(&tests, script, Some((library, habit))) {
                Some(count) if count == without => passed += count,
                other => failed.push(format!("{script} {habit}: {other:?} of {without}")),
            }
        }
    }
    println!("{passed} tests of git pass with both, under POSIX's rules and under glibc's");
    if passed < 200 || !failed.is_empty() {
        Err(format!("under the preload fail: {failed:?}"))
    } else {
        Ok(())
    }
}

fn prepare(tests: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let helper = tests.join("helper/test-tool");
    fs::create_dir_all(tests.join("helper"))?;
    fs::create_dir_all(tests.join("../templates/blt"))?;
    fs::write(tests.join("../GIT-BUILD-OPTIONS"), OPTIONS)?;
    fs::write(&helper, HELPER)?;
    fs::set_permissions(helper, fs::Permissions::from_mode(0o755))
}

/// The number of tests of a script that passed; `None` if one failed.
fn passes(tests: &Path, name: &str, preload: Option<(&Path, &str)>) -> Option<usize> {
    let mut script = Command::new("sh");
    script.arg(format!("./{name}")).current_dir(tests).stdin(Stdio::null()).stderr(Stdio::null());
    script
        .env("GIT_TEST_INSTALLED", "/usr/bin")
        .env("GIT_TEST_TEMPLATE_DIR", "/usr/share/git-core/templates");
    // Otherwise they unset LD_PRELOAD.
    script.env("TEST_NO_MALLOC_CHECK", "1");
    if let Some((library, habit)) = preload {
        script.env("LD_PRELOAD", library).env("PLACEMAT_ICONV", habit);
    }
    let output = script.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(text.lines().filter(|line| line.starts_with("ok ")).count()).filter(|&count| count > 0)
}
