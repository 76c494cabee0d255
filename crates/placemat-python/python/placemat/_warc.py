"""Reads the records of WARC files."""

import gzip

__all__ = ["records"]


def records(source):
    """The blocks of the records that are documents (response, resource, conversion), one at a time, without HTTP headers.

    >>> import io
    >>> list(records(io.BytesIO(b"WARC/1.0\\r\\nWARC-Type: conversion\\r\\nContent-Length: 5\\r\\n\\r\\nhello\\r\\n\\r\\n")))
    [b'hello']
    """
    is_packed = source.read(2) == b"\x1f\x8b"
    source.seek(0)
    source = gzip.open(source) if is_packed else source
    while first := source.readline(_LONGEST):
        if first == b"\r\n":
            continue
        if not first.startswith(b"WARC/"):
            raise ValueError(f"not a WARC record: {first[:20]!r}")
        fields = {}
        while (line := source.readline(_LONGEST)) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            fields[name.strip().lower()] = value.strip()
        length = int(fields.get(b"content-length", b"0"))
        if fields.get(b"warc-type") not in (b"response", b"resource", b"conversion"):
            _skip(source, length)
            continue
        block = source.read(length)
        is_http = block.startswith(b"HTTP/")
        yield block[block.find(b"\r\n\r\n") + 4 :] if is_http and b"\r\n\r\n" in block else block


# The most bytes of a header line.
_LONGEST = 1 << 20


def _skip(source, length):
    while length and (read := len(source.read(min(length, 1 << 20)))):
        length -= read
