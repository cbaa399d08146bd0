"""While the key of a unit is held, the text shows where units begin; a click on a unit shows nothing."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtTest import QTest

from inexview.core.article.document import Document
from inexview.core.article.granularity import Granularity, Snapper
from inexview.core.text.spans import Spans
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.margins import NumberedPlace
from inexview.gui.article.overlays import Overlay, Stroke, Tool
from inexview.gui.article.text_layers import unit_starts
from tests.gui.driving import text_area

TEXT = "One two three. Four five! Is it six?"


@pytest.fixture
def view(qtbot):
    view = ArticleView()
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.show()
    body = f"<article><name>Title</name><body><p>{TEXT}</p><p>Another one here.</p></body></article>"
    view.set_document(Document.from_bytes(body.encode(), name="7"))
    qtbot.waitUntil(lambda: bool(text_area(view).lines()))
    view.setFocus()
    return view


def begun(view):
    return text_area(view).layers.edges.starts


def test_edges_are_where_units_begin(view):
    text, lines = view.document.text, text_area(view).lines()
    snapper = Snapper(view.document)
    abutting = {text.index("One"), text.index("Another")}  # no white space is before them
    words = sorted({found.start() for found in re.finditer(r"\w+", text)} | abutting)
    assert [at for at in unit_starts(snapper, lines, Granularity.WORD) if text[at].isalnum()] == words
    sentences = [text.index(one) for one in ("Title", "One", "Four", "Is it", "Another")]
    assert unit_starts(snapper, lines, Granularity.SENTENCE) == sentences
    paragraphs = [text.index(one) for one in ("Title", "One", "Another")]
    assert unit_starts(snapper, lines, Granularity.PARAGRAPH) == paragraphs
    assert unit_starts(snapper, lines, Granularity.CHARACTER) == []


def test_they_are_seen_while_the_key_is_held_and_no_longer(view):
    area = text_area(view)
    plain = area.viewport().grab().toImage()
    QTest.keyPress(area, Qt.Key.Key_3)
    view.pen_state.choose(Granularity.SENTENCE)  # as the window's shortcut does
    assert len(begun(view)) == 5
    assert area.viewport().grab().toImage() != plain
    QTest.keyRelease(area, Qt.Key.Key_3)
    assert begun(view) == []
    assert area.viewport().grab().toImage() == plain


def test_a_unit_that_is_clicked_shows_none(view):
    view.pen_state.choose(Granularity.WORD)
    assert begun(view) == []


def test_a_stroke_shows_added_and_erased_characters_in_the_margin(view):
    view.set_overlay(Overlay(marks=Spans([(6, 20)])))
    plain = view.margin.grab().toImage()
    view._text_area.pen.previewed.emit(Stroke(Tool.ERASE, 10, 18))
    erasing = view.margin.grab().toImage()
    assert erasing != plain
    view._text_area.pen.previewed.emit(Stroke(Tool.MARK, 10, 30))
    assert view.margin.grab().toImage() not in (plain, erasing)
    view._text_area.pen.previewed.emit(None)
    assert view.margin.grab().toImage() == plain
    view.ends.hold_next(1)  # what one more would be is outlined, and counted too
    held = view.margin.grab().toImage()
    assert held != plain
    view._text_area.pen.previewed.emit(view.ends.offer)
    assert view.margin.grab().toImage() != held, "the key that takes it is there only while an end is held"
    view._text_area.pen.previewed.emit(None)
    view.ends.dismiss()
    assert view.margin.grab().toImage() == plain


def test_the_number_of_a_place_stays_in_its_ring_at_every_size_of_text(view):
    rings = []
    view.margin.set_numbers((NumberedPlace(5, (6, 20), ""),))
    for zoom in (100, 200):
        view.set_zoom(zoom)
        (sign,) = view.margin.signs()
        place = QRect(sign.place.toRect().topLeft(), QSize(14, 14))
        rings.append(view.margin.grab(place.adjusted(-2, -2, 2, 2)).toImage())
    dark = [
        sum(ring.pixelColor(x, y).lightness() < 128 for x in range(18) for y in range(18)) for ring in rings
    ]
    assert dark[1] <= dark[0] * 1.5
