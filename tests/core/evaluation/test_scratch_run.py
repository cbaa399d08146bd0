"""A scratch run scores what a whole evaluation says of the file that it is saved to, to the last digit."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview import Result, Run, Task
from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.evaluation.variants import ScratchRun, WhatIfScorer, enter, erase, mark, move, ranking_of
from inexview.core.formats.passage_lines import read_fol_run, write_fol_run
from inexview.core.judgements.runs import NO_LENGTH
from inexview.core.measures.measure import parse
from tests.core.scored_cases import MEASURES, random_judgements, random_ranking
from tests.core.strategies import DOCUMENTS, TOPICS, judged_documents, qrels_of, rankings, run_of, together

TASKS = list(MEASURES)
OFFSETS = st.integers(0, 40)


KINDS = st.sampled_from(["move", "mark", "erase", "enter"])


def one_step(topic, document, kind, at, start, size):
    """A topic and one thing done to its ranking, whatever that holds."""

    def step(ranking):
        match kind:
            case "move":
                return move(ranking, document, at - 15)
            case "mark":
                return mark(ranking, document, start, start + size)
            case "erase":
                return erase(ranking, document, start, start + size)
        return enter(ranking, document, start, 40, least=start + size)

    return topic, document, kind, step


ANY_TOPIC, ANY_DOCUMENT = st.sampled_from(TOPICS), st.sampled_from(DOCUMENTS + "xyz")
STEPS = st.lists(
    st.builds(one_step, ANY_TOPIC, ANY_DOCUMENT, KINDS, st.integers(0, 30), OFFSETS, st.integers(1, 15)),
    min_size=1,
    max_size=5,
)
ANY_TASK, SOME_TOPICS = st.sampled_from(TASKS), st.lists(ANY_TOPIC, unique=True, max_size=2)


@st.composite
def cases(draw):
    task = draw(ANY_TASK)
    judged = {topic: draw(judged_documents()) for topic in draw(SOME_TOPICS) or TOPICS}
    run = {topic: draw(rankings()) for topic in draw(SOME_TOPICS)}
    if task in (Task.RELEVANT_IN_CONTEXT, Task.FETCH_BROWSE):
        run = {topic: together(ranking) for topic, ranking in run.items()}
    own = ScoringSettings(
        task=task,
        measures=tuple(map(parse, MEASURES[task])),
        complete=draw(st.booleans()),
        overlap=draw(st.sampled_from(["allow", "drop"])),
    )
    return qrels_of(judged), run_of(run), own, draw(STEPS)


CASES = 60


def random_case():
    """Draw judgements, a run, settings and what is done to the run, for many cases in little time."""
    task = random.choice(TASKS)
    judged = {topic: random_judgements() for topic in random.sample(TOPICS, random.randint(1, 2))}
    run = {topic: random_ranking(task) for topic in random.sample(TOPICS, random.randint(0, 2))}
    own = ScoringSettings(
        task=task,
        measures=tuple(map(parse, MEASURES[task])),
        complete=random.random() < 0.5,
        overlap=random.choice(["allow", "drop"]),
    )
    kinds = "move", "mark", "erase", "enter"
    steps = [
        one_step(
            random.choice(TOPICS),
            random.choice(DOCUMENTS + "xyz"),
            random.choice(kinds),
            random.randint(0, 30),
            random.randint(0, 40),
            random.randint(1, 15),
        )
        for _ in range(random.randint(1, 3))
    ]
    return qrels_of(judged), run_of(run), own, steps


def test_a_scratch_run_scores_like_the_saved_run(tmp_path):
    for _ in range(CASES):
        check(tmp_path / "run.txt", random_case())


def check(path, case):
    qrels, run, own, done = case
    try:
        scorer = WhatIfScorer(qrels, score_run(qrels, run, own), own)
    except InexviewError:
        return  # the run itself breaks a rule: nothing to begin with
    scratch = ScratchRun(run)
    for topic, document, kind, step in done:
        scratch.change(topic, document, kind, step)
        found = scored(scorer, scratch)
    write_fol_run(scratch.run(), path)
    if not path.stat().st_size:
        path.unlink()
        return
    if isinstance(found, InexviewError):
        with pytest.raises(type(found)):
            score_run(qrels, read_fol_run(path), own)
        return
    expected = score_run(qrels, read_fol_run(path), own)
    assert found.topics == expected.topics
    assert found.values.tolist() == expected.values.tolist()
    assert found.mean == pytest.approx(expected.mean, nan_ok=True, rel=0, abs=0)


def scored(scorer, scratch):
    """Return what a scratch run scores, or by which error it is refused."""
    try:
        return scorer.score(scratch)
    except InexviewError as error:
        return error


@settings(max_examples=40)
@given(cases())
def test_undoing_everything_gives_the_run_back(case):
    _, run, _, done = case
    scratch = ScratchRun(run)
    for topic, document, kind, step in done:
        scratch.change(topic, document, kind, step)
    while scratch.undo():
        pass
    assert scratch.run() is run
    assert all(scratch.ranking(topic) is scratch.ranking(topic) for topic in TOPICS)
    assert all(scratch.ranking(topic).results(topic) == run.results(topic) for topic in TOPICS)


@given(rankings(), st.sampled_from(DOCUMENTS), OFFSETS, st.integers(1, 15), st.booleans())
def test_a_stroke_changes_the_characters_that_it_covers(ranked, document, start, size, marks):
    ranking = ranking_of(run_of({"1": ranked}), "1")
    stroke = {*range(start, start + size)}
    before = characters(ranking, document)
    changed = (mark if marks else erase)(ranking, document, start, start + size)
    assert characters(changed, document) == (before | stroke if marks else before - stroke)
    for other in {*DOCUMENTS} - {document}:
        assert characters(changed, other) == characters(ranking, other)


def characters(ranking, document):
    return {at for one in ranking.passages("1", document) if one.known for at in range(one.start, one.end)}


def small():
    rows = [("a", 0, 10), ("b", 0, 5), ("a", 20, 30), ("c", 0, 5)]
    results = (Result("1", name, at, 9.0 - at, *span) for at, (name, *span) in enumerate(rows, 1))
    return ranking_of(Run.from_results(results), "1")


def test_a_document_moves_with_all_its_results_and_scores_stay_with_the_ranks():
    moved = move(small(), "a", 1)
    assert moved.document.strings() == ["b", "a", "a", "c"]
    assert moved.score.tolist() == [8.0, 7.0, 6.0, 5.0]
    assert move(small(), "c", -9).document.strings() == ["c", "a", "b", "a"], "at the top it ends"
    assert move(small(), "a", -1).document.strings() == ["a", "b", "a", "c"], "it is at the top"
    assert move(small(), "c", -1).document.strings() == ["a", "c", "b", "a"], "the others stay as they were"
    assert move(small(), "nowhere", 1).document.strings() == ["a", "b", "a", "c"]


def test_a_stroke_between_two_passages_makes_them_one_where_the_first_stood():
    joined = mark(small(), "a", 8, 22)
    assert [(one.document, one.start, one.end) for one in joined.results("1")] == [
        ("a", 0, 30),
        ("b", 0, 5),
        ("c", 0, 5),
    ]


def test_an_entry_point_moves_or_comes_last():
    added = enter(small(), "d", 7, 40)
    assert added.document.strings() == ["a", "b", "a", "c", "d"]
    assert (added.start[-1], added.size[-1]) == (7, NO_LENGTH)
    assert enter(added, "d", 9, 40).start[-1] == 9
    passage = enter(small(), "d", 7, 40, least=12)
    assert (passage.start[-1], passage.size[-1]) == (7, 5)
    assert enter(passage, "d", 9, 40, least=20).results("1")[-1].end == 14


@pytest.mark.parametrize(("at", "spans"), [
    (3, [(3, 13), (20, 30)]),
    (14, [(14, 24), (24, 30)]),  # the other makes room
    (22, [(22, 32), (20, 22)]),
    (36, [(36, 40), (20, 30)]),  # it ends with the document
    (40, [(0, 10), (20, 30)]),
])  # fmt: skip
def test_where_a_passage_comes_first_it_moves_to_the_entry_point(at, spans):
    entered = enter(small(), "a", at, 40)
    assert [(one.start, one.end) for one in entered.results("1") if one.document == "a"] == spans


def test_what_changes_nothing_is_no_change():
    scratch = ScratchRun(small())
    assert not scratch.change("1", "a", "marked", lambda ranking: mark(ranking, "a", 2, 5))
    assert scratch.changes == ()
    assert scratch.change("1", "a", "erased", lambda ranking: erase(ranking, "a", 2, 5))
    assert np.array_equal(scratch.base.start, small().start)


@settings(max_examples=40)
@given(cases(), st.integers(0, 4))
def test_undoing_one_change_is_never_having_made_it(case, at):
    _, run, _, done = case
    scratch = ScratchRun(run)
    for topic, document, kind, step in done:
        scratch.change(topic, document, kind, step)
    if at >= len(scratch.changes):
        return
    kept = [change for place, change in enumerate(scratch.changes) if place != at]
    gone = scratch.changes[at]
    assert scratch.undo(at) is gone
    other = ScratchRun(run)
    for change in kept:
        other.change(change.topic, change.document, change.done, change.step)
    assert scratch.run() == other.run()
    assert len(scratch.changes) == len(other.changes)
