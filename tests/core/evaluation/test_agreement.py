"""Agreement of two assessors against counting characters one by one, and examples worked by hand."""

import math
from dataclasses import replace
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.evaluation.agreement import (
    Contingency,
    GradePairs,
    agree,
    agree_among,
    agree_on_elements,
    specificity_grade,
)
from inexview.core.judgements.elements import ElementJudgement, ElementQrels
from inexview.core.judgements.qrels import Joint, Judgement, Qrels, joint_judgements
from inexview.core.text.spans import Spans

LENGTH = 40
PASSAGES = st.lists(
    st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 12)).map(lambda p: (p[0], min(LENGTH, sum(p)))),
    max_size=3,
)
BEPS = st.none() | st.integers(0, LENGTH - 1)
ASSESSOR = st.dictionaries(
    st.tuples(st.sampled_from(["1", "2"]), st.sampled_from("abcd")), st.tuples(PASSAGES, BEPS), min_size=1
)


def judgement(topic, document, passages, bep=None, length=LENGTH):
    spans = Spans(passages)
    return Judgement(topic, document, spans.size, length, bep, spans)


def qrels(assessor):
    return Qrels.from_judgements(
        judgement(topic, document, passages, bep) for (topic, document), (passages, bep) in assessor.items()
    )


def marked(passages):
    return {c for start, end in passages for c in range(start, end)}


@given(ASSESSOR, ASSESSOR)
def test_characters_documents_and_kappa_are_those_of_sets(left, right):
    got = agree(qrels(left), qrels(right))
    common = [key for key in left if key in right]
    a = {(key, c) for key in common for c in marked(left[key][0])}
    b = {(key, c) for key in common for c in marked(right[key][0])}
    characters = got.overall.compared.get("characters", Contingency(0, 0, 0, 0))
    assert (characters.both, characters.only_a, characters.only_b) == (len(a & b), len(a - b), len(b - a))
    total = len(common) * LENGTH
    assert characters.neither == total - len(a | b)
    if total:
        observed = 1 - len(a ^ b) / total
        chance = len(a) / total * len(b) / total + (1 - len(a) / total) * (1 - len(b) / total)
        if chance < 1:
            assert characters.kappa == pytest.approx((observed - chance) / (1 - chance))
        else:
            assert math.isnan(characters.kappa)
    relevant_a, relevant_b = {key for key, _ in a}, {key for key, _ in b}
    documents = got.overall.compared.get("documents", Contingency(0, 0, 0, 0))
    assert documents.both == len(relevant_a & relevant_b)
    assert documents.either == len(relevant_a | relevant_b)
    assert documents.either + documents.neither == len(common)
    both_enter = [key for key in common if left[key][1] is not None and right[key][1] is not None]
    distances = [abs(left[key][1] - right[key][1]) for key in both_enter]
    assert sorted(got.overall.entry_distances) == sorted(distances)
    if distances:
        assert got.overall.median_entry_distance == median(distances)


@given(ASSESSOR)
def test_an_assessor_agrees_with_himself(assessor):
    got = agree(qrels(assessor), qrels(assessor))
    assert got.only_a == got.only_b == ()
    assert got.overall.judged.overlap == 1
    for counted in got.overall.compared.values():
        assert counted.only_a == counted.only_b == 0
        assert math.isnan(counted.overlap) or counted.overlap == 1
    assert set(got.overall.entry_distances) <= {0}


def test_a_hand_worked_topic():
    a = Qrels.from_judgements(
        [judgement("1", "x", [(0, 30)], 0, 100), judgement("1", "y", [], None, 50), judgement("1", "z", [])]
    )
    b = Qrels.from_judgements(
        [
            judgement("1", "x", [(20, 60)], 24, 100),
            judgement("1", "y", [(0, 10)], 5, 50),
            judgement("2", "x", []),
        ]
    )
    got = agree(a, b)
    assert (got.only_a, got.only_b) == ((), ("2",))
    (topic,) = got.topics
    assert topic.judged == Contingency(both=2, only_a=1, only_b=0)
    assert topic.compared["documents"] == Contingency(1, 0, 1, 0)
    # x: 10 of 60 characters common, 40 untouched; y: no one common, 40 untouched
    assert topic.compared["characters"] == Contingency(10, 20, 40, 80)
    assert topic.compared["characters"].overlap == pytest.approx(1 / 7)
    # observed 90/150; chance (30·50 + 120·100)/150² = 0.6: no better than chance
    assert topic.compared["characters"].kappa == pytest.approx(0.0, abs=1e-15)
    # a grades x as S1 (0.3); b grades x as S2 (0.4) and y as S1 (0.2)
    assert topic.compared["S1"] == Contingency(0, 1, 1)
    assert topic.compared["S2"] == Contingency(0, 0, 1)
    assert topic.entry_distances == (24,)
    assert topic.median_entry_distance == 24


def test_a_document_relevant_without_passages_is_left_out_of_the_characters_and_counted():
    graded = Qrels.from_judgements([Judgement("1", "x", 1, 0, None, Spans())])
    marked_up = Qrels.from_judgements([judgement("1", "x", [(0, 7)])])
    (topic,) = agree(graded, marked_up).topics
    assert topic.unlocated == 1
    assert topic.compared["characters"] == Contingency(0, 0, 0, 0)
    assert topic.compared["documents"].both == 1


def test_passages_that_run_past_the_stated_length_never_give_a_negative_rest():
    a = Qrels.from_judgements([judgement("1", "x", [(0, 30)], length=10)])
    (topic,) = agree(a, a).topics
    assert topic.compared["characters"] == Contingency(30, 0, 0, 0)


@pytest.mark.parametrize(
    ("rsize", "size", "grade"),
    [(0, 9, None), (3, 9, "S1"), (4, 9, "S2"), (6, 9, "S2"), (7, 9, "S3"), (9, 9, "S3"), (12, 9, "S3")],
)
def test_specificity_grades_include_their_upper_bounds(rsize, size, grade):
    assert specificity_grade(rsize, size) == grade


def test_elements_and_their_grades():
    a = ElementQrels(
        [
            ("1", "x", [ElementJudgement("/a[1]", 2, 90, 30), ElementJudgement("/a[1]/p[1]", 1, 30, 30)]),
            ("1", "y", []),
            ("1", "only a", [ElementJudgement("/a[1]", 2, 10, 10)]),
        ]
    )
    b = ElementQrels(
        [
            ("1", "x", [ElementJudgement("/a[1]", 1, 90, 60), ElementJudgement("/a[1]/p[1]", 1, 30, 25)]),
            ("1", "y", [ElementJudgement("/a[1]", 0, 10, 1)]),
        ]
    )
    (topic,) = agree_on_elements(a, b).topics
    assert topic.judged == Contingency(2, 1, 0)
    assert topic.compared["documents"] == Contingency(1, 0, 1, 0)
    assert topic.compared["elements"] == Contingency(2, 0, 1)
    assert topic.compared["E1"] == Contingency(1, 0, 1)
    assert topic.compared["E2"] == Contingency(0, 1, 0)
    assert topic.compared["E?"] == Contingency(0, 0, 1)
    assert topic.compared["S1"] == Contingency(0, 1, 1)
    assert topic.compared["S3"] == Contingency(1, 0, 0)
    assert math.isnan(topic.compared["elements"].kappa)
    assert topic.graded == {"E": GradePairs.of([(2, 1), (1, 1)]), "S": GradePairs.of([(1, 2), (3, 3)])}


def test_specificities_of_documents_are_paired_as_the_assessors_are():
    a = qrels({("1", "a"): ([(0, 10)], None), ("1", "b"): ([], None), ("1", "c"): ([(0, 40)], None)})
    b = qrels({("1", "a"): ([(0, 39)], None), ("1", "b"): ([(0, 20)], None), ("1", "d"): ([(0, 9)], None)})
    assert agree(a, b).topics[0].graded == {"S": GradePairs.of([(1, 3), (0, 2)])}
    assert agree(b, a).topics[0].graded == {"S": GradePairs.of([(3, 1), (2, 0)])}


def test_without_a_common_topic_there_is_nothing_to_compare():
    got = agree(qrels({("1", "a"): ([], None)}), qrels({("2", "a"): ([], None)}))
    assert got.topics == ()
    assert (got.only_a, got.only_b) == (("1",), ("2",))
    assert math.isnan(got.overall.judged.overlap)
    assert math.isnan(got.overall.median_entry_distance)


def test_passages_beside_no_relevant_character_are_no_relevant_text():
    told = Judgement("1", "a", 0, 9, None, Spans([(0, 4)]))
    a, b = (Qrels.from_judgements([row]) for row in (told, replace(told, rsize=4)))
    assert agree(a, b).overall.compared["characters"] == Contingency(0, 0, 4, 5)
    by_chance = (8 / 27) ** 2 + (19 / 27) ** 2  # of 9 characters two of three marked 4
    fleiss = ((4 / 3 + 5) / 9 - by_chance) / (1 - by_chance)
    assert agree_among([a, b, b]).fleiss_characters == pytest.approx(fleiss)
    assert joint_judgements(a, b, Joint.INTERSECTION).at(0).rsize == 0
