"""Ends of marks as handles, moving by units, the menu of the article: with real events."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project
from inexview.core.project.sample import create_sample_project
from inexview.gui.commands.reading import SECOND_CLICK
from inexview.gui.services.settings import Appearance, Settings
from inexview.gui.shell.main_window import MainWindow
from tests.gui.driving import (
    LEFT,
    NONE,
    RIGHT,
    click,
    double_click,
    drag,
    key,
    marked,
    move,
    place,
    shown_window,
    text_area,
)
from tests.projects import project_of

Key = Qt.Key
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
BODY = (
    "<p>One burns. Two glows. Three is dark. Four is out.</p>\n<p>Five burns. Six glows.</p>\n<p>Seven.</p>"
)


@pytest.fixture
def window(qtbot, qapp, tmp_path):
    articles = {"1": f"<article><name>Lamp</name><body>{BODY}</body></article>"}
    path = project_of(tmp_path, articles, Topic("7", "lamps", narrative="Anything on lamps."))
    with shown_window(qapp, path, (1300, 700)) as made:
        qtbot.waitUntil(lambda: bool(text_area(made.article).visible().lines))
        made.article.setFocus()
        yield made


def span(window, words):
    start = window.session.document.text.index(words)
    return start, start + len(words)


def keys(window, *names):
    for name in names:
        key(window.article, name)


@pytest.fixture
def two_marks(window):
    drag(window.article, *span(window, "Two glows"))
    drag(window.article, *span(window, "Five burns"))
    window.article.place_caret(span(window, "Two")[0])
    return window


def test_an_end_is_held_with_tab_and_moved_a_sentence_further_and_back(two_marks):
    keys(two_marks, Key.Key_Tab, Key.Key_Right)
    assert marked(two_marks) == ["Two glows. Three is dark.", "Five burns."]
    keys(two_marks, Key.Key_Left)
    assert marked(two_marks) == ["Two glows.", "Five burns."]
    keys(two_marks, Key.Key_Left)  # one always stays
    assert marked(two_marks) == ["Two glows.", "Five burns."]


def test_a_start_is_held_with_another_tab_and_moves_the_other_way(two_marks):
    keys(two_marks, Key.Key_Tab, Key.Key_Tab, Key.Key_Left)
    assert marked(two_marks) == ["One burns. Two glows.", "Five burns."]
    keys(two_marks, Key.Key_Right)
    assert marked(two_marks) == ["Two glows.", "Five burns."]


def test_tab_goes_round_all_ends_and_del_takes_the_whole_mark(two_marks):
    ends = two_marks.article.ends
    held = []
    for _ in range(5):
        keys(two_marks, Key.Key_Tab)
        held.append(ends.held)
    assert held[4] == held[0]
    assert [end.at_end for end in held] == [True, False, True, False, True]
    assert text_area(two_marks.article).hasFocus()
    keys(two_marks, Key.Key_Delete)
    assert marked(two_marks) == ["Five burns."]


def test_marks_grow_together_under_a_held_end(two_marks):
    keys(two_marks, Key.Key_Tab, Key.Key_Right, Key.Key_Right, Key.Key_Right)
    assert marked(two_marks) == ["Two glows. Three is dark. Four is out.\nFive burns."]
    assert two_marks.article.ends.held.end == span(two_marks, "Five burns.")[1]


def test_esc_and_moving_the_caret_release_an_end(two_marks):
    keys(two_marks, Key.Key_Tab, Key.Key_Escape)
    assert two_marks.article.ends.held is None
    keys(two_marks, Key.Key_Tab, Key.Key_Down)
    assert two_marks.article.ends.held is None


def test_the_end_moves_by_the_unit_in_the_hand(two_marks):
    keys(two_marks, Key.Key_2, Key.Key_Tab, Key.Key_Right)
    assert marked(two_marks)[0] == "Two glows. Three"
    keys(two_marks, Key.Key_4, Key.Key_Right)
    assert marked(two_marks)[0].startswith("Two glows. Three is dark. Four is out.")


def test_without_marks_tab_gives_the_keyboard_on(window):
    keys(window, Key.Key_Tab)
    assert not text_area(window.article).hasFocus()


def test_one_more_and_one_less_without_holding_anything(two_marks):
    keys(two_marks, ".", ".")
    assert marked(two_marks)[0] == "Two glows. Three is dark. Four is out."
    keys(two_marks, ",")
    assert marked(two_marks)[0] == "Two glows. Three is dark."
    two_marks.book["undo"].trigger()
    assert marked(two_marks)[0] == "Two glows. Three is dark. Four is out."


def test_one_more_completes_the_sentence_that_the_mark_ends_in(window):
    drag(window.article, *span(window, "Two gl"), modifiers=ALT)
    keys(window, ".")
    assert marked(window) == ["Two glows."]
    keys(window, ".")
    assert marked(window) == ["Two glows. Three is dark."]


def test_a_key_that_cannot_move_an_end_says_why(window):
    def told():
        message = window.messages.current
        window.messages.clear()
        return message

    keys(window, ".")
    assert told().text == "Nothing is marked yet."
    drag(window.article, *span(window, "Seven."))
    keys(window, ".")
    assert told().text == "The article has no further sentence for this mark."
    keys(window, Key.Key_Tab, Key.Key_Right)
    assert told().text == "The article has no further sentence for this mark."
    keys(window, Key.Key_Escape, ",")
    offered = told()
    assert offered.text == "This mark is no longer than one sentence."
    assert marked(window) == ["Seven."]
    offered.action()
    assert marked(window) == []


def test_an_end_is_dragged_to_the_sentence_under_the_mouse(window):
    for which, to, wanted in (
        ("end", "Four", "Two glows. Three is dark. Four is out."),
        ("start", "One", "One burns. Two glows. Three is dark."),
        ("end", "glows", "Two glows."),
        ("start", "dark", "Three is dark."),
    ):
        drag(window.article, span(window, "Two")[0], span(window, "Three")[1])
        drag_edge(window, which, span(window, to)[0] + 1)
        assert marked(window) == [wanted]
        window.book["clear"].trigger()
        assert marked(window) == []


@pytest.mark.parametrize("which", ["start", "end"])
def test_the_end_under_the_mouse_shows_its_handle(window, which):
    drag(window.article, *span(window, "Three is dark."))
    viewport = text_area(window.article).viewport()
    ((start, end),) = window.session.state.marks
    away = place(window.article, span(window, "Seven")[0])
    edge = place(window.article, end - 1, after=True) if which == "end" else place(window.article, start)
    move(viewport, away, Qt.MouseButton.NoButton, NONE)
    before = viewport.grab().toImage()
    move(viewport, edge, Qt.MouseButton.NoButton, NONE)
    assert window.article.ends.hovered.at_end is (which == "end")
    near = QRect(edge - QPoint(6, 20), QSize(12, 40))
    assert viewport.grab().toImage().copy(near) != before.copy(near)
    move(viewport, away, Qt.MouseButton.NoButton, NONE)
    assert viewport.grab().toImage().copy(near) == before.copy(near)
    move(viewport, edge, Qt.MouseButton.NoButton, NONE)
    window.book["clear"].trigger()
    assert window.article.ends.hovered is None, "its mark is gone"


def drag_edge(window, which, to, mark=0):
    viewport = text_area(window.article).viewport()
    start, end = list(window.session.state.marks)[mark]
    edge = place(window.article, end - 1, after=True) if which == "end" else place(window.article, start)
    move(viewport, edge, Qt.MouseButton.NoButton, NONE)
    assert viewport.cursor().shape() is Qt.CursorShape.SizeHorCursor
    goal = place(window.article, to)
    QTest.mousePress(viewport, LEFT, NONE, edge)
    move(viewport, (edge + goal) / 2, LEFT, NONE)
    move(viewport, goal, LEFT, NONE)
    QTest.mouseRelease(viewport, LEFT, NONE, goal)


def test_a_dragged_end_joins_touched_marks_and_stops_at_the_other_end(two_marks):
    """All are drags of an edge of one of two marks, each from the same two."""
    both = ["Two glows.", "Five burns."]
    for mark, which, to, wanted in (
        (0, "end", "Six", ["Two glows. Three is dark. Four is out.\nFive burns. Six glows."]),
        (1, "start", "One", ["One burns. Two glows. Three is dark. Four is out.\nFive burns."]),
        (0, "end", "One", both),  # one sentence stays, whichever way it is pulled
        (0, "start", "Seven", both),
        (1, "end", "Two", both),
    ):
        drag_edge(two_marks, which, span(two_marks, to)[0] + 1, mark)
        assert marked(two_marks) == wanted, (which, to)
        if wanted != both:
            two_marks.book["undo"].trigger()  # one drag is one step
        assert marked(two_marks) == both


def test_esc_gives_a_dragged_end_up(two_marks):
    viewport = text_area(two_marks.article).viewport()
    edge = place(two_marks.article, span(two_marks, "Two glows.")[1] - 1, after=True)
    goal = place(two_marks.article, span(two_marks, "Four")[0])
    QTest.mousePress(viewport, LEFT, NONE, edge)
    move(viewport, goal, LEFT, NONE)
    assert text_area(two_marks.article).pen.stroke is not None
    keys(two_marks, Key.Key_Escape)
    move(viewport, goal + QPoint(9, 0), LEFT, NONE)
    QTest.mouseRelease(viewport, LEFT, NONE, goal)
    assert marked(two_marks) == ["Two glows.", "Five burns."]


def test_a_click_at_the_end_of_a_mark_changes_nothing(two_marks):
    before = marked(two_marks)
    viewport = text_area(two_marks.article).viewport()
    at = place(two_marks.article, span(two_marks, "Two glows.")[1] - 1, after=True)
    QTest.mousePress(viewport, LEFT, NONE, at)
    move(viewport, at + QPoint(2, 0), LEFT, NONE)
    QTest.mouseRelease(viewport, LEFT, NONE, at + QPoint(2, 0))
    assert marked(two_marks) == before


# -- by keyboard alone ------------------------------------------------------------------------------------


def test_the_caret_moves_by_sentence_and_paragraph_and_selects(window):
    article, text = window.article, window.session.document.text
    article.place_caret(span(window, "One")[0])
    key(article, Key.Key_Right, CTRL)
    assert article.caret == text.index("Two")
    key(article, Key.Key_Down, CTRL)
    assert article.caret == text.index("Five")
    key(article, Key.Key_Left, CTRL)
    assert article.caret == text.index("Four")
    key(article, Key.Key_Up, CTRL)
    assert article.caret == text.index("One")
    key(article, Key.Key_Right, CTRL | SHIFT)
    key(article, Key.Key_Right, CTRL | SHIFT)
    assert article.selection == (text.index("One"), text.index("Three"))
    key(article, Key.Key_Left, CTRL | SHIFT)
    assert article.selection == (text.index("One"), text.index("Two"))
    key(article, Key.Key_H)
    assert marked(window) == ["One burns."]


def test_an_arrow_goes_where_it_points_in_text_from_right_to_left(qtbot, qapp, tmp_path):
    articles = {"1": "<article><p>One burns. Two glows.</p>\n<p>זה שמן. הוא דולק. כן.</p></article>"}
    path = project_of(tmp_path, articles, Topic("7", "lamps", narrative="Anything on lamps."))
    with shown_window(qapp, path, (1300, 700)) as window:
        qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines))
        article, text = window.article, window.session.document.text
        article.setFocus()
        article.place_caret(text.index("זה"))
        key(article, Key.Key_Left, CTRL)
        assert article.caret == text.index("הוא")
        key(article, Key.Key_Left, CTRL | SHIFT)
        assert article.selection == (text.index("הוא"), text.index("כן"))
        article.place_caret(text.index("כן"))
        key(article, Key.Key_Right, CTRL)
        assert article.caret == text.index("הוא")
        key(article, Key.Key_Home)  # no key is held
        window.book["next-unit"].trigger()
        assert article.caret == text.index("הוא"), "the menu goes on in the text"
        article.place_caret(text.index("One"))
        key(article, Key.Key_Right, CTRL)
        assert article.caret == text.index("Two")


def test_from_a_sentences_end_the_next_one_is_selected_and_the_last_one_to_its_end(window):
    article = window.article
    article.place_caret(span(window, "One burns.")[1])
    key(article, Key.Key_Right, CTRL | SHIFT)
    assert article.selection == (span(window, "One burns.")[1], span(window, "Three")[0])
    article.place_caret(span(window, "Seven")[0])
    for _ in range(2):
        key(article, Key.Key_Right, CTRL | SHIFT)
        assert article.selection == span(window, "Seven.")


def test_three_passages_and_an_entry_point_in_few_keys(window):
    article = window.article
    article.place_caret(span(window, "One")[0])
    pressed = [
        (Key.Key_S, NONE), (Key.Key_Right, CTRL), (Key.Key_S, NONE), (Key.Key_Down, CTRL), (Key.Key_S, NONE),
        (Key.Key_B, ALT), (Key.Key_F, NONE),
    ]  # fmt: skip
    for name, modifiers in pressed:
        key(article, name, modifiers)
    assert marked(window) == ["One burns.", "Three is dark.", "Five burns."]
    assert window.session.state.bep == span(window, "One")[0]
    assert window.session.state.finished
    assert len(pressed) <= 15


def test_s_goes_on_from_the_title_of_an_article_that_begins_with_line_breaks(qtbot, qapp, tmp_path):
    articles = {"1": f"<article>\n\n<name>Lamp</name>\n<body>{BODY}</body></article>"}
    path = project_of(tmp_path, articles, Topic("7", "lamps", narrative="Anything on lamps."))
    with shown_window(qapp, path, (1300, 700)) as window:
        qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines))
        keys(window, Key.Key_S)
        assert window.article.caret == window.session.document.text.index("One burns")


def test_three_passages_and_an_entry_point_on_the_sample_take_at_most_fifteen_keys(qtbot, qapp, tmp_path):
    settings = Settings(tmp_path / "settings.ini")
    project = Project.open(create_sample_project(tmp_path / "sample.inexview"))
    window = MainWindow(project, settings, Appearance(qapp, settings))
    window.show()
    qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines))
    window.article.setFocus()
    topic, document = window.session.topic.id, window.session.document.id
    down, right, mark = (Key.Key_Down, CTRL), (Key.Key_Right, CTRL), (Key.Key_S, NONE)
    pressed = [down, down, down, mark, right, mark, down, down, mark, (Key.Key_B, ALT), (Key.Key_F, NONE)]
    for name, modifiers in pressed:
        key(window.article, name, modifiers)
    state = window.session.project.state(topic, document)
    assert (len(state.marks), state.bep, state.finished) == (3, int(state.marks.starts[0]), True)
    assert len(pressed) <= 15
    window.close()
    window.deleteLater()


# -- the menu ---------------------------------------------------------------------------------------------


def open_menus(window):
    return [menu for menu in window.article.findChildren(QMenu, "article-menu") if menu.isVisible()]


def test_a_right_click_offers_the_possible_actions(window, qtbot):
    viewport, at = text_area(window.article).viewport(), place(window.article, span(window, "Three")[0] + 2)
    QTest.mouseClick(viewport, RIGHT, NONE, at)
    qtbot.waitUntil(lambda: bool(open_menus(window)))
    (menu,) = open_menus(window)
    offered = [action.objectName() for action in menu.actions() if not action.isSeparator()]
    assert "mark-sentence" in offered
    menu.actions()[offered.index("mark-sentence")].trigger()
    menu.close()
    assert marked(window) == ["Three is dark."]


def test_a_second_right_click_erases_and_opens_no_menu(two_marks, qtbot):
    viewport, at = (
        text_area(two_marks.article).viewport(),
        place(two_marks.article, span(two_marks, "glows")[0]),
    )
    QTest.mouseClick(viewport, RIGHT, NONE, at)
    double_click(viewport, at, button=RIGHT)
    assert marked(two_marks) == ["Five burns."]
    qtbot.wait(SECOND_CLICK + 60)
    assert open_menus(two_marks) == []


def test_a_right_drag_opens_no_menu(two_marks, qtbot):
    drag(two_marks.article, *span(two_marks, "Two glows"), button=RIGHT)
    qtbot.wait(SECOND_CLICK + 60)
    assert open_menus(two_marks) == []


def test_a_menu_goes_with_its_document(qtbot, qapp, tmp_path):
    articles = {str(n): f"<article><name>Lamp</name><body>{BODY}</body></article>" for n in (1, 2)}
    path = project_of(tmp_path, articles, Topic("7", "lamps", narrative="Anything on lamps."))
    with shown_window(qapp, path, (1300, 700)) as window:
        qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines))
        key(window.article, Key.Key_F10, SHIFT)
        assert len(open_menus(window)) == 1
        window.session.open_document("2")
        qtbot.waitUntil(lambda: window.session.document_id == "2" and open_menus(window) == [])
        click_right = place(window.article, window.session.document.text.index("One"))
        QTest.mouseClick(text_area(window.article).viewport(), RIGHT, NONE, click_right)
        window.session.open_document("1")
        qtbot.waitUntil(lambda: window.session.document_id == "1")
        qtbot.wait(SECOND_CLICK + 60)
        assert open_menus(window) == []


def test_the_menu_key_opens_the_menu_of_the_focused_widget(window, qtbot):
    chip = window.assess.panel.words.chips()[0]
    chip.setFocus()
    offered = []

    def choose_none():
        (menu,) = chip.findChildren(QMenu)
        offered.extend(action.text() for action in menu.actions())
        menu.close()

    QTimer.singleShot(200, choose_none)
    QTest.keyClick(chip, Key.Key_F10, SHIFT)  # it waits for an answer
    assert "Remove this word" in offered
    pool = window.assess.pool
    pool.view.setFocus()
    QTest.keyClick(pool.view, Key.Key_F10, SHIFT)
    (menu,) = (menu for menu in pool.findChildren(QMenu) if menu.isVisible())
    menu.close()
    assert open_menus(window) == []
    window.assess.panel.finish.setFocus()  # which has none
    QTest.keyClick(window.assess.panel.finish, Key.Key_F10, SHIFT)
    (menu,) = open_menus(window)
    menu.close()


def test_with_a_selection_the_menu_is_for_that(window, qtbot):
    text_area(window.article).select(*span(window, "Two glows."))
    key(window.article, Key.Key_F10, SHIFT)
    (menu,) = open_menus(window)
    offered = [action.objectName() for action in menu.actions() if not action.isSeparator()]
    assert offered == ["mark", "erase", "copy", "save-evidence", "find"]
    menu.close()
    QApplication.processEvents()
    click(window.article, span(window, "Three")[0])
    assert marked(window) == []
