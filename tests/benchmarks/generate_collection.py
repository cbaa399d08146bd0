"""Collections as large as the Wikipedia of INEX 2006, made up once and kept for the next measurement.

``python -m tests.benchmarks.generate_collection`` makes them ahead.  They lie in ``$INEXVIEW_BENCHMARKS``, by
default in ``inexview-benchmarks`` in the system's folder for temporary files, and take 4 GB there.
"""

from __future__ import annotations

import bz2
import os
import random
import re
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from tests.benchmarks.generate import article

WIKIPEDIA_2006 = 659_388  # articles
SOME = 60_000
_TOGETHER = 2000  # articles in a folder, and in one stream of bzip2

_ARTICLE = """<?xml version="1.0" encoding="UTF-8"?>
<article xmlns:xlink="http://www.w3.org/1999/xlink">
<name id="{id}">{title}</name>
<conversionwarning>0</conversionwarning>
<body>
{body}
</body>
</article>
"""


def made(kind: str, count: int) -> Path:
    """Return the collection of so many articles as a "folder", "tar.bz2", "tar.gz" or "zip"."""
    home = Path(os.environ.get("INEXVIEW_BENCHMARKS") or Path(tempfile.gettempdir(), "inexview-benchmarks"))
    home.mkdir(parents=True, exist_ok=True)
    path = home / (f"wiki{count}" if kind == "folder" else f"wiki{count}.{kind}")
    if not path.exists():
        unfinished = path.with_name(f"{path.name}-{os.getpid()}")
        _MAKERS[kind](unfinished, count)
        unfinished.rename(path)
    return path


def id_of(number: int) -> str:
    """Return the id of an article by its number: as sparse as the real ones."""
    return str(12 + 5 * number + number % 3)


def _articles(chunk: int, count: int) -> Iterator[tuple[str, bytes]]:
    """Yield the names and the bytes of the articles in a folder, of some 600 to 2,000 characters each."""
    chance = random.Random(chunk)
    paragraphs = _paragraphs()
    for number in range(chunk * _TOGETHER, min((chunk + 1) * _TOGETHER, count)):
        wanted, body = chance.randint(900, 2600), []
        while wanted > 0:
            paragraph = chance.choice(paragraphs)
            body.append(paragraph)
            wanted -= len(paragraph)
        id = id_of(number)
        text = _ARTICLE.format(id=id, title=f"Article {id}", body="\n".join(body))
        yield f"part-{chunk * _TOGETHER}/{id}.xml", text.encode()


@lru_cache(1)
def _paragraphs() -> list[str]:
    found = [
        re.findall(r"<p>.*?</p>", article(40_000, "2006", seed).decode(), re.DOTALL) for seed in range(40)
    ]
    return [paragraph for some in found for paragraph in some if len(paragraph) < 700]


def _chunks(count: int) -> range:
    return range(-(-count // _TOGETHER))


def _packed_chunk(chunk: int, count: int) -> bytes:
    plain = BytesIO()
    for name, data in _articles(chunk, count):
        _add(plain, name, data)
    last = chunk == _chunks(count)[-1]
    return bz2.compress(plain.getvalue() + bytes(2 * tarfile.BLOCKSIZE * last))


def _add(file: BytesIO, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    file.write(member.tobuf(tarfile.GNU_FORMAT))
    file.write(data + bytes(-len(data) % tarfile.BLOCKSIZE))


def _make_bz2(path: Path, count: int) -> None:
    """Write streams one after the other, as pbzip2 does."""
    with path.open("wb") as file, ProcessPoolExecutor() as processes:
        for packed in processes.map(_packed_chunk, _chunks(count), [count] * len(_chunks(count))):
            file.write(packed)


def _make_gz(path: Path, count: int) -> None:
    with tarfile.open(path, "w:gz", compresslevel=6) as archive:
        for chunk in _chunks(count):
            for name, data in _articles(chunk, count):
                member = tarfile.TarInfo(name)
                member.size = len(data)
                archive.addfile(member, BytesIO(data))


def _make_zip(path: Path, count: int) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for chunk in _chunks(count):
            for name, data in _articles(chunk, count):
                archive.writestr(name, data)


def _make_folder(path: Path, count: int) -> None:
    with ProcessPoolExecutor() as processes:
        for _ in processes.map(_make_part, [path] * len(_chunks(count)), _chunks(count), [count] * count):
            pass


def _make_part(path: Path, chunk: int, count: int) -> None:
    for number, (name, data) in enumerate(_articles(chunk, count)):
        file = path / name
        if number == 0:
            file.parent.mkdir(parents=True)
        file.write_bytes(data)


_MAKERS: dict[str, Callable[[Path, int], None]] = {
    "folder": _make_folder,
    "tar.bz2": _make_bz2,
    "tar.gz": _make_gz,
    "zip": _make_zip,
}

if __name__ == "__main__":
    for size, kinds in ((WIKIPEDIA_2006, ("tar.bz2", "folder")), (SOME, ("zip", "tar.gz"))):
        for kind in kinds:
            print(made(kind, size), flush=True)
