//! `--baseline` and `--write-baseline`: errors that are known.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::console;
use crate::escape;
use crate::replace::{Protection, Replacement};
use crate::report::human::{number, plural};
use placemat_text::baseline::{Baseline, line_of, line_of_run};
use placemat_text::faults::Finding;
use placemat_text::faults::run::Run;

/// Which errors are not counted.
pub(super) enum Known {
    Nothing,
    /// The errors in this file.
    Baseline(PathBuf, Baseline),
    /// All; they are written to this file.
    Everything(PathBuf, Baseline),
}

impl Known {
    /// # Errors
    /// A baseline that cannot be read, or is none.
    pub(super) fn of(read: Option<&Path>, written: Option<&Path>) -> Result<Known> {
        if let Some(path) = written {
            ensure!(
                path.as_os_str() != "-",
                "--write-baseline -: standard output gets the report; name a file for the baseline"
            );
            // An error comes before the work, not after it.
            drop(Replacement::of(path, Protection::default())?);
            return Ok(Known::Everything(path.to_path_buf(), Baseline::default()));
        }
        let Some(path) = read else { return Ok(Known::Nothing) };
        let baseline = fs::read(path).map_err(anyhow::Error::from);
        let baseline = baseline.and_then(|file| Ok(Baseline::parse(&file)?));
        let baseline = baseline.with_context(|| format!("--baseline {}", escape::path(path)))?;
        Ok(Known::Baseline(path.to_path_buf(), baseline))
    }

    /// Whether each error must be compared with the known ones.
    pub(super) fn asks(&self) -> bool {
        !matches!(self, Known::Nothing)
    }

    /// Whether this error is known.
    pub(super) fn has(&mut self, path: &Path, finding: &Finding<'_>) -> bool {
        self.take(path, finding.kind.name(), || line_of(finding))
    }

    /// Whether this run of well-formed text is known.
    pub(super) fn has_run(&mut self, path: &Path, run: &Run<'_>) -> bool {
        self.take(path, run.name(), || line_of_run(run))
    }

    fn take(&mut self, path: &Path, kind: &str, line: impl FnOnce() -> String) -> bool {
        match self {
            Known::Nothing => false,
            Known::Baseline(_, baseline) => baseline.take(path, kind, &line()),
            Known::Everything(_, baseline) => {
                baseline.add(path, kind, &line());
                true
            }
        }
    }

    /// Notes that the file was read to its end.
    pub(super) fn read(&mut self, path: &Path) {
        if let Known::Baseline(_, baseline) = self {
            baseline.read(path);
        }
    }

    /// Writes the new baseline, or reports known errors that are no longer found.
    ///
    /// # Errors
    /// Those of writing.
    pub(super) fn finish(self) -> Result<()> {
        match self {
            Known::Nothing => {}
            Known::Baseline(path, baseline) => {
                for gone in baseline.gone(|path| path.as_os_str() == "-" || path.exists()) {
                    console::say(&format!("{}: no longer found: {gone}", escape::path(&path)));
                }
            }
            Known::Everything(path, baseline) => {
                let mut out = Replacement::of(&path, Protection::default())?;
                baseline.write(&mut out).with_context(|| escape::path(&path).to_string())?;
                out.commit(None)?;
                let (errors, files) = baseline.totals();
                let (s, f) = (plural(errors), plural(files));
                let name = escape::path(&path);
                console::say(&format!(
                    "{name}: {} known error{s} in {} file{f}",
                    number(errors),
                    number(files)
                ));
            }
        }
        Ok(())
    }
}
