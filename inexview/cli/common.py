"""What all commands share: exit statuses, and how complaints and results reach the terminal."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from inexview.core.errors import InexviewError

FINE = 0
PROBLEMS = 1
BAD_INPUT = 2
# As a shell reports a command that a signal ended.
INTERRUPTED = 128 + 2
_PIPE_CLOSED = 128 + 13

# Control characters but tabs and line ends, marks of direction, and halves of characters.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)

_DASH = Path("-")
_WRITTEN = {
    "chart", "corrected", "curve", "intersection", "into", "out", "output", "project", "stability_chart",
    "union",
}  # fmt: skip
"""The arguments of all commands that name files to write, or projects, which no pipe can hold."""
_MOST = 4 << 30  # bytes of a pipe: what never ends is given up before it fills the disk
_PIECE = 1 << 20

# How complaints call paths that no user knows.
_NAMES: dict[str, str] = {}


def guarded(command: Callable[[], int]) -> int:
    """Run a command and return its exit status; what a user can cause becomes a sentence on stderr."""
    try:
        status = command()
        sys.stdout.flush()
    except InexviewError as error:
        complain(str(error))
        return BAD_INPUT
    except BrokenPipeError:  # the reader of our output has read enough
        _give_up(sys.stdout)
        return _PIPE_CLOSED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        complain(f"{where}{(error.strerror or str(error)).lower()}")
        _give_up(sys.stdout)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        _give_up(sys.stderr)
    return status


def _give_up(stream: TextIO) -> None:
    """Drop what a stream cannot take: at exit Python would try again, and leave with a status of its own."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(sentence: str) -> None:
    """Say something on stderr; where that takes nothing any more, the exit status has to do."""
    for path, name in _NAMES.items():
        sentence = sentence.replace(path, name)
    with suppress(OSError):
        print(f"inexview: {visible(sentence)}", file=sys.stderr)


def add_collection_argument(parser: ArgumentParser, help: str, *, required: bool = False) -> None:
    parser.add_argument("-C", "--collection", type=Path, required=required, metavar="COLLECTION", help=help)


def name_path(path: Path, name: str) -> None:
    """Have complaints say ``name`` in the place of a path that no user knows."""
    _NAMES[str(path)] = name


@contextmanager
def standard_input(arguments: Namespace) -> Iterator[None]:
    """Put a file with what standard input gives in the place of ``-`` among the files that a command reads.

    Raises InexviewError where two of them are ``-``, and where standard input is closed or does not end.
    """
    named = [(name, value) for name, value in vars(arguments).items() if name not in _WRITTEN]
    places = sum((value if isinstance(value, list) else [value]).count(_DASH) for _, value in named)
    if not places:
        yield
        return
    if places > 1:
        raise InexviewError("standard input (-) can be read only once")
    if sys.stdin is None:  # the shell closed it: <&-
        raise InexviewError("standard input (-) is closed: name a file")
    import tempfile  # which few calls need

    with tempfile.TemporaryDirectory(prefix="inexview-") as folder:
        spool = Path(folder, "input")
        name_path(spool, "standard input")
        with spool.open("wb") as file:
            while piece := sys.stdin.buffer.read(_PIECE):
                file.write(piece)
                if file.tell() > _MOST:
                    raise InexviewError("standard input (-) gives more than 4 GB: save it to a file first")
        for name, value in named:
            if isinstance(value, list):
                value = [spool if one == _DASH else one for one in value]
            setattr(arguments, name, spool if value == _DASH else value)
        yield


def visible(text: str) -> str:
    """Return a text in which all that commands a terminal, or turns text around, is spelt out.

    Names of files and documents may hold anything; line ends and tabs stay.
    """
    return _CONTROLS.sub(lambda found: repr(found[0])[1:-1], text)


def careful_output() -> None:
    """See to it that stdout is there and takes every character, and that none commands a terminal."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # what started the program has closed it
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (until the end)
            setattr(sys, name, nowhere)
    out = sys.stdout
    if isinstance(out, TextIOWrapper):
        out.reconfigure(errors="backslashreplace")
        if out.isatty() and not isinstance(out, _Terminal):
            sys.stdout = _Terminal(out.buffer, out.encoding, "backslashreplace", line_buffering=True)


class _Terminal(TextIOWrapper):
    def write(self, text: str, /) -> int:
        """Write a text, with what commands a terminal spelt out."""
        super().write(visible(text))
        return len(text)
