"""XCG against examples worked by hand from the paper's definitions, and against brute force."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview.core.judgements.elements import ElementJudgement
from inexview.core.measures.elements import (
    QUANTISATIONS,
    effort_precision,
    gain_recall,
    ideal_elements,
    ideal_gains,
    mean_effort_precision,
    nxcg,
    run_gains,
)

GEN = QUANTISATIONS["gen"]
A, S1, S2, P1, P2 = "/a[1]", "/a[1]/s[1]", "/a[1]/s[2]", "/a[1]/s[1]/p[1]", "/a[1]/s[1]/p[2]"


def elements(*judged):
    return {path: ElementJudgement(path, e, size, rsize) for path, e, size, rsize in judged}


ARTICLE = {"d": elements((A, 2, 100, 40), (S1, 2, 50, 40), (P1, 1, 20, 20), (P2, 2, 25, 20))}
# gen: A 0.8, S1 1.6, P1 1.0, P2 1.6


def test_quantisations_of_every_grade():
    too_small, partly, highly, full = (
        ElementJudgement(A, e, size, rsize)
        for e, size, rsize in ((0, 10, 5), (1, 10, 5), (2, 10, 5), (2, 10, 10))
    )
    values = {
        name: [quantise(e) for e in (too_small, partly, highly, full)]
        for name, quantise in QUANTISATIONS.items()
    }
    assert values == {"gen": [0, 0.5, 1, 2], "genLifted": [0.5, 1, 1.5, 3], "strict": [0, 0, 0, 1]}


def test_an_element_without_characters_gains_nothing():
    assert [quantise(ElementJudgement(A, 2, 0, 0)) for quantise in QUANTISATIONS.values()] == [0, 0, 0]


def test_the_full_recall_base_ranks_every_relevant_element():
    assert ideal_gains(ARTICLE, GEN, overlap=False).tolist() == [1.6, 1.6, 1.0, 0.8]


def test_the_ideal_recall_base_keeps_of_equals_the_deeper_and_nothing_twice():
    # P1's way keeps S1 (1.6 > 1.0); P2's way keeps P2 (as good as S1, and deeper); S1 holds P2 and goes
    assert ideal_elements({A: 0.8, S1: 1.6, P1: 1.0, P2: 1.6}) == {P2}
    assert ideal_elements({A: 2.0, S1: 1.6, P1: 1.0}) == {A}
    assert ideal_elements({A: 0.5, S1: 0.6, S2: 0.7}) == {S1, S2}
    assert ideal_elements({}) == set()


def test_overlap_off_gains_the_value_each_time():
    ranking = [("d", S1), ("d", P1), ("d", "/a[1]/b[9]"), ("unjudged", A), ("d", S1)]
    assert run_gains(ranking, ARTICLE, GEN, alpha=None).tolist() == [1.6, 1.0, 0, 0, 1.6]


def test_overlap_on_gains_less_for_seen_text():
    # P1 new; S1 partly seen: α·(gain(P1)·20 + gain(P2)·25)/50 + (1−α)·1.6; then P2 and S1 are fully seen
    alpha = 0.75
    partly = alpha * (0.25 * 1.0 * 20 + 1.6 * 25) / 50 + 0.25 * 1.6
    ranking = [("d", P1), ("d", S1), ("d", P2), ("d", S1)]
    got = run_gains(ranking, ARTICLE, GEN, alpha=alpha)
    assert got.tolist() == pytest.approx([1.0, partly, 0.25 * 1.6, 0.25 * 1.6])


def test_text_seen_in_one_document_stays_new_in_another():
    documents = {"d": ARTICLE["d"], "e": ARTICLE["d"]}
    assert run_gains([("d", S1), ("e", S1)], documents, GEN, alpha=1.0).tolist() == [1.6, 1.6]


def test_the_gain_of_a_container_looks_down_more_than_one_level():
    # P1 seen; A holds S1 (partly seen in turn) and nothing else
    of_s1 = (0.0 * 20 + 1.6 * 25) / 50
    got = run_gains([("d", P1), ("d", A)], ARTICLE, GEN, alpha=1.0)
    assert got.tolist() == pytest.approx([1.0, of_s1 * 50 / 100])


def test_an_irrelevant_part_that_was_seen_takes_nothing_away():
    assert run_gains([("d", P1 + "/it[1]"), ("d", P1)], ARTICLE, GEN, alpha=1.0).tolist() == [0, 1.0]


def test_the_measures_of_a_hand_worked_ranking():
    gains, ideal = np.array([0.0, 1.0, 2.0]), np.array([2.0, 1.0, 1.0])
    assert nxcg(gains, ideal, [1, 2, 3, 10]) == pytest.approx([0, 1 / 3, 3 / 4, 3 / 4])
    assert gain_recall(gains, ideal, [1, 2, 3, 10]) == pytest.approx([0, 1 / 4, 3 / 4, 3 / 4])
    # half the gain: the ideal has it at rank 1, the run at 3; three quarters: 2 and 3; all: never
    assert effort_precision(gains, ideal, [0.25, 0.5, 0.75, 1.0]) == pytest.approx([1 / 2, 1 / 3, 2 / 3, 0])
    # natural points: gain 1 at rank 2 (ideal: 1), gain 3 at rank 3 (ideal: 2), one ideal element never met
    assert mean_effort_precision(gains, ideal) == pytest.approx((1 / 2 + 2 / 3) / 3)


def test_a_topic_without_gain_or_a_run_without_results_scores_nothing():
    some, none = np.array([1.0, 0.5]), np.array([])
    for gains, ideal in ((none, some), (some * 0, some), (some, none), (none, none)):
        assert nxcg(gains, ideal, [1, 5]) == [0, 0]
        assert gain_recall(gains, ideal, [1, 5]) == [0, 0]
        assert effort_precision(gains, ideal, [0.5, 1.0]) == [0, 0]
        assert mean_effort_precision(gains, ideal) == 0


GAINS = st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.7, 1.0, 2.0]), min_size=1, max_size=8)


@given(GAINS)
def test_the_ideal_ranking_is_perfect_by_every_measure(values):
    ideal = np.sort(values)[::-1]
    ranks = range(1, len(ideal) + 3)
    assert nxcg(ideal, ideal, ranks) == [1] * len(ranks)
    assert effort_precision(ideal, ideal, [0.1, 0.5, 0.9, 1.0]) == [1] * 4
    assert mean_effort_precision(ideal, ideal) == pytest.approx(1)


@given(GAINS.flatmap(lambda values: st.tuples(st.just(values), st.permutations([*values, 0.0, 0.0]))))
def test_any_order_of_the_same_gains_stays_within_0_and_1_and_follows_the_definition(both):
    values, run = both
    ideal = np.sort(values)[::-1]
    gains = np.array(run)
    for r, got in zip((1, 3, 20), nxcg(gains, ideal, (1, 3, 20)), strict=True):
        assert got == pytest.approx(sum(run[:r]) / sum(ideal[:r]))
        assert got <= 1 + 1e-12
    points = []
    for rank in range(1, len(run) + 1):
        if run[rank - 1] > 0:
            level = sum(run[:rank]) - 1e-9
            points.append(next(i for i in range(1, len(ideal) + 1) if sum(ideal[:i]) >= level) / rank)
    assert mean_effort_precision(gains, ideal) == pytest.approx(sum(points) / len(ideal))
    assert 0 <= mean_effort_precision(gains, ideal) <= 1 + 1e-12


def tree(chance, path, size, below, judged):
    """Judge an element of so many characters, and what is in it; sizes of parts fit into it."""
    judged[path] = ElementJudgement(path, chance.choice([0, 1, 2]), size, chance.randint(1, size))
    left = size
    for number in range(1, chance.randint(0, 3) * bool(below) + 1):
        part = chance.randint(1, size)
        if part <= left:
            left -= part
            tree(chance, f"{path}/s[{number}]", part, below - 1, judged)
    return judged


@given(st.integers(0, 10**6), st.sampled_from([Fraction(1, 4), Fraction(1, 2), Fraction(1)]))
@settings(max_examples=30)
def test_gains_with_overlap_are_those_of_the_definition(seed, alpha):
    """What was seen counts (1−α); of what is seen in part, its parts count α, each as much as it is long."""
    chance = Random(seed)
    judged = tree(chance, A, chance.randint(1, 12), 3, {})
    values = {p: Fraction(e.exhaustivity * e.rsize, e.size) for p, e in judged.items()}
    inside = {p: [q for q in judged if q.startswith(f"{p}/")] for p in judged}
    ranking, seen, wanted = chance.choices(list(judged), k=5), set(), []

    def gain(path, within=False):
        if path in seen or within:
            return (1 - alpha) * values[path]
        if not seen.intersection(inside[path]):
            return values[path]
        parts = [p for p in inside[path] if p.count("/") == path.count("/") + 1]
        of_parts = sum(gain(p) * judged[p].size for p in parts) / judged[path].size
        return alpha * of_parts + (1 - alpha) * values[path]

    for path in ranking:
        wanted.append(gain(path, any(path in inside[p] for p in seen)))
        seen.add(path)
    found = run_gains([("d", p) for p in ranking], {"d": judged}, GEN, alpha=float(alpha))
    assert found == pytest.approx([float(value) for value in wanted])
    best = {
        p: max(it_and_those_around(p, values), key=lambda q: (values[q], q.count("/")))
        for p in leaves(values)
    }
    kept = {p for p in best.values() if not any(p != q and q.startswith(f"{p}/") for q in best.values())}
    assert ideal_gains({"d": judged}, GEN, overlap=True) == pytest.approx(
        sorted((float(values[p]) for p in kept), reverse=True)
    )


def leaves(values):
    """Return the innermost elements that have a value."""
    return [p for p, v in values.items() if v and not any(values[q] for q in values if q.startswith(f"{p}/"))]


def it_and_those_around(path, values):
    return [p for p in values if values[p] and (p == path or path.startswith(f"{p}/"))]
