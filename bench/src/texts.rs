//! The texts, from a folder or generated, and mixes of them.

use std::fs;
use std::path::Path;

use crate::generate;
use crate::random::Random;

pub struct Text {
    pub name: String,
    pub text: String,
}

impl Text {
    pub fn new(name: impl Into<String>, text: String) -> Text {
        Text { name: name.into(), text }
    }

    pub fn is_ascii(&self) -> bool {
        self.text.is_ascii()
    }
}

/// All texts: from `folder` or generated, then the special kinds, then the mixes of the first.
pub fn all(folder: Option<&Path>, limit: usize) -> Result<Vec<Text>, String> {
    let mut texts = match folder {
        Some(folder) => {
            let mut texts = Vec::new();
            read(folder, &mut texts)?;
            texts.sort_by(|a, b| a.name.cmp(&b.name));
            texts
        }
        None => generate::plain(limit.min(256 << 10)),
    };
    if texts.is_empty() {
        return Err("no *.txt, *.json or *.html of UTF-8 in that folder".to_owned());
    }
    let mixes = mixes(&texts, limit.min(2 << 20));
    if folder.is_some() {
        texts.push(Text::new("ASCII", generate::plain(limit.min(128 << 10)).swap_remove(0).text));
    }
    texts.extend(generate::special(limit.min(256 << 10)));
    texts.extend(mixes);
    for text in &mut texts {
        let end = floor(&text.text, limit);
        text.text.truncate(end);
    }
    Ok(texts)
}

fn read(folder: &Path, texts: &mut Vec<Text>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            read(&path, texts)?;
            continue;
        }
        let wanted = path.extension().is_some_and(|end| ["txt", "json", "html"].iter().any(|&e| end == e));
        if !wanted {
            continue;
        }
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name =
            path.file_name().unwrap_or_default().to_string_lossy().replace(".utf8.txt", "").replace(',', " ");
        match String::from_utf8(bytes) {
            Ok(text) if text.len() >= 1024 => texts.push(Text { name, text }),
            Ok(_) => eprintln!("left out, below 1 KiB: {}", path.display()),
            Err(_) => eprintln!("left out, not UTF-8: {}", path.display()),
        }
    }
    Ok(())
}

/// Shuffled pieces of all texts, and of those that are mostly ASCII, mostly of 2 and mostly of 3 bytes a character.
fn mixes(texts: &[Text], len: usize) -> Vec<Text> {
    let of = |name: &str, kinds: &[usize]| {
        let parts: Vec<_> = texts.iter().filter(|text| kinds.contains(&kind(&text.text))).collect();
        let text = shuffled(&parts, len);
        (parts.len() > 1).then(|| Text::new(name, text))
    };
    [of("mix Latin", &[1]), of("mix 2-byte", &[2]), of("mix 3-byte", &[3]), of("mix all", &[1, 2, 3, 4])]
        .into_iter()
        .flatten()
        .collect()
}

/// 1 for text that is mostly ASCII, otherwise the most frequent length of its other characters.
fn kind(text: &str) -> usize {
    let mut bytes = [0; 5];
    for c in text.chars() {
        bytes[c.len_utf8()] += c.len_utf8();
    }
    if bytes[1] * 10 > text.len() * 7 {
        return 1;
    }
    (2..=4).max_by_key(|&k| bytes[k]).unwrap_or(1)
}

/// Pieces of 20 to 420 bytes, the same number from each text, in random order.
fn shuffled(texts: &[&Text], len: usize) -> String {
    let mut random = Random::new(7);
    let mut pieces = Vec::new();
    for Text { text, .. } in texts {
        let (mut at, share) = (0, text.len().min(len / texts.len()));
        while at < share {
            let end = ceil(text, (at + 20 + random.below(400)).min(text.len()));
            pieces.push(&text[at..end]);
            at = end;
        }
    }
    random.shuffle(&mut pieces);
    pieces.concat()
}

/// The last boundary of a character at or before `at`.
pub fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// The first boundary of a character at or after `at`.
pub fn ceil(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}
