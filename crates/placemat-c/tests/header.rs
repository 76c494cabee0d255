//! Compares `include/placemat.h` with the documentation in the sources. With `UPDATE_HEADER=1` it writes the header.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A section of the header: its title, an introduction, and its items in order.
type Section = (&'static str, &'static str, &'static [&'static str]);

const SECTIONS: [Section; 8] = [
    (
        "Version",
        "",
        &["PLACEMAT_VERSION_MAJOR", "PLACEMAT_VERSION_MINOR", "PLACEMAT_VERSION_PATCH", "placemat_version"],
    ),
    (
        "Answers",
        "",
        &[
            "placemat_status",
            "placemat_status_name",
            "placemat_status_message",
            "placemat_kind",
            "placemat_kind_name",
            "placemat_error",
        ],
    ),
    (
        "Encodings",
        "",
        &[
            "placemat_encoding",
            "placemat_form",
            "placemat_encoding_by_name",
            "placemat_encoding_name",
            "placemat_encoding_is_form",
            "placemat_encodings",
            "placemat_facts",
            "placemat_form_facts",
            "placemat_labels",
            "placemat_label",
            "placemat_label_untrusted",
        ],
    ),
    (
        "Is it well-formed",
        "",
        &[
            "placemat_is_valid",
            "placemat_validate",
            "placemat_first_error",
            "placemat_on_error",
            "placemat_errors",
            "placemat_errors_into",
        ],
    ),
    (
        "Counts, boundaries, byte order marks",
        "",
        &[
            "placemat_counts",
            "placemat_count",
            "placemat_boundary_floor",
            "placemat_boundary_ceil",
            "placemat_boundary_next",
            "placemat_boundary_previous",
            "placemat_is_boundary",
            "placemat_bom_of",
        ],
    ),
    (
        "Settings of conversions",
        "",
        &[
            "placemat_policy",
            "placemat_policy_name",
            "placemat_unencodable",
            "placemat_bom",
            "placemat_settings",
            "placemat_settings_set",
        ],
    ),
    (
        "Conversion in memory of the caller",
        "Between forms; no function here allocates.",
        &[
            "placemat_step",
            "placemat_length",
            "placemat_convert_into",
            "PLACEMAT_TRANSCODER_SIZE",
            "PLACEMAT_MIN_ROOM",
            "placemat_transcoder",
            "placemat_transcoder_size",
            "placemat_transcoder_align",
            "placemat_transcoder_init",
            "placemat_transcoder_push",
            "placemat_transcoder_finish",
            "placemat_transcoder_reset",
            "placemat_transcoder_errors",
            "placemat_transcoder_offset",
            "placemat_transcoder_source",
        ],
    ),
    (
        "What allocates",
        "Every encoding, repair, detection, explanations. A library that was built without the feature \"text\" lacks this section.",
        &[
            "placemat_buffer",
            "placemat_buffer_free",
            "placemat_convert",
            "placemat_converter",
            "placemat_converter_new",
            "placemat_converter_push",
            "placemat_converter_finish",
            "placemat_converter_errors",
            "placemat_converter_free",
            "placemat_replace",
            "placemat_repair_flags",
            "placemat_repair",
            "placemat_repair_undo",
            "placemat_detect_json",
            "placemat_explain_json",
            "placemat_invisible_json",
        ],
    ),
];

#[test]
fn the_header_is_what_the_sources_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("include/placemat.h");
    let header = header(root);
    if std::env::var_os("UPDATE_HEADER").is_some() {
        fs::create_dir_all(root.join("include")).unwrap();
        fs::write(&path, &header).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let differs = kept.lines().zip(header.lines()).find(|(kept, made)| kept != made);
    assert!(kept == header, "UPDATE_HEADER=1 writes it; the first line that differs: {differs:?}");
}

/// Makes the whole header.
fn header(root: &Path) -> String {
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let top = config.header.clone().unwrap();
    let mut made = Vec::new();
    cbindgen::Builder::new()
        .with_crate(root)
        .with_config(cbindgen::Config { header: None, ..config })
        .generate()
        .unwrap()
        .write(&mut made);
    let mut items = items(&String::from_utf8(made).unwrap());
    let mut header = format!(
        "{}\n\n#ifndef PLACEMAT_H\n#define PLACEMAT_H\n\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n",
        top.trim()
    );
    for (title, intro, names) in SECTIONS {
        let rule = "=".repeat(77 - title.len());
        let _ = write!(header, "\n/* {title} {rule} */\n");
        if !intro.is_empty() {
            let _ = write!(header, "\n{}\n", comment("", "/*", &[intro]));
        }
        for name in names {
            let item = items.remove(*name).unwrap_or_else(|| panic!("{name} is not in the sources"));
            let _ = write!(header, "\n{item}\n");
        }
    }
    assert!(items.is_empty(), "in no section: {:?}", items.keys());
    header + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* PLACEMAT_H */\n"
}

/// Divides cbindgen's output into items, by name.
fn items(made: &str) -> BTreeMap<String, String> {
    let inside = made.split("#define PLACEMAT_H\n").nth(1).unwrap();
    let inside = inside.rsplit_once("#endif").unwrap().0;
    let guards = ["#ifdef __cplusplus", "extern \"C\" {", "}  // extern \"C\"", "#endif"];
    let lines = inside.lines().filter(|line| !guards.iter().any(|guard| line.starts_with(guard)));
    let (mut items, mut item) = (BTreeMap::new(), Vec::new());
    for line in lines.skip_while(|line| line.is_empty()) {
        item.push(line);
        let is_comment = line.trim_start().starts_with('*');
        let ends = |line: &str| line.ends_with(");") || line.ends_with(';') && !line.starts_with(' ');
        if line.starts_with("#define") || !is_comment && ends(line) {
            let name = name_of(&item);
            // A type with a tag can be declared without the header.
            let tagged = |kind: &str| (format!("typedef {kind} {{"), format!("typedef {kind} {name} {{"));
            let (structs, enums) = (tagged("struct"), tagged("enum"));
            let text = rewritten(&item).replace(&structs.0, &structs.1).replace(&enums.0, &enums.1);
            items.insert(name, text);
            item.clear();
        }
    }
    assert!(item.iter().all(|line| line.is_empty()), "no item: {item:?}");
    items
}

/// The name that an item declares.
fn name_of(item: &[&str]) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let code: Vec<_> = item.iter().filter(|line| !line.trim_start().starts_with(['/', '*'])).collect();
    let first = code.iter().find(|line| !line.is_empty()).unwrap();
    let text = match first {
        line if line.starts_with("#define ") => line.split(' ').nth(1).unwrap(),
        line if line.contains("(*") => line.split("(*").nth(1).unwrap(),
        line if line.starts_with("typedef") => {
            code.last().unwrap().trim_end_matches(';').rsplit(' ').next().unwrap()
        }
        line => line.split('(').next().unwrap().rsplit([' ', '*']).next().unwrap(),
    };
    text.chars().take_while(|&c| is_word(c)).collect()
}

/// Formats the comments of an item again.
fn rewritten(item: &[&str]) -> String {
    let (mut out, mut said) = (Vec::new(), None::<Vec<&str>>);
    for line in item {
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        match (&mut said, text) {
            (None, "/**") => said = Some(Vec::new()),
            (Some(lines), "*/") => {
                out.push(comment(&indent[..indent.len() / 4 * 4], "/**", lines));
                said = None;
            }
            (Some(lines), text) => lines.push(text.trim_start_matches('*').trim()),
            (None, "") => {}
            (None, _) => out.push((*line).to_owned()),
        }
    }
    out.join("\n")
}

/// Formats a comment in lines of at most 100 columns; on one line, if it fits.
fn comment(indent: &str, opening: &str, lines: &[&str]) -> String {
    let room = 97 - indent.len();
    let paragraphs = paragraphs(lines);
    if let [only] = &paragraphs[..]
        && only.chars().count() + 4 < room
    {
        return format!("{indent}{opening} {only} */");
    }
    let mut text = format!("{indent}{opening}\n");
    for (at, paragraph) in paragraphs.iter().enumerate() {
        if at == 1 {
            let _ = writeln!(text, "{indent} *");
        }
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > room {
                let _ = writeln!(text, "{indent} * {line}");
                line.clear();
            }
            line += if line.is_empty() { "" } else { " " };
            line += word;
        }
        let _ = writeln!(text, "{indent} * {line}");
    }
    format!("{text}{indent} */")
}

/// Divides a comment into paragraphs. One ends at an empty line, or where another subject begins.
fn paragraphs(lines: &[&str]) -> Vec<String> {
    const SUBJECTS: [&str; 3] = ["Errors:", "Errors and cost:", "Cost:"];
    let mut paragraphs: Vec<String> = Vec::new();
    let mut is_new = true;
    for line in lines {
        // rustdoc needs this heading; in the header it is a subject like the others.
        let line = if *line == "# Safety" { "Pointers:" } else { *line };
        let continues =
            !is_new && !SUBJECTS.iter().any(|subject| line.starts_with(subject)) && line != "Pointers:";
        match paragraphs.last_mut() {
            _ if line.is_empty() => {}
            Some(last) if continues => *last = format!("{last} {line}"),
            _ => paragraphs.push(line.to_owned()),
        }
        is_new = line.is_empty();
    }
    paragraphs
}
