"""The ranking of chunks of a topic: what each brings, what is read, and what its faults cost."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import Judgement, Qrels, Result, Run, Spans, evaluate
from inexview.core.collection.collection import Collection
from inexview.core.evaluation.chunkers import Reading
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.explain import derive_topic
from inexview.core.judgements.runs import Task
from inexview.core.measures.measure import parse
from inexview.core.open_runs.chunk_ranking import (
    ChunkFault,
    ChunkRanking,
    ChunkState,
    Shared,
    chunk_table,
    chunk_words,
    cut_in_words,
    derive_chunk_cost,
)
from inexview.core.open_runs.scoring import ScoringChoice
from tests.core.strategies import judged_documents, qrels_of, rankings, run_of


def at_k(measure, k):
    return Reading(k=k).at_k(measure)


def at_budget(measure, budget):
    return Reading(characters=budget).at_characters(measure)


SETTINGS = ScoringChoice().settings(Task.CHUNKS)
DEPTHS = st.integers(1, 13)


def ranked(judged, ranking):
    return ChunkRanking(qrels_of({"1": judged}), run_of({"1": ranking}), "1", SETTINGS)


def characters(result):
    """The characters of a chunk; one without a place is read too, and is like no other text."""
    document, start, size = result
    return [] if start is None else [(document, at) for at in range(start, start + size)]


def relevant_of(judged):
    return {(name, at) for name, (rsize, _, _, marked) in judged.items() if rsize for at in marked}


def scores_of(read, relevant):
    """IoU and Chroma's IoU of text that is read, some of it several times."""
    covered = set(read)
    hits, missed = len(covered & relevant), len(relevant - covered)
    return tuple(hits / below if below else 0.0 for below in (len(covered | relevant), len(read) + missed))


@given(judged_documents(), rankings(), DEPTHS)
def test_every_chunk_has_its_new_and_repeated_text(judged, ranking, k):
    found = ranked(judged, ranking)
    relevant, seen = relevant_of(judged), {}
    assert len(found.chunks) == len(ranking)
    for rank, (chunk, result) in enumerate(zip(found.chunks, ranking, strict=True), 1):
        own = characters(result)
        assert (chunk.rank, chunk.document, chunk.start) == (rank, *result[:2])
        assert chunk.relevant == len(set(own) & relevant)
        repeats = Counter(seen[at] for at in own if at in seen)
        assert chunk.repeats == tuple(Shared(*one) for one in sorted(repeats.items()))
        for at in own:
            seen.setdefault(at, rank)
        if result[1] is None:
            assert chunk.state is ChunkState.NOWHERE
        elif chunk.relevant:
            assert chunk.state is ChunkState.RELEVANT
        else:
            there = result[0] in judged
            assert chunk.state is (ChunkState.NOT_RELEVANT if there else ChunkState.UNJUDGED)
        shared = {
            other: len(set(own) & set(characters(one)))
            for other, one in enumerate(ranking, 1)
            if other != rank
        }
        assert found.shared_by(rank) == tuple(Shared(*one) for one in shared.items() if one[1])


@given(judged_documents(), rankings(), DEPTHS, st.integers(1, 60))
def test_the_text_read_equals_the_measures(judged, ranking, k, budget):
    qrels, run = qrels_of({"1": judged}), run_of({"1": ranking})
    found = ranked(judged, ranking)
    names = ("char_rec", "char_prec", "char_iou", "chroma_iou", "intact", "chars")
    wanted = [name for one in names for name in (at_k(one, k), at_budget(one, budget))]
    scored = evaluate(qrels, run, preset="chunks", measures=wanted)[0].topic("1")
    for read, named in (
        (found.first(k), lambda name: at_k(name, k)),
        (found.within(budget), lambda name: at_budget(name, budget)),
    ):
        whole = read.whole / read.passages if read.passages else 0.0
        values = (read.recall, read.precision, read.iou, read.chroma_iou)
        ours = [*(ratio.value for ratio in values), whole, read.read]
        assert ours == pytest.approx([scored[named(name)] for name in names], abs=1e-12)


@given(judged_documents(), rankings(), st.integers(1, 120))
def test_the_curve_has_the_recall_of_every_budget(judged, ranking, budget):
    found = ranked(judged, ranking)
    read, recall = found.curve
    assert all(before <= after for before, after in pairwise(read.tolist()))
    within = found.within(budget)
    last = np.flatnonzero(read <= budget)[-1]
    exact = recall[last]
    if last + 1 < len(read):
        exact = np.interp(budget, read[last : last + 2], recall[last : last + 2])
    assert exact == pytest.approx(within.recall.value, abs=1e-12)


@given(judged_documents(), rankings(), st.integers(1, 80))
def test_a_budget_reaches_as_far_as_its_characters(judged, ranking, budget):
    found = ranked(judged, ranking)
    whole, more = found.reach(budget)
    sizes = [chunk.size for chunk in found.chunks]
    assert sum(sizes[:whole]) + more == min(budget, sum(sizes))
    assert more == 0 or more < sizes[whole]


def mended(cost, ranking, k, covered):
    """What is read with a fault put right, chunk by chunk."""
    place = set() if cost.start is None else {(cost.document, at) for at in range(cost.start, cost.end)}
    first = [characters(result) for result in ranking[:k]]
    if cost.fault in (ChunkFault.MISSED, ChunkFault.CUT):
        return [*first, sorted(place)]
    if cost.fault is ChunkFault.FALSE_ALARM:
        return [[at for at in own if at not in place] for own in first]
    if cost.fault is ChunkFault.REPEATED:
        before = {at for own in first[: cost.rank - 1] for at in own}
        first[cost.rank - 1] = [at for at in first[cost.rank - 1] if at not in before]
    else:
        first[cost.rank - 1] = []
    return first


@given(judged_documents(), rankings().map(lambda drawn: [one for one in drawn if one[1] is not None]), DEPTHS)
def test_a_cost_is_the_gain_with_the_fault_corrected(judged, ranking, k):
    if not ranking:
        return
    found, relevant = ranked(judged, ranking), relevant_of(judged)
    first = [at for result in ranking[:k] for at in characters(result)]
    before, covered = scores_of(first, relevant), set(first)
    costs = found.costs(k)
    assert list(costs) == sorted(costs, key=lambda cost: (*(-gain for gain in cost.gains), cost.start))
    for cost in costs:
        after = scores_of([at for own in mended(cost, ranking, k, covered) for at in own], relevant)
        assert cost.gains == pytest.approx([new - old for new, old in zip(after, before, strict=True)])
        derived = derive_chunk_cost(cost, k, chroma=True)
        assert derived.value == pytest.approx(after[1] - before[1])
    missed = {
        (cost.document, at)
        for cost in costs
        if cost.fault in (ChunkFault.MISSED, ChunkFault.CUT)
        for at in range(cost.start, cost.end)
    }
    assert missed == relevant - covered
    if relevant:
        told = {
            (cost.document, at)
            for cost in costs
            if cost.fault in (ChunkFault.FALSE_ALARM, ChunkFault.ELSEWHERE)
            for at in range(cost.start, cost.end)
        }
        assert told >= covered - relevant or not covered & relevant  # without hits nothing more can be lost


@given(judged_documents(), rankings(), DEPTHS)
def test_missed_text_knows_when_it_is_read_and_where_it_is_cut(judged, ranking, k):
    found = ranked(judged, ranking)
    for cost in found.costs(k):
        if cost.fault not in (ChunkFault.MISSED, ChunkFault.CUT):
            continue
        left, rank = {(cost.document, at) for at in range(cost.start, cost.end)}, None
        for at, result in enumerate(ranking[k:], k + 1):
            left -= set(characters(result))
            if not left:
                rank = at
                break
        assert cost.rank == rank
        assert (cost.cut is None) is (cost.fault is ChunkFault.MISSED)
        if cost.cut is not None:
            assert cost.cut in (cost.start, cost.end)
            assert cost.cut in found.cuts(cost.document, k)


@given(judged_documents(), rankings(), DEPTHS)
def test_a_cut_is_a_border_in_a_passage_that_no_chunk_holds_whole(judged, ranking, k):
    found = ranked(judged, ranking)
    held = [set(characters(result)) for result in ranking[:k]]
    for document, (_, length, _, marked) in judged.items():
        passages = Spans((at, at + 1) for at in marked)
        borders = {
            edge
            for name, start, size in ranking[:k]
            if name == document and start is not None
            for edge in (start, start + size)
        }
        expected = [
            at
            for at in range(length)
            for start, end in passages
            if start < at < end
            and at in borders
            and not any({(document, one) for one in range(start, end)} <= own for own in held)
            and not any({(document, at - 1), (document, at)} <= own for own in held)
        ]
        assert list(found.cuts(document, k)) == expected


def test_without_judgements_there_are_chunks_and_no_figures():
    found = ChunkRanking(None, run_of({"1": [("a", 3, 4), ("a", 5, 4)]}), "1", SETTINGS)
    assert [chunk.state for chunk in found.chunks] == [ChunkState.UNJUDGED] * 2
    assert found.chunks[1].repeats_in_words == "repeats 2 of 1"
    assert (found.first(1), found.within(5), found.costs(1), found.judged) == (None, None, (), False)
    assert len(found.curve[0]) == 0


def test_a_chunk_without_a_place_is_read_and_costs():
    qrels = Qrels.from_judgements([Judgement("1", "a", 10, 100, None, Spans([(10, 20)]))])
    run = Run.from_results([Result("1", "a", 1, None, 10, 20), Result("1", "a", 2, None, -1, 39)])
    found = ChunkRanking(qrels, run, "1", SETTINGS)
    assert found.first(2).precision.value == 10 / 50
    (cost,) = found.costs(2)
    assert (cost.fault, cost.start, cost.rank) == (ChunkFault.NOWHERE, None, 2)
    assert cost.gains == pytest.approx((1 - 10 / 50, 1 - 10 / 50))


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (19, "cut in two at “(Re|ceiving Party)”"),
        (16, "cut in two at “party |(Receiving Party)”"),
        (15, "cut in two at “party| (Receiving Party)”"),
    ],
)
def test_a_cut_is_described_by_the_words_around_it(at, expected):
    assert cut_in_words("the other\n party (Receiving Party) in", at + 1) == expected


def test_a_cut_between_blanks_is_described_by_its_place():
    assert cut_in_words(" " * 5000, 2500) == "cut in two at 2,500"


@given(judged_documents(), rankings(), DEPTHS)
def test_a_measure_of_chunks_is_derived_from_its_rows(judged, ranking, k):
    names = ("char_rec", "char_prec", "char_iou", "chroma_prec", "chroma_iou", "lbr_prec", "lbr_rec")
    wanted = [*(at_k(name, k) for name in names), at_budget("char_rec", 7)]
    measures = tuple(map(parse, [*wanted, "char_f1", "chars", "redundancy", "intact"]))
    settings = replace(SETTINGS, measures=measures)
    qrels, run = qrels_of({"1": judged}), run_of({"1": ranking})
    derived = derive_topic(qrels, run, settings, "1")
    scored = score_run(qrels, run, settings).topic("1")
    assert {name: one.value for name, one in derived.items()} == pytest.approx(scored)
    for name in wanted:
        assert derived[name].fraction.value == pytest.approx(derived[name].value, abs=1e-12)
    for at, without in enumerate(derived[wanted[-1]].without):
        others = [result for place, result in enumerate(ranking) if place != at]
        left = ranked(judged, others).within(7).recall.value if others else 0.0
        assert without == pytest.approx(left, abs=1e-12)


def test_a_table_of_chunks_has_all_that_is_known_of_each():
    qrels = Qrels.from_judgements([Judgement("1", "a", 10, 100, None, Spans([(10, 20)]))])
    chunks = [
        Result("1", "a", 1, 0.5, 10, 30),
        Result("1", "a", 2, None, -1, 39),
        Result("1", "b", 3, 0.25, 0, 5),
    ]
    table = chunk_table(ChunkRanking(qrels, Run.from_results(chunks), "1", SETTINGS).chunks, "t", "s", 2)
    assert table.values == [
        [1, "a", "relevant", 10, 20, 0.5, 10, 0.5, 0],
        [2, "a", "not found in the text", "", 40, "", 0, 0.0, 0],
        [3, "b", "unjudged", 0, 5, 0.25, "", "", 0],
    ]
    assert [cell.text for cell in table.rows[2]] == ["3", "b", "unjudged", "0", "5", "0.2500", "–", "–", "0"]
    assert "the first 2 count" in table.latex


def test_chunks_of_one_document_are_named_by_their_first_words(tmp_path):
    for name, text in (("a", "Oil is pressed. Fruit is crushed first."), ("b", "Once")):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    chunks = [
        Result("1", "a", 1, None, 0, 15),
        Result("1", "b", 2, None, 0, 4),
        Result("1", "a", 3, None, 18, 39),
        Result("1", "gone", 4, None, 0, 4),
        Result("1", "gone", 5, None, 2, 4),
    ]
    found = ChunkRanking(None, Run.from_results(chunks), "1", SETTINGS)
    with closing(Collection.open(tmp_path)) as collection:
        assert chunk_words(collection, found.chunks, 12) == {1: "Oil is press…", 3: "…uit is crush…"}
