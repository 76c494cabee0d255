//! Renders blocks as a single web page: no script, no network, light and dark.

use crate::escape::markup as escaped;
use std::fmt::{self, Write as _};

use super::document::{Block, Columns, Grid, Ink, Line};

/// Renders the whole page.
pub(crate) fn render(blocks: &[Block]) -> String {
    let title = blocks.iter().find_map(|block| match block {
        Block::Title(line) => Some(line.text()),
        _ => None,
    });
    let mut page = String::new();
    // Writing to a `String` cannot fail.
    let _ = write_page(&mut page, &title.unwrap_or_default(), blocks);
    page
}

fn write_page(page: &mut String, title: &str, blocks: &[Block]) -> fmt::Result {
    write_head(page, title, "")?;
    let mut in_item = false;
    for block in blocks {
        let begins_item = matches!(block, Block::Item(_));
        let ends_item = begins_item || matches!(block, Block::Section(_) | Block::Text(_) | Block::Title(_));
        if in_item && ends_item {
            page.write_str("</section>\n")?;
            in_item = false;
        }
        if begins_item {
            page.write_str("<section>\n")?;
            in_item = true;
        }
        write_block(page, block)?;
    }
    page.write_str(if in_item { "</section>\n" } else { "" })?;
    page.write_str(END)
}

/// Writes everything before the text of a page. `style` is added to the CSS that all pages share.
pub(crate) fn write_head(page: &mut String, title: &str, style: &str) -> fmt::Result {
    write!(page, "{}{}{}", HEAD.0, escaped(title), HEAD.1)?;
    write!(page, "{}{style}{}", include_str!("page.css"), HEAD.2)
}

const HEAD: (&str, &str, &str) = (
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
     <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
     <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
    "</title>\n<style>\n",
    "</style>\n</head>\n<body>\n<main>\n",
);

/// Everything after the text of a page.
pub(crate) const END: &str = "</main>\n</body>\n</html>\n";

fn write_block(page: &mut String, block: &Block) -> fmt::Result {
    match block {
        Block::Title(line) => writeln!(page, "<h1>{}</h1>", html(line)),
        Block::Section(text) => writeln!(page, "<h2>{}</h2>", escaped(text)),
        Block::Heading(text) => writeln!(page, "<h3>{}</h3>", escaped(text)),
        Block::Item(line) => writeln!(page, "<h2>{}</h2>", html(line)),
        Block::Text(line) => writeln!(page, "<p>{}</p>", html(line)),
        Block::Facts(facts) => write_facts(page, facts),
        Block::Numbered(lines) => {
            page.write_str("<ol>\n")?;
            for line in lines {
                writeln!(page, "<li>{}</li>", html(line))?;
            }
            page.write_str("</ol>\n")
        }
        Block::Columns(columns) => write_columns(page, columns),
        Block::Grid(grid) => write_grid(page, grid),
    }
}

fn write_facts(page: &mut String, facts: &[(String, Line)]) -> fmt::Result {
    page.write_str("<dl>\n")?;
    for (label, line) in facts {
        writeln!(page, "<dt>{}</dt><dd>{}</dd>", shown(label), html(line))?;
    }
    page.write_str("</dl>\n")
}

fn write_columns(page: &mut String, columns: &Columns) -> fmt::Result {
    page.write_str("<div class=\"wide\"><table>\n<thead><tr>")?;
    for (name, _, is_right) in columns.heads {
        write!(page, "<th{}>{}</th>", right(*is_right), escaped(name))?;
    }
    page.write_str("</tr></thead>\n")?;
    for row in &columns.rows {
        page.write_str("<tr>")?;
        for (cell, (_, _, is_right)) in row.iter().zip(columns.heads) {
            write!(page, "<td{}>{}</td>", right(*is_right), html(cell))?;
        }
        page.write_str("</tr>\n")?;
    }
    page.write_str("</table></div>\n")
}

fn right(is_right: bool) -> &'static str {
    if is_right { " class=\"right\"" } else { "" }
}

fn write_grid(page: &mut String, grid: &Grid) -> fmt::Result {
    page.write_str("<div class=\"wide\"><table class=\"grid\">\n<tr><th></th>")?;
    for low in 0..16 {
        write!(page, "<th>_{low:X}</th>")?;
    }
    page.write_str("</tr>\n")?;
    for (high, row) in grid.cells.chunks(16).enumerate() {
        write!(page, "<tr><th>{high:X}_<br><small>{}</small></th>", escaped(&grid.lengths[high]))?;
        for cell in row {
            write!(
                page,
                "<td class=\"{}\" title=\"{}\">{}<br><small>{}</small></td>",
                class(cell.ink),
                shown(&cell.title),
                shown(&cell.upper),
                shown(&cell.lower)
            )?;
        }
        page.write_str("</tr>\n")?;
    }
    page.write_str("</table></div>\n")
}

/// Text with its ink. Each span is isolated with `bdi`, so that right-to-left text in it does not reorder the text after it.
fn html(line: &Line) -> String {
    let mut text = String::new();
    for span in &line.0 {
        match span.ink {
            Ink::Plain if span.text.is_ascii() => text.push_str(&escaped(&span.text)),
            ink => text.push_str(&format!("<bdi class=\"{}\">{}</bdi>", class(ink), escaped(&span.text))),
        }
    }
    text
}

fn class(ink: Ink) -> &'static str {
    match ink {
        Ink::Plain => "plain",
        Ink::Strong => "strong",
        Ink::Faint => "faint",
        Ink::Ascii => "ascii",
        Ink::Continuation => "tail",
        Ink::Lead => "lead",
        Ink::Limited => "limited",
        Ink::Never => "never",
        Ink::Good => "good",
        Ink::Bad => "bad",
    }
}

/// Escapes text that does not come from a [`Line`], by the same rules.
fn shown(text: &str) -> String {
    escaped(&Line::plain(text).text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text() {
        let hostile = Line::plain("<script>\"&\u{202E}").with(Ink::Bad, "</bdi>");
        let page = render(&[Block::Title(hostile.clone()), Block::Facts(vec![("<b>".to_owned(), hostile)])]);
        assert!(!page.contains("<script>") && !page.contains("<b>") && !page.contains('\u{202E}'), "{page}");
        assert_eq!(page.matches("&lt;script&gt;&quot;&amp;\\u{202e}").count(), 3, "{page}");
    }
}
