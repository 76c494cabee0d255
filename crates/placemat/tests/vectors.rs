//! Runs the vector files, line by line, through the public API. `vectors/README.md` describes their format.
#![cfg(feature = "alloc")]

mod common;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use common::in_chunks;
use placemat::frame::Frame;
use placemat::wtf8::{Wtf8, Wtf8Buf};
use placemat::{CodePoint, Error, Form, Handler, Policy, Status, Transcoder, Unencodable, convert_with};

fn lines(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name).with_extension("txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().map(|line| line.split('#').next().unwrap().trim_end().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

fn hex<T: TryFrom<u32>>(text: &str) -> Vec<T> {
    let number = |word| u32::from_str_radix(word, 16).ok().and_then(|n| n.try_into().ok());
    text.split_whitespace().map(|word| number(word).unwrap_or_else(|| panic!("{word} in {text}"))).collect()
}

fn bytes(text: &str) -> Vec<u8> {
    hex(text)
}

/// `U+0041 U+20AC` as UCS-4.
fn ucs4(text: &str) -> Vec<u8> {
    let numbers: Vec<u32> = hex(&text.replace("U+", " "));
    numbers.into_iter().flat_map(u32::to_be_bytes).collect()
}

/// UCS-4 as `U+0041 U+20AC`.
fn notation(ucs4: &[u8]) -> Vec<String> {
    let (units, rest) = ucs4.as_chunks();
    assert!(rest.is_empty());
    units.iter().map(|&unit| CodePoint::new(u32::from_be_bytes(unit)).unwrap().to_string()).collect()
}

/// An error as `surrogate@0+1`.
fn at(error: &Error) -> String {
    format!("{}@{}+{}", error.kind(), error.offset(), error.length())
}

/// Every way to cut a source: not at all, into single bytes, and in two at every index.
fn cuts(len: usize) -> impl Iterator<Item = Vec<usize>> {
    [vec![len], vec![1; len]].into_iter().chain((1..len).map(move |at| vec![at, len - at]))
}

/// Code points and errors in order, in the notation of the files.
fn read<H: Handler>(mut transcoder: Transcoder<H>, bytes: &[u8], cut: &[usize]) -> String {
    let mut items = Vec::new();
    let mut room = [0; 4 * 1024];
    let mut rest = bytes;
    for &len in cut {
        let (mut chunk, after) = rest.split_at(len);
        rest = after;
        loop {
            let step = transcoder.push(chunk, &mut room);
            chunk = &chunk[step.read..];
            items.extend(notation(&room[..step.written]));
            match step.status {
                Status::NeedInput => break,
                Status::Failed(error) => items.push(at(&error)),
                other => panic!("{other:?}"),
            }
        }
    }
    loop {
        let step = transcoder.finish(&mut room);
        items.extend(notation(&room[..step.written]));
        match step.status {
            Status::Done => return items.join(" "),
            Status::Failed(error) => items.push(at(&error)),
            other => panic!("{other:?}"),
        }
    }
}

fn check_read(form: Form, source: &str, expected: &str, line: &str) {
    let bytes = bytes(source);
    for cut in cuts(bytes.len()) {
        assert_eq!(
            read(Transcoder::new(form, Form::Ucs4Be), &bytes, &cut),
            expected,
            "{form}: {line}, cut {cut:?}"
        );
    }
}

fn check_written(form: Form, text: &str, expected: &str, unencodable: Unencodable, line: &str) {
    let text = ucs4(text);
    let fresh = || Transcoder::new(Form::Ucs4Be, form).on_error(Policy::Stop.unencodable(unencodable));
    let whole = in_chunks(fresh(), &text, || (text.len(), 1024));
    assert_eq!(whole, (bytes(expected), Vec::new()), "{form}: {line}");
    assert_eq!(in_chunks(fresh(), &text, || (1, 16)), whole, "{form}: {line}, byte by byte");
}

fn check_refused(form: Form, text: &str, index: u64, line: &str) {
    let error = convert_with(Transcoder::new(Form::Ucs4Be, form), &ucs4(text)).expect_err(line);
    assert_eq!(
        (error.kind().name(), error.offset(), error.length()),
        ("unencodable", 4 * index, 4),
        "{form}: {line}"
    );
}

#[test]
fn forms() {
    let mut lines_of: HashMap<Form, usize> = HashMap::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap();
        // Files with another layout do not begin with a form.
        if lines(name).first().is_some_and(|line| line.starts_with("form ")) {
            file(name, &mut lines_of);
        }
    }
    for form in Form::ALL {
        assert!(lines_of.contains_key(form), "{form} has no vectors");
    }
}

fn file(name: &str, lines_of: &mut HashMap<Form, usize>) {
    let (mut form, mut unencodable) = (None, Unencodable::Stop);
    for line in lines(name) {
        if let Some(name) = line.strip_prefix("form ") {
            form = Some(Form::named(name).unwrap_or_else(|| panic!("no form {name}")));
            unencodable = Unencodable::Stop;
            continue;
        }
        let form = form.expect("a form before the first line");
        *lines_of.entry(form).or_default() += 1;
        if let Some(c) = line.strip_prefix("unencodable ") {
            unencodable = Unencodable::Replace(CodePoint::new(hex(&c.replace("U+", ""))[0]));
        } else if let Some((index, text)) =
            line.strip_prefix("refused ").and_then(|rest| rest.split_once(" < "))
        {
            check_refused(form, text, index.parse().unwrap(), &line);
        } else if let Some((source, items)) = line.split_once(" |") {
            check_read(form, source, items.trim(), &line);
            if !items.contains('@') {
                check_written(form, items, source, unencodable, &line);
            }
        } else if let Some((source, items)) = line.split_once(" >") {
            check_read(form, source, items.trim(), &line);
        } else if let Some((source, items)) = line.split_once(" <") {
            check_written(form, items, source, unencodable, &line);
        } else {
            panic!("{name}: cannot read {line}");
        }
    }
}

#[test]
fn error_policies() {
    let mut source = Vec::new();
    for line in lines("error_policies") {
        if let Some((first, error)) = line.split_once(" |") {
            source = bytes(first);
            let first = placemat::errors(Form::Utf8, &source).next();
            assert_eq!(first.as_ref().map(at).unwrap_or_default(), error.trim(), "{line}");
            continue;
        }
        let (name, expected) = line.split_once(':').unwrap();
        let policy = Policy::named(name.trim()).unwrap_or_else(|| panic!("no policy {name}"));
        for cut in cuts(source.len()) {
            let text = read(Transcoder::new(Form::Utf8, Form::Ucs4Be).on_error(policy), &source, &cut);
            // `stop` is expected up to the first error.
            let text = text.split(' ').take_while(|item| !item.contains('@')).collect::<Vec<_>>().join(" ");
            assert_eq!(text, expected.trim(), "{name} of {source:02X?}, cut {cut:?}");
        }
    }
}

#[test]
fn unicode_1_1_hangul() {
    let mut syllables = 0;
    for line in lines("unicode11_hangul") {
        let (first, today) = line.split_once(':').unwrap();
        let old = hex(first)[0]..;
        for (old, new) in old.zip(hex::<u32>(today)) {
            let (old, new) = (char::from_u32(old).unwrap(), char::from_u32(new).unwrap());
            let (old, new) = (old.to_string(), new.to_string());
            for form in [Form::Unicode11Utf8, Form::Unicode11Utf8Lenient] {
                assert_eq!(placemat::convert(form, Form::Utf8, old.as_bytes()).unwrap(), new.as_bytes());
                assert_eq!(placemat::convert(Form::Utf8, form, new.as_bytes()).unwrap(), old.as_bytes());
            }
            syllables += 1;
        }
    }
    assert_eq!(syllables, 6_656);
    let carried = ('\u{AC00}'..='\u{D7A3}').filter(|&c| CodePoint::from(c).is_unicode_1_1_hangul());
    assert_eq!(carried.count(), 6_656);
}

#[test]
fn mutf8_frames() {
    for line in lines("mutf8_frames") {
        let (frame, rest) = line.split_once(':').unwrap();
        let frame = if frame == "java" { Frame::Java } else { Frame::Dex };
        let (framed, expected) = rest.split_once('|').unwrap();
        let (framed, expected) = (bytes(framed), expected.trim());
        match frame.read(&framed) {
            Ok((text, after)) => {
                check_read(Form::Mutf8, &spaced(text), expected, &line);
                assert_eq!(after, [], "{line}");
                let mut again = Vec::new();
                frame.write(text, &mut again).unwrap();
                assert_eq!(again, framed, "{line}");
            }
            Err(error) => assert_eq!(error.kind().name(), expected, "{line}"),
        }
    }
}

fn spaced(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X} ")).collect()
}

#[test]
fn wtf8_strings() {
    let string = |text: &str| -> Wtf8Buf {
        let mut string = Wtf8Buf::new();
        let numbers: Vec<u32> = hex(&text.replace("U+", " "));
        numbers.into_iter().for_each(|value| string.push(CodePoint::new(value).unwrap()).unwrap());
        string
    };
    for line in lines("wtf8_strings") {
        let (what, rest) = line.split_once(' ').unwrap();
        let (source, expected) = rest.split_once('|').unwrap();
        let expected = bytes(expected);
        match what {
            "join" => {
                let (left, right) = source.split_once(';').unwrap();
                let mut joined = string(left);
                joined.push_wtf8(string(right).as_wtf8());
                assert_eq!(joined.as_wtf8().as_bytes(), expected, "{line}");
            }
            "units" => {
                let units: Vec<u16> = hex(source);
                let string: Wtf8Buf = units.iter().copied().collect();
                assert_eq!(string.as_wtf8().as_bytes(), expected, "{line}");
                assert_eq!(string.as_wtf8().units().collect::<Vec<_>>(), units, "{line}");
            }
            "lossy" => {
                let string = Wtf8Buf::from_bytes(bytes(source)).unwrap();
                assert!(string.as_wtf8().to_str().is_err_and(|error| error.length() == 3), "{line}");
                assert_eq!(string.to_string().as_bytes(), expected, "{line}");
                assert_eq!(string.as_wtf8().to_string_lossy().as_bytes(), expected, "{line}");
                assert_eq!(string.into_string_lossy().as_bytes(), expected, "{line}");
            }
            other => panic!("{other} in {line}"),
        }
        assert_eq!(Wtf8::new(&expected).map(Wtf8::as_bytes), Ok(&expected[..]), "{line}");
    }
}
