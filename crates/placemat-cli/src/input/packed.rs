//! Unpacks gzip, zstd, bzip2 and xz, recognised by their first bytes.
//!
//! The file declares how much memory it takes to unpack, so that is limited. Concatenated members are read as one, and
//! zeros behind them are padding. A file that is cut off is an error, not a shorter text.

mod members;
mod named;

use std::fmt;
use std::io::{self, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use liblzma::bufread::XzDecoder;
use liblzma::stream::{CONCATENATED, Stream};

use self::members::{Ahead, Members};
use self::named::Named;

/// The memory that an unpacker may use, in bytes: more than any of the usual settings need.
const MOST: u64 = 1 << 27;

/// A compressed format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packed {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

impl fmt::Display for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Packed::Gzip => "gzip",
            Packed::Zstd => "zstd",
            Packed::Bzip2 => "bzip2",
            Packed::Xz => "xz",
        })
    }
}

/// The length of the longest magic number below, in bytes.
const LONGEST: usize = 6;

impl Packed {
    /// The format that the first bytes announce.
    pub(crate) fn of(head: &[u8]) -> Option<Packed> {
        match head {
            [0x1F, 0x8B, 8, ..] => Some(Packed::Gzip),
            // A frame, or a skippable frame.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Packed::Zstd),
            // After the magic number the block size, then the first byte of a block or of the end.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => Some(Packed::Bzip2),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Packed::Xz),
            _ => None,
        }
    }
}

/// The bytes as they are, or what they unpack to.
///
/// # Errors
/// Those of reading the first bytes, and of setting up the unpacker.
pub(super) fn unpacked<R: Read + 'static>(reader: R) -> io::Result<Box<dyn Read>> {
    let mut whole = Ahead::new(reader);
    Ok(match Packed::of(whole.peek(LONGEST)?) {
        None => Box::new(whole),
        Some(Packed::Gzip) => Box::new(Members::<GzDecoder<_>>::new(whole)),
        Some(Packed::Bzip2) => Box::new(Members::<BzDecoder<_>>::new(whole)),
        Some(Packed::Zstd) => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(whole)?;
            decoder.window_log_max(MOST.ilog2())?;
            Box::new(Named(Packed::Zstd, decoder))
        }
        Some(Packed::Xz) => {
            let stream = Stream::new_stream_decoder(MOST, CONCATENATED).map_err(io::Error::from)?;
            Box::new(Named(Packed::Xz, XzDecoder::new_stream(whole, stream)))
        }
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use super::*;

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        unpacked(Cursor::new(bytes.to_vec()))?.read_to_end(&mut text)?;
        Ok(text)
    }

    /// `text` in each format.
    fn packed(text: &[u8]) -> [Vec<u8>; 4] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(text).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
        bzip2.write_all(text).unwrap();
        let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 6);
        xz.write_all(text).unwrap();
        let zstd = zstd::stream::encode_all(text, 3).unwrap();
        [gzip.finish().unwrap(), bzip2.finish().unwrap(), xz.finish().unwrap(), zstd]
    }

    #[test]
    fn each_format_is_unpacked_whole() {
        let text = b"caf\xE9 ".repeat(50_000);
        for bytes in packed(&text) {
            assert_eq!(read(&bytes).unwrap(), text);
            assert_eq!(read(&bytes.repeat(2)).unwrap(), text.repeat(2));
        }
    }

    #[test]
    fn what_is_wrong_is_a_sentence() {
        let text = b"caf\xE9 ".repeat(50_000);
        for (bytes, name) in packed(&text).iter().zip(["gzip", "bzip2", "xz", "zstd"]) {
            for cut in [bytes.len() - 1, bytes.len() - 5, bytes.len() / 2, LONGEST + 1] {
                let expected = format!("the {name} data is cut off: the end of it is missing");
                assert_eq!(read(&bytes[..cut]).unwrap_err().to_string(), expected, "{cut}");
            }
        }
        // These have a checksum.
        for (bytes, name) in packed(&text)[..3].iter().zip(["gzip", "bzip2", "xz"]) {
            let mut damaged = bytes.clone();
            damaged[bytes.len() / 2] ^= 0x55;
            let error = read(&damaged).unwrap_err().to_string();
            assert!(error.starts_with(&format!("the {name} data is damaged (")), "{error}");
        }
        // A frame with a window of 2 GiB.
        let error = read(&[0x28, 0xB5, 0x2F, 0xFD, 0, 0xA8, 1, 0, 0]).unwrap_err().to_string();
        assert_eq!(
            error,
            "unpacking it takes more than 128 MiB of memory: unpack it with another program first"
        );
    }

    #[test]
    fn frames_of_zstd_may_be_skipped() {
        let [.., zstd] = packed(b"text");
        for mark in [0x50, 0x5F] {
            let frame = [&[mark, 0x2A, 0x4D, 0x18, 4, 0, 0, 0][..], b"\xFF\0ab"].concat();
            assert_eq!(read(&frame).unwrap(), b"");
            assert_eq!(read(&[&frame[..], &frame, &zstd, &frame, &zstd].concat()).unwrap(), b"texttext");
        }
    }

    #[test]
    fn zeros_are_padding_and_other_bytes_are_named() {
        let text = b"caf\xE9 ".repeat(50_000);
        for bytes in &packed(&text)[..2] {
            for zeros in [1, 511, 1 << 20] {
                let padded = [&bytes[..], &vec![0; zeros]].concat();
                assert_eq!(read(&padded).unwrap(), text);
                assert_eq!(read(&padded.repeat(2)).unwrap(), text.repeat(2));
            }
            for rest in [&b"x"[..], b"\0x", b"\x1F\x8B", b"no member, but longer than any header"] {
                let error = read(&[&bytes[..], rest].concat()).unwrap_err();
                assert!(error.to_string().contains("the compressed data is followed by"), "{error}");
            }
        }
    }

    #[test]
    fn other_bytes_are_left_as_they_are() {
        for bytes in [&b""[..], b"a", b"BZhello", b"\x1F\x8B", b"plain text"] {
            assert_eq!(read(bytes).unwrap(), bytes);
        }
    }
}
