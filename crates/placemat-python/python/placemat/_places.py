"""The driver's translation of Spark paths into those that workers open."""

from placemat import _files as files

__all__ = ["is_connect", "located"]


def is_connect(spark):
    """Whether the session is one of Spark Connect, which gives no access to the JVM."""
    return ".connect." in type(spark).__module__


def located(spark, path, must_exist=True):
    """`path` as the workers open it: a local path, or a URL that fsspec knows. Hadoop resolves other names, such as those of viewfs."""
    scheme = files.scheme_of(path)
    if scheme and (is_connect(spark) or scheme in files.PROTOCOLS):
        files.refuse_scheme(path)
        return files.local_path(path) or path
    if is_connect(spark):
        raise ValueError(f"with Spark Connect the file system must be named: file:///… or another, not {path!r}")
    if scheme == "file":
        path = "file://" + files.local_path(path)
    missing = []
    try:
        asked = spark._jvm.org.apache.hadoop.fs.Path(path)
        system = asked.getFileSystem(spark._jsc.hadoopConfiguration())
        at = system.makeQualified(asked)
        while not system.exists(at):
            if must_exist:
                hint = "; only the last part of a path may be a pattern" if any(c in path for c in "*?[{") else ""
                raise FileNotFoundError(f"no such file or folder: {path}{hint}")
            missing.insert(0, at.getName())
            at = at.getParent()
        found = system.resolvePath(at)
    except FileNotFoundError:
        raise
    except Exception as error:  # Py4J wraps Hadoop's exception.
        reason = str(getattr(error, "java_exception", error)).partition("\n")[0]
        raise ValueError(f"no file system for {path!r}: {reason}") from error
    url = found.toUri().getPath() if found.toUri().getScheme() == "file" else found.toString()
    url = "/".join([url.rstrip("/") or "/", *missing]).replace("//", "/", 0 if ":" in url else 1)
    files.refuse_scheme(url)
    return url
