"""The ruler: what its ticks show, and how it scrolls the text."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.overlays import Channels, Overlay
from inexview.gui.article.text_area import LEAST_HANDLE, TOP, WIDTH, Ruler
from inexview.gui.article.text_layers import WordPlaces
from inexview.gui.look.theme import DARK, LIGHT
from tests.gui.article.test_painting import rows_with
from tests.gui.articles import long, small
from tests.gui.driving import LEFT, NONE, build_all, move, text_area
from tests.gui.look.test_theme import contrast

SHIFT, MIDDLE = Qt.KeyboardModifier.ShiftModifier, Qt.MouseButton.MiddleButton
LONG = long(400)
BARE = WIDTH - 1  # an x at which there are no ticks


@pytest.fixture
def strip(qtbot) -> Ruler:
    """Return a ruler of nothing but a text of 1,000 characters."""
    made = Ruler(LIGHT, None)
    qtbot.addWidget(made)
    made.resize(WIDTH, 212)
    made.set_length(1000)
    return made


@pytest.fixture
def long_view(view) -> ArticleView:
    view.set_document(LONG)
    build_all(text_area(view).builder)
    return view


@pytest.fixture
def ruler(long_view) -> Ruler:
    return long_view.findChild(Ruler)


def rows_of(strip: Ruler, color: str) -> list[int]:
    return rows_with(strip.grab().toImage(), color)


def middle(ruler: Ruler) -> QPoint:
    return ruler.handle().center().toPoint()


def carry(ruler: Ruler, begin: QPoint, end: QPoint) -> None:
    """Press and go somewhere, without letting go."""
    QTest.mousePress(ruler, LEFT, NONE, begin)
    for step in range(1, 6):
        move(ruler, begin + (end - begin) * step / 5, LEFT, NONE)


def top_offset(view: ArticleView) -> int:
    return text_area(view).lines()[0].start


# -- what it shows ----------------------------------------------------------------------------------------


def test_marks_are_at_their_relative_places(strip):
    strip.set_channels(Channels.of(Overlay(marks=Spans([(500, 750)]))))
    assert rows_of(strip, LIGHT.mark_edge) == list(range(106, 156))


def test_even_a_single_character_of_a_long_text_is_seen(strip):
    strip.set_length(2_000_000)
    strip.set_channels(Channels.of(Overlay(marks=Spans([(1_999_999, 2_000_000)]), retrieved=Spans([(0, 1)]))))
    assert rows_of(strip, LIGHT.miss)
    assert rows_of(strip, LIGHT.false_alarm)


def test_finds_and_entry_points_are_shown(strip):
    found = Spans([(100, 104), (900, 904)])
    strip.set_found(found.starts, found.ends)
    strip.set_channels(Channels.of(Overlay(bep=500)))
    assert len(rows_of(strip, LIGHT.finished)) == 4
    assert rows_of(strip, LIGHT.bep) == [105, 106]


def test_an_empty_text_leaves_it_empty(strip):
    strip.set_length(0)
    strip.set_channels(Channels.of(Overlay(marks=EMPTY)))
    assert rows_of(strip, LIGHT.mark_edge) == []


def test_a_short_article_has_no_handle_and_keeps_its_ticks_and_its_margin(view, qtbot):
    view.set_document(small())
    view.set_overlay(Overlay(marks=Spans([(0, 20)])))
    view.grab()
    ruler, margin = view.findChild(Ruler), view.margin.geometry()
    assert ruler.handle() is None
    assert rows_of(ruler, LIGHT.mark_edge)
    view.set_document(LONG)
    qtbot.waitUntil(lambda: ruler.handle() is not None)
    view.grab()
    assert (view.margin.x(), view.margin.width()) == (margin.x(), margin.width())


def test_the_handle_can_be_grasped_in_the_longest_article_and_reaches_both_ends(strip):
    strip.set_length(2_000_000)
    strip.set_view(0, 2_000)
    assert (strip.handle().top(), strip.handle().height()) == (TOP, LEAST_HANDLE)
    strip.set_view(1_998_000, 2_000_000)
    assert (strip.handle().bottom(), strip.handle().height()) == (212 - TOP, LEAST_HANDLE)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_outline_of_the_handle_is_seen(theme):
    assert contrast(theme, "accent", "window") >= 3


def test_the_handle_looks_different_under_the_mouse_and_when_it_is_held(ruler):
    resting = ruler.grab().toImage()
    QTest.mouseMove(ruler, middle(ruler))
    hovered = ruler.grab().toImage()
    QTest.mousePress(ruler, LEFT, NONE, middle(ruler))
    held = ruler.grab().toImage()
    QTest.mouseRelease(ruler, LEFT, NONE, middle(ruler))
    assert resting != hovered != held != resting


def test_a_screen_reader_finds_a_scroll_bar(ruler):
    told = QAccessible.queryAccessibleInterface(ruler)
    assert told.role() is QAccessible.Role.ScrollBar
    assert told.text(QAccessible.Text.Name) == "Overview of the whole text"
    ruler.setValue(300)
    assert told.valueInterface().currentValue() == 300
    assert told.valueInterface().maximumValue() == ruler.maximum() > 300


# -- scrolling --------------------------------------------------------------------------------------------


def test_the_handle_follows_the_mouse_from_where_it_was_taken_and_marks_nothing(long_view, ruler):
    strokes = []
    long_view.stroke_finished.connect(strokes.append)
    long_view.set_pen_live(True)
    begin = middle(ruler)
    end = begin + QPoint(-300, 217)  # over the text, which is of no account
    carry(ruler, begin, end)
    assert ruler.isSliderDown()
    assert abs(middle(ruler).y() - end.y()) <= 1
    QTest.mouseRelease(ruler, LEFT, NONE, end)
    assert abs(middle(ruler).y() - end.y()) <= 2
    assert not ruler.isSliderDown()
    assert strokes == []
    rested = ruler.value()
    move(ruler, end + QPoint(0, 90), Qt.MouseButton.NoButton, NONE)
    assert ruler.value() == rested


def test_the_handle_moves_the_text_less_than_a_line_at_a_time(view, qtbot):
    view.set_document(long(15))
    build_all(text_area(view).builder)
    ruler = view.findChild(Ruler)
    ruler.setValue(110)  # a title has few characters and much room
    begin, seen = middle(ruler), []
    QTest.mousePress(ruler, LEFT, NONE, begin)
    for pixels in range(1, 60):
        move(ruler, begin + QPoint(0, pixels), LEFT, NONE)
        seen.append(ruler.value())
    QTest.mouseRelease(ruler, LEFT, NONE, begin)
    assert seen == sorted(seen)
    assert max(np.diff(seen)) < 20


def test_dragging_reaches_both_ends(long_view, ruler):
    foot = QPoint(BARE, ruler.height())
    carry(ruler, middle(ruler), foot)
    QTest.mouseRelease(ruler, LEFT, NONE, foot)
    assert ruler.value() == ruler.maximum()
    carry(ruler, middle(ruler), QPoint(BARE, 0))
    QTest.mouseRelease(ruler, LEFT, NONE, QPoint(BARE, 0))
    assert ruler.value() == 0


def test_dragging_further_than_the_text_is_built_arrives_once_it_is(view):
    view.set_document(LONG)
    ruler = view.findChild(Ruler)
    assert not text_area(view).builder.complete
    end = QPoint(BARE, round(ruler.height() * 0.8))
    carry(ruler, middle(ruler), end)
    QTest.mouseRelease(ruler, LEFT, NONE, end)
    build_all(text_area(view).builder)
    assert abs(top_offset(view) - LONG.length * 0.78) < LONG.length * 0.04


def test_a_press_next_to_the_handle_turns_pages_up_to_the_mouse(long_view, ruler, qtbot):
    page = ruler.pageStep()
    QTest.mouseClick(ruler, LEFT, NONE, QPoint(BARE, ruler.height() - TOP))
    assert ruler.value() == page
    target = QPoint(BARE, ruler.height() // 2)
    QTest.mousePress(ruler, LEFT, NONE, target)
    qtbot.waitUntil(lambda: ruler.handle().bottom() >= target.y())
    assert ruler.repeatAction() is Ruler.SliderAction.SliderNoAction
    assert ruler.handle().top() <= target.y()
    QTest.mouseRelease(ruler, LEFT, NONE, target)
    before = ruler.value()
    QTest.mouseClick(ruler, LEFT, NONE, QPoint(BARE, TOP))
    assert ruler.value() == before - page


@pytest.mark.parametrize(("button", "modifiers"), [(MIDDLE, NONE), (LEFT, SHIFT)])
def test_the_middle_button_and_shift_go_to_a_height_and_hold_the_handle(long_view, ruler, button, modifiers):
    at = QPoint(BARE, ruler.height() // 2)
    QTest.mousePress(ruler, button, modifiers, at)
    assert abs(middle(ruler).y() - at.y()) <= 2
    move(ruler, at + QPoint(0, 100), button, NONE)
    assert abs(middle(ruler).y() - at.y() - 100) <= 2
    QTest.mouseRelease(ruler, button, modifiers, at + QPoint(0, 100))


@pytest.mark.parametrize("column", [7, 14, 19], ids=["a mark", "what a run retrieved", "a word"])
def test_a_click_on_a_tick_goes_to_it(long_view, ruler, column):
    mark, taken, word = (LONG.text.index(f"Paragraph {n} begins") for n in (120, 240, 360))
    long_view.set_overlay(Overlay(marks=Spans([(mark, mark + 5)]), retrieved=Spans([(taken, taken + 5)])))
    long_view.set_word_ticks([WordPlaces(0, np.array([word]), np.array([word + 5]))])
    wanted = {7: mark, 14: taken, 19: word}[column]
    y = TOP + round(wanted / LONG.length * (ruler.height() - 2 * TOP))
    QTest.mouseClick(ruler, LEFT, NONE, QPoint(column, y + 2))
    lines = text_area(long_view).lines()
    middle_line = lines[len(lines) // 2]
    assert middle_line.start - 200 < wanted < middle_line.end + 200
    QTest.mouseClick(ruler, LEFT, NONE, QPoint(column, y + 60))
    assert top_offset(long_view) > wanted  # a page further: nothing is there


def test_esc_gives_the_handle_back_and_the_text_is_where_it_was(long_view, ruler):
    ruler.setValue(1234)
    carry(ruler, middle(ruler), QPoint(BARE, ruler.height()))
    assert ruler.value() != 1234
    QTest.keyClick(text_area(long_view), Qt.Key.Key_Escape)
    assert abs(ruler.value() - 1234) <= 2
    move(ruler, QPoint(BARE, 200), LEFT, NONE)
    QTest.mouseRelease(ruler, LEFT, NONE, QPoint(BARE, 200))
    assert abs(ruler.value() - 1234) <= 2


def test_the_handle_is_released_by_a_missed_button_release(long_view, ruler):
    carry(ruler, middle(ruler), QPoint(BARE, 300))
    rested = ruler.value()
    move(ruler, QPoint(BARE, 500), Qt.MouseButton.NoButton, NONE)  # the window was minimised meanwhile
    assert not ruler.isSliderDown()
    assert ruler.value() == rested
    QTest.mouseRelease(ruler, LEFT, NONE, QPoint(BARE, 500))
    assert ruler.value() == rested


def test_another_article_takes_the_handle_out_of_the_hand(long_view, ruler):
    carry(ruler, middle(ruler), QPoint(BARE, 300))
    long_view.set_document(long(50))
    assert not ruler.isSliderDown()
    move(ruler, QPoint(BARE, 500), LEFT, NONE)
    QTest.mouseRelease(ruler, LEFT, NONE, QPoint(BARE, 500))
    assert ruler.value() == 0


def test_the_wheel_scrolls_over_it_too(ruler):
    at = QPointF(middle(ruler))
    turned = QWheelEvent(
        at,
        ruler.mapToGlobal(at),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        NONE,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(ruler, turned)
    assert ruler.value() == 3 * ruler.singleStep()
