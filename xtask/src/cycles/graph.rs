//! Which module uses which, and the cycles among them.

use std::collections::{BTreeMap, BTreeSet};

use super::File;
use super::paths::paths;
use super::tokens::code;

/// The uses between the top-level modules of a crate, each with one place that shows it.
#[derive(Default)]
pub(super) struct Graph {
    uses: BTreeMap<String, BTreeMap<String, String>>,
}

impl Graph {
    pub(super) fn new(files: &[File]) -> Self {
        let read: Vec<_> = files.iter().map(|file| (file, code(&file.text))).collect();
        // The modules in files that are for tests: each is the path of the module that declares it, and its name.
        let tests: Vec<Vec<&str>> = read
            .iter()
            .flat_map(|(file, (_, names))| {
                names.iter().map(|name| file.module.iter().map(String::as_str).chain([*name]).collect())
            })
            .collect();
        let modules: BTreeSet<&str> =
            files.iter().filter_map(|file| Some(file.module.first()?.as_str())).collect();
        let mut exports = BTreeMap::new();
        for (_, (tokens, _)) in read.iter().filter(|(file, _)| file.module.is_empty()) {
            exports.extend(re_exports(tokens, &modules));
        }
        let mut graph = Self::default();
        for (file, (tokens, _)) in &read {
            let here: Vec<_> = file.module.iter().map(String::as_str).collect();
            let Some(from) = here.first().filter(|_| !tests.iter().any(|test| here.starts_with(test))) else {
                continue;
            };
            for (path, line) in paths(tokens, &here) {
                let Some(first) = path.first() else { continue };
                let to = modules.get(first).or_else(|| exports.get(first)).copied();
                if let Some(to) = to.filter(|to| to != from) {
                    let place = || format!("{}:{line}", file.shown);
                    let uses = graph.uses.entry((*from).to_owned()).or_default();
                    uses.entry(to.to_owned()).or_insert_with(place);
                }
            }
        }
        graph
    }

    /// The largest sets of modules of which each uses each other one, directly or not.
    pub(super) fn cycles(&self) -> Vec<Vec<String>> {
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            self.uses.keys().map(|from| (&**from, self.reach(from))).collect();
        let are_mutual = |a: &str, b: &str| {
            reached.get(a).is_some_and(|from_a| from_a.contains(b))
                && reached.get(b).is_some_and(|from_b| from_b.contains(a))
        };
        let mut cycles: Vec<Vec<String>> = Vec::new();
        for module in self.uses.keys() {
            if are_mutual(module, module) && !cycles.iter().flatten().any(|known| known == module) {
                cycles.push(self.uses.keys().filter(|other| are_mutual(module, other)).cloned().collect());
            }
        }
        cycles
    }

    /// What `from` uses, directly or not.
    fn reach(&self, from: &str) -> BTreeSet<&str> {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            for to in self.uses.get(module).into_iter().flat_map(BTreeMap::keys) {
                if reached.insert(&**to) {
                    open.push(to);
                }
            }
        }
        reached
    }

    /// The uses within a cycle, a line each.
    pub(super) fn describe(&self, cycle: &[String]) -> String {
        let mut lines = Vec::new();
        for (from, uses) in self.uses.iter().filter(|(from, _)| cycle.contains(from)) {
            for (to, place) in uses.iter().filter(|(to, _)| cycle.contains(to)) {
                lines.push(format!("  {from} uses {to} ({place})"));
            }
        }
        lines.join("\n")
    }
}

/// The names that the root takes from its modules by `use`, and the module of each.
fn re_exports<'t>(
    tokens: &[super::tokens::Token<'t>],
    modules: &BTreeSet<&'t str>,
) -> BTreeMap<&'t str, &'t str> {
    let mut names = BTreeMap::new();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.text == "use") {
        let rest = &tokens[at + 1..];
        let first = rest.iter().find(|token| !["crate", "self", ":"].contains(&token.text));
        let Some(module) = first.and_then(|first| modules.get(first.text)).copied() else { continue };
        let end = rest.iter().position(|token| token.text == ";").unwrap_or(rest.len());
        for (at, token) in rest[..end].iter().enumerate() {
            // The last name of each branch: `x` in `m::x`, `m::{x, y}` and `m::z as x`.
            let next = rest.get(at + 1).map_or("", |next| next.text);
            if [",", "}", ";"].contains(&next) && token.text.starts_with(char::is_alphabetic) {
                names.insert(token.text, module);
            }
        }
    }
    names
}
