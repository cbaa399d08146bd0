"""Agreement of two assessors against counting characters one by one, and examples worked by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.cli import main
from inexview.core.evaluation.agreement import (
    Contingency,
    GradePairs,
    agree,
    agree_among,
    agree_on_elements,
    describe,
    describe_elements,
    fleiss_kappa,
    specificity_grade,
    specificity_level,
)
from inexview.core.judgements.elements import ElementJudgement, ElementQrels
from inexview.core.judgements.qrels import Joint, Judgement, Qrels, joint_judgements
from inexview.core.text.spans import Spans
from tests.core.strategies import TOPICS, judged_documents, qrels_of

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


def test_passages_with_an_rsize_of_0_are_not_relevant_text():
    told = Judgement("1", "a", 0, 9, None, Spans([(0, 4)]))
    a, b = (Qrels.from_judgements([row]) for row in (told, replace(told, rsize=4)))
    assert agree(a, b).overall.compared["characters"] == Contingency(0, 0, 4, 5)
    by_chance = (8 / 27) ** 2 + (19 / 27) ** 2  # of 9 characters two of three marked 4
    fleiss = ((4 / 3 + 5) / 9 - by_chance) / (1 - by_chance)
    assert agree_among([a, b, b]).fleiss_characters == pytest.approx(fleiss)
    assert joint_judgements(a, b, Joint.INTERSECTION).at(0).rsize == 0


# Weighted κ and Fleiss' κ against their definitions and a published example.

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


# What judgements are like, by hand and on every made collection.


@given(st.dictionaries(st.sampled_from(TOPICS), judged_documents(), min_size=1))
def test_the_figures_are_counts_of_the_judgements(judged):
    qrels = qrels_of(judged)
    described = describe(qrels)
    assert [topic.topic for topic in described.topics] == list(judged)
    for topic in described.topics:
        own = qrels.judgements(topic.topic)
        relevant = [one for one in own if one.rsize > 0]
        assert (topic.judged, topic.relevant) == (len(own), len(relevant))
        assert topic.passages == sum(one.passage_count for one in relevant)
        assert topic.characters == sum(one.rsize for one in relevant)
        assert topic.entries == sum(one.bep is not None for one in relevant)
    assert described.total.judged == len(qrels)
    assert sum(described.shares.values()) == described.total.relevant
    entered = [
        one for one in qrels if one.rsize > 0 and one.passages and one.bep == int(one.passages.starts[0])
    ]
    assert described.entry_at_first == len(entered)


def test_spreads_and_shares_by_hand():
    qrels = Qrels.from_judgements(
        [
            Judgement("1", "a", 30, 100, 0, Spans([(0, 10), (20, 40)])),
            Judgement("1", "b", 60, 100, 40, Spans([(40, 100)])),
            Judgement("1", "c", 0, 50, None, Spans()),
            Judgement("2", "a", 100, 100, 3, Spans([(0, 100)])),
        ]
    )
    described = describe(qrels)
    passage = described.spreads["characters of a passage"]
    assert (passage.mean, passage.median, passage.least, passage.most) == (47.5, 40, 10, 100)
    assert described.spreads["relevant documents of a topic"].mean == 1.5
    assert {high: count for high, count in described.shares.items() if count} == {0.35: 1, 0.65: 1, 1.0: 1}
    assert described.total.share == pytest.approx(190 / 300)


def test_elements_are_counted_by_both_grades():
    elements = [ElementJudgement("/a[1]", 2, 100, 90), ElementJudgement("/a[1]/b[1]", 0, 30, 10)]
    described = describe_elements(ElementQrels([("1", "x", elements), ("1", "y", [])]))
    assert described.elements == {("E2", "S3"): 1, ("E?", "S1"): 1}
    assert (described.total.judged, described.total.relevant, described.total.passages) == (2, 1, 2)
    assert describe_elements(ElementQrels([("1", "x", elements)]), scale=10).elements == {
        ("E2", "S9"): 1,
        ("E?", "S4"): 1,
    }


@pytest.mark.parametrize("format", ["table", "json", "csv", "latex"])
def test_the_command_prints_it_in_every_format(tmp_path, capsys, format):
    path = tmp_path / "qrels"
    path.write_text("1 Q0 a 30 100 0 0:30\n1 Q0 b 0 50\n")
    assert main(["describe", str(path), "--format", format]) == 0
    assert "30" in capsys.readouterr().out


def test_grades_of_trec_qrels_are_counted(tmp_path, capsys):
    path = tmp_path / "qrels"
    path.write_text("1 0 a 2\n1 0 b 0\n1 0 c 2\n")
    assert main(["describe", str(path)]) == 0
    out = capsys.readouterr().out
    assert [line.split() for line in out.splitlines() if line.strip().startswith("2 ")] == [
        ["2", "2", "0.6667"]
    ]
    assert math.isnan(describe(Qrels.from_judgements([])).total.share)
