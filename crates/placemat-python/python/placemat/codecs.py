"""Every form of placemat as a codec of Python, and its policies as error handlers.

Importing `placemat` registers them. Then Python reads and writes these forms like its own encodings:

>>> b"\\xc0\\x80\\xed\\xa0\\xbd\\xed\\xb8\\x80".decode("mutf-8")
'\\x00😀'
>>> "😀".encode("cesu-8")
b'\\xed\\xa0\\xbd\\xed\\xb8\\x80'
>>> b"caf\\xe9".decode("cesu-8", "placemat.cp1252")
'café'
>>> "Entwürfe".encode("utf-7-imap")
b'Entw&APw-rfe'

A name is one of `placemat.forms()`, also of a profile (`"mutf-8/java"`), or any label of one. Python asks its own codecs
first, so `utf-8`, `utf-7`, `utf-16`, `utf-32` (with `le` and `be`), `us-ascii`, `iso-8859-1` and `windows-1252` stay
Python's. The prefix `placemat-` selects the codec of placemat:

>>> b"a\\xff\\xfe".decode("placemat-utf-8", "placemat.latin1")
'aÿþ'

Error handlers are Python's, your own, and `placemat.` with the name of a policy. All of them work with any codec:

>>> b"\\x93caf\\xe9\\x94".decode("utf-8", "placemat.cp1252")
'“café”'
>>> b"a\\xff\\xfe\\xfdb".decode("utf-8", "placemat.replace-run")
'a\\ufffdb'

An encoder's output is complete after each call, because `open()` never says which call is the last. Some text cannot follow
complete output: the rest of a base64 run in `utf-7-imap`, or the second half of a surrogate pair in `wtf-8`. Then the next
call raises `UnicodeEncodeError`. So write such a run or pair in one call.
"""

import codecs as _codecs

from placemat._core import Codec as _Codec
from placemat._core import forms as _forms
from placemat._core import label as _label
from placemat._core import policies as _policies
from placemat._core import stand_in as _stand_in

__all__ = ["OWN_PREFIX", "codec_info", "register"]

OWN_PREFIX = "placemat-"

# CPython has codecs for these and never asks us for them by these names. No label of them becomes a new name either.
_CPYTHON = frozenset(
    "utf-8 utf-7 utf-16 utf-16le utf-16be utf-32 utf-32le utf-32be us-ascii iso-8859-1 windows-1252".split()
)


class _Decoder(_codecs.BufferedIncrementalDecoder):
    """Keeps the bytes that the form has not decided yet. `codec_info` makes a subclass for each form, which sets `codec`."""

    codec = None

    def __init__(self, errors="strict"):
        super().__init__(errors)
        self._state = self.codec.start[0]

    def _buffer_decode(self, data, errors, final):
        text, consumed, self._state = self.codec.decode(data, errors, final, self._state)
        return text, consumed

    def reset(self):
        super().reset()
        self._state = self.codec.start[0]

    def getstate(self):
        return self.buffer, self._state

    def setstate(self, state):
        data, flags = state
        self.codec.decode(b"", None, False, flags)
        self.buffer, self._state = data, flags


class _Encoder(_codecs.IncrementalEncoder):
    codec = None

    def __init__(self, errors="strict"):
        super().__init__(errors)
        self._state = self.codec.start[1]

    def encode(self, text, final=False):
        data, _, self._state = self.codec.encode(text, self.errors, self._state)
        return data

    def reset(self):
        self._state = self.codec.start[1]

    def getstate(self):
        return self._state

    def setstate(self, state):
        self._state = state


class _Writer(_codecs.StreamWriter):
    codec = None

    def __init__(self, stream, errors="strict"):
        super().__init__(stream, errors)
        self._state = self.codec.start[1]

    def encode(self, text, errors="strict"):
        data, length, self._state = self.codec.encode(text, errors, self._state)
        return data, length

    def reset(self):
        super().reset()
        self._state = self.codec.start[1]

    def seek(self, offset, whence=0):
        super().seek(offset, whence)
        if whence == 0 and offset == 0:
            self.reset()


class _Reader(_codecs.StreamReader):
    codec = None

    def __init__(self, stream, errors="strict"):
        super().__init__(stream, errors)
        self._state = self.codec.start[0]

    def decode(self, data, errors="strict"):
        text, consumed, self._state = self.codec.decode(data, errors, False, self._state)
        return text, consumed

    def reset(self):
        super().reset()
        self._state = self.codec.start[0]


def codec_info(form, name=None):
    """The `codecs.CodecInfo` of a form.

    >>> codec_info("wtf-8").encode("a\\ud800")
    (b'a\\xed\\xa0\\x80', 2)
    """
    codec = _Codec(form, name)
    members = {"codec": codec, "__module__": __name__}

    return _codecs.CodecInfo(
        codec.encode_whole,
        codec.decode_whole,
        streamreader=type("StreamReader", (_Reader,), members),
        streamwriter=type("StreamWriter", (_Writer,), members),
        incrementalencoder=type("IncrementalEncoder", (_Encoder,), members),
        incrementaldecoder=type("IncrementalDecoder", (_Decoder,), members),
        name=codec.name,
    )


def _plain(name):
    """A normalised name. Different versions of Python pass different spellings to a search function."""
    return "-".join(part for part in "".join(c if c.isalnum() else " " for c in name.lower()).split())


# Names that `detect` returns, and Python's names of the same encodings. Python has no codec for `euc-tw` and `iso-2022-cn`.
_OTHERS = {
    "windows-874": "cp874",
    "x-mac-ce": "mac-latin2",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-mac-greek": "mac-greek",
    "x-mac-icelandic": "mac-iceland",
    "x-mac-turkish": "mac-turkish",
}


def _search(name):
    plain = _plain(name)
    if plain in _OTHERS:
        return _codecs.lookup(_OTHERS[plain])
    is_ours = plain.startswith(OWN_PREFIX)
    wanted = plain.removeprefix(OWN_PREFIX)
    form = _NAMES.get(wanted) or _NAMES.get(_label(wanted))
    if form is None or form in _CPYTHON and not is_ours:
        return None
    return codec_info(form, OWN_PREFIX + form if is_ours else form)


_NAMES = {_plain(form.name): form.name for form in _forms()} | {form.name: form.name for form in _forms()}


def _handler(policy):
    def stand_in(error):
        return _stand_in(policy, error)

    stand_in.__name__ = stand_in.__qualname__ = f"placemat.{policy}"
    return stand_in


def register():
    """Register the codecs and error handlers with Python. Importing `placemat` does this; a second call changes nothing."""
    if not _registered:
        _codecs.register(_search)
        for policy in [*_policies(), "ncr"]:
            _codecs.register_error(f"placemat.{policy}", _handler(policy))
        _registered.append(True)


_registered = []
