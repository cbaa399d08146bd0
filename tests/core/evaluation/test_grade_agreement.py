"""Weighted κ and Fleiss' κ against their definitions and a published example."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import Judgement, Qrels, Spans
from inexview.core.evaluation.agreement import (
    Contingency,
    GradePairs,
    agree,
    agree_among,
    fleiss_kappa,
    specificity_level,
)

PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20)


@given(PAIRS, st.sampled_from([0, 1, 2]))
def test_weighted_kappa_is_one_less_weighted_disagreement_over_that_by_chance(pairs, power):
    def weight(x, y):
        return float(x != y) if power == 0 else abs(x - y) ** power

    observed = np.mean([weight(x, y) for x, y in pairs])
    expected = np.mean([weight(x, y) for x, _ in pairs for _, y in pairs])
    found = GradePairs.of(pairs).kappa(power)
    if expected:
        assert found == pytest.approx(1 - observed / expected, abs=1e-12)
    else:
        assert math.isnan(found)


def test_kappa_of_the_book_is_0_776():
    """Manning, Raghavan, Schütze, table 8.2: 300 and 70 agreed, 20 and 10 not."""
    assert Contingency(300, 20, 10, 70).kappa == pytest.approx(0.776, abs=5e-4)
    pairs = [(1, 1)] * 300 + [(1, 0)] * 20 + [(0, 1)] * 10 + [(0, 0)] * 70
    for power in (0, 1, 2):
        assert GradePairs.of(pairs).kappa(power) == pytest.approx(0.776, abs=5e-4)


def test_fleiss_kappa_of_fleiss_1971_as_it_is_taught():
    """14 raters, 10 subjects, 5 categories: κ = 0.210."""
    table = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    assert fleiss_kappa(table) == pytest.approx(0.210, abs=5e-4)
    twice = fleiss_kappa([*table, *table])
    assert fleiss_kappa(table, np.full(10, 2)) == pytest.approx(twice)
    assert math.isnan(fleiss_kappa([]))
    assert math.isnan(fleiss_kappa([(3, 0), (3, 0)]))


@given(st.integers(0, 60), st.integers(1, 60), st.integers(1, 10))
def test_the_level_of_specificity_is_the_part_of_the_scale(rsize, size, scale):
    rsize = min(rsize, size)
    level = specificity_level(rsize, size, scale)
    if not rsize:
        assert level == 0
    else:
        assert (level - 1) * size < scale * rsize <= level * size


def assessor(**marks):
    return Qrels.from_judgements(
        Judgement("1", document, Spans(spans).size, 20, None, Spans(spans))
        for document, spans in marks.items()
    )


def test_more_than_two_assessors_are_compared_pair_by_pair_and_all_together():
    first = assessor(a=[(0, 10)], b=[], c=[(5, 8)])
    second = assessor(a=[(5, 10)], b=[], c=[])
    third = assessor(a=[(0, 10)], b=[(0, 1)], c=[(5, 8)], d=[(0, 20)])
    found = agree_among([first, second, third])
    assert set(found.pairs) == {(0, 1), (0, 2), (1, 2)}
    assert found.documents == 3
    relevant = [(3, 0), (1, 2), (2, 1)]
    assert found.fleiss_documents == pytest.approx(fleiss_kappa(relevant))
    characters = []
    for document in "abc":
        for at in range(20):
            marked = sum(
                any(start <= at < end for start, end in own.judgement("1", document).passages)
                for own in (first, second, third)
            )
            characters.append((marked, 3 - marked))
    assert found.fleiss_characters == pytest.approx(fleiss_kappa(characters))
    overlaps = [pair.overall.compared["documents"].overlap for pair in found.pairs.values()]
    assert found.mean("documents")[0] == pytest.approx(sum(overlaps) / 3)


def test_topics_count_alike_in_the_mean_and_by_their_size_when_pooled():
    def both(one, two):
        return Qrels.from_judgements(
            Judgement(topic, str(at), int(mark), 10, None, Spans([(0, 1)] if mark else []))
            for topic, marks in (("1", one), ("2", two))
            for at, mark in enumerate(marks)
        )

    agreement = agree(both([1, 1], [1] * 8), both([1, 0], [1] * 8))
    assert agreement.overall.compared["documents"].overlap == 9 / 10
    assert agreement.mean("documents")[0] == (1 / 2 + 1) / 2
