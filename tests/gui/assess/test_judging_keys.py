"""Keys that judge, Esc, and where the keyboard is: with real events, held, pressed too early, in a list."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from inexview.core.article.granularity import Granularity
from inexview.core.judgements.topics import Topic
from inexview.gui.article.overlays import Tool
from inexview.gui.shell.menus import ACTIONS
from tests.gui.driving import (
    LEFT,
    NONE,
    RIGHT,
    double_click,
    drag,
    finished,
    key,
    marked,
    move,
    place,
    shown_window,
    text_area,
)
from tests.projects import article, project_of

Key = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
BLANK = "11"
LONG = [f"Lamp {n} burns. It glows in the dark. No one sees it." for n in range(80)]


@pytest.fixture
def window(qtbot, qapp, tmp_path):
    articles = {str(number): article(f"Lamp {number}", *LONG) for number in range(11)}
    articles[BLANK] = "<article><body>  <p> </p> <p>  </p></body></article>"
    path = project_of(tmp_path, articles, Topic("7", "lamps", narrative="Anything on lamps."))
    with shown_window(qapp, path, (1300, 700)) as made:
        wait_for(qtbot, made, "0")
        made.article.setFocus()
        yield made


def wait_for(qtbot, window, document):
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == document)
    qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines) or document == BLANK)


def test_finishing_goes_on_among_the_titles_that_one_filters_by(window, qtbot):
    window.assess.pool.filter.setFocus()
    qtbot.keyClicks(window.assess.pool.filter, "1")
    qtbot.keyClick(window.assess.pool.filter, Key.Key_Return)
    for document in ("1", "10", "11"):  # 11 has no title, and its id is found
        wait_for(qtbot, window, document)
        key(window.article, Key.Key_N)
    wait_for(qtbot, window, "0")
    assert finished(window) == ["1", "10", "11"]


def press(widget, name, *, held=False, down=True, modifier=NONE):
    QTest.simulateEvent(widget, down, name, modifier, name.name[-1].lower(), held)


def click_row(qtbot, window, document):
    view, model = window.assess.pool.view, window.assess.pool.model
    at = view.visualRect(model.index(model.row_of(document))).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=at)


def span(window, words):
    start = window.session.document.text.index(words)
    return start, start + len(words)


# -- keys that are held -----------------------------------------------------------------------------------


def test_a_held_n_judges_one_document(window, qtbot):
    area = text_area(window.article)
    press(area, Key.Key_N)
    for _ in range(20):
        press(area, Key.Key_N, held=True)
        qtbot.wait(5)
    wait_for(qtbot, window, "1")
    press(area, Key.Key_N, down=False)
    assert finished(window) == ["0"]


def hold_undo(qtbot, window, times=15):
    area = text_area(window.article)
    press(area, Key.Key_Z, modifier=CTRL)
    for _ in range(times):
        window.repaint()
        qtbot.wait(1)
        press(area, Key.Key_Z, held=True, modifier=CTRL)
    press(area, Key.Key_Z, down=False, modifier=CTRL)


def test_a_held_undo_stops_at_the_first_step_of_the_document(window, qtbot):
    for document in ("0", "1"):
        wait_for(qtbot, window, document)
        window.session.mark(0, 4)
        key(window.article, Key.Key_N)
    wait_for(qtbot, window, "2")
    for start in (0, 10, 20):
        window.session.mark(start, start + 4)
    hold_undo(qtbot, window)
    assert window.session.document_id == "2"
    assert window.session.state.untouched
    assert finished(window) == ["0", "1"]


def test_a_held_undo_that_went_back_to_a_document_goes_on_nowhere(window, qtbot):
    for document in ("0", "1"):
        wait_for(qtbot, window, document)
        window.session.mark(0, 4)
        key(window.article, Key.Key_N)
    wait_for(qtbot, window, "2")
    hold_undo(qtbot, window)
    wait_for(qtbot, window, "1")
    assert finished(window) == ["0"]
    assert list(window.session.state.marks) == [(0, 4)]  # what was done before N stays


def test_a_held_b_waits_for_a_click(window, qtbot):
    area = text_area(window.article)
    press(area, Key.Key_B)
    for _ in range(5):
        press(area, Key.Key_B, held=True)
    press(area, Key.Key_B, down=False)
    assert window.article.pen.choosing
    assert window.session.state.bep is None
    key(area.parent(), Key.Key_B)
    assert window.session.state.bep is not None


def test_f_without_a_mark_reports_the_missing_mark(window, qtbot):
    lacks = window.assess.panel.lacks
    assert lacks.full_text == "Nothing is marked: N judges it not relevant"
    key(window.article, Key.Key_F)
    assert "Nothing is marked here" in window.messages.current.text
    assert (window.session.document_id, finished(window)) == ("0", [])
    (offered,) = (one for one in window.messages._buttons if not one.isHidden())
    qtbot.mouseClick(offered, LEFT)
    wait_for(qtbot, window, "1")
    assert finished(window) == ["0"]
    key(window.article, Key.Key_K)
    wait_for(qtbot, window, "0")
    assert lacks.full_text == ""
    key(window.article, Key.Key_F)  # finished already: on to the next
    wait_for(qtbot, window, "1")


def test_a_held_f_judges_one_document_also_in_the_list(window, qtbot):
    for document in ("1", "0"):
        window.session.open_document(document)
        wait_for(qtbot, window, document)
        drag(window.article, *span(window, "It glows in the dark."))
        key(window.article, Key.Key_B, CTRL)
    view = window.assess.pool.view
    view.setFocus()
    press(view, Key.Key_F)
    for _ in range(20):
        press(view, Key.Key_F, held=True)
        qtbot.wait(5)
    wait_for(qtbot, window, "1")
    press(view, Key.Key_F, down=False)
    assert finished(window) == ["0"]


def test_a_key_that_was_down_when_a_document_came_does_not_judge_it(window, qtbot):
    area = text_area(window.article)
    press(area, Key.Key_N)
    wait_for(qtbot, window, "1")
    press(area, Key.Key_N)  # pressed again, as some desktops repeat, and never let go
    assert finished(window) == ["0"]
    press(area, Key.Key_N, down=False)
    press(area, Key.Key_N)
    assert finished(window) == ["0", "1"]
    press(area, Key.Key_N, down=False)


def test_a_held_key_waits_for_painting(window, qtbot):
    asked = []
    window.session.opening.open = asked.append
    for _ in range(3):
        press(window.article, Key.Key_J, held=bool(asked))
    assert len(asked) == 1, "those that wait in line while the window works are let go"
    window.article.update()

    def goes_on():
        press(window.article, Key.Key_J, held=True)
        return len(asked) == 2

    qtbot.waitUntil(goes_on)
    press(window.article, Key.Key_J, down=False)
    press(window.article, Key.Key_J)
    assert len(asked) == 3, "a key that was let go and is pressed is always obeyed"
    press(window.article, Key.Key_J, down=False)


def test_a_button_judges_whatever_key_was_pressed_before(window, qtbot):
    key(window.article, Key.Key_N)
    wait_for(qtbot, window, "1")
    qtbot.mouseClick(window.assess.panel.not_relevant, LEFT)
    assert finished(window) == ["0", "1"]


def test_no_action_that_judges_repeats_but_steps_back_and_forth(window):
    repeating = {record.id for record in ACTIONS if window.book[record.id].autoRepeat() and record.judges}
    assert repeating == {"undo", "redo", "undo-answer", "redo-answer"}
    for name in ("finish", "not-relevant", "mark-sentence", "erase-passage", "clear", "entry-point-caret"):
        assert not window.book[name].autoRepeat()


def test_a_guard_can_refuse_what_judges_and_nothing_else(window):
    window.book.guard(lambda record: False)
    key(window.article, Key.Key_N)
    key(window.article, Key.Key_U)
    assert finished(window) == []
    assert window.article.pen_state.tool is Tool.MARK
    key(window.article, Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.article.find_bar.isVisible()


# -- Esc --------------------------------------------------------------------------------------------------


def test_esc_lets_go_of_one_thing_after_another_wherever_the_keyboard_is(window):
    for where in ("article", "list", "filter"):
        let_go_by_esc(window, where)


def let_go_by_esc(window, where):
    article, pool = window.article, window.assess.pool
    pool.filter.setText("Lamp")
    text_area(article).select(*span(window, "It glows"))
    article.pen_state.take(Tool.ERASE)
    article.begin_entry_point()
    article.find_bar.open()
    window.popup.open("Find…", [])
    window.messages.info("something")
    places = {"article": text_area(article), "list": pool.view, "filter": pool.filter}
    held = [
        lambda: window.popup.isVisible(),
        lambda: article.find_bar.isVisible(),
        lambda: article.pen.choosing,
        lambda: article.pen_state.tool is Tool.ERASE,
        lambda: article.selection[0] < article.selection[1],
        lambda: bool(pool.filter.text()),
    ]
    if where != "article":
        window.popup.hide()
        held = held[1:]
    places[where].setFocus()
    if where == "article":
        window.popup.show()
    for at in range(len(held)):
        assert [hold() for hold in held] == [False] * at + [True] * (len(held) - at)
        QTest.keyClick(places[where], Key.Key_Escape)
    assert not any(hold() for hold in held)
    assert window.messages.current is None
    QTest.keyClick(places[where], Key.Key_Escape)
    assert text_area(article).hasFocus()


def test_esc_gives_up_a_stroke_before_all_else(window, qtbot):
    window.article.pen_state.take(Tool.ERASE)
    viewport = text_area(window.article).viewport()
    begin = place(window.article, span(window, "It glows")[0])
    QTest.mousePress(viewport, LEFT, NONE, begin)
    move(viewport, begin + QPoint(60, 0), LEFT, NONE)
    key(window.article, Key.Key_Escape)
    assert window.article.pen_state.tool is Tool.ERASE
    QTest.mouseRelease(viewport, LEFT, NONE, begin + QPoint(60, 0))
    assert window.session.state.untouched


def test_esc_in_the_list_lets_go_of_several_rows(window, qtbot):
    view = window.assess.pool.view
    view.setFocus()
    QTest.keyClick(view, Key.Key_Down, SHIFT)
    assert view.selected_count() == 2
    QTest.keyClick(view, Key.Key_Escape)
    assert view.selected_count() == 1


# -- list and article -------------------------------------------------------------------------------------


def test_after_a_click_on_a_row_the_keys_speak_to_the_article(window, qtbot):
    click_row(qtbot, window, "4")
    wait_for(qtbot, window, "4")
    assert text_area(window.article).hasFocus()
    QTest.keyClick(window.focusWidget(), Key.Key_PageDown)
    assert window.article.reading_position() > 0
    assert window.assess.pool.view.highlighted == "4"
    QTest.keyClick(window.focusWidget(), Key.Key_N)
    assert finished(window) == ["4"]


def test_a_key_judges_only_the_document_shown(window, qtbot):
    view = window.assess.pool.view
    view.setFocus()
    for _ in range(3):
        QTest.keyClick(view, Key.Key_Down)
    QTest.keyClick(view, Key.Key_N)  # document 0 is still on the screen
    assert finished(window) == []
    wait_for(qtbot, window, "3")
    assert view.hasFocus()
    QTest.keyClick(view, Key.Key_N)
    assert finished(window) == ["3"]


def test_in_the_article_several_rows_are_no_longer_selected(window, qtbot):
    view = window.assess.pool.view
    view.setFocus()
    QTest.keyClick(view, Key.Key_Down, SHIFT)
    qtbot.mouseClick(text_area(window.article).viewport(), LEFT, pos=QPoint(100, 100))
    assert view.selected_count() == 1
    key(window.article, Key.Key_N)
    assert len(finished(window)) == 1


def test_f_with_several_rows_selected_finishes_none_and_says_why(window, qtbot):
    view = window.assess.pool.view
    view.setFocus()
    QTest.keyClick(view, Key.Key_Down, SHIFT)
    QTest.keyClick(view, Key.Key_F)
    assert finished(window) == []
    assert "2 documents are selected" in window.messages.current.text


# -- what is in the hand ----------------------------------------------------------------------------------


def test_s_marks_one_sentence_after_another_into_one_passage(window, qtbot):
    window.article.place_caret(span(window, "Lamp 3 burns")[0])
    for _ in range(4):
        key(window.article, Key.Key_S)
    assert marked(window) == ["Lamp 3 burns. It glows in the dark. No one sees it.Lamp 4 burns."]


def test_double_clicks_on_neighbours_join_and_erasing_one_leaves_no_blank(window, qtbot):
    viewport = text_area(window.article).viewport()
    for words in ("Lamp 0 burns", "No one sees", "It glows"):
        at = place(window.article, span(window, words)[0] + 2)
        QTest.mouseClick(viewport, LEFT, NONE, at)
        double_click(viewport, at)
    assert marked(window) == ["Lamp 0 burns. It glows in the dark. No one sees it."]
    drag(window.article, *span(window, "glows in"), button=RIGHT)
    assert marked(window) == ["Lamp 0 burns.", "No one sees it."]
    at = place(window.article, span(window, "No one")[0] + 2)
    QTest.mouseClick(viewport, RIGHT, NONE, at)
    double_click(viewport, at, button=RIGHT)
    assert marked(window) == ["Lamp 0 burns."]


def test_a_digit_chooses_the_unit_that_strokes_grow_to(window):
    paragraph = "Lamp 0 burns. It glows in the dark. No one sees it."
    grown = ["low", "glows", "It glows in the dark.", paragraph, paragraph]
    for digit, wanted in zip((Key.Key_1, Key.Key_2, Key.Key_3, Key.Key_4, Key.Key_5), grown, strict=True):
        key(window.article, digit)
        drag(window.article, *span(window, "low"))
        assert marked(window) == [wanted]
        strip = window.article.strip.pen_state
        assert [unit.value for unit, button in strip.units.items() if button.isChecked()] == [
            window.article.pen_state.unit.value
        ]
        window.session.undo()


def test_a_digit_that_is_held_is_for_one_stroke(window):
    area = text_area(window.article)
    press(area, Key.Key_2)
    drag(window.article, *span(window, "low"))
    press(area, Key.Key_2, down=False)
    assert marked(window) == ["glows"]
    assert window.article.pen_state.unit is Granularity.SENTENCE
    press(area, Key.Key_4)
    press(area, Key.Key_4, down=False)
    assert window.article.pen_state.unit is Granularity.PARAGRAPH


def test_a_click_in_the_strip_takes_the_tool_and_the_unit(window, qtbot):
    strip = window.article.strip.pen_state
    qtbot.mouseClick(strip.tools[Tool.ERASE], LEFT)
    qtbot.mouseClick(strip.units[Granularity.WORD], LEFT)
    assert (window.article.pen_state.tool, window.article.pen_state.unit) == (Tool.ERASE, Granularity.WORD)
    assert window.book["unit-word"].isChecked()


def test_the_eraser_is_seen_in_cursor_strip_and_line(window):
    viewport, strip = text_area(window.article).viewport(), window.article.strip
    pen, line = viewport.cursor().shape(), strip.grab().toImage().pixelColor(400, 0)
    key(window.article, Key.Key_U)
    assert viewport.cursor().shape() is Qt.CursorShape.BitmapCursor
    assert strip.pen_state.tools[Tool.ERASE].isChecked()
    assert strip.grab().toImage().pixelColor(400, 0) != line
    key(window.article, Key.Key_H)
    assert viewport.cursor().shape() is pen
    assert strip.pen_state.tools[Tool.MARK].isChecked()


def test_u_erases_the_visible_selection(window):
    tools = window.article.strip.pen_state.tools
    drag(window.article, *span(window, "It glows"))
    text_area(window.article).select(*span(window, "It glows in the dark."))
    assert [button.text() for button in tools.values()] == ["Mark selection", "Erase selection"]
    key(window.article, Key.Key_U)
    assert marked(window) == []
    assert window.article.pen_state.tool is Tool.MARK
    assert [button.text() for button in tools.values()] == ["Pen", "Eraser"]
    key(window.article, Key.Key_U)
    assert window.article.pen_state.tool is Tool.ERASE


def test_a_selection_that_was_abandoned_is_gone(window):
    area = text_area(window.article)
    abandoning = {
        "another stroke": lambda: drag(window.article, *span(window, "Lamp 3")),
        "erased beside it": lambda: drag(window.article, *span(window, "Lamp 3"), button=RIGHT),
        "scrolled away": lambda: area.verticalScrollBar().setValue(area.verticalScrollBar().maximum()),
        "a click": lambda: QTest.mouseClick(area.viewport(), LEFT, NONE, QPoint(100, 300)),
        "Esc": lambda: key(window.article, Key.Key_Escape),
    }
    for how, abandon in abandoning.items():
        drag(window.article, *span(window, "It glows"))
        area.select(*span(window, "It glows in the dark."))
        abandon()
        key(window.article, Key.Key_U)
        assert "It glows in the dark." in marked(window), how
        assert window.article.pen_state.tool is Tool.ERASE
        assert window.article.selection[0] == window.article.selection[1]
        window.article.pen_state.take(Tool.MARK)
        while window.session.state.marks:
            window.session.undo()


# -- the entry point --------------------------------------------------------------------------------------


def test_an_entry_point_outside_every_mark_is_reported_once(window, qtbot):
    drag(window.article, *span(window, "It glows"))
    window.article.place_caret(span(window, "No one sees")[0])
    key(window.article, Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert "after first mark" in window.assess.panel.facts.value("Best entry point")
    key(window.article, Key.Key_F)
    assert finished(window) == []
    assert "outside every mark. F finishes anyway" in window.messages.current.text
    drag(window.article, *span(window, "Lamp 0"))
    key(window.article, Key.Key_F)  # another state: it is said again
    assert finished(window) == []
    key(window.article, Key.Key_F)
    assert finished(window) == ["0"]


def test_the_proposed_entry_point_is_taken_with_one_key_and_never_by_itself(window):
    drag(window.article, *span(window, "It glows"))
    key(window.article, Key.Key_F)
    assert window.session.state.bep is None
    key(window.article, Key.Key_B, Qt.KeyboardModifier.AltModifier)
    assert window.session.state.bep == span(window, "It glows")[0]
    assert window.assess.panel.facts.value("Best entry point").endswith(" · first mark")
    key(window.article, Key.Key_F)
    assert finished(window) == ["0"]


# -- an article without a word ----------------------------------------------------------------------------


def test_an_article_of_white_space_breaks_no_pen(window, qtbot):
    click_row(qtbot, window, BLANK)
    wait_for(qtbot, window, BLANK)
    viewport = text_area(window.article).viewport()
    for at in (QPoint(20, 20), QPoint(60, 90)):
        QTest.mouseClick(viewport, LEFT, NONE, at)
        double_click(viewport, at)
        QTest.mousePress(viewport, LEFT, NONE, at)
        move(viewport, at + QPoint(60, 10), LEFT, NONE)
        QTest.mouseRelease(viewport, LEFT, NONE, at + QPoint(60, 10))
    for name in (Key.Key_S, Key.Key_E, Key.Key_H, Key.Key_U, Key.Key_B, Key.Key_B, Key.Key_Delete):
        key(window.article, name)
    assert not window.session.state.marks
    key(window.article, Key.Key_N)
    assert finished(window) == [BLANK]


def test_a_mark_shows_at_once_after_a_click_on_a_row(window, qtbot):
    click_row(qtbot, window, "2")
    wait_for(qtbot, window, "2")
    drag(window.article, *span(window, "glows"))
    assert [window.session.document.text[s:e] for s, e in window.session.state.marks] == [
        "It glows in the dark."
    ]


def test_a_unit_is_held_for_one_stroke_also_where_its_key_repeats(window, qtbot):
    area, pen_state = text_area(window.article), window.article.pen_state
    assert pen_state.unit is Granularity.SENTENCE
    press(area, Key.Key_4)
    for _ in range(5):
        press(area, Key.Key_4, held=True)
    assert pen_state.unit is Granularity.PARAGRAPH
    drag(window.article, *span(window, "glows"))
    for _ in range(5):
        press(area, Key.Key_4, held=True)
    press(area, Key.Key_4, down=False)
    assert pen_state.unit is Granularity.SENTENCE
    assert marked(window) == [LONG[0]]
