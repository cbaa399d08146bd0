"""A run's ranking of one topic: what was retrieved of each document, and what is at fault with it."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionSlider

from inexview.core.evaluation.evaluate import evaluate
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import UNKNOWN, Result, Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.measures.joined import UNKNOWN_SIZE
from inexview.core.measures.measure import PRESETS, Parameters, parse, resolve
from inexview.core.open_runs.rankings import DocumentFaults, Ranking, Retrieved, faults
from inexview.core.open_runs.scoring import NOTHING_FINISHED, ScoringChoice, presets_for, run_figures
from inexview.core.project.contents import ChosenParameters
from inexview.core.project.document_state import DocumentState
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.judgement_export import finished_judgements, judgements_of
from inexview.core.project.project import Project
from inexview.core.text.counting import UTF8_BYTES
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.inspect import run_scoring
from inexview.gui.inspect.scoring_bar import OWN_TASK
from inexview.gui.services.actions import Room
from inexview.gui.services.settings import SCORING, Appearance, Settings
from inexview.gui.shell.main_window import MainWindow, Mode
from tests.core.strategies import run_of
from tests.gui.driving import NONE, move, see_runs, shown_window

names = st.sampled_from(["1", "2", "a-document-with-a-long-name", "é"])
passages = st.tuples(st.integers(UNKNOWN, 40), st.integers(0, 9)).map(
    lambda at: (at[0], at[0] if at[0] == UNKNOWN else at[0] + at[1])
)
runs = st.lists(st.tuples(st.sampled_from("AB"), names, passages)).map(
    lambda rows: Run.from_results(Result(topic, name, 1, None, *at) for topic, name, at in rows)
)
marks = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)).map(lambda at: (at[0], sum(at)))).map(Spans)


@given(runs)
def test_a_ranking_joins_the_results_of_each_document(run):
    ranking = Ranking(run, "A")
    results = run.results("A")
    assert ranking.documents == list(dict.fromkeys(result.document for result in results))
    for rank, document in enumerate(ranking.documents, 1):
        own = [result for result in results if result.document == document]
        spans = Spans((one.start, one.end) for one in own if one.known)
        entry = own[0].start if own[0].known else None
        assert document in ranking
        nowhere = UNKNOWN_SIZE * sum(not one.known for one in own)
        assert ranking.retrieved(document) == Retrieved(document, rank, spans, entry, nowhere)
    assert ranking.retrieved("none") == Retrieved("none", 0, EMPTY, None)
    some = [*ranking.documents[::-1], "none", *ranking.documents[:1]]
    assert ranking.retrieved_of(some) == [ranking.retrieved(document) for document in some]


@given(runs, st.dictionaries(names, marks))
def test_faults_are_found_for_all_documents_at_once_as_for_each(run, judged):
    ranking = Ranking(run, "A")
    states = {name: DocumentState.of(spans, None) for name, spans in judged.items()}
    wanted = {}
    for name, state in states.items():
        if name not in ranking:
            continue
        retrieved = ranking.retrieved(name).passages
        wanted[name] = DocumentFaults.UNJUDGED if state.untouched else DocumentFaults.NONE
        if state.marks - retrieved:
            wanted[name] |= DocumentFaults.MISSED
        if not state.untouched and retrieved - state.marks:
            wanted[name] |= DocumentFaults.FALSE_ALARM
    assert ranking.faults(states) == wanted


def test_a_topic_that_the_run_does_not_have_has_no_documents():
    ranking = Ranking(Run.from_results([Result("A", "1", 1, None, 0, 5)]), "B")
    assert ranking.documents == []
    assert ranking.faults({"1": DocumentState()}) == {}


@pytest.fixture
def lamps(tmp_path):
    """A project with one article, of which a passage is judged relevant."""
    articles = tmp_path / "articles"
    articles.mkdir()
    (articles / "1.xml").write_text(
        "<article><name>Lamp</name><body><p>A lamp burns oil.</p></body></article>"
    )
    path = tmp_path / "lamps.inexview"
    with Project.create(path, collection=articles, topics=[Topic("7", "lamps")], assessor="ada") as project:
        project.mark("7", "1", 4, 10)
        project.set_bep("7", "1", 4)
        project.finish("7", "1")
    return path


@pytest.fixture
def window(qapp, tmp_path, lamps):
    """The window of that project."""
    settings = Settings(tmp_path / "settings.ini")
    window = MainWindow(Project.open(lamps), settings, Appearance(qapp, settings))
    window.show()  # what is out of sight is not kept up
    yield window
    window.close()
    window.deleteLater()


def inspecting(window, *runs, **choice):
    """Open runs in Inspect, scored by a choice."""
    window.set_mode(Mode.INSPECT)
    board = window.inspect.board
    board.choose(ScoringChoice(**choice))
    for run in runs:
        window.session.add_run(run)
    return board


def figured(qtbot, board):
    qtbot.waitUntil(lambda: not board.stale and bool(board.figures.topics))


RIC = {"task": Task.RELEVANT_IN_CONTEXT}


def test_judgements_that_are_written_in_bytes_score_runs_by_characters(lamps):
    """Runs are laid over the text in code points, however the project's qrels count."""
    (lamps.parent / "articles" / "1.xml").write_text(
        "<article><name>Lämp</name><body><p>Ä lamp bürns oil.</p></body></article>"
    )
    with Project.open(lamps) as project:
        project.set_convention(UTF8_BYTES)
        (written,) = judgements_of(project).judgements
        (scored,) = finished_judgements(lamps, project.collection)
    assert written.passages != Spans([(4, 10)])
    assert (scored.passages, scored.bep, scored.rsize) == (Spans([(4, 10)]), 4, 6)


def test_judgements_are_never_gathered_in_the_windows_thread(qtbot, window, monkeypatch):
    threads = []
    gather = run_scoring.finished_judgements

    def watched(*arguments):
        threads.append(threading.current_thread())
        return gather(*arguments)

    monkeypatch.setattr(run_scoring, "finished_judgements", watched)
    run = Run.from_results([Result("7", "1", 1, None, 0, 10)], id="a run")
    board = inspecting(window, run, **RIC)
    figured(qtbot, board)
    assert board.figures.of(run)["MAgP"] == pytest.approx(0.75)  # P = 6 of 10, R = 6 of 6
    assert threads
    assert threading.main_thread() not in threads
    again = len(threads)
    board.set_parameters(replace(board.parameters, beta=0.25))
    assert board.stale
    figured(qtbot, board)
    assert board.figures.of(run)["MAgP"] != pytest.approx(0.75)
    assert len(threads) == again, "with other parameters the judgements are the same"


def test_a_run_that_cannot_be_scored_takes_nothing_from_the_others(qtbot, window):
    good = replace(Run.from_results([Result("7", "1", 1, None, 0, 10)], id="good"), path=Path("good.txt"))
    overlapping = Run.from_results(
        [Result("7", "1", 1, None, 0, 10), Result("7", "1", 2, None, 5, 12)], id="bad"
    )
    overlapping = replace(overlapping, line=np.array([3, 4]))
    documents = Run.from_results([Result("7", "1", 1, 1.0, 0, 0)], id="documents")
    documents = replace(documents, size=documents.size - 1, by_score=True, path=Path("documents.txt"))
    board = inspecting(window, good, overlapping, documents, **RIC)
    figured(qtbot, board)
    assert len(board.figures.problems) == 2
    assert board.figures.of(good)["MAgP"] == pytest.approx(0.75)
    assert [curve.name for curve in window.inspect.pair.chart.chart.series] == ["good"]
    model = window.inspect.runs.table.model()
    rows = {row.name: row for row in model.rows}
    assert rows["good"].said == ""
    assert rows["bad"].said == "results overlap, line 4"
    assert rows["documents"].said == "no lengths"
    assert rows["bad"].figures == {}
    assert "Not scored: " in rows["bad"].told()
    assert "overlaps the result on line 3" in rows["bad"].told()


def test_a_task_is_known_or_asked_and_never_guessed(qtbot, window):
    silent = replace(Run.from_results([Result("7", "1", 1, None, 0, 10)], id="silent"), path=Path("s.txt"))
    board = inspecting(window, silent)
    runs = window.inspect.runs
    assert board.task is None
    assert board.figures.of(silent) == {}
    assert runs.ask.isVisibleTo(window)
    assert runs.table.model().rows[0].said == "no task declared"
    declared = replace(silent, id="declared", task=Task.FOCUSED, path=Path("d.txt"))
    window.session.add_run(declared)
    figured(qtbot, board)
    assert board.task is Task.FOCUSED
    assert board.figures.of(declared)["MAiP"] > 0
    assert board.figures.of(silent) == {}
    assert not runs.ask.isVisibleTo(window)
    asked = [action.text() for action in runs.bar.task.choices.actions()]
    for task in ("Focused   declared by 1", "Best in context", "Thorough", OWN_TASK):
        assert task in asked
    next(a for a in runs.bar.task.choices.actions() if a.text() == "Best in context").trigger()
    assert board.stale
    figured(qtbot, board)
    for run in (declared, silent):
        expected = evaluate(board.qrels, run, task="best-in-context")[0].mean["MAgP"]
        assert board.figures.of(run)["MAgP"] == expected


@pytest.mark.parametrize(
    ("task", "preset", "size"),
    [
        (Task.BEST_IN_CONTEXT, "inex2007", 0),
        (Task.RELEVANT_IN_CONTEXT, "inex2009", 10),
        (Task.RELEVANT_IN_CONTEXT, "inex2010", 10),
    ],
)
def test_a_row_shows_the_documents_score_in_the_task(qtbot, window, task, preset, size):
    run = Run.from_results([Result("7", "1", 1, None, 0, size)], id="b", task=task)
    board = inspecting(window, run, preset=preset)
    figured(qtbot, board)
    qtbot.waitUntil(lambda: window.inspect.ranked.model.rowCount() == 1)
    qtbot.waitUntil(lambda: window.session.catalogue.about("1").length > 0)
    row = window.inspect.ranked.model.at(window.inspect.ranked.model.index(0))
    assert row.score == pytest.approx(board.figures.of(run)["MAgP"])  # of one document
    assert row.score > 0


def test_figures_follow_an_undo_in_assess_an_import_and_runs_that_came_first(qtbot, window, monkeypatch):
    run = Run.from_results([Result("7", "1", 1, None, 0, 10)], id="a run", task=Task.RELEVANT_IN_CONTEXT)
    board = inspecting(window, run)
    figured(qtbot, board)
    before, scores = board.figures.of(run), board.scores(run)
    window.set_mode(Mode.ASSESS)
    qtbot.waitUntil(lambda: window.session.document is not None)
    window.set_mode(Mode.INSPECT)
    assert board.stale
    qtbot.waitUntil(lambda: not board.stale)
    assert board.scores(run) is scores, "nothing was judged meanwhile"
    window.set_mode(Mode.ASSESS)
    given_up = threading.Event()  # without it the runs may be scored before anyone can give them up
    score = run_scoring.run_figures
    monkeypatch.setattr(run_scoring, "run_figures", lambda *of, **by: given_up.wait() and score(*of, **by))

    def give_up(task):
        if task.what == "Scoring 1 run":
            task.give_up()
            given_up.set()

    board._tasks.begun.connect(give_up)
    window.set_mode(Mode.INSPECT)
    qtbot.waitUntil(lambda: "cancelled" in window.inspect.runs.heading.full_text)
    board._tasks.begun.disconnect(give_up)
    window.set_mode(Mode.ASSESS)
    window.session.reopen()
    window.set_mode(Mode.INSPECT)
    assert board.stale
    assert "computing" in window.inspect.runs.heading.full_text
    qtbot.waitUntil(lambda: not board.stale)
    assert board.figures.of(run) == {}
    assert board.figures.nothing == NOTHING_FINISHED
    window.session.clear()
    judged = Judgement("7", "1", 2, 17, 4, Spans([(4, 6)]))
    import_judgements(window.session.project, Qrels.from_judgements([judged]))
    window.session.reload()
    assert board.stale
    figured(qtbot, board)
    assert board.figures.of(run) != before
    assert board.figures.of(run)["MAgP"] == evaluate(board.qrels, run)[0].mean["MAgP"]


def test_a_document_that_is_on_its_way_is_marked_in_the_list(qtbot, window):
    inspecting(window, run_of({"7": [("1", 4, 8), ("404", 0, 4)]}), **RIC)
    ranked, session = window.inspect.ranked, window.session
    qtbot.waitUntil(lambda: ranked.model.rowCount() == 2 and session.document is not None)
    assert session.document_id == "1"
    session.open_document("404")
    assert session.opening.wanted == "404"
    assert ranked.model.at(ranked.view.currentIndex()).document == "404"


def written_parameters(project):
    return [json.loads(row.content) for row in project.journal.rows() if row.action == "parameters"]


def test_parameters_belong_to_the_project_and_go_back_in_one_click(qtbot, window):
    run = Run.from_results([Result("7", "1", 1, None, 0, 10)], id="a run", task=Task.RELEVANT_IN_CONTEXT)
    board = inspecting(window, run)
    figured(qtbot, board)
    scores = window.inspect.scores
    assert not scores.back.isVisibleTo(window)
    place = scores.rows.geometry()
    board.set_parameters(replace(board.parameters, beta=0.5))
    figured(qtbot, board)
    assert scores.rows.geometry() == place
    assert scores.back.text() == "back to inex2007"
    assert scores.back.isVisibleTo(window)
    assert scores.back.width() >= scores.back.sizeHint().width()
    assert "changed" in window.inspect.runs.bar.preset.text()
    project = window.session.project
    qtbot.waitUntil(lambda: project.parameters.changes == {"beta": 0.5})
    assert "beta" not in json.dumps(window._settings.get(SCORING)[str(project.path)])
    QTest.mouseClick(scores.back, Qt.MouseButton.LeftButton)
    assert board.parameters.beta == 1
    assert not scores.back.isVisibleTo(window)
    qtbot.waitUntil(lambda: project.parameters.changes == {})
    assert written_parameters(project) == [{"beta": 0.5}, {"preset": "inex2007"}]


def test_all_figures_in_the_foreground_follow_a_parameter_at_once(qtbot, window):
    own = Run.from_results([Result("7", "1", 1, None, 0, 10)], id="own", task=Task.RELEVANT_IN_CONTEXT)
    better = Run.from_results([Result("7", "1", 1, None, 4, 6)], id="better", task=Task.RELEVANT_IN_CONTEXT)
    board = inspecting(window, own)
    figured(qtbot, board)
    inspect, runs = window.inspect, window.inspect.runs
    inspect.open_topic("7")
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.reading.ready)

    def scored(run):
        return evaluate(board.qrels, run, **board.choice.settings(board.task).changes)[0]

    for beta in (0.5, 0.6, 4.0):
        before = board.figures.of(own)["MAgP"]
        board.set_parameters(replace(board.parameters, beta=beta))
        topic, mean = scored(own).topic("7")["AgP"], scored(own).mean["MAgP"]
        assert board.stale
        assert mean != before
        assert board.shown(own).of(own)["MAgP"] == mean
        assert runs.table.model().rows[0].figures["MAgP"] == mean
        assert "computing" not in runs.heading.full_text
        assert f"AgP {topic:.4f}" in inspect.ranked.heading.full_text
        assert inspect.scores.rows.rows[2].reading.value == pytest.approx(topic)  # of one document
    figured(qtbot, board)
    window.session.add_run(replace(better, path=Path("better.txt")))
    qtbot.waitUntil(lambda: not board.stale and len(board.scored()) == 2)
    inspect.open_topic("7")
    picker, other = inspect.picker, window.session.runs[1]
    window.session.select_run(own)
    old = board.figures.of_topic(other, "7")
    board.set_parameters(replace(board.parameters, beta=0.25))
    assert picker.value(own) == f"{scored(own).topic('7')['AgP']:.3f}"
    assert (board.is_stale(own), board.is_stale(other)) == (False, True)
    assert picker.value(other) == f"{old:.3f}"
    assert picker.lead == "–", "no difference of figures by different parameters"
    figured(qtbot, board)
    assert picker.lead == f"−{scored(other).mean['MAgP'] - scored(own).mean['MAgP']:.4f}"
    window.session.clear()
    board.set_parameters(replace(board.parameters, beta=0.75))
    assert board.is_stale(own), "no one knows these judgements yet"


def test_a_drag_of_the_slider_is_one_row_and_a_moved_project_scores_alike(qtbot, qapp, lamps, tmp_path):
    run = Run.from_results([Result("7", "1", 1, None, 0, 10)], id="a run", task=Task.BEST_IN_CONTEXT)
    with shown_window(qapp, lamps) as window:
        board, project = inspecting(window, run), window.session.project
        figured(qtbot, board)
        slider = window.inspect.scores.box.entry.slider
        board.note_soon.setInterval(20)
        QApplication.processEvents()  # the slider is where it stays
        option = QStyleOptionSlider()
        slider.initStyleOption(option)
        parts = QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle
        handle = slider.style().subControlRect(*parts, slider).center()
        QTest.mousePress(slider, Qt.MouseButton.LeftButton, NONE, handle)
        assert slider.isSliderDown()
        for step in range(1, 7):
            move(slider, handle - QPoint(4 * step, 0), Qt.MouseButton.LeftButton, NONE)
            QTest.qWait(30)  # longer than one waits before writing
        assert written_parameters(project) == []
        QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, NONE, handle - QPoint(24, 0))
        qtbot.waitUntil(lambda: written_parameters(project) != [])
        a = board.parameters.a
        assert a is not None
        assert a != 0.1
        assert written_parameters(project) == [{"a": a}]
        board.note_soon.setInterval(10_000)
        board.set_parameters(replace(board.parameters, beta=0.25))
    moved = lamps.rename(tmp_path / "moved.inexview")
    with shown_window(qapp, moved) as window:
        assert window.session.project.parameters == ChosenParameters(beta=0.25, a=a)
        board = window.inspect.board
        board.choose(replace(board.choice, task=Task.BEST_IN_CONTEXT))
        assert board.parameters == Parameters(beta=0.25, a=a)


def test_a_read_only_window_scores_and_follows_the_writing_one(qtbot, qapp, window):
    first = window.session.project
    settings = Settings(first.path.parent / "second.ini")
    second = MainWindow(Project.open(first.path, read_only=True), settings, Appearance(qapp, settings))
    board = second.inspect.board
    board.choose(replace(board.choice, task=Task.FOCUSED))
    board.set_parameters(replace(board.parameters, beta=4))
    board.note()
    assert (board.parameters.beta, second.session.project.parameters.beta) == (4, None)
    first.set_parameters(ChosenParameters(beta=0.5))
    second.session.saving.look()
    assert board.parameters.beta == 0.5
    see_runs(second)
    second.book["edit-judgements"].trigger()
    assert second.book.room is Room.INSPECT
    assert second.messages.current.text == f"{first.path} was opened read-only."
    second.close()
    second.deleteLater()


def test_a_mean_says_over_how_many_topics_and_missing_ones_can_count(qtbot):
    judged = Qrels.from_judgements(Judgement(topic, "a", 5, 20, 0, Spans([(0, 5)])) for topic in "123")
    half = Run.from_results([Result("1", "a", 1, None, 0, 5)], id="half", task=Task.FOCUSED)
    figures = run_figures(judged, [half], ScoringChoice(), half)
    assert figures.of(half)["MAiP"] == 1
    complete = run_figures(judged, [half], ScoringChoice(complete=True), half)
    assert complete.of(half)["MAiP"] == pytest.approx(1 / 3)


def test_the_absence_of_finished_documents_is_reported():
    run = Run.from_results([Result("7", "a", 1, None, 0, 3)])
    nothing = Qrels.from_judgements([])
    assert run_figures(nothing, [run], ScoringChoice(task=Task.FOCUSED), run).nothing == NOTHING_FINISHED


@pytest.mark.parametrize(
    ("topic", "ends", "task", "said"),
    [
        ("1", (3, 9), Task.FOCUSED, "No run could be scored. Each run shows its problem."),
        ("9", (3,), Task.FOCUSED, "No run has a judged topic."),
        ("1", (3,), None, "No run is for this task."),
        ("1", (3,), Task.FOCUSED, ""),
    ],
)
def test_the_reason_for_missing_figures_is_shown(topic, ends, task, said):
    judged = Qrels.from_judgements([Judgement("1", "a", 5, 20, 0, Spans([(0, 5)]))])
    results = [Result(topic, "a", at, None, 0, end) for at, end in enumerate(ends, 1)]
    run = Run.from_results(results, task=None if task else Task.THOROUGH)
    choice = ScoringChoice(task=task)
    other = Run.from_results(results, task=Task.FOCUSED)
    assert run_figures(judged, [run], choice, run if task else other).nothing == said


@pytest.mark.parametrize("chosen", [ChosenParameters(), ChosenParameters("inex2010", beta=2, n=700)])
@given(
    st.builds(
        ScoringChoice,
        task=st.sampled_from([None, *Task]),
        complete=st.booleans(),
        measures=st.dictionaries(st.sampled_from([task.value for task in Task]), st.just(("MAgP", "gP[5]"))),
        baseline=st.text(max_size=5),
    )
)
def test_a_choice_is_kept_as_json_and_comes_back(chosen, choice):
    kept = json.loads(json.dumps(choice.kept()))
    again = ScoringChoice.from_kept(kept, chosen)
    assert again == replace(choice, preset=chosen.preset, changes=chosen.changes)
    assert again.chosen() == chosen


@pytest.mark.parametrize("preset", PRESETS)
def test_every_measure_that_is_offered_is_the_one_that_its_name_asks_for(preset):
    """Families have measures of one name (P@10, P[10]): choosing one that is another ended the scoring."""
    for task in PRESETS[preset].tasks:
        choice = ScoringChoice(task=task, preset=preset)
        offered = choice.available(task)
        for name in offered:
            record, wanted = resolve(parse(name), choice.reported(task).families)
            assert record.label(wanted.cutoff, mean=True) == name
        assert {*choice.shown(task)} <= {*offered}


@pytest.mark.parametrize("kept", [{}, {"task": 3, "measures": 7}])
def test_a_choice_that_is_not_understood_is_none(kept):
    assert ScoringChoice.from_kept(kept, ChosenParameters()) == ScoringChoice()


ONE_JUDGEMENT = Qrels.from_judgements([Judgement("7", "a", 5, 20, 0, Spans([(0, 5)]))])
ONE_RESULT = Run.from_results([Result("7", "a", 1, None, 0, 3)])


@pytest.mark.parametrize("task", Task)
def test_every_task_has_measures_that_decide_and_more_to_choose(task):
    for preset in presets_for(task):
        choice = ScoringChoice(preset=preset.name)
        shown, every = choice.shown(task), choice.available(task)
        assert set(shown) <= set(every)
        more = choice.show(task, [*shown, every[-1]])
        figures = run_figures(ONE_JUDGEMENT, [ONE_RESULT], replace(more, task=task), ONE_RESULT)
        told = figures.problems.get(ONE_RESULT)
        assert set(figures.of(ONE_RESULT)) == {*shown, every[-1]} or task is Task.ASPECTS
        assert (told is not None) == (task is Task.ASPECTS), "aspects need a gold standard of their own"


def test_elements_that_lie_in_one_another_are_no_fault_of_a_thorough_run():
    run = run_of({"1": [("d1", 0, 40), ("d1", 10, 20)]})
    assert "1 of its 2 results here overlap others" in faults(run, "1", "d1", 60, Task.FOCUSED)
    assert faults(run, "1", "d1", 60, Task.THOROUGH) == ""
    assert "2 end past the article's 5 characters" in faults(run, "1", "d1", 5, Task.THOROUGH)
