"""UTF-8 and everything around it: check, convert, repair, detect and explain text bytes.

>>> import placemat
>>> placemat.is_valid("naïve".encode())
True
>>> placemat.check(b"na\\xefve")
Error(kind='missing-continuation', offset=2, length=1)
>>> placemat.repair(b"caf\\xe9 \\x93na\\xc3\\xafve\\x94", "cp1252").decode()
'café “naïve”'
>>> placemat.convert("é".encode(), "utf-8", "utf-16le")
b'\\xe9\\x00'

Functions take any object with a contiguous buffer (bytes, bytearray, memoryview, mmap, ctypes, numpy arrays of numbers). `bytes`
are read in place. Every other object is copied first, because another thread or process may write to it meanwhile. While a function
works on 16 KiB or more, other threads run.

`placemat.codecs` registers every form with Python, so that `open(path, encoding="mutf-8")` works. `placemat.arrow` has the
same functions for columns of pyarrow, Polars, DuckDB, DataFusion and pandas. `placemat.spark` and `placemat.ray` have them for
tables that are too large for one machine.
"""

from placemat._core import (
    Change,
    ConversionError,
    Detection,
    Detokenizer,
    Error,
    FormFacts,
    Hidden,
    Mended,
    RefusedError,
    Sequence,
    Survey,
    __version__,
    check,
    convert,
    count,
    detect,
    errors,
    explain,
    forms,
    invisible,
    is_valid,
    label,
    labels,
    length,
    mend,
    mojibake,
    policies,
    repair,
    replaced,
)
from placemat._report import report
from placemat.codecs import register

__all__ = [
    "Change",
    "ConversionError",
    "Detection",
    "Detokenizer",
    "Error",
    "FormFacts",
    "Hidden",
    "Mended",
    "RefusedError",
    "Sequence",
    "Survey",
    "__version__",
    "check",
    "convert",
    "count",
    "detect",
    "errors",
    "explain",
    "forms",
    "invisible",
    "is_valid",
    "label",
    "labels",
    "length",
    "mend",
    "mojibake",
    "policies",
    "register",
    "repair",
    "replaced",
    "report",
]

register()
