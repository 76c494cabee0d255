//! The SQL functions, over slices.

use std::borrow::Cow;
use std::fmt::Display;
use std::fs;
use std::io::ErrorKind;

use placemat::label::Labels;
use placemat::{Bom, Form, Policy, Transcoder};
use placemat_text::charset::Charset;
use placemat_text::convert::{Settings, whole};
use placemat_text::repair::choice::LIKELY;

/// An SQL type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Blob,
    Text,
    Bool,
    Number,
}

/// A value that is not NULL.
pub(crate) enum Value<'a> {
    Bool(bool),
    Number(i64),
    Bytes(Cow<'a, [u8]>),
}

/// A value, or the message of an error.
pub(crate) type Result<T> = std::result::Result<T, String>;

/// The rows that a table function returns.
pub(crate) type Rows = Vec<Vec<Value<'static>>>;

/// A scalar function. It is not called for rows with a NULL.
pub(crate) struct Scalar {
    pub(crate) name: &'static str,
    pub(crate) takes: &'static [Type],
    pub(crate) gives: Type,
    pub(crate) run: for<'a> fn(&[&'a [u8]]) -> Result<Value<'a>>,
}

/// A table function.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) takes: &'static [Type],
    pub(crate) columns: &'static [(&'static str, Type)],
    pub(crate) run: fn(&[Vec<u8>]) -> Result<Rows>,
}

/// The scalar functions. Those with the same name are next to each other.
pub(crate) const SCALARS: &[Scalar] = &[
    Scalar { name: "utf8_is_valid", takes: &[Type::Blob], gives: Type::Bool, run: is_valid },
    Scalar { name: "utf8_repair", takes: &[Type::Blob], gives: Type::Text, run: repair },
    Scalar { name: "utf8_repair", takes: &[Type::Blob, Type::Text], gives: Type::Text, run: repair },
    Scalar { name: "utf8_convert", takes: &[Type::Blob, Type::Text], gives: Type::Text, run: convert },
    Scalar {
        name: "utf8_convert",
        takes: &[Type::Blob, Type::Text, Type::Text],
        gives: Type::Blob,
        run: convert,
    },
    Scalar { name: "utf8_detect", takes: &[Type::Blob], gives: Type::Text, run: detect },
    Scalar { name: "utf8_mojibake", takes: &[Type::Text], gives: Type::Text, run: mojibake },
];

/// The table functions.
pub(crate) const TABLES: &[Table] = &[
    Table {
        name: "utf8_errors",
        takes: &[Type::Blob],
        columns: &[("offset", Type::Number), ("length", Type::Number), ("kind", Type::Text)],
        run: errors,
    },
    Table {
        name: "read_text_as",
        takes: &[Type::Text, Type::Text],
        columns: &[("filename", Type::Text), ("content", Type::Text)],
        run: read_text_as,
    },
];

fn is_valid<'a>(values: &[&'a [u8]]) -> Result<Value<'a>> {
    Ok(Value::Bool(placemat::is_valid(values[0])))
}

fn repair<'a>(values: &[&'a [u8]]) -> Result<Value<'a>> {
    let bytes = values[0];
    let policy = values.get(1).map_or(Ok(Policy::Replace), |name| policy(name))?;
    if placemat::is_valid(bytes) {
        return Ok(Value::Bytes(Cow::Borrowed(bytes)));
    }
    let transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error(policy);
    let text = placemat::convert_with(transcoder, bytes).map_err(|error| of_value(&error, bytes))?;
    Ok(Value::Bytes(Cow::Owned(text)))
}

fn policy(name: &[u8]) -> Result<Policy> {
    let name = String::from_utf8_lossy(name);
    let policy = Policy::named(&name).ok_or_else(|| {
        let possible = Policy::ALL.iter().filter(|(_, policy)| policy.fits(Form::Utf8, Form::Utf8).is_ok());
        let names: Vec<_> = possible.map(|(name, _)| *name).collect();
        format!("unknown policy {name:?}; one of {}", names.join(", "))
    })?;
    policy.fits(Form::Utf8, Form::Utf8).map_err(|error| error.to_string())?;
    Ok(policy)
}

/// The message for an error. It shows the value, because DuckDB does not report the row.
fn of_value(error: &dyn Display, bytes: &[u8]) -> String {
    const SHOWN: usize = 60;
    let rest = if bytes.len() > SHOWN { "…" } else { "" };
    format!("{error} of {}{rest}", bytes[..bytes.len().min(SHOWN)].escape_ascii())
}

fn convert<'a>(values: &[&'a [u8]]) -> Result<Value<'a>> {
    let source = charset(&String::from_utf8_lossy(values[1]))?;
    let target =
        values.get(2).map_or(Ok(Form::Utf8.into()), |name| charset(&String::from_utf8_lossy(name)))?;
    let text = converted(source, target, values[0]).map_err(|error| of_value(&error, values[0]))?;
    Ok(Value::Bytes(Cow::Owned(text)))
}

fn detect<'a>(values: &[&'a [u8]]) -> Result<Value<'a>> {
    let name = placemat_detect::detect(values[0], true).encoding.name();
    Ok(Value::Bytes(Cow::Borrowed(name.as_bytes())))
}

fn mojibake<'a>(values: &[&'a [u8]]) -> Result<Value<'a>> {
    let undone = std::str::from_utf8(values[0]).ok().and_then(placemat_detect::mojibake::undo_text);
    Ok(Value::Bytes(undone.map_or(Cow::Borrowed(values[0]), |text| Cow::Owned(text.into_bytes()))))
}

fn errors(values: &[Vec<u8>]) -> Result<Rows> {
    let row = |error: placemat::Error| {
        let kind = Value::Bytes(Cow::Borrowed(error.kind().name().as_bytes()));
        vec![Value::Number(error.offset() as i64), Value::Number(error.length() as i64), kind]
    };
    Ok(placemat::errors(Form::Utf8, &values[0]).map(row).collect())
}

/// How files in gzip, zstd, bzip2 and xz begin.
const COMPRESSED: &[&[u8]] = &[b"\x1F\x8B", b"\x28\xB5\x2F\xFD", b"BZh91AY&SY", b"\xFD7zXZ\0"];

fn read_text_as(values: &[Vec<u8>]) -> Result<Rows> {
    let path = String::from_utf8_lossy(&values[0]).into_owned();
    let encoding = String::from_utf8_lossy(&values[1]);
    let bytes = fs::read(&path).map_err(|error| match error.kind() {
        ErrorKind::NotFound if path.contains(['*', '?', '[']) => for_many(&path, &encoding),
        ErrorKind::NotFound if path.contains("://") => {
            format!("{path}: read_text_as reads local files; for others: utf8_convert(content, …) FROM read_blob(…)")
        }
        _ => format!("{path}: {error}"),
    })?;
    if COMPRESSED.iter().any(|start| bytes.starts_with(start)) {
        return Err(format!("{path}: it is compressed; decompress it first"));
    }
    let source = match &*encoding {
        "auto" => {
            let found = placemat_detect::detect(&bytes, true);
            let charset = Charset::detected(&found).filter(|_| found.confidence >= LIKELY);
            charset.ok_or_else(|| format!("{path}: cannot detect the encoding; name it instead of 'auto'"))?
        }
        name => charset(name)?,
    };
    let text = converted(source, Form::Utf8.into(), &bytes).map_err(|error| format!("{path}: {error}"))?;
    // A byte order mark is not part of the text.
    let text = placemat::bom::strip(&text).to_vec();
    Ok(vec![vec![Value::Bytes(Cow::Owned(path.into_bytes())), Value::Bytes(Cow::Owned(text))]])
}

/// The message for a pattern of names, with a query that reads the files.
fn for_many(path: &str, encoding: &str) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let source = if encoding == "auto" { "utf8_detect(content)".to_owned() } else { quoted(encoding) };
    let files = quoted(path);
    format!(
        "{path}: read_text_as reads one file; for many: \
         SELECT filename, utf8_convert(content, {source}) FROM read_blob({files})"
    )
}

fn charset(name: &str) -> Result<Charset> {
    Charset::resolve(Labels::Lenient, name).map_err(|error| error.to_string())
}

fn converted(source: Charset, to: Charset, bytes: &[u8]) -> Result<Vec<u8>> {
    let settings = Settings { to, policy: Policy::Stop, bom: Bom::Keep };
    whole(source, settings, bytes).map_err(|error| error.to_string())
}
