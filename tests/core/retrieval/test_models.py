"""Each model beside one of dictionaries and loops, and what must hold between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from itertools import accumulate, chain, pairwise, permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import snowballstemmer
from hypothesis import example, given, settings
from hypothesis import strategies as st

from inexview.core.errors import InexviewError
from inexview.core.judgements.topics import Topic
from inexview.core.retrieval.engines import LocalEngine
from inexview.core.retrieval.models import (
    MODELS,
    FeedbackDocument,
    ModelParameters,
    RetrievalSettings,
    relevance_model,
)
from inexview.core.retrieval.retrieve import retrieve
from inexview.core.retrieval.shards import UnitKind, UnitRanking, WordForms
from inexview.core.word_index.word_index import word_index
from tests.core.retrieval import plain_models as plain
from tests.core.word_index.collections import written

WORDS = ["olive", "oil", "lamp", "lens", "light", "the", "of", "sea", "ship", "coast"]
INFLECTED = [*WORDS, "olives", "oils", "lamps", "ships", "shipping", "coasts", "coastal"]
FORMS = WordForms("tests", "none", frozenset(plain.STOP))
STEMS: dict[str, Callable[[str], str]] = {
    "none": str,
    "plural": lambda word: word[:-1] if word.endswith("s") and word != "lens" else word,
    "porter": lambda word: snowballstemmer.stemmer("porter").stemWord(word),
}
UNTRAINED = [name for name, model in MODELS.items() if not model.trained]  # the others: test_svm
PARAMETERS = ModelParameters(mu=7.0, window=3, shortest=12, feedback_smoothing=0.2, query_weight=0.4)

if find_spec("krovetzstemmer") is not None:
    import krovetzstemmer

    STEMS["krovetz"] = krovetzstemmer.Stemmer().stem

texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=30), min_size=1, max_size=7)
queries = st.lists(st.sampled_from([*WORDS, "absent"]), min_size=1, max_size=5)
inflected_queries = st.lists(st.sampled_from([*INFLECTED, "absent"]), min_size=1, max_size=5)
paragraphs = st.lists(
    st.lists(st.lists(st.sampled_from(INFLECTED), max_size=12), min_size=1, max_size=4),
    min_size=1,
    max_size=6,
)
units = st.sampled_from([UnitKind(5, 2), UnitKind(4, 4), UnitKind(10, 5), UnitKind(), UnitKind(tags=("p",))])


@contextmanager
def engine(documents: Sequence[Sequence[str]], words: int = 40) -> Iterator[LocalEngine]:
    """Index documents, called 0, 1, …, in segments of about so many words."""
    with engine_of([" ".join(text) for text in documents], words) as on:
        yield on


@contextmanager
def engine_of(texts: Sequence[str], words: int = 40) -> Iterator[LocalEngine]:
    with TemporaryDirectory() as made, pytest.MonkeyPatch.context() as patched:
        patched.setattr("inexview.core.word_index.word_index.SEGMENT_WORDS", words)
        patched.setenv("INEXVIEW_CACHE", str(Path(made, "cache")))
        articles = {str(number): text for number, text in enumerate(texts)}
        with written(Path(made, "articles"), articles) as collection:
            yield LocalEngine(word_index(collection))


def ranked(
    model: str,
    query: Sequence[str],
    on: LocalEngine,
    unit: UnitKind,
    parameters: ModelParameters = PARAMETERS,
    forms: WordForms = FORMS,
) -> UnitRanking:
    asked = RetrievalSettings(model, unit, forms=forms, parameters=parameters)
    return retrieve([Topic("1", " ".join(query))], on, asked).rankings["1"]


def expected(
    model: str,
    query: Counter[str],
    collection: plain.PlainCollection,
    parameters: ModelParameters = PARAMETERS,
) -> Mapping[plain.PlainUnit, float]:
    part, p = parameters.collection_weight, parameters
    star = plain.relevance(collection, query, part, p.feedback_smoothing, p.query_weight)
    mixture = (p.collection_weight, p.document_weight, p.passage_weight)
    match model:
        case "TFIDF":
            return plain.tfidf(collection, query)
        case "QL":
            return plain.mixed(collection, query, (part, 0, 1 - part), collection.units)
        case "QL-DIRICHLET":
            return plain.dirichlet(collection, query, p.mu)
        case "RMP":
            return plain.divergence(collection, star, (part, 0, 1 - part), collection.units)
        case "RMD":
            return plain.divergence(collection, star, (part, 1 - part, 0), collection.units)
        case "MM":
            return plain.divergence(collection, star, mixture, collection.units)
        case "QWD":
            found = plain.stretches(collection, star, p.window, p.shortest)
            return plain.divergence(collection, star, mixture, found)
    return plain.bm25(collection, query, p.k1, p.b)


def spans(unit: plain.PlainUnit, words: Sequence[str], kind: UnitKind) -> tuple[str, int, int]:
    """Return the characters of a unit; one blank follows each word, and belongs to elements and articles."""
    start = sum(len(word) + 1 for word in words[: unit.first])
    end = start + sum(len(word) + 1 for word in words[unit.first : unit.stop])
    return unit.document, start, end - bool(kind.size)


def paragraph_edges(document: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """Return the words of the paragraphs that have any."""
    edges = [0, *accumulate(map(len, document))]
    return [(first, stop) for first, stop in pairwise(edges) if stop > first]


@given(paragraphs, inflected_queries, units, st.sampled_from([*STEMS]))
@example(
    [[["olive", "olive", "oil", *["lamp"] * 3, "lens", "sea", "the"], ["oil", "lens", *["lamp"] * 5]]],
    ["olive"],
    UnitKind(5, 2),
    "none",
)  # lens marks half a word to either side
@settings(max_examples=40)
def test_every_model_scores_as_its_paper_says(
    documents: list[list[list[str]]], query: list[str], unit: UnitKind, stemmer: str
) -> None:
    forms = replace(FORMS, stemmer=stemmer)
    by_id = {str(number): [*chain(*document)] for number, document in enumerate(documents)}
    elements = {str(number): paragraph_edges(document) for number, document in enumerate(documents)}
    has_words = any(word not in plain.STOP for text in by_id.values() for word in text)
    texts = [
        "</p><p>".join("".join(f"{word} " for word in one) for one in document) for document in documents
    ]
    with engine_of(texts) as on:
        for model in UNTRAINED:
            own = UnitKind() if model == "RMD" else unit
            if not has_words:
                with pytest.raises(InexviewError, match="has no words to search"):
                    ranked(model, query, on, own, forms=forms)
                continue
            collection = plain.PlainCollection(
                by_id, own.size, own.step, elements=elements if own.tags else None, stem=STEMS[stemmer]
            )
            found = ranked(model, query, on, own, forms=forms)
            check_scores(model, query, UnitKind(1, 1) if model == "QWD" else own, collection, found)


def test_an_expanded_query_without_a_word_finds_nothing() -> None:
    """R* has no word where the query has no part in it and no term is as probable as was asked."""
    nothing = replace(PARAMETERS, query_weight=0.0, least_probability=1.0)
    with engine([["light", "sea"]]) as on:
        for model in ("RMP", "RMD", "MM", "QWD"):
            assert not ranked(model, ["light"], on, UnitKind(), nothing).id


def check_scores(
    model: str, query: list[str], kind: UnitKind, collection: plain.PlainCollection, found: UnitRanking
) -> None:
    known = plain.known(collection, query)
    scores = expected(model, known, collection) if known else {}
    scored = {spans(one, collection.texts[one.document], kind): score for one, score in scores.items()}
    places = zip(found.id, found.start.tolist(), found.end.tolist(), strict=True)
    got = dict(zip(places, found.scores.tolist(), strict=True))
    assert got == pytest.approx(scored, rel=1e-9, abs=1e-12), model
    assert found.scores.tolist() == sorted(found.scores.tolist(), reverse=True)


@given(texts, queries)
@settings(max_examples=15)
def test_rmp_and_rmd_are_mm_without_documents_and_without_passages(
    documents: list[list[str]], query: list[str]
) -> None:
    part = PARAMETERS.collection_weight
    only_passages = replace(PARAMETERS, document_weight=0.0, passage_weight=1 - part)
    only_documents = replace(PARAMETERS, document_weight=1 - part, passage_weight=0.0)
    with engine([*documents, ["light"]]) as on:
        for model, unit, parameters in (
            ("RMP", UnitKind(5, 2), only_passages),
            ("RMD", UnitKind(), only_documents),
        ):
            one, other = ranked(model, query, on, unit), ranked("MM", query, on, unit, parameters)
            assert one.id == other.id
            for column in ("scores", "start", "end"):
                assert (getattr(one, column) == getattr(other, column)).all()  # exactly


@given(texts, queries)
@settings(max_examples=15)
def test_scores_are_the_same_to_the_last_digit_however_the_collection_is_cut(
    documents: list[list[str]], query: list[str]
) -> None:
    documents = [*documents, ["light", "of", "the", "sea"]]
    rankings = []
    for words in (1, 25, 10_000):
        with engine(documents, words) as on:
            rankings.append([ranked(model, query, on, UnitKind(6, 3)) for model in UNTRAINED])
    for other in rankings[1:]:
        for model, one, whole in zip(UNTRAINED, other, rankings[0], strict=True):
            assert one.id == whole.id, model
            for column in ("scores", "number", "start", "end"):
                assert (getattr(one, column) == getattr(whole, column)).all(), model


@given(
    texts,
    st.lists(st.sampled_from([word for word in WORDS if word not in plain.STOP]), min_size=1, unique=True),
)
@settings(max_examples=15)
def test_bm25_is_that_of_bm25s(documents: list[list[str]], query: list[str]) -> None:
    bm25s = pytest.importorskip("bm25s")
    documents = [[word for word in text if word not in plain.STOP] for text in documents]
    documents = [text for text in [*documents, ["light", "sea"]] if text]
    own = bm25s.BM25(k1=0.9, b=0.4, method="lucene", dtype="float64")
    own.index(documents, show_progress=False)
    query = [word for word in query if any(word in text for text in documents)]
    with engine(documents) as on:
        found = ranked("BM25", query, on, UnitKind())
    if query:
        theirs = own.get_scores(query)
        scores = {str(number): score for number, score in enumerate(theirs.tolist()) if score > 0}
        assert dict(zip(found.id, found.scores.tolist(), strict=True)) == pytest.approx(scores, rel=1e-6)


def test_the_relevance_model_is_the_same_in_whatever_order_the_documents_come() -> None:
    found = [FeedbackDocument(-n / 7, {"tea": n, "cup": 11 - n, "own": 1}) for n in range(1, 6)]
    model = relevance_model(found, ModelParameters())
    for listed in permutations(found):
        assert relevance_model(listed, ModelParameters()) == model
