//! CESU-8 and Modified UTF-8 as whole strings.

#![forbid(unsafe_code)]

/// The two functions of a form.
macro_rules! relative {
    ($(#[$doc:meta])* $module:ident { $(#[$encode:meta])* $to:ident $(#[$decode:meta])* $from:ident }) => {
        $(#[$doc])*
        pub mod $module {
            use alloc::borrow::Cow;

            use crate::Error;
            use crate::owned::related;

            /// Converts text to this form. Borrows if the bytes are the same; one pass.
            ///
            $(#[$encode])*
            #[must_use]
            #[inline]
            pub fn encode(text: &str) -> Cow<'_, [u8]> {
                related::$to(text)
            }

            /// Converts bytes of this form to text. Borrows if the bytes are the same.
            ///
            $(#[$decode])*
            ///
            /// # Errors
            /// The first ill-formed sequence, or the first surrogate without a partner, which text cannot hold.
            pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
                related::$from(bytes)
            }
        }
    };
}

relative! {
    /// CESU-8 (Unicode Technical Report 26): supplementary characters as two surrogates of three bytes each.
    ///
    /// ```
    /// use placemat::cesu8;
    /// assert_eq!(*cesu8::encode("\u{1F600}"), *b"\xED\xA0\xBD\xED\xB8\x80");
    /// assert_eq!(cesu8::decode(b"\xED\xA0\xBD\xED\xB8\x80").unwrap(), "\u{1F600}");
    /// assert!(cesu8::decode("\u{1F600}".as_bytes()).is_err());
    /// ```
    cesu8 {
        /// ```
        /// use placemat::cesu8;
        /// assert_eq!(*cesu8::encode("é\u{10000}"), *b"\xC3\xA9\xED\xA0\x80\xED\xB0\x80");
        /// ```
        to_cesu8
        /// ```
        /// use placemat::cesu8;
        /// assert_eq!(cesu8::decode(b"\xED\xA0\x80\xED\xB0\x80").unwrap(), "\u{10000}");
        /// assert_eq!(cesu8::decode(b"a\xED\xA0\x80!").unwrap_err().offset(), 1);
        /// ```
        from_cesu8
    }
}

relative! {
    /// Modified UTF-8 (Java class files, JNI, DEX): CESU-8 with NUL as `C0 80`.
    ///
    /// ```
    /// use placemat::mutf8;
    /// assert_eq!(*mutf8::encode("a\0"), *b"a\xC0\x80");
    /// assert_eq!(mutf8::decode(b"a\xC0\x80").unwrap(), "a\0");
    /// ```
    mutf8 {
        /// ```
        /// use placemat::mutf8;
        /// assert_eq!(*mutf8::encode("\0é"), *b"\xC0\x80\xC3\xA9");
        /// ```
        to_mutf8
        /// ```
        /// use placemat::mutf8;
        /// assert_eq!(mutf8::decode(b"\xC0\x80\xC3\xA9").unwrap(), "\0é");
        /// assert!(mutf8::decode(b"\0").is_err(), "NUL is two bytes");
        /// ```
        from_mutf8
    }
}
