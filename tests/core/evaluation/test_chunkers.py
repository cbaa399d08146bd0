"""Chunkers compared at the same number of chunks and at the same number of characters."""

import math
from dataclasses import replace

import numpy as np
import pytest

from inexview import Judgement, Qrels, Result, Run, Spans, evaluate
from inexview.core.evaluation.chunkers import (
    BUDGETS,
    Chunkers,
    Reading,
    at_budgets,
    budget_table,
    reading_table,
    takes_reading,
)
from inexview.core.evaluation.comparison import compare
from inexview.core.formats.chunk_runs import handed_out, read_chunk_run
from inexview.core.judgements.runs import Task

TOPICS = [f"q{number}" for number in range(30)]
READING = Reading(k=2, characters=200)


def qrels(start=100, length=100):
    """One relevant passage a topic, in a document of its own."""
    passage = Spans([(start, start + length)])
    return Qrels.from_judgements(Judgement(topic, topic, length, 10_000, None, passage) for topic in TOPICS)


def run(id, chunks):
    """The same chunks for every topic."""
    results = [
        Result(topic, topic, rank, None, start, end)
        for topic in TOPICS
        for rank, (start, end) in enumerate(chunks, 1)
    ]
    return Run.from_results(results, id=id, task=Task.CHUNKS)


def chunkers(*runs, reading=READING, measure="char_rec"):
    scores = list(evaluate(qrels(), list(runs), preset="chunks", measures=reading.asked([measure])))
    both = (compare(scores, name) for name in (reading.at_k(measure), reading.at_characters(measure)))
    return scores, Chunkers.of(scores, reading, *both)


SMALL = run("small", [(0, 100), (100, 200), (200, 300)])
LARGE = run("large", [(5000, 5200), (0, 400), (200, 600)])  # finds it at k = 2, after 200 characters
EARLY = run("early", [(100, 200), (5000, 6000)])
LATE = run("late", [(5000, 5200), (5200, 5400), (100, 300)])


def test_runs_that_differ_only_by_the_amount_read():
    found = chunkers(run("none", [(5000, 5100), (5100, 5200)]), LARGE)[1]
    assert found.read.tolist() == [200, 600]
    assert [*found.to_be_said()] == [
        "large and none differ significantly at the same k (+1.0000), but not at 200 characters each "
        "(+0.0000): at k = 2 they read 600 and 200 characters"
    ]


def test_runs_that_differ_only_at_the_same_characters():
    found = chunkers(SMALL, LARGE)[1]
    assert [*found.to_be_said()] == [
        "small and large differ significantly at 200 characters each (+1.0000), but not at the same k "
        "(+0.0000): at k = 2 they read 200 and 600 characters"
    ]


def test_runs_that_differ_both_ways_and_runs_without_a_significant_difference():
    (both,) = chunkers(EARLY, LATE)[1].to_be_said()
    assert both.startswith(
        "early and late differ significantly at the same k (+1.0000) and at 200 characters each (+1.0000)"
    )
    (neither,) = chunkers(SMALL, replace(SMALL, id="again"))[1].to_be_said()
    assert neither == (
        "small and again do not differ significantly at k = 2 (+0.0000) or at 200 characters each "
        "(+0.0000); at k = 2 they read 200 and 200 characters"
    )


def test_runs_whose_order_reverses_at_the_same_characters():
    big, sure = run("big", [(0, 150), (150, 900)]), run("sure", [(100, 180), (5000, 5020)])
    (said,) = chunkers(big, sure, reading=Reading(2, 100))[1].to_be_said()
    assert said.startswith("big and sure differ significantly at the same k (+0.2000), ")
    assert "but in the opposite direction at 100 characters each" in said


def test_among_several_runs_only_pairs_with_different_verdicts_are_named():
    found = chunkers(SMALL, LARGE, EARLY)[1]
    named = [said.split(" differ ")[0] for said in found.to_be_said()]
    assert named == [
        "small and large",
        "large and early",
    ]


def test_repeated_text_is_counted_separately():
    scores, found = chunkers(run("again", [(0, 100), (50, 150)]), SMALL)
    assert found.twice == pytest.approx([50, 0])
    table = reading_table(scores, found)
    assert [[cell.said for cell in row] for row in table.rows] == [
        ["again", "200", "50", "0.0000"],
        ["small", "200", "0", "1.0000"],
    ]


def test_budgets_are_each_compared_and_corrected_for_all_of_them():
    scores, _ = chunkers(SMALL, LARGE)
    budgets = at_budgets(scores, "char_rec", READING)
    assert [one.characters for one in budgets] == [200, *BUDGETS]
    at_200, at_500, *_ = budgets
    assert at_200.means == (1.0, 0.0)
    assert at_200.difference == 1.0
    assert at_200.p < 0.001
    assert at_200.corrected == pytest.approx(min(1.0, at_200.p * len(budgets)))
    assert at_500.means == (1.0, 1.0)
    assert at_500.p == 1.0
    table = budget_table(["small", "large"], "char_rec", budgets)
    assert [cell.said for cell in table.rows[0]] == ["200", "1.0000", "0.0000", "+1.0000†", "< 0.001"]
    three = at_budgets(chunkers(SMALL, LARGE, EARLY)[0], "char_rec", READING)
    assert all(math.isnan(one.p) for one in three)
    assert len(three[0].means) == 3


@pytest.mark.parametrize(
    ("measure", "takes"),
    [("char_rec", True), ("found[0.50]", True), ("prec_omega", True), ("char_rec@5", False),
     ("char_iou(budget=100)", False), ("found(k=2)[0.50]", False), ("AiP", False)],
)  # fmt: skip
def test_which_measures_can_be_read_so_far(measure, takes):
    assert takes_reading(measure) is takes


def test_every_measure_of_chunks_is_scored_both_ways():
    names = ["char_rec", "found[0.50]", "intact", "cuts"]
    scores = evaluate(qrels(), SMALL, preset="chunks", measures=READING.asked(names))[0]
    for name in names:
        assert {READING.at_k(name), READING.at_characters(name)} <= {*scores.names}


def test_a_list_of_chunks_is_handed_out_to_the_questions_whose_passages_it_holds_or_touches(tmp_path):
    path = tmp_path / "list.json"
    chunks = [
        {"document": "a", "text": "x" * 10, "start_index": at, "end_index": at + 10} for at in (0, 10, 30)
    ]
    path.write_text(str(chunks).replace("'", '"'), encoding="utf-8")
    judged = Qrels.from_judgements(
        [
            Judgement("1", "a", 5, 100, None, Spans([(12, 17)])),
            Judgement("2", "a", 10, 100, None, Spans([(20, 30)])),
            Judgement("3", "b", 10, 100, None, Spans([(0, 10)])),
        ]
    )
    given = handed_out(read_chunk_run(path), judged)
    assert {topic: [result.start for result in given.results(topic)] for topic in given.topics} == {
        "1": [10],
        "2": [10, 30],  # both only touch it
    }
    assert "name no question" in given.warnings[-1]
    scores = evaluate(judged, given, preset="chunks", measures=["prec_omega", "cuts", "char_rec"])[0]
    assert scores.topic("1") == {"prec_omega": 0.5, "cuts": 0.0, "char_rec": 1.0}
    assert scores.topic("2") == {"prec_omega": 0.0, "cuts": 0.0, "char_rec": 0.0}
    asked = replace(judged, topics=("list", "2", "3"))
    assert handed_out(read_chunk_run(path), asked).topics == ("list",)
    assert np.array_equal(handed_out(given, judged).ptr, given.ptr)
