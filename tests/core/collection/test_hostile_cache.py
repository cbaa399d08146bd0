"""What is kept of a collection, damaged in every way: the collection reads as it is all the same."""

from __future__ import annotations

import os
import random
import sqlite3
import sys
import tarfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from inexview.core.errors import DataError
from inexview.core.word_index.word_index import word_index
from tests.opened import opened

COUNT = 150


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a packed tar whose list is kept, as that of a large one is."""
    monkeypatch.setenv("INEXVIEW_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("inexview.core.collection.archives._SMALL_PACKED", 0)
    path = tmp_path / "articles.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for number in range(COUNT):
            info = tarfile.TarInfo(f"{number}.xml")
            info.size = len(data := b"<a>text %d</a>" % number)
            tar.addfile(info, BytesIO(data))
    read_all(path)
    return path


def read_all(path: Path) -> None:
    """Make sure that the collection reads as it is."""
    collection = opened(path)
    try:
        for number in (0, 7, COUNT - 1):
            document = collection.load(str(number))
            assert document.text == f"text {number}"
            assert collection.length(str(number)) == document.length
        assert list(collection.ids()) == [str(number) for number in range(COUNT)]
    finally:
        collection.close()


def refusal(path: Path) -> str | None:
    """Return the sentence with which it is not read, None where it is."""
    try:
        read_all(path)
    except DataError as error:
        return str(error)
    return None


def kept(path: Path, kind: str) -> Path:
    return getattr(opened(path).place, kind)


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def emptied(data: bytes) -> bytes:
    return b""


def zeroed_in_the_middle(data: bytes) -> bytes:
    return data[: len(data) // 2] + bytes(4096) + data[len(data) // 2 + 4096 :]


def other(data: bytes) -> bytes:
    return random.Random(7).randbytes(5000)


@pytest.mark.parametrize("kind", ["index", "lengths", "store"])
@pytest.mark.parametrize("damage", [cut, emptied, zeroed_in_the_middle, other])
def test_a_damaged_file_is_made_again(archive: Path, kind: str, damage: Callable[[bytes], bytes]) -> None:
    file = kept(archive, kind)
    file.write_bytes(damage(file.read_bytes()))
    if said := refusal(archive):
        assert "it is made again" in said
        read_all(archive)


@pytest.mark.parametrize("seed", range(10))
def test_flipped_bits_end_no_program(archive: Path, seed: int) -> None:
    flips = random.Random(seed)
    file = kept(archive, flips.choice(["index", "index", "lengths"]))
    data = bytearray(file.read_bytes())
    for _ in range(50):
        data[flips.randrange(len(data))] ^= 1 << flips.randrange(8)
    file.write_bytes(data)
    collection = opened(archive)
    try:
        for number in range(0, COUNT, 10):
            collection.load(str(number))
        list(collection.ids())
    except DataError:
        pass
    finally:
        collection.close()


def test_an_index_without_an_article_is_repaired_before_reporting_it_missing(archive: Path) -> None:
    index = kept(archive, "index")
    with sqlite3.connect(index) as connection:
        connection.execute("DELETE FROM documents WHERE id = '7'")
    connection.close()
    read_all(archive)


def test_a_damaged_listing_of_an_earlier_attempt_is_begun_again(archive: Path) -> None:
    place = opened(archive).place
    from inexview.core.collection.listing import Listing

    stamp = "{0.st_size} {0.st_mtime_ns}".format(archive.stat())
    listing = Listing(place.listing, place.store, stamp)
    listing.save()
    listing.close()
    data = bytearray(place.listing.read_bytes())
    data[4096:12288] = bytes(8192)
    place.listing.write_bytes(data)
    place.index.unlink()
    read_all(archive)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.parametrize("kind", ["index", "lengths", "store", "listing", "lock", "name"])
def test_a_link_in_the_cache_is_not_written_through(archive: Path, tmp_path: Path, kind: str) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    place = opened(archive).place
    for file in (place.index, getattr(place, kind)):
        file.unlink(missing_ok=True)
    getattr(place, kind).symlink_to(victim)
    read_all(archive)
    assert victim.read_bytes() == b"precious"
    assert not getattr(place, kind).is_symlink()


@pytest.mark.parametrize("kind", ["index", "lengths", "store", "listing", "lock"])
def test_a_folder_in_the_place_of_a_file_is_a_sentence_at_most(archive: Path, kind: str) -> None:
    place = opened(archive).place
    getattr(place, kind).unlink(missing_ok=True)
    getattr(place, kind).mkdir()
    if kind != "index":
        place.index.unlink()
    said = refusal(archive)
    assert said is None or said.startswith(str(archive.parent))


def test_files_of_a_killed_process_are_removed(archive: Path) -> None:
    index = kept(archive, "index")
    left = index.with_suffix(".12345")
    left.write_bytes(b"half an index")
    others = index.with_name("another.12345")
    others.write_bytes(b"somebody else's")
    index.unlink()
    read_all(archive)
    assert not left.exists()
    assert others.exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_cache_that_cannot_be_written_is_a_warning(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").chmod(0o500)
    try:
        read_all(archive)
    finally:
        (tmp_path / "cache").chmod(0o700)


def misread(index: Path, id: str, otherwise: str) -> None:
    """Have what finds the articles of an index read one id otherwise, as a flipped bit does."""
    connection = sqlite3.connect(index, isolation_level=None)
    root = "SELECT rootpage FROM sqlite_master WHERE name = ?"
    connection.executescript(
        f"""CREATE TABLE others (position INTEGER PRIMARY KEY, id TEXT NOT NULL);
        INSERT INTO others SELECT position, iif(id = '{id}', '{otherwise}', id) FROM documents;
        CREATE UNIQUE INDEX others_by_id ON others (id); PRAGMA writable_schema = ON"""
    )
    pages = {
        name: connection.execute(root, (name,)).fetchone() for name in ("documents_by_id", "others_by_id")
    }
    for name, (page,) in zip(pages, reversed(pages.values()), strict=True):
        connection.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = ?", (page, name))
    connection.close()


def test_an_article_that_is_listed_and_not_found_is_found_after_all(archive: Path) -> None:
    misread(kept(archive, "index"), "7", "w")
    read_all(archive)


def test_no_words_are_indexed_by_a_damaged_list(archive: Path) -> None:
    misread(kept(archive, "index"), "77", "7w")
    with sqlite3.connect(kept(archive, "index")) as connection:
        connection.execute("UPDATE documents NOT INDEXED SET name = 'none.xml' WHERE id = '77'")
    connection.close()
    collection = opened(archive)
    try:
        assert word_index(collection).counts("text") == (COUNT, COUNT)
    finally:
        collection.close()
    read_all(archive)
