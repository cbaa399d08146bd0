"""The quality report in the window: made off its thread, read line by line, answered, gone back from."""

import re

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtTest import QTest

from inexview.core.evaluation.agreement import describe
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.topics import Topic
from inexview.core.project.judgement_export import judgements_of
from inexview.core.project.project import Project
from inexview.core.project.quality_report import QualityReport
from inexview.core.text.spans import Spans
from inexview.core.wording import percent
from inexview.gui.look.panels import FittingArea
from inexview.gui.look.theme import DARK
from inexview.gui.look.widgets import Caption, KeySign
from inexview.gui.quality import Excerpt
from inexview.gui.services.actions import Room
from tests.gui.driving import key, shown_window, wear
from tests.projects import article, project_of

ALT = Qt.KeyboardModifier.AltModifier
SAME = "Oleic acid slows a gene that drives several cancers."


@pytest.fixture
def path(tmp_path):
    articles = {at: article(f"Oil {at}", SAME, f"Number {at} ends here.") for at in ("11", "12", "13")}
    made = project_of(tmp_path, articles, Topic("7", "oils"))
    with Project.open(made) as project:
        start = len("Oil 11")
        for name in ("11", "12"):
            project.mark("7", name, start, start + len(SAME))
            project.set_bep("7", name, start if name == "11" else 2)
            project.finish("7", name)
        project.not_relevant("7", "13")
    return made


@pytest.fixture
def window(qapp, qtbot, path):
    with shown_window(qapp, path) as shown:
        qtbot.waitUntil(lambda: shown.session.document is not None)
        key(shown.article, Qt.Key.Key_Q, ALT)
        qtbot.waitUntil(lambda: shown.stage.quality.page.finding() is not None)
        yield shown


def questions(window):
    model = window.stage.quality.page.model
    lines = list(model.rows)
    return [(line.finding.question.name, line.finding.document) for line in lines if line.finding is not None]


def test_the_page_replaces_the_article_and_lists_the_findings(window):
    page = window.stage.quality.page
    assert window.stage.currentWidget() is page
    assert page._title.text() == "All 3 documents are finished"
    assert questions(window) == [("ENTRY_POINT", "12"), ("SENTENCES", "13")]
    assert page.finding().told == "4 characters before the first mark"
    assert "2 to review" in page.place._left.text()
    of_all = describe(Qrels.from_judgements(judgements_of(window.session.project).judgements)).topics[0]
    marked = page._figures["Marked"]
    assert marked.text() == f"{of_all.characters:,} characters ({percent(of_all.share, 1)})"
    assert f"{of_all.length:,}" in marked.toolTip()


def test_it_has_read_the_titles_itself(titles, window):
    model = window.stage.quality.page.model
    assert [line.title for line in model.rows if line.finding is not None] == ["Oil 12", "Oil 13"]
    titles.set()  # closing the window waits for no one who reads for long


def test_without_times_a_sentence_replaces_the_chart(window):
    page = window.stage.quality.page
    for times in ({}, {"11": 20.0}):
        page.show_report(QualityReport((), times, {}, frozenset({"11"}), (1,), (5,), 50, 2), 3, 0)
        assert page._times.isVisible() is page._order.isVisible() is bool(times)
        assert page._untimed.isVisible() is not bool(times)
        assert page._passages.isVisible()
    page.show_report(QualityReport((), {}, {}, frozenset(), (), (), 50, 2), 3, 0)
    assert not page._passages.isVisible()


def test_no_key_judges_there(window):
    assert window.book.room is Room.REPORT
    before = window.session.project.histories.states("7")
    for name in (Qt.Key.Key_N, Qt.Key.Key_F, Qt.Key.Key_S, Qt.Key.Key_J):
        QTest.keyClick(window.stage.quality.page.view, name)
    assert window.session.project.histories.states("7") == before
    assert window.stage.currentWidget() is window.stage.quality.page


def test_a_shared_sentence_is_shown_in_all_its_documents(window):
    page = window.stage.quality.page
    QTest.keyClick(page.view, Qt.Key.Key_Down)
    assert page.finding().figure == "marked in 2 of 3"
    shown = page.place._text.text()
    assert shown.count("Oil 1") >= 3
    assert shown.count("background:") == 2
    assert "not marked" in shown


def test_an_excerpt_keeps_lines_apart_and_words_whole(window):
    place = window.stage.quality.page.place
    assert "Oil 12<br>" in re.sub("</?span[^>]*>", "", place._text.text())
    text = "one two " * 40
    shown = Excerpt("1", "One", text, np.array([0], np.int64), Spans([(160, 167)]), 160, 167)
    place.show_place("", [shown], shared=False)
    read = QTextDocumentFragment.fromHtml(place._text.text()).toPlainText().partition("160")[2]
    assert set(read.split()) == {"one", "two", "…"}
    text = "灯很亮。" * 100
    shown = Excerpt("1", "One", text, np.array([0], np.int64), Spans([(160, 164)]), 160, 164)
    place.show_place("", [shown], shared=False)
    read = QTextDocumentFragment.fromHtml(place._text.text()).toPlainText().partition("160")[2]
    assert read.count("灯很亮。") > 40, "before and behind"


def test_a_short_excerpt_after_a_long_one_is_not_spread_over_its_room(window, qtbot):
    place, text = window.stage.quality.page.place, "one two three " * 30
    area = place.findChild(FittingArea)
    one = Excerpt("1", "One", text, np.array([0], np.int64), Spans([(0, 10)]), 0, 10)
    for count, high in ((3, True), (1, False)):
        place.show_place("Told", [one] * count, shared=False)
        qtbot.waitUntil(lambda high=high: (area.height() > 200) is high)
        assert place._text.y() < 40, "it follows what is told above it"


def test_the_button_that_opens_a_place_shows_its_key(window):
    button = window.stage.quality.page.place._answers[0]
    assert button.accessibleName() == "Open there (Enter)"
    assert [sign.text() for sign in button.findChildren(KeySign)] == ["Enter"]


def test_return_opens_the_place_and_the_article_shows_it(window, qtbot):
    QTest.keyClick(window.stage.quality.page.view, Qt.Key.Key_Down)
    QTest.keyClick(window.stage.quality.page.view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document_id == "13")
    assert window.stage.currentWidget() is window.frame
    assert window.book.room is Room.ASSESS
    qtbot.waitUntil(lambda: window.article.caret == len("Oil 13"))


def test_y_answers_and_goes_to_the_next_and_the_answer_is_kept(window, qtbot, qapp, path):
    page = window.stage.quality.page
    QTest.keyClick(page.view, Qt.Key.Key_Y)
    assert page.finding().question.name == "SENTENCES"
    assert "1 to review" in page.place._left.text()
    QTest.keyClick(page.view, Qt.Key.Key_Y)
    assert page.place._left.text() == ""
    QTest.keyClick(page.view, Qt.Key.Key_Q, ALT)
    assert window.stage.currentWidget() is window.frame
    key(window.article, Qt.Key.Key_Q, ALT)
    qtbot.waitUntil(lambda: page._title.text().startswith("All"))
    lines = list(page.model.rows)
    assert all(line.settled for line in lines if line.finding is not None)


def test_answers_are_in_the_journal_and_y_again_takes_one_back(window, qtbot, qapp, path):
    page = window.stage.quality.page
    QTest.keyClick(page.view, Qt.Key.Key_Y)
    assert "You have answered 1." in page._told.text()
    QTest.keyClick(page.view, Qt.Key.Key_Up)
    assert page.finding().document == "12"
    QTest.keyClick(page.view, Qt.Key.Key_Y)
    assert page.finding().document == "12"
    assert "2 to review" in page.place._left.text()
    rows = [row for row in window.session.project.journal.rows() if row.action == "answer"]
    assert [(row.document, row.values()["on"]) for row in rows] == [("12", True), ("12", False)]
    assert window.session.project.state("7", "12").finished


def test_a_low_and_narrow_window_keeps_the_line_in_sight_and_says_whole_words(window, qtbot):
    page = window.stage.quality.page
    QTest.keyClick(page.view, Qt.Key.Key_Down)
    window.resize(800, 500)
    view = page.view
    view.setMaximumHeight(60)
    qtbot.waitUntil(lambda: view.height() == 60)
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))
    assert "PASSAGES" in [one.text() for one in page.findChildren(Caption)]


def test_an_answer_holds_only_as_long_as_the_place_is_as_it_was(window, qtbot):
    page = window.stage.quality.page
    QTest.keyClick(page.view, Qt.Key.Key_Y)
    window.session.project.set_bep("7", "12", 1)
    window.session.project.finish("7", "12")
    QTest.keyClick(page.view, Qt.Key.Key_Escape)
    key(window.article, Qt.Key.Key_Q, ALT)
    qtbot.waitUntil(lambda: page.finding() is not None and page.finding().figure == "at 1")
    assert "2 to review" in page.place._left.text()


def test_esc_goes_back_to_the_pool(window):
    QTest.keyClick(window.stage.quality.page.view, Qt.Key.Key_Escape)
    assert window.stage.currentWidget() is window.frame
    assert window.book["finish"].isVisible()


def test_it_is_painted_in_both_themes(window):
    light = window.stage.quality.page.grab().toImage()
    wear(DARK)
    assert window.stage.quality.page.grab().toImage() != light


def test_a_topic_of_which_nothing_is_finished_asks_nothing(window, qtbot):
    for name in ("11", "12", "13"):
        window.session.project.reopen("7", name)
    QTest.keyClick(window.stage.quality.page.view, Qt.Key.Key_Escape)
    key(window.article, Qt.Key.Key_Q, ALT)
    page = window.stage.quality.page
    qtbot.waitUntil(lambda: page._title.text() == "0 of 3 documents are finished")
    assert page._told.text() == "No judgement needs a second look."
    for name in (Qt.Key.Key_Y, Qt.Key.Key_Return, Qt.Key.Key_Down):
        QTest.keyClick(page.view, name)
    assert window.stage.currentWidget() is page
    page.grab()


def test_a_missing_document_is_skipped(window, qtbot, tmp_path):
    (tmp_path / "articles" / "12.xml").unlink()
    QTest.keyClick(window.stage.quality.page.view, Qt.Key.Key_Escape)
    key(window.article, Qt.Key.Key_Q, ALT)
    qtbot.waitUntil(lambda: questions(window) == [("SENTENCES", "13")])
    assert "1 finished document cannot be read" in window.stage.quality.page._told.text()


def test_inspect_is_reached_from_the_report(window):
    QTest.keyClick(window.stage.quality.page.view, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert window.book.room is Room.INSPECT
    assert window.stage.currentWidget() is window.frame
    assert not window.stage.quality.active
