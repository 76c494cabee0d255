//! Misuse gives an error, and the process continues.

use std::ptr;
use std::thread;

use crate::library::{Library, control, names, version};

#[test]
fn unknown_names_are_einval() {
    let ours = Library::ours();
    let long = "x".repeat(1 << 20);
    for name in ["no-such-thing", "UTF-8\u{1}", "//", "//IGNORE//WRONG", "latin1//TRANSLIT//WRONG", &long] {
        let opened = ours.open(name, "UTF-8").err();
        let empty = name == "//";
        assert_eq!(opened, if empty { None } else { Some(libc::EINVAL) }, "an empty name is the locale's");
    }
    assert_eq!(ours.open("UTF-8", "no-such-thing").err(), Some(libc::EINVAL));
    assert_eq!(ours.open_null(), libc::EINVAL);
}

#[test]
fn what_is_no_open_descriptor_is_ebadf() {
    let ours = Library::ours();
    let open = ours.open("UTF-16LE", "UTF-8").unwrap();
    let closed = open.handle;
    drop(open);
    let mut room = [0; 8];
    for handle in [
        closed,
        ptr::null_mut(),
        ptr::without_provenance_mut(usize::MAX),
        ptr::without_provenance_mut(0x7FFF_1234_5678),
    ] {
        assert_eq!(ours.convert(handle, b"a", &mut room).result, Err(libc::EBADF), "{handle:?}");
        assert_eq!(ours.reset(handle, None).result, Err(libc::EBADF), "{handle:?}");
        assert_eq!(ours.close(handle), libc::EBADF, "{handle:?}");
    }
    // A handle is not used a second time.
    let again = ours.open("UTF-16LE", "UTF-8").unwrap();
    assert_ne!(again.handle, closed);
    assert_eq!(ours.convert(closed, b"a", &mut room).result, Err(libc::EBADF));
}

#[test]
fn missing_pointers_are_efault() {
    let open = Library::ours().open("UTF-16LE", "UTF-8").unwrap();
    assert_eq!(open.convert_into_nothing(b"a"), libc::EFAULT);
    assert_eq!(open.convert(b"", &mut []).result, Ok(0));
}

#[test]
fn overlapping_buffers_are_read_before_they_are_written() {
    let open = Library::ours().open("UTF-16LE", "UTF-8").unwrap();
    let mut buffer = *b"abcd\0\0\0\0";
    assert_eq!(open.convert_in_place(&mut buffer, 4), 8);
    assert_eq!(&buffer, b"a\0b\0c\0d\0");
}

#[test]
fn libiconvs_requests_are_heard() {
    let open = Library::ours().open("ASCII", "UTF-8").unwrap();
    let get = |request| control(open.handle, request, 0).map(|(_, value)| value);
    assert_eq!([get(0), get(1), get(3)], [Ok(0), Ok(0), Ok(0)]);
    control(open.handle, 2, 1).unwrap();
    assert_eq!((get(1), get(3)), (Ok(1), Ok(0)));
    let mut room = [0; 8];
    assert_eq!(open.convert("é".as_bytes(), &mut room).result, Ok(1));
    assert_eq!(room[0], b'e');
    control(open.handle, 4, 1).unwrap();
    assert_eq!([get(3), get(11), get(13)], [Ok(1), Ok(1), Ok(1)]);
    assert_eq!(open.convert(b"\xFF", &mut room).result, Ok(0));
    assert_eq!(get(99), Err(libc::EINVAL));
    assert_eq!(control(ptr::null_mut(), 1, 0), Err(libc::EBADF));
    let same = Library::ours().open("utf8", "UTF-8").unwrap();
    assert_eq!(control(same.handle, 0, 0), Ok((0, 1)));
    assert!(version() >= 0x0109);
}

#[test]
fn every_listed_name_opens() {
    let all = names();
    assert!(all.len() > 60, "{}", all.len());
    for name in all.iter().flatten() {
        assert!(Library::ours().open("UTF-8", name).is_ok(), "{name}");
        assert!(Library::ours().open(name, "UTF-8").is_ok(), "{name}");
    }
    assert!(all.iter().flatten().any(|name| name == "KOI8-R"));
}

#[test]
fn threads_have_descriptors_of_their_own() {
    let text = "Grüße, мир, 日本 ".repeat(50);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for to in ["UTF-16LE", "GB18030", "EUC-JP//TRANSLIT", "KOI8-R//IGNORE"] {
                    for _ in 0..20 {
                        let open = Library::ours().open(to, "UTF-8").unwrap();
                        let mut room = vec![0; 8192];
                        let called = open.convert(text.as_bytes(), &mut room);
                        assert_eq!((called.read, called.result.is_ok()), (text.len(), true), "{to}");
                    }
                }
            });
        }
    });
}

/// POSIX does not define this. Here one thread works, and the other gets an error.
#[test]
fn one_descriptor_in_two_threads_is_no_crash() {
    let open = Library::ours().open("GB18030", "UTF-8").unwrap();
    let handle = open.handle.addr();
    let text = "日本語".repeat(2000);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut room = vec![0; 1 << 16];
                for _ in 0..200 {
                    let called = Library::ours().convert(
                        ptr::without_provenance_mut(handle),
                        text.as_bytes(),
                        &mut room,
                    );
                    assert!(matches!(called.result, Ok(0) | Err(libc::EBADF)), "{called:?}");
                }
            });
        }
    });
}

#[test]
fn many_descriptors_can_be_open() {
    let ours = Library::ours();
    let all: Vec<_> = (0..3000).map(|_| ours.open("ASCII", "UTF-8").unwrap()).collect();
    let mut handles: Vec<_> = all.iter().map(|open| open.handle.addr()).collect();
    handles.sort_unstable();
    handles.dedup();
    assert_eq!(handles.len(), 3000);
}
