"""What is retrieved: passages, elements and articles, and where words lie in them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.article.document import scan
from inexview.core.errors import InexviewError
from inexview.core.retrieval.shards import KeptWords, Shard, UnitKind, Units, WordForms, units_of
from inexview.core.word_index.segment import Segment, SegmentWriter

ARTICLE = (
    b"<article><sec><p>one two</p><p>three <b>four</b> five</p><p/></sec>"
    b"<sec><sec><p>six</p></sec></sec></article>"
)


def segment(folder: Path, *articles: bytes) -> Segment:
    writer = SegmentWriter()
    for number, article in enumerate(articles):
        writer.add(str(number), scan(article, "a.xml"))
    writer.write(folder / "segment")
    return Segment(folder / "segment")


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("passage:100/50", UnitKind(100, 50)),
        ("passage:7", UnitKind(7, 3)),
        ("passage", UnitKind(100, 50)),
        ("element:p,sec", UnitKind(tags=("p", "sec"))),
        ("article", UnitKind()),
    ],
)
def test_a_unit_is_written_so(said: str, kind: UnitKind) -> None:
    assert UnitKind.parse(said) == kind
    assert UnitKind.parse(str(kind)) == kind


@pytest.mark.parametrize(
    "said", ["", "passage:0", "passage:5/6", "passage:5/0", "element:", "word", "passage:-1"]
)
def test_another_unit_is_refused(said: str) -> None:
    with pytest.raises(InexviewError, match="it must be passage:SIZE/STEP"):
        UnitKind.parse(said)


@given(st.lists(st.integers(0, 25), min_size=1, max_size=5), st.integers(1, 8), st.integers(1, 8))
def test_passages_and_the_words_they_hold(lengths: list[int], size: int, step: int) -> None:
    step = min(size, step)
    article = [b"<article>" + b"w " * length + b"</article>" for length in lengths]
    with TemporaryDirectory() as made:
        part = segment(Path(made), *article)
        found = units_of(part, UnitKind(size, step))
        expected = []
        for document, length in enumerate(lengths):
            before = sum(lengths[:document])
            first = 0
            while length and (first == 0 or first + size - step < length):
                expected.append((document, before + first, before + min(first + size, length)))
                first += step
        columns = (found.document.tolist(), found.first.tolist(), found.stop.tolist())
        assert list(zip(*columns, strict=True)) == expected
        words = np.arange(sum(lengths), dtype=np.int32)
        holding = sorted(found.holding(words, part.documents_of(words)).tolist())
        assert holding == sorted(
            at for at, (_, first, stop) in enumerate(expected) for _ in range(first, stop)
        )


@given(st.lists(st.booleans(), max_size=40), st.sampled_from([40, 70_000]))
def test_words_that_are_kept_are_counted_between_any_two(kept: list[bool], longest: int) -> None:
    counted = KeptWords(np.array(kept, bool), longest)
    first, stop = np.array([(a, b) for b in range(len(kept) + 1) for a in range(b + 1)]).T
    expected = [sum(kept[a:b]) for a, b in zip(first.tolist(), stop.tolist(), strict=True)]
    assert counted.between(first, stop).tolist() == expected


def test_elements_nest_and_keep_their_own_borders(tmp_path: Path) -> None:
    part = segment(tmp_path, ARTICLE, b"<article><p>seven</p></article>")
    found = units_of(part, UnitKind(tags=("p", "sec", "absent")))
    columns = (found.document.tolist(), found.first.tolist(), found.stop.tolist())
    assert list(zip(*columns, strict=True)) == [
        (0, 0, 5),
        (0, 0, 2),
        (0, 2, 5),
        (0, 5, 6),
        (0, 5, 6),
        (0, 5, 6),
        (1, 6, 7),
    ]
    assert found.characters(part, np.array([0, 2])).tolist() == [[0, 22], [7, 22]]
    words = np.array([1, 3, 5, 6], np.int32)
    assert sorted(found.holding(words, part.documents_of(words)).tolist()) == [0, 0, 1, 2, 3, 4, 5, 6]


def test_articles_are_whole(tmp_path: Path) -> None:
    part = segment(tmp_path, b"<article> . </article>", b"<article> a b. </article>")
    found = units_of(part, UnitKind())
    assert found.characters(part, np.arange(len(found))).tolist() == [[0, 6]]


def test_no_unit_holds_no_word() -> None:
    none = np.empty(0, np.int32)
    assert not len(Units(np.empty(0, np.int64), none, none).holding(np.array([3], np.int32), np.array([0])))


@pytest.mark.parametrize("words", [65_535, 65_536, 70_000])
def test_lengths_and_places_of_long_documents_and_of_late_ones(tmp_path: Path, words: int) -> None:
    """Columns are as narrow as the longest document and the number of documents allow."""
    writer = SegmentWriter()
    for number in range(words - 1):
        writer.add(str(number), None)
    for text in (b"the end ", b"w " * (words - 2) + b"the end "):
        writer.add(f"last {text[:1]!r}", scan(b"<article>" + text + b"</article>", "a.xml"))
    writer.write(tmp_path / "segment")
    shard = Shard(Segment(tmp_path / "segment"), WordForms.named("snowball"), UnitKind())
    assert shard.unit_lengths.tolist() == [1, words - 1]  # but for the stop word
    assert shard.lengths(shard.units).tolist() == [1, words - 1]
    assert shard.document_lengths[-2:].tolist() == [1, words - 1]
    assert shard.places("end").documents.tolist() == [words - 1, words]
    assert shard.in_documents("w").where.tolist() == [words]
