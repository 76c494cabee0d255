"""Compresses the members of zip files again, as small as deflate can be."""
import os
import sys
import zipfile

import zopfli

for path in sys.argv[1:]:
    with zipfile.ZipFile(path) as old, zopfli.ZipFile(path + ".new", "w", zipfile.ZIP_DEFLATED, iterations=5) as new:
        for member in old.infolist():
            new.writestr(member, old.read(member))
    os.replace(path + ".new", path)
