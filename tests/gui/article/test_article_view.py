"""The article view as a reader meets it: what is seen, what moves it, finding, the caret."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton

from inexview.core.article.document import Document
from inexview.core.article.granularity import Granularity
from inexview.core.text.spans import Spans
from inexview.gui.article.article_view import ArticleView, Notice
from inexview.gui.article.bars import Align, FindBar
from inexview.gui.article.overlays import Beside, Lane, Overlay, SuggestionGhost
from inexview.gui.article.styles import ReadingLook
from inexview.gui.article.text_document import FIRST_SLICE
from inexview.gui.look.theme import DARK, INTERFACE_FAMILIES, LIGHT, style_sheet
from tests.gui.articles import long, small, span_of
from tests.gui.driving import LEFT, build_all, key, shown_as_painted, text_area, turn_wheel

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def long_view(view) -> ArticleView:
    view.set_document(long())
    build_all(text_area(view).builder)
    return view


def scrolled(view: ArticleView) -> int:
    return text_area(view).verticalScrollBar().value()


def seen(view: ArticleView, offset: int) -> bool:
    return any(
        line.start <= offset < line.end and line.top >= 0 and line.bottom <= text_area(view).visible_height()
        for line in text_area(view).lines()
    )


def test_the_hatching_of_a_suggestion_moves_with_the_text(long_view, qtbot):
    start, end = 300, 900
    long_view.lay_beside(Beside(suggested=(SuggestionGhost((start, end), current=True),)))
    qtbot.waitUntil(lambda: shown_as_painted(long_view))
    turn_wheel(text_area(long_view).viewport(), -20)
    qtbot.wait(50)
    assert 0 < scrolled(long_view) < 100
    assert shown_as_painted(long_view)


def test_underlines_stay_when_their_line_is_scrolled_away(view, qtbot):
    view.set_document(long(30))
    view.set_subtitle("7 · Thirty paragraphs")
    view.set_overlay(Overlay(marks=Spans([(0, 2000)])))
    build_all(text_area(view).builder)
    qtbot.waitUntil(lambda: shown_as_painted(view))
    for _ in range(40):
        turn_wheel(text_area(view).viewport(), -6)
        qtbot.wait(1)
        assert shown_as_painted(view), scrolled(view)
    assert scrolled(view) > 100


# -- opening ----------------------------------------------------------------------------------------------


def test_painting_a_document_is_signalled_once(view, qtbot):
    painted = []
    view.first_painted.connect(painted.append)
    document = small()
    view.set_document(document)
    qtbot.waitUntil(lambda: painted == [document])
    view.set_overlay(Overlay(marks=Spans([(0, 5)])))
    qtbot.wait(20)
    assert painted == [document]


def test_of_a_short_article_too_a_page_is_built_before_it_is_painted(view, qtbot):
    document = long(36)
    assert document.length < FIRST_SLICE
    view.set_document(document)
    qtbot.waitSignal(view.first_painted).wait()
    built = text_area(view).builder
    assert not built.complete
    assert text_area(view).visible().filled, "and it fills the page"
    qtbot.waitUntil(lambda: built.complete)
    assert built.map.end == document.length


def test_a_document_opens_where_it_was_left(view, qtbot):
    document = long(400)
    place = document.text.index("Paragraph 300 begins")
    view.set_document(document, place)
    assert view.reading_position() == place  # it is so already while it is being built
    qtbot.waitSignal(view.first_painted).wait()
    assert view.reading_position() == place
    qtbot.waitUntil(lambda: text_area(view).builder.complete)
    assert view.reading_position() == place


def test_nothing_is_painted_before_the_place_that_was_left_is_there(view, qtbot):
    document = long(400)
    view.set_document(document, document.text.index("Paragraph 300 begins"))
    assert text_area(view).lines() == []
    qtbot.waitUntil(lambda: seen(view, document.text.index("Paragraph 300 begins")))


def test_the_margin_is_painted_where_a_place_is_shown_without_scrolling(long_view, qtbot):
    view, document = long_view, long(400)
    turn_wheel(text_area(view).viewport())
    view.set_document(document, document.text.index("Paragraph 20 begins"))
    view.set_overlay(Overlay(marks=Spans([(0, 5)]), bep=0))
    view.reveal_some(0, 5)  # before the place that was left is there
    qtbot.wait(20)
    qtbot.waitUntil(lambda: text_area(view).builder.complete, timeout=20_000)
    assert scrolled(view) == 0
    qtbot.wait(20)
    assert shown_as_painted(view.gutter)


def test_no_document_is_an_empty_page(qtbot, view):
    view.set_document(small())
    view.set_document(None)
    assert view.document is None
    qtbot.waitUntil(lambda: text_area(view).toPlainText() == "")
    assert (view.caret, view.selection, view.reading_position()) == (0, (0, 0), 0)
    view.caret_pen.mark_sentence()
    view.begin_entry_point()
    assert not view.pen.choosing


def test_a_document_without_text_opens(view):
    notice = view.findChild(Notice)
    view.set_document(Document.from_bytes(b"<article/>"))
    assert text_area(view).lines() == []
    assert notice.isVisible(), "and an empty page is told from one that is not there yet"
    assert notice.accessibleName() == "No text. This article is empty: nothing can be marked in it."
    view.set_document(small())
    assert not notice.isVisible()


def test_overlays_of_one_document_are_not_kept_for_the_next(view):
    view.set_document(small())
    view.set_overlay(Overlay(marks=Spans([(0, 5)]), bep=3))
    view.set_document(long())
    assert view.overlay == Overlay()


# -- nothing moves the view unasked -----------------------------------------------------------------------


def test_marks_runs_caret_and_selection_do_not_scroll(long_view, qtbot):
    view = long_view
    view.reveal(view.document.text.index("Paragraph 60 begins"), align=Align.TOP)
    rested = scrolled(view)
    assert rested > 0
    spans = Spans([(0, 50), (9000, 9500)])
    view.set_overlay(Overlay(spans, 3, spans, 9000, (Lane("run", 0, spans),)))
    view.place_caret(0)
    text_area(view).select(5, 40)
    qtbot.wait(20)
    assert scrolled(view) == rested


def test_marking_changes_nothing_in_the_document(long_view):
    document = text_area(long_view).document()
    revision = document.revision()
    size = document.size()
    long_view.set_overlay(Overlay(marks=Spans([(0, 5000)]), bep=3))
    assert document.revision() == revision
    assert document.size() == size


def test_revealing_moves_only_hidden_text_to_the_middle(long_view):
    view = long_view
    view.reveal(30)
    assert scrolled(view) == 0
    start, end = span_of(view.document, "Paragraph 60 begins")
    view.reveal(start, end)
    assert seen(view, start)
    rested = scrolled(view)
    view.reveal(start, end)
    assert scrolled(view) == rested


def test_a_place_may_be_revealed_before_it_is_built(view, qtbot):
    document = long(400)
    view.set_document(document)
    place = document.text.index("Paragraph 350 begins")
    view.reveal(place)
    qtbot.waitUntil(lambda: seen(view, place))


def test_zoom_keeps_the_line_at_the_top_and_the_caret(long_view, qtbot):
    view = long_view
    told = []
    view.zoomed.connect(told.append)
    place = view.document.text.index("Paragraph 60 begins")
    view.reveal(place, align=Align.TOP)
    view.place_caret(place + 5)
    size = text_area(view).styles.size
    turn_wheel(text_area(view).viewport(), 120, modifiers=Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: text_area(view).builder.complete)
    assert text_area(view).styles.size > size
    assert view.reading_position() == place
    assert view.caret == place + 5
    view.zoom_reset()
    view.zoom_reset()
    assert told == [110, 100]


def test_another_theme_keeps_the_line_at_the_top(long_view, qtbot):
    view = long_view
    place = view.document.text.index("Paragraph 60 begins")
    view.reveal(place, align=Align.TOP)
    view.set_theme(DARK)
    qtbot.waitUntil(lambda: text_area(view).builder.complete)
    assert view.reading_position() == place


@pytest.mark.parametrize("width", [420, 700, 1600])
def test_the_column_stands_in_the_middle_and_is_never_wider_than_reading_allows(view, width):
    view.set_document(small())
    view.resize(width, 600)
    QTest.qWait(10)
    viewport = text_area(view).viewport().geometry()
    assert viewport.width() <= text_area(view).styles.column + 20
    right = view.width() - viewport.right()
    assert viewport.left() > 0
    if width == 1600:
        assert abs(viewport.left() - right) < 60


# -- the caret --------------------------------------------------------------------------------------------


def test_the_caret_skips_characters_without_width(view):
    document = small()
    view.set_document(document)
    before, after = document.text.index("pressed   from") + 7, document.text.index("from\nolives")
    told = []
    view.caret_moved.connect(told.append)
    view.place_caret(before)
    key(view, Qt.Key.Key_Right)
    assert view.caret == after
    key(view, Qt.Key.Key_Left)
    assert view.caret == before
    assert told[-1] == before


def test_the_caret_steps_over_a_whole_emoji(view):
    document = small()
    view.set_document(document)
    at = document.text.index("😀 one")
    view.place_caret(at)
    key(view, Qt.Key.Key_Right)
    assert view.caret == at + 1
    key(view, Qt.Key.Key_Left, SHIFT)
    assert view.selection == (at, at + 1)


def test_a_selection_longer_than_the_screen_goes_on_from_its_end(long_view):
    text = long_view.document.text
    end = text.index("60 begins")
    long_view.caret_pen.select(0, end)
    key(long_view, Qt.Key.Key_Right, SHIFT)
    assert long_view.selection == (0, end + 1)
    assert seen(long_view, end)
    long_view.reveal(0, align=Align.TOP)
    long_view.caret_pen.step(Granularity.SENTENCE, 1, select=True)
    assert long_view.selection == (0, text.index("It goes on", end))
    far = text.index("Paragraph 110")
    long_view.reveal(far, align=Align.TOP)
    key(long_view, Qt.Key.Key_Right, SHIFT)
    start, end = long_view.selection
    assert end - start == 1, "what was scrolled away is let go of"


def test_the_text_can_be_read_but_not_changed(view):
    document = small()
    view.set_document(document)
    text = text_area(view).toPlainText()
    text_area(view).selectAll()
    for name in (Qt.Key.Key_X, Qt.Key.Key_Delete, Qt.Key.Key_Return):
        key(view, name)
    key(view, Qt.Key.Key_V, CONTROL)
    assert text_area(view).toPlainText() == text


# -- finding ----------------------------------------------------------------------------------------------


def find_field(view: ArticleView) -> QLineEdit:
    return view.findChild(FindBar).findChild(QLineEdit)


def test_typed_text_is_found_and_return_goes_to_the_next_match(long_view, qtbot):
    view = long_view
    view.find_bar.open()
    field = find_field(view)
    QTest.keyClicks(field, "PARAGRAPH 7")
    bar = view.findChild(FindBar)
    qtbot.waitUntil(lambda: bar.hits.current == 0)
    assert len(bar.hits.starts) == 11  # 7 and 70 … 79
    assert seen(view, view.document.text.index("Paragraph 7 begins"))
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert seen(view, view.document.text.index("Paragraph 70 begins"))
    QTest.keyClick(field, Qt.Key.Key_Return, SHIFT)
    QTest.keyClick(field, Qt.Key.Key_Return, SHIFT)
    assert bar.hits.current == 10
    assert bar.findChild(QLabel).text() == "11 of 11"


def test_white_space_and_wide_characters_do_not_hide_matches(view):
    document = small()
    view.set_document(document)
    view.find_bar.open()
    find_field(view).setText("pressed from olives")
    view.find_bar.next()
    bar = view.findChild(FindBar)
    assert list(zip(bar.hits.starts, bar.hits.ends, strict=True)) == [
        span_of(document, "pressed   from\nolives")
    ]
    find_field(view).setText("𝒜𝒷 TWO")
    view.find_bar.open()
    assert (int(bar.hits.starts[0]), int(bar.hits.ends[0])) == span_of(document, "𝒜𝒷 two")


def test_the_selection_is_searched_first(view):
    document = small()
    view.set_document(document)
    text_area(view).select(*span_of(document, "thing"))
    view.find_bar.open()
    assert find_field(view).text() == "thing"
    view.find_bar.next()
    assert view.caret == document.text.rindex("thing")
    view.find_bar.previous()
    assert view.caret == document.text.index("thing")


def test_missing_targets_are_reported(view):
    view.set_document(small())
    view.find_bar.open()
    QTest.keyClicks(find_field(view), "zebra")
    view.find_bar.next()
    assert view.findChild(FindBar).findChild(QLabel).text() == "not found"


@pytest.mark.parametrize(
    ("option", "words", "told"),
    [
        ("Capital letters matter", "olive", "1 of 1"),  # and "Olive oil", "Olive oil", "Olive 😀"
        ("Whole words only", "olive", "1 of 3"),  # not "olives"
        ("Search by regular expression", "olives?|palm", "1 of 5"),
        ("Search by regular expression", "o(live", "cannot be sought"),
    ],
)
def test_case_whole_words_and_expressions_are_options_of_find(view, option, words, told):
    view.set_document(small())
    view.find_bar.open()
    bar = view.findChild(FindBar)
    QTest.keyClicks(find_field(view), words)
    button = next(one for one in bar.findChildren(QToolButton) if one.accessibleName() == option)
    QTest.mouseClick(button, LEFT)
    said = bar.findChild(QLabel)
    assert said.text() == told
    assert said.sizeHint().width() <= said.width()  # nothing is cut off
    QTest.mouseClick(button, LEFT)
    assert bar.findChild(QLabel).text() == ("1 of 4" if words == "olive" else "not found")


def test_in_a_narrow_window_nothing_of_the_find_bar_is_cut(view):
    view.setStyleSheet(style_sheet(LIGHT))
    view.resize(382, 500)  # at 200 % on a screen of 1920 x 1080
    view.set_document(small())
    view.find_bar.open()
    QTest.keyClicks(find_field(view), "olive")
    bar = view.findChild(FindBar)
    view.grab()
    assert view.rect().contains(bar.geometry())
    buttons = bar.findChildren(QToolButton)
    assert all(bar.rect().contains(one.geometry()) for one in buttons)
    for one in buttons:
        image = one.grab().toImage()
        inked = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
        assert len(inked) > 1, f"{one.text()} has room"


@pytest.mark.parametrize("width", [382, 900])
def test_matches_are_not_hidden_by_the_find_bar(view, width):
    title = "זית ושמן" if width == 900 else "Olive oil"
    text = f"<article><name>{title}</name><p>{'Olive זית lamps. ' * 90}</p></article>"
    view.resize(width, 400)
    view.set_document(Document.from_bytes(text.encode(), name="1"))
    view.find_bar.open()
    bar, area = view.findChild(FindBar), text_area(view)
    above = bar.y()
    bar.seek("זית" if width == 900 else "Olive")
    assert bar.y() > above, "the title is beneath it"
    for _ in range(len(bar.hits.starts)):
        at = int(bar.hits.starts[bar.hits.current])
        (line,) = (one for one in area.lines() if one.start <= at < one.end)
        ((left, right),) = line.stretches(at, at + 3)
        corner = area.viewport().mapTo(view, QPoint(0, 0))
        place = QRectF(left, line.top, right - left, line.bottom - line.top).toRect().translated(corner)
        assert not bar.geometry().intersects(place)
        assert area.geometry().contains(bar.geometry()) or width == 382
        bar.next()
    key(view, Qt.Key.Key_Escape)
    view.find_bar.open()
    assert bar.y() == above


def test_escape_closes_the_find_bar_and_gives_the_keys_back(view, qtbot):
    view.set_document(small())
    view.activateWindow()
    view.find_bar.open()
    bar = view.findChild(FindBar)
    assert bar.isVisible()
    QTest.keyClick(find_field(view), Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert len(bar.hits.starts) == 0
    qtbot.waitUntil(text_area(view).hasFocus)


def test_escape_leaves_an_article_where_it_is_that_came_while_the_bar_was_open(long_view):
    view = long_view
    view.reveal(20_000, 20_000, align=Align.TOP)
    view.find_bar.open()
    view.set_document(long(120))
    build_all(text_area(view).builder)
    QTest.keyClick(find_field(view), Qt.Key.Key_Escape)
    assert (view.reading_position(), view.caret) == (0, 0)


# -- for who does not see ---------------------------------------------------------------------------------


def test_screen_readers_get_the_text_and_names(view):
    document = small()
    view.set_document(document)
    interface = QAccessible.queryAccessibleInterface(text_area(view))
    assert interface.text(QAccessible.Text.Name) == "Article text"
    text = interface.textInterface()
    assert "Not everybody agrees." in text.text(0, text.characterCount())


# -- how the column is set --------------------------------------------------------------------------------


def test_width_spacing_and_typeface_are_the_readers_and_the_top_line_stays(long_view, qtbot):
    view = long_view
    area = text_area(view)
    view.reveal(view.document.text.index("Paragraph 40 begins"), align=Align.TOP)
    qtbot.waitUntil(lambda: view.reading_position() > 0)
    qtbot.waitUntil(lambda: not area._awaiting_paint)
    top, usual = view.reading_position(), area.lines()
    before = area.viewport().grab().toImage()
    view.set_look(ReadingLook(width=0.7, spacing=1.3, sans=True))
    assert area.veiled, "the place is not built yet"
    meanwhile = area.viewport().grab().toImage()
    assert meanwhile == before.copy(meanwhile.rect()), "and the text of before is seen meanwhile"

    def seen_first():
        return next((line for line in area.lines() if line.top >= 0), None)

    qtbot.waitUntil(lambda: seen_first() is not None and seen_first().start <= top < seen_first().end)
    lines = area.lines()
    assert max(line.right - line.left for line in lines) < 0.8 * max(line.right - line.left for line in usual)
    assert lines[1].baseline - lines[0].baseline > 1.2 * (usual[1].baseline - usual[0].baseline)
    qtbot.waitUntil(lambda: area._before is None)
    families = area.document().findBlockByNumber(5).charFormat().font().families()
    assert families[0] == INTERFACE_FAMILIES[0]
    view.set_theme(DARK)
    assert area._before is None, "in the colours of before it is not shown"
    view.set_zoom(125)
    assert view._styles.look == ReadingLook(width=0.7, spacing=1.3, sans=True)


# -- an article that is not built whole so far ------------------------------------------------------------


@pytest.fixture
def half_built(view) -> ArticleView:
    """Show a long article of which the first slice is built, and nothing more until the test lets it."""
    document = long(400)
    view.set_document(document)
    text_area(view).builder.stop()
    assert not text_area(view).builder.complete
    assert text_area(view).builder.map.end < document.length
    return view


@pytest.mark.parametrize("keys", [(Qt.Key.Key_A, CONTROL), (Qt.Key.Key_End, CONTROL | SHIFT)])
def test_selecting_to_the_end_selects_the_whole_unbuilt_article(half_built, keys):
    length = text_area(half_built).source.length
    key(half_built, *keys)
    assert half_built.selection == (0, length)
    builder = text_area(half_built).builder
    builder._next_slice()
    assert half_built.selection == (0, length)
    build_all(builder)
    assert half_built.selection == (0, length)
    assert len(text_area(half_built).textCursor().selectedText()) >= length


def test_another_key_clears_a_selection_to_the_end(half_built):
    key(half_built, Qt.Key.Key_A, CONTROL)
    key(half_built, Qt.Key.Key_Home, CONTROL)
    assert half_built.selection == (0, 0)
    build_all(text_area(half_built).builder)
    assert half_built.selection == (0, 0)


def test_ctrl_end_goes_to_the_end_of_the_article_as_soon_as_it_is_built(half_built, qtbot):
    length = text_area(half_built).source.length
    key(half_built, Qt.Key.Key_End, CONTROL)
    assert half_built.caret == length
    build_all(text_area(half_built).builder)
    assert text_area(half_built).caret() == length
    qtbot.waitUntil(lambda: seen(half_built, length - 1))
