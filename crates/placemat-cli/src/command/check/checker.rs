//! Counts the errors of one input.

use std::io::{self, Read, Seek as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Error, Result};
use placemat::Form;
use placemat::invisible::Kinds;

use super::Args;
use crate::input::{HEAD, Input, Packed, is_binary};
use crate::pool::Pool;
use crate::portion;
use crate::rules::Rulebook;
use crate::spans::{self, Counts, Cut};
use crate::walk::Entry;
use placemat_text::charset::Charset;
use placemat_text::faults::breach::{Breach, breaches};
use placemat_text::faults::declaration::{contradiction, may_contradict};
use placemat_text::faults::locate::{Search, search};
use placemat_text::faults::run::{self, Sought};
use placemat_text::faults::seeming::Seeming;
use placemat_text::faults::{Totals, announces_other_form};
use placemat_text::rules::Demand;

/// Checks one input.
pub(super) struct Checker<'a> {
    search: Search,
    /// -f was given: it overrides what a rule says.
    is_told: bool,
    rules: Arc<Rulebook>,
    /// Files of a tree that look binary are read too.
    binary: bool,
    pub(super) unpack: bool,
    /// Runs of mojibake are errors too.
    mojibake: bool,
    /// These kinds of characters that are not shown are errors too; `None` leaves it to the rules.
    invisible: Option<Kinds>,
    /// What a file with errors seems to be as a whole is reported.
    judges: bool,
    pool: &'a Pool,
}

/// How one file is to be checked.
#[derive(Clone, Copy)]
struct Plan {
    search: Search,
    demand: Demand,
    binary: bool,
    sought: Sought,
    /// It is an error if its head declares another encoding.
    hears: bool,
}

/// What became of one entry.
pub(super) enum Checked {
    Counted(Counted),
    /// It can be read only once, so it is read when its turn to be reported comes.
    AtTurn(Input, Search),
    /// It is not read, for this reason.
    Skipped(PathBuf, &'static str),
    Failed(PathBuf, Error),
}

/// An input that was read, and can be read again.
pub(super) struct Counted {
    pub(super) input: Input,
    pub(super) search: Search,
    pub(super) totals: Totals,
    pub(super) breaches: Vec<Breach>,
    /// What it seems to be as a whole, if not UTF-8.
    pub(super) seeming: Option<Seeming>,
    /// Runs of well-formed text that are looked for, and how many there are.
    pub(super) sought: Sought,
    pub(super) runs: u64,
    /// What was counted in the same pass as the errors, if it was.
    at_once: Option<Counts>,
    /// It is an error if its head declares another encoding.
    hears: bool,
    /// The error at which reading ended early.
    pub(super) broken: Option<io::Error>,
}

impl Checker<'_> {
    pub(super) fn new<'a>(args: &Args, rules: &Arc<Rulebook>, pool: &'a Pool) -> Result<Checker<'a>> {
        let charset = args.from.as_deref().map(|name| args.naming.charset(name)).transpose()?;
        let is_told = charset.is_some();
        let charset = charset.unwrap_or(Form::Utf8.into());
        let search = Search { heeds_marks: !is_told, limit: args.limit(), ..Search::new(charset) };
        let (binary, unpack) = (args.selection.binary, args.selection.unpack);
        Ok(Checker {
            search,
            is_told,
            rules: Arc::clone(rules),
            binary,
            unpack,
            mojibake: args.mojibake,
            invisible: args.invisible,
            judges: !is_told && (args.limit() > 0 || args.mojibake),
            pool,
        })
    }

    /// The runs to look for in an input of which the rules demand this; none unless it is UTF-8.
    fn sought_under(&self, demand: &Demand, charset: Charset) -> Sought {
        if charset != Form::Utf8 && charset != Form::Utf8Bom {
            return Sought::NONE;
        }
        Sought { mojibake: self.mojibake, hidden: demand.forbidden(self.invisible), ..Sought::NONE }
    }

    /// The runs to look for in an input that can be read only once.
    pub(super) fn sought(&self, input: &Input, charset: Charset) -> Sought {
        self.sought_under(&self.rules.of(input), charset)
    }

    fn plan(&self, path: &Path) -> Plan {
        let asked = self.rules.demand(path);
        let demand = asked.unwrap_or_default();
        let mut search = self.search;
        if let Some(charset) = demand.charset.filter(|_| !self.is_told) {
            search = Search { charset, heeds_marks: false, ..search };
        }
        // In a form with wider code units a NUL is common.
        let binary = self.binary || asked.is_some() || search.charset.unit() > 1;
        let sought = self.sought_under(&demand, search.charset);
        Plan { search, demand, binary, sought, hears: self.hears(search) }
    }

    pub(super) fn check(&self, entry: Entry) -> Checked {
        match entry {
            Entry::Skipped(path) => {
                let reason = if is_hidden(&path) { "hidden" } else { "not a file" };
                Checked::Skipped(path, reason)
            }
            Entry::Failed(path, error) => Checked::Failed(path, error.into()),
            Entry::Input(Input::Stdin) => Checked::AtTurn(Input::Stdin, self.search),
            Entry::Input(input) => {
                let path = input.path().to_path_buf();
                let plan = self.plan(&path);
                if plan.demand.is_allowed {
                    return Checked::Skipped(path, "allowed");
                }
                let checked = self.count(input, plan).and_then(|checked| self.judge(checked));
                let checked = checked.and_then(|checked| self.declared(checked));
                let checked = checked.and_then(|checked| self.runs(checked));
                checked.unwrap_or_else(|error| Checked::Failed(path, error))
            }
        }
    }

    fn count(&self, input: Input, mut plan: Plan) -> Result<Checked> {
        let Plan { search, binary, .. } = plan;
        let is_found = matches!(input, Input::Found(_));
        if !is_found && !input.metadata()?.is_file() {
            return Ok(Checked::AtTurn(input, search));
        }
        let (mut file, is_file) = input.open()?;
        if !is_file {
            return Ok(Checked::Skipped(input.path().to_path_buf(), "not a file"));
        }
        let head = portion::head(&file)?;
        if self.unpack && Packed::of(&head).is_some() {
            return self.count_stream(input, plan);
        }
        if is_found && !binary && is_binary(&head) {
            return Ok(Checked::Skipped(input.path().to_path_buf(), "binary"));
        }
        if search.charset != Form::Utf8 {
            return self.count_stream(input, plan);
        }
        plan.hears &= may_contradict(&head);
        if search.heeds_marks && announces_other_form(&head) {
            let bytes = file.metadata()?.len();
            let totals = Totals { bytes, errors: 1 };
            return Ok(Checked::Counted(plan.counted(input, totals, Vec::new(), None)));
        }
        let counts = spans::count(&file, self.pool, Cut::default(), plan.sought)?;
        let breaches = plan.breaches(|| {
            // On Windows reading at a position moves the file pointer.
            file.rewind()?;
            Ok(Box::new(file))
        })?;
        let counted = plan.counted(input, counts.totals, breaches, None);
        Ok(Checked::Counted(Counted { at_once: Some(counts), ..counted }))
    }

    /// Whether a file that is not well-formed is judged as a whole.
    pub(super) fn judges(&self, charset: Charset) -> bool {
        self.judges && charset == Form::Utf8
    }

    /// Adds what the whole of it seems to be, if it has errors.
    fn judge(&self, checked: Checked) -> Result<Checked> {
        match checked {
            Checked::Counted(mut counted)
                if counted.malformed() > 0 && self.judges(counted.search.charset) =>
            {
                // A file that breaks off here is not judged.
                let mut reader = counted.input.reader(self.unpack)?;
                let heeds_marks = counted.search.heeds_marks;
                let seeming = Seeming::of(&mut *reader).unwrap_or_default();
                counted.seeming = seeming.filter(|seeming| !(heeds_marks && seeming.has_mark()));
                Ok(Checked::Counted(counted))
            }
            checked => Ok(checked),
        }
    }

    /// Whether a file may declare its own encoding: not where the user or a rule names it.
    pub(super) fn hears(&self, search: Search) -> bool {
        !self.is_told && search.heeds_marks && search.charset == Form::Utf8
    }

    /// Adds an error where a file in UTF-8 declares another encoding.
    fn declared(&self, checked: Checked) -> Result<Checked> {
        match checked {
            Checked::Counted(mut counted) if counted.is_utf8() && counted.hears => {
                let found = contradiction(&mut *counted.input.reader(self.unpack)?);
                // An error of reading is reported already.
                if let Ok(Some(breach)) = found {
                    let at = counted.breaches.partition_point(|other| other.offset <= breach.offset);
                    counted.breaches.insert(at, breach);
                    counted.totals.errors += 1;
                }
                Ok(Checked::Counted(counted))
            }
            checked => Ok(checked),
        }
    }

    /// Counts the runs of well-formed text that are looked for. A file that is not UTF-8 has none.
    fn runs(&self, checked: Checked) -> Result<Checked> {
        let counted = match checked {
            Checked::Counted(counted) if counted.is_utf8() => counted,
            checked @ (Checked::Counted(_)
            | Checked::AtTurn(..)
            | Checked::Skipped(..)
            | Checked::Failed(..)) => {
                return Ok(checked);
            }
        };
        let (runs, broken) = match &counted.at_once {
            Some(counts) => (counts.hidden + spans::misread(&counted.input, &counts.suspects)?, None),
            None => {
                let mut open = || counted.input.reader(self.unpack);
                run::search(&mut open, counted.sought, 0, &mut |_| anyhow::Ok(()))?
            }
        };
        let broken = counted.broken.or(broken);
        Ok(Checked::Counted(Counted { runs, broken, ..counted }))
    }

    /// Counts an input that can be read only from start to end.
    fn count_stream(&self, input: Input, plan: Plan) -> Result<Checked> {
        if !plan.binary && matches!(input, Input::Found(_)) {
            let mut head = Vec::new();
            // An error of reading here comes again below.
            let _ = input.reader(self.unpack)?.take(HEAD).read_to_end(&mut head);
            if is_binary(&head) {
                return Ok(Checked::Skipped(input.path().to_path_buf(), "binary"));
            }
        }
        let counting = Search { limit: 0, ..plan.search };
        let mut whole = self.pool.done.watch(input.reader(self.unpack)?);
        let (totals, broken) = search(&mut whole, counting, &mut |_| anyhow::Ok(()))?;
        let breaches = match broken {
            None => plan.breaches(|| input.reader(self.unpack))?,
            // Which rules the unread rest breaks is not known.
            Some(_) => Vec::new(),
        };
        Ok(Checked::Counted(plan.counted(input, totals, breaches, broken)))
    }
}

/// Whether it, or a folder above it, is hidden.
fn is_hidden(path: &Path) -> bool {
    path.components()
        .any(|part| matches!(part, Component::Normal(name) if name.as_encoded_bytes().first() == Some(&b'.')))
}

impl Plan {
    fn breaches(&self, open: impl FnOnce() -> io::Result<Box<dyn Read>>) -> io::Result<Vec<Breach>> {
        if self.demand.is_met_by_anything() {
            return Ok(Vec::new());
        }
        breaches(&mut *open()?, self.search, &self.demand)
    }

    fn counted(
        self,
        input: Input,
        totals: Totals,
        breaches: Vec<Breach>,
        broken: Option<io::Error>,
    ) -> Counted {
        let errors = totals.errors + breaches.len() as u64;
        let totals = Totals { errors, ..totals };
        let Plan { search, sought, hears, .. } = self;
        let (seeming, at_once) = (None, None);
        Counted { input, search, totals, breaches, seeming, sought, at_once, hears, runs: 0, broken }
    }
}

impl Counted {
    /// The number of its malformed sequences.
    pub(super) fn malformed(&self) -> u64 {
        self.totals.errors - self.breaches.len() as u64
    }

    fn is_utf8(&self) -> bool {
        self.seeming.as_ref().is_none_or(Seeming::is_utf8)
    }
}
