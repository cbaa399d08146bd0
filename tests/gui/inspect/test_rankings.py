"""A run's ranking of one topic: what was retrieved of each document, and what is at fault with it."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from inexview.core.judgements.qrels import Judgement
from inexview.core.judgements.runs import UNKNOWN, Result, Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.measures.parameters import Parameters
from inexview.core.project.judging_actions import DocumentState
from inexview.core.project.project import Project
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.inspect import run_board
from inexview.gui.inspect.ranked_model import DocumentFaults
from inexview.gui.inspect.rankings import Ranking, Retrieved
from inexview.gui.inspect.run_figures import NONE_SCORED, NOTHING_FINISHED, run_figures
from inexview.gui.services.appearance import Appearance
from inexview.gui.services.settings import Settings
from inexview.gui.shell.main_window import MainWindow, Mode

names = st.sampled_from(["1", "2", "a-document-with-a-long-name", "é"])
passages = st.tuples(st.integers(UNKNOWN, 40), st.integers(0, 9)).map(
    lambda at: (at[0], at[0] if at[0] == UNKNOWN else at[0] + at[1])
)
runs = st.lists(st.tuples(st.sampled_from("AB"), names, passages)).map(
    lambda rows: Run.from_results(Result(topic, name, 1, None, *at) for topic, name, at in rows)
)
marks = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)).map(lambda at: (at[0], sum(at)))).map(Spans)


@given(runs)
def test_a_ranking_joins_what_the_results_say_one_by_one(run):
    ranking = Ranking(run, "A")
    results = run.results("A")
    assert ranking.documents == list(dict.fromkeys(result.document for result in results))
    for rank, document in enumerate(ranking.documents, 1):
        own = [result for result in results if result.document == document]
        spans = Spans((one.start, one.end) for one in own if one.known)
        entry = own[0].start if own[0].known else None
        assert document in ranking
        assert ranking.retrieved(document) == Retrieved(document, rank, spans, entry)
    assert ranking.retrieved("none") == Retrieved("none", 0, EMPTY, None)


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
def window(qapp, tmp_path):
    """The window of a project with one article, of which a passage is judged relevant."""
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
    settings = Settings(tmp_path / "settings.ini")
    window = MainWindow(Project.open(path), settings, Appearance(qapp, settings))
    yield window
    window.close()
    window.deleteLater()


def test_judgements_are_never_gathered_in_the_windows_thread(qtbot, window, monkeypatch):
    threads = []
    gather = run_board.finished_judgements

    def watched(*arguments):
        threads.append(threading.current_thread())
        return gather(*arguments)

    monkeypatch.setattr(run_board, "finished_judgements", watched)
    window.set_mode(Mode.INSPECT)
    board = window.inspect.board
    run = Run.from_results([Result("7", "1", 1, None, 0, 10)], id="a run")
    window.session.add_run(run)
    qtbot.waitUntil(lambda: id(run) in board.figures.scores)
    assert board.figures.of(run)["MAgP"] == pytest.approx(0.75)  # P = 6 of 10, R = 6 of 6
    assert threads
    assert threading.main_thread() not in threads
    again = len(threads)
    board.set_parameters(replace(window.inspect.scores.parameters, beta=0.25))
    qtbot.waitUntil(lambda: board.figures.of(run)["MAgP"] != pytest.approx(0.75))
    assert len(threads) == again, "with other parameters the judgements are the same"


def test_a_run_that_cannot_be_scored_takes_nothing_from_the_others(qtbot, window):
    window.set_mode(Mode.INSPECT)
    board = window.inspect.board
    good = Run.from_results([Result("7", "1", 1, None, 0, 10)], id="good")
    good = replace(good, path=Path("good.txt"))
    overlapping = Run.from_results(
        [Result("7", "1", 1, None, 0, 10), Result("7", "1", 2, None, 5, 12)], id="bad"
    )
    documents = Run.from_results([Result("7", "1", 1, 1.0, 0, 0)], id="documents", task=Task.DOCUMENTS)
    documents = replace(documents, size=documents.size - 1, by_score=True, path=Path("documents.txt"))
    for run in (good, overlapping, documents):
        window.session.add_run(run)
    qtbot.waitUntil(lambda: len(board.figures.problems) == 2)
    assert board.figures.of(good)["MAgP"] == pytest.approx(0.75)
    assert [curve.name for curve in board.chart.curves] == ["good"]
    rows = {row.name: row for row in board.list.model.rows}
    assert rows["good"].said == "task not known"
    assert rows["bad"].said == "results overlap"
    assert rows["documents"].said == "no lengths"
    tip = board.list.model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "Not scored: " in tip
    assert "overlaps the result at rank 1" in tip
    window.session.close_run(good)
    qtbot.waitUntil(lambda: board.chart.nothing == NONE_SCORED)
    assert board.chart.curves == ()


def test_runs_of_which_most_are_focused_only_are_compared_as_focused():
    judged = [Judgement("7", name, 5, 20, 0, Spans([(0, 5)])) for name in "ab"]
    apart = [
        Result("7", "a", 1, None, 0, 3),
        Result("7", "b", 2, None, 0, 3),
        Result("7", "a", 3, None, 4, 6),
    ]
    focused = [Run.from_results(apart, id=name) for name in "xy"]
    both = Run.from_results(apart[:2], id="z")
    assert run_figures(judged, [both], Parameters()).task is Task.RELEVANT_IN_CONTEXT
    figures = run_figures(judged, [*focused, both], Parameters())
    assert figures.task is Task.FOCUSED
    assert len(figures.scores) == 3


def test_as_long_as_nothing_is_finished_the_chart_says_so():
    run = Run.from_results([Result("7", "a", 1, None, 0, 3)])
    assert run_figures([], [run], Parameters()).nothing == NOTHING_FINISHED
