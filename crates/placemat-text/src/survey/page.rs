//! Renders the survey as a single web page: charts in SVG and CSS, no script, no network, light and dark.
//!
//! Text from outside (paths, the name of the field) is escaped as for a terminal, and then for HTML.

use std::fmt::{self, Write as _};

use super::chart::{self, Chart, Tone};
use super::numbers::{compact, percent};
use super::total::{Survey, shown};
use crate::escape;
use crate::escape::markup as escaped;
use crate::explain::{END, write_head};
use crate::notation::number;

/// The number of parts of a strip that have a colour of their own. The others share one.
const COLOURS: usize = 8;

/// Renders the whole page.
pub(crate) fn render(survey: &Survey, of: &str) -> String {
    let mut page = String::new();
    // Writing to a `String` cannot fail.
    let _ = write_page(&mut page, survey, of);
    page
}

fn write_page(page: &mut String, survey: &Survey, of: &str) -> fmt::Result {
    let mut title = format!("Survey of {}", escape::text(of));
    if let Some(field) = &survey.field {
        write!(title, ", field {}", escape::text(field))?;
    }
    write_head(page, &title, include_str!("page.css"))?;
    writeln!(page, "<h1><bdi>{}</bdi></h1>", escaped(&title))?;
    write_tiles(page, survey)?;
    for line in chart::headlines(survey).iter().skip(1) {
        writeln!(page, "<p>{}.</p>", escaped(line))?;
    }
    page.push_str("<div class=\"cards\">\n");
    for (index, chart) in chart::all(survey).iter().enumerate() {
        write_chart(page, chart, index == 0)?;
    }
    write_worst(page, survey)?;
    page.push_str("</div>\n");
    page.write_str(END)
}

fn write_tiles(page: &mut String, survey: &Survey) -> fmt::Result {
    let mut tiles = vec![("files", survey.files)];
    if survey.field.is_some() {
        tiles.push(("texts", survey.texts));
    }
    tiles.extend([
        ("bytes", survey.bytes),
        ("code points", survey.code_points),
        ("errors", survey.error_count()),
    ]);
    let optional = [("skipped", survey.files_skipped), ("not readable", survey.files_failed)];
    tiles.extend(optional.into_iter().filter(|(_, n)| *n > 0));
    page.push_str("<div class=\"tiles\">\n");
    for (name, n) in tiles {
        writeln!(page, "<div title=\"{}\"><b>{}</b><span>{name}</span></div>", number(n), compact(n))?;
    }
    page.write_str("</div>\n")
}

/// Writes a card: what is counted, then a strip for each measure if the parts have colours, then a row for each part.
fn write_chart(page: &mut String, chart: &Chart, is_striped: bool) -> fmt::Result {
    let wide = if chart.measures.len() > 2 { " class=\"broad\"" } else { "" };
    writeln!(
        page,
        "<section{wide}>\n<h2>{} <small class=\"faint\">{}</small></h2>",
        chart.title,
        escaped(chart.note)
    )?;
    if is_striped {
        for measure in 0..chart.measures.len() {
            write_strip(page, chart, measure)?;
        }
    }
    page.push_str("<div class=\"wide\"><table class=\"chart\">\n<thead><tr><th></th><th></th>");
    for measure in &chart.measures {
        write!(page, "<th class=\"right\" colspan=\"2\">{measure}</th>")?;
    }
    page.push_str("</tr></thead>\n");
    for (index, row) in chart.rows.iter().enumerate() {
        let label = escaped(&row.label);
        let (swatch, class) = match is_striped {
            true => {
                (format!("<i class=\"c{}\"></i>", index.min(COLOURS)), format!("c{}", index.min(COLOURS)))
            }
            false => (String::new(), tone(row.tone).to_owned()),
        };
        let share = chart.share(row, chart.main) * 100.0;
        write!(
            page,
            "<tr><th scope=\"row\">{swatch}{label}</th>\
             <td class=\"bar\"><div class=\"{class}\" style=\"width:{share:.2}%\"></div></td>"
        )?;
        for (value, whole) in row.values.iter().zip(&chart.whole) {
            write!(
                page,
                "<td class=\"right\" title=\"{}\">{}</td><td class=\"right faint\">{}</td>",
                number(*value),
                compact(*value),
                escaped(&percent(*value, *whole))
            )?;
        }
        page.push_str("</tr>\n");
    }
    page.write_str("</table></div>\n</section>\n")
}

/// Writes all parts side by side, for one measure.
fn write_strip(page: &mut String, chart: &Chart, measure: usize) -> fmt::Result {
    write!(
        page,
        "<div class=\"strip\"><span>{}</span><svg viewBox=\"0 0 1000 24\" preserveAspectRatio=\"none\" role=\"img\">",
        chart.measures[measure]
    )?;
    let mut at = 0.0;
    for (index, row) in chart.rows.iter().enumerate() {
        let width = chart.share(row, measure) * 1000.0;
        write!(
            page,
            "<rect x=\"{at:.2}\" width=\"{:.2}\" height=\"24\" class=\"c{}\"><title>{}: {} ({})</title></rect>",
            // Neighbours have a gap between them if they are wide enough.
            if width > 6.0 { width - 2.0 } else { width },
            index.min(COLOURS),
            escaped(&row.label),
            number(row.values[measure]),
            escaped(&percent(row.values[measure], chart.whole[measure]))
        )?;
        at += width;
    }
    page.write_str("</svg></div>\n")
}

fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "c2",
        Tone::Plain => "c0",
        Tone::Old => "c3",
        Tone::Bad => "c7",
    }
}

fn write_worst(page: &mut String, survey: &Survey) -> fmt::Result {
    if survey.worst.is_empty() {
        return Ok(());
    }
    page.push_str(
        "<section>\n<h2>Most errors</h2>\n<div class=\"wide\"><table class=\"chart\">\n\
         <thead><tr><th class=\"right\">errors</th><th>encoding</th><th>file</th></tr></thead>\n",
    );
    for worst in &survey.worst {
        writeln!(
            page,
            "<tr><td class=\"right\">{}</td><td>{}</td><td><bdi>{}</bdi></td></tr>",
            number(worst.errors),
            worst.encoding,
            escaped(&shown(&worst.path))
        )?;
    }
    page.write_str("</table></div>\n</section>\n")
}
