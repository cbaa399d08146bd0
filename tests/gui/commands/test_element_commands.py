"""Elements outlined and named: under the mouse, at the caret, walked to, marked, copied, read out."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.core.article.document import Document
from inexview.core.text.spans import Spans
from inexview.core.wording import percent
from inexview.gui.article.article_view import ArticleView, Context
from inexview.gui.article.bars import StripButton, crumbs
from inexview.gui.article.overlays import Overlay, Stroke, Tool, outline
from inexview.gui.commands import reading as module
from inexview.gui.commands.reading import ElementCommands
from inexview.gui.look.theme import LIGHT
from inexview.gui.services.actions import ActionBook, Room
from inexview.gui.services.messages import Messages
from inexview.gui.services.settings import OUTLINES
from inexview.gui.shell.menus import ACTIONS
from tests.gui.articles import long, small
from tests.gui.driving import ALT, LEFT, NONE, build_all, click, key, move, place, text_area, turn_wheel

Key, CONTROL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def view(qtbot, settings) -> ArticleView:
    made = ArticleView()
    qtbot.addWidget(made)
    made.resize(900, 800)
    own = ("let-go", "outlines", "copy-path", "copy-span")
    records = [one for one in ACTIONS if one.id in own or ("element" in one.id and one.id != "unit-element")]
    made.book = ActionBook(made, settings, records)
    made.book.set_room(Room.ASSESS)
    made.messages = Messages(made)
    made.element_commands = ElementCommands(
        Context(made, None, made, None, made.messages, settings, made.book)
    )
    made.article = made
    made.book.bind(made)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    made.set_document(small())
    build_all(text_area(made).builder)
    made.setFocus()
    return made


@pytest.fixture
def on(view) -> ArticleView:
    key(view, Key.Key_O)
    return view


def point_at(view: ArticleView, words: str) -> None:
    move(text_area(view).viewport(), place(view, view.document.text.index(words)), LEFT, NONE)


def path(view: ArticleView) -> str:
    return view.strip.path.full_text


def walk(view: ArticleView, up: bool) -> None:
    turn_wheel(text_area(view).viewport(), 120 if up else -120, at=QPoint(50, 50), modifiers=ALT)


def span(view: ArticleView, words: str) -> tuple[int, int]:
    elements = view.document.elements
    start = view.document.text.index(words)
    found = elements[elements.around(start, start + len(words))]
    return found.start, found.end


# -- turning it on ----------------------------------------------------------------------------------------


def test_the_element_pointed_at_is_named_and_nothing_is_outlined_until_it_is_asked_for(view):
    point_at(view, "It is said")
    assert path(view) == "/article[1]/bdy[1]/sec[1]/p[1]"
    assert view.strip.path.shown_text == "article › bdy › sec › p"
    assert view.strip.facts.isHidden()
    assert not view.outlines.drawn


def test_a_shorter_article_clears_the_outline_of_a_longer_one(on):
    on.set_document(long(400))
    build_all(text_area(on).builder)
    point_at(on, "Paragraph 399")
    on.set_document(small())
    build_all(text_area(on).builder)
    assert on.outlines.drawn
    point_at(on, "olives")
    assert path(on) == "/article[1]/bdy[1]/p[1]/link[1]"


def test_walking_outward_outlines_until_one_points_elsewhere(view):
    point_at(view, "olives")
    key(view, Key.Key_Up, ALT)
    assert path(view) == "/article[1]/bdy[1]/p[1]"
    assert view.outlines.drawn
    point_at(view, "It is said")
    assert not view.outlines.drawn


def test_the_key_turns_outlines_on_and_off_and_the_setting_remembers_it(view, settings):
    room = view.strip.span.minimumWidth()
    key(view, Key.Key_O)
    assert settings.get(OUTLINES)
    assert view.strip.facts.isVisible()
    assert view.strip.span.minimumWidth() > room
    key(view, Key.Key_O)
    assert not settings.get(OUTLINES)
    assert view.strip.facts.isHidden()
    assert view.strip.span.minimumWidth() == room, "the path does without room that no span needs"


def test_a_window_opens_with_outlines_as_they_were_left(qtbot, settings):
    settings.set(OUTLINES, True)
    made = ArticleView()
    qtbot.addWidget(made)
    book = ActionBook(made, settings, ACTIONS)
    ElementCommands(Context(made, None, made, None, Messages(made), settings, book))
    made.set_document(small())
    assert book["outlines"].isChecked()
    assert path(made).startswith("/article[1]/header[1]/title[1]")


def test_without_an_article_there_is_no_element_to_name_copy_or_mark(on):
    strokes = []
    on.stroke_finished.connect(strokes.append)
    on.set_document(None)
    QGuiApplication.clipboard().setText("before")
    for name in ("copy-path", "copy-span", "mark-element", "select-element", "element-outward"):
        on.book[name].trigger()
    assert path(on) == on.strip.span.full_text == ""
    assert on.strip.facts.isHidden()
    assert strokes == []
    assert QGuiApplication.clipboard().text() == "before"


# -- under the mouse --------------------------------------------------------------------------------------


def test_the_innermost_element_under_the_mouse_is_named_with_every_position(on):
    point_at(on, "olives")
    assert path(on) == "/article[1]/bdy[1]/p[1]/link[1]"
    point_at(on, "It is said")
    assert path(on) == "/article[1]/bdy[1]/sec[1]/p[1]"
    point_at(on, "190 degrees")
    assert path(on) == "/article[1]/bdy[1]/sec[1]/table[1]/row[2]/col[2]"


def test_span_size_and_rsize_are_those_of_the_element(on):
    start, end = span(on, "It is said")
    on.set_overlay(Overlay(Spans([(start + 5, start + 15), (end + 30, end + 40)])))
    point_at(on, "It is said")
    size = end - start
    assert on.strip.span.full_text == f"{start}:{size}  [{start}, {end})"
    assert on.strip.facts.full_text == f"size {size} · rsize 10 ({percent(10 / size, 1)})"


def test_rsize_follows_the_pen_before_it_is_lifted(on):
    start, end = span(on, "It is said")
    viewport = text_area(on).viewport()
    first, last = place(on, start), place(on, start + 9, after=True)
    QTest.mousePress(viewport, LEFT, ALT, first)
    for step in range(1, 7):
        move(viewport, first + (last - first) * step / 6, LEFT, ALT)
    assert on.strip.facts.full_text == f"size {end - start} · rsize 10 ({percent(10 / (end - start), 1)})"
    key(on, Key.Key_Escape)
    assert "rsize 0 " in on.strip.facts.full_text
    QTest.mouseRelease(viewport, LEFT, ALT, last)


def test_an_element_without_characters_is_met_where_it_stands(view, qtbot):
    source = b"<article><bdy><p>One word, <art file='x'/>and then more.</p></bdy></article>"
    view.set_document(Document.from_bytes(source))
    key(view, Key.Key_O)
    at = view.document.text.index("and then")
    point = place(view, at)
    move(text_area(view).viewport(), point, LEFT, NONE)
    assert path(view) == "/article[1]/bdy[1]/p[1]/art[1]"
    assert view.strip.facts.full_text == "size 0"
    move(text_area(view).viewport(), point + QPoint(40, 0), LEFT, NONE)
    assert path(view) == "/article[1]/bdy[1]/p[1]"


def test_what_scrolls_under_the_mouse_is_outlined(view):
    view.set_document(long())
    build_all(text_area(view).builder)
    key(view, Key.Key_O)
    point_at(view, "Paragraph 3 begins")
    assert path(view).endswith("/p[4]")
    text_area(view).scroll_by(0, 400)
    assert not path(view).endswith("/p[4]")


def test_a_click_on_path_or_span_copies_it(on):
    point_at(on, "olives")
    start, end = span(on, "olives")
    QTest.mouseClick(on.strip.path, LEFT)
    assert QGuiApplication.clipboard().text() == "/article[1]/bdy[1]/p[1]/link[1]"
    QTest.mouseClick(on.strip.span, LEFT)
    assert QGuiApplication.clipboard().text() == f"{start}:{end - start}"
    assert f"{start}:{end - start}" in on.messages.current.text


# -- walking ----------------------------------------------------------------------------------------------


def test_the_wheel_with_alt_selects_outer_elements_and_returns(on):
    point_at(on, "190 degrees")
    walk(on, up=True)
    assert path(on) == "/article[1]/bdy[1]/sec[1]/table[1]/row[2]"
    walk(on, up=True)
    walk(on, up=False)
    walk(on, up=False)
    assert path(on) == "/article[1]/bdy[1]/sec[1]/table[1]/row[2]/col[2]"


def test_a_selected_outer_element_stays_while_the_mouse_is_inside(on):
    point_at(on, "190 degrees")
    walk(on, up=True)
    walk(on, up=True)
    point_at(on, "235 degrees")
    assert path(on).endswith("/table[1]")
    point_at(on, "The end is near")
    assert path(on).endswith("/sec[1]/p[2]")


def test_the_wheel_without_alt_scrolls_as_ever(view):
    view.set_document(long())
    build_all(text_area(view).builder)
    key(view, Key.Key_O)
    QApplication.processEvents()
    walk(view, up=False)
    assert text_area(view).verticalScrollBar().value() == 0
    text_area(view).scroll_by(0, 30)
    assert text_area(view).verticalScrollBar().value() == 30


def test_the_caret_is_followed_from_the_keyboard(on):
    click(on, on.document.text.index("olives"))
    assert path(on) == "/article[1]/bdy[1]/p[1]/link[1]"
    for _ in range(8):
        key(on, Key.Key_Right)
    assert path(on) == "/article[1]/bdy[1]/p[1]"


def test_keys_walk_to_parent_child_and_siblings(on):
    click(on, on.document.text.index("It is said"))
    steps = [
        (Key.Key_Up, "/article[1]/bdy[1]/sec[1]"),
        (Key.Key_Left, "/article[1]/bdy[1]/p[1]"),
        (Key.Key_Left, "/article[1]/bdy[1]/p[1]"),  # there is none before it
        (Key.Key_Down, "/article[1]/bdy[1]/p[1]/b[1]"),
        (Key.Key_Right, "/article[1]/bdy[1]/p[1]/link[1]"),
        (Key.Key_Down, "/article[1]/bdy[1]/p[1]/link[1]"),  # it holds none
        (Key.Key_Up, "/article[1]/bdy[1]/p[1]"),
        (Key.Key_Up, "/article[1]/bdy[1]"),
        (Key.Key_Up, "/article[1]"),
        (Key.Key_Up, "/article[1]"),
        (Key.Key_Right, "/article[1]"),
    ]
    for step, reached in steps:
        sideways = step in (Key.Key_Left, Key.Key_Right)
        key(on, step, ALT | SHIFT if sideways else ALT)
        assert path(on) == reached


def test_every_element_is_reached_by_inward_and_sideways_alone(on):
    outlines, elements = on.outlines, on.document.elements
    while outlines.outward():
        pass
    reached = [outlines.chosen]

    def walk() -> None:
        if outlines.inward():
            while outlines.sideways(-1):
                pass
            while True:
                reached.append(outlines.chosen)
                walk()
                if not outlines.sideways(1):
                    break
            outlines.outward()

    walk()
    assert reached == list(range(len(elements)))


def test_walking_to_an_element_that_is_not_seen_brings_it_into_view(view):
    view.set_document(long())
    build_all(text_area(view).builder)
    key(view, Key.Key_O)
    click(view, view.document.text.index("Paragraph 0 begins"))
    for _ in range(30):
        key(view, Key.Key_Right, ALT | SHIFT)
    start = view.document.text.index("Paragraph 30 begins")
    assert any(line.start <= start < line.end for line in text_area(view).lines())


def test_walking_is_read_out(on, monkeypatch):
    heard = []
    monkeypatch.setattr(module, "announce", lambda _widget, text: heard.append(text))
    click(on, on.document.text.index("It is said"))
    assert heard == []
    key(on, Key.Key_Up, ALT)
    assert heard == [f"sec, {on.strip.facts.full_text}"]


# -- what is done with it ---------------------------------------------------------------------------------


def test_one_key_marks_the_whole_element_and_another_erases_it(on):
    strokes = []
    on.stroke_finished.connect(strokes.append)
    point_at(on, "First thing")
    start, end = span(on, "First thing")
    key(on, Key.Key_H, SHIFT)
    key(on, Key.Key_U, SHIFT)
    assert strokes == [Stroke(Tool.MARK, start, end), Stroke(Tool.ERASE, start, end)]


def test_while_nothing_is_outlined_the_element_at_the_caret_is_meant(view):
    strokes = []
    view.stroke_finished.connect(strokes.append)
    start, end = span(view, "olives")
    click(view, start)
    key(view, Key.Key_H, SHIFT)
    key(view, Key.Key_C, CONTROL | SHIFT)
    key(view, Key.Key_E, SHIFT)
    assert strokes == [Stroke(Tool.MARK, start, end)]
    assert QGuiApplication.clipboard().text() == "/article[1]/bdy[1]/p[1]/link[1]"
    assert view.selection == (start, end)


# -- how it looks -----------------------------------------------------------------------------------------


def test_the_outline_is_drawn_around_the_element_and_gone_when_turned_off(on):
    point_at(on, "Second thing")
    start, _ = span(on, "Second thing")
    at = place(on, start)
    accent, page = QColor(LIGHT.accent), QColor(LIGHT.page)

    def left_of_it() -> list[QColor]:
        picture = text_area(on).viewport().grab().toImage()
        return [picture.pixelColor(at - QPoint(step, 0)) for step in range(2, 5)]

    assert accent in left_of_it()
    key(on, Key.Key_O)
    assert all(color == page for color in left_of_it())


def test_an_outline_begins_and_ends_within_its_lines(view):
    view.set_document(long())
    build_all(text_area(view).builder)
    lines = text_area(view).lines()
    first = next(line for line in lines if line.end < len(view.document.text) and not line.first_in_block)
    after = lines[lines.index(first) + 1]
    start, end = first.start + 12, after.start + 7
    shape = outline(lines, start, end, text_area(view).column_width, 2.0)
    left, right = first.x(start), after.x(end)
    middle = (first.top + first.bottom) / 2, (after.top + after.bottom) / 2
    assert not shape.contains(QPointF(left - 6, middle[0]))
    assert shape.contains(QPointF(left + 6, middle[0]))
    assert shape.contains(QPointF(first.right - 2, middle[0]))
    assert shape.contains(QPointF(after.left + 2, middle[1]))
    assert not shape.contains(QPointF(right + 6, middle[1]))


def test_the_outline_of_hidden_text_is_empty(view):
    view.set_document(long())
    build_all(text_area(view).builder)
    length = view.document.length
    assert outline(text_area(view).lines(), length - 40, length, 500, 2.0).isEmpty()


HEBREW = "שמן זית כתית מעולה"


def test_words_from_right_to_left_within_a_line_are_outlined_where_they_stand(view):
    """It begins in Latin and ends within the Hebrew words: their end lies left of their beginning."""
    text = f"Pressed oil was called {HEBREW} in the north."
    view.set_document(Document.from_bytes(f"<a><p>{text}</p></a>".encode(), name="1"))
    build_all(text_area(view).builder)
    (line,) = text_area(view).lines()
    begin = text.index(HEBREW)
    start, end = text.index("called"), begin + len("שמן")
    shape = outline([line], start, end, text_area(view).column_width, 2.0)
    middle = (line.top + line.bottom) / 2
    for character, inside in ((start + 2, True), (begin + 1, True), (begin + 6, False), (begin + 14, False)):
        (left, right), *_ = line.stretches(character, character + 1)
        assert shape.contains(QPointF((left + right) / 2, middle)) is inside, text[character]


def test_the_first_line_of_an_outline_in_an_arabic_paragraph_is_cut_at_its_right(view):
    text = " ".join(["זית"] * 120)
    view.set_document(Document.from_bytes(f"<a><p>{text}</p></a>".encode(), name="1"))
    build_all(text_area(view).builder)
    lines = text_area(view).lines()
    start, end = 20, lines[2].start + 20
    shape = outline(lines, start, end, text_area(view).column_width, 2.0)
    assert shape.contains(QPointF(lines[0].left + 3, (lines[0].top + lines[0].bottom) / 2))
    assert not shape.contains(QPointF(lines[0].right - 3, (lines[0].top + lines[0].bottom) / 2))
    assert shape.contains(QPointF(lines[2].right - 3, (lines[2].top + lines[2].bottom) / 2))
    assert not shape.contains(QPointF(lines[2].left + 3, (lines[2].top + lines[2].bottom) / 2))


def test_a_long_path_is_shortened_at_its_beginning_and_copied_whole(on, qtbot):
    depth = 30
    xml = "<article>" + "<section>" * depth + "<p>oil</p>" + "</section>" * depth + "</article>"
    on.set_document(Document.from_bytes(xml.encode(), name="1"))
    build_all(text_area(on).builder)
    point_at(on, "oil")
    whole = "/article[1]" + "/section[1]" * depth + "/p[1]"
    told = on.strip.path
    assert told.full_text == whole
    assert told.shown_text.startswith("… › section › ")  # no name is cut
    assert told.shown_text.endswith("section › p")
    assert told.fontMetrics().horizontalAdvance(told.shown_text) <= told.width()
    QTest.mouseClick(told, LEFT)
    assert QGuiApplication.clipboard().text() == whole


def test_the_strip_does_not_jump_from_element_to_element(on):
    point_at(on, "It is said")
    QTest.qWait(1)
    before = on.strip.facts.pos()
    point_at(on, "olives")
    QTest.qWait(1)
    assert on.strip.facts.pos() == before
    assert on.strip.facts.x() + on.strip.facts.width() <= on.strip.width()


def test_in_a_narrow_strip_the_path_keeps_its_room(on):
    strip = on.strip
    for width, shown in ((900, False), (650, False), (1200, True)):
        on.resize(width, 800)
        on.grab()
        assert strip.span.isVisible() is shown
        assert strip.facts.isVisible()
        assert strip.path.shown_text.endswith(crumbs(strip.path.full_text).rpartition(" ")[2])
    on.resize(382, 500)  # at 200 % on a screen of 1920 x 1080
    on.grab()
    shown = [one for one in strip.pen_state.findChildren(StripButton) if one.isVisible()]
    assert all(one.width() >= one.sizeHint().width() for one in shown), "no name is cut"
    assert strip.path.shown_text.strip("… ›")
    key(on, Key.Key_O)
    on.resize(600, 800)
    on.grab()
    assert not strip.span.isVisible()
    on.resize(650, 800)
    on.grab()
    assert strip.span.isVisible()
