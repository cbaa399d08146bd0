"""Collections of every kind, made for tests, and kept as if they were large."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from inexview.core.collection.archives import TarSource, ZipSource
from inexview.core.collection.listing import FolderSource

COUNT = 120

_VOCABULARY = [f"word{number:05}" for number in range(5000)]


def article(number: int) -> bytes:
    words = random.Random(number).choices(_VOCABULARY, k=500)
    return f"<article><name>Article {number}</name><body><p>{' '.join(words)}</p></body></article>".encode()


ARTICLES = {f"part{number % 7}/{number}.xml": article(number) for number in range(1, COUNT + 1)}
IDS = tuple(str(number) for number in range(1, COUNT + 1))


def make_folder(root: Path) -> Path:
    for name, data in ARTICLES.items():
        path = root / "wiki" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root / "wiki"


def make_zip(root: Path) -> Path:
    with zipfile.ZipFile(root / "wiki.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in ARTICLES.items():
            archive.writestr(name, data)
    return root / "wiki.zip"


def make_tar(root: Path, packing: str) -> Path:
    path = root / f"wiki.tar{'.' if packing else ''}{packing}"
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, data in ARTICLES.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    path.write_bytes(PACKERS[packing](plain.getvalue()))
    return path


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "gz": lambda data: gzip.compress(data, 1),
    "bz2": lambda data: bz2.compress(data, 1),  # blocks of 100 kB
    "xz": lambda data: lzma.compress(data, preset=0),
}

MAKERS: dict[str, Callable[[Path], Path]] = {
    "folder": make_folder,
    "zip": make_zip,
    "tar": lambda root: make_tar(root, ""),
    "gz": lambda root: make_tar(root, "gz"),
    "bz2": lambda root: make_tar(root, "bz2"),
    "xz": lambda root: make_tar(root, "xz"),
}


def keep_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small collections be kept as large ones are, and saved at every opportunity."""
    for source in (FolderSource, TarSource, ZipSource):
        monkeypatch.setattr(source, "small", lambda _self: False)
    monkeypatch.setattr("inexview.core.collection.listing.SAVED", -1.0)
    monkeypatch.setattr("inexview.core.collection.archives._LOOK", 10)
    monkeypatch.setattr("inexview.core.collection.listing.BLOCK_BYTES", 20_000)
