//! The paths that code names, each as the modules it goes through from the root of its crate.

use super::tokens::{Token, closed};

/// A path from the root of the crate, and its line.
pub(super) type Path<'t> = (Vec<&'t str>, usize);

/// All paths in the tokens of a file of the module `here` that begin with `crate`, `self` or `super`.
///
/// A group counts as its members: `crate::{a, b::c}` is `a` and `b::c`.
pub(super) fn paths<'t>(tokens: &[Token<'t>], here: &[&'t str]) -> Vec<Path<'t>> {
    let mut found = Vec::new();
    // Inline modules around the current token, each with the index where it ends.
    let mut inside: Vec<(&str, usize)> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        inside.retain(|(_, end)| at < *end);
        match tokens[at].text {
            "mod" if text(tokens, at + 2) == "{" => {
                inside.push((text(tokens, at + 1), closed(tokens, at + 2)));
                at += 3;
            }
            "crate" | "super" | "self" if is_separator(tokens, at + 1) && begins_path(tokens, at) => {
                let mut base: Vec<_> =
                    here.iter().copied().chain(inside.iter().map(|(name, _)| *name)).collect();
                let mut next = at;
                while is_separator(tokens, next + 1) {
                    match text(tokens, next) {
                        "crate" => base.clear(),
                        "super" => _ = base.pop(),
                        "self" => {}
                        _ => break,
                    }
                    next += 3;
                }
                at = tree(tokens, next, &base, &mut found);
            }
            _ => at += 1,
        }
    }
    found
}

fn text<'t>(tokens: &[Token<'t>], at: usize) -> &'t str {
    tokens.get(at).map_or("", |token| token.text)
}

fn is_separator(tokens: &[Token<'_>], at: usize) -> bool {
    text(tokens, at) == ":" && text(tokens, at + 1) == ":"
}

/// Whether the word at `at` is the first of its path. A path after `in` is a visibility, not a use.
fn begins_path(tokens: &[Token<'_>], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| text(tokens, at));
    !(before(1) == ":" && before(2) == ":") && before(1) != "in"
}

/// Reads the names, or the group of names, that follow `base::` from `at`. Returns the index after them.
fn tree<'t>(tokens: &[Token<'t>], mut at: usize, base: &[&'t str], found: &mut Vec<Path<'t>>) -> usize {
    let mut path = base.to_vec();
    let line = tokens.get(at).map_or(0, |token| token.line);
    loop {
        match text(tokens, at) {
            "{" => {
                let end = closed(tokens, at);
                at += 1;
                while at + 1 < end {
                    // A member, then a comma, or the name that `as` gives it.
                    at = match text(tokens, at) {
                        "," => at + 1,
                        "as" => at + 2,
                        _ => tree(tokens, at, &path, found),
                    };
                }
                return end;
            }
            "self" => at += 1,
            name if name.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                path.push(name);
                at += 1;
            }
            // A glob, or the type arguments in `crate::x::<T>`.
            _ => {
                found.push((path, line));
                return at + 1;
            }
        }
        if !is_separator(tokens, at) {
            found.push((path, line));
            return at;
        }
        at += 2;
    }
}
