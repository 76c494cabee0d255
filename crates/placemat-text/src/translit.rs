//! Transliterates: finds text that is similar to a character that an encoding lacks. This is what `//TRANSLIT` writes.
//!
//! First the decompositions of Unicode are tried, then a table (the crate `any_ascii`, licence ISC). Nothing depends on the locale.

#[cfg(feature = "translit")]
mod table;

/// Returns the text most similar to `c`, of characters that `carries` accepts; `None` if there is none. Calls `carries` a bounded
/// number of times. Without the feature `translit` it always returns `None`.
///
/// ```
/// use placemat_text::translit::resembling;
///
/// # if cfg!(feature = "translit") {
/// let ascii = |text: char| resembling(text, |c| c.is_ascii());
/// assert_eq!(ascii('é').as_deref(), Some("e"));
/// assert_eq!(ascii('ﬁ').as_deref(), Some("fi"));
/// assert_eq!(ascii('…').as_deref(), Some("..."));
/// assert_eq!(ascii('’').as_deref(), Some("'"));
/// assert_eq!(ascii('ж').as_deref(), Some("zh"));
/// assert_eq!(resembling('ấ', |c| c <= 'ÿ').as_deref(), Some("â"));
/// assert_eq!(ascii('\u{E000}'), None);
/// # }
/// ```
#[must_use]
pub fn resembling(c: char, carries: impl Fn(char) -> bool) -> Option<String> {
    #[cfg(feature = "translit")]
    let found = table::resembling(c, carries);
    #[cfg(not(feature = "translit"))]
    let found = {
        let _ = (c, carries);
        None
    };
    found
}
