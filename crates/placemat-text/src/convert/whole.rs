//! Converts one value that is in memory.

use placemat::{Bom, Error, Form, Transcoder};

use super::{Halt, Pipeline, Settings};
use crate::charset::{Charset, LegacyReader};

/// What a [`Pipeline`] makes of all of `bytes`, for less where they are short: between forms, and from a legacy encoding to UTF-8, nothing
/// of what streams need is made. Linear.
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
    match (from, to) {
        (Charset::Form(from), Charset::Form(to)) => {
            placemat::convert_into(Transcoder::new(from, to).on_error(policy).bom(bom), bytes, &mut text)?;
        }
        (Charset::Legacy(legacy), Charset::Form(Form::Utf8))
            if bom == Bom::Keep && settings.middle(from) == Form::Utf8 =>
        {
            let mut reader = LegacyReader::new(legacy, policy);
            let read = reader.push(bytes, &mut text).and_then(|()| reader.finish(&mut text));
            read.map_err(|malformed| malformed.error)?;
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
    use placemat::Policy;
    use placemat::label::Labels;

    use super::*;

    #[test]
    fn it_is_what_a_pipeline_makes() {
        let text = b"a\xC4\xC1\x81\xFF\x82\xA0\xE9 \x84\x31\x95\x33\xFE";
        let named = |name| Charset::resolve(Labels::Lenient, name).unwrap();
        let sources = ["koi8-r", "shift_jis", "gb18030", "big5", "euc-kr", "iso-2022-jp", "cp437", "cp037"];
        for (from, to) in
            sources.iter().flat_map(|from| ["utf-8", "utf-16le", "koi8-r"].map(|to| (*from, to)))
        {
            for &(name, policy) in Policy::ALL {
                for bom in [Bom::Keep, Bom::Strip, Bom::Add] {
                    let settings = Settings { to: named(to), policy, bom };
                    let (mut pipeline, mut out) = (Pipeline::new(named(from), settings), Vec::new());
                    let done = pipeline.push(text, &mut out).and_then(|()| pipeline.finish_input(&mut out));
                    let slowly = match done.and_then(|()| pipeline.finish(&mut out)) {
                        Err(Halt::Stopped(stopped)) => Err(stopped.error),
                        _ => Ok(out),
                    };
                    assert_eq!(whole(named(from), settings, text), slowly, "{from} {to} {name} {bom:?}");
                }
            }
        }
    }
}
