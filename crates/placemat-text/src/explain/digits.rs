//! Parses bytes that are given as digits.

use std::{error, fmt};

use crate::escape;

/// A base in which bytes can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Two digits per byte.
    Hex,
    /// Three digits per byte, at most 377.
    Octal,
    /// Eight digits per byte.
    Binary,
}

/// Why a text is not bytes in digits. Places are in characters, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DigitsError {
    /// A character is no digit of the base.
    NotADigit {
        /// The base.
        base: Base,
        /// The character.
        found: char,
        /// The place of the character.
        place: usize,
    },
    /// There is a single hexadecimal digit.
    HalfByte {
        /// The place of the digit.
        place: usize,
    },
    /// In digits without spaces, the last ones are less than a byte.
    NotWhole {
        /// The number of digits.
        digits: usize,
        /// The place of the first digit.
        place: usize,
        /// The number of digits in a byte.
        whole: usize,
    },
    /// Three octal digits are above 377.
    TooLarge {
        /// The digits.
        digits: String,
        /// The place of the digits.
        place: usize,
    },
    /// There are fewer than eight bits.
    PartOfByte {
        /// The bits.
        bits: String,
    },
}

impl fmt::Display for DigitsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DigitsError::NotADigit { base, found, place } => {
                let found = found.to_string();
                write!(f, "character {place}, “{}”, is no {} digit", escape::text(&found), base.name())
            }
            DigitsError::HalfByte { place } => {
                write!(f, "the digit at character {place} is half a byte: write two digits, or 0x before one")
            }
            DigitsError::NotWhole { digits, place, whole } => write!(
                f,
                "the {digits} digits at character {place} are not a whole number of bytes: a byte has {whole}"
            ),
            DigitsError::TooLarge { digits, place } => {
                write!(f, "“{digits}” at character {place} is more than a byte")
            }
            DigitsError::PartOfByte { bits } => {
                write!(f, "{bits} is part of a byte: write 8 bits, or 0b before fewer")
            }
        }
    }
}

impl error::Error for DigitsError {}

impl Base {
    fn radix(self) -> u32 {
        match self {
            Base::Hex => 16,
            Base::Octal => 8,
            Base::Binary => 2,
        }
    }

    /// The number of digits in a byte.
    fn digits(self) -> usize {
        match self {
            Base::Hex => 2,
            Base::Octal => 3,
            Base::Binary => 8,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Base::Hex => "hexadecimal",
            Base::Octal => "octal",
            Base::Binary => "binary",
        }
    }

    /// Returns the bytes that `text` gives. The digits may be in groups or all together, with or without `0x`, `\x`, `\`,
    /// `0o` or `0b` before them. The bits of one byte may be separated: `1110 0010`.
    ///
    /// # Errors
    /// A character is no digit, or the digits are not a whole number of bytes.
    ///
    /// ```
    /// use placemat_text::explain::Base;
    ///
    /// assert_eq!(Base::Hex.parse("E2 82 AC"), Ok(b"\xE2\x82\xAC".to_vec()));
    /// assert_eq!(Base::Octal.parse("\\342\\202\\254"), Ok(b"\xE2\x82\xAC".to_vec()));
    /// let error = Base::Hex.parse("E2 8G").unwrap_err();
    /// assert_eq!(error.to_string(), "character 5, “G”, is no hexadecimal digit");
    /// ```
    pub fn parse(self, text: &str) -> Result<Vec<u8>, DigitsError> {
        let mut bytes = Vec::new();
        let mut bits = String::new();
        let mut place = 1;
        if text.starts_with('-') {
            return Err(DigitsError::NotADigit { base: self, found: '-', place: 1 });
        }
        for group in text.split(is_separator) {
            let digits = self.without_prefix(group);
            let first = place + group.len() - digits.len();
            place += group.chars().count() + 1;
            self.check(digits, first)?;
            if let (Base::Hex, 1) = (self, group.len()) {
                // `0x8` is a byte. Without `0x`, a byte has two digits, and one is an error.
                return Err(DigitsError::HalfByte { place: first });
            }
            if matches!(self, Base::Binary) && digits.len() < 8 && digits == group {
                bits.push_str(digits);
                if bits.len() < 8 {
                    continue;
                }
                self.parse_group(&std::mem::take(&mut bits), first, &mut bytes)?;
            } else {
                are_none(&bits)?;
                self.parse_group(digits, first, &mut bytes)?;
            }
        }
        are_none(&bits)?;
        Ok(bytes)
    }

    fn without_prefix(self, group: &str) -> &str {
        let prefixes: &[&str] = match self {
            Base::Hex => &["0x", "0X", "x"],
            Base::Octal => &["0o", "o"],
            Base::Binary => &["0b", "b"],
        };
        let stripped = prefixes.iter().find_map(|prefix| group.strip_prefix(prefix));
        stripped.filter(|rest| !rest.is_empty()).unwrap_or(group)
    }

    fn check(self, digits: &str, place: usize) -> Result<(), DigitsError> {
        match digits.chars().enumerate().find(|(_, c)| !c.is_digit(self.radix())) {
            Some((n, found)) => Err(DigitsError::NotADigit { base: self, found, place: place + n }),
            None => Ok(()),
        }
    }

    /// Reads digits without spaces. Each was checked to be a digit.
    fn parse_group(self, digits: &str, place: usize, bytes: &mut Vec<u8>) -> Result<(), DigitsError> {
        let whole = self.digits();
        if digits.len() > whole && !digits.len().is_multiple_of(whole) {
            return Err(DigitsError::NotWhole { digits: digits.len(), place, whole });
        }
        for (n, byte) in digits.as_bytes().chunks(whole).enumerate() {
            let digits = byte.iter().copied().map(char::from);
            let value = digits.clone().filter_map(|c| c.to_digit(self.radix()));
            match u8::try_from(value.fold(0, |value, digit| value * self.radix() + digit)) {
                Ok(value) => bytes.push(value),
                Err(_) => {
                    return Err(DigitsError::TooLarge { digits: digits.collect(), place: place + n * whole });
                }
            }
        }
        Ok(())
    }
}

/// Returns an error if bits are left that are not a whole byte.
fn are_none(bits: &str) -> Result<(), DigitsError> {
    match bits.is_empty() {
        true => Ok(()),
        false => Err(DigitsError::PartOfByte { bits: bits.to_owned() }),
    }
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | ':' | '\\' | '_' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_may_stand_apart_or_together() {
        for text in ["E2 82 AC", "e282ac", "0xE2,0x82,0xAC", "\\xE2\\x82\\xAC", "E2:82:AC", " E2  82AC "] {
            assert_eq!(Base::Hex.parse(text).unwrap(), b"\xE2\x82\xAC", "{text}");
        }
        assert_eq!(Base::Octal.parse("\\342\\202\\254").unwrap(), b"\xE2\x82\xAC");
        assert_eq!(Base::Octal.parse("342 202 254 7").unwrap(), b"\xE2\x82\xAC\x07");
        for text in
            ["11100010 10000010_10101100", "1110 0010 10 000010 10 101100", "111000101000001010101100"]
        {
            assert_eq!(Base::Binary.parse(text).unwrap(), b"\xE2\x82\xAC", "{text}");
        }
        assert_eq!(Base::Binary.parse("0b101, 0b1").unwrap(), [5, 1]);
        assert_eq!(Base::Hex.parse("").unwrap(), b"");
    }

    #[test]
    fn a_bad_digit_is_named_with_its_place() {
        let message = |base: Base, text| base.parse(text).unwrap_err().to_string();
        assert_eq!(message(Base::Hex, "E2 8G"), "character 5, “G”, is no hexadecimal digit");
        assert_eq!(message(Base::Hex, "0xE2 0x8G"), "character 9, “G”, is no hexadecimal digit");
        assert_eq!(message(Base::Octal, "é 400"), "character 1, “é”, is no octal digit");
        assert_eq!(message(Base::Octal, "400"), "“400” at character 1 is more than a byte");
        assert_eq!(message(Base::Octal, "-1"), "character 1, “-”, is no octal digit");
        assert_eq!(message(Base::Octal, "0 777"), "“777” at character 3 is more than a byte");
        assert!(message(Base::Binary, "1110 001").starts_with("1110001 is part of a byte"));
        assert!(message(Base::Binary, "10 0b1").starts_with("10 is part of a byte"));
        assert!(message(Base::Binary, "111 000101").contains("not a whole number of bytes"));
        assert!(message(Base::Hex, "E2 82A").contains("not a whole number of bytes"));
        assert!(message(Base::Hex, "E2 8").contains("the digit at character 4 is half a byte"));
        assert_eq!(Base::Hex.parse("0xE2, 0x8").unwrap(), b"\xE2\x08");
    }
}
