//! Tests the hooks for pre-commit: the real one installs them from this repository and runs them on a small project.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::shell::{Done, call, command, output, python_with, root, target};

/// The program that installs and runs hooks, as a requirement for pip.
const PRE_COMMIT: &str = "pre-commit==4.7.0";

/// A name with characters that may break a shell command or a list.
const BAD: &str = "a bad 'é'.txt";

pub(crate) fn run() -> Done {
    let folder = root().join("target/hooks");
    let bin = python_with(&folder.join("venv"), &[PRE_COMMIT])?;
    call(&mut command("cargo build --quiet -p placemat-cli"))?;
    let commit = output(&mut command("git rev-parse HEAD"))?;
    for hook in ["placemat-system", "placemat", "placemat-patch"] {
        let project = folder.join(hook);
        let _ = fs::remove_dir_all(&project);
        prepare(&project, hook, commit.trim()).map_err(|error| format!("{}: {error}", project.display()))?;
        git(&project, &["init", "--quiet"])?;
        git(&project, &["add", "."])?;
        let run = || hooks(&bin.join("pre-commit"), &folder, &project);
        let (is_well, said) = run()?;
        if is_well || !said.contains(BAD) || !said.contains("1:4") || said.contains("fine.txt") {
            return Err(format!("{hook}: it did not fail at the malformed file, and only there:\n{said}"));
        }
        fs::write(project.join(BAD), "café\n").map_err(|error| error.to_string())?;
        git(&project, &["add", "."])?;
        let (is_well, said) = run()?;
        if !is_well || !said.contains("Passed") {
            return Err(format!("{hook}: failed without a malformed file:\n{said}"));
        }
        eprintln!("{hook}: installed; failed with a malformed file, passed without one");
    }
    Ok(())
}

/// Makes a project with one malformed file, which takes this hook from the last commit here.
fn prepare(project: &Path, hook: &str, commit: &str) -> std::io::Result<()> {
    fs::create_dir_all(project)?;
    let (repo, hooks) = (root(), format!("  hooks:\n  - id: {hook}\n"));
    let config = format!("repos:\n- repo: {}\n  rev: {commit}\n{hooks}", repo.display());
    fs::write(project.join(".pre-commit-config.yaml"), config)?;
    fs::write(project.join("fine.txt"), "naïve\n")?;
    fs::write(project.join(BAD), b"caf\xE9\n")
}

fn git(project: &Path, args: &[&str]) -> Done {
    output(Command::new("git").arg("-C").arg(project).args(args)).map(drop)
}

/// Runs the hooks on all files. Returns whether they passed, and what they printed.
fn hooks(pre_commit: &Path, folder: &Path, project: &Path) -> Result<(bool, String), String> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(target().join("debug")).chain(std::env::split_paths(&paths));
    let paths = std::env::join_paths(paths).map_err(|error| error.to_string())?;
    let mut run = Command::new(pre_commit);
    run.args(["run", "--all-files", "--color=never"]).current_dir(project).env("PATH", paths);
    run.env("PRE_COMMIT_HOME", folder.join("home")).env("CARGO_TARGET_DIR", folder.join("target"));
    // It is installed as a release build; its speed does not matter here.
    run.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("CARGO_PROFILE_RELEASE_LTO", "off");
    run.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16").env("CARGO_PROFILE_RELEASE_DEBUG", "false");
    let ran = run.output().map_err(|error| format!("cannot run pre-commit: {error}"))?;
    let said = [ran.stdout, ran.stderr].concat();
    Ok((ran.status.success(), String::from_utf8_lossy(&said).into_owned()))
}
