"""How Spark workers read and write files: local files directly, others by fsspec, all of them in parts of bounded size.

Nothing here needs Spark. A local file is named by its path, any other by its URL.
"""

import contextlib
import fnmatch
import os
import posixpath
import re
import urllib.parse
import uuid

__all__ = ["PART", "PROTOCOLS", "create", "folder_and_files", "local_path", "opened", "parts", "refuse_scheme", "relative", "scheme_of", "size_of"]

# The bytes read at a time, and the most that a part may have when there is no place to cut it.
PART = 8 << 20
_MOST = 64 << 20

# Hadoop's schemes of file systems, and fsspec's names for these.
PROTOCOLS = {
    "s3": "s3", "s3a": "s3", "s3n": "s3", "gs": "gs", "abfs": "abfs", "abfss": "abfs", "hdfs": "hdfs", "webhdfs": "webhdfs",
}  # fmt: skip
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_NOT_ASCII = bytes(range(0x80, 0x100))


def scheme_of(path):
    """The scheme of a URL in lower case; "" for a path."""
    found = _SCHEME.match(path)
    return found[1].lower() if found else ""


def local_path(path):
    """The local path that `path`, a path or URL, names; None where that is on another file system."""
    scheme = scheme_of(path)
    if scheme == "":
        return path
    if scheme != "file":
        return None
    rest = path[len("file:") :]
    host, slash, below = rest[2:].partition("/") if rest.startswith("//") else ("", "/", rest.lstrip("/"))
    if host not in ("", "localhost") or not rest.startswith("/"):
        raise ValueError(f"not a local file: {path!r}; write file:///folder/name")
    return slash + below


def refuse_scheme(path):
    """Raise ValueError where `path` is on a file system that workers could not open."""
    scheme = scheme_of(path)
    if local_path(path) is not None:
        return
    if scheme not in PROTOCOLS:
        raise ValueError(f"no file system for {path!r}; supported are file, {', '.join(sorted(PROTOCOLS))}")
    try:
        import fsspec

        fsspec.get_filesystem_class(PROTOCOLS[scheme])
    except ImportError as error:
        raise ValueError(f"fsspec, here and on the workers, must be able to open {path!r}: {error}") from error


def _remote(path):
    """fsspec's file system for a URL, and the path there."""
    import fsspec

    scheme = scheme_of(path)
    system, name = fsspec.core.url_to_fs(PROTOCOLS[scheme] + path[len(scheme) :])
    if "?" in path and not _is_store(path):
        # fsspec cuts the name off there.
        name = "/" + path.partition("://")[2].partition("/")[2]
    return system, name


def opened(path):
    """Open the file for reading."""
    if (local := local_path(path)) is not None:
        return open(local, "rb")
    system, name = _remote(path)
    return system.open(name, "rb", block_size=PART)


def size_of(path):
    """The size of the file in bytes."""
    if (local := local_path(path)) is not None:
        return os.stat(local).st_size
    system, name = _remote(path)
    return system.size(name)


def folder_and_files(path, glob=None):
    """The folder `path` and the files below it whose names match `glob`, without those that Spark ignores.

    If `path` is a file, its folder and the file alone.
    """
    if (local := local_path(path)) is not None:
        local = os.path.abspath(local)
        if not os.path.isdir(local):
            os.stat(local)
            return os.path.dirname(local), [local]
        return local, _chosen(_walked(local), local, glob, os.path.relpath)
    system, name = _remote(path)
    if system.isfile(name):
        return posixpath.dirname(path), [path]
    # fsspec's names lack parts of the URL, such as the host.
    root, name = path.rstrip("/"), name.rstrip("/")
    found = system.find(name) if _is_store(path) else _listed(system, name or "/")
    files = [f"{root}/{relative(file, name)}" for file in found]
    if not files and not system.exists(name or "/"):
        raise FileNotFoundError(path)
    return root, _chosen(files, root, glob, relative)


def _is_store(path):
    """Whether the URL is one of an object store."""
    return scheme_of(path) not in ("hdfs", "webhdfs")


def _listed(system, folder):
    """The files below a folder. `find` of fsspec leaves out the files of a folder that cannot be listed, without an error."""
    for entry in system.ls(folder, detail=True):
        if entry["type"] != "directory":
            yield entry["name"]
        elif not _is_hidden(posixpath.basename(entry["name"].rstrip("/"))):
            yield from _listed(system, entry["name"])


def _walked(folder):
    for at, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = [name for name in folders if not _is_hidden(name)]
        yield from (os.path.join(at, name) for name in names)


def _raise(error):
    raise error


def _chosen(files, root, glob, below):
    patterns = _alternatives(glob or "*")
    return sorted(
        file
        for file in files
        if not any(map(_is_hidden, below(file, root).split("/")))
        and any(fnmatch.fnmatchcase(posixpath.basename(file), pattern) for pattern in patterns)
    )


def _alternatives(glob):
    """The pattern of Hadoop as patterns of Python, which have no `{a,b}`."""
    found = re.search(r"\{([^{}]*)\}", glob)
    if not found:
        return [glob]
    ends = (glob[: found.start()], glob[found.end() :])
    return [one for word in found[1].split(",") for one in _alternatives(word.join(ends))]


def _is_hidden(name):
    """Whether Spark ignores files and folders of this name."""
    if name.startswith("_"):
        return "=" not in name and not name.startswith(("_metadata", "_common_metadata"))
    return name.startswith(".") or name.endswith("._COPYING_")


def relative(file, root):
    """The path of `file` relative to `root`. ValueError if it does not lie below."""
    root = root.rstrip("/") + "/"
    if not file.startswith(root) or ".." in file[len(root) :].split("/"):
        raise ValueError(f"{file!r} does not lie below {root!r}")
    return file[len(root) :]


def parts(file, size=PART):
    """The bytes of an open file, in parts. Each ends behind a line feed, or else behind an ASCII byte, so that no UTF-8 sequence and no run
    of errors is cut in two. Where 64 MiB have neither, the part ends anywhere.
    """
    kept = b""
    while read := file.read(size):
        kept += read
        cut = kept.rfind(b"\n") + 1 or len(kept.rstrip(_NOT_ASCII)) or (len(kept) if len(kept) >= _MOST else 0)
        if cut:
            yield kept[:cut]
            kept = kept[cut:]
    if kept:
        yield kept


@contextlib.contextmanager
def create(path, like=None):
    """Open a file for writing. It appears whole when the block ends, or not at all.

    Its mode is that of the local file `like`, or that of new files, without the bits of the umask. A local writer that is killed leaves
    nothing behind where the file system has files without a name (Linux: ext4, xfs, btrfs, tmpfs); elsewhere it leaves `.placemat-…`.
    """
    if (local := local_path(path)) is None:
        with _create_remote(path) as file:
            yield file
        return
    folder, name = os.path.split(os.path.abspath(local))
    os.makedirs(folder, exist_ok=True)
    mode = os.stat(like).st_mode & 0o777 if like is not None else 0o666
    where = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    unfinished = f".placemat-{uuid.uuid4().hex}"
    try:
        handle = _nameless(folder, mode)
        is_named = handle is None
        if is_named:
            handle = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode, dir_fd=where)
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            if not is_named:
                os.link(f"/proc/self/fd/{file.fileno()}", unfinished, dst_dir_fd=where, follow_symlinks=True)
        os.replace(unfinished, name, src_dir_fd=where, dst_dir_fd=where)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(unfinished, dir_fd=where)
        raise
    finally:
        os.close(where)


def _nameless(folder, mode):
    """A descriptor of a file that has no name yet; None where the system has no such files."""
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, mode)
    except OSError:
        return None


@contextlib.contextmanager
def _create_remote(path):
    system, name = _remote(path)
    # In an object store a file appears when it is closed. Elsewhere it has a temporary name until it is whole.
    is_store = _is_store(path)
    unfinished = name if is_store else f"{posixpath.dirname(name)}/{uuid.uuid4().hex}._COPYING_"
    if not is_store:
        system.makedirs(posixpath.dirname(name), exist_ok=True)
    file = system.open(unfinished, "wb")
    try:
        yield file
        file.close()
        if not is_store:
            if system.exists(name):
                system.rm(name)
            system.mv(unfinished, name)
    except BaseException:
        with contextlib.suppress(Exception):
            file.discard() if is_store else system.rm(unfinished)
        raise
