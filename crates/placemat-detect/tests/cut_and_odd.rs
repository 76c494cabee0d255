//! Texts that are cut off, that have a few odd bytes in them, or that come from mainframes.
#![forbid(unsafe_code)]

use placemat_detect::{Detection, Detector, detect};

const JAPANESE: &str = "\x1B$BF|K\\8l$NJ8>O$G$9!#\x1B(B\n";
const CHINESE: &str = "~{HKHKIz6xWTSI!#~}\n";
const KOREAN: &str = "\x0EGQ19>n\x0F text\n";

fn of(text: &str) -> Detection {
    detect(text.as_bytes(), true)
}

#[test]
fn switches_may_be_cut_off_anywhere() {
    for (name, head, line) in
        [("iso-2022-jp", "", JAPANESE), ("hz-gb-2312", "", CHINESE), ("iso-2022-kr", "\x1B$)C", KOREAN)]
    {
        let text = [head, &line.repeat(20)].concat();
        for end in line.len()..=text.len() {
            let found = of(&text[..end]);
            assert!(found.encoding == name && found.confidence > 0.9, "{:?}: {found:?}", &text[..end]);
        }
        for end in 4..line.len() {
            let found = of(&text[..end]);
            assert!(found.encoding == name || found.confidence < 1.0, "{:?}: {found:?}", &text[..end]);
        }
    }
    // The head of a sample ends in the middle of a pair.
    let long = [CHINESE.repeat(2000), "plain text\n".repeat(1000)].concat();
    let found = of(&long);
    assert!(found.encoding == "hz-gb-2312" && found.confidence > 0.9, "{found:?}");
    let mut detector = Detector::new();
    long.as_bytes().chunks(999).for_each(|chunk| detector.push(chunk));
    assert_eq!(detector.finish(true), found);
}

#[test]
fn a_few_bad_switches_only_make_less_sure() {
    for (line, odd) in [
        (JAPANESE, "\x1B[31mred\x1B[0m\n"),
        (JAPANESE, "\x1B$B!\x1B(B\n"),
        (JAPANESE, "\x1B$)C\n"),
        (CHINESE, "see ~/home\n"),
        (CHINESE, "~{a b~}\n"),
        (CHINESE, "~{)!~}\n"),
    ] {
        let (good, found) = (of(&line.repeat(20)), of(&[&line.repeat(20), odd].concat()));
        assert_eq!(found.encoding, good.encoding, "{odd:?}: {found:?}");
        assert!(found.confidence > 0.8 && found.confidence <= good.confidence, "{odd:?}: {found:?}");
    }
}

#[test]
fn colours_and_programs_are_ascii() {
    for text in ["\x1B[31merror\x1B[0m: no\n", "\x1B[1mno\x1B(B\x1B[m\n", "cd ~/x && ls ~root ~\n", "~~\n"] {
        let found = of(&text.repeat(30));
        assert!(found.encoding == "us-ascii" && found.confidence == 1.0, "{text:?}: {found:?}");
    }
    for text in ["(format t \"~{~a~^, ~}~%\" list)\n", "ls ~{a,b}\n", "see~{\\em this}, Fig.~\\ref{a}\n"] {
        let found = of(&text.repeat(30));
        assert!(found.encoding == "us-ascii" && found.confidence > 0.5, "{text:?}: {found:?}");
        assert!(found.confidence < 1.0, "{text:?}: {found:?}");
    }
    // With so little Japanese among so much else, `convert -f auto` must not be sure of either encoding.
    let found = of(&["\x1B[31merror\x1B[0m: no\n".repeat(30).as_str(), JAPANESE].concat());
    assert!(found.encoding == "us-ascii" && found.confidence < 0.5, "{found:?}");
    assert_eq!(found.candidates[1].encoding, "iso-2022-jp");
}

#[test]
fn controls_make_ascii_less_sure() {
    for (text, encoding, least, most) in [
        ("\x01".repeat(4096), "binary", 0.5, 0.95),
        (">\x041\x04".into(), "us-ascii", 0.3, 0.5),
        ("\t8\tM\t5".into(), "us-ascii", 0.5, 0.7),
        ("\0".into(), "us-ascii", 0.3, 0.5),
        ("a\0b".into(), "us-ascii", 0.5, 0.7),
        ("plain text\n".repeat(99) + "\x07", "us-ascii", 0.9, 0.96),
        ("name\x01value\n".repeat(9), "us-ascii", 0.7, 0.95),
        ("\tplain\x0Ctext,\r\n\x1B[1m".repeat(9), "us-ascii", 1.0, 1.0),
        ("a\tb\tc\n".into(), "us-ascii", 1.0, 1.0),
        ("y\n".repeat(9), "us-ascii", 1.0, 1.0),
    ] {
        let found = of(&text);
        assert_eq!(found.encoding, encoding, "{found:?}");
        assert!((least..=most).contains(&found.confidence), "{found:?}");
        let mut detector = Detector::new();
        text.bytes().for_each(|byte| detector.push(&[byte]));
        assert_eq!(detector.finish(true), found);
    }
}

#[test]
fn a_text_without_its_last_byte_is_in_the_same_encoding() {
    for (label, text) in [
        ("gb18030", "昨天早上我去火车站，坐火车到北京。窗外可以看见大海，非常漂亮。"),
        ("big5", "昨天早上我去火車站，坐火車到台北。窗外可以看見大海，非常漂亮"),
        ("shift_jis", "昨日の朝早く駅へ行き、東京まで電車に乗りました。窓から海が見えて"),
        ("euc-jp", "昨日の朝早く駅へ行き、東京まで電車に乗りました。窓から海が見えて"),
        ("euc-kr", "어제 아침 일찍 역에 가서 서울까지 기차를 탔습니다. 창밖으로 바다가"),
    ] {
        let bytes = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0;
        let (whole, cut) = (detect(&bytes, true), detect(&bytes[..bytes.len() - 1], true));
        assert_eq!((whole.encoding.name(), cut.encoding.name()), (label, label), "{cut:?}");
        assert!(cut.confidence > 0.9 && cut.confidence <= whole.confidence, "{label}: {cut:?}");
        assert_eq!(cut.malformed, 1);
    }
    assert_eq!(detect(b"the best caf\xE9", true).encoding, "windows-1252");
}

#[test]
fn xml_of_mainframes_says_its_page() {
    // <?xml version='1.0' encoding='CP500'?>
    let xml = b"\x4C\x6F\xA7\x94\x93\x40\xA5\x85\x99\xA2\x89\x96\x95\x7E\x7D\xF1\x4B\xF0\x7D\x40\x85\x95\x83\x96\x84\x89\x95\x87\x7E\x7D\xC3\xD7\xF5\xF0\xF0\x7D\x6F\x6E\x25";
    let found = detect(xml, true);
    assert!(found.encoding == "cp500" && found.confidence > 0.9, "{found:?}");
}
