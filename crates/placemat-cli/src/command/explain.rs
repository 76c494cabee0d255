//! `placemat explain`: what some bytes are, and why.

mod typed;

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, BufReader, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use placemat::Form;
use placemat_text::charset::Charset;
use placemat_text::explain::{
    self, Base, CodePointsError, Detail, Document, Escapes, Input, InputError, Object, offset_of,
};
use placemat_text::notation::number;

use self::typed::{advise, in_utf8, kinds, line_and_column, unescaped};
use crate::choices;
use crate::console;
use crate::escape;
use crate::input::{self, Body, standard_input};
use crate::naming::Naming;
use crate::outcome::Outcome;
use crate::report::{human, write_line};

/// Explain bytes: every bit, every character, every error
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The text to explain, well-formed or not; standard input when nothing is given
    #[arg(group = "source")]
    text: Option<OsString>,

    /// Bytes in hexadecimal: 'E2 82 AC', E282AC, '\xE2\x82\xAC'
    #[arg(long, value_name = "DIGITS", group = "source", allow_hyphen_values = true)]
    hex: Option<String>,

    /// Bytes in octal: '342 202 254', '\342\202\254'
    #[arg(long, value_name = "DIGITS", group = "source", allow_negative_numbers = true)]
    octal: Option<String>,

    /// Bytes in binary: '11100010 10000010 10101100'
    #[arg(long, value_name = "DIGITS", group = "source", allow_negative_numbers = true)]
    binary: Option<String>,

    /// Code points, whose bytes in the form of --from are explained: U+20AC, '1F44D 1F3FD'
    #[arg(long, value_name = "CODE POINTS", group = "source", allow_negative_numbers = true)]
    code_point: Option<String>,

    /// A file; - is standard input
    #[arg(long, value_name = "FILE", group = "source")]
    file: Option<PathBuf>,

    /// Explain what the escapes in the text, a file or standard input stand for: json (\u00e9), perl (\x{e9}), url (%C3%A9), quoted-printable
    /// (=C3=A9), encoded-word, html (&#233;), base64, hexdump, or a literal of python, c, rust, java; without KIND the kind is guessed
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, value_parser = kinds(), hide_possible_values = true,
        conflicts_with_all = ["hex", "octal", "binary", "code_point", "offset", "line"])]
    escapes: Option<Option<Escapes>>,

    /// Only the text around this byte of the file, counted from 0
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = choices::number::<u64>)]
    offset: Option<u64>,

    /// Only the text around this line and column of the file, as `check` reports them: 12:5; 12 alone is the start of line 12
    #[arg(long, value_name = "L:C", value_parser = line_and_column, conflicts_with = "offset")]
    line: Option<(u64, u64)>,

    /// The form of the bytes; text in a legacy encoding is shown as UTF-8 [default: utf-8]
    #[arg(short, long, value_name = "FORM")]
    from: Option<String>,

    #[command(flatten)]
    naming: Naming,

    /// The table of all 256 bytes of this form, or of the form that --from names
    #[arg(long, value_name = "FORM", num_args = 0..=1,
        conflicts_with_all = ["source", "offset", "line", "escapes", "verdicts", "steps", "limit"])]
    table: Option<Option<String>>,

    /// Tell in which forms the bytes are well-formed, and for each other form where they are not, and why
    #[arg(long, conflicts_with_all = ["steps", "limit"])]
    verdicts: bool,

    /// Each character in full: every fact, the steps, all forms
    #[arg(long)]
    steps: bool,

    /// For people, for a browser (a self-contained page), or for programs (one object per line)
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,

    /// The same as --format html
    #[arg(long, conflicts_with = "format")]
    html: bool,

    /// Show at most this many characters and errors; by default 20, or 33 bytes around --offset and --line
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = choices::number::<usize>)]
    limit: Option<usize>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    Human,
    Html,
    Json,
}

const EXAMPLES: &str = "\
Examples:
  placemat explain €
  placemat explain --hex 'C0 AF'                   an overlong slash
  placemat explain --file notes.txt --offset 1042  what is wrong there
  placemat explain --file notes.txt --line 12:5    the same by line and column
  placemat explain --escapes 'caf%C3%A9'           what these escapes stand for
  placemat explain --table                         the 256 bytes of UTF-8";

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    match args.format() {
        Format::Human => {
            console::coloured().write_all(tell(args)?.screen(human::width()).as_bytes())?;
        }
        Format::Html => console::plain().write_all(tell(args)?.page().as_bytes())?,
        Format::Json => {
            let mut out = BufWriter::new(console::plain());
            list(args)?.iter().try_for_each(|object| write_line(&mut out, object))?;
            out.flush()?;
        }
    }
    Ok(Outcome::Clean)
}

/// The explanation for people.
fn tell(args: &Args) -> Result<Document> {
    if let Some(form) = args.table()? {
        return Ok(explain::tell_table(form)?);
    }
    let input = args.input()?;
    let view = input.view();
    Ok(match args.verdicts {
        true => explain::tell_verdicts(&view),
        false => explain::tell(&view, Detail { limit: args.limit(), full: args.steps, names_flags: true }),
    })
}

/// The explanation for programs.
fn list(args: &Args) -> Result<Vec<Object>> {
    if let Some(form) = args.table()? {
        return Ok(explain::table_objects(form)?);
    }
    let input = args.input()?;
    let view = input.view();
    Ok(match args.verdicts {
        true => explain::verdict_objects(&view),
        false => explain::objects(&view, args.limit()),
    })
}

impl Args {
    /// The most characters and errors that are shown. Around a place, few bytes are read.
    fn limit(&self) -> usize {
        let is_around = self.offset.is_some() || self.line.is_some();
        self.limit.unwrap_or(if is_around { usize::MAX } else { 20 })
    }

    fn format(&self) -> Format {
        if self.html { Format::Html } else { self.format }
    }

    fn from(&self) -> Result<Form> {
        self.naming.form(self.from.as_deref().unwrap_or("utf-8"))
    }

    /// The form whose table is asked for.
    fn table(&self) -> Result<Option<Form>> {
        Ok(Some(match (&self.table, &self.from) {
            (None, _) => return Ok(None),
            (Some(None), _) => self.from()?,
            (Some(Some(name)), None) => self.naming.form(name)?,
            (Some(Some(_)), Some(_)) => bail!("--table and --from both name a form: one is enough"),
        }))
    }

    fn input(&self) -> Result<Input> {
        if self.offset.is_some() && self.file.is_none() {
            bail!("--offset N needs --file");
        }
        if self.line.is_some() && self.file.is_none() {
            bail!("--line L:C needs --file");
        }
        match self.naming.charset(self.from.as_deref().unwrap_or("utf-8"))? {
            Charset::Form(form) => match self.input_in(form)? {
                (input, Some(named)) if self.from.is_none() => {
                    self.in_charset(self.naming.charset(&named)?, input.into_bytes())
                }
                (input, _) => Ok(input),
            },
            Charset::Legacy(_)
                if self.offset.is_some() || self.line.is_some() || self.code_point.is_some() =>
            {
                bail!(
                    "text in a legacy encoding is read from its start: --offset, --line and --code-point need a form"
                )
            }
            legacy => self.in_charset(legacy, self.input_in(Form::Utf8)?.0.into_bytes()),
        }
    }

    /// An input of these bytes in that encoding; if it is a legacy encoding, converted to UTF-8.
    fn in_charset(&self, charset: Charset, bytes: Vec<u8>) -> Result<Input> {
        if let Charset::Form(form) = charset {
            return Ok(Input::new(bytes, form));
        }
        let text = in_utf8(charset, &bytes, self.limit())?;
        console::say(&format!("{charset}, shown as UTF-8"));
        Ok(Input::new(text, Form::Utf8))
    }

    /// What is explained, and the encoding that its escapes name.
    fn input_in(&self, form: Form) -> Result<(Input, Option<String>)> {
        let digits = [
            ("--hex", Base::Hex, &self.hex),
            ("--octal", Base::Octal, &self.octal),
            ("--binary", Base::Binary, &self.binary),
        ];
        for (flag, base, text) in digits {
            if let Some(text) = text {
                return Ok((Input::new(base.parse(text).context(flag)?, form), None));
            }
        }
        if let Some(text) = &self.code_point {
            return Ok((Input::new(of_code_points(text, form).context("--code-point")?, form), None));
        }
        let input = match (&self.file, &self.text, self.line) {
            (Some(path), _, Some(place)) => of_place(path, place, form)?,
            (Some(path), ..) if path.as_os_str() != "-" => of_file(path, self.offset, form)?,
            (None, Some(text), _) if text != "-" => {
                if self.escapes.is_none() {
                    advise(text);
                }
                Input::new(text.as_encoded_bytes().to_vec(), form)
            }
            _ => of_standard_input(self.offset, form)?,
        };
        match self.escapes {
            Some(kind) => {
                let (bytes, named) = unescaped(kind, &input.into_bytes(), form)?;
                Ok((Input::new(bytes, form), named))
            }
            None => Ok((input, None)),
        }
    }
}

fn of_code_points(text: &str, form: Form) -> Result<Vec<u8>> {
    explain::of_code_points(text, form).map_err(|error| match &error {
        CodePointsError::NotCarried { other: Some(other), .. } => anyhow!("{error}: -f {other}"),
        _ => error.into(),
    })
}

/// The beginning of standard input, or what surrounds the byte at `offset`.
fn of_standard_input(offset: Option<u64>, form: Form) -> Result<Input> {
    let mut size = 0;
    let mut read = || -> Result<Input, InputError> {
        let reader = BufReader::new(Counted { reader: standard_input()?, size: &mut size });
        match offset {
            Some(offset) => Input::around(reader, read_over, offset, form),
            None => Ok(Input::read(reader, form)?),
        }
    };
    let input = read();
    with_size(input, Some(size)).context("standard input")
}

/// Counts the bytes that are read.
struct Counted<'a, R> {
    reader: R,
    size: &'a mut u64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(block)?;
        *self.size += read as u64;
        Ok(read)
    }
}

/// If there is no such byte, also says how many there are.
fn with_size(input: Result<Input, InputError>, size: Option<u64>) -> Result<Input> {
    input.map_err(|error| match (&error, size) {
        (InputError::NoByte(_), Some(1)) => anyhow!("{error}: it has 1 byte"),
        (InputError::NoByte(_), Some(size)) => anyhow!("{error}: it has {} bytes", number(size)),
        _ => error.into(),
    })
}

/// The beginning of a file, or what surrounds the byte at `offset`.
fn of_file(path: &Path, offset: Option<u64>, form: Form) -> Result<Input> {
    let read = || -> Result<Input, InputError> {
        let reader = BufReader::new(File::open(path)?);
        match offset {
            Some(offset) => Input::around(reader, skip, offset, form),
            None => Ok(Input::read(reader, form)?),
        }
    };
    let size = path.metadata().ok().filter(Metadata::is_file).map(|metadata| metadata.len());
    with_size(read(), size).with_context(|| escape::path(path).to_string())
}

/// What surrounds a place of a file or of standard input, which is read twice: a pipe is kept for that.
fn of_place(path: &Path, (line, column): (u64, u64), form: Form) -> Result<Input> {
    let read = || -> Result<Input> {
        let mut body = Body::kept(&input::Input::named(path.to_path_buf()))?;
        let offset = offset_of(&mut body, form, line, column)?;
        body.rewind()?;
        Ok(match body {
            Body::File { file, .. } => Input::around(BufReader::new(file), skip, offset, form)?,
            body => Input::around(BufReader::new(body), read_over, offset, form)?,
        })
    };
    let name =
        || if path.as_os_str() == "-" { "standard input".to_owned() } else { escape::path(path).to_string() };
    read().with_context(name)
}

fn skip(file: &mut BufReader<File>, n: u64) -> io::Result<()> {
    match file.seek_relative(i64::try_from(n).map_err(|_| io::ErrorKind::InvalidInput)?) {
        Err(error) if error.kind() == io::ErrorKind::NotSeekable => read_over(file, n),
        sought => sought,
    }
}

fn read_over(reader: &mut impl Read, n: u64) -> io::Result<()> {
    io::copy(&mut reader.take(n), &mut io::sink()).map(drop)
}
