//! Forged reports, which try to make `--undo` change files outside of the report's folder.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::Instant;

use super::killed::AT_ONCE;
use super::stage::{Stage, said};
use super::{Effort, Seen};

const DAMAGED: &[u8] = "déjà vu, à Noël, où l'été fut gênant, très gêné, caf\u{e9} ".as_bytes();
const UNDO: [&str; 3] = ["repair", "--undo", "inner/report"];

fn damaged() -> Vec<u8> {
    [&DAMAGED.repeat(5)[..], b"caf\xE9\n"].concat()
}

/// A genuine report in `inner`, and files outside of it with the same content as those in the report.
fn prepare(stage: &Stage) -> Result<String, String> {
    stage.put("inner/tree/a", damaged())?;
    let ended = stage.run(&["repair", "--in-place", "--report", "inner/report", "inner/tree"])?;
    if ended.code != 0 {
        return Err(format!("no report: {}", ended.err));
    }
    let repaired = fs::read(stage.path("inner/tree/a")).map_err(said)?;
    stage.put("victim", &repaired)?;
    stage.put("outside/a", &repaired)?;
    symlink(stage.path("outside"), stage.path("inner/link")).map_err(said)?;
    symlink(stage.path("victim"), stage.path("inner/tree/b")).map_err(said)?;
    fs::read_to_string(stage.path("inner/report")).map_err(said)
}

/// The report with the first `from` replaced.
type Forgery<'a> = (&'a str, String);

pub(super) fn run(stage: &Stage, _: Effort) -> Seen {
    let report = prepare(stage)?;
    let absolute = stage.path("victim");
    let mut forgeries: Vec<Forgery<'_>> = [
        "../victim",
        "tree/../../victim",
        "./tree/a",
        "tree//a",
        "tree/a/",
        "tree/b",
        "link/a",
        "",
        ".",
        "..",
        "report",
        "tree",
        "tree/a\\u0000",
        &absolute.display().to_string(),
    ]
    .map(|path| (r#""tree/a""#, format!("\"{path}\"")))
    .into();
    let others = [
        (r#""tree/a""#, r#""tree/a","path_bytes":"2E 2E 2F 76 69 63 74 69 6D""#),
        (r#""tree/a""#, r#""tree/a","path_bytes":"zz""#),
        (r#""tree/a""#, r#""tree/a","mode":"4755""#),
        (r#""sha256":""#, r#""sha256":"0"#),
        (r#""after":{"bytes":"#, r#""after":{"bytes":1"#),
        (r#""before":{"bytes":"#, r#""before":{"bytes":1"#),
        (r#""changes":1"#, r#""changes":2"#),
        (r#""changes":1"#, r#""changes":18446744073709551615"#),
        (r#""offset":"#, r#""offset":1"#),
        (r#""offset":"#, r#""offset":-"#),
        (r#""offset":"#, r#""offset":9999999999999999"#),
        (r#""bytes":"E9""#, r#""bytes":"FF""#),
        (r#""bytes":"E9""#, r#""bytes":"E9 00 00""#),
        (r#""bytes":"E9""#, r#""bytes":"+9""#),
        (r#""text":"é""#, r#""text":"è""#),
        (r#""text":"é""#, r#""text":"""#),
        (r#""version":1"#, r#""version":2"#),
        (r#""files":1"#, r#""files":2"#),
        (r#"{"type":"summary""#, "{\"type\":\"report\",\"version\":1}\n{\"type\":\"summary\""),
        ("{", "\u{FEFF}{"),
        ("{", "[["),
    ];
    forgeries.extend(others.map(|(from, to)| (from, to.to_owned())));
    let watched = ["victim", "outside/a", "inner/tree/a"];
    let read = |name: &str| fs::read(stage.path(name)).map_err(said);
    let before = watched.map(read);
    for (from, to) in &forgeries {
        let forged = report.replacen(from, to, 1);
        if forged == report {
            return Err(format!("{from} does not occur in the report"));
        }
        stage.put("inner/report", forged)?;
        let ended = stage.run(&UNDO)?;
        if ended.code == 0 || watched.map(read) != before {
            return Err(format!(
                "the forged report {from} -> {to} was accepted, or a file changed: {}",
                ended.err
            ));
        }
    }
    // A report may be cut off at any byte: its complete files may be undone, and nothing else may change, whatever the exit code.
    let (mut put_back, mut refused) = (0, 0);
    let lines = report.match_indices('\n').map(|(at, _)| at + 1).filter(|&at| at < report.len());
    for len in (0..report.len()).step_by(7).chain(lines) {
        let Some(part) = report.get(..len) else { continue };
        stage.put("inner/report", part)?;
        let ended = stage.run(&UNDO)?;
        let [victim, outside, own] = watched.map(read);
        let is_put_back = ended.code == 0 && own.as_deref() == Ok(&damaged());
        if [&victim, &outside] != [&before[0], &before[1]] || own != before[2] && !is_put_back {
            return Err(format!(
                "a report cut off after {len} bytes was undone in part, or changed another file: {}",
                ended.err
            ));
        }
        put_back += u32::from(is_put_back);
        refused += u32::from(ended.code != 0);
        stage.put("inner/tree/a", before[2].as_ref().map_err(Clone::clone)?)?;
    }
    if put_back == 0 {
        return Err("no part of the report works".to_owned());
    }
    stage.put("inner/report", &report)?;
    let ended = stage.run(&UNDO)?;
    if ended.code != 0 || read("inner/tree/a")? != damaged() {
        return Err(format!("the true report is refused: {}", ended.err));
    }
    if [read("victim"), read("outside/a")] != before[..2] {
        return Err("the true report touches another file".to_owned());
    }
    Ok(format!(
        "{} forgeries refused, nothing touched; cut off, {refused} refused and {put_back} whole as far as they go, nothing else \
         touched; the true report puts back",
        forgeries.len()
    ))
}

/// Huge and deeply nested reports are refused at once, within half a gigabyte of memory.
pub(super) fn huge(stage: &Stage, _: Effort) -> Seen {
    let head = "{\"type\":\"report\",\"version\":1}\n";
    let file = |n: usize| {
        let state = format!(r#"{{"bytes":{},"sha256":"{}"}}"#, u64::MAX, "0".repeat(64));
        format!(
            "{{\"type\":\"file\",\"path\":\"f{n}\",\"before\":{state},\"after\":{state},\"changes\":0}}\n"
        )
    };
    let reports = [
        ("a line of 64 MB", format!("{head}{}", "x".repeat(64 << 20))),
        ("a million brackets", format!("{head}{}\n", "[".repeat(1_000_000))),
        ("a million objects", format!("{head}{}\n", "{\"type\":".repeat(400_000))),
        ("a million lines", head.repeat(1_000_000)),
        ("20000 files", format!("{head}{}", (0..20_000).map(file).collect::<String>())),
        ("many changes said", format!("{head}{}", file(0).replace(":0}", ":18446744073709551615}"))),
        ("zeros", "\0".repeat(16 << 20)),
        ("nothing", String::new()),
    ];
    for (name, report) in &reports {
        stage.put("inner/report", report)?;
        let start = Instant::now();
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 524288; exec \"$@\"", "sh"])
            .arg(stage.command(&UNDO).get_program())
            .args(UNDO)
            .current_dir(stage.path(""))
            .output()
            .map_err(said)?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(2) || said.contains("panicked") || start.elapsed() > AT_ONCE {
            let said: String = said.chars().take(300).collect();
            return Err(format!("{name}: {:?} after {:?}: {said}", output.status, start.elapsed()));
        }
    }
    Ok(format!("{} refused in 512 MB of memory", reports.len()))
}
