"""Pools of runs in every order, and who found what."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import InexviewError
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Result, Run
from inexview.core.retrieval.retrieve import FUSIONS, METHODS, fused_run, pool_runs
from inexview.core.text.spans import Spans

passages = st.tuples(
    st.sampled_from("ABC"), st.integers(0, 12), st.integers(0, 6), st.none() | st.integers(0, 5)
)
rankings = st.lists(st.lists(passages, max_size=8), min_size=1, max_size=4)


def run(name: str, *results: tuple[str, int, int, float | None]) -> Run:
    return Run.from_results(
        (
            Result("1", document, rank, score, start, start + length)
            for rank, (document, start, length, score) in enumerate(results, 1)
        ),
        id=name,
    )


def ranks(documents: str, name: str = "r") -> Run:
    """Return a run of documents whose scores fall from 1 to 0 by their ranks."""
    count = len(documents)
    return run(name, *((document, 0, 10, float(count - at)) for at, document in enumerate(documents)))


def order(*runs: Run, method: str, **more: object) -> str:
    return "".join(pool_runs(runs, 10, method=method, **more).documents("1"))  # type: ignore[arg-type]


def test_a_pool_records_runs_and_ranks_of_documents() -> None:
    first = run("one", ("A", 0, 5, 3.0), ("A", 9, 5, 2.0), ("B", 0, 5, 1.0))
    pool = pool_runs([first, ranks("CA", "two")], 2)
    assert [(pooled.document, pooled.found_by) for pooled in pool.topics["1"]] == [
        ("A", (("one", 1), ("two", 2))),
        ("C", (("two", 1),)),
        ("B", (("one", 2),)),
    ]


def test_depth_and_number_of_documents() -> None:
    runs = [ranks("ABCDE"), ranks("EFGHI")]
    assert "".join(pool_runs(runs, 2).documents("1")) == "AEBF"
    assert "".join(pool_runs(runs, 5, per_topic=3).documents("1")) == "AEB"


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("rank", "ABED"),
        ("combmnz", "BAED"),  # B 2·(½ + 1), A 1, E 2·(0 + ½), D 0
        ("rrf", "BEAD"),  # B 1/62 + 1/61, E 1/63 + 1/62, A 1/61, D 1/63
    ],
)
def test_orders_by_hand(method: str, expected: str) -> None:
    assert order(ranks("ABE", "one"), ranks("BED", "two"), method=method) == expected


def test_by_overlap_what_most_runs_have_in_one_place_comes_first() -> None:
    one = run("one", ("A", 0, 10, None), ("B", 0, 10, None), ("B", 5, 10, None), ("C", 0, 10, None))
    two = run("two", ("A", 20, 10, None), ("C", 8, 9, None), ("B", 9, 4, None))
    assert order(one, two, method="overlap") == "BCA"


def test_move_to_front_stays_with_the_run_that_does_best() -> None:
    qrels = Qrels.from_judgements(
        Judgement("1", document, 5, 100, None, Spans([(0, 5)])) for document in "ABC"
    )
    one, two = ranks("ABXC", "one"), ranks("VWYZ", "two")
    assert order(one, two, method="move-to-front", qrels=qrels) == "ABXVCWYZ"
    assert order(one, two, method="move-to-front") == "AVBWXYCZ"


@given(rankings, st.integers(1, 5))
@pytest.mark.parametrize("method", METHODS)
def test_every_order_has_the_same_documents_once(
    method: str, listed: list[list[tuple[str, int, int, float | None]]], depth: int
) -> None:
    runs = [run(str(number), *ranking) for number, ranking in enumerate(listed)]
    documents = pool_runs(runs, depth, method=method).documents("1")
    expected = {
        document
        for ranking in listed
        for document in list(dict.fromkeys(document for document, *_ in ranking))[:depth]
    }
    assert Counter(documents) == Counter(expected)


def test_another_method_is_refused() -> None:
    with pytest.raises(InexviewError, match="it must be one of rank, combmnz"):
        pool_runs([], 5, method="best")
    with pytest.raises(InexviewError, match="it must be one of combsum, combmnz, rrf"):
        fused_run([], "best", 5, "fused")


def plain_fusion(
    listed: list[list[tuple[str, int, int, float | None]]], method: str
) -> dict[tuple[str, int], float]:
    """Return the fused score of every character, and of every point, by asking all results of all runs."""
    fused: dict[tuple[str, int], float] = {}
    places = {
        (document, at)
        for ranking in listed
        for document, start, length, _ in ranking
        for at in (range(start, start + length) if length else [-1 - start])
    }
    for document, at in places:
        votes = []
        for ranking in listed:
            scores = [score for *_, score in ranking]
            known = [score for score in scores if score is not None]
            by_rank = len(known) < len(scores) or len(set(known)) < 2
            for rank, (own, start, length, score) in enumerate(ranking, 1):
                held = start <= at < start + length if at >= 0 else (start, length) == (-1 - at, 0)
                if own == document and held:
                    value = 1 - (rank - 1) / len(ranking)
                    if not by_rank:
                        value = (score - min(known)) / (max(known) - min(known))
                    votes.append((rank, value))
                    break
        total = sum(value for _, value in votes)
        fused[document, at] = {
            "combsum": total,
            "combmnz": len(votes) * total,
            "rrf": sum(1 / (60 + rank) for rank, _ in votes),
        }[method]
    return fused


@given(rankings)
@pytest.mark.parametrize("method", FUSIONS)
def test_fusion_scores_every_character_as_asking_each_result_does(
    method: str, listed: list[list[tuple[str, int, int, float | None]]]
) -> None:
    fused = fused_run([run(str(n), *ranking) for n, ranking in enumerate(listed)], method, 10_000, "fused")
    results = fused.results("1")
    got: dict[tuple[str, int], float] = {}
    for result in results:
        for at in range(result.start, result.end) if result.end > result.start else [-1 - result.start]:
            assert (result.document, at) not in got  # no character twice
            got[result.document, at] = result.score or 0.0
    assert got == pytest.approx(plain_fusion(listed, method))
    scores = [result.score or 0.0 for result in results]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("method", ["combsum", "combmnz"])
def test_what_ties_on_paper_ties_in_whatever_order_the_runs_come(method: str) -> None:
    runs = [
        run(str(n), ("best", 0, 5, 1.0), ("a", 0, 5, a), ("b", 0, 5, b), ("last", 0, 5, 0.0))
        for n, (a, b) in enumerate([(0.3, 0.1), (0.2, 0.2), (0.1, 0.3)])  # in doubles 0.3 + 0.2 + 0.1 is less
    ]
    for listed in (runs, runs[::-1]):
        results = fused_run(listed, method, 10, "fused").results("1")
        assert [result.document for result in results] == ["best", "a", "b", "last"]
        assert results[1].score == results[2].score


def test_many_passages_of_one_document_are_fused_in_no_time() -> None:
    many = run("many", *(("A", start, 50_000, None) for start in range(20_000)))
    assert len(fused_run([many, many], "rrf", 10, "fused")) == 10
