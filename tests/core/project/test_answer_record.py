"""Answers in a project: brought in, judged with undo, kept, and read by what the figures are made of."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.cli import main
from inexview.core.answers.answers import Answer, Reference, Sentence, difference
from inexview.core.answers.support import SUPPORT, SupportJudgements
from inexview.core.errors import DataError, JudgementError, ProjectError
from inexview.core.formats.answer_files import read_answers
from inexview.core.formats.nugget_files import read_support
from inexview.core.judgements.topics import Topic
from inexview.core.project.answer_record import (
    JUDGED,
    UNJUDGED,
    AnswerHistory,
    SupportAction,
    carried,
)
from inexview.core.project.import_judgements import read_layer
from inexview.core.project.journal import JournalEntry
from inexview.core.project.project import Project
from inexview.core.project.reviews import add_answers, judge_answer, note_names, redo_answer, undo_answer
from inexview.core.text.counting import CODE_POINTS

ANSWER = Answer(
    "q1",
    "rag",
    (Reference("d1", "d1", 3, 9, "quoted", "Oil"), Reference("d2#0", "d2")),
    (Sentence("One.", (0, 1)), Sentence("Two.", (), ("7",))),
    "what is oil",
)
FULL = SupportAction("support", 0, 0, "full")
PARTIAL = SupportAction("support", 0, 1, "partial")


@pytest.fixture
def path(tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "d1.txt").write_text("Oil is old.", encoding="utf-8")
    with Project.create(
        tmp_path / "p.inexview", collection=tmp_path / "texts", topics=[Topic("q1", "oil"), Topic("q2", "x")]
    ) as project:
        assert add_answers(project, [ANSWER]).added == 1
    return tmp_path / "p.inexview"


def test_answers_come_back_as_they_were(path):
    with Project.open(path) as project:
        assert project.answers.of_topic("q1") == (ANSWER,)
        assert not project.answers.of_topic("q2")
        again = add_answers(project, [ANSWER, Answer("q9", "rag", (), ())])
        assert (again.added, again.known, again.topics) == (0, 1, ("q9",))


def test_a_topic_that_is_named_in_two_ways_is_answered_once(path):
    answers = [replace(ANSWER, run="b", topic=topic) for topic in ("q2", " X ", "x")]
    with Project.open(path) as project:
        assert add_answers(project, answers) == (1, 2, (), ())
    with Project.open(path) as project:
        assert [answer.run for answer in project.answers.of_topic("q2")] == ["b"]


OTHER = Answer(
    "q1",
    "rag",
    (Reference("x", "d2"), Reference("7", "d1", 3, 9, "quoted")),
    (Sentence("New.", (0,)), Sentence("One.", (1,)), Sentence("Two.", ())),
)


def test_an_answer_that_differs_stays_or_is_replaced_with_what_holds_for_both(path):
    with Project.open(path) as project:
        judge_answer(
            project,
            "q1",
            "rag",
            FULL,
            PARTIAL,
            SupportAction("note", 0, 0, "the year"),
            SupportAction("needs-citation", 1, value=False),
            SupportAction("finished", value=True),
        )
        kept = add_answers(project, [OTHER, OTHER])
        assert (kept.added, kept.known, len(kept.left_out)) == (0, 0, 2)
        assert str(kept.others[0]) == "q1, rag: sentence 1 reads differently"
        assert kept.others[0].judged == 3
        assert project.answers.of_topic("q1") == (ANSWER,)
        third = replace(OTHER, sentences=OTHER.sentences[:2])
        done = add_answers(project, [OTHER, OTHER, third], replace=True)
        assert (done.added, done.known) == (0, 1)
        assert [str(one) for one in done.left_out] == ["q1, rag: 2 sentences instead of 3"]
    with Project.open(path) as project:
        assert project.answers.of_topic("q1") == (OTHER,)
        state = project.answers.state("q1", "rag")
        assert state.judged == SupportJudgements({(1, 1): Fraction(1)}, {}, frozenset({2}))
        assert (state.notes, state.finished) == ({(1, 1): "the year"}, False)


def test_a_layer_tells_what_another_assessor_judged_of_the_same_sentences_and_passages(path):
    with Project.open(path) as project:
        judge_answer(project, "q1", "rag", FULL, PARTIAL)
        collection = project.collection
        layer = read_layer(path, {"q1"}, CODE_POINTS, collection)
        assert (layer.name, layer.judged) == (project.assessor, {})
        assert layer.support(ANSWER) == project.answers.state("q1", "rag").judged
        assert layer.support(OTHER) == SupportJudgements({(1, 1): Fraction(1)}, {}, frozenset())
        assert layer.support(replace(ANSWER, run="b")) is None
        with pytest.raises(DataError, match="judges no topic"):
            read_layer(path, {"q2"}, CODE_POINTS, collection)


def test_a_file_of_judged_support_is_a_layer(path, tmp_path):
    file = tmp_path / "ben.jsonl"
    line = {"run_id": "rag", "topic_id": "q1", "sentence": 1, "citation": "d1", "support": 0.5}
    file.write_text(json.dumps(line), encoding="utf-8")
    with Project.open(path) as project:
        every, collection = project.answers.every(), project.collection
        layer = read_layer(file, {"q1"}, CODE_POINTS, collection, answered=every)
        assert layer.name == "ben"
        assert layer.support(ANSWER) == SupportJudgements({(0, 0): Fraction(1, 2)}, {}, frozenset())
        file.write_text(json.dumps(line | {"run_id": "other"}), encoding="utf-8")
        with pytest.raises(DataError, match="judges no answer of this project"):
            read_layer(file, {"q1"}, CODE_POINTS, collection, answered=every)
        file.write_text(json.dumps(line | {"support": "very"}), encoding="utf-8")
        with pytest.raises(DataError, match=r"ben\.jsonl:1: field 'support'"):
            read_layer(file, {"q1"}, CODE_POINTS, collection, answered=every)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (ANSWER, ""),
        (replace(ANSWER, question="else", line=9), ""),
        (replace(ANSWER, sentences=ANSWER.sentences[:1]), "1 sentence instead of 2"),
        (
            replace(ANSWER, sentences=(Sentence("One.", (1, 0)), ANSWER.sentences[1])),
            "sentence 1 cites other passages",
        ),
        (
            replace(ANSWER, sentences=(ANSWER.sentences[0], Sentence("Two."))),
            "sentence 2 cites other passages",
        ),
        (replace(ANSWER, references=(*ANSWER.references, Reference("d3", "d3"))), "it lists other passages"),
    ],
)
def test_two_answers_differ_where_they_first_do(other, said):
    assert difference(ANSWER, other) == said


def test_judgements_are_kept_and_undone_one_by_one(path):
    with Project.open(path) as project:
        judge_answer(project, "q1", "rag", FULL)
        judge_answer(project, "q1", "rag", PARTIAL)
        judge_answer(project, "q1", "rag", SupportAction("needs-citation", 1, value=False))
    with Project.open(path) as project:
        state = project.answers.state("q1", "rag")
        assert state.judged.support == {(0, 0): Fraction(1), (0, 1): Fraction(1, 2)}
        assert state.judged.no_need == {1}
        assert project.answers.history("q1", "rag").to_undo.label == "sentence 2: needs no citation"
        assert undo_answer(project, "q1", "rag").judged.no_need == set()
        assert undo_answer(project, "q1", "rag").judged.support == {(0, 0): Fraction(1)}
        assert redo_answer(project, "q1", "rag").judged.support == state.judged.support
        judge_answer(project, "q1", "rag", FULL._replace(value=None))
        with pytest.raises(JudgementError, match="nothing to redo"):
            redo_answer(project, "q1", "rag")
    with Project.open(path, read_only=True) as project:
        assert project.answers.judged() == {
            ("rag", "q1"): project.answers.state("q1", "rag").judged,
        }
        assert project.answers.state("q1", "rag").judged.support == {(0, 1): Fraction(1, 2)}
        with pytest.raises(ProjectError):
            judge_answer(project, "q1", "rag", FULL)


PLACES = st.integers(0, 1), st.integers(0, 1)
ACTIONS = st.one_of(
    st.builds(SupportAction, st.just("support"), *PLACES, st.sampled_from([*SUPPORT, None])),
    st.builds(SupportAction, st.just("together"), PLACES[0], st.just(-1), st.none() | st.booleans()),
    st.builds(SupportAction, st.just("needs-citation"), PLACES[0], st.just(-1), st.booleans()),
    st.builds(SupportAction, st.just("note"), *PLACES, st.sampled_from(["n", None])),
    st.builds(SupportAction, st.just("finished"), st.just(-1), st.just(-1), st.booleans()),
)


@given(st.lists(ACTIONS, max_size=12))
def test_all_that_is_judged_holds_for_the_same_answer(steps):
    allowed = [
        one for one in steps if one.sentence == 0 and one.reference in (-1, 0, 1) and one.value is not None
    ]
    state = UNJUDGED
    for one in allowed:
        state = state.after(one)
    again = UNJUDGED
    for one in carried(ANSWER, state, replace(ANSWER, question="again")):
        again = again.after(one)
    assert again.judged.together == state.judged.together
    assert again.judged.no_need == state.judged.no_need
    known = {place: value for place, value in state.judged.support.items() if place in set(ANSWER.citations)}
    assert again.judged.support == known


@given(st.lists(ACTIONS | st.sampled_from(["undo", "redo"]), max_size=20))
def test_a_history_has_the_remaining_actions(steps):
    history, kept, undone = AnswerHistory(), [], []
    for step in steps:
        if isinstance(step, SupportAction):
            assert SupportAction.from_content(step.content()) == step
            history.do(step)
            kept, undone = [*kept, step], []
        elif step == "undo" and kept:
            history.undo()
            undone.append(kept.pop())
        elif step == "redo" and undone:
            history.redo()
            kept.append(undone.pop())
        state = UNJUDGED
        for one in kept:
            state = state.after(one)
        assert history.state == state
        assert (history.to_undo, history.to_redo) == (
            kept[-1] if kept else None, undone[-1] if undone else None,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("action", "problem"),
    [
        (SupportAction("support", 0, 7, "full"), "does not cite this passage"),
        (SupportAction("support", 5, 0, "full"), "has 2 sentences"),
        (SupportAction("finished", value=True), "2 citations are not yet judged"),
    ],
)
def test_what_an_answer_does_not_have_is_not_judged(path, action, problem):
    with Project.open(path) as project:
        with pytest.raises(JudgementError, match=problem):
            judge_answer(project, "q1", "rag", action)
        assert project.answers.state("q1", "rag") == UNJUDGED
        with pytest.raises(JudgementError, match="no answer of"):
            judge_answer(project, "q1", "another", FULL)


@pytest.mark.parametrize(
    "content",
    [
        {"run": "rag", "what": "support", "sentence": 0, "reference": 0, "value": "very"},
        {"run": "rag", "what": "else", "sentence": 0, "reference": 0, "value": None},
        {"run": "rag", "what": "support", "sentence": "x", "reference": 0, "value": None},
        {"what": "support"},
    ],
)
def test_a_row_that_makes_no_sense_is_named(path, content):
    with Project.open(path) as project:
        project.journal.append([JournalEntry(JUDGED, content, "q1")], "ada")
    with pytest.raises(ProjectError):
        Project.open(path)


def test_a_day_on_the_command_line(tmp_path, path, capsys):
    file = tmp_path / "rag.jsonl"
    file.write_text(
        '{"run_id": "two", "topic_id": "q2", "references": ["d1"],'
        ' "answer": [{"text": "A.", "citations": [0]}]}',
        encoding="utf-8",
    )
    assert main(["import", str(path), str(file)]) == 0
    assert "1 answer added" in capsys.readouterr().out
    assert main(["import", str(path), str(file)]) == 0
    assert "0 answers added, 1 known already" in capsys.readouterr().out
    with Project.open(path) as project:
        judge_answer(
            project,
            "q2",
            "two",
            SupportAction("support", 0, 0, "partial"),
            SupportAction("finished", value=True),
        )
    out = tmp_path / "support.jsonl"
    assert (
        main(["answers", str(path), "--support-out", str(out), "--format", "csv", "--per-topic"]) == 1
    )  # it cites [7]
    assert "two,q2,support_prec,0.5,1,0,0.5,0.5" in capsys.readouterr().out
    assert main(["answers", str(file), "--support", str(out), "--format", "csv"]) == 0
    assert "two,all,support_prec,0.5,1,0,," in capsys.readouterr().out
    answers = read_answers(file)
    assert read_support(out, answers)["two", "q2"].support == {(0, 0): Fraction(1, 2)}


def test_names_that_were_seen_are_recorded_once_and_stay_so(path, capsys):
    with Project.open(path) as project:
        add_answers(project, [replace(ANSWER, run="done"), replace(ANSWER, topic="q2")])
        judge_answer(project, "q1", "done", FULL, PARTIAL, SupportAction("finished", value=True))
        judge_answer(project, "q1", "rag", FULL)
        note_names(project, "q1")
        note_names(project, "q1")
        undo_answer(project, "q1", "rag")
        judge_answer(project, "q1", "rag", PARTIAL)
    with Project.open(path, read_only=True) as project:
        seen = [(topic, run) for topic in ("q1", "q2") for run in ("rag", "done")]
        assert [place for place in seen if project.answers.named(*place)] == [("q1", "rag")]
    capsys.readouterr()
    assert main(["log", str(path), "--action", "inspected"]) == 0
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["topic"], row["content"], "document" in row) == ("q1", {"runs": ["rag"]}, False)
    support = path.with_name("support.jsonl")
    main(["answers", str(path), "--support-out", str(support)])
    lines = [json.loads(line) for line in support.read_text(encoding="utf-8").splitlines()]
    assert {line["run_id"]: line.get("blind") for line in lines} == {"rag": False, "done": None}
    with Project.open(path, read_only=True) as project:
        read = read_support(support, project.answers.every())
        assert read["rag", "q1"] == project.answers.state("q1", "rag").judged
    assert f"{path}: 1 answer judged with run names visible, not blind" in capsys.readouterr().err


def test_a_damaged_row_of_names_is_named(path):
    with Project.open(path) as project:
        project.append([JournalEntry("inspected", {"runs": [3]}, "q1")], soon=True)
        with pytest.raises(ProjectError, match="runs"):
            project.append([JournalEntry("inspected", {"runs": ["rag"]}, "q1")])
