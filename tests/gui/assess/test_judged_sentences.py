"""Sentences that were judged elsewhere in the topic carry a tick, and a key or a click leads there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project
from inexview.core.text.spans import Spans
from inexview.gui.article.overlays import Beside, Contest
from inexview.gui.look.theme import RelevanceState
from tests.gui.driving import LEFT, NONE, key, see_runs, shown_window
from tests.projects import article, project_of

RELEVANT, NOT_RELEVANT = RelevanceState.RELEVANT, RelevanceState.NOT_RELEVANT
SAME = "Oleic acid slows a gene that drives several cancers."
NEAR = "Oleic acid slows a gene that drives several rare cancers."
BEGIN = len("Oil 11")


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    texts = {"11": SAME, "12": SAME, "13": NEAR, "14": "Nothing of this is anywhere else at all."}
    articles = {at: article(f"Oil {at}", text, f"Number {at} ends here.") for at, text in texts.items()}
    made = project_of(tmp_path, articles, Topic("7", "oils"))
    with Project.open(made) as project:
        project.mark("7", "11", BEGIN, BEGIN + len(SAME))
        project.not_relevant("7", "13")
    with shown_window(qapp, made) as shown:
        shown.resize(1440, 900)
        qtbot.waitUntil(lambda: shown.session.document is not None)
        yield shown


def show(window, qtbot, name):
    window.session.open_document(name)
    qtbot.waitUntil(lambda: window.session.document_id == name)


def ticks(window):
    return [(one.same, one.states, one.told) for one in window.article.margin._ticks]


def test_a_tick_says_how_and_where_and_leads_there_and_round(window, qtbot):
    show(window, qtbot, "12")
    told = "nearly the same: judged relevant in Oil 11, not relevant in Oil 13"
    qtbot.waitUntil(lambda: ticks(window) == [(False, (RELEVANT, NOT_RELEVANT), told)])
    window.resize(1280, 720)
    image = window.article.margin.grab().toImage()
    edge = {image.pixel(image.width() - 1, y) for y in range(image.height())}
    assert len(edge) == 1, "neither disc is cut off at the narrowest margin"
    window.session.not_relevant()
    assert window.session.document_id == "12"
    for following in ("13", "11", "12"):
        qtbot.waitUntil(lambda: len(ticks(window)) == 1)
        window.article.place_caret(BEGIN + 3)
        key(window.article, Qt.Key.Key_Equal)
        qtbot.waitUntil(lambda name=following: window.session.document_id == name)
    qtbot.waitUntil(lambda: len(ticks(window)) == 1)
    window.article.lay_beside(Beside(Contest((Spans(), Spans()))))
    assert window.article.margin.signs() == [], "lanes of assessors are there"
    window.article.lay_beside(Beside())
    see_runs(window)
    assert ticks(window) == [], "where one looks at runs no one judges"
    key(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(ticks(window)) == 1)
    sign = window.article.margin.signs()[0]
    QTest.mouseClick(window.article.margin, LEFT, NONE, sign.place.center().toPoint())
    qtbot.waitUntil(lambda: window.session.document_id == "13")


def test_a_tick_names_a_document_by_its_title_once_that_is_read(titles, window, qtbot):
    show(window, qtbot, "12")
    told = "nearly the same: judged relevant in Oil 11, not relevant in"
    qtbot.waitUntil(lambda: [one for _, _, one in ticks(window)] == [f"{told} 13"])
    titles.set()
    qtbot.waitUntil(lambda: [one for _, _, one in ticks(window)] == [f"{told} Oil 13"])


def test_the_words_of_a_tick_are_under_the_text_where_the_margin_is_narrow(window, qtbot):
    show(window, qtbot, "12")
    qtbot.waitUntil(lambda: len(ticks(window)) == 1)
    strip = window.article.strip
    window.article.place_caret(BEGIN + 3)
    for wide, under in ((1280, True), (1700, False), (1280, True)):
        window.resize(wide, 720)
        window.grab()
        assert strip.readout.isVisible() is under
        assert strip.path.isVisible() is not under
    assert strip.readout.full_text == ticks(window)[0][2]
    window.article.place_caret(0)
    assert strip.path.isVisible()


def test_unjudged_sentences_have_no_tick_and_single_ones_no_link(window, qtbot):
    show(window, qtbot, "12")
    qtbot.waitUntil(lambda: len(ticks(window)) == 1)
    show(window, qtbot, "11")
    window.session.clear()
    show(window, qtbot, "12")
    told = "nearly the same: judged not relevant in Oil 13"
    qtbot.waitUntil(lambda: ticks(window) == [(False, (NOT_RELEVANT,), told)])
    show(window, qtbot, "14")
    qtbot.waitUntil(lambda: ticks(window) == [])
    key(window.article, Qt.Key.Key_Equal)
    assert "not judged elsewhere" in window.messages.current.text
    assert window.session.document_id == "14"


def test_looking_for_like_sentences_ends_with_the_document_that_is_left(window, qtbot):
    show(window, qtbot, "14")
    show(window, qtbot, "12")
    qtbot.waitUntil(lambda: len(ticks(window)) == 1)
    sentences = window.stage.sentences
    sentences._look()
    window.session.open_document("14")  # it is kept, and there at once
    assert window.session.document_id == "14"
    told = []
    window.article.margin.set_ticks = told.append
    qtbot.waitUntil(lambda: sentences._here is not None and not sentences._looking.active)
    assert all(not shown for shown in told)
