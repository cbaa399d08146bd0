"""Full-text search beside a search that looks at every word of every document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from math import log
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.progress import Cancelled
from inexview.core.word_index.word_index import (
    SoughtPart,
    SoughtWord,
    matches,
    parse_search,
    search,
    word_index,
)
from tests.core.word_index.collections import VOCABULARY, collections, plain_words, written

NO = "no " * 100

_word = st.sampled_from([*VOCABULARY, "li*", "lighthouse*"])
_several = st.lists(_word, min_size=2, max_size=4)
_parts = st.one_of(
    _word,
    _several.map(lambda words: f'"{" ".join(words)}"'),
    st.tuples(_several, st.integers(0, 4)).map(lambda near: f"NEAR({' '.join(near[0])}, {near[1]})"),
)


def _is(word: str, sought: SoughtWord) -> bool:
    return word.startswith(sought.text) if sought.beginning else word == sought.text


def _stretches(words: list[str], part: SoughtPart) -> set[tuple[int, int]]:
    """Return (first, last) of all stretches, for near words of the shortest that end there."""
    places = [[at for at, word in enumerate(words) if _is(word, sought)] for sought in part.words]
    found = set()
    for chosen in product(*places):
        first, last = min(chosen), max(chosen)
        if part.near is None:
            if list(chosen) == list(range(chosen[0], chosen[0] + len(chosen))):
                found.add((first, last))
        elif last - first - 1 <= part.near:
            found.add((first, last))
    if part.near is None:
        return found
    return {(first, last) for first, last in found if first == max(a for a, b in found if b == last)}


def _holds(stretches: list[set[tuple[int, int]]], sought: tuple[SoughtPart, ...]) -> bool:
    return all(bool(found) != part.excluded for found, part in zip(stretches, sought, strict=True))


@given(collections, st.lists(_parts, min_size=1, max_size=3), st.none() | _word, st.integers(1, 50))
@settings(max_examples=60)
def test_matches_and_their_ranking(
    texts: list[str], parts: list[str], without: str | None, limit: int
) -> None:
    articles = {str(number): text for number, text in enumerate(texts)}
    typed = " ".join([*parts, *([f"-{without}"] if without else [])])
    words = {id: plain_words(text) for id, text in articles.items()}
    plain = {id: [word for word, _, _ in found] for id, found in words.items()}
    sought = parse_search(typed)
    stretches = {id: [_stretches(plain[id], part) for part in sought] for id in articles}
    holding = [id for id in articles if _holds(stretches[id], sought)]
    average = sum(map(len, plain.values())) / len(plain)

    def score(id: str) -> float:
        total = 0.0
        for at, part in enumerate(sought):
            if not part.excluded:
                count, often = sum(bool(stretches[other][at]) for other in articles), len(stretches[id][at])
                weight = log(1 + (len(articles) - count + 0.5) / (count + 0.5))
                total += weight * often / (often + 0.9 * (0.6 + 0.4 * len(plain[id]) / average))
        return total

    with TemporaryDirectory() as made, pytest.MonkeyPatch.context() as patched:
        patched.setattr("inexview.core.word_index.word_index.SEGMENT_WORDS", 30)
        with written(Path(made, "articles"), articles) as collection:
            result = search(word_index(collection), collection, typed, limit)
            documents = result.documents()
    assert result.found == len(holding)
    assert {document.id for document in documents} <= set(holding)
    best = sorted(map(score, holding), reverse=True)[:limit]
    assert [document.score for document in documents] == pytest.approx(best)
    for document in documents:
        assert document.score == pytest.approx(score(document.id))
        marked = {at for start, end in document.spans for at in range(start, end)}
        for found, part in zip(stretches[document.id], sought, strict=True):
            for first, last in [] if part.excluded else found:
                assert words[document.id][first][1] in marked
                assert words[document.id][last][2] - 1 in marked


@pytest.mark.parametrize("typed", ["oil", "oil lamp", "NEAR(oil lamp, 3)", "li* -lens", "oil olive lamp"])
def test_the_best_few_are_the_first_of_all(
    tmp_path: Path, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inexview.core.word_index.word_index.SEGMENT_WORDS", 300)
    chance = Random(3)
    words = [
        chance.choices(VOCABULARY, [9, 7, 5, 1, 1, 1, 1, 1, 1, 1], k=chance.choice([1, 2, 4, 60]))
        for _ in range(90)
    ]
    with written(
        tmp_path / "articles", {str(n): " ".join(text) for n, text in enumerate(words)}
    ) as collection:
        index = word_index(collection)
        whole = search(index, collection, typed, 90)
        assert len(index.segments) > 2
        ranking = [(one.id, one.score) for one in whole.documents()]
        for limit in (1, 3, 10):
            few = search(index, collection, typed, limit)
            assert few.found == whole.found
            assert [(one.id, one.score) for one in few.documents()] == ranking[:limit]


@pytest.mark.parametrize("sought", ["oil lens", "oil lamp lens", "li* oil", "oil* l*", "oil li* lamp lens"])
@pytest.mark.parametrize("most", [0, 1, 7, 40])
def test_near_words_of_very_different_frequency(tmp_path: Path, sought: str, most: int) -> None:
    words = Random(5).choices(["oil", "olive", "lamp", "lens", "light"], [200, 60, 6, 1, 30], k=3000)
    (part,) = parse_search(f"NEAR({sought}, {most})")
    last, stretches = [-most - 9] * len(part.words), list[tuple[int, int]]()
    for at, word in enumerate(words):
        here = [which for which, one in enumerate(part.words) if _is(word, one)]
        for which in here:
            last[which] = at
        if here and at - min(last) <= most + 1:
            stretches.append((min(last), at + 1))
    with written(tmp_path / "articles", {"1": " ".join(words)}) as collection:
        (segment,) = word_index(collection).segments
        found = matches(segment, part.words, part.near)
    assert found.behind is not None
    assert list(zip(found.first.tolist(), found.behind.tolist(), strict=True)) == stretches


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    articles = {"1": f"{NO}A lamp\n\n of olive   oil here {NO}", "2": "Lamp oil", "3": "<b>lamp</b>s"}
    with written(tmp_path / "articles", articles) as collection:
        yield collection


def test_a_snippet_shows_whole_words_and_marks_matches(collection: Collection) -> None:
    result = search(word_index(collection), collection, '"olive oil" lamp')
    (document,) = result.documents()
    text, spans = document.snippet
    assert "A lamp of olive oil here" in text
    assert [text[start:end] for start, end in spans] == ["lamp", "olive oil"]
    assert text.startswith("…no no")
    assert text.endswith("no…")


@given(
    st.lists(st.sampled_from(["lamp", "oil", "no", "clay", "a much longer word"]), min_size=1, max_size=200)
)
@settings(max_examples=40, deadline=None)
def test_a_found_document_opens_at_the_start_of_its_snippet(words: list[str]) -> None:
    written_words = " ".join(["lamp", *["no"] * 60, *words])
    with TemporaryDirectory() as folder, written(Path(folder) / "made", {"d": written_words}) as made:
        (document,) = search(word_index(made), made, "lamp").documents()
        text = made.load("d").text
        shown, spans = document.snippet
        start, end = document.place
        assert (start, end) in list(document.spans)
        assert text[start:end].lower() == "lamp"
        before = shown[: spans.starts[0]].removeprefix("…")
        assert text[:start].endswith(before), "the characters of the snippet are those around the place"


def test_a_cancelled_search_ends(collection: Collection) -> None:
    def give_up(what: str, done: int, total: int | None) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        search(word_index(collection), collection, "lamp", progress=give_up)


def test_words_that_no_document_has_are_named(collection: Collection) -> None:
    result = search(word_index(collection), collection, "lamp zeppelin zep* -balloon")
    assert (result.found, result.documents(), result.unknown) == (0, (), ("zeppelin", "zep"))


def test_as_many_as_asked_for_are_shown_and_all_are_counted(collection: Collection) -> None:
    result = search(word_index(collection), collection, "lamp*", 2)
    assert (result.found, result.listed, len(result.documents())) == (3, 2, 2)


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("Heart-rate", (SoughtPart((SoughtWord("heart"), SoughtWord("rate"))),)),
        ('"not closed', (SoughtPart((SoughtWord("not"), SoughtWord("closed"))),)),
        ("NEAR(a b)", (SoughtPart((SoughtWord("a"), SoughtWord("b")), near=10),)),
        ("a -b", (SoughtPart((SoughtWord("a"),)), SoughtPart((SoughtWord("b"),), excluded=True))),
        ("light* ...", (SoughtPart((SoughtWord("light", beginning=True),)),)),
    ],
)
def test_how_a_search_is_written(typed: str, parts: tuple[SoughtPart, ...]) -> None:
    assert parse_search(typed) == parts


@pytest.mark.parametrize("typed", ["", " ... ", "-lamp", '""', "word " * 65])
def test_empty_and_too_long_searches_are_reported(typed: str) -> None:
    with pytest.raises(InexviewError, match=r"at least one word|At most 64 words"):
        parse_search(typed)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("lamp NEAR(olive", "NEAR( at character 6 has no closing parenthesis. Write NEAR(two words, 5)."),
        ("-NEAR(olive oil, 3", "NEAR( at character 2 has no closing parenthesis. Write NEAR(olive oil, 5)."),
        ("NEAR(a NEAR(b c))", "NEAR( at character 1 has no closing parenthesis"),
        ("NEAR(, 5)", "NEAR( at character 1 names no word. Write NEAR(two words, 5)."),
        ("NEAR(olive, oil)", "has ‘oil’ after the comma, where a number of at most 6 digits says"),
        ("NEAR(olive oil, )", "has nothing after the comma"),
        ("NEAR(olive oil, 1000000)", "has ‘1000000’ after the comma"),
        ("NEAR(olive oil, ²)", "has ‘²’ after the comma"),
    ],
)
def test_invalid_near_expressions_are_reported_with_their_place(typed: str, told: str) -> None:
    with pytest.raises(InexviewError, match=re.escape(told)):
        parse_search(typed)
