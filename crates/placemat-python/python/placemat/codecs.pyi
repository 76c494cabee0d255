"""Every form of placemat as a codec of Python, and its policies as error handlers; importing `placemat` registers them."""

import codecs

__all__ = ["OWN_PREFIX", "codec_info", "register"]

OWN_PREFIX: str

def codec_info(form: str, name: str | None = None) -> codecs.CodecInfo:
    """The `codecs.CodecInfo` of a form."""

def register() -> None:
    """Register the codecs and error handlers with Python. Importing `placemat` does this; a second call changes nothing."""
