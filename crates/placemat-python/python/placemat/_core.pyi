from os import PathLike
from typing import IO, Any, Final, Literal, TypeAlias, final

from typing_extensions import Buffer

from placemat import arrow as arrow

__all__ = [
    "arrow",
    "Codec",
    "stand_in",
    "Detokenizer",
    "Sequence",
    "explain",
    "ConversionError",
    "Error",
    "FormFacts",
    "forms",
    "label",
    "labels",
    "policies",
    "Detection",
    "detect",
    "something_else",
    "check",
    "command",
    "convert",
    "count",
    "errors",
    "is_binary",
    "is_valid",
    "length",
    "repair",
    "replaced",
    "Hidden",
    "invisible",
    "Change",
    "Mended",
    "RefusedError",
    "mend",
    "mojibake",
    "Survey",
    "__version__",
]

# The policies that write UTF-8, and Python's names of three of them.
_RepairPolicy: TypeAlias = Literal[
    "stop", "replace", "replace-byte", "replace-sequence", "replace-run", "skip", "latin1", "cp1252", "cp1252-strict", "optu", "escape",
    "strict", "ignore", "backslashreplace",
]
_Policy: TypeAlias = _RepairPolicy | Literal["surrogateescape"]
_Unencodable: TypeAlias = Literal["stop", "replace", "skip", "escape", "ncr", "strict", "ignore", "xmlcharrefreplace"] | str
_Named: TypeAlias = Literal[
    "utf-8", "utf-8/surrogates", "utf-8-rfc2279", "utf-8-rfc2279/surrogates", "fss-utf-1992-07", "fss-utf-1992-09", "utf-1", "utf-7",
    "utf-7/base64", "utf-7/lenient", "utf-7-imap", "utf-16le", "utf-16be", "utf-16le/surrogates", "utf-16be/surrogates", "ucs-2le",
    "ucs-2be", "ucs-2le/pairs", "ucs-2be/pairs", "utf-32le", "utf-32be", "ucs-4le", "ucs-4be", "cesu-8", "cesu-8/lenient", "mutf-8",
    "mutf-8/java", "mutf-8/jvm-old", "mutf-8/art", "utf8mb3", "wtf-8", "utf-8b", "utf-8b/python", "optu-8", "optu-8/mirbsd", "optu-16",
    "optu-16le", "us-ascii", "iso-8859-1", "windows-1252", "unicode-1-1-utf-8", "unicode-1-1-utf-8/lenient", "utf-8/bom", "utf-16",
    "utf-16/surrogates", "utf-16/web", "ucs-2", "ucs-2/pairs", "utf-32", "ucs-4",
]
# A form has other names, too.
_Form: TypeAlias = _Named | str
_Structure: TypeAlias = Literal["csv", "jsonl", "sql", "sql-postgres", "sql-mysql", "sql-sqlite"]

__version__: Final[str]

class ConversionError(ValueError):
    """A conversion stopped at an error: its `error` says what and where, counted in bytes of the source."""
    error: Error
    row: int | None

class RefusedError(ValueError):
    """A repair would do harm: the text seems to be something else than UTF-8 with a few errors. The message says what."""

@final
class Error:
    r"""One malformed sequence: what is wrong, where, and its length.

    >>> import placemat
    >>> error = placemat.check(b"caf\xe9!")
    >>> error.kind, error.offset, error.length
    ('missing-continuation', 3, 1)
    """
    __match_args__: Final = ("kind", "offset", "length")
    def __new__(cls, kind: str, offset: int, length: int) -> Error: ...
    @property
    def kind(self) -> str:
        """What is wrong, in lower-case words joined by hyphens."""
    @property
    def offset(self) -> int:
        """The offset of its first byte, from 0."""
    @property
    def length(self) -> int:
        """The number of malformed bytes."""
    @property
    def end(self) -> int:
        """The offset of the first byte after the sequence."""

@final
class Sequence:
    """One sequence of a text: its code point, or what is wrong with it."""
    def __new__(
        cls,
        offset: int,
        bytes: bytes,
        code_point: int | None,
        error: Error | None,
        hint: str | None,
        meant: str | None,
    ) -> Sequence: ...
    @property
    def offset(self) -> int:
        """The offset of its first byte."""
    @property
    def bytes(self) -> bytes:
        """Its bytes."""
    @property
    def bits(self) -> list[str]:
        """Each byte in binary."""
    @property
    def code_point(self) -> int | None:
        """The code point; None where the sequence is malformed."""
    @property
    def text(self) -> str | None:
        """The character as str; None where the sequence is malformed or above U+10FFFF."""
    @property
    def name(self) -> str:
        """The character's name in the Unicode database of this Python, or ""."""
    @property
    def error(self) -> Error | None:
        """The error; None where the sequence is well-formed."""
    @property
    def hint(self) -> str | None:
        """For malformed UTF-8: the encoding or dialect in which the bytes at this place make sense."""
    @property
    def meant(self) -> str | None:
        """The text that was probably meant."""

@final
class Detection:
    """The result of `detect`."""
    def __new__(
        cls,
        encoding: str,
        bom: bool,
        confidence: float,
        malformed: int,
        line_ending: str,
        reasons: list[str],
        candidates: list[tuple[str, float]],
    ) -> Detection: ...
    @property
    def encoding(self) -> str:
        """The form or encoding, in lower case; `binary` if the bytes are no text."""
    @property
    def bom(self) -> bool:
        """Whether the text begins with a byte order mark of that encoding."""
    @property
    def confidence(self) -> float:
        """From 0 to 1."""
    @property
    def malformed(self) -> int:
        """The number of malformed sequences."""
    @property
    def line_ending(self) -> str:
        """The line ending: none, lf, crlf, cr or mixed."""
    @property
    def reasons(self) -> list[str]:
        """The reasons, in sentences."""
    @property
    def candidates(self) -> list[tuple[str, float]]:
        """The likely encodings, the most likely first: pairs of name and confidence."""

@final
class Hidden:
    """A run of invisible characters that the text around them does not explain."""
    __match_args__: Final = ("kind", "offset", "length", "payload")
    def __new__(cls, kind: str, offset: int, length: int, payload: bytes) -> Hidden: ...
    @property
    def kind(self) -> str:
        """The kind: tag-payload, variation-payload, bidi-unbalanced, zero-width, invisible, control, private-use, noncharacter,
        unassigned.
        """
    @property
    def offset(self) -> int:
        """The offset of its first byte, from 0."""
    @property
    def length(self) -> int:
        """Its length in bytes."""
    @property
    def payload(self) -> bytes:
        """The hidden bytes that tag characters or variation selectors encode; empty for other kinds."""

@final
class Change:
    """One change that `mend` made."""
    __match_args__: Final = ("offset", "original", "text", "rule", "row", "field")
    def __new__(
        cls, offset: int, original: bytes, text: str, rule: str, row: int | None = None, field: int | None = None
    ) -> Change: ...
    @property
    def offset(self) -> int:
        """The offset in the original, in bytes from 0."""
    @property
    def original(self) -> bytes:
        """The bytes that were there."""
    @property
    def text(self) -> str:
        """The text that replaced them."""
    @property
    def rule(self) -> str:
        """Why: the name of an encoding, `cesu-8`, `nul`, `overlong`, `mojibake`, `invisible`, `u+0000`, or of a policy."""
    @property
    def row(self) -> int | None:
        """With `structure`, the number of the CSV record or of the line, from 1."""
    @property
    def field(self) -> int | None:
        """With `structure`, the number of the field in its record or of the string in its line, from 1, if these are counted."""

@final
class Mended:
    """The result of `mend`."""
    def __new__(cls, text: str, changes: list[Change], is_lossy: bool, report: str) -> Mended: ...
    @property
    def text(self) -> str:
        """The repaired text. Malformed bytes in binary values of a dump are in it as surrogates, as by `surrogateescape`."""
    @property
    def data(self) -> bytes:
        """The repaired text as bytes, to be written to a file: UTF-8, but binary values of a dump as they were."""
    @property
    def changes(self) -> list[Change]:
        """The changes, in order."""
    @property
    def is_lossy(self) -> bool:
        """Whether something is lost: U+FFFD replaced bytes that could not be read."""
    def report(self) -> str:
        """Return the report of `placemat repair --report`: lines of JSON, from which the original can be restored."""

@final
class Detokenizer:
    r"""Turns pieces of a language model's output into text as it becomes complete.

    A character appears once its last byte is there, and U+FFFD only for what no further piece can complete. However the bytes are
    divided, the text is the same. A copy (`copy.copy`) goes on from the same place.

    Tokens are taken as they are: replace the `▁` of SentencePiece by a space in the text. Byte-level BPE, whose tokens look like
    `Ġcaf` and `Ã©`, writes a character for each byte: pass its bytes.

    >>> import placemat
    >>> pieces = placemat.Detokenizer()
    >>> [pieces.push(piece) for piece in [b"caf\xc3", b"\xa9", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>"]]
    ['caf', 'é', '', '', '', '😀']
    >>> pieces.finish()
    ''
    """
    def __new__(cls) -> Detokenizer: ...
    def push(self, piece: Buffer | str) -> str:
        """Return the text that the next piece completes. A piece is bytes, or a token as str; a token such as `<0xEA>` is that byte. Linear."""
    def finish(self) -> str:
        """End the text: return U+FFFD if its last character is incomplete, else nothing. The next piece begins another text."""
    def __copy__(self) -> Detokenizer: ...
    def __deepcopy__(self, _memo: object, /) -> Detokenizer: ...
    @property
    def pending(self) -> int:
        """The number of bytes of an incomplete character: 0 to 3."""

@final
class Survey:
    """Counts what many texts are made of: encodings, byte order marks, line endings, scripts, errors. `placemat survey` prints one.

    With `field`, files are JSON Lines, and the string in that field of each line is a text.

    >>> import placemat
    >>> survey = placemat.Survey()
    >>> survey.add("Привет, мир!".encode())
    >>> survey.add(b"plain")
    >>> survey.as_dict()["texts"]
    2
    """
    def __new__(cls, field: str | None = None) -> Survey: ...
    def add(self, text: Buffer) -> None:
        """Add a text that belongs to no file; if the survey has a field, it counts as the text of one line. Linear."""
    def add_file(self, source: IO[bytes], path: str | PathLike[str]) -> bool:
        """Add a file: the rest of the binary file object `source`, unpacked if it is gzip, zstd, bzip2 or xz. Memory is constant, or that of
        a line.

        Returns False, and counts the file as skipped, if it is binary: it has a NUL near its start and no byte order mark. If reading
        raises an exception, that is raised and nothing is added.
        """
    def of_file(self, path: str | PathLike[str]) -> None:
        """Count all texts so far as those of one file. If any of them has errors, the survey names this file as the worst."""
    def count_files(self, *, read: int = 0, failed: int = 0) -> None:
        """Add to the counts of files: `read` files that were read, `failed` files that could not be read."""
    def merge(self, json: str) -> None:
        """Add another survey, as JSON: `json()` of one, or what `placemat survey --format json` printed.

        Raises ValueError for JSON that is no survey, for a survey of another field, and if a sum exceeds 64 bits. Then nothing is added.
        """
    def json(self) -> str:
        """Return the survey as JSON: one object, on one line, as `placemat survey --format json` prints it."""
    def as_dict(self) -> dict[str, Any]:
        """Return the survey as a dictionary with the content of `json()`."""
    def page(self, title: str) -> str:
        """Return the survey as a web page in one file. `title` names what was surveyed."""

@final
class FormFacts:
    """The properties of a form."""
    def __new__(cls, form: _Form) -> FormFacts: ...
    @property
    def name(self) -> str:
        """Its name."""
    @property
    def domain(self) -> str:
        """The code points that it can encode, in words."""
    @property
    def width(self) -> tuple[int, int]:
        """Bytes per code point, least and most."""
    @property
    def ascii_transparent(self) -> bool:
        """Whether bytes below 80 always stand for ASCII characters."""
    @property
    def self_synchronising(self) -> bool:
        """Whether the start of a character can be found from any byte."""
    @property
    def order_preserving(self) -> bool:
        """Whether text sorted by its bytes is sorted by its code points."""
    @property
    def source(self) -> str:
        """The document that defines it, and what replaced it."""

@final
class Codec:
    """Decodes and encodes one form, under its name in `codecs`."""
    def __new__(cls, form: str, name: str | None = None) -> Codec: ...
    @property
    def name(self) -> str:
        """The name in `codecs`."""
    @property
    def start(self) -> tuple[int, int]:
        """The states of a decoder and of an encoder at the start of a text."""
    def decode(
        self, data: Buffer, errors: str | None = None, last: bool = True, state: int | None = None
    ) -> tuple[str, int, int]:
        """Decode a part of a text. Returns the text, the number of bytes read, and the state after them. Pass the rest again, with more."""
    def encode(self, text: str, errors: str | None = None, state: int | None = None) -> tuple[bytes, int, int]:
        """Encode a part of a text. Returns the bytes, the number of characters (all), and the state after them."""
    def decode_whole(self, data: Buffer, errors: str | None = "strict") -> tuple[str, int]:
        """Decode a whole text. Returns it and the number of bytes (all), as `codecs.decode` requires."""
    def encode_whole(self, text: str, errors: str | None = "strict") -> tuple[bytes, int]:
        """Encode a whole text. Returns its bytes and the number of characters (all), as `codecs.encode` requires."""

def command(arguments: list[str]) -> int:
    """Run the command `placemat` with these arguments, of which the first is its name. Returns its exit code, from 0 to 2.

    It writes to the file descriptors of standard output and standard error, not to `sys.stdout`, and can run once in a process.
    Use `python -m placemat` instead.
    """
def is_binary(head: Buffer) -> bool:
    """Return whether a file with these first bytes is binary: it has a NUL and no byte order mark. 8,192 bytes are enough."""
def check(data: Buffer, form: _Form = "utf-8") -> Error | None:
    r"""Return the first malformed sequence, or None.

    >>> placemat.check("naïve".encode())
    >>> placemat.check(b"na\xefve")
    Error(kind='missing-continuation', offset=2, length=1)
    >>> print(placemat.check(b"\xed\xa0\x80!", "cesu-8"))
    surrogate at byte 0 (length 3)
    """
def is_valid(data: Buffer, form: _Form = "utf-8") -> bool:
    r"""Return whether nothing is malformed.

    >>> placemat.is_valid(b"plain"), placemat.is_valid(b"\xc0\x80"), placemat.is_valid(b"\xc0\x80", "mutf-8")
    (True, False, True)
    """
def errors(data: Buffer, form: _Form = "utf-8", *, limit: int | None = None) -> list[Error]:
    r"""Return every malformed sequence, in order, or the first `limit` of them.

    >>> [str(error) for error in placemat.errors(b"\xc0\x80 caf\xe9")]
    ['overlong at byte 0 (length 1)', 'unexpected-continuation at byte 1 (length 1)', 'truncated at byte 6 (length 1)']
    """
def repair(data: Buffer, policy: _RepairPolicy = "replace") -> bytes:
    r"""Return the bytes as well-formed UTF-8. Well-formed `bytes` are returned without a copy.

    >>> placemat.repair(b"caf\xe9").decode()
    'caf\ufffd'
    >>> placemat.repair(b"caf\xe9 \x93na\xc3\xafve\x94", "cp1252").decode()
    'café “naïve”'
    """
def replaced(data: Buffer) -> int:
    r"""Return the number of U+FFFD in UTF-8 text. An earlier reader wrote them in place of bytes that it could not read. The text is
    well-formed again since then, so `is_valid` does not find this damage.

    >>> placemat.replaced(b"caf\xe9".decode(errors="replace").encode())
    1
    """
def convert(
    data: Buffer,
    source: _Form = "utf-8",
    target: _Form = "utf-8",
    *,
    on_error: _Policy = "stop",
    unencodable: _Unencodable = "stop",
    bom: Literal["keep", "strip", "add"] = "keep",
) -> bytes:
    r"""Convert bytes to another form or legacy encoding. Raises ConversionError where a policy stops.

    >>> placemat.convert(b"\x93caf\xe9\x94", "windows-1252").decode()
    '“café”'
    >>> placemat.convert("é".encode(), "utf-8", "utf-16le")
    b'\xe9\x00'
    >>> placemat.convert(b"\xc0\x80\xed\xa0\xbd\xed\xb8\x80", "mutf-8", "utf-8").decode()
    '\x00😀'
    >>> placemat.convert("3 €".encode(), "utf-8", "iso-8859-1", unencodable="ncr")
    b'3 &#8364;'
    >>> placemat.convert("3 €".encode(), "utf-8", "us-ascii")
    Traceback (most recent call last):
        ...
    placemat.ConversionError: unencodable at byte 2 (length 3)
    """
def mend(
    data: Buffer,
    *,
    second: str = "auto",
    mojibake: bool = False,
    invisible: bool = False,
    overlong: bool = False,
    nul: bool = False,
    lossy: bool = False,
    structure: _Structure | None = None,
    delimiter: str = ",",
    zero: Literal["keep", "skip", "replace"] = "keep",
) -> Mended:
    r"""Repair UTF-8 by diagnosis, as `placemat repair` does: surrogates of CESU-8 are joined, a run of bytes in another encoding is read in
    that, and U+FFFD replaces the rest. Raises RefusedError if the text as a whole seems to be something else.

    `second` names the encoding of the malformed runs; `auto` chooses it from them and from the language of the text.
    `mojibake` undoes text that was decoded twice, `invisible` removes invisible characters, `overlong` decodes overlong sequences,
    and `nul` reads C0 80 as U+0000. `lossy` writes U+FFFD where the text would be refused because no encoding of its malformed runs
    is likely.

    `structure` repairs field by field, so that no delimiter, quote or escape changes: `csv` (RFC 4180, with this `delimiter`),
    `jsonl` (strings are unescaped first), `sql` (dumps of `pg_dump`, `mysqldump` and `sqlite3 .dump`; use `sql-postgres`, `sql-mysql`
    or `sql-sqlite` if the dump does not say which program wrote it). Input that does not parse raises RefusedError with its line.
    `zero` says what becomes of U+0000: `keep`, `skip`, or `replace` with U+FFFD; PostgreSQL accepts none.

    >>> mended = placemat.mend("naïve café\n".encode() + b"another caf\xe9\n")
    >>> mended.text
    'naïve café\nanother café\n'
    >>> mended.changes
    [Change(offset=24, original=b"\xe9", text="é", rule='windows-1252')]
    >>> placemat.mend('{"a": "caf\\u00c3\\u00a9"}'.encode(), structure="jsonl", mojibake=True).text
    '{"a": "caf\\u00e9"}'
    >>> placemat.mend("Grüße aus Köln".encode("latin-1"))
    Traceback (most recent call last):
        ...
    placemat.RefusedError: it looks like windows-1252 (75 %), not like UTF-8 with a few errors
    """
def mojibake(text: str) -> str:
    r"""Return the text with its mojibake undone, as ftfy does: every run that was decoded twice. Clean text is returned as it is, also text
    with surrogates, such as `surrogateescape` makes. Linear.

    >>> placemat.mojibake("cafÃ© â€œnaÃ¯veâ€\x9d")
    'café “naïve”'
    >>> placemat.mojibake("São Paulo")
    'São Paulo'
    """
def count(data: Buffer, form: _Form = "utf-8") -> int:
    """Return the number of code points; each error counts as one.

    >>> placemat.count("naïve".encode())
    5
    """
def length(data: Buffer, source: _Form = "utf-8", target: _Form = "utf-16le") -> int:
    """Return the exact number of bytes that `convert` will write, without converting.

    >>> placemat.length("né😀".encode(), "utf-8", "utf-16le")
    8
    """
def detect(data: Buffer, *, complete: bool = True) -> Detection:
    r"""Return the likely form or encoding of the bytes, the confidence, and the reasons. Set `complete` to False for the head of a
    longer text.

    >>> found = placemat.detect(b"\xc3\xa9t\xc3\xa9, caf\xe9")
    >>> found.encoding, found.malformed, found.reasons[0]
    ('utf-8', 1, 'UTF-8 but for 1 sequence; 1 fits windows-1252')
    >>> placemat.detect("Привет, мир!".encode("koi8-r")).encoding
    'koi8-r'
    """
def something_else(data: Buffer) -> str | None:
    r"""Return the likely encoding if a repair as UTF-8 would do harm. Return None for UTF-8, also with a few malformed sequences.

    >>> placemat._core.something_else("Привет, мир!".encode("koi8-r"))
    'koi8-r'
    >>> placemat._core.something_else("Это UTF-8, но не вся: ".encode() + b"\xff")
    """
def explain(data: Buffer, form: _Form = "utf-8", *, limit: int = 1000) -> list[Sequence]:
    r"""Return the sequences of the bytes, each with its bytes and bits, and its code point or the error and what was probably meant.

    >>> for sequence in placemat.explain(b"\xe2\x82\xac \xe9!"): print(sequence)
    <0: E2 82 AC U+20AC EURO SIGN>
    <3: 20 U+0020 SPACE>
    <4: E9 missing-continuation (length 1), é in windows-1252>
    <5: 21 U+0021 EXCLAMATION MARK>
    >>> placemat.explain("é".encode())[0].bits
    ['11000011', '10101001']
    """
def invisible(data: Buffer, *, kinds: list[str] | None = None) -> list[Hidden]:
    r"""Return the invisible characters of UTF-8 text that the text around them does not explain, in the order of their offsets. `kinds`
    are names, by default all but private-use, noncharacter and unassigned. Malformed bytes are skipped.

    >>> hidden = "".join(chr(0xE0000 + ord(c)) for c in "ignore this")
    >>> found = placemat.invisible(f"hello{hidden}".encode())
    >>> found[0].kind, found[0].offset, bytes(found[0].payload)
    ('tag-payload', 5, b'ignore this')
    >>> placemat.invisible("👩‍👩‍👦 می‌خواهم".encode())
    []
    >>> [one.kind for one in placemat.invisible(b"\x1b[31m", kinds=["control"])]
    ['control']
    """
def forms() -> list[FormFacts]:
    """Return every form and profile.

    >>> [form.name for form in placemat.forms() if form.domain == "scalar values"][:3]
    ['utf-8', 'utf-7', 'utf-7/base64']
    """
def policies() -> list[str]:
    """Return the names of the policies for malformed sequences.

    >>> placemat.policies()[:3]
    ['stop', 'replace', 'replace-byte']
    """
def label(name: str, reader: str = "lenient") -> str | None:
    """Return the canonical name of the encoding that `reader` means by a label, or None. Readers: lenient, iana, whatwg, rfc2279,
    oracle, mysql.

    >>> placemat.label("latin1"), placemat.label("latin1", "whatwg"), placemat.label("UTF8", "oracle")
    ('iso-8859-1', 'windows-1252', 'cesu-8')
    """
def labels(form: _Form) -> list[tuple[str, str]]:
    """Return every other name of a form or legacy encoding, as pairs of the reader that uses it and the name.

    >>> ("iana", "csUTF8") in placemat.labels("utf-8")
    True
    >>> ("whatwg", "ms_kanji") in placemat.labels("shift_jis")
    True
    """
def stand_in(policy: str, exception: UnicodeError) -> tuple[str, int]:
    """The error handler `placemat.` + `policy`, for any codec. Returns the replacement for the error that `exception` describes, and
    the position to continue at.
    """
