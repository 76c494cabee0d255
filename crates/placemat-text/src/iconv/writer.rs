//! The second half of a conversion: code points to bytes. A character is written whole or not at all.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use placemat::{CodePoint, Form, Status, Transcoder};

use super::iso_2022_jp::{self, Set};
use super::names::Encoding;
use super::reader::{WIDTH, mark};
use super::short::Short;
use super::table::{ASK, Table};

/// Writes one encoding.
#[derive(Clone)]
pub(super) struct Writer {
    kind: Kind,
    /// The form whose byte order mark is written before a text.
    mark: Option<Form>,
    is_mark_due: bool,
    /// The fast way for a few code points.
    short: Option<Short>,
}

#[derive(Clone)]
enum Kind {
    Form(Form, Box<Machine>),
    Table(&'static Table),
    Iso2022Jp(Set),
}

/// A transcoder from code points, and a copy of it at the start of a text.
#[derive(Clone)]
struct Machine {
    transcoder: Transcoder,
    fresh: Transcoder,
}

impl Machine {
    fn new(fresh: Transcoder) -> Box<Machine> {
        Box::new(Machine { transcoder: fresh.clone(), fresh })
    }
}

/// The result of a write.
pub(super) struct Put {
    /// The number of code points written.
    pub(super) len: usize,
    /// The number of bytes written.
    pub(super) written: usize,
    pub(super) full: Full,
}

/// Why a write ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Full {
    No,
    Room,
    /// The encoding lacks the next code point.
    Lacks,
}

impl Writer {
    /// Creates a writer of code points in the form `pivot`.
    pub(super) fn new(encoding: Encoding, pivot: Form) -> Writer {
        let form = |form| Kind::Form(form, Machine::new(Transcoder::new(pivot, form).from_middle()));
        let (kind, mark) = match encoding {
            // A form that writes its own byte order mark.
            Encoding::Form(of) if of.name().ends_with("/bom") || of.name().ends_with("/web") => {
                (Kind::Form(of, Machine::new(Transcoder::new(pivot, of))), None)
            }
            Encoding::Form(of) => (form(of), None),
            Encoding::Marked { little, big } => {
                let native = if cfg!(target_endian = "little") { little } else { big };
                (form(native), Some(native))
            }
            Encoding::Table(charset, subset) => (Kind::Table(Table::of(charset, subset)), None),
            Encoding::Iso2022Jp => (Kind::Iso2022Jp(Set::Ascii), None),
        };
        let short = if matches!(kind, Kind::Form(..)) { Short::from_code_points(encoding) } else { None };
        Writer { kind, mark, is_mark_due: mark.is_some(), short }
    }

    /// The least number of bytes of a character.
    pub(super) fn least(&self) -> usize {
        match &self.kind {
            Kind::Form(form, _) => usize::from(form.facts().width.0).max(1),
            Kind::Table(_) | Kind::Iso2022Jp(_) => 1,
        }
    }

    pub(super) fn carries(&self, c: char) -> bool {
        match &self.kind {
            Kind::Form(form, _) => form.carries(CodePoint::from(c)),
            Kind::Table(table) => table.spell(c.into()).is_some(),
            Kind::Iso2022Jp(_) => iso_2022_jp::spell(c.into()).is_some(),
        }
    }

    /// Whether [`Writer::begin`] has nothing to do.
    #[inline]
    pub(super) fn has_begun(&self) -> bool {
        !self.is_mark_due
    }

    /// Writes the byte order mark if it is due. Returns its number of bytes; `None` if there is no room for it.
    pub(super) fn begin(&mut self, dst: &mut [u8]) -> Option<usize> {
        let Some(form) = self.mark.filter(|_| self.is_mark_due) else { return Some(0) };
        let unit = usize::from(form.facts().width.0);
        dst.get_mut(..unit)?.copy_from_slice(&mark(form)[..unit]);
        self.is_mark_due = false;
        Some(unit)
    }

    pub(super) fn write(&mut self, pivot: &[u8], dst: &mut [u8]) -> Put {
        let (read, written) = match &self.short {
            Some(short) if short.is_for(pivot.len() / WIDTH) => short.run(pivot, dst),
            _ => (0, 0),
        };
        if read == pivot.len() {
            return Put { len: read / WIDTH, written, full: Full::No };
        }
        let put = self.write_long(&pivot[read..], &mut dst[written..]);
        Put { len: read / WIDTH + put.len, written: written + put.written, full: put.full }
    }

    fn write_long(&mut self, pivot: &[u8], dst: &mut [u8]) -> Put {
        match &mut self.kind {
            Kind::Form(_, machine) => {
                let step = machine.transcoder.push(pivot, dst);
                let len = step.read / WIDTH;
                match step.status {
                    Status::NeedInput | Status::Done => Put { len, written: step.written, full: Full::No },
                    Status::NeedOutput => Put { len, written: step.written, full: Full::Room },
                    Status::Failed(_) => {
                        Put { len: len.saturating_sub(1), written: step.written, full: Full::Lacks }
                    }
                }
            }
            Kind::Table(table) => write_table(table, pivot, dst),
            Kind::Iso2022Jp(set) => iso_2022_jp::write(set, pivot, dst),
        }
    }

    /// Writes a whole text or nothing of it.
    pub(super) fn write_whole(&mut self, text: &str, dst: &mut [u8]) -> Result<usize, Full> {
        let pivot: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        self.write_whole_pivot(&pivot, dst)
    }

    pub(super) fn write_whole_pivot(&mut self, pivot: &[u8], dst: &mut [u8]) -> Result<usize, Full> {
        let before = self.clone();
        let put = self.write(pivot, dst);
        if put.full == Full::No {
            return Ok(put.written);
        }
        *self = before;
        Err(put.full)
    }

    /// Returns to the start of a text, without writing anything.
    pub(super) fn reset(&mut self) {
        self.is_mark_due = self.mark.is_some();
        match &mut self.kind {
            Kind::Form(_, machine) => machine.transcoder = machine.fresh.clone(),
            Kind::Iso2022Jp(set) => *set = Set::Ascii,
            Kind::Table(_) => {}
        }
    }

    /// Writes the bytes that lead to the initial state. Returns their number; `None` if there is no room for them.
    pub(super) fn end(&mut self, dst: &mut [u8]) -> Option<usize> {
        match &mut self.kind {
            Kind::Form(_, machine) => {
                let step = machine.transcoder.finish(dst);
                (step.status != Status::NeedOutput).then_some(step.written)
            }
            Kind::Iso2022Jp(Set::Ascii) | Kind::Table(_) => Some(0),
            Kind::Iso2022Jp(set) => {
                dst.get_mut(..3)?.copy_from_slice(Set::Ascii.escape());
                *set = Set::Ascii;
                Some(3)
            }
        }
    }
}

fn write_table(table: &Table, pivot: &[u8], dst: &mut [u8]) -> Put {
    let (mut len, mut written) = (0, 0);
    let (code_points, _) = pivot.as_chunks::<WIDTH>();
    let spellings = table.spellings();
    loop {
        let (count, bytes) =
            write_plain(spellings, table.is_single(), &code_points[len..], &mut dst[written..]);
        (len, written) = (len + count, written + bytes);
        // Characters that the table does not know yet or that take four bytes, and the end.
        for c in code_points[len..].iter().take(STEP) {
            let Some(spelling) = table.spell(u32::from_le_bytes(*c)) else {
                return Put { len, written, full: Full::Lacks };
            };
            let spelling = spelling.as_bytes();
            let Some(room) = dst.get_mut(written..written + spelling.len()) else {
                return Put { len, written, full: Full::Room };
            };
            room.copy_from_slice(spelling);
            len += 1;
            written += spelling.len();
        }
        if len == code_points.len() {
            return Put { len, written, full: Full::No };
        }
    }
}

/// The number of code points written at once, so that unusual ones are tested for once.
const STEP: usize = 8;

/// Writes code points that the table knows already, eight at a time. Returns the number of code points and of bytes.
fn write_plain(
    spellings: &[AtomicU32; 1 << 16],
    is_single: bool,
    code_points: &[[u8; WIDTH]],
    dst: &mut [u8],
) -> (usize, usize) {
    let (mut len, mut written) = (0, 0);
    for eight in code_points.as_chunks::<STEP>().0 {
        let Some(room) = dst.get_mut(written..).and_then(|rest| rest.first_chunk_mut::<{ STEP * WIDTH }>())
        else {
            break;
        };
        let packed = eight
            .map(|[low, high, ..]| spellings[usize::from(u16::from_le_bytes([low, high]))].load(Relaxed));
        let beyond = eight.iter().fold(0, |all, [.., c, d]| all | c | d);
        if beyond != 0 || packed.iter().fold(0, |all, packed| all | packed) & ASK != 0 {
            break;
        }
        if is_single {
            for (byte, packed) in room.iter_mut().zip(packed) {
                *byte = packed as u8;
            }
            written += STEP;
        } else {
            let mut end = 0;
            for packed in packed {
                // Each takes at most three bytes. Four are written; the next character overwrites those that do not count.
                if let Some(four) = room[end..].first_chunk_mut() {
                    *four = packed.to_le_bytes();
                }
                end += (packed >> 24) as usize & 3;
            }
            written += end;
        }
        len += STEP;
    }
    (len, written)
}
