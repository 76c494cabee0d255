//! Makes a table of which strings the UTF-8 decoders of this machine accept.

mod decoders;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use self::decoders::Run::{Each, Lines};
use self::decoders::{DECODERS, Decoder};
use crate::record;
use crate::shell::{Done, command, output, root};

/// The columns of the table. The strings of a column are all well-formed, or all ill-formed.
const QUESTIONS: [(&str, bool, &[&[u8]]); 13] = [
    (
        "text",
        true,
        &[
            b"",
            b"a",
            "é€😀".as_bytes(),
            "\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFD}\u{10000}\u{10FFFD}".as_bytes(),
        ],
    ),
    ("noncharacters", true, &[b"\xEF\xBF\xBE", b"\xEF\xBF\xBF", b"\xEF\xB7\x90", b"\xF4\x8F\xBF\xBF"]),
    ("mark", true, &[b"\xEF\xBB\xBF", b"\xEF\xBB\xBFa"]),
    ("C0 80", false, &[b"\xC0\x80", b"a\xC0\x80b"]),
    (
        "overlong",
        false,
        &[
            b"\xC1\xBF",
            b"\xC0\xAF",
            b"\xE0\x80\xAF",
            b"\xE0\x9F\xBF",
            b"\xF0\x80\x80\xAF",
            b"\xF0\x8F\xBF\xBF",
        ],
    ),
    ("surrogate", false, &[b"\xED\xA0\x80", b"\xED\xAF\xBF", b"\xED\xB0\x80", b"\xED\xBF\xBF"]),
    ("surrogate pair", false, &[b"\xED\xA0\xBD\xED\xB8\x80", b"\xED\xAF\xBF\xED\xBF\xBF"]),
    ("F4 90", false, &[b"\xF4\x90\x80\x80", b"\xF4\xBF\xBF\xBF"]),
    ("F5..F7", false, &[b"\xF5\x80\x80\x80", b"\xF7\xBF\xBF\xBF"]),
    (
        "5, 6 bytes",
        false,
        &[
            b"\xF8\x88\x80\x80\x80",
            b"\xFB\xBF\xBF\xBF\xBF",
            b"\xFC\x84\x80\x80\x80\x80",
            b"\xFD\xBF\xBF\xBF\xBF\xBF",
        ],
    ),
    ("FE, FF", false, &[b"\xFE", b"\xFF", b"\xFE\x83\xBF\xBF\xBF\xBF\xBF"]),
    ("stray", false, &[b"\x80", b"a\xBFb", b"\xC3\xA9\xA9", b"\xF0\x9F\x98\x80\x80"]),
    ("cut off", false, &[b"\xC3", b"\xC3a", b"\xE2\x82", b"\xE2\x82a", b"\xF0\x9F\x98", b"\xF0\x9F\x98a"]),
];

/// Numbers of random strings: for decoders that read many strings in one run, and for those that read one.
const RANDOM: [usize; 2] = [4000, 300];

const START: &str = "<!-- oracle: written by `cargo xtask release oracle` -->";
const END: &str = "<!-- end of oracle -->";

pub(crate) fn run() -> Done {
    let sources =
        record::sources(&[&record::COMMAND[..], &["xtask/oracle", "xtask/src/release/oracle.rs"]].concat());
    output(&mut command("cargo build --quiet -p placemat-cli"))?;
    let random = random(RANDOM[0]);
    let mut table = String::from("| decoder |");
    QUESTIONS.iter().for_each(|(name, ..)| {
        let _ = write!(table, " {name} |");
    });
    table.push_str(" of random strings wrong |\n|---|");
    table.push_str(&"---|".repeat(QUESTIONS.len() + 1));
    table.push('\n');
    for decoder in &DECODERS {
        let version = version(decoder.version);
        let count = RANDOM[usize::from(matches!(decoder.run, Each(_)))];
        let asked = QUESTIONS.iter().flat_map(|(_, _, strings)| strings.iter().map(|string| string.to_vec()));
        let strings: Vec<_> = asked.chain(random[..count].iter().cloned()).collect();
        let answers = match version.is_empty() {
            true => Err("not installed".to_owned()),
            false => ask(decoder, &strings),
        };
        match answers {
            Ok(answers) => row(decoder.name, &version, &answers, &random[..count], &mut table),
            Err(why) => eprintln!("{}: skipped, {why}", decoder.name),
        }
    }
    print!("{table}");
    publish(&table)?;
    record::keep("oracle", "cargo xtask release oracle", &sources, &table)
}

/// The first word that looks like a version.
fn version(line: &str) -> String {
    let first = record::first_line(line);
    let word =
        first.split_whitespace().find(|word| word.bytes().any(|b| b.is_ascii_digit()) && word.contains('.'));
    word.unwrap_or_default().trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_owned()
}

/// `takes` if all strings of a column are accepted, `–` if none is, otherwise how many.
fn row(name: &str, version: &str, answers: &[bool], random: &[Vec<u8>], table: &mut String) {
    let _ = write!(table, "| {name} ({version}) |");
    let mut rest = answers;
    for (_, is_well_formed, strings) in QUESTIONS {
        let (these, after) = rest.split_at(strings.len());
        rest = after;
        let taken = these.iter().filter(|&&taken| taken).count();
        let word = match taken {
            0 => "–".to_owned(),
            n if n == these.len() => "takes".to_owned(),
            n => format!("{n} of {}", these.len()),
        };
        let is_right = these.iter().all(|&taken| taken == is_well_formed);
        let _ = write!(table, " {} |", if is_right { word } else { format!("**{word}**") });
    }
    let wrong =
        rest.iter().zip(random).filter(|&(&taken, string)| taken != str::from_utf8(string).is_ok()).count();
    let _ = writeln!(table, " {wrong} of {} |", random.len());
}

/// Returns which of the strings the decoder accepts.
fn ask(decoder: &Decoder, strings: &[Vec<u8>]) -> Result<Vec<bool>, String> {
    match decoder.run {
        Lines("") => Ok(strings.iter().map(|string| str::from_utf8(string).is_ok()).collect()),
        Lines(line) => {
            let hex = |string: &Vec<u8>| {
                string.iter().map(|byte| format!("{byte:02X} ")).collect::<String>() + "\n"
            };
            let input: String = strings.iter().map(hex).collect();
            let printed = feed(line, input.into_bytes())?;
            let answers: Vec<_> = printed.1.lines().map(|line| line == "1").collect();
            if answers.len() == strings.len() {
                Ok(answers)
            } else {
                Err(format!("it answered {} of {} lines", answers.len(), strings.len()))
            }
        }
        Each(line) => strings.iter().map(|string| Ok(feed(line, string.clone())?.0)).collect(),
    }
}

/// Runs `line` with `input`. Returns whether it succeeded, and what it printed.
fn feed(line: &str, input: Vec<u8>) -> Result<(bool, String), String> {
    let piped = || Stdio::piped();
    let mut child = command(line)
        .stdin(piped())
        .stdout(piped())
        .stderr(piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    // A program that stops at an error closes its input, so a failed write is no error here.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    writer.join().map_err(|_| "the writer failed")?;
    Ok((
        output.status.success() && output.stderr.is_empty(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    ))
}

/// Short strings in which lead and continuation bytes are frequent, about half of them well-formed.
fn random(count: usize) -> Vec<Vec<u8>> {
    const PIECES: [&[u8]; 20] = [
        b"a",
        b"\x7F",
        b"\xC2\x80",
        b"\xDF\xBF",
        b"\xE0\xA0\x80",
        b"\xE2\x82\xAC",
        b"\xED\x9F\xBF",
        b"\xEE\x80\x80",
        b"\xEF\xBF\xBD",
        b"\xF0\x90\x80\x80",
        b"\xF4\x8F\xBF\xBF",
        b"\x80",
        b"\xBF",
        b"\xC0",
        b"\xE0",
        b"\xED",
        b"\xF0",
        b"\xF4",
        b"\xF5",
        b"\xFF",
    ];
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % below
    };
    let mut string = || {
        let pieces = if next(2) == 0 { 11 } else { PIECES.len() };
        (0..=next(6)).flat_map(|_| PIECES[next(pieces)].iter().copied()).collect()
    };
    (0..count).map(|_| string()).collect()
}

/// Writes the table into its place in COMPARE.md.
fn publish(table: &str) -> Done {
    let path = root().join("COMPARE.md");
    let text = fs::read_to_string(&path).unwrap_or_else(|_| format!("# Comparison\n\n{START}\n{END}\n"));
    let text = if text.contains(START) { text } else { format!("{}\n\n{START}\n{END}\n", text.trim_end()) };
    let (before, rest) = text.split_once(START).ok_or("no place for the table")?;
    let (_, after) = rest.split_once(END).ok_or("the place for the table has no end")?;
    let section = format!(
        "{START}\n## Who accepts what for UTF-8\n\nEvery decoder of one machine was asked about strings that are well-formed (the first three columns: all \
         should be accepted) and ill-formed (none should). Bold: not as RFC 3629 has it. Some are so by design: Java's \
         `readUTF` reads Modified UTF-8, Perl's `utf8` its own superset. The last column counts wrong verdicts on short random \
         strings, half of them well-formed.\n\n{table}\nMade by `cargo xtask release oracle`, which skips what is not installed; the programs are in `xtask/oracle`.\n{END}"
    );
    fs::write(path, format!("{before}{section}{after}")).map_err(|error| error.to_string())
}
