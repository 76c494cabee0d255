//! The operations, and which peers have them.

use std::borrow::Cow;
use std::hint::black_box;
use std::rc::Rc;

use crate::buffer::{Buffer, Unit};
use crate::options::Options;
use crate::peers::{self, simdutf};
use crate::sample::{Piece, Sample, Source};

/// The result of a peer for one piece of text.
pub enum Answer<'a> {
    /// Whether it is well-formed, or a count.
    Number(usize),
    /// The number of units written to the output.
    Written(usize),
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
    Units(Vec<u16>),
}

impl Answer<'_> {
    fn number(self) -> usize {
        match self {
            Answer::Number(number) | Answer::Written(number) => number,
            // Without this the compiler may leave out the work, because nothing reads the result.
            Answer::Text(text) => black_box(text).len(),
            Answer::Bytes(bytes) => black_box(bytes).len(),
            Answer::Units(units) => black_box(units).len(),
        }
    }

    /// The answer, whether it was a value or written to the output.
    fn result<D: Unit>(&self, out: &[D]) -> Checked {
        let (bytes, is_written) = match self {
            Answer::Number(number) => (number.to_le_bytes().to_vec(), false),
            Answer::Written(len) => (D::bytes(&out[..*len]).to_vec(), true),
            Answer::Text(text) => (text.as_bytes().to_vec(), matches!(text, Cow::Owned(_))),
            Answer::Bytes(bytes) => (bytes.to_vec(), matches!(bytes, Cow::Owned(_))),
            Answer::Units(units) => (Unit::bytes(units).to_vec(), true),
        };
        Checked { bytes, is_written }
    }
}

/// The answer of one call.
pub struct Checked {
    bytes: Vec<u8>,
    is_written: bool,
}

type Pass = Box<dyn Fn(&Sample, &mut Buffer) -> usize>;
type Check = Box<dyn Fn(&Sample, &[Piece], &mut Buffer) -> Vec<Checked>>;

/// One operation in one library.
pub struct Peer {
    pub name: String,
    /// Run it over all pieces of a sample, in a loop into which the call can be inlined.
    pub pass: Pass,
    /// Run it over these pieces and return the answer for each.
    pub check: Check,
    /// Bytes of a unit of output.
    unit: usize,
}

impl Peer {
    /// A peer whose answers are not compared.
    pub fn unchecked(name: &str, pass: Pass) -> Peer {
        Peer { name: name.to_owned(), pass, check: Box::new(|_, _, _| Vec::new()), unit: 1 }
    }
}

pub struct Op {
    pub name: &'static str,
    pub source: Source,
    /// Placemat first, `std` last.
    pub peers: Vec<Rc<Peer>>,
}

impl Op {
    /// The samples of an operation on one text, each with a suffix for the text's name.
    pub fn variants(&self) -> Vec<(&'static str, Source)> {
        match self.source {
            Source::Spoilt(_) => vec![
                ("", Source::Spoilt(0)),
                (" 0.1%", Source::Spoilt(10)),
                (" 1%", Source::Spoilt(100)),
                (" 10%", Source::Spoilt(1000)),
                (" 50%", Source::Spoilt(5000)),
            ],
            source => vec![("", source)],
        }
    }

    pub fn is_of_latin1(&self) -> bool {
        matches!(self.source, Source::Latin1 | Source::Utf8OfLatin1)
    }

    /// The bytes that all calls write together. Results that are a number or the input itself count as none.
    pub fn written(&self, sample: &Sample, out: &mut Buffer) -> usize {
        let Some(last) = self.peers.last() else { return 0 };
        (last.check)(sample, &sample.pieces, out)
            .iter()
            .filter(|result| result.is_written)
            .map(|result| result.bytes.len())
            .sum()
    }

    /// Gives each piece exactly as much room as its result takes.
    pub fn tighten(&self, sample: &mut Sample, out: &mut Buffer) {
        let Some(last) = self.peers.last() else { return };
        let results = (last.check)(sample, &sample.pieces, out);
        for (piece, result) in sample.pieces.iter_mut().zip(results) {
            piece.room = result.bytes.len() / last.unit;
        }
    }

    /// Checks that all peers give the answers of the last one, which is `std`; the error names those that do not.
    pub fn check(&self, sample: &Sample, pieces: &[Piece], out: &mut Buffer) -> Result<(), String> {
        let Some((last, others)) = self.peers.split_last() else { return Ok(()) };
        let expected = (last.check)(sample, pieces, out);
        let wrong: Vec<_> = others
            .iter()
            .filter(|peer| {
                let given = (peer.check)(sample, pieces, out);
                !given.iter().map(|result| &result.bytes).eq(expected.iter().map(|result| &result.bytes))
            })
            .map(|peer| peer.name.as_str())
            .collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join(", ")) }
    }
}

/// Name, what is read, and the operation whose calls it measures; `true` where it is measured on whole texts too, not only by length.
pub const OPS: &[(&str, Source, &str, bool)] = &[
    ("validate", Source::Utf8, "validate", true),
    ("validate-short", Source::Pieces, "validate", true),
    ("transcode-short", Source::Pieces, "utf8-utf16", true),
    ("utf16-utf8-short", Source::Utf16Pieces, "utf16-utf8", true),
    ("utf8-utf16", Source::Utf8, "utf8-utf16", true),
    ("utf8-utf32", Source::Utf8, "utf8-utf32", true),
    ("utf8-latin1", Source::Utf8OfLatin1, "utf8-latin1", true),
    ("latin1-utf8", Source::Latin1, "latin1-utf8", true),
    ("utf16-utf8", Source::Utf16, "utf16-utf8", true),
    ("utf32-utf8", Source::Utf32, "utf32-utf8", true),
    ("utf16-utf32", Source::Utf16, "utf16-utf32", true),
    ("utf32-utf16", Source::Utf32, "utf32-utf16", true),
    ("repair", Source::Spoilt(0), "repair", true),
    ("utf8-utf16-lossy", Source::Spoilt(0), "utf8-utf16-lossy", true),
    ("count", Source::Utf8, "count", true),
    ("count-checked", Source::Utf8, "count-checked", true),
    ("utf8-utf16-length", Source::Utf8, "utf8-utf16-length", true),
    ("utf16-utf8-length", Source::Utf16, "utf16-utf8-length", true),
    ("utf32-utf8-length", Source::Utf32, "utf32-utf8-length", true),
    ("latin1-utf8-length", Source::Latin1, "latin1-utf8-length", true),
    ("utf16-validate", Source::Utf16, "utf16-validate", true),
    ("utf32-validate", Source::Utf32, "utf32-validate", true),
    ("error", Source::Faulty, "error", false),
    ("repair-one", Source::Faulty, "repair", false),
    ("convert", Source::Utf8, "convert", false),
    ("utf8-cesu8", Source::Utf8, "utf8-cesu8", true),
    ("cesu8-utf8", Source::Cesu8, "cesu8-utf8", true),
    ("utf8-mutf8", Source::Utf8, "utf8-mutf8", true),
    ("mutf8-utf8", Source::Cesu8, "mutf8-utf8", true),
];

/// The calls of all peers, by operation.
#[derive(Default)]
pub struct Table {
    calls: Vec<(&'static str, Rc<Peer>)>,
}

impl Table {
    /// Collects the calls of all peers. A peer that chooses AVX2 by itself is left out where the others are restricted to lower levels.
    pub fn new(options: &Options) -> Result<Table, String> {
        let mut table = Table::default();
        peers::ours::add(&mut table);
        for library in &options.simdutf {
            simdutf::add(&mut table, library)?;
        }
        peers::smooth::add(&mut table);
        if !options.is_below_avx2() {
            peers::simd8::add(&mut table);
            peers::encoding::add(&mut table);
            peers::cesu8::add(&mut table);
        }
        peers::bstr::add(&mut table);
        peers::standard::add(&mut table);
        Ok(table)
    }

    /// The operation of this name in [`OPS`].
    pub fn op(&self, name: &'static str, source: Source, calls: &str) -> Op {
        let peers = self.calls.iter().filter(|(op, _)| *op == calls).map(|(_, peer)| peer.clone()).collect();
        Op { name, source, peers }
    }

    /// A peer that needs no more room than the result takes.
    pub fn add<S: Unit, D: Unit>(
        &mut self,
        op: &'static str,
        name: &str,
        call: impl for<'a> Fn(&'a [S], &mut [D]) -> Answer<'a> + Clone + 'static,
    ) {
        self.put(op, name, call, true);
    }

    /// A peer that needs more room than the result takes.
    pub fn add_roomy<S: Unit, D: Unit>(
        &mut self,
        op: &'static str,
        name: &str,
        call: impl for<'a> Fn(&'a [S], &mut [D]) -> Answer<'a> + Clone + 'static,
    ) {
        self.put(op, name, call, false);
    }

    fn put<S: Unit, D: Unit>(
        &mut self,
        op: &'static str,
        name: &str,
        call: impl for<'a> Fn(&'a [S], &mut [D]) -> Answer<'a> + Clone + 'static,
        exact: bool,
    ) {
        let again = call.clone();
        let pass = move |sample: &Sample, out: &mut Buffer| {
            let (src, dst) = (S::of(&sample.input), D::of_mut(out));
            let one = |piece: &Piece| {
                let output = output(piece, &mut *dst, exact);
                call(black_box(input(piece, src)), black_box(output)).number()
            };
            sample.pieces.iter().map(one).fold(0, usize::wrapping_add)
        };
        let check = move |sample: &Sample, pieces: &[Piece], out: &mut Buffer| {
            let (src, dst) = (S::of(&sample.input), D::of_mut(out));
            let one = |piece: &Piece| {
                let answer = again(input(piece, src), output(piece, &mut *dst, exact));
                answer.result(output(piece, &mut *dst, exact))
            };
            pieces.iter().map(one).collect()
        };
        let peer =
            Peer { name: name.to_owned(), pass: Box::new(pass), check: Box::new(check), unit: D::SIZE };
        self.calls.push((op, Rc::new(peer)));
    }
}

/// An empty piece has the address of an empty `Vec`, which points to no memory.
fn input<'a, S: Unit>(piece: &Piece, all: &'a [S]) -> &'a [S] {
    if piece.len == 0 { &[] } else { &all[piece.start..piece.start + piece.len] }
}

fn output<'a, D: Unit>(piece: &Piece, all: &'a mut [D], exact: bool) -> &'a mut [D] {
    let from = piece.out / D::SIZE;
    let to = if exact && piece.room != usize::MAX { from + piece.room } else { all.len() };
    &mut all[from..to]
}
