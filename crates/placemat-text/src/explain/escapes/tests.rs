//! Reads and guesses each kind of escapes.

use super::*;

fn read(kind: Escapes, text: &str) -> Result<Vec<u8>, EscapesError> {
    kind.read(text, Form::Utf8)
}

#[test]
fn each_kind_is_guessed_and_read() {
    let cafe = "café".as_bytes();
    let cases: [(Escapes, &str, &[u8]); 35] = [
        (Escapes::Json, r"caf\u00e9", cafe),
        (Escapes::Json, r#""caf\u00E9""#, cafe),
        (Escapes::Json, r"\ud83d\ude00", "😀".as_bytes()),
        (Escapes::Json, r"\ud83d", b"\xED\xA0\xBD"),
        (Escapes::Perl, r"caf\x{e9}", cafe),
        (Escapes::Perl, r"caf\N{U+E9}", cafe),
        (Escapes::Perl, r"caf\o{351}", cafe),
        (Escapes::Url, "caf%C3%A9", cafe),
        (Escapes::Url, "https://x.y/caf%c3%a9?a=b", "https://x.y/café?a=b".as_bytes()),
        (Escapes::QuotedPrintable, "caf=C3=A9", cafe),
        (Escapes::QuotedPrintable, "ca=\nf=C3=A9", cafe),
        (Escapes::QuotedPrintable, "ca= \t\r\nf=C3=A9=", cafe),
        (Escapes::EncodedWord, "=?utf-8?Q?caf=C3=A9?=", cafe),
        (Escapes::EncodedWord, "=?UTF-8?B?Y2Fmw6k=?=", cafe),
        (Escapes::Html, "caf&#233;", cafe),
        (Escapes::Html, "caf&#xE9; &lt;", "café <".as_bytes()),
        (Escapes::Html, "caf&eacute;", cafe),
        (Escapes::Base64, "Y2Fmw6k=", cafe),
        (Escapes::Python, r"b'caf\xc3\xa9'", cafe),
        (Escapes::Python, r"'caf\xe9'", cafe),
        (Escapes::Python, r"\U0001F600", "😀".as_bytes()),
        (Escapes::C, r"caf\xC3\xA9", cafe),
        (Escapes::C, r#""caf\303\251" "!""#, "café!".as_bytes()),
        (Escapes::Rust, r"caf\u{e9}", cafe),
        (Escapes::Rust, r#""caf\u{00_E9}\n""#, "café\n".as_bytes()),
        (
            Escapes::Hexdump,
            "00000000  63 61 66 c3 a9                                    |caf..|\n00000005\n",
            cafe,
        ),
        (Escapes::Hexdump, "00000000: 6361 66c3 a9                             caf..", cafe),
        (Escapes::Hexdump, "0000000 63 61 66 c3 a9\n0000005\n", cafe),
        (Escapes::Hexdump, "0000000 6163 c366\n", b"caf\xC3"),
        // hexdump, od -x: words of a file with an odd length.
        (Escapes::Hexdump, "0000000 6163 c366 00a9                         \n0000005\n", cafe),
        (Escapes::Hexdump, "0000000 6163 0066\n0000004\n", b"caf\0"),
        // od -A x -t x1z
        (Escapes::Hexdump, "000000 63 61 66 c3 a9       >caf..<\n000005\n", cafe),
        // xxd -e, xxd -b, xxd -g 4
        (
            Escapes::Hexdump,
            "00000000: c3666163 207821a9  caf..!x \n00000008: 7a790a71   0a2020  q.yz  .\n",
            "café!x q\nyz  \n".as_bytes(),
        ),
        (
            Escapes::Hexdump,
            "00000000: 01100011 01100001 01100110 11000011 10101001 00100000  caf.. \n",
            "café ".as_bytes(),
        ),
        (Escapes::Hexdump, "00000000: 636166c3 a9202078 2020      caf..  x  \n", "café  x  ".as_bytes()),
    ];
    for (kind, text, expected) in cases {
        assert_eq!(Escapes::guess(text), Some(kind), "{text}");
        assert_eq!(read(kind, text).as_deref(), Ok(expected), "{text}");
    }
    assert_eq!(read(Escapes::Java, r#""caf\uu00e9\351""#).as_deref(), Ok("caféé".as_bytes()));
    assert_eq!(read(Escapes::Base64, "Y2Fmw6k").as_deref(), Ok(cafe));
    assert_eq!(read(Escapes::Base64, "data:text/plain;base64,Y2Fm w6k=").as_deref(), Ok(cafe));
    assert_eq!(read(Escapes::Html, "&#150;").as_deref(), Ok("–".as_bytes()));
    assert_eq!(Escapes::Json.read(r"\u00e9", Form::Utf16Le).as_deref(), Ok(&b"\xE9\0"[..]));
}

/// As in the HTML standard's states for character references in text.
#[test]
fn references_are_read_as_browsers_read_them() {
    for (text, expected) in [
        ("caf&eacute", "café"),
        ("&eacutes &ampamp &lt3 &#233 &#xE9g", "és &amp <3 é ég"),
        ("&#233abc;", "éabc;"),
        ("AT&T &apos &euro &x &#x &#", "AT&T &apos &euro &x &#x &#"),
        ("&#0;&#xD83D;&#xDE00;&#x110000;&#99999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("&#x80;&#xD;&#x1F600;", "€\r😀"),
        ("&Alpha;&Omega;&sigmaf;&omega;&notin;&ensp;&fnof;&diams;&lang;", "ΑΩςω∉\u{2002}ƒ♦⟨"),
        ("&; && &Sigma &lt", "&; && &Sigma <"),
    ] {
        assert_eq!(read(Escapes::Html, text).as_deref(), Ok(expected.as_bytes()), "{text}");
    }
}

#[test]
fn plain_text_has_no_escapes() {
    for text in [
        "café",
        "50 % of it",
        "a = b",
        "C:\\new",
        "AT&T; done",
        "1 + 1 = 2",
        "100%",
        "x=y",
        "\\",
        "%",
        "=",
        "&",
        "&#",
        "\\u",
    ] {
        assert_eq!(Escapes::guess(text), None, "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    for (kind, text, place) in [
        (Escapes::Json, r"ab\u12", 3),
        (Escapes::Json, r"\q", 1),
        (Escapes::Json, "\\", 1),
        (Escapes::Rust, r"\u{110000}", 1),
        (Escapes::Rust, r"\u{e9", 1),
        (Escapes::Rust, r#""\xE9""#, 2),
        (Escapes::C, r"\x123", 1),
        (Escapes::Python, r"\N{BULLET}", 1),
        (Escapes::Url, "a%zz", 2),
        (Escapes::QuotedPrintable, "a=é", 2),
        (Escapes::EncodedWord, "=?utf-8?X?a?=", 1),
        (Escapes::Html, "&nonsense;", 1),
        (Escapes::Perl, r"\N{BULLET}", 1),
        (Escapes::Perl, r"\o{8}", 1),
        (Escapes::Perl, r"\x{+e9}", 1),
        (Escapes::EncodedWord, "=?utf-8?Q?a?= =?utf-8?Q?b=ZZ?=", 26),
        (Escapes::Base64, "a*b=", 2),
        (Escapes::Base64, "Y2Fmw", 5),
        (Escapes::Hexdump, "00000000  63\n*\n00000020\n", 14),
        (Escapes::Hexdump, "nothing", 1),
    ] {
        let error = read(kind, text).expect_err(text);
        assert_eq!(error.place, place, "{text}: {error}");
    }
}

#[test]
fn nothing_panics() {
    const PIECES: [&str; 24] = [
        "\\", "u", "{", "}", "x", "00", "e9", "é", "%", "=", "&", "#", ";", "'", "\"", "b", "r#", "U", "=?",
        "?=", "|", ":", " ", "\n",
    ];
    let mut state = 1_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(PIECES[(state >> 33) as usize % PIECES.len()]);
        }
        let _ = Escapes::guess(&text);
        for kind in Escapes::ALL {
            let _ = kind.read(&text, Form::Utf8);
        }
    }
}
