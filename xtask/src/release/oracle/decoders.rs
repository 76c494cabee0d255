//! The decoders that are tested.

/// A decoder: a program that reads hexadecimal lines and answers 1 or 0 to each, or one that runs once for each string.
pub(super) struct Decoder {
    pub(super) name: &'static str,
    /// A command whose first line contains the version.
    pub(super) version: &'static str,
    pub(super) run: Run,
}

pub(super) enum Run {
    /// With the lines on its standard input.
    Lines(&'static str),
    /// With the bytes on its standard input. They are accepted if the program succeeds and prints no complaint (uconv complains about an
    /// error in the first byte, but succeeds).
    Each(&'static str),
}

use Run::{Each, Lines};

pub(super) const DECODERS: [Decoder; 16] = [
    Decoder {
        name: "placemat check",
        version: "placemat --version",
        run: Each("placemat check --format paths -"),
    },
    Decoder { name: "Rust core::str", version: "rustc --version", run: Lines("") },
    Decoder {
        name: "CPython utf-8",
        version: "python3 --version",
        run: Lines("python3 xtask/oracle/oracle.py"),
    },
    Decoder {
        name: "Node TextDecoder, fatal",
        version: "node --version",
        run: Lines("node xtask/oracle/text_decoder.js"),
    },
    Decoder {
        name: "Node buffer.isUtf8",
        version: "node --version",
        run: Lines("node xtask/oracle/is_utf8.js"),
    },
    Decoder {
        name: "Java CharsetDecoder",
        version: "java --version",
        run: Lines("java xtask/oracle/Oracle.java"),
    },
    Decoder {
        name: "Java readUTF (modified)",
        version: "java --version",
        run: Lines("java xtask/oracle/Modified.java"),
    },
    Decoder {
        name: "Perl Encode \"UTF-8\"",
        version: "perl -e print(\"perl\\x20$^V\\n\")",
        run: Lines("perl xtask/oracle/encode_strict.pl"),
    },
    Decoder {
        name: "Perl Encode \"utf8\"",
        version: "perl -e print(\"perl\\x20$^V\\n\")",
        run: Lines("perl xtask/oracle/encode_lax.pl"),
    },
    Decoder {
        name: "Perl utf8::decode",
        version: "perl -e print(\"perl\\x20$^V\\n\")",
        run: Lines("perl xtask/oracle/core.pl"),
    },
    Decoder {
        name: "Ruby valid_encoding?",
        version: "ruby --version",
        run: Lines("ruby xtask/oracle/valid_encoding.rb"),
    },
    Decoder { name: "PHP preg_match //u", version: "php --version", run: Lines("php xtask/oracle/preg.php") },
    Decoder { name: "PHP json_encode", version: "php --version", run: Lines("php xtask/oracle/json.php") },
    Decoder {
        name: "glibc iconv to UTF-8",
        version: "iconv --version",
        run: Each("iconv -f UTF-8 -t UTF-8"),
    },
    Decoder {
        name: "glibc iconv to UTF-32LE",
        version: "iconv --version",
        run: Each("iconv -f UTF-8 -t UTF-32LE"),
    },
    Decoder {
        name: "ICU uconv",
        version: "uconv --version",
        run: Each("uconv -f UTF-8 -t UTF-32LE --from-callback stop"),
    },
];
