"""HiXEval against an oracle with one set entry per character, and an example worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.measures import hixeval
from inexview.core.measures.joined import UNKNOWN_SIZE, join
from inexview.core.measures.parameters import Parameters
from inexview.core.qrels import Judgement, Qrels
from inexview.core.runs import UNKNOWN, Result, Run, Task
from inexview.core.spans import Spans

LENGTH = 50
PASSAGE = st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 20)).map(lambda p: (p[0], min(LENGTH, sum(p))))
TOPICS = st.sampled_from(["1", "2"])
QRELS = st.dictionaries(st.tuples(TOPICS, st.sampled_from("abc")), st.lists(PASSAGE, max_size=4), min_size=1)
RUNS = st.lists(
    st.tuples(TOPICS, st.sampled_from("abcz"), PASSAGE | st.just((UNKNOWN, UNKNOWN))), min_size=1, max_size=12
)
ALPHAS = st.sampled_from([0.0, 0.25, 0.5, 1.0])
CUTOFFS = (1, 3, 10, 25)


def marked(passages):
    return {c for start, end in passages for c in range(start, end)}


def view_of(judged, results, alpha):
    rows = [(topic, document, Spans(passages)) for (topic, document), passages in judged.items()]
    qrels = Qrels.from_judgements(Judgement(t, d, s.size, LENGTH, None, s) for t, d, s in rows)
    run = Run.from_results(Result(t, d, 1, None, start, end) for t, d, (start, end) in results)
    return hixeval.ResultValues(join(qrels, run, Task.THOROUGH), Parameters(alpha=alpha))


def computed(view):
    scores = {"AP": hixeval.average_precision(view), "iAP": hixeval.interpolated_average_precision(view)}
    for r in CUTOFFS:
        scores[f"P@{r}"] = hixeval.precision(view, r)
        scores[f"R@{r}"] = hixeval.recall(view, r)
        scores[f"F@{r}"] = hixeval.f(view, r)
    return scores


def oracle(judged, passages, alpha):
    """Return every measure, straight from the definitions; ``judged`` maps documents to sets."""
    seen, worth, sizes = set(), [], []
    for document, (start, end) in passages:
        element = {(document, c) for c in range(start, end)} if start != UNKNOWN else set()
        highlighted = {(d, c) for d, c in element if c in judged.get(d, ())}
        worth.append(len(highlighted) - alpha * len(highlighted & seen))
        sizes.append(len(element) or UNKNOWN_SIZE)
        seen |= element
    trel = sum(map(len, judged.values()))

    def precision(r):
        return sum(value / size for value, size in zip(worth[:r], sizes[:r], strict=True)) / r

    def recall(r):
        return sum(worth[:r]) / trel if trel else 0.0

    ranks = range(1, len(worth) + 1)
    gaining = [precision(r) for r in ranks if worth[r - 1] > 0]
    scores = {"AP": sum(gaining) / len(gaining) * recall(len(worth)) if gaining else 0.0}
    levels = [[precision(r) for r in ranks if 10 * sum(worth[:r]) >= j * trel] for j in range(11)]
    scores["iAP"] = sum(max(level, default=0.0) for level in levels) / 11 if trel else 0.0
    for r in CUTOFFS:
        p, found = precision(r), recall(r)
        scores |= {f"P@{r}": p, f"R@{r}": found, f"F@{r}": 2 * p * found / (p + found) if p + found else 0.0}
    return scores


@given(QRELS, RUNS, ALPHAS)
def test_every_measure_is_the_oracles(judged, results, alpha):
    view = view_of(judged, results, alpha)
    got = computed(view)
    for at, topic in enumerate(view.joined.topics):
        sets = {document: marked(passages) for (t, document), passages in judged.items() if t == topic}
        wanted = oracle(sets, [(d, p) for t, d, p in results if t == topic], alpha)
        assert {name: scores[at] for name, scores in got.items()} == pytest.approx(wanted, abs=1e-12)


def test_a_hand_worked_ranking_with_overlap_on_off_and_half():
    # 20 characters of a are highlighted; a section of 40 holds them all, its first paragraph 10 of 10
    judged = {("1", "a"): [(0, 20)]}
    results = [("1", "a", (0, 40)), ("1", "a", (0, 10))]
    on, half, off = (view_of(judged, results, alpha) for alpha in (1.0, 0.5, 0.0))
    assert [view.rval.tolist() for view in (on, half, off)] == [[20, 0], [20, 5], [20, 10]]
    assert hixeval.precision(on, 2)[0] == 0.25
    assert hixeval.precision(half, 2)[0] == 0.5
    assert hixeval.precision(off, 2)[0] == 0.75
    assert hixeval.recall(on, 10)[0] == 1
    assert hixeval.average_precision(on)[0] == 0.5
    assert hixeval.average_precision(off)[0] == pytest.approx((0.5 + 0.75) / 2 * 1.5)
    # all is found at rank 1: the interpolated precision is the best from there on
    assert hixeval.interpolated_average_precision(on)[0] == pytest.approx(0.5)
    assert hixeval.interpolated_average_precision(off)[0] == pytest.approx(0.75)
