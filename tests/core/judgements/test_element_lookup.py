"""Whole columns looked up in a collection: each article read once, and what is said of what is not there."""

from __future__ import annotations

import random
import tarfile
import weakref
import zipfile
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from inexview import DataError
from inexview.cli.common import in_order
from inexview.core.article.document import Scan, scan
from inexview.core.article.elements import Paths
from inexview.core.collection.collection import Collection
from inexview.core.judgements.elements import Locator
from inexview.core.progress import Cancelled
from tests.benchmarks.generate import article
from tests.opened import opened, opened_locator

COUNT = 60


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of articles in all three markups, and one that is broken."""
    folder = tmp_path_factory.mktemp("articles")
    for number in range(COUNT):
        xml = article(400 + 40 * number, ("2006", "2009", "ieee")[number % 3], seed=number)
        (folder / f"{number}.xml").write_bytes(xml)
    (folder / "broken.xml").write_text("<article><p></article>")
    return folder


@pytest.fixture(scope="module")
def articles(folder: Path) -> dict[str, Scan]:
    return {str(number): scan((folder / f"{number}.xml").read_bytes(), "a") for number in range(COUNT)}


def questions(articles: dict[str, Scan], count: int = 900) -> tuple[list[str], list[str], list[str]]:
    """Make up elements, passages and paths to nowhere, in no order."""
    chance = random.Random(7)
    documents, firsts, lasts = [], [], []
    for _ in range(count):
        document = str(chance.randrange(COUNT))
        elements = articles[document].elements
        first, last = sorted(chance.choices(range(len(elements)), k=2))
        kind = chance.randrange(4)
        start = elements.path(first)
        documents.append(document)
        firsts.append(start if kind else f"{start}/text()[1].1")
        lasts.append(elements.path(last) if kind == 1 else f"{start}/nowhere[1]" if kind == 2 else start)
    return documents, firsts, lasts


def test_columns_are_answered_as_each_article_answers_one_by_one(
    folder: Path, articles: dict[str, Scan]
) -> None:
    documents, firsts, lasts = questions(articles)
    places = opened_locator(folder).places(documents, firsts, lasts)
    assert 300 < np.count_nonzero(places.found) < 800
    for row, document in enumerate(documents):
        place = Paths(articles[document]).passage(firsts[row], lasts[row])
        wanted = (-1, 0, False) if place is None else (place.start, place.end - place.start, True)
        assert (places.start[row], places.size[row], places.found[row]) == wanted


def test_each_article_is_read_once_and_forgotten_before_many_others_are(
    folder: Path, articles: dict[str, Scan], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    kept: list[weakref.ref[object]] = []
    most = 0

    def watched(collection: Collection, document: str) -> Scan:
        nonlocal most
        most = max(most, sum(held() is not None for held in kept))
        found = original(collection, document)
        read.append(document)
        kept.append(weakref.ref(found.elements))
        return found

    original = Collection.scan
    monkeypatch.setattr(Collection, "scan", watched)
    documents, firsts, lasts = questions(articles)
    opened_locator(folder).places(documents, firsts, lasts)
    assert sorted(read) == sorted(set(documents))
    assert most <= 1


def test_names_lead_back_to_where_they_come_from(folder: Path, articles: dict[str, Scan]) -> None:
    documents, firsts, lasts = questions(articles)
    locator = opened_locator(folder)
    places = locator.places(documents, firsts, lasts)
    there = np.flatnonzero(places.found & (places.size > 0))
    named = [documents[row] for row in there]
    start, end = places.start[there], places.start[there] + places.size[there]
    points = locator.points(named, start, end)
    assert points.found.all()
    again = locator.places(named, [str(p) for p in points.first], [str(p) for p in points.last])
    assert (again.start == start).all()
    assert (again.size == end - start).all()
    elements = np.array([row for row, path in enumerate(points.element) if path is not None])
    paths = [str(points.element[row]) for row in elements]
    again = locator.places([named[row] for row in elements], paths, paths)
    assert (again.start == start[elements]).all()
    assert (again.size == (end - start)[elements]).all()
    one_by_one = [
        (paths.element_at(begin, stop), paths.point_at(begin), paths.point_at(stop, end=True))
        for name, begin, stop in zip(named, start.tolist(), end.tolist(), strict=True)
        for paths in (Paths(articles[name]),)
    ]
    assert list(zip(points.element, points.first, points.last, strict=True)) == one_by_one


def test_offsets_outside_an_article_have_no_name(folder: Path, articles: dict[str, Scan]) -> None:
    length = len(articles["3"].text)
    starts, ends = np.array([0, -1, 5, 0, 0]), np.array([length, -1, 4, length + 1, length])
    points = opened_locator(folder).points([*"3333", "no"], starts, ends)
    assert points.found.tolist() == [True, False, False, False, False]
    assert points.element == ["/article[1]", None, None, None, None]
    assert points.first[1:] == points.last[1:] == [None] * 4
    assert list(points.unreadable) == ["no"]


def test_an_article_that_is_broken_or_missing_leaves_the_others_their_places(folder: Path) -> None:
    root = ["/article[1]"] * 4
    places = opened_locator(folder).places(["1", "broken", "missing", "2"], root, root)
    assert places.found.tolist() == [True, False, False, True]
    assert list(places.unreadable) == ["broken", "missing"]
    assert "broken.xml:1:" in places.unreadable["broken"]
    assert "has no document 'missing'" in places.unreadable["missing"]


def test_nothing_asked_is_nothing_answered(folder: Path) -> None:
    assert len(opened_locator(folder).places([], [], []).start) == 0
    assert opened_locator(folder).points([], np.empty(0, np.int64), np.empty(0, np.int64)).element == []


def test_white_space_only_nodes_are_counted_or_not(folder: Path) -> None:
    (folder / "blanks.xml").write_text("<article> <p>x</p>y</article>")
    point = ["/article[1]/text()[1].0"]
    starts = [
        opened_locator(folder).places(["blanks"], point, point, strip=strip).start[0]
        for strip in (False, True)
    ]
    assert starts == [0, 2]


def test_progress_is_reported_from_the_first_article_to_the_last(folder: Path) -> None:
    heard = []
    documents = [str(number) for number in range(COUNT)]
    root = ["/article[1]"] * COUNT
    locator = opened_locator(folder, progress=lambda *news: heard.append(news))
    locator.places(documents, root, root)
    assert heard[0] == ("articles read", 0, COUNT)
    assert heard[-1] == ("articles read", COUNT, COUNT)


def test_a_search_can_be_cancelled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    original = Collection.scan
    monkeypatch.setattr(Collection, "scan", lambda own, id: read.append(id) or original(own, id))

    def enough(_what: str, done: int, _total: int | None) -> None:
        if done:
            raise Cancelled

    documents = [str(number) for number in range(COUNT)]
    root = ["/article[1]"] * COUNT
    with pytest.raises(Cancelled):
        opened_locator(folder, progress=enough).places(documents, root, root)
    assert 0 < len(read) < COUNT


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
def test_copies_of_the_process_share_the_work_and_give_the_same_answers(
    folder: Path, articles: dict[str, Scan], tmp_path: Path, packed: bool
) -> None:
    place = folder
    if packed:
        place = tmp_path / "articles.zip"
        with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in folder.glob("*.xml"):
                archive.write(file, file.name)
    asked = questions(articles)
    alone = opened_locator(folder).places(*asked)
    collection = opened(place)
    assert collection.read("1")  # the archive is open before the copies are made
    shared = opened_locator(collection, share=partial(in_order, jobs=3)).places(*asked)
    assert shared.start.tolist() == alone.start.tolist()
    assert shared.size.tolist() == alone.size.tolist()


def test_an_archive_is_read_from_front_to_back_after_its_list(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = random.Random(1).sample(range(COUNT), COUNT)
    with tarfile.open(tmp_path / "articles.tar.gz", "w:gz") as archive:
        for number in order:
            archive.add(folder / f"{number}.xml", f"a/{number % 7}/{number}.xml")
    read = []
    original = Collection.scan
    monkeypatch.setattr(Collection, "scan", lambda own, id: read.append(id) or original(own, id))
    heard = []
    locator = opened_locator(tmp_path / "articles.tar.gz", progress=lambda what, *_: heard.append(what))
    documents = [str(number) for number in range(COUNT)]
    places = locator.places(["none", *documents], *2 * [["/article[1]"] * (COUNT + 1)])
    assert places.found.tolist() == [False] + [True] * COUNT
    assert read == ["none", *map(str, order)]
    assert heard[-1] == "articles read"


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[Collection]:
    """Return the collections that are closed, as they are."""
    done: list[Collection] = []
    original = Collection.close
    monkeypatch.setattr(Collection, "close", lambda own: done.append(own) or original(own))
    return done


def test_a_locator_always_closes_its_collection(folder: Path, closed: list[Collection]) -> None:
    def look_up_and_give_up() -> None:
        with Locator(folder) as locator:
            assert locator.places(["1"], ["/article[1]"], ["/article[1]"]).found.all()
            assert closed == []
            raise Cancelled

    with pytest.raises(Cancelled):
        look_up_and_give_up()
    assert [collection.path for collection in closed] == [folder]


def test_a_collection_that_was_given_stays_open(folder: Path, closed: list[Collection]) -> None:
    collection = opened(folder)
    with Locator(collection) as locator:
        locator.places(["1"], ["/article[1]"], ["/article[1]"])
    assert closed == []
    collection.close()


def test_there_must_be_a_collection(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="nowhere"):
        Locator(tmp_path / "nowhere")
