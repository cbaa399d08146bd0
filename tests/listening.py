"""The sockets on which this process and its descendants listen, as `ss -lnt` shows them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_LISTENS = "0A"


def listening_sockets() -> set[str]:
    """Return address and port (in hexadecimal) of each socket, as the kernel lists them."""
    inodes = {_inode(link) for pid in _process_tree() for link in _links(pid)}
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        if not Path(table).exists():
            continue
        for line in Path(table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == _LISTENS and fields[9] in inodes:
                found.add(fields[1])
    return found


def _process_tree() -> set[int]:
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                stat = (folder / "stat").read_text()
            except OSError:
                continue
            parents[int(folder.name)] = int(stat.rpartition(")")[2].split()[1])
    tree = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in tree} - tree:
        tree |= more
    return tree


def _links(pid: int) -> list[str]:
    links = []
    with suppress(OSError):
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):  # closed meanwhile
                links.append(str(descriptor.readlink()))
    return links


def _inode(link: str) -> str:
    return link.removeprefix("socket:[").removesuffix("]")
