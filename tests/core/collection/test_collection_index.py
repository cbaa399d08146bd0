"""The index of a collection: kept, found again, gone on with, made again when the collection changes."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from errno import ENOSPC, ESTALE
from pathlib import Path
from typing import IO

import pytest

from inexview.core.collection.collection import Collection
from inexview.core.collection.collection_index import CachePlace, cache_folder
from inexview.core.collection.listing import FolderSource, Listing
from inexview.core.errors import DataError
from inexview.core.progress import Cancelled
from tests.core.collections import ARTICLES, COUNT, IDS, MAKERS, article, keep_everything
from tests.opened import opened

KINDS = list(MAKERS)


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_everything(monkeypatch)


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names that are listed, as they are."""
    names: list[str] = []
    add = Listing.add

    def note(listing: Listing, entry: object) -> None:
        names.append(entry.name)  # type: ignore[attr-defined]
        add(listing, entry)  # type: ignore[arg-type]

    monkeypatch.setattr(Listing, "add", note)
    return names


def made(kind: str, tmp_path: Path) -> Path:
    path = MAKERS[kind](tmp_path)
    age(path)
    return path


def age(path: Path) -> None:
    """Date a folder back, so that its time of change can be trusted."""
    if path.is_dir():
        for folder in (path, *path.rglob("*")):
            os.utime(folder, (1_000_000_000, 1_000_000_000))


def indexed(path: Path) -> Collection:
    collection = opened(path)
    collection.prepare()
    return collection


def check(collection: Collection) -> None:
    assert tuple(collection.ids()) == IDS
    assert collection.warnings == ()
    for id in ("1", "60", str(COUNT), "61", "1"):
        assert collection.read(id) == ARTICLES[f"part{int(id) % 7}/{id}.xml"]
    collection.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_collection_is_listed_once(kind: str, tmp_path: Path, added: list[str]) -> None:
    path = made(kind, tmp_path)
    check(indexed(path))
    assert sorted(added) == sorted(ARTICLES)
    added.clear()
    check(indexed(path))
    assert added == []


@pytest.mark.parametrize("kind", KINDS)
def test_opening_lists_nothing_and_ready_tells_whether_the_index_is_there(kind: str, tmp_path: Path) -> None:
    collection = opened(made(kind, tmp_path))
    assert not collection.ready
    assert not cache_folder().exists()
    collection.prepare()
    assert collection.ready
    assert collection.at_hand("5")
    collection.close()


@pytest.mark.parametrize("kind", KINDS)
def test_cancelled_listing_continues_from_its_last_state(kind: str, tmp_path: Path, added: list[str]) -> None:
    path = made(kind, tmp_path)
    attempts = 0
    while True:
        attempts += 1
        news = 0

        def give_up(what: str, done: int, total: int | None) -> None:
            nonlocal news
            news += 1
            if news > attempts:  # noqa: B023
                raise Cancelled

        collection = opened(path)
        try:
            collection.prepare(give_up)
        except Cancelled:
            assert not collection.ready
            collection.close()
            assert attempts < 100
            continue
        break
    assert attempts > 2
    # What is listed twice is at most what lies between two savings: a block of the packed, a folder.
    assert len(added) <= len(ARTICLES) + 20 * attempts
    if kind == "folder":
        assert sorted(added) == sorted(ARTICLES)
    check(collection)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
@pytest.mark.parametrize("kind", KINDS)
def test_listing_that_was_killed_goes_on_from_there(kind: str, tmp_path: Path, checkout: Path) -> None:
    path = made(kind, tmp_path)
    worker = [sys.executable, "-m", "tests.core.indexing_worker", str(path)]
    news = "4"
    killed = subprocess.run([*worker, news], cwd=checkout, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    place = CachePlace(path, small=False)
    assert place.listing.exists()
    assert not place.index.exists()
    with sqlite3.connect(place.listing) as connection:
        found = connection.execute("SELECT count(*) FROM found").fetchone()[0]
    connection.close()
    assert 0 < found <= COUNT
    check(indexed(path))


@pytest.mark.parametrize("left", [None, b"", b"x" * 100])
def test_listing_continues_if_the_store_is_missing(
    left: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made("bz2", tmp_path)
    place = CachePlace(path, small=False)
    collection, news = opened(path), 0

    def give_up(what: str, done: int, total: int | None) -> None:
        nonlocal news
        news += 1
        if news > 2:
            raise Cancelled

    with pytest.MonkeyPatch.context() as smaller:
        smaller.setattr("inexview.core.collection.listing.BLOCK_BYTES", 1 << 14)
        with pytest.raises(Cancelled):
            collection.prepare(give_up)
    collection.close()
    assert place.store.stat().st_size > 100
    if left is None:
        place.store.unlink()
    else:
        place.store.write_bytes(left)
    collection = indexed(path)
    monkeypatch.setattr("inexview.core.collection.collection.make_index", lambda *_: pytest.fail("made anew"))
    check(collection)


def test_two_processes_that_index_at_once_make_one_index(tmp_path: Path, checkout: Path) -> None:
    path = made("bz2", tmp_path)
    worker = [sys.executable, "-m", "tests.core.indexing_worker", str(path), "0"]
    both = [subprocess.Popen(worker, cwd=checkout, stdout=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate(timeout=60)[0].decode().split() for process in both]
    assert said == [[str(COUNT), *IDS]] * 2
    check(indexed(path))


def test_waiting_for_another_process_can_be_cancelled(tmp_path: Path) -> None:
    from filelock import FileLock

    path = made("zip", tmp_path)

    def give_up(what: str, done: int, total: int | None) -> None:
        assert "another inexview" in what
        raise Cancelled

    place = CachePlace(path, small=False)
    with FileLock(place.lock), pytest.raises(Cancelled):
        opened(path).prepare(give_up)


def test_threads_that_ask_at_once_wait_for_one_index(tmp_path: Path, added: list[str]) -> None:
    collection = opened(made("gz", tmp_path))
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(len(collection))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [COUNT] * 4
    assert len(added) == COUNT
    collection.close()


@pytest.mark.parametrize("kind", ["zip", "tar", "gz", "bz2", "xz"])
def test_an_archive_that_has_changed_is_listed_again(kind: str, tmp_path: Path) -> None:
    path = made(kind, tmp_path)
    check(indexed(path))
    shutil.rmtree(tmp_path / "other", ignore_errors=True)
    (tmp_path / "other").mkdir()
    with pytest.MonkeyPatch.context() as fewer:
        fewer.setattr("tests.core.collections.ARTICLES", {"a/7.xml": article(7), "a/x.xml": b"<x/>"})
        MAKERS[kind](tmp_path / "other").replace(path)
    collection = indexed(path)
    assert tuple(collection.ids()) == ("7", "a/x")
    assert collection.read("a/x") == b"<x/>"
    collection.close()


def test_of_a_folder_only_the_folders_that_have_changed_are_listed_again(
    tmp_path: Path, added: list[str]
) -> None:
    path = made("folder", tmp_path)
    check(indexed(path))
    added.clear()
    (path / "part3" / "3.xml").unlink()
    (path / "part3" / "x.xml").write_bytes(b"<x/>")
    collection = indexed(path)
    assert {name.split("/")[0] for name in added} == {"part3"}
    assert "3" not in collection
    assert collection.read("part3/x") == b"<x/>"
    assert len(collection) == COUNT
    collection.close()


def test_a_folder_that_comes_or_goes_with_all_below_it_is_noticed(tmp_path: Path) -> None:
    path = made("folder", tmp_path)
    (path / "new" / "deep").mkdir(parents=True)
    (path / "new" / "deep" / "9001.xml").write_bytes(b"<a/>")
    age(path)
    collection = indexed(path)
    assert collection.ids()[-1] == "9001"
    collection.close()
    shutil.rmtree(path / "new")
    check(indexed(path))


def test_a_folder_that_was_touched_and_is_the_same_is_not_indexed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made("folder", tmp_path)
    check(indexed(path))
    os.utime(path / "part1", (1_000_000_500, 1_000_000_500))
    monkeypatch.setattr(
        "inexview.core.collection.collection_index.write_index", lambda *_, **__: pytest.fail("written")
    )
    check(indexed(path))
    monkeypatch.setattr(
        "inexview.core.collection.collection_index.make_index", lambda *_: pytest.fail("looked into")
    )
    check(indexed(path))


def test_a_folder_that_changed_while_it_was_listed_is_listed_again(tmp_path: Path) -> None:
    path = MAKERS["folder"](tmp_path)  # just now: its time of change may be that of a later change, too
    check(indexed(path))
    times = path.stat()
    (path / "9999.xml").write_bytes(b"<a/>")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    collection = indexed(path)
    assert "9999" in collection.ids()
    collection.close()


@pytest.mark.parametrize("damage", [b"", b"no database at all", None])
@pytest.mark.parametrize("kind", ["folder", "gz"])
def test_a_damaged_index_is_made_again_silently(kind: str, damage: bytes | None, tmp_path: Path) -> None:
    path = made(kind, tmp_path)
    check(indexed(path))
    place = CachePlace(path, small=False)
    data = place.index.read_bytes()
    half = data[:4096] + b"\xff" * (len(data) - 4096)
    place.index.write_bytes(half if damage is None else damage)
    check(indexed(path))


def test_an_index_of_another_version_is_made_again(tmp_path: Path, added: list[str]) -> None:
    path = made("zip", tmp_path)
    check(indexed(path))
    with sqlite3.connect(CachePlace(path, small=False).index) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    added.clear()
    check(indexed(path))
    assert len(added) == COUNT


@pytest.mark.parametrize("left", [None, 100, -100])
def test_a_damaged_store_is_packed_again(left: int | None, tmp_path: Path) -> None:
    path = made("xz", tmp_path)
    check(indexed(path))
    store = CachePlace(path, small=False).store
    data = store.read_bytes()
    if left is None:
        store.unlink()
    else:
        store.write_bytes(data[:left] if left > 0 else bytes(len(data)))
    check(indexed(path))


def test_where_nothing_can_be_kept_a_warning_says_so_and_it_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("INEXVIEW_CACHE", str(tmp_path / "file" / "cache"))
    collection = indexed(made("gz", tmp_path))
    assert tuple(collection.ids()) == IDS
    assert collection.read("7") == article(7)
    (warning,) = collection.warnings
    assert "the list of articles cannot be kept there" in warning
    assert "set $INEXVIEW_CACHE to another folder" in warning
    collection.close()


def test_a_full_disk_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made("gz", tmp_path)
    monkeypatch.setattr("inexview.core.collection.listing.SPARED_BYTES", 1 << 60)
    with pytest.raises(DataError, match=r"wiki\.tar\.gz: there is not enough space .*choose the folder"):
        indexed(path)


def test_an_unreadable_folder_is_not_reported_as_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made("folder", tmp_path)

    def gone(*_: object) -> None:
        raise OSError(ESTALE, "Stale file handle")

    monkeypatch.setattr(FolderSource, "list", gone)
    with pytest.raises(DataError, match="the articles cannot be listed") as said:
        indexed(path)
    assert str(said.value).startswith(f"{path}: the articles cannot be listed (Stale file handle)")


class FullStore:
    """A file on a disk that is full after so many bytes."""

    def __init__(self, file: IO[bytes], room: int) -> None:
        self._file, self._room = file, room

    def __enter__(self) -> FullStore:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)

    def write(self, data: bytes) -> None:
        self._room -= len(data)
        if self._room < 0:
            raise OSError(ENOSPC, "No space left on device")
        self._file.write(data)


@pytest.fixture
def full_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the disk fill up while an archive is packed again, behind its first blocks."""
    opened = Path.open
    monkeypatch.setattr("inexview.core.collection.listing.BLOCK_BYTES", 1 << 12)

    def open_there(path: Path, mode: str = "r", *rest: int) -> object:
        file = opened(path, mode, *rest)
        return FullStore(file, 1 << 12) if (path.suffix, mode) == (".blocks", "r+b") else file  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "open", open_there)


@pytest.mark.usefixtures("full_store")
def test_a_full_disk_while_packing_is_not_reported_as_an_archive_error(
    tmp_path: Path,
) -> None:
    path = made("gz", tmp_path)
    store = CachePlace(path, small=False).store
    with pytest.raises(DataError, match="cannot be kept unpacked here") as said:
        indexed(path)
    assert str(said.value).startswith(f"{store}: ")
    assert "No space left on device" in str(said.value)
    assert CachePlace(path, small=False).bytes_kept() == 0


@pytest.mark.parametrize("kind", ["zip", "tar", "gz", "bz2", "xz"])  # that of the folder fits into any disk
def test_a_list_that_fills_the_disk_is_not_left_on_it(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(kind, tmp_path)
    opened = Listing.__init__

    def open_on_a_small_disk(own: Listing, *rest: object) -> None:
        opened(own, *rest)  # type: ignore[arg-type]
        (pages,) = own.connection.execute("PRAGMA page_count").fetchone()
        own.connection.execute(f"PRAGMA max_page_count = {pages + 1}")

    place = CachePlace(path, small=False)
    with monkeypatch.context() as patches:
        patches.setattr(Listing, "__init__", open_on_a_small_disk)
        with pytest.raises(DataError, match=r"cannot be written \(database or disk is full\)"):
            indexed(path)
    assert place.bytes_kept() == 0
    assert not [file for file in place.index.parent.iterdir() if file.suffix not in (".lock", ".name")]
    check(indexed(path))


@pytest.mark.parametrize("kind", ["folder", "bz2"])
def test_a_length_is_remembered_after_the_first_reading(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(kind, tmp_path)
    with_text = indexed(path)
    lengths = {id: with_text.load(id).length for id in IDS[:5]}
    lengths |= {id: with_text.length(id) for id in IDS[5:10]}
    with_text.close()
    collection = indexed(path)
    assert collection.lengths_known == 10
    monkeypatch.setattr("inexview.core.collection.collection.Collection.scan", lambda *_: pytest.fail("read"))
    assert {id: collection.length(id) for id in lengths} == lengths
    collection.close()


def test_a_file_that_has_changed_has_no_stale_length(tmp_path: Path) -> None:
    path = made("folder", tmp_path)
    collection = indexed(path)
    before = collection.length("7")
    (path / "part0" / "7.xml").write_bytes(b"<a>five!</a>")
    assert before != 5
    assert collection.length("7") == 5
    collection.close()
    assert indexed(path).length("7") == 5


def test_lengths_of_files_that_have_not_changed_outlive_the_index(tmp_path: Path) -> None:
    path = made("folder", tmp_path)
    collection = indexed(path)
    collection.length("7")
    collection.rebuild()
    assert collection.lengths_known == 1
    collection.close()


def test_damaged_notes_of_lengths_are_begun_again(tmp_path: Path) -> None:
    path = made("zip", tmp_path)
    CachePlace(path, small=False).lengths.write_bytes(b"no database" * 1000)
    collection = indexed(path)
    length = collection.length("7")
    assert collection.lengths_known == 1
    assert collection.length("7") == length
    collection.close()


def test_the_ids_are_a_sequence_that_is_read_as_it_is_asked_for(tmp_path: Path) -> None:
    collection = indexed(made("zip", tmp_path))
    ids = collection.ids()
    assert (len(ids), ids[0], ids[-1], ids[7]) == (COUNT, "1", str(COUNT), "8")
    assert ids[3:9:2] == ["4", "6", "8"]
    assert ids[::-1] == list(reversed(IDS))
    assert ids[5:5] == []
    assert ids.index("9") == 8
    assert "9" in ids
    assert "no" not in ids
    assert ids == IDS
    with pytest.raises(IndexError):
        ids[COUNT]
    with pytest.raises(ValueError, match="no"):
        ids.index("no")
    assert sorted(collection.ids_as_stored()) == sorted(IDS)
    assert "\ud800" not in collection
    collection.close()


def test_numbers_are_in_their_order_whatever_their_length_and_names_follow(tmp_path: Path) -> None:
    names = ["10", "9", "007", "9" * 19, "9" * 25, "1" + "0" * 25, "b", "B", "é", "a/1x", "a/z"]
    for name in names:
        path = tmp_path / "c" / f"{name}.xml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"<a/>")
    collection = indexed(tmp_path / "c")
    assert list(collection.ids()) == [
        "007", "9", "10", "9" * 19, "9" * 25, "1" + "0" * 25, "B", "a/1x", "a/z", "b", "é",
    ]  # fmt: skip
    collection.close()


def test_thousands_of_doubles_are_a_few_sentences(tmp_path: Path) -> None:
    for number in range(60):
        for part in ("a", "b"):
            (tmp_path / "c" / part).mkdir(parents=True, exist_ok=True)
            (tmp_path / "c" / part / f"{number}.xml").write_bytes(b"<a/>")
    collection = indexed(tmp_path / "c")
    assert len(collection.warnings) == 21
    assert collection.warnings[0] == "b/0.xml has the same id as a/0.xml; only the latter is read"
    assert collection.warnings[-1] == "40 more files share an id with another file"
    collection.close()


def test_an_archive_can_be_named_by_different_paths(tmp_path: Path, added: list[str]) -> None:
    path = made("zip", tmp_path)
    check(indexed(path))
    (tmp_path / "link").symlink_to(tmp_path)
    added.clear()
    check(indexed(tmp_path / "link" / "wiki.zip"))
    assert added == []


def test_progress_is_reported_with_its_unit(tmp_path: Path) -> None:
    for kind in KINDS:
        heard: set[str] = set()
        collection = opened(made(kind, tmp_path))
        collection.prepare(lambda what, done, total, heard=heard: heard.add(what))  # type: ignore[misc]
        assert heard & {
            "articles listed", "MB of the archive listed", "MB of the archive's list read"
        }, kind  # fmt: skip
        collection.close()


@pytest.mark.parametrize("kind", ["folder", "bz2"])
def test_a_title_is_read_once(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(kind, tmp_path)
    collection = indexed(path)
    read = list(collection.titles([*IDS, "nowhere"]))
    assert read == [*(f"Article {id}" for id in IDS), "nowhere"]
    collection.close()
    again = indexed(path)
    monkeypatch.setattr(Collection, "read", lambda *_: pytest.fail("an article was read"))
    assert list(again.titles(IDS)) == read[:-1]
    assert again.title("3") == "Article 3"
    again.close()


def test_the_title_of_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    path = made("folder", tmp_path)
    collection = indexed(path)
    assert collection.title("7") == "Article 7"
    (path / "part0" / "7.xml").write_bytes(b"<article><name>Lighthouse</name></article>")
    assert collection.title("7") == "Lighthouse"
    collection.close()


def test_reading_titles_can_be_cancelled_and_keeps_the_read_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = indexed(made("zip", tmp_path))
    told: list[tuple[int, int | None]] = []

    def stop(_what: str, done: int, total: int | None) -> None:
        told.append((done, total))
        if done == 20:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(collection.titles(IDS, stop))
    assert told[-1] == (20, COUNT)
    monkeypatch.setattr(Collection, "read", lambda *_: pytest.fail("an article was read"))
    assert list(collection.titles(IDS[:20])) == [f"Article {id}" for id in IDS[:20]]
    collection.close()


def test_damaged_notes_of_titles_are_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made("zip", tmp_path)
    CachePlace(path, small=False).titles.write_bytes(b"no database" * 1000)
    collection = indexed(path)
    assert collection.title("7") == "Article 7"
    monkeypatch.setattr(Collection, "read", lambda *_: pytest.fail("an article was read"))
    assert collection.title("7") == "Article 7"
    collection.close()
