//! What is timed: the texts of a folder, and text of our own making.

use std::fs;
use std::path::Path;

use crate::ops::xorshift;

pub struct Text {
    pub name: String,
    /// Well-formed UTF-8.
    pub text: Vec<u8>,
}

/// The texts of a folder and the folders in it, or generated ones, each cut to about `longest` bytes.
pub fn all(folder: Option<&Path>, longest: usize) -> Result<Vec<Text>, String> {
    let mut texts = Vec::new();
    if let Some(folder) = folder {
        read(folder, longest, &mut texts).map_err(|error| format!("{}: {error}", folder.display()))?;
        texts.sort_by(|a, b| a.name.cmp(&b.name));
        let mix = shuffled(&texts, longest);
        texts.push(Text { name: "shuffled".to_owned(), text: mix });
    }
    let size = longest.min(400_000);
    let made: [(&str, Vec<u8>); 9] = [
        ("ascii", repeated("The quick brown fox jumps over the lazy dog. ", size)),
        ("sparse-30", sparse(30, size)),
        ("sparse-100", sparse(100, size)),
        ("sparse-300", sparse(300, size)),
        ("random-12", random(&[1, 2], size)),
        ("random-123", random(&[1, 2, 3], size)),
        ("random-1234", random(&[1, 2, 3, 4], size)),
        ("random-3", random(&[3], size)),
        ("random-4", random(&[4], size)),
    ];
    texts.extend(made.map(|(name, text)| Text { name: name.to_owned(), text }));
    Ok(texts)
}

fn read(folder: &Path, longest: usize, texts: &mut Vec<Text>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read(&path, longest, texts)?;
            continue;
        }
        let bytes = fs::read(&path)?;
        if let Ok(text) = std::str::from_utf8(&bytes)
            && text.len() > 10_000
        {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = text.as_bytes()[..text.floor_char_boundary_of(longest)].to_vec();
            texts.push(Text { name: name.replace(".utf8.txt", "").replace("-Lipsum", "-lipsum"), text });
        }
    }
    Ok(())
}

trait FloorCharBoundary {
    fn floor_char_boundary_of(&self, at: usize) -> usize;
}

impl FloorCharBoundary for str {
    fn floor_char_boundary_of(&self, at: usize) -> usize {
        let mut at = at.min(self.len());
        while !self.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// Pieces of sixty characters of all texts, in random order: what no branch predictor can learn.
fn shuffled(texts: &[Text], size: usize) -> Vec<u8> {
    let mut pieces: Vec<String> = Vec::new();
    for text in texts {
        let text = String::from_utf8_lossy(&text.text);
        let characters: Vec<char> = text.chars().take(size).collect();
        pieces.extend(characters.chunks(60).map(|piece| piece.iter().collect()));
    }
    let mut state = 7;
    for i in (1..pieces.len()).rev() {
        state = xorshift(state);
        pieces.swap(i, (state % (i as u64 + 1)) as usize);
    }
    let mut text = String::new();
    for piece in pieces {
        if text.len() + piece.len() > size {
            break;
        }
        text.push_str(&piece);
    }
    text.into_bytes()
}

fn repeated(text: &str, size: usize) -> Vec<u8> {
    text.repeat(size / text.len() + 1).into_bytes()
}

/// ASCII with one other character in about `every`.
fn sparse(every: u64, size: usize) -> Vec<u8> {
    let (mut text, mut state) = (String::new(), 11);
    while text.len() < size {
        state = xorshift(state);
        text.extend((0..state % (2 * every)).map(|i| char::from(b'a' + (i % 26) as u8)));
        text.push('\u{E9}');
    }
    text.into_bytes()
}

/// Characters of these many bytes each, with equal chances.
fn random(widths: &[usize], size: usize) -> Vec<u8> {
    let (mut text, mut state) = (String::new(), 13);
    while text.len() < size {
        state = xorshift(state);
        let low = (state >> 32) as u32;
        let value = match widths[(state >> 8) as usize % widths.len()] {
            1 => 0x20 + low % 0x5F,
            2 => 0x80 + low % 0x780,
            3 => 0x800 + low % 0xD000,
            _ => 0x1_0000 + low % 0x10_0000,
        };
        text.extend(char::from_u32(value));
    }
    text.into_bytes()
}

/// What comes between, in cold mode.
pub fn mixed(size: usize) -> Vec<u8> {
    let mut text = random(&[1, 2, 3, 4], size / 2);
    text.extend(sparse(30, size / 2));
    text
}
