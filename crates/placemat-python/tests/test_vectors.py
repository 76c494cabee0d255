"""Tests the codecs with the library's vectors: whole, byte by byte, and with error handlers."""

import codecs

import placemat


def text_of(items):
    return "".join(map(chr, items))


def kinds(items):
    return [item for item in items if isinstance(item, tuple)]


def in_str(items):
    return all(item <= 0x10FFFF for item in items if isinstance(item, int))


def test_well_formed_text_is_read_and_written(all_vectors):
    for form, data, items, arrow in all_vectors:
        if kinds(items) or not in_str(items):
            continue
        name, text = "placemat-" + form, text_of(items)
        if arrow in "|>":
            assert data.decode(name) == text, (form, data)
            assert "".join(codecs.iterdecode((bytes([b]) for b in data), name)) == text, (form, data)
            assert placemat.check(data, form) is None
        if arrow in "|<":
            written = text.encode(name)
            # A form that writes its byte order mark by itself may use another byte order than the vector.
            assert written == data or written.decode(name) == text and len(written) != len(data), (form, data, written)


def test_errors_are_where_the_vectors_say(all_vectors):
    seen = 0
    for form, data, items, arrow in all_vectors:
        expected = kinds(items)
        if not expected or arrow == "<":
            continue
        seen += 1
        assert [(e.kind, e.offset, e.length) for e in placemat.errors(data, form)] == expected, (form, data)
        try:
            data.decode("placemat-" + form)
        except UnicodeDecodeError as error:
            found = error
        else:
            raise AssertionError((form, data))
        # A code point that a str cannot hold is not an error of the form.
        if in_str(items):
            kind, offset, length = expected[0]
            assert (found.reason, found.start, found.end, found.object) == (kind, offset, offset + length, data)
    assert seen > 250


def test_every_handler_sees_every_error(all_vectors):
    def note(error):
        places.append((error.reason, error.start, error.end - error.start))
        return "<bad>", error.end

    codecs.register_error("test.note", note)
    for form, data, items, arrow in all_vectors:
        if arrow == "<" or not in_str(items):
            continue
        name = "placemat-" + form
        places = []
        expected = "".join("<bad>" if isinstance(item, tuple) else chr(item) for item in items)
        assert data.decode(name, "test.note") == expected, (form, data)
        assert places == kinds(items), (form, data)
        assert data.decode(name, "replace") == expected.replace("<bad>", "\ufffd")
        assert data.decode(name, "ignore") == expected.replace("<bad>", "")
        assert data.decode(name, "test.note") == data.decode(name, "placemat.skip") or kinds(items)
        decoder = codecs.getincrementaldecoder(name)("replace")
        pieces = [decoder.decode(bytes([byte])) for byte in data] + [decoder.decode(b"", True)]
        assert "".join(pieces) == expected.replace("<bad>", "\ufffd"), (form, data)


def test_a_decoder_can_be_put_aside_after_each_byte(all_vectors):
    for form, data, items, arrow in all_vectors:
        if arrow == "<" or not in_str(items):
            continue
        name = "placemat-" + form
        whole = data.decode(name, "placemat.replace-run")
        for cut in range(len(data) + 1):
            first = codecs.getincrementaldecoder(name)("placemat.replace-run")
            head = first.decode(data[:cut])
            kept, flags = state = first.getstate()
            assert isinstance(flags, int) and 0 <= flags < 2**31 and type(kept) is bytes
            second = codecs.getincrementaldecoder(name)("placemat.replace-run")
            second.setstate(state)
            assert head + second.decode(data[cut:], True) == whole, (form, data, cut)
            if not flags:
                first.setstate((b"", 0))
                assert first.decode(kept) == "" and first.getstate() == state
