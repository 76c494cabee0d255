//! The names that can be opened.

use placemat_text::charset::Charset;

/// Each encoding with its names in upper case, as other implementations list them.
pub(crate) fn names() -> impl Iterator<Item = Vec<String>> {
    Charset::all().map(|charset| {
        let aliases = charset.label().aliases().map(|(_, alias)| alias);
        let mut names: Vec<String> =
            [charset.name()].into_iter().chain(aliases).map(str::to_ascii_uppercase).collect();
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
        names
    })
}
