"""The pen, driven by real mouse and key events at the places where the characters are painted."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from inexview.core.article.granularity import Granularity, Snapper
from inexview.core.text.spans import Spans
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.overlays import Overlay, Stroke, Tool
from tests.gui.articles import MARKUPS, ODD, long, small, span_of
from tests.gui.driving import (
    ALT,
    LEFT,
    NONE,
    RIGHT,
    build_all,
    click,
    double_click,
    drag,
    key,
    move,
    place,
    text_area,
)

SHIFT = Qt.KeyboardModifier.ShiftModifier


class Log:
    """What a view said, in order."""

    def __init__(self, view: ArticleView) -> None:
        self.strokes: list[Stroke] = []
        self.previews: list[Stroke | None] = []
        self.entry_points: list[int] = []
        view.stroke_finished.connect(self.strokes.append)
        view.pen.previewed.connect(self.previews.append)
        view.entry_point_chosen.connect(self.entry_points.append)


@pytest.fixture
def log(view) -> Log:
    return Log(view)


def sentence(document, words: str) -> tuple[int, int]:
    return Snapper(document).sentence_at(document.text.index(words))


@pytest.mark.parametrize("markup", MARKUPS)
def test_a_drag_within_a_sentence_marks_the_sentence(view, log, markup):
    document = small(markup)
    view.set_document(document)
    drag(view, *span_of(document, "everybody"))
    assert log.strokes == [Stroke(Tool.MARK, *sentence(document, "Not everybody"))]


@pytest.mark.parametrize("markup", MARKUPS)
def test_a_drag_crosses_paragraphs_headings_and_lists(view, log, markup):
    document = small(markup)
    view.set_document(document)
    drag(view, document.text.index("burn"), document.text.index("Second") + 3)
    start, end = sentence(document, "Lamps")[0], sentence(document, "Second thing")[1]
    assert log.strokes == [Stroke(Tool.MARK, start, end)]


@pytest.mark.parametrize("markup", MARKUPS)
@pytest.mark.parametrize(
    "words", ["😀", "😀 one", "𝒜𝒷", "𝒷 two e\u0301a\u0308", "four\u2028five", "漢字 𠮷", "three\u00a0four"]
)
def test_alt_marks_exact_characters_however_wide_they_are_in_utf16(view, log, markup, words):
    document = small(markup)
    view.set_document(document)
    start, end = span_of(document, words)
    drag(view, start, end, modifiers=ALT)
    assert log.strokes == [Stroke(Tool.MARK, start, end)]


def test_every_single_character_can_be_marked_that_is_seen(view, log):
    document = small()
    view.set_document(document)
    start, end = span_of(document, ODD)
    for offset in range(start, end):
        combining = (
            document.text[offset : offset + 2][-1] in "\u0301\u0308"
            or document.text[offset] in "\u0301\u0308"
        )
        if document.text[offset] in " \u2028" or combining:  # no ink of its own to drag over
            continue
        drag(view, offset, offset + 1, modifiers=ALT)
        assert log.strokes.pop() == Stroke(Tool.MARK, offset, offset + 1)


def test_dragging_backwards_marks_the_same(view, log):
    document = small()
    view.set_document(document)
    start, end = span_of(document, "is said to be")
    viewport = text_area(view).viewport()
    begin, finish = place(view, end - 1, after=True), place(view, start)
    QTest.mousePress(viewport, LEFT, ALT, begin)
    move(viewport, finish, LEFT, ALT)
    QTest.mouseRelease(viewport, LEFT, ALT, finish)
    assert log.strokes == [Stroke(Tool.MARK, start, end)]


def test_the_preview_follows_the_mouse_and_ends_with_the_stroke(view, log):
    document = small()
    view.set_document(document)
    viewport = text_area(view).viewport()
    begin = place(view, document.text.index("said"))
    QTest.mousePress(viewport, LEFT, NONE, begin)
    assert log.previews == []
    move(viewport, begin + QPoint(40, 0), LEFT, NONE)
    first = Stroke(Tool.MARK, *sentence(document, "It is said"))
    assert log.previews == [first]
    move(viewport, begin + QPoint(45, 0), LEFT, NONE)
    assert log.previews == [first]  # nothing new to say
    finish = place(view, document.text.index("everybody"))
    move(viewport, finish, LEFT, NONE)
    both = Stroke(Tool.MARK, first.start, sentence(document, "Not everybody")[1])
    assert log.previews == [first, both]
    QTest.mouseRelease(viewport, LEFT, NONE, finish)
    assert log.previews == [first, both, None]
    assert log.strokes == [both]


def test_a_missed_button_release_ends_the_stroke(view, log):
    document = small()
    view.set_document(document)
    viewport = text_area(view).viewport()
    begin = place(view, document.text.index("said"))
    QTest.mousePress(viewport, LEFT, NONE, begin)
    move(viewport, begin + QPoint(40, 0), LEFT, NONE)
    assert log.previews[-1] is not None
    move(viewport, begin + QPoint(80, 40), Qt.MouseButton.NoButton, NONE)  # the window was minimised
    assert log.previews[-1] is None
    QTest.mouseClick(viewport, LEFT, NONE, begin)
    assert log.strokes == []


def test_alt_pressed_during_a_drag_shows_the_exact_stroke_at_once(view, log):
    document = small()
    view.set_document(document)
    area = text_area(view)
    start, end = span_of(document, "said to")
    begin, finish = place(view, start), place(view, end - 1, after=True)
    QTest.mousePress(area.viewport(), LEFT, NONE, begin)
    move(area.viewport(), finish, LEFT, NONE)
    QTest.keyPress(area, Qt.Key.Key_Alt)
    assert log.previews[-1] == Stroke(Tool.MARK, start, end)
    QTest.keyRelease(area, Qt.Key.Key_Alt, ALT)
    assert log.previews[-1] == Stroke(Tool.MARK, *sentence(document, "It is said"))
    QTest.mouseRelease(area.viewport(), LEFT, NONE, finish)


def test_without_snapping_a_drag_is_as_exact_as_with_alt(view, log):
    document = small()
    view.set_document(document)
    view.pen_state.choose(Granularity.CHARACTER)
    start, end = span_of(document, "said to")
    drag(view, start, end)
    assert log.strokes == [Stroke(Tool.MARK, start, end)]


def test_the_eraser_erases(view, log):
    document = small()
    view.set_document(document)
    view.pen_state.take(Tool.ERASE)
    drag(view, *span_of(document, "everybody"))
    assert log.strokes == [Stroke(Tool.ERASE, *sentence(document, "Not everybody"))]


@pytest.mark.parametrize("tool", Tool)
def test_the_right_button_erases_whatever_the_tool(view, log, tool):
    document = small()
    view.set_document(document)
    view.pen_state.take(tool)
    drag(view, *span_of(document, "everybody"), button=RIGHT)
    assert log.strokes == [Stroke(Tool.ERASE, *sentence(document, "Not everybody"))]


def test_a_plain_click_only_places_the_caret(view, log):
    document = small()
    view.set_document(document)
    at = document.text.index("Second thing 😀") + 13
    click(view, at)
    assert view.caret == at
    assert view.selection == (at, at)
    assert log.strokes == []
    assert log.previews == []


def test_a_hand_that_shakes_while_it_clicks_draws_no_stroke(view, log):
    view.set_document(small())
    viewport = text_area(view).viewport()
    point = place(view, 40)
    QTest.mousePress(viewport, LEFT, NONE, point)
    move(viewport, point + QPoint(2, 1), LEFT, NONE)
    QTest.mouseRelease(viewport, LEFT, NONE, point + QPoint(2, 1))
    assert log.strokes == []


def test_a_double_click_marks_the_sentence_and_a_third_the_paragraph(view, log):
    document = small()
    view.set_document(document)
    viewport = text_area(view).viewport()
    point = place(view, document.text.index("everybody"))
    QTest.mouseClick(viewport, LEFT, NONE, point)
    double_click(viewport, point)
    assert log.strokes == [Stroke(Tool.MARK, *sentence(document, "Not everybody"))]
    QTest.mousePress(viewport, LEFT, NONE, point)
    QTest.mouseRelease(viewport, LEFT, NONE, point)
    paragraph = Snapper(document).grow(*span_of(document, "everybody"), Granularity.PARAGRAPH)
    assert log.strokes[1:] == [Stroke(Tool.MARK, *paragraph, widens=True)]


def test_a_double_click_right_of_a_paragraphs_last_word_means_its_last_sentence(view, log):
    document = small()
    view.set_document(document)
    point = place(view, document.text.index("agrees.") + 6) + QPoint(60, 0)
    double_click(text_area(view).viewport(), point)
    assert log.strokes == [Stroke(Tool.MARK, *sentence(document, "Not everybody"))]


def test_escape_gives_a_stroke_up(view, log):
    document = small()
    view.set_document(document)
    viewport = text_area(view).viewport()
    begin = place(view, document.text.index("said"))
    QTest.mousePress(viewport, LEFT, NONE, begin)
    move(viewport, begin + QPoint(50, 0), LEFT, NONE)
    key(view, Qt.Key.Key_Escape)
    assert log.previews[-1] is None
    move(viewport, begin + QPoint(90, 0), LEFT, NONE)
    QTest.mouseRelease(viewport, LEFT, NONE, begin + QPoint(90, 0))
    assert log.strokes == []
    assert log.previews[-1] is None


def test_pressing_inside_selected_text_begins_a_stroke_and_drags_no_text_away(view, log):
    document = small()
    view.set_document(document)
    text_area(view).select(*span_of(document, "It is said to be healthy."))
    drag(view, *span_of(document, "said to"), modifiers=ALT)
    assert log.strokes == [Stroke(Tool.MARK, *span_of(document, "said to"))]


def test_shift_and_the_mouse_select_without_marking(view, log):
    document = small()
    view.set_document(document)
    start, end = span_of(document, "said to be")
    click(view, start)
    click(view, end, modifiers=SHIFT)
    assert view.selection == (start, end)
    assert log.strokes == []


def test_a_drag_beyond_the_edge_scrolls_and_goes_on_marking(view, log, qtbot):
    document = long()
    view.set_document(document)
    build_all(text_area(view).builder)
    area = text_area(view)
    viewport = area.viewport()
    start = document.text.index("Paragraph 0 begins")
    begin = place(view, start)
    below = QPoint(200, viewport.height() + 30)
    QTest.mousePress(viewport, LEFT, NONE, begin)
    move(viewport, below, LEFT, NONE)
    qtbot.waitUntil(lambda: area.verticalScrollBar().value() > 400)
    QTest.mouseRelease(viewport, LEFT, NONE, below)
    rested = area.verticalScrollBar().value()
    assert log.strokes[0].start == start
    assert log.strokes[0].end > area.lines()[0].start
    qtbot.wait(60)
    assert area.verticalScrollBar().value() == rested


def test_the_end_of_a_mark_dragged_beyond_the_edge_scrolls_and_esc_gives_it_up(view, log, qtbot):
    document = long()
    view.set_document(document)
    build_all(text_area(view).builder)
    area, (start, end) = text_area(view), sentence(document, "Paragraph 1 begins")
    view.set_overlay(Overlay(marks=Spans([(start, end)])))
    below = QPoint(200, area.viewport().height() + 30)
    for given_up in (False, True):
        area.verticalScrollBar().setValue(0)
        QTest.mousePress(area.viewport(), LEFT, NONE, place(view, end - 1, after=True))
        move(area.viewport(), below, LEFT, NONE)
        qtbot.waitUntil(lambda: area.verticalScrollBar().value() > 400)
        if given_up:
            key(view, Qt.Key.Key_Escape)
        rested = area.verticalScrollBar().value()
        QTest.mouseRelease(area.viewport(), LEFT, NONE, below)
        qtbot.wait(60)
        assert area.verticalScrollBar().value() == rested
        assert len(log.strokes) == 1
    assert log.strokes[0].start == end
    assert log.strokes[0].end > area.lines()[0].start


def in_margin(view, offset: int) -> tuple[object, QPoint]:
    """Return the margin, and the place in it beside the line of a character, where the flag stands."""
    point, area = place(view, offset), text_area(view)
    gutter = view.findChild(object, "article-gutter")
    at = gutter.mapFrom(area, area.viewport().mapTo(area, point))
    return gutter, QPoint(gutter.width() - 10, at.y())


def test_the_margin_is_no_live_pen(view, log):
    document = small()
    view.set_document(document)
    gutter, begin = in_margin(view, document.text.index("It is said"))
    for button in (LEFT, RIGHT):
        QTest.mousePress(gutter, button, NONE, begin)
        move(gutter, begin + QPoint(160, 0), button, NONE)
        QTest.mouseRelease(gutter, button, NONE, begin + QPoint(160, 0))
    assert (log.strokes, log.previews, log.entry_points) == ([], [], [])
    assert gutter.cursor().shape() is Qt.CursorShape.ArrowCursor


# -- the entry point --------------------------------------------------------------------------------------


def test_a_click_chooses_the_beginning_of_its_sentence_as_entry_point(view, log):
    document = small()
    view.set_document(document)
    view.begin_entry_point()
    assert view.pen.choosing
    click(view, document.text.index("everybody"))
    assert log.entry_points == [sentence(document, "Not everybody")[0]]
    assert not view.pen.choosing
    assert log.strokes == []


def test_alt_chooses_the_exact_character_as_entry_point(view, log):
    document = small()
    view.set_document(document)
    view.begin_entry_point()
    at = document.text.index("𝒷")
    click(view, at, modifiers=ALT)
    assert log.entry_points == [at]


def test_escape_gives_the_choice_of_an_entry_point_up(view, log):
    document = small()
    view.set_document(document)
    view.begin_entry_point()
    key(view, Qt.Key.Key_Escape)
    assert not view.pen.choosing
    click(view, document.text.index("everybody"))
    assert log.entry_points == []


def test_the_entry_point_at_the_caret_is_the_beginning_of_its_sentence(view, log):
    document = small()
    view.set_document(document)
    view.place_caret(document.text.index("everybody"))
    view.caret_pen.choose_entry_point()
    view.place_caret(document.text.index("agrees.") + 7)  # behind the last character of the paragraph
    view.caret_pen.choose_entry_point()
    assert log.entry_points == [sentence(document, "Not everybody")[0]] * 2


def test_dragging_the_flag_moves_the_entry_point(view, log):
    document = small()
    view.set_document(document)
    view.set_overlay(Overlay(bep=document.text.index("It is said")))
    gutter, begin = in_margin(view, document.text.index("It is said"))
    _, end = in_margin(view, document.text.index("Second thing"))
    move(gutter, begin, Qt.MouseButton.NoButton, NONE)
    assert gutter.cursor().shape() is Qt.CursorShape.OpenHandCursor
    QTest.mousePress(gutter, LEFT, NONE, begin)
    move(gutter, begin + QPoint(0, 8), LEFT, NONE)
    assert gutter.cursor().shape() is Qt.CursorShape.ClosedHandCursor
    move(gutter, end, LEFT, NONE)
    assert log.entry_points == []
    QTest.mouseRelease(gutter, LEFT, NONE, end)
    assert log.entry_points == [document.text.index("Second thing")]
    assert log.strokes == []


def test_a_flag_that_is_only_pressed_or_cancelled_does_not_move(view, log):
    document = small()
    view.set_document(document)
    view.set_overlay(Overlay(bep=document.text.index("It is said")))
    gutter, begin = in_margin(view, document.text.index("It is said"))
    QTest.mouseClick(gutter, LEFT, NONE, begin)
    QTest.mousePress(gutter, LEFT, NONE, begin)
    move(gutter, begin + QPoint(0, 60), LEFT, NONE)
    key(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(gutter, LEFT, NONE, begin + QPoint(0, 60))
    view.set_pen_live(False)
    QTest.mousePress(gutter, LEFT, NONE, begin)
    move(gutter, begin + QPoint(0, 60), LEFT, NONE)
    QTest.mouseRelease(gutter, LEFT, NONE, begin + QPoint(0, 60))
    assert log.entry_points == []


def test_the_first_mark_is_proposed_as_entry_point_until_there_is_one(view):
    document = small()
    view.set_document(document)
    view.set_proposal_key("Alt+B")
    gutter, start = view.findChild(object, "article-gutter"), document.text.index("It is said")
    empty = gutter.grab().toImage()
    marks = Spans([(start, start + 25)])
    view.set_overlay(Overlay(marks=marks))
    assert gutter.proposed == start
    assert gutter.grab().toImage() != empty
    assert "Alt+B sets the best entry point here" in gutter.explanation()
    view.set_pen_live(False)
    assert gutter.proposed is None
    view.set_pen_live(True)
    view.set_overlay(Overlay(marks=marks, bep=start + 10))
    assert gutter.proposed is None


# -- from the keyboard ------------------------------------------------------------------------------------


def test_the_selection_is_marked_and_erased_grown_to_sentences(view, log):
    document = small()
    view.set_document(document)
    start, end = span_of(document, "healthy. Not")
    view.place_caret(start)
    for _ in range(end - start):
        key(view, Qt.Key.Key_Right, SHIFT)
    assert view.selection == (start, end)
    view.caret_pen.stroke_selection(Tool.MARK)
    both = (sentence(document, "It is said")[0], sentence(document, "Not everybody")[1])
    assert view.selection[0] == view.selection[1]  # so that the mark is seen
    assert log.strokes == [Stroke(Tool.MARK, *both)]
    text_area(view).select(*span_of(document, "everybody"))
    view.caret_pen.stroke_selection(Tool.ERASE)
    assert log.strokes[1:] == [Stroke(Tool.ERASE, *sentence(document, "Not everybody"))]


def test_the_passage_at_the_caret_is_erased_whole(view, log):
    document = small()
    view.set_document(document)
    marks = Spans([span_of(document, "Olive oil is a fat"), span_of(document, "healthy. Not everybody")])
    view.set_overlay(Overlay(marks=marks))
    view.place_caret(document.text.index("Not every"))
    view.caret_pen.erase_passage()
    view.place_caret(document.text.index("First thing"))
    view.caret_pen.erase_passage()
    assert log.strokes == [Stroke(Tool.ERASE, *span_of(document, "healthy. Not everybody"))]


def test_the_selection_grows_from_sentence_to_paragraph(view):
    document = small()
    view.set_document(document)
    view.place_caret(document.text.index("everybody"))
    view.caret_pen.extend_selection(Granularity.SENTENCE)
    assert view.selection == sentence(document, "Not everybody")
    view.caret_pen.extend_selection(Granularity.PARAGRAPH)
    assert view.selection == span_of(document, "It is said to be healthy. Not everybody agrees.")


# -- a pen that is not live -------------------------------------------------------------------------------


def test_a_pen_that_is_not_live_selects_and_marks_nothing(view, log):
    document = small()
    view.set_document(document)
    view.set_pen_live(False)
    viewport = text_area(view).viewport()
    start, end = span_of(document, "everybody")
    drag(view, start, end)
    assert view.selection == (start, end)
    drag(view, start, end, button=RIGHT)
    point = place(view, start)
    QTest.mouseClick(viewport, LEFT, NONE, point)
    double_click(viewport, point)
    assert view.selection == (start, end)
    QTest.mouseClick(viewport, LEFT, NONE, point)
    assert view.selection == span_of(document, "It is said to be healthy. Not everybody agrees.")
    assert log.strokes == []
    assert log.previews == []


def test_keys_of_a_pen_that_is_not_live_do_nothing(view, log):
    document = small()
    view.set_document(document)
    view.set_overlay(Overlay(marks=Spans([span_of(document, "It is said")])))
    view.set_pen_live(False)
    view.place_caret(document.text.index("said"))
    for stroke in (
        view.caret_pen.mark_sentence,
        view.caret_pen.erase_passage,
        view.caret_pen.choose_entry_point,
    ):
        stroke()
    view.begin_entry_point()
    assert not view.pen.choosing
    assert (log.strokes, log.entry_points) == ([], [])


def test_a_stroke_that_was_begun_ends_when_the_pen_is_no_longer_live(view, log):
    document = small()
    view.set_document(document)
    viewport = text_area(view).viewport()
    begin = place(view, document.text.index("said"))
    QTest.mousePress(viewport, LEFT, NONE, begin)
    move(viewport, begin + QPoint(50, 0), LEFT, NONE)
    view.set_pen_live(False)
    QTest.mouseRelease(viewport, LEFT, NONE, begin + QPoint(50, 0))
    assert log.strokes == []
    view.set_pen_live(True)
    drag(view, *span_of(document, "everybody"))
    assert log.strokes == [Stroke(Tool.MARK, *sentence(document, "Not everybody"))]
