//! Draws the screen of `explain` as a picture for the README.

use std::fmt::Write as _;
use std::fs;

use crate::shell::{Done, call, command, output, root};

/// The bytes that are explained, and how many lines are shown.
const BYTES: &str = "C3 A9 E2 82";
const LINES: usize = 21;

/// Pixels from column to column and from line to line.
const WIDTH: usize = 8;
const HEIGHT: usize = 18;

pub(crate) fn run() -> Done {
    call(&mut command("cargo build --quiet -p placemat-cli"))?;
    let mut explain = command("placemat explain --color always --hex");
    let screen = output(explain.arg(BYTES).env("COLUMNS", "80")).or_else(|said| {
        // Malformed bytes give exit code 1; the message then has what was printed.
        let start = said.find("failed: ").map(|at| at + "failed: ".len());
        start.map(|start| said[start..].to_owned()).ok_or(said)
    })?;
    let folder = root().join("pictures");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let path = folder.join("explain.svg");
    fs::write(&path, picture(&format!("\u{1B}[1m$ placemat explain --hex '{BYTES}'\u{1B}[0m\n{screen}")))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// A terminal's screen with colours as an SVG.
fn picture(screen: &str) -> String {
    let lines: Vec<_> = screen.lines().take(LINES).collect();
    let (width, height) = (80 * WIDTH + 24, lines.len() * HEIGHT + 24);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#16181d\"/>\n\
         <g font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"13\" fill=\"#d8dce3\" xml:space=\"preserve\">\n"
    );
    for (at, line) in lines.iter().enumerate() {
        let _ = writeln!(svg, "<text x=\"12\" y=\"{}\">{}</text>", 24 + at * HEIGHT, spans(line));
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// The pieces of a line, each at its column and in its colour.
fn spans(line: &str) -> String {
    let (mut found, mut column) = (String::new(), 0);
    for (at, piece) in line.split('\u{1B}').enumerate() {
        let (code, text) =
            if at == 0 { ("[0", piece) } else { piece.split_once('m').unwrap_or(("[0", piece)) };
        if !text.trim().is_empty() {
            let x = 12 + column * WIDTH;
            let text_escaped = text.replace('&', "&amp;").replace('<', "&lt;");
            let _ = write!(found, "<tspan x=\"{x}\"{}>{text_escaped}</tspan>", style(code));
        }
        column += text.chars().count();
    }
    found
}

/// What a colour code of the command means.
fn style(code: &str) -> &'static str {
    match code.trim_start_matches('[') {
        "1" => " font-weight=\"bold\" fill=\"#ffffff\"",
        "2" => " fill=\"#8b93a1\"",
        "31" => " fill=\"#ff7b72\"",
        "32" => " fill=\"#7ee787\"",
        "38;5;208" => " fill=\"#ffa657\"",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::spans;

    #[test]
    fn colours_become_pieces_at_their_columns() {
        assert_eq!(
            spans("a\u{1B}[31m<é\u{1B}[0m b"),
            "<tspan x=\"12\">a</tspan><tspan x=\"20\" fill=\"#ff7b72\">&lt;é</tspan><tspan x=\"36\"> b</tspan>"
        );
    }
}
