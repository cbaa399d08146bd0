"""What a screen reader finds: all that takes the keyboard has a name and a role, in every room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from inexview.core.files import resource
from inexview.core.formats.passage_lines import read_fol_qrels, write_fol_qrels
from inexview.core.project.sample import create_sample_project
from inexview.core.text.spans import Spans
from inexview.gui.article.text_area import TextArea
from inexview.gui.commands.help import KeyCard
from inexview.gui.look.widgets import Caption
from inexview.gui.shell.main_window import MainWindow
from tests.gui.driving import NONE, shown_window, text_area

CTRL = Qt.KeyboardModifier.ControlModifier
TOO_MANY = 100  # cells of a table; the first ones speak for all
KEYBOARD = (QAccessible.Role.Button, QAccessible.Role.CheckBox, QAccessible.Role.EditableText)
NO_ROLES = (QAccessible.Role.NoRole, QAccessible.Role.Client)


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    with shown_window(qapp, create_sample_project(tmp_path / "sample.inexview")) as shown:
        qtbot.waitUntil(lambda: shown.session.document is not None)
        yield shown


def found(interface: QAccessibleInterface | None) -> Iterator[QAccessibleInterface]:
    """Yield what can be reached below an interface, and is seen."""
    if interface is None or not interface.isValid() or interface.state().invisible:
        return
    yield interface
    for at in range(min(interface.childCount(), TOO_MANY)):
        yield from found(interface.child(at))


def reachable(window: MainWindow) -> list[tuple[QAccessible.Role, str]]:
    """Return role and name of all that takes the keyboard."""
    return [
        (one.role(), one.text(QAccessible.Text.Name))
        for one in found(QAccessible.queryAccessibleInterface(window))
        if one.state().focusable or one.role() in KEYBOARD
    ]


def test_all_that_takes_the_keyboard_has_a_name_and_a_role(window, qtbot):
    rooms = ("assess", "quality-report", "search-collection", "inspect")
    for room in rooms:
        window.book[room].trigger()
        qtbot.wait(20)
        there = reachable(window)
        assert len(there) > 6, room
        nameless = [role for role, name in there if not name.strip()]
        assert not nameless, room
        without_role = [name for role, name in there if role in NO_ROLES]
        assert not without_role, room
        shouted = [
            one.text(QAccessible.Text.Name)
            for one in found(QAccessible.queryAccessibleInterface(window))
            if isinstance(one.object(), Caption) and one.text(QAccessible.Text.Name).split(" · ")[0].isupper()
        ]
        assert not shouted, room
    captions = window.findChildren(Caption)
    assert any(one.text().isupper() and one.accessibleName() == one.full_text for one in captions)


def test_the_list_of_documents_reads_the_state_of_each(window):
    cells = [name for role, name in reachable(window) if role is QAccessible.Role.Cell]
    assert len(cells) == len(window.session.pool)
    assert all(" · to do" in name for name in cells)


def test_tab_leads_round_and_shows_where_the_keyboard_is(window, qtbot):
    panel, pool = window.assess.panel, window.assess.pool
    window.session.mark(0, window.session.document.length)  # a whole article, which the report asks about
    pool.filter.setFocus()
    wait_until_all_is_seen(qtbot, window)
    text = text_area(window.article)
    words = panel.words.chips()
    seen = led_round(window)
    assert words
    there = [pool.view, text, *(chip for chip in words if chip.isVisible()), panel.passages, panel.finish]
    assert [widget for widget in seen if widget in there] == there, "as they are seen, from left to right"
    window.session.set_entry_point(0)
    window.session.finish()
    window.book["quality-report"].trigger()
    page = window.stage.quality.page
    qtbot.waitUntil(lambda: page.finding() is not None)
    page.view.setFocus()
    assert len(led_round(window)) > 5
    window.book["all-keys"].trigger()
    card = window.findChild(KeyCard)
    card.activateWindow()
    qtbot.waitUntil(card.isActiveWindow)
    assert len(led_round(card)) > 1
    card.close()


def test_tab_leads_round_adjudicate_from_left_to_right(window, qtbot, tmp_path):
    judged = list(read_fol_qrels(resource("sample") / "judgements.txt"))
    whole = {one.document: Spans([(0, one.length)]) for one in judged if one.passages}
    more = [replace(one, passages=whole.get(one.document, one.passages)) for one in judged]
    write_fol_qrels([replace(one, rsize=one.passages.size) for one in more], tmp_path / "ben.txt")
    window.session.open_topic(judged[0].topic)
    window.layers.open(tmp_path / "ben.txt")
    qtbot.waitUntil(lambda: window.adjudicate.active and window.adjudicate.right.why.isEnabled())
    controller = window.adjudicate
    window.top.search.setFocus()
    wait_until_all_is_seen(qtbot, window)
    seen = led_round(window)
    there = [
        window.top.search,
        controller.left.view,
        text_area(window.article),
        controller.right.why,
        controller.right.settle,
    ]
    assert [widget for widget in seen if widget in there] == there


def wait_until_all_is_seen(qtbot, window):
    """Wait until the text is there, and no long work is told of, which lies over a part of the status bar."""
    qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines))
    qtbot.waitUntil(lambda: not window.activity.lines)


def led_round(window: QWidget) -> list[QWidget]:
    """Press Tab, in an article Ctrl+Tab, until the keyboard is back; return what had it and showed that."""
    first = QApplication.focusWidget()
    seen: list[QWidget] = []
    QApplication.setCursorFlashTime(0)  # a caret is seen at any moment
    while (widget := QApplication.focusWidget()) is not None and (widget is not first or not seen):
        seen.append(widget)
        assert len(seen) < 60
        there = widget.rect().translated(widget.mapTo(window, widget.rect().topLeft()))
        before = window.grab(there).toImage()
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            held = CTRL if isinstance(widget, TextArea) else NONE
            QApplication.sendEvent(widget, QKeyEvent(kind, Qt.Key.Key_Tab, held))
        assert QApplication.focusWidget() is not widget, widget
        assert before != window.grab(there).toImage(), f"{widget} does not show that it has the keyboard"
    assert widget is first
    return seen
