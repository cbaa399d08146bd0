"""Nuggets while one judges: by key and mouse, beside the text, taken back, and used wrongly."""

from __future__ import annotations

import json
import re

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from inexview import Spans
from inexview.cli import main
from inexview.core.answers.nuggets import Importance
from inexview.core.judgements.topics import Topic
from inexview.core.project.nuggets import add_nuggets, delete_nugget, file_words, make_nugget
from inexview.core.project.project import Project
from inexview.gui.assess.nugget_panel import FoldedRow
from inexview.gui.look.panels import RowRole
from inexview.gui.look.theme import DARK, LIGHT
from inexview.gui.services.actions import Room
from inexview.gui.shell.main_window import Mode
from tests.core.project.test_nuggets import Nugget, bank
from tests.gui.driving import click, drag, file_named, key, marked, place, shown_window, text_area, wear
from tests.projects import article, project_of

Key = Qt.Key
SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
BODY = (
    "One lamp burns. Two lamps glow in the dark. Three is out. Four are lit at night.",
    "Five burn. Six glow.",
)
ARTICLES = {
    "1": article("Lamp", *BODY),
    "2": article("Light", "Nothing here. Two lamps glow in the dark. The end."),
    "3": article("Dark", "Two lamps glow   in the dark, too."),
}
TOPIC = Topic("7", "lamps", narrative="Anything on lamps.")


@pytest.fixture
def path(tmp_path):
    return project_of(tmp_path, ARTICLES, TOPIC, Topic("8", "other"))


@pytest.fixture
def window(qtbot, qapp, path):
    with shown_window(qapp, path, (1440, 900)) as made:
        ready(qtbot, made, "1")
        yield made


def ready(qtbot, window, document):
    qtbot.waitUntil(lambda: window.session.document_id == document)
    qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines))
    window.article.setFocus()


def span(window, words):
    start = window.session.document.text.index(words)
    return start, start + len(words)


def make(window, *texts):
    """Make nuggets of these texts; those in capitals are vital."""
    made = [
        make_nugget(
            window.session.project, "7", text.lower(), document=window.session.document_id,
            importance=Importance.VITAL if text.isupper() else Importance.OKAY,
        )
        for text in texts
    ]  # fmt: skip
    window.assess.nuggets.refresh()
    return made


def places(window, document="1"):
    """Return the words that a document states, by the number of their nugget."""
    nuggets = window.assess.nuggets
    text = window.session.project.documents.text(document)
    numbers = {one.key: one.number for one in nuggets.nuggets}
    return {
        numbers[nugget]: [text[slice(*part)] for one in own for part in one]
        for nugget, own in nuggets.coverage.in_document(document).items()
    }


def signs(window):
    """Return what the margin shows: keys of nuggets, "?" for a mark that waits."""
    return [sign.about.key or "?" for sign in window.article.margin.signs() if hasattr(sign.about, "key")]


def text_of(window):
    current = window.messages.current
    return "" if current is None else current.text


def press(window, *names, modifiers=Qt.KeyboardModifier.NoModifier):
    for name in names:
        key(window.article, name, modifiers)


def typed(window, text):
    """Type into the field that has the keyboard."""
    QTest.keyClicks(QApplication.focusWidget(), text)


# -- made, filed and taken out ---------------------------------------------------------------------------


def test_without_nuggets_digits_are_units_and_a_line_explains_how_to_begin(window):
    panel = window.assess.panel
    assert window.book.room is Room.ASSESS
    assert panel.nuggets.isVisible()
    assert not panel.nuggets.view.isVisible()
    assert panel.facts.isVisible()
    press(window, Key.Key_4)
    assert window.article.pen_state.unit.value == "paragraph"
    assert not signs(window)


def test_plus_makes_a_nugget_of_the_words_in_hand_and_digits_are_its_own_from_then_on(window):
    drag(window.article, *span(window, "One lamp burns."))
    QTest.keyClicks(text_area(window.article), "+")
    field = window.assess.panel.nuggets.new_line.field
    assert QApplication.focusWidget() is field
    assert field.selectedText() == "One lamp burns."
    typed(window, "a lamp burns")
    QTest.keyClick(field, Key.Key_Return)
    assert places(window) == {1: ["One lamp burns."]}
    (nugget,) = window.assess.nuggets.nuggets
    assert (nugget.text, nugget.vital) == ("a lamp burns", False)
    assert window.book.room is Room.NUGGETS
    assert window.assess.panel.nuggets.view.isVisible()
    assert not window.assess.panel.facts.isVisible()
    unit = window.article.pen_state.unit
    press(window, Key.Key_4)  # means nugget 4 now, which is not there
    assert window.article.pen_state.unit is unit
    assert "no nugget 4" in text_of(window)
    press(window, Key.Key_V)
    assert window.assess.nuggets.nuggets[0].vital
    press(window, Key.Key_Up, modifiers=ALT)
    assert window.article.pen_state.unit.value == "paragraph"


def test_shift_enter_keeps_as_vital_and_esc_drops(window):
    for finish, modifiers, count in ((Key.Key_Return, SHIFT, 1), (Key.Key_Escape, None, 1)):
        QTest.keyClicks(text_area(window.article), "+")
        typed(window, "more")
        QTest.keyClick(QApplication.focusWidget(), finish, modifiers or Qt.KeyboardModifier.NoModifier)
        assert len(window.assess.nuggets.nuggets) == count
        assert text_area(window.article).hasFocus()
    assert window.assess.nuggets.nuggets[0].vital
    assert places(window) == {}  # without a mark it has no place


def test_an_empty_field_makes_nothing(window):
    QTest.keyClicks(text_area(window.article), "+")
    QTest.keyClick(QApplication.focusWidget(), Key.Key_Return)
    assert not window.assess.nuggets.nuggets
    assert window.session.project.journal.newest("nugget") is None


def test_a_mark_waits_a_digit_files_it_another_too_and_again_takes_it_out(window):
    make(window, "BURNS", "glows")
    drag(window.article, *span(window, "One lamp burns."))
    assert signs(window) == ["?"]
    assert window.assess.panel.nuggets.unfiled.said.startswith("1 mark is under no nugget")
    press(window, Key.Key_1)
    assert signs(window) == ["1"]
    press(window, Key.Key_2)
    assert signs(window) == ["1", "2"]
    press(window, Key.Key_1)
    assert places(window) == {2: ["One lamp burns."]}
    assert window.assess.panel.nuggets.unfiled.said == ""


def test_words_that_are_selected_inside_a_mark_are_filed_alone(window):
    make(window, "BURNS")
    drag(window.article, *span(window, "Two lamps glow in the dark."))
    window.article.caret_pen.select(*span(window, "glow in the dark"))
    press(window, Key.Key_1)
    assert places(window) == {1: ["glow in the dark"]}
    assert window.article.overlay.beside.filed == Spans([span(window, "glow in the dark")])


def test_words_that_are_not_marked_are_not_filed(window):
    make(window, "BURNS")
    window.article.caret_pen.select(*span(window, "Three is out"))
    press(window, Key.Key_1)
    assert "Only marked words" in text_of(window)
    assert places(window) == {}
    QTest.mouseClick(window.messages._button, Qt.MouseButton.LeftButton)
    assert any("Three is out" in passage for passage in marked(window))


def test_a_digit_without_a_mark_only_selects(window):
    made = make(window, "BURNS", "glows")
    press(window, Key.Key_2)
    assert "No mark is selected" in text_of(window)
    assert window.assess.nuggets.selected == made[1].key
    assert places(window) == {}


def test_a_digit_that_is_held_files_once(window):
    make(window, "BURNS")
    drag(window.article, *span(window, "One lamp burns."))
    area = text_area(window.article)
    QTest.keyPress(area, Key.Key_1)
    for _ in range(4):
        for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            event = QKeyEvent(kind, Key.Key_1, Qt.KeyboardModifier.NoModifier, "1", True)
            QApplication.sendEvent(area, event)
    QTest.keyRelease(area, Key.Key_1)
    assert places(window) == {1: ["One lamp burns."]}


def test_from_the_tenth_on_0_comes_first(window):
    make(window, *(f"fact {number}" for number in range(1, 13)))
    drag(window.article, *span(window, "One lamp burns."))
    press(window, Key.Key_0, Key.Key_0)
    press(window, Key.Key_0, Key.Key_1)
    assert places(window) == {10: ["One lamp burns."], 11: ["One lamp burns."]}
    press(window, Key.Key_0)
    click(window.article, span(window, "Three")[0])  # somewhere else: the 0 is forgotten
    press(window, Key.Key_2)
    assert set(places(window)) == {10, 11}
    press(window, Key.Key_0, Key.Key_Escape)
    assert not window.assess.nuggets.dismiss()
    rows = window.assess.panel.nuggets.view.rows.rows
    assert [row.typed for row in rows][-3:] == ["00", "01", "02"]


def test_passages_go_to_the_selected_nugget_beyond_the_digits(window):
    made = make(window, *(f"fact {number}" for number in range(1, 22)))
    drag(window.article, *span(window, "One lamp burns."))
    window.assess.nuggets.select(made[20].key)
    press(window, Key.Key_L)
    assert places(window) == {21: ["One lamp burns."]}


# -- taken back ------------------------------------------------------------------------------------------


def test_undo_takes_marks_and_nuggets_back_in_their_turn_and_redo_brings_all(window):
    make(window, "BURNS")
    drag(window.article, *span(window, "One lamp burns."))
    press(window, Key.Key_1)
    drag(window.article, *span(window, "Three is out."))
    press(window, Key.Key_1)
    press(window, Key.Key_V)
    seen = []
    for _ in range(6):
        seen.append((window.book["undo"].text(), len(marked(window)), places(window).get(1, [])))
        press(window, Key.Key_Z, modifiers=CTRL)
    assert [text for text, *_ in seen] == [
        "Undo call nugget 1 okay",
        "Undo file under nugget 1",
        "Undo mark 13 characters",
        "Undo file under nugget 1",
        "Undo mark 15 characters",
        "Undo new nugget 1",
    ]
    assert not window.assess.nuggets.nuggets
    assert window.book.room is Room.ASSESS
    for _ in range(6):
        press(window, Key.Key_Y, modifiers=CTRL)
    assert places(window) == {1: ["One lamp burns.", "Three is out."]}
    assert not window.assess.nuggets.nuggets[0].vital
    assert window.book["redo"].text() == "Redo"


def test_a_mark_that_goes_takes_its_places_and_undo_brings_both_back(window):
    make(window, "BURNS")
    drag(window.article, *span(window, "Two lamps glow in the dark."))
    press(window, Key.Key_1)
    press(window, Key.Key_Delete)
    assert marked(window) == []
    assert places(window) == {}
    assert signs(window) == []
    press(window, Key.Key_Z, modifiers=CTRL)
    assert places(window) == {1: ["Two lamps glow in the dark."]}


def test_a_shorter_mark_keeps_the_rest_of_its_place(window):
    make(window, "BURNS")
    window.session.mark(*span(window, "One lamp burns. Two lamps glow in the dark."))
    window.article.place_caret(span(window, "Two")[0])
    press(window, Key.Key_1)
    press(window, Key.Key_Comma)
    assert places(window) == {1: ["One lamp burns."]}
    press(window, Key.Key_Z, modifiers=CTRL)
    assert places(window) == {1: ["One lamp burns. Two lamps glow in the dark."]}


def test_a_note_made_later_is_undone_first(window):
    make(window, "BURNS")
    window.session.record.set_note("a note")
    assert window.book["undo"].text() == "Undo note"
    press(window, Key.Key_Z, modifiers=CTRL)
    assert window.book["undo"].text() == "Undo new nugget 1"


def test_nuggets_are_saved_and_visible_to_another_window(qtbot, qapp, path):
    with shown_window(qapp, path, (1440, 900)) as window:
        ready(qtbot, window, "1")
        make(window, "BURNS")
        drag(window.article, *span(window, "One lamp burns."))
        press(window, Key.Key_1)
    with shown_window(qapp, path, (1440, 900), read_only=True) as window:
        ready(qtbot, window, "1")
        assert window.book.room is Room.NUGGETS
        assert signs(window) == ["1"]
        press(window, Key.Key_V)
        assert window.assess.nuggets.nuggets[0].vital
        QTest.keyClicks(text_area(window.article), "+")
        assert not window.assess.panel.nuggets.new_line.open


# -- beside the text -------------------------------------------------------------------------------------


def test_a_click_on_row_or_figure_selects_and_hovering_lasts_as_long_as_it_does(window):
    made = make(window, "BURNS", "glows")
    for number, words in ((1, "One lamp burns."), (2, "Three is out.")):
        window.session.mark(*span(window, words))
        file_words(window.session.project, "7", made[number - 1].key, "1", Spans([span(window, words)]))
    window.assess.nuggets.refresh()
    margin, view = window.article.margin, window.assess.panel.nuggets.view
    second = next(sign for sign in margin.signs() if sign.about.key == "2")
    QTest.mouseClick(margin, Qt.MouseButton.LeftButton, pos=second.place.center().toPoint())
    assert window.assess.nuggets.selected == made[1].key
    assert window.article.overlay.beside.filed == Spans([span(window, "Three is out.")])
    row = view.visualRect(view.rows.index(0)).center()
    hover(view.viewport(), row)
    assert window.article.overlay.beside.filed == Spans([span(window, "One lamp burns.")])
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert window.article.overlay.beside.filed == Spans([span(window, "Three is out.")])
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert window.assess.nuggets.selected == made[0].key
    first = next(sign for sign in margin.signs() if sign.about.key == "2")
    hover(margin, first.place.center().toPoint())
    assert window.article.overlay.beside.filed == Spans([span(window, "Three is out.")])


def hover(widget, at: QPoint):
    event = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(at), widget.mapToGlobal(QPointF(at)), Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def test_keys_go_from_nugget_to_nugget_and_from_place_to_place(window, qtbot):
    made = make(window, "BURNS", "glows")
    press(window, Key.Key_PageDown, modifiers=ALT)
    assert window.assess.nuggets.selected == made[0].key
    press(window, Key.Key_PageUp, modifiers=ALT)
    assert window.assess.nuggets.selected == made[1].key
    press(window, Key.Key_BracketRight, modifiers=ALT)
    assert "No place states" in text_of(window)
    project = window.session.project
    for document, words in (("1", "Three is out."), ("2", "The end."), ("1", "Five burn.")):
        text = project.documents.text(document)
        at = text.index(words)
        project.mark("7", document, at, at + len(words))
        file_words(project, "7", made[1].key, document, Spans([(at, at + len(words))]))
    window.assess.nuggets.refresh()
    seen = []
    for _ in range(4):
        press(window, Key.Key_BracketRight, modifiers=ALT)
        document = "2" if len(seen) == 2 else "1"
        ready(qtbot, window, document)
        qtbot.waitUntil(
            lambda: any(
                place.start == window.article.caret
                for place in window.assess.nuggets.coverage.places_of(made[1].key)
            )
        )
        text = window.session.document.text
        seen.append(text[window.article.caret : window.article.caret + 5])
    assert seen == ["Three", "Five ", "The e", "Three"]
    listed = window.assess.panel.nuggets.places.rows
    assert [(row.here, row.document) for row in listed] == [(True, "1"), (True, "1"), (False, "2")]


def test_the_same_words_elsewhere_are_an_offer(window, qtbot):
    make(window, "GLOWS")
    drag(window.article, *span(window, "Two lamps glow in the dark."))
    press(window, Key.Key_1)
    same = window.assess.panel.nuggets.same
    qtbot.waitUntil(lambda: same.isVisible() and "Light" in same.full_text)
    assert marked(window) == ["Two lamps glow in the dark."]
    QTest.mouseClick(same, Qt.MouseButton.LeftButton)
    ready(qtbot, window, "2")
    assert marked(window) == []


def test_other_words_by_key_and_a_nugget_is_deleted_with_its_places(window):
    make(window, "BURNS", "glows")
    drag(window.article, *span(window, "One lamp burns."))
    press(window, Key.Key_1, Key.Key_F2)
    field = QApplication.focusWidget()
    assert field.text() == "burns"
    typed(window, " long")
    QTest.keyClick(field, Key.Key_Return)
    assert window.assess.nuggets.nuggets[0].text == "burns long"
    press(window, Key.Key_Delete, modifiers=SHIFT)
    assert "deleted with 1 place" in text_of(window)
    assert [one.number for one in window.assess.nuggets.nuggets] == [2]
    press(window, Key.Key_1)
    assert "no nugget 1" in text_of(window)
    press(window, Key.Key_Delete, modifiers=SHIFT)
    assert "No nugget is selected" in text_of(window)
    press(window, Key.Key_Z, modifiers=CTRL)
    assert places(window) == {1: ["One lamp burns."]}


def test_the_pool_shows_new_nuggets_of_documents_and_sorts_by_them(window, qtbot):
    made = make(window, "BURNS", "glows", "third")
    project = window.session.project
    for document, nuggets in (("1", made[:1]), ("3", made), ("2", made[1:])):
        project.mark("7", document, 0, 20)
        for nugget in nuggets:
            file_words(project, "7", nugget.key, document, Spans([(0, 20)]))
    window.session.reload()
    window.assess.nuggets.refresh()
    ready(qtbot, window, "1")
    pool = window.assess.pool
    assert pool.order.figure.text() == "nuggets · marked"
    rows = {row.document_id: row.nuggets for row in pool_rows(pool)}
    assert rows == {"1": 1, "2": 2, "3": 3}
    pool.order._orders[next(order for order in pool.order._orders if order.name == "NUGGETS")].trigger()
    assert [(row.document_id, row.figure) for row in pool_rows(pool)] == [
        ("3", "+3"),
        ("2", "+0"),
        ("1", "+0"),
    ]
    assert pool.order.figure.text() == "nuggets · new"


def pool_rows(pool):
    return [pool.model.index(row).data(RowRole) for row in range(pool.model.rowCount())]


def test_the_panel_can_be_put_away_and_the_digits_are_units_again(window):
    make(window, "BURNS")
    press(window, Key.Key_V, modifiers=SHIFT)
    assert window.book.room is Room.ASSESS
    assert window.assess.panel.facts.isVisible()
    press(window, Key.Key_1)
    assert window.article.pen_state.unit.value == "character"
    press(window, Key.Key_V, modifiers=SHIFT)
    assert window.book.room is Room.NUGGETS


def test_other_rooms_and_topics_leave_nothing_of_it_over_the_text(window, qtbot):
    make(window, "BURNS")
    drag(window.article, *span(window, "One lamp burns."))
    press(window, Key.Key_1)
    window.set_mode(Mode.INSPECT)
    assert signs(window) == []
    assert not window.article.overlay.beside.filed
    window.set_mode(Mode.ASSESS)
    assert window.book.room is Room.NUGGETS
    assert signs(window) == ["1"]
    assert window.article.overlay.beside.filed
    window.session.open_topic("8")
    qtbot.waitUntil(lambda: window.session.document is not None)
    assert window.book.room is Room.ASSESS
    assert signs(window) == []


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_two_hundred_nuggets_and_words_without_end_scroll_in_the_list(window, theme):
    wear(theme)
    project = window.session.project
    words = [
        *(f"fact {at} " * 6 for at in range(197)),
        "x" * 4000,
        "<b>\u202ebold</b>\n&amp; \x07",
        "字" * 900,
    ]
    add_nuggets(project, bank(*(Nugget(text, Importance.OKAY) for text in words), topic="7"))
    window.assess.nuggets.refresh()
    window.assess.nuggets.select(window.assess.nuggets.nuggets[150].key)
    panel = window.assess.panel
    for size in ((1440, 900), (1280, 720), (900, 600)):
        window.resize(*size)
        QTest.qWait(1)
        view = panel.nuggets.view
        seen = view.visualRect(view.index_of(window.assess.nuggets.selected))
        assert view.viewport().rect().intersects(seen), "the selected one is in sight"
        assert view.verticalScrollBar().maximum() > 0 or panel.nuggets.folded
        foot = panel.not_relevant
        if panel.isVisible():
            assert panel.rect().contains(foot.geometry())
            assert panel.rect().contains(panel.nuggets.geometry())
        window.grab()
    assert window.book.room is Room.NUGGETS


def test_where_there_is_little_room_places_fold_first_and_then_the_okay_nuggets(window):
    made = make(window, "BURNS", *(f"fact {at}" for at in range(9)))
    window.session.mark(*span(window, "One lamp burns."))
    for one in made:
        file_words(window.session.project, "7", one.key, "1", Spans([span(window, "One lamp burns.")]))
    window.assess.nuggets.select(made[0].key)
    panel = window.assess.panel.nuggets
    folded = []
    for height in (900, 700, 560):
        window.resize(1440, height)
        QTest.qWait(1)
        folded.append((not panel.places_view.isVisible(), panel.folded))
    assert folded[0] == (False, False)
    assert folded[-1][1]
    assert [str(row) for row in panel.view.rows.rows if isinstance(row, FoldedRow)] == ["9 okay"]
    at = panel.view.visualRect(panel.view.rows.index(1)).center()
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert not panel.folded


def test_the_topic_is_read_next_to_its_nuggets_and_folded_again(window, qtbot):
    make(window, "BURNS", "glow")
    panel = window.assess.panel
    (turn,) = (one for one in panel.findChildren(QPushButton) if one.accessibleName() == "Read the topic")
    assert turn.isVisible()
    assert not panel.text.isVisible()
    QTest.mouseClick(turn, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(panel.text.isVisible)
    assert panel.rect().contains(panel.nuggets.geometry())
    QTest.mouseClick(turn, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not panel.text.isVisible())
    QTest.mouseClick(turn, Qt.MouseButton.LeftButton)
    project = window.session.project
    for one in list(window.assess.nuggets.nuggets):
        delete_nugget(project, "7", one.key)
    window.assess.nuggets.refresh()
    qtbot.waitUntil(lambda: not turn.isVisible())
    assert panel.text.isVisible(), "without nuggets the topic is there as ever"


# -- files -----------------------------------------------------------------------------------------------


def test_a_file_comes_in_by_the_menu_and_goes_out_again(window, qtbot, tmp_path):
    text = window.session.document.text
    start, end = span(window, "Two lamps glow")
    offsets = {"start_offset": start, "end_offset": end, "encoding": "utf-8"}
    reference = {"doc_id": "1", "text": text[start:end], "offsets": offsets}
    value = {
        "query_id": "7",
        "nugget_bank": [
            {"question": "Why?", "answers": [{"answer": "<b>glow</b>", "references": [reference, "2"]}]}
        ],
    }
    file = tmp_path / "bank.jsonl"
    file.write_text(json.dumps(value), encoding="utf-8")
    with file_named(window, file):
        window.book["open-nuggets"].trigger()
    qtbot.waitUntil(lambda: bool(window.assess.nuggets.nuggets))
    assert "1 nugget with 2 places imported" in text_of(window)
    assert places(window) == {1: ["Two lamps glow"]}  # also where nothing is marked
    assert window.book["undo"].text() == "Undo bring in 1 nugget"
    out = tmp_path / "out.jsonl"
    window.assess.nuggets.files.export(out)
    qtbot.waitUntil(lambda: out.exists() and "written to out.jsonl" in text_of(window))
    answers = json.loads(out.read_text(encoding="utf-8"))["nugget_bank"]["Why?"]["answers"]
    assert answers["<b>glow</b>"]["references"][0]["offsets"] == offsets
    press(window, Key.Key_Z, modifiers=CTRL)
    assert not window.assess.nuggets.nuggets


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ('{"qid": "7", "nuggets": 3}', "is not a list of nuggets"),
        ('{"qid": "99", "nuggets": [{"text": "a"}]}', "not in the project: topics 99"),
        ('{"qid": "7", "nuggets": [{"text": "' + "x" * 5000 + '"}]}', "has more than 4,000 characters"),
        ("[" * 100_000, "nested"),
    ],
)
def test_a_file_that_is_wrong_is_a_sentence(window, qtbot, tmp_path, value, said):
    file = tmp_path / "bank.jsonl"
    file.write_text(value, encoding="utf-8")
    window.assess.nuggets.files.bring_in(file)
    qtbot.waitUntil(lambda: said in text_of(window))
    assert not window.assess.nuggets.nuggets


def test_a_key_that_was_pressed_for_another_document_files_nothing(window, qtbot):
    make(window, "BURNS")
    drag(window.article, *span(window, "One lamp burns."))
    window.session.open_document("2")
    ready(qtbot, window, "2")
    press(window, Key.Key_1)
    assert "No mark is selected" in text_of(window)
    assert places(window) == {}


def test_another_window_sees_the_changes(qapp, qtbot, path, window):
    make(window, "BURNS")
    with Project.open(path, read_only=True) as project:
        assert [one.text for one in project.nuggets.of("7").nuggets] == ["burns"]
        make(window, "glows")
        project.follow()
        assert len(project.nuggets.of("7").nuggets) == 2
    assert place(window.article, 0)


def test_the_nuggets_of_a_document_equal_the_output_of_eval(window, qtbot, tmp_path, capsys):
    made = make(window, "BURNS", "GLOWS", "third", "FOURTH")
    project = window.session.project
    for document, nuggets in (("1", made[:3]), ("2", made[1:2]), ("3", made[:0])):
        project.mark("7", document, 0, 20)
        project.set_bep("7", document, 0)
        project.finish("7", document)
        for at, nugget in enumerate(nuggets):
            file_words(project, "7", nugget.key, document, Spans([(4 * at, 4 * at + 4)]))
    window.session.reload()
    shown = {}
    for document in ("3", "2", "1"):
        window.session.open_document(document)
        ready(qtbot, window, document)
        window.assess.nuggets.refresh()
        panel = window.assess.nuggets.panel
        shown[document] = panel._found.full_text, panel._here.full_text
    bank = tmp_path / "nuggets.jsonl"
    assert main(["export", str(project.path), "--nuggets", "-o", str(bank)]) == 0
    places = sum(line.count('"start') or line.count('"span') for line in bank.read_text().splitlines())
    for document, (found, here) in shown.items():
        run = tmp_path / f"{document}.run"
        run.write_text(f"7 Q0 {document} 1 1.0 one\n")
        wanted = ["-m", "nugget_rec@1", "-m", "nugget_vital@1", "--format", "json"]
        capsys.readouterr()
        given = ["eval", str(bank), str(run), "--task", "documents", "--preset", "nuggets", *wanted]
        main(given)  # 1 for what states no nugget, since that is not judged
        mean = json.loads(capsys.readouterr().out)["runs"][0]["mean"]
        had, of, vital, of_vital = map(int, re.findall(r"\d+", found))
        assert mean == pytest.approx({"nugget_rec@1": had / of, "nugget_vital@1": vital / of_vital})
        assert here.endswith(f"of {places}")
    assert len(set(shown.values())) == 3
