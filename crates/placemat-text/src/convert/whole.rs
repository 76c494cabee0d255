//! Converts one value that is in memory.

use placemat::{Bom, Error, ErrorKind, Form, Transcoder};

use super::{Halt, Pipeline, Settings};
use crate::charset::{Charset, LegacyReader, LegacyWriter};

/// What a [`Pipeline`] makes of all of `bytes`, for less where they are short: between forms, and between UTF-8 and a legacy encoding,
/// nothing of what streams need is made. Linear.
///
/// # Errors
/// The error at which the policy stops.
///
/// ```
/// use placemat::label::Labels;
/// use placemat::{Bom, Form, Policy};
/// use placemat_text::charset::Charset;
/// use placemat_text::convert::{Settings, whole};
///
/// let koi8 = Charset::resolve(Labels::Lenient, "koi8-r")?;
/// let settings = |to| Settings { to, policy: Policy::Stop, bom: Bom::Keep };
/// assert_eq!(whole(koi8, settings(Form::Utf8.into()), b"\xC4\xC1"), Ok("да".into()));
/// assert_eq!(whole(Form::Utf8.into(), settings(koi8), "да".as_bytes()), Ok(b"\xC4\xC1".to_vec()));
/// # Ok::<(), placemat_text::Error>(())
/// ```
pub fn whole(from: Charset, settings: Settings, bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let Settings { to, policy, bom } = settings;
    let mut text = Vec::with_capacity(bytes.len());
    let read = match (from, to) {
        (Charset::Form(Form::Utf8), Charset::Legacy(_))
            if cfg!(not(target_family = "wasm")) && bom != Bom::Add =>
        {
            str::from_utf8(bytes).ok().filter(|text| !text.starts_with('\u{FEFF}'))
        }
        _ => None,
    };
    match (from, to, read) {
        (Charset::Form(from), Charset::Form(to), _) => {
            placemat::convert_into(Transcoder::new(from, to).on_error(policy).bom(bom), bytes, &mut text)?;
        }
        (Charset::Legacy(legacy), Charset::Form(Form::Utf8), _)
            if bom == Bom::Keep && settings.middle(from) == Form::Utf8 =>
        {
            let mut reader = LegacyReader::new(legacy, policy);
            let read = reader.push(bytes, &mut text).and_then(|()| reader.finish(&mut text));
            read.map_err(|malformed| malformed.error)?;
        }
        (_, Charset::Legacy(legacy), Some(read)) => {
            let written = LegacyWriter::new(legacy, policy).push(read, true, &mut text);
            written.map_err(|refused| {
                let length = refused.character.len_utf8() as u8;
                Error::new(ErrorKind::Unencodable, refused.at as u64, length)
            })?;
        }
        _ => {
            let mut pipeline = Pipeline::new(from, settings);
            let done = pipeline.push(bytes, &mut text).and_then(|()| pipeline.finish_input(&mut text));
            // Only memory is read and written, so nothing else can end the conversion.
            if let Err(Halt::Stopped(stopped)) = done.and_then(|()| pipeline.finish(&mut text)) {
                return Err(stopped.error);
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use placemat::label::Labels;
    use placemat::{Policy, Unencodable};

    use super::*;

    #[test]
    fn it_is_what_a_pipeline_makes() {
        let text = b"a\xC4\xC1\x81\xFF\x82\xA0\xE9 \x84\x31\x95\x33\xFE";
        for from in LEGACY {
            for to in ["utf-8", "utf-16le", "koi8-r"] {
                assert_same(from, to, text);
            }
        }
    }

    #[test]
    fn it_writes_what_a_pipeline_writes() {
        let texts = [
            "",
            "plain",
            "да é\u{A5} ₽",
            "日本\u{1B}\u{FFFD}語€",
            "\u{FEFF}ж",
            "ж\u{FEFF}",
            "한글😀",
            "漢字",
        ];
        for to in LEGACY {
            for text in texts {
                assert_same("utf-8", to, text.as_bytes());
                assert_same("utf-8", to, &[text.as_bytes(), b"\xC3"].concat());
                assert_same("utf-8", to, &[b"\xED\xA0\x80", text.as_bytes()].concat());
            }
        }
    }

    const LEGACY: [&str; 8] =
        ["koi8-r", "shift_jis", "gb18030", "big5", "euc-kr", "iso-2022-jp", "cp437", "cp037"];

    fn assert_same(from: &str, to: &str, text: &[u8]) {
        let named = |name| Charset::resolve(Labels::Lenient, name).unwrap();
        let unencodable = ["stop", "replace", "skip", "escape", "ncr", "replace=ж", "replace=\u{FFFD}"];
        for (&(name, policy), unencodable) in
            Policy::ALL.iter().flat_map(|policy| unencodable.map(|unencodable| (policy, unencodable)))
        {
            let policy = policy.unencodable(Unencodable::named(unencodable).unwrap());
            for bom in [Bom::Keep, Bom::Strip, Bom::Add] {
                let settings = Settings { to: named(to), policy, bom };
                let (mut pipeline, mut out) = (Pipeline::new(named(from), settings), Vec::new());
                let done = pipeline.push(text, &mut out).and_then(|()| pipeline.finish_input(&mut out));
                let slowly = match done.and_then(|()| pipeline.finish(&mut out)) {
                    Err(Halt::Stopped(stopped)) => Err(stopped.error),
                    _ => Ok(out),
                };
                let made = whole(named(from), settings, text);
                assert_eq!(made, slowly, "{from} {to} {name} {unencodable} {bom:?} {text:X?}");
            }
        }
    }
}
