//! What resembles a character that an encoding lacks: what `//TRANSLIT` writes.
//!
//! First what Unicode says that the character is made of, then a table (the crate `any_ascii`, licence ISC). Nothing depends on the
//! locale.

#[cfg(feature = "translit")]
mod table;

/// The text that resembles `c` most, of characters that are carried. `None` if there is none. The time is bounded by a constant number of
/// calls of `carries`. Without the feature `translit` there never is one.
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
