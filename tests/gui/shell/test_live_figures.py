"""The figures of the run in the foreground stand beside the judging, only for who asked to see runs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inexview.core.judgements.runs import Result, Run
from inexview.core.judgements.topics import Topic
from inexview.core.measures.in_context import score_document
from inexview.core.project.project import Project
from inexview.core.text.spans import Spans
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import drag, key, shown_window

WORDS = "A lamp burns oil all night and in the morning it is empty again."
FOUND = Spans([(7, 30)])


@pytest.fixture
def window(qapp, qtbot: QtBot, tmp_path):
    articles = tmp_path / "articles"
    articles.mkdir()
    for name in ("d1", "d2"):
        (articles / f"{name}.xml").write_text(f"<article><p>{WORDS}</p></article>")
    path = tmp_path / "lamps.inexview"
    Project.create(path, collection=articles, topics=[Topic("1", "lamps")], assessor="ada").close()
    run = tmp_path / "alpha.txt"
    run.write_text("1 Q0 d1 1 1 alpha 7 23\n")
    with shown_window(qapp, path) as made:
        qtbot.waitUntil(lambda: made.session.preparation.ready and made.session.document is not None)
        made.files.open_runs([run])
        qtbot.waitUntil(lambda: len(made.session.runs) == 1)
        made.set_mode(Mode.ASSESS)
        yield made


def inspected(window):
    window.session.project.write_waiting()
    return [row.document for row in window.session.project.journal.rows() if row.action == "inspected"]


def ask_for_runs(window):
    menu = window.assess.pool.order.menu()
    next(
        action for action in menu.actions() if action.isCheckable() and "runs found" in action.text()
    ).trigger()


def test_judging_is_blind_by_default(window, qtbot):
    drag(window.article, 0, 12)
    assert window.assess.panel.run_figures.isHidden()
    assert window.assess.panel.run_figures.text() == ""


def test_live_figures_follow_the_pen_on_request(window, qtbot):
    panel, told = window.assess.panel, window.status._blind
    assert told.text() == "Run hidden while you judge"
    ask_for_runs(window)
    assert told.text() == "Run shown: not blind"
    assert panel.run_figures.isVisible()
    assert (panel.run_name.text(), panel.run_figures.text()) == ("alpha", "not judged yet")
    drag(window.article, 2, 20)
    (marked,) = window.session.state.marks
    wanted = score_document(Spans([marked]), None, FOUND, len(WORDS), None, 7)
    assert panel.run_figures.text() == (
        f"P {wanted.precision:.3f}   R {wanted.recall:.3f}   F {wanted.f:.3f}   s –"
    )
    key(window.article, Qt.Key.Key_U)
    ask_for_runs(window)
    assert told.text() == "Run hidden while you judge"
    assert panel.run_figures.isHidden()


def test_the_number_of_runs_is_shown_below_the_title_on_request(window, qtbot, tmp_path):
    window.session.open_document("d1")
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "d1")
    blind = f"d1 · {len(WORDS)} characters"
    assert window.article.subtitle == blind
    ask_for_runs(window)
    assert window.article.subtitle == f"{blind} · found by 1 run, best at rank 1"
    other = tmp_path / "beta.txt"
    other.write_text("1 Q0 d2 1 2 beta 0 5\n1 Q0 d1 2 1 beta 0 5\n")
    window.files.open_runs([other])
    qtbot.waitUntil(lambda: window.article.subtitle == f"{blind} · found by 2 runs, best at rank 1")
    window.session.close_run(window.session.runs[0])
    qtbot.waitUntil(lambda: window.article.subtitle == f"{blind} · found by 1 run, best at rank 2")
    ask_for_runs(window)
    assert window.article.subtitle == blind


def test_each_document_that_is_seen_with_figures_is_recorded(window, qtbot):
    window.session.open_document("d1")
    qtbot.waitUntil(lambda: window.session.document_id == "d1" and window.session.document is not None)
    before = inspected(window)
    ask_for_runs(window)
    assert inspected(window) == [*before, "d1"]
    window.session.open_document("d2")
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "d2")
    assert inspected(window) == [*before, "d1", "d2"]
    ask_for_runs(window)
    window.session.open_document("d1")
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "d1")
    assert inspected(window) == [*before, "d1", "d2"]


def test_closing_the_run_takes_its_figures_away(window, qtbot):
    ask_for_runs(window)
    window.session.close_run(window.session.run)
    assert window.assess.panel.run_figures.isHidden()
    assert not window.assess.pool.order.shows_runs


def test_problems_of_a_run_are_shown_with_the_question(window):
    window.messages.warn("A run names documents that are not there.")
    window.book["inspect"].trigger()
    assert window.mode is Mode.ASSESS
    assert window.blind.question.current.text.startswith("d1 is not finished.")
    window.blind.question._button.click()
    assert window.mode is Mode.INSPECT
    assert window.blind.question.isHidden()
    assert window.messages.current.text == "A run names documents that are not there."


def test_a_run_that_is_opened_is_no_answer_to_the_question(window):
    window.book["inspect"].trigger()
    result = Result(window.session.topic.id, "d1", 1, 1.0, 0, 5)
    window.session.add_run(Run.from_results([result], id="further"))
    window.show_inspect(opened=True)
    assert window.mode is Mode.ASSESS
    assert window.blind.question.isVisible()


def test_inspect_asks_first_about_unfinished_documents(window, qtbot):
    ctrl = Qt.KeyboardModifier.ControlModifier
    session = window.session

    def press(name):
        key(window.article, name, ctrl)
        return window.mode, window.book["inspect"].isChecked()

    blind, seen = (Mode.ASSESS, False), (Mode.INSPECT, True)
    assert press(Qt.Key.Key_2) == blind
    assert window.blind.question.current.text.startswith("d1 is not finished.")
    key(window.article, Qt.Key.Key_Escape)
    assert press(Qt.Key.Key_2) == blind, "what was asked was let go of"
    assert inspected(window) == []
    assert press(Qt.Key.Key_2) == seen, "the same key once more is an answer"
    assert inspected(window) == ["d1"]
    # on the way along the ranking no one is stopped, and each document is noted
    session.open_document("d2")
    qtbot.waitUntil(lambda: session.document_id == "d2")
    assert inspected(window) == ["d1", "d2"]
    # one who judges on is asked of each document, once
    assert press(Qt.Key.Key_1) == blind
    assert press(Qt.Key.Key_2) == blind
    window.blind.question._button.click()
    assert window.mode is Mode.INSPECT
    press(Qt.Key.Key_1)
    assert press(Qt.Key.Key_2) == seen
    # nor is one asked of what is finished
    press(Qt.Key.Key_1)
    session.open_document("d1")
    qtbot.waitUntil(lambda: session.document_id == "d1")
    session.not_relevant()
    assert press(Qt.Key.Key_2) == seen
    assert inspected(window) == ["d1", "d2", "d2", "d2"]
