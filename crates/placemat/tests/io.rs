//! The `std::io` adapters: no byte is lost and no character is divided, whatever the sizes of reads and writes.

#![cfg(feature = "std")]

mod common;

use std::cell::Cell;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};

use common::Random;
use placemat::io::{Reader, Writer};
use placemat::{Error, Form, Policy, Transcoder};

/// Yields as many bytes at a time as its generator says, and is sometimes interrupted.
struct Trickle<'a>(&'a [u8], Random);

impl Read for Trickle<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.1.below(4) == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n = (1 + self.1.below(7)).min(self.0.len()).min(buf.len());
        let (head, rest) = self.0.split_at(n);
        buf[..n].copy_from_slice(head);
        self.0 = rest;
        Ok(n)
    }
}

#[test]
fn a_reader_yields_what_from_utf8_lossy_does() {
    let mut random = Random::new(10);
    for seed in 0..3_000 {
        let len = random.below(200);
        let bytes = random.bytes(len);
        let mut text = String::new();
        Reader::lossy(Trickle(&bytes, Random::new(seed)), Form::Utf8).read_to_string(&mut text).unwrap();
        assert_eq!(text, String::from_utf8_lossy(&bytes), "{bytes:02X?}");
    }
}

#[test]
fn reads_never_divide_a_character_that_fits() {
    let text = "aé€😀".repeat(9_000);
    let mut reader = Reader::lossy(text.as_bytes(), Form::Utf8);
    let (mut seen, mut buf, mut size) = (String::new(), [0; 64], 4);
    loop {
        let n = reader.read(&mut buf[..size]).unwrap();
        if n == 0 {
            break;
        }
        seen.push_str(std::str::from_utf8(&buf[..n]).expect("whole characters"));
        size = 4 + (size + 7) % 60;
    }
    assert!(seen == text);
}

#[test]
fn one_byte_at_a_time_works() {
    let text = "é€😀";
    let bytes: Vec<u8> =
        Reader::lossy(text.as_bytes(), Form::Utf8).bytes().collect::<Result<_, _>>().unwrap();
    assert_eq!(bytes, text.as_bytes());
}

#[test]
fn a_divided_character_divides_no_other() {
    let mut reader = Reader::lossy("€€😀€".as_bytes(), Form::Utf8);
    let mut buf = [0; 4];
    assert_eq!(reader.read(&mut buf[..1]).unwrap(), 1);
    assert_eq!(reader.read(&mut buf).unwrap(), 2, "the rest of the first");
    assert_eq!(reader.read(&mut buf).unwrap(), 3);
    assert_eq!(reader.read(&mut buf[..2]).unwrap(), 2);
    assert_eq!(reader.read(&mut buf[..1]).unwrap(), 1);
    assert_eq!(reader.read(&mut buf).unwrap(), 4, "the rest, and the next");
}

#[test]
fn other_forms_than_utf_8_fill_the_buffer() {
    let text = "°½ண".repeat(5000);
    for to in [Form::Utf16Le, Form::Utf32Be, Form::Utf1] {
        let mut reader = Reader::with_transcoder(text.as_bytes(), Transcoder::new(Form::Utf8, to));
        let (mut seen, mut reads) = (Vec::new(), 0);
        let mut buf = [0; 4096];
        while let n @ 1.. = reader.read(&mut buf).unwrap() {
            seen.extend_from_slice(&buf[..n]);
            reads += 1;
        }
        assert_eq!(seen, placemat::convert(Form::Utf8, to, text.as_bytes()).unwrap());
        assert!(reads < seen.len() / 1024, "{to}: {reads} reads of {} bytes", seen.len());
    }
}

#[test]
fn a_stopping_reader_fails_once_and_loses_nothing_else() {
    let transcoder = Transcoder::new(Form::Utf8, Form::Utf8);
    let mut reader = BufReader::with_capacity(3, Reader::with_transcoder(&b"ab\xFFcd\n"[..], transcoder));
    let mut line = Vec::new();
    let error = reader.read_until(b'\n', &mut line).unwrap_err();
    assert_eq!(line, b"ab");
    let inner = error.get_ref().unwrap().downcast_ref::<Error>().unwrap();
    assert_eq!((error.kind(), inner.offset()), (io::ErrorKind::InvalidData, 2));
    reader.read_until(b'\n', &mut line).unwrap();
    assert_eq!(line, b"abcd\n");
}

/// Fails once, then has three bytes, then fails for good.
struct Broken(u32);

impl Read for Broken {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.0 += 1;
        if self.0 != 2 {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        buf[..3].copy_from_slice(b"a\xFFb");
        Ok(3)
    }
}

#[test]
fn failures_of_the_reader_below_are_passed_on() {
    let mut reader = Reader::lossy(Broken(0), Form::Utf8);
    let mut text = Vec::new();
    assert_eq!(reader.read_to_end(&mut text).unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    assert_eq!((text.len(), reader.errors()), (0, 0));
    assert_eq!(reader.read_to_end(&mut text).unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    assert_eq!((&text[..], reader.errors()), ("a\u{FFFD}b".as_bytes(), 1));
    assert_eq!(reader.into_inner().0, 3);
}

#[test]
fn an_interrupted_reader_is_asked_again() {
    let text = "aé€😀".repeat(9);
    let mut reader = Reader::lossy(Trickle(text.as_bytes(), Random::new(3)), Form::Utf8);
    // No adapter of the standard library is used here, because it would retry by itself.
    while let n @ 1.. = reader.fill_buf().unwrap().len() {
        reader.consume(n);
    }
    assert_eq!(reader.errors(), 0);
}

#[test]
fn more_than_there_is_can_be_consumed() {
    let mut reader = Reader::lossy(&b"abc"[..], Form::Utf8);
    assert_eq!(reader.fill_buf().unwrap(), b"abc");
    reader.consume(2);
    reader.consume(usize::MAX);
    assert_eq!(reader.fill_buf().unwrap(), b"");
}

#[test]
fn errors_at_the_very_start_and_the_very_end_of_a_stopping_reader() {
    let mut reader = Reader::with_transcoder(&b"\xFF\xFFa\xE2"[..], Transcoder::new(Form::Utf8, Form::Utf8));
    let (mut text, mut errors) = (Vec::new(), 0);
    while reader.read_to_end(&mut text).is_err() {
        errors += 1;
    }
    assert_eq!((&text[..], errors, reader.errors()), (&b"a"[..], 3, 3));
}

#[test]
fn a_writer_says_what_went_wrong_and_flushes() {
    let mut writer = Writer::strict(io::BufWriter::new(Vec::new()), Form::UsAscii);
    writer.write_all(b"ab").unwrap();
    writer.flush().unwrap();
    // These bytes are taken; the next call reports the error in them.
    writer.write_all("é".as_bytes()).unwrap();
    let error = writer.flush().unwrap_err();
    assert_eq!((error.kind(), writer.errors()), (io::ErrorKind::InvalidData, 1));
    let below = writer.finish().unwrap();
    assert_eq!(below.into_inner().unwrap(), b"ab");
    // What `flush` holds back, an unfinished sequence, is completed by the next bytes.
    let mut writer = Writer::strict(io::BufWriter::with_capacity(99, Vec::new()), Form::Utf8);
    writer.write_all(b"ab\xC3").unwrap();
    writer.flush().unwrap();
    writer.write_all(b"\xA9").unwrap();
    assert_eq!(writer.finish().unwrap().into_inner().unwrap(), "abé".as_bytes());
}

#[test]
fn flushing_passes_on_what_found_no_room() {
    let transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Replace);
    let mut writer = Writer::with_transcoder(Vec::new(), transcoder);
    let text = [&[b'a'; 16_383][..], b"\xFF\xC3"].concat();
    writer.write_all(&text).unwrap();
    writer.flush().unwrap();
    assert_eq!(writer.get_ref().len(), 16_383 + "\u{FFFD}".len());
}

/// Takes at most this many bytes at a time, and fails with this error every other time.
struct Reluctant(Vec<u8>, usize, io::ErrorKind, bool);

impl Reluctant {
    fn new(size: usize, kind: io::ErrorKind) -> Reluctant {
        Reluctant(Vec::new(), size, kind, false)
    }
}

impl io::Write for Reluctant {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.3 = !self.3;
        if self.3 {
            return Err(self.2.into());
        }
        let n = self.1.min(bytes.len());
        self.0.extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn nothing_is_lost_or_written_twice_when_the_writer_below_fails() {
    for (form, size) in [(Form::Utf8, 4), (Form::Utf7, 1), (Form::Utf16, 3)] {
        let text = "0123456789€";
        let mut writer = Writer::strict(Reluctant::new(size, io::ErrorKind::WouldBlock), form);
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match writer.write(rest) {
                Ok(n) => rest = &rest[n..],
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock),
            }
        }
        while writer.try_finish().is_err() {}
        assert_eq!(writer.into_inner().0, placemat::convert(Form::Utf8, form, text.as_bytes()).unwrap());
    }
}

#[test]
fn an_interruption_is_no_failure() {
    let mut writer = Writer::strict(Reluctant::new(4, io::ErrorKind::Interrupted), Form::Utf16Le);
    assert_eq!(writer.write(b"important").unwrap(), 9);
    assert_eq!(writer.get_ref().0.len(), 18);
    assert_eq!(writer.write(b"!").unwrap(), 1);
    assert_eq!(writer.finish().unwrap().0.len(), 20);
}

#[test]
fn both_say_what_they_are() {
    let transcoder = format!("{:?}", Transcoder::new(Form::Utf8, Form::Utf16Le));
    assert!(transcoder.starts_with("Transcoder { from: Utf8, to: Utf16Le, "), "{transcoder}");
    let reader = format!("{:?}", Reader::lossy(&b"ab"[..], Form::Utf16Le));
    assert!(reader.starts_with("Reader {") && reader.contains("from: Utf16Le"), "{reader}");
    let writer = format!("{:?}", Writer::strict(vec![7], Form::Utf16Le));
    assert!(writer.starts_with("Writer {") && writer.contains("to: Utf16Le"), "{writer}");
    let sequences = format!("{:?}", placemat::sequences(Form::Utf16Le, b""));
    assert!(sequences.contains("State(Utf16Le)"), "{sequences}");
}

#[test]
fn an_error_is_told_behind_what_precedes_it() {
    let mut writer = Writer::strict(Reluctant::new(9, io::ErrorKind::WouldBlock), Form::Utf8);
    assert_eq!(writer.write(b"ab\xFFcd").unwrap(), 3);
    assert_eq!(writer.write(b"cd").unwrap_err().kind(), io::ErrorKind::InvalidData);
    assert_eq!(writer.get_ref().0, b"ab");
    assert_eq!(writer.write(b"cd").unwrap(), 2);
    while writer.try_finish().is_err() {}
    assert_eq!(writer.write(b"e").unwrap_err().kind(), io::ErrorKind::Other);
    assert_eq!(writer.into_inner().0, b"abcd");
}

#[test]
fn the_writer_below_outlives_an_error_at_the_end() {
    let mut writer = Writer::strict(Vec::new(), Form::Utf8);
    writer.write_all(b"important\xE2\x82").unwrap();
    assert_eq!(writer.try_finish().unwrap_err().kind(), io::ErrorKind::InvalidData);
    assert_eq!(writer.into_inner(), b"important");
}

/// Counts the calls of `flush`.
struct Flushed<'a>(&'a Cell<u32>);

impl io::Write for Flushed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.set(self.0.get() + 1);
        Ok(())
    }
}

#[test]
fn a_writer_flushes_the_one_below() {
    let flushes = Cell::new(0);
    let mut writer = Writer::strict(Flushed(&flushes), Form::Utf16Le);
    writer.flush().unwrap();
    assert_eq!(flushes.get(), 1);
    writer.finish().map(drop).unwrap();
    assert_eq!(flushes.get(), 2);
}

#[test]
fn stand_ins_longer_than_any_buffer_are_all_written() {
    let escaping = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Escape);
    let mut writer = Writer::with_transcoder(Vec::new(), escaping);
    writer.write_all(&[0xFF; 100_001]).unwrap();
    assert_eq!(writer.errors(), 100_001);
    assert!(writer.finish().unwrap() == br"\xff".repeat(100_001));
}

#[test]
fn a_writer_takes_pieces_of_any_size() {
    let mut random = Random::new(11);
    for _ in 0..2_000 {
        let form = random.pick(&[Form::Utf16, Form::Utf16Le, Form::Utf32Be, Form::Utf8Bom]);
        let text = random.text(50);
        let mut writer = Writer::strict(Vec::new(), form);
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let (piece, tail) = rest.split_at((1 + random.below(9)).min(rest.len()));
            writer.write_all(piece).unwrap();
            rest = tail;
        }
        assert_eq!(writer.finish().unwrap(), placemat::convert(Form::Utf8, form, text.as_bytes()).unwrap());
    }
}

#[test]
fn a_writer_reports_a_cut_character_at_the_end() {
    let mut writer = Writer::strict(Vec::new(), Form::Utf8);
    writer.write_all(b"a\xE2\x82").unwrap();
    assert_eq!(writer.finish().unwrap_err().kind(), io::ErrorKind::InvalidData);
    let lossy = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Replace);
    let mut writer = Writer::with_transcoder(Vec::new(), lossy);
    writer.write_all(b"a\xE2\x82").unwrap();
    assert_eq!(writer.finish().unwrap(), "a\u{FFFD}".as_bytes());
}

#[test]
fn dropping_a_writer_writes_what_was_held_back() {
    let mut out = Vec::new();
    let lossy = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Replace);
    Writer::with_transcoder(&mut out, lossy).write_all(b"a\xE2").unwrap();
    assert_eq!(out, "a\u{FFFD}".as_bytes());
}

#[test]
fn dropping_a_writer_closes_what_stands_before_an_error() {
    let mut out = Vec::new();
    let mut writer = Writer::strict(&mut out, Form::Utf7);
    writer.write_all("日é".as_bytes()).unwrap();
    writer.write_all(b"\xC3").unwrap();
    drop(writer);
    assert_eq!(out, placemat::convert(Form::Utf8, Form::Utf7, "日é".as_bytes()).unwrap());
}

/// A `write` that fails has taken nothing, so a buffer around it does not write twice.
#[test]
fn an_error_of_the_text_repeats_nothing() {
    let mut writer = io::BufWriter::new(Writer::strict(Vec::new(), Form::Iso8859_1));
    writer.write_all("abc€def".as_bytes()).unwrap();
    assert_eq!(writer.flush().unwrap_err().to_string(), "unencodable at byte 3 (length 3)");
    writer.flush().unwrap();
    assert_eq!(writer.get_ref().get_ref(), b"abcdef");
}

/// A reader that returns a number greater than the buffer causes an error.
#[test]
fn a_reader_that_lies_is_refused() {
    struct Liar;
    impl Read for Liar {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            Ok(buffer.len() + 1)
        }
    }
    let error = Reader::lossy(Liar, Form::Utf8).read_to_end(&mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::Other);
}
