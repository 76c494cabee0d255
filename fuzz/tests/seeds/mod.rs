//! The seeds of a target, from `fuzz/seeds/NAME.txt`: one on each line, in ASCII; `\xNN` is a byte and `\\` a backslash.

use std::fs;
use std::path::Path;

pub fn of(name: &str) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name).with_extension("txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let seeds = text.lines().enumerate();
    seeds.map(|(at, line)| read(line).unwrap_or_else(|| panic!("{}:{}", path.display(), at + 1))).collect()
}

fn read(line: &str) -> Option<Vec<u8>> {
    let (mut seed, mut rest) = (Vec::new(), line);
    while let Some((before, escape)) = rest.split_once('\\') {
        seed.extend_from_slice(before.as_bytes());
        if let Some(after) = escape.strip_prefix('\\') {
            seed.push(b'\\');
            rest = after;
        } else {
            let digits = escape.strip_prefix('x')?.get(..2)?;
            seed.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &escape[3..];
        }
    }
    seed.extend_from_slice(rest.as_bytes());
    rest.is_ascii().then_some(seed)
}
