"""The command `placemat`: `python -m placemat` and the script of that name."""

import signal
import sys

from placemat._core import command


def main() -> int:
    """Run the command with the arguments of this process. Returns its exit code."""
    # With Python's handler, Ctrl-C takes effect only when Python code runs again. With the default action it ends the command at once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["placemat", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
