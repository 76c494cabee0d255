//! `placemat edit`: run a command on a private UTF-8 view of a file, then write the file back in its own encoding.

mod braces;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, anyhow, bail};
use placemat::label::Labels;

use self::braces::{holds_braces, with_path};
use crate::console;
use crate::escape;
use crate::input::{Input, is_binary};
use crate::naming::resolve;
use crate::outcome::Outcome;
use crate::portion::head;
use crate::replace::{Held, Protection, Replacement, TempFile, open_itself};
use crate::rules::Choice;
use crate::walk::{Entry, Selection};
use placemat_text::charset::Charset;
use placemat_text::edit::merge::merge;
use placemat_text::edit::view::{Lacking, View};

/// Edit a file in any encoding with a tool that knows UTF-8 only
#[derive(clap::Args, Debug)]
#[command(
    mut_arg("paths", |paths| paths.help("Files and directories")),
    // The line above puts `paths` behind the command; this one puts the command last again.
    mut_arg("command", |command| command),
    mut_arg("unpack", |unpack| unpack.hide(true)),
)]
#[command(after_help = "\
Examples:
  placemat edit -f windows-1252 notes.txt -- vim
  placemat edit -g '*.c' legacy -- sed -i 's/naïve/simple/'
  placemat edit -f shift_jis page.html -- perl -Mutf8 -CSD -pi -e 's/旧/新/' {}

The command sees a private copy in UTF-8, without the byte order mark; {} in its arguments is the path of that copy; \
without {} the path is appended. Malformed bytes appear in the copy as private-use characters. What the command did \
not change is written back bit for bit; in encodings that cannot be read from the middle, such as UTF-7 and \
ISO-2022-JP, this holds for whole lines. If the command fails, if the file has changed meanwhile, or if anything would \
be lost, the file stays as it was. Files under `allow` of the nearest placemat.toml are left alone, even if they are \
named; without -f a file is read in the `form` that a rule says. The copy is held in memory: files of more than 256 MiB \
are refused.

Exit codes: 0 done, 1 refused, 2 it could not be done.")]
pub(crate) struct Args {
    /// Form or encoding of the files. Without it, the `form` of a rule in placemat.toml; without a rule, or with `auto`, what `detect` finds
    #[arg(short, long, value_name = "FORM")]
    from: Option<String>,

    /// How names of encodings are read: lenient, iana, whatwg, rfc2279, oracle, mysql
    #[arg(long, value_name = "PROFILE", default_value = "lenient", value_parser = crate::naming::labels(), hide_possible_values = true)]
    labels: Labels,

    #[command(flatten)]
    protection: Protection,

    #[command(flatten)]
    choice: Choice,

    #[command(flatten)]
    selection: Selection,

    /// The command and its arguments; it is run without a shell, on one file after the other
    #[arg(value_name = "COMMAND", last = true, required = true)]
    command: Vec<OsString>,
}

/// Why one file was not edited.
enum Ended {
    /// Something would be lost.
    Refused(String),
    Failed(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Ended {
    fn from(error: E) -> Ended {
        Ended::Failed(error.into())
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let from = args.from.as_deref().filter(|label| !label.eq_ignore_ascii_case("auto"));
    let from = from.map(|label| resolve(args.labels, label)).transpose()?;
    if args.selection.unpack {
        bail!("-z: compressed files cannot be edited");
    }
    if args.selection.paths.is_empty() && args.selection.files_from.is_none() {
        bail!("no files named: placemat edit PATH -- COMMAND");
    }
    // All files are listed before the first is edited: a command may leave new ones behind.
    let mut entries = Vec::new();
    let (walk, rules) = args.selection.walk_or_stdin()?.heeding(&args.choice)?;
    walk.each_once(args.protection.no_follow, &mut |entry| {
        entries.push(entry);
        true
    });
    let (mut outcome, mut allowed) = (Outcome::Clean, 0);
    for entry in entries {
        let (input, ended) = match entry {
            Entry::Skipped(_) => continue,
            Entry::Failed(path, error) => (Input::Named(path), Err(error.into())),
            Entry::Input(input) => {
                let demand = rules.of(&input);
                if demand.is_allowed {
                    // Files of a tree are only counted.
                    if matches!(input, Input::Named(_)) {
                        console::say(&format!("{input}: {}", demand.reason()));
                    }
                    allowed += 1;
                    continue;
                }
                let from = from.or(demand.charset.filter(|_| args.from.is_none()));
                let ended = edit_input(&input, from, args);
                (input, ended)
            }
        };
        let (ended, reason) = match ended {
            Ok(()) => continue,
            Err(Ended::Refused(reason)) => (Outcome::Found, reason),
            Err(Ended::Failed(error)) => (Outcome::Trouble, escape::message(&error)),
        };
        console::say(&escape::about(&input.to_string(), &reason));
        outcome = outcome.max(ended);
    }
    if allowed > 0 && !walk.is_single() {
        console::summary(&[(allowed, "excluded by rules")]);
    }
    Ok(outcome)
}

/// The largest file that is edited, in bytes: the file, its view and the edited text are in memory at the same time.
const LARGEST: u64 = 256 << 20;

fn edit_input(input: &Input, from: Option<Charset>, args: &Args) -> Result<(), Ended> {
    match input {
        Input::Stdin => return Err(anyhow!("standard input is not a file that can be written back").into()),
        Input::Found(_) => {
            let (file, is_file) = input.open()?;
            let is_wide = from.is_some_and(|charset| charset.unit() > 1);
            if !is_file || !args.selection.binary && !is_wide && is_binary(&head(&file)?) {
                return Ok(());
            }
        }
        Input::Named(_) => {}
    }
    if fs::metadata(input.path())?.len() > LARGEST {
        return Err(Ended::Refused("has more than 256 MiB; placemat convert takes any size".into()));
    }
    edit(input.path(), from, args)
}

fn edit(path: &Path, from: Option<Charset>, args: &Args) -> Result<(), Ended> {
    // A file that could not be replaced in the end is not edited.
    Replacement::in_place(path, args.protection)?.require_one_name()?;
    let original = fs::read(path)?;
    let charset = match from {
        Some(charset) => charset,
        None => Charset::guess(&mut &original[..])?.map_err(Ended::Refused)?,
    };
    let Some(view) = View::of(charset, &original) else {
        return Err(Ended::Refused(
            "all private-use characters are used: none is free for malformed bytes".into(),
        ));
    };
    let folder = TempFile::folder()?;
    let copy = folder.path().join(path.file_name().unwrap_or(OsStr::new("text")));
    File::create_new(&copy)?.write_all(view.text.as_bytes())?;
    run_on(&copy, path, &args.command)?;
    let edited = left_behind(&copy).context("the edited copy cannot be read")?;
    let edited = view.without_mark(&edited);
    if edited == view.text.as_bytes() {
        return Ok(());
    }
    write_back(path, &original, &view, edited, args.protection).map_err(|ended| match ended {
        // The user must not have to type it again.
        Ended::Refused(reason) if io::stdin().is_terminal() => {
            folder.keep();
            Ended::Refused(format!("{reason}\n  the edited text is kept as {}", escape::path(&copy)))
        }
        ended @ (Ended::Refused(_) | Ended::Failed(_)) => ended,
    })
}

/// Runs the command on `copy`, the view of the file at `path`, and waits for it.
fn run_on(copy: &Path, path: &Path, command: &[OsString]) -> Result<()> {
    let Some((program, arguments)) = command.split_first() else { bail!("no command") };
    let named = arguments.iter().any(|argument| holds_braces(argument));
    let mut run = Command::new(program);
    run.args(arguments.iter().map(|argument| with_path(argument, copy)));
    if !named {
        run.arg(copy);
    }
    let name = escape::path(Path::new(program)).to_string();
    let failure = |status| format!("stays as it was, since {name} failed ({status})");
    let held = Held::new();
    let status = run.status();
    held.release(status.as_ref().ok().copied(), |status| {
        console::say(&escape::about(&escape::path(path).to_string(), &failure(status)));
    });
    let status = status.with_context(|| name.clone())?;
    if !status.success() {
        bail!(failure(status));
    }
    Ok(())
}

/// Reads what the command left in the place of the copy, if that is a file: a link may lead anywhere, a FIFO may never end.
fn left_behind(copy: &Path) -> io::Result<Vec<u8>> {
    let mut file = open_itself(copy)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut edited = Vec::new();
    file.read_to_end(&mut edited)?;
    Ok(edited)
}

/// Replaces the original by the edited text, if nothing is lost by that.
fn write_back(
    path: &Path,
    original: &[u8],
    view: &View,
    edited: &[u8],
    protection: Protection,
) -> Result<(), Ended> {
    let text = match placemat::validate(edited) {
        Ok(text) => text,
        Err(error) => {
            let valid = String::from_utf8_lossy(&edited[..error.offset() as usize]);
            let (line, column) = place(&valid, valid.len());
            return Err(Ended::Refused(format!(
                "stays as it was, since the command wrote malformed UTF-8 ({line}:{column}, {})",
                error.kind()
            )));
        }
    };
    let bytes = merge(view, text).map_err(|lacking| Ended::Refused(refusal(view, text, &lacking)))?;
    let back = view.reading.decode(&bytes);
    if back != text {
        return Err(Ended::Refused(changed(view, text, &back)));
    }
    let mut replacement = Replacement::in_place(path, protection)?;
    if fs::read(path)? != original {
        return Err(Ended::Refused("was changed by another program meanwhile; that version stays".into()));
    }
    replacement.write_all(&view.mark)?;
    replacement.write_all(&bytes)?;
    replacement.commit(None)?;
    Ok(())
}

/// The message about characters that would be lost.
fn refusal(view: &View, text: &str, lacking: &[Lacking]) -> String {
    const SHOWN: usize = 10;
    let mut reason = format!("stays as it was, since {} cannot hold", view.reading.name());
    for Lacking { at, character } in lacking.iter().take(SHOWN) {
        let (line, column) = place(text, *at);
        reason += &format!("\n  {line}:{column}: {}", named(*character));
    }
    if lacking.len() > SHOWN {
        reason += &format!("\n  and {} more", lacking.len() - SHOWN);
    }
    reason
}

/// The message about a character that would be read back as another.
fn changed(view: &View, text: &str, back: &str) -> String {
    let different = text.chars().zip(back.chars().map(Some).chain([None])).find(|(a, b)| Some(*a) != *b);
    let at: usize =
        text.chars().zip(back.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let (line, column) = place(text, at);
    let what = match different {
        Some((a, Some(b))) => format!("{} would be read back as {}", named(a), named(b)),
        _ => "the text would be read back as another text".to_owned(),
    };
    format!("stays as it was: {line}:{column}: written as {}, {what}", view.reading.name())
}

fn named(c: char) -> String {
    format!("U+{:04X} ({})", c as u32, escape::text(c.encode_utf8(&mut [0; 4])))
}

/// The line and the column of a byte of the text, counted from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}
