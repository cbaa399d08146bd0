"""What all commands share: exit statuses, how errors are told, and the version."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from inexview.core.errors import InexviewError

FINE = 0
PROBLEMS = 1
BAD_INPUT = 2
# As a shell reports a command that a signal ended.
INTERRUPTED = 128 + 2
_PIPE_CLOSED = 128 + 13


def guarded(command: Callable[[], int]) -> int:
    """Run a command and return its exit status; what a user can cause becomes a sentence on stderr."""
    try:
        status = command()
        sys.stdout.flush()
    except InexviewError as error:
        complain(str(error))
        return BAD_INPUT
    except BrokenPipeError:  # whoever read our output has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at exit
        return _PIPE_CLOSED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        complain(f"{where}{(error.strerror or str(error)).lower()}")
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def complain(sentence: str) -> None:
    """Say something on stderr."""
    print(f"inexview: {sentence}", file=sys.stderr)


def version() -> str:
    """Return the version of the installed program."""
    from importlib import metadata  # 30 ms, which no other command should wait for

    return metadata.version("inexview")
