"""From topics to queries: fields, stop words, stems, and what a CAS title asks for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inexview.core.errors import DataError, InexviewError
from inexview.core.judgements.topics import Topic, cas_targets, cas_words
from inexview.core.retrieval import engines, shards
from inexview.core.retrieval.engines import LocalEngine
from inexview.core.retrieval.models import ModelParameters, RetrievalSettings, topic_query
from inexview.core.retrieval.retrieve import retrieve
from inexview.core.retrieval.shards import UnitKind, WordForms
from inexview.core.word_index.word_index import word_index
from tests.core.word_index.collections import written

TOPIC = Topic(
    "7",
    title='The olive oils -soap "olive" -"palm oil"',
    castitle="//article[about(., olive oil)]//(sec | p)[about(.//st, health)]",
    description="What does it do?",
)


@pytest.mark.parametrize(
    ("fields", "stemmer", "terms"),
    [
        (("title",), "none", {"olive": 2, "oils": 1}),
        (("title",), "plural", {"olive": 2, "oil": 1}),
        (("castitle",), "porter", {"oliv": 1, "oil": 1, "health": 1}),
        (("title", "castitle"), "none", {"olive": 3, "oils": 1, "oil": 1, "health": 1}),
        (("description",), "none", {}),
    ],
)
def test_the_terms_of_a_topic(fields: tuple[str, ...], stemmer: str, terms: dict[str, int]) -> None:
    settings = RetrievalSettings(fields=fields, forms=WordForms.named("snowball", stemmer))
    assert topic_query(TOPIC, settings).terms == terms


@pytest.mark.parametrize(
    ("castitle", "words", "targets"),
    [
        (TOPIC.castitle, " olive oil  health", ("sec", "p")),
        ("//*[about(., a b)]", " a b", ()),
        ("//article[about(.//p, a) AND .//yr > 2000]", " a", ("article",)),
        ("plain words", "plain words", ()),
        ("", "", ()),
        ("//article//figure//caption[about(., x)]", " x", ("caption",)),
    ],
)
def test_target_elements_of_a_cas_title(castitle: str, words: str, targets: tuple[str, ...]) -> None:
    assert cas_words(castitle) == words
    assert cas_targets(castitle) == targets


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[LocalEngine]:
    articles = {"1": "light</p><sec><p>light lamps</p></sec><p>coasts", "2": "coast"}
    with written(tmp_path / "articles", articles) as collection:
        yield LocalEngine(word_index(collection))


def test_structure_filters_the_results(engine: LocalEngine) -> None:
    topic = Topic("1", title="light coast", castitle="//sec[about(., light)]")
    for unit, filtered in (("element:p,sec", 2), ("passage:2/1", 1), ("article", 0)):
        asked = RetrievalSettings("QL", UnitKind.parse(unit), structure=True)
        assert len(retrieve([topic], engine, asked).rankings["1"]) == filtered


@pytest.mark.skipif(sys.platform != "linux", reason="the pages in memory are told by /proc")
def test_of_a_large_index_no_pages_stay_in_memory(
    engine: LocalEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics, asked = [Topic("1", "light coast")], RetrievalSettings("MM")
    postings = str(engine.index.segments[0].folder / "postings")

    def held() -> tuple[list[float], int]:
        """Return the scores, and how many kB of the index are in this process's memory afterwards."""
        scores = retrieve(topics, engine, asked).rankings["1"].scores.tolist()
        parts = Path("/proc/self/smaps").read_text().split("VmFlags")
        sizes = [part.partition("\nRss:")[2].split()[0] for part in parts if postings in part]
        return scores, sum(map(int, sizes))

    scores, kept = held()
    monkeypatch.setattr(engines, "_HELD", 0)
    assert kept > 0
    assert held() == (scores, 0)


def test_a_stem_finds_all_its_words(engine: LocalEngine) -> None:
    asked = RetrievalSettings("QL", UnitKind(), forms=WordForms.named("none", "porter"))
    assert retrieve([Topic("1", "coast")], engine, asked).rankings["1"].id == ["2", "1"]


def test_topics_without_usable_words_are_reported_and_have_no_results(engine: LocalEngine) -> None:
    topics = [Topic("1", "the of"), Topic("2", "zeppelin"), Topic("3", "light zeppelin")]
    found = retrieve(topics, engine, RetrievalSettings("MM"))
    assert [len(ranking) for ranking in found.rankings.values()] == [0, 0, 1]
    assert found.warnings == (
        "topic 1: has no word to search for in these fields; it has no results",
        "topic 2: no document has any of its words; it has no results",
        "topic 3: 1 word in no document: zeppelin",
    )


def test_many_topics_without_usable_words_are_reported_together(engine: LocalEngine) -> None:
    words = ["the of", "a", "zeppelin", "airship", "light zeppelin", "lamps a b c d e f g", "light"]
    topics = [Topic(str(number), text) for number, text in enumerate(words, 1)]
    more = [Topic(str(number), "the") for number in range(8, 12)]
    assert retrieve([*topics, *more], engine, RetrievalSettings("QL")).warnings == (
        "6 topics have no word to search for in these fields, and no results: 1, 2, 8, 9, 10, …",
        "2 topics have only words that no document has, and no results: 3, 4",
        "2 topics have words that no document has: 5 (zeppelin), 6 (b, c, d, e, f, …)",
    )


@example("ies")
@given(st.text(alphabet="abdeilnosstuyz", min_size=1, max_size=12))
@pytest.mark.parametrize("stemmer", ["porter", "plural"])
def test_a_stem_differs_in_the_last_two_letters_at_most(stemmer: str, word: str) -> None:
    term = WordForms.named("none", stemmer).term(word)
    assert term is not None
    assert word.startswith(term[: max(1, len(term) - 2)])


def test_a_list_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("Oil\nthe")
    assert WordForms.named(str(own)).terms("The oil of olives") == ["of", "olives"]
    with pytest.raises(DataError, match="cannot be read as a list of stop words"):
        WordForms.named(str(tmp_path / "absent.txt"))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"lambda": 1}, "parameter = 'lambda': it must be one of collection_weight, "),
        ({"collection_weight": 0}, "collection_weight = 0: it must be from 1e-09 to 1"),
        ({"window": 1.5}, r"window = 1.5: it must be a whole number"),
        ({"mu": float("nan")}, "mu = nan: it must be from"),
        ({"window": float("inf")}, "window = inf: it must be a whole number"),
        ({"mu": 10**400}, "mu = inf: it must be from"),
    ],
)
def test_a_parameter_that_cannot_be_is_refused(changes: dict[str, float], said: str) -> None:
    with pytest.raises(InexviewError, match=said):
        ModelParameters().changed(changes)


def test_krovetz_stems_are_found_in_the_vocabulary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stems = {"european": "europe", "wives": "wife"}
    monkeypatch.setattr(shards, "_krovetz_stemmer", lambda: lambda word: stems.get(word, word))
    shards._krovetz.cache_clear()
    monkeypatch.setenv("INEXVIEW_CACHE", str(tmp_path / "cache"))
    forms = WordForms.named("none", "krovetz")
    articles = {"1": "Europe", "2": "a European wife", "3": "wives", "4": "Ωmega"}
    with written(tmp_path / "articles", articles) as collection:
        asked = RetrievalSettings("QL", UnitKind(), forms=forms)
        topics = [Topic("1", "europe"), Topic("2", "wives"), Topic("3", "ωmega")]
        found = retrieve(topics, LocalEngine(word_index(collection)), asked).rankings
    shards._krovetz.cache_clear()
    assert {topic: sorted(ranking.id) for topic, ranking in found.items()} == {
        "1": ["1", "2"],
        "2": ["2", "3"],
        "3": ["4"],
    }


def test_a_missing_stemmer_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "krovetzstemmer", None)
    shards._krovetz_stemmer.cache_clear()
    with pytest.raises(InexviewError, match="pip install krovetzstemmer"):
        WordForms.named("none", "krovetz")
