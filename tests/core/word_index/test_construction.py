"""Making the index of words: once, going on, and again where it is not of the collection as it is."""

from __future__ import annotations

import errno
import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from inexview.core.collection.collection import Collection
from inexview.core.collection.collection_index import CachePlace
from inexview.core.errors import DataError
from inexview.core.progress import Cancelled
from inexview.core.word_index.word_index import (
    DAMAGED,
    OF_ANOTHER_VERSION,
    OUTDATED,
    Manifest,
    WordIndex,
    word_index,
)
from tests.core.collections import MAKERS
from tests.core.word_index.collections import collections, plain_words, written

ARTICLES = {str(number): f"lamp number{number} and lens {'light ' * number}" for number in range(1, 10)}


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    with written(tmp_path / "articles", ARTICLES) as collection:
        yield collection


def folder(collection: Collection) -> Path:
    return CachePlace(collection.path, small=False).words


@given(collections)
@settings(max_examples=25)
def test_counts_and_positions_are_those_of_plain_counting(texts: list[str]) -> None:
    articles = {str(number): text for number, text in enumerate(texts)}
    with TemporaryDirectory() as made, pytest.MonkeyPatch.context() as patched:
        patched.setattr("inexview.core.word_index.word_index.SEGMENT_WORDS", 30)  # several segments
        with written(Path(made, "articles"), articles) as collection:
            index = word_index(collection)
        words = {id: plain_words(text) for id, text in articles.items()}
        assert index.documents == len(articles)
        assert index.words == sum(map(len, words.values()))
        for word in {word for found in words.values() for word, _, _ in found} | {"absent"}:
            in_each = Counter(id for id, found in words.items() for one, _, _ in found if one == word)
            assert index.counts(word) == (in_each.total(), len(in_each))
            for id, found in words.items():
                expected = [[start, end] for one, start, end in found if one == word]
                assert index.positions(word.upper(), id).tolist() == expected


@pytest.mark.parametrize("kind", MAKERS)
def test_collections_of_every_kind_are_indexed(kind: str, tmp_path: Path) -> None:
    collection = Collection.open(MAKERS[kind](tmp_path))
    index = word_index(collection)
    assert index.documents == len(collection)
    text = collection.scan("7").text
    word = text.split()[-1]
    assert text[slice(*index.positions(word, "7")[-1].tolist())] == word
    if collection.path.is_file():
        assert not collection.replaced()
        with collection.path.open("ab") as archive:
            archive.write(b" ")
        assert collection.replaced()
        with pytest.raises(DataError, match="replaced while they were open"):
            word_index(collection)
    collection.close()


def test_it_is_made_once(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    made = word_index(collection)
    monkeypatch.setattr(Collection, "scan", lambda *_: pytest.fail("read again"))
    with closing(Collection.open(collection.path)) as reopened:
        again = word_index(reopened)
    assert again.counts("light") == made.counts("light") == (45, 9)


@pytest.mark.parametrize("change", ["an article more", "another text", "an article less"])
def test_a_changed_collection_is_indexed_again(change: str, collection: Collection) -> None:
    word_index(collection)
    article = collection.path / "3.xml"
    if change == "an article less":
        article.unlink()
    else:
        name = "10.xml" if change == "an article more" else "3.xml"
        (collection.path / name).write_text("<article><p>a new word</p></article>")
    with closing(Collection.open(collection.path)) as changed:
        told: list[str] = []
        assert WordIndex.kept(changed, told.append) is None
        assert told == [OUTDATED]
        assert word_index(changed).counts("new").documents == (0 if change == "an article less" else 1)


def test_what_came_while_the_collection_was_open_is_indexed(collection: Collection) -> None:
    assert len(collection) == len(ARTICLES)
    (collection.path / "10.xml").write_text("<article><p>a new word</p></article>")
    assert word_index(collection).counts("new").documents == 1
    (collection.path / "10.xml").unlink()
    assert word_index(collection).counts("new").documents == 0


def test_cancelled_work_continues_from_its_last_state(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    scan = Collection.scan
    monkeypatch.setattr(Collection, "scan", lambda self, id: (read.append(id), scan(self, id))[1])

    def stop(what: str, done: int, _total: int | None) -> None:
        if what == "articles indexed" and done == 4:
            raise Cancelled

    with pytest.raises(Cancelled):
        word_index(collection, stop)
    assert len(read) == 4
    assert WordIndex.kept(collection) is None
    for left in ("0001", "0001.4711"):  # by who was killed while it wrote them
        (folder(collection) / left).mkdir()
    index = word_index(collection)
    assert sorted(one.name for one in folder(collection).iterdir()) == ["0000", "0001", "index.json"]
    assert sorted(read) == sorted(ARTICLES)  # each once
    assert len(index.segments) == 2
    assert index.counts("light") == (45, 9)
    assert index.positions("lens", "9").shape == (1, 2)


def damaged(index: Path, how: str) -> None:
    postings = index / "0000" / "postings"
    data = bytearray(postings.read_bytes())
    if how == "a bit":
        data[9] ^= 4
        postings.write_bytes(data)
    elif how == "cut short":
        postings.write_bytes(data[:-5])
    elif how == "a file less":
        postings.unlink()
    elif how == "facts":
        (index / "0000" / "facts.json").write_text("{")
    elif how == "a count":
        facts = index / "0000" / "facts.json"
        said = json.loads(facts.read_text())
        facts.write_text(json.dumps(said | {"documents": said["documents"] + 1}))
    elif how == "no JSON":
        (index / "index.json").write_text("[1")
    else:
        said = json.loads((index / "index.json").read_text())
        (index / "index.json").write_text(json.dumps(said | {"version": 0}))


@pytest.mark.parametrize(
    "how", ["a bit", "cut short", "a file less", "facts", "a count", "no JSON", "another version"]
)
def test_a_damaged_index_is_made_again_with_a_message(how: str, collection: Collection) -> None:
    told: list[str] = []
    word_index(collection, tell=told.append)
    assert told == []
    damaged(folder(collection), how)
    assert WordIndex.kept(collection, told.append) is None
    why = OF_ANOTHER_VERSION if how == "another version" else DAMAGED
    assert told == [why]
    assert word_index(collection, tell=told.append).counts("light") == (45, 9)
    assert told == [why, f"{why}; they are indexed again"]
    assert WordIndex.kept(collection, told.append) is not None
    assert len(told) == 2


def test_a_collection_that_changes_during_indexing_is_reported(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:

    def change(what: str, done: int, _total: int | None) -> None:
        if what == "articles indexed" and done == 5:
            (collection.path / "2.xml").write_text("<article><p>changed meanwhile</p></article>")

    with pytest.raises(DataError, match="the collection changed while its words were indexed"):
        word_index(collection, change)
    assert Manifest.read(folder(collection)) is None
    assert word_index(collection).counts("meanwhile").documents == 1


def test_a_full_disk_is_reported_and_leaves_nothing(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("inexview.core.word_index.segment.sums", full)
    with pytest.raises(DataError, match=r"cannot be written \(No space left on device\); is the disk full\?"):
        word_index(collection)
    assert not folder(collection).exists()


def test_articles_that_cannot_be_read_are_counted_and_have_no_words(collection: Collection) -> None:
    (collection.path / "5.xml").write_text("<article><p>light")
    index = word_index(collection)
    assert (index.documents, index.unreadable) == (8, 1)
    assert index.counts("light") == (40, 8)
    assert index.positions("light", "5").shape == (0, 2)


def test_forgetting_the_collection_deletes_it(collection: Collection) -> None:
    word_index(collection)
    place = CachePlace(collection.path, small=False)
    of_index = place.bytes_of_words()
    assert of_index > 0
    (place.shards / "0-5").mkdir(parents=True)
    (place.shards / "0-5" / "terms").write_bytes(b"1234")
    assert place.bytes_of_words() == of_index + 4
    assert place.forget_all() >= place.bytes_of_words()
    assert not place.words.exists()
    assert not place.shards.exists()
