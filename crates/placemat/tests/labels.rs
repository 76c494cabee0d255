//! Compares labels with `vectors/labels.txt`. Also untrusted labels, aliases and Content-Type values.

use placemat::Form;
use placemat::label::{LEGACY, Label, Labels, Refused, charset_of, charset_of_meta};

const VECTORS: &str = include_str!("vectors/labels.txt");

/// The label of each line, with the name to which each reader in it should resolve the label.
fn vectors() -> impl Iterator<Item = (String, Vec<(Labels, &'static str)>)> {
    VECTORS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (label, readers) = line.split_once(" | ").expect(line);
        let expected = readers.split(' ').map(|reader| {
            let (labels, name) = reader.split_once('=').expect(line);
            (Labels::named(labels).expect(line), name)
        });
        (unescape(label), expected.collect())
    })
}

fn unescape(label: &str) -> String {
    let mut text = label.replace("\\t", "\t").replace("\\0", "\0");
    while let Some((before, (hex, after))) =
        text.split_once("\\u{").and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        let c = char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap();
        text = format!("{before}{c}{after}");
    }
    text
}

#[test]
fn labels_mean_what_the_vectors_say() {
    let mut asked = 0;
    for (label, expected) in vectors() {
        for (labels, name) in expected {
            let resolved = labels.resolve(&label).map_or("-", Label::name);
            assert_eq!(resolved, name, "{label:?} read by {labels}");
            asked += 1;
        }
    }
    assert!(asked > 500, "{asked}");
}

#[test]
fn case_and_white_space_around_a_label_never_matter() {
    for (label, expected) in vectors() {
        let dressed =
            [label.to_ascii_uppercase(), label.to_ascii_lowercase(), format!("\t\n\x0C\r {label} ")];
        for (labels, _) in expected {
            for label_again in &dressed {
                assert_eq!(
                    labels.resolve(label_again),
                    labels.resolve(&label),
                    "{label_again:?} read by {labels}"
                );
            }
        }
    }
}

/// Text that is no label does not become one by length or separators, and takes no long time.
#[test]
fn hostile_labels_are_none() {
    for labels in Labels::ALL {
        for label in
            ["-".repeat(255), "UtF-".repeat(64), "x".repeat(1 << 20), format!("u{}tf8", "_".repeat(253))]
        {
            assert_eq!(labels.resolve(&label), None, "{labels} {}", &label[..16]);
        }
        let padded = format!("{0}utf-8{0}", " ".repeat(1 << 16));
        assert_eq!(labels.resolve(&padded), labels.resolve("utf-8"));
    }
    let spread = format!("u{}tf8", "_".repeat(252 - 4));
    assert_eq!(Labels::Lenient.resolve(&spread), Some(Label::Form(Form::Utf8)));
}

#[test]
fn canonical_names_are_lenient_labels() {
    for &form in Form::ALL {
        assert_eq!(Labels::Lenient.resolve(form.name()), Some(Label::Form(form)));
        let spelt = form.name().replace('-', "_").to_uppercase();
        assert_eq!(Labels::Lenient.resolve(&spelt), Some(Label::Form(form)), "{spelt}");
    }
    for &name in LEGACY {
        assert_eq!(Labels::Lenient.resolve(name), Some(Label::Legacy(name)));
    }
}

#[test]
fn lenient_labels_may_be_marked_as_unregistered() {
    for (label, name) in [
        ("x-utf-8", "utf-8"),
        ("X-windows-949", "euc-kr"),
        ("x_windows_874", "windows-874"),
        ("x-user-defined", "x-user-defined"),
        ("x-unicode20utf8", "utf-8"),
    ] {
        assert_eq!(Labels::Lenient.resolve(label).map(Label::name), Some(name), "{label}");
    }
    for label in ["xutf-8", "x", "x-", "x-x-utf-8", "user-defined", "x-é"] {
        assert_eq!(Labels::Lenient.resolve(label), None, "{label}");
    }
    assert_eq!(Labels::Iana.resolve("x-utf-8"), None);
    let utf7 = Labels::Lenient.resolve_untrusted("x-utf-7", &[]);
    assert_eq!(utf7, Err(Refused::Unsafe(Form::Utf7)));
}

#[test]
fn labels_of_java_and_python_are_known() {
    for (label, name) in [
        ("UnicodeBigUnmarked", "utf-16be"),
        ("UnicodeLittleUnmarked", "utf-16le"),
        ("MS949", "euc-kr"),
        ("MS950", "big5"),
        ("x-windows-950", "big5"),
        ("gb18030_2000", "gb18030"),
        ("latin7", "iso-8859-13"),
    ] {
        assert_eq!(Labels::Lenient.resolve(label).map(Label::name), Some(name), "{label}");
    }
}

#[test]
fn aliases_resolve_to_what_they_are_aliases_of() {
    let legacy = LEGACY.iter().map(|&name| Label::Legacy(name));
    for label in Form::ALL.iter().map(|&form| Label::Form(form)).chain(legacy) {
        for (labels, alias) in label.aliases() {
            assert_eq!(labels.resolve(alias), Some(label), "{alias} read by {labels}");
        }
    }
    let utf8: Vec<_> = Label::from(Form::Utf8).aliases().collect();
    assert!(
        utf8.contains(&(Labels::Iana, "csUTF8")) && utf8.contains(&(Labels::Oracle, "AL32UTF8")),
        "{utf8:?}"
    );
    assert!(
        !utf8.iter().any(|(_, alias)| alias.eq_ignore_ascii_case("utf-8")),
        "a name is not its own alias"
    );
}

#[test]
fn strangers_cannot_ask_for_utf_7_or_lenient_profiles() {
    for &form in Form::ALL {
        let name = form.name();
        let safe =
            !name.starts_with("utf-7") && (!name.contains('/') || matches!(name, "utf-8/bom" | "utf-16/web"));
        let answer = Labels::Lenient.resolve_untrusted(name, &[]);
        assert_eq!(answer, if safe { Ok(Label::Form(form)) } else { Err(Refused::Unsafe(form)) });
        assert_eq!(Labels::Lenient.resolve_untrusted(name, &[form]), Ok(Label::Form(form)));
    }
    assert_eq!(Labels::Whatwg.resolve_untrusted("utf-7", &[]), Err(Refused::Unknown));
    assert_eq!(Labels::Whatwg.resolve_untrusted("hz-gb-2312", &[]), Ok(Label::Legacy("replacement")));
}

#[test]
fn charset_of_a_content_type() {
    for (value, expected) in [
        ("text/html;charset=gbk", Some("gbk")),
        ("text/html;CHARSET=GBK", Some("GBK")),
        ("text/html ; \t charset=gbk ; x=y", Some("gbk")),
        ("text/html;charset=\"gbk\"", Some("gbk")),
        ("text/html;charset=\"\\g\\b\\k\"", Some("gbk")),
        ("text/html;charset=\"gbk", Some("gbk")),
        ("text/html;charset=\"gbk\"x;charset=utf-8", Some("gbk")),
        ("text/html;charset=gbk;charset=utf-8", Some("gbk")),
        ("text/html;charset=;charset=utf-8", Some("utf-8")),
        ("text/html;charset;charset=utf-8", Some("utf-8")),
        ("text/html;;;;charset=utf-8", Some("utf-8")),
        ("text/html;x=\";charset=gbk\";charset=utf-8", Some("utf-8")),
        ("text/html;x=\"\\\";charset=gbk", None),
        ("text/html;charset='gbk'", Some("'gbk'")),
        ("text/html;charset =gbk", None),
        ("text/html;xcharset=gbk", None),
        ("charset=gbk", None),
        ("text/html", None),
        ("text/html;charset=\"\"", None),
        ("text/html;charset=\"\";charset=utf-8", None),
        ("text/html;charset=  ;charset=utf-8", Some("utf-8")),
        ("", None),
    ] {
        assert_eq!(charset_of(value).as_deref(), expected, "{value}");
    }
    let long = format!("text/html;charset={};charset=utf-8", "x".repeat(65));
    assert_eq!(charset_of(&long), None, "no label is that long");
}

#[test]
fn charset_of_a_meta_element() {
    for (content, expected) in [
        ("text/html; charset=utf-8", Some("utf-8")),
        ("text/html; CharSet \n=\t utf-8 x", Some("utf-8")),
        ("text/html; charset='utf-8'", Some("utf-8")),
        ("text/html; charset=\"utf-8\";", Some("utf-8")),
        ("text/html; charset=\"utf-8", None),
        ("text/html; charset charset=utf-8;", Some("utf-8")),
        ("charsetcharset=utf-8", Some("utf-8")),
        ("text/html; charset=", None),
        ("text/html; charset='", None),
        ("charse", None),
        ("\u{E9}charset\u{E9}=a charset=\u{E9}", Some("\u{E9}")),
    ] {
        assert_eq!(charset_of_meta(content).as_deref(), expected, "{content}");
    }
}
