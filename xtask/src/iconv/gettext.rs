//! Runs gettext's own test scripts, from Debian's source package, with Debian's programs. Each script that passes with
//! the C library's iconv must pass under the preload. The scripts are not kept here.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::source;
use crate::shell::{Done, call};

/// Makes the file that the scripts read first, as `configure` would.
const PREPARE: &str = "\
mkdir -p ../src
sed -e 's/@GLIBC2@/yes/' -e 's/@LOCALE_[A-Z0-9_]*@/none/' -e 's/@[A-Za-z0-9_]*@//' init-env.in > init-env";

/// The programs whose scripts are run.
const PROGRAMS: [&str; 7] = ["msgconv", "msgcat", "msguniq", "msgmerge", "msgfmt", "msgfilter", "msgen"];

pub(super) fn run(library: &Path) -> Done {
    let tests = source::inside(&source::fetch("gettext", "*/gettext-tools/tests/*")?, "gettext-tools/tests")?;
    call(Command::new("sh").args(["-e", "-c", PREPARE]).current_dir(&tests))?;
    let (mut passed, mut failed) = (0, Vec::new());
    for name in scripts(&tests) {
        if !passes(&tests, &name, None) {
            continue;
        }
        // The scripts expect an error for a character that the target lacks.
        if passes(&tests, &name, Some(library)) { passed += 1 } else { failed.push(name) }
    }
    println!("{passed} scripts of gettext pass with both");
    if passed < 50 || !failed.is_empty() {
        Err(format!("under the preload fail: {failed:?}"))
    } else {
        Ok(())
    }
}

/// Names such as `msgconv-1`, sorted.
fn scripts(tests: &Path) -> Vec<String> {
    let entries = fs::read_dir(tests).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_script = |name: &String| {
        let numbered = name.split_once('-').filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()));
        numbered.is_some_and(|(program, _)| PROGRAMS.contains(&program))
    };
    let mut names: Vec<_> = names.filter(is_script).collect();
    names.sort();
    names
}

fn passes(tests: &Path, name: &str, preload: Option<&Path>) -> bool {
    let mut script = Command::new("bash");
    script.arg(format!("./{name}")).current_dir(tests).env("srcdir", ".").env("LC_ALL", "");
    script.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(library) = preload {
        script.env("LD_PRELOAD", library).env("PLACEMAT_ICONV", "glibc");
    }
    script.status().is_ok_and(|status| status.success())
}
