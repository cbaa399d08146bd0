"""A process that reads hostile XML within limits of memory and time; run with ``python -m``.

For each length on stdin, and so many bytes after it, a fork of this process reads them as an article and as a
tree, prints a line for each, and then the parent ``end`` and how the fork ended.
"""

from __future__ import annotations

import os
import resource
import sys

from inexview.core.article.document import Document
from inexview.core.errors import DataError
from inexview.core.text.xml import parse_tree

MEMORY, SECONDS = 1_500_000_000, 30


def read(data: bytes) -> None:
    """Say what becomes of the data."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    for kind in (lambda: Document.from_bytes(data, name="bomb.xml"), lambda: parse_tree(data, "bomb.xml")):
        try:
            kind()
            print("bomb.xml: was read", flush=True)
        except DataError as error:
            print(error, flush=True)


def main() -> None:
    """Fork a reader for each piece of data."""
    while line := sys.stdin.buffer.readline():
        data = sys.stdin.buffer.read(int(line))
        reader = os.fork()
        if not reader:
            read(data)
            os._exit(0)
        print("end", os.waitpid(reader, 0)[1], flush=True)


if __name__ == "__main__":
    main()
