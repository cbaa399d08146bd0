"""The five tasks of the guide's page of gestures, done with real keys: as many as that page says."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.core.judgements.topics import Topic
from inexview.gui.shell.main_window import MainWindow
from tests.gui.driving import LEFT, shown_window
from tests.projects import article, project_of

Key = Qt.Key
Held = Qt.KeyboardModifier
NONE, ALT, CTRL, SHIFT = Held.NoModifier, Held.AltModifier, Held.ControlModifier, Held.ShiftModifier
TEXT = "An oil lamp burns with a wick. The wick is trimmed at dusk. Oil is poured in the morning."


class Hands:
    """Presses keys in whatever has the keyboard, and counts them."""

    def __init__(self, window: MainWindow, qtbot) -> None:
        self._window = window
        self._qtbot = qtbot
        self.keys = 0

    def press(self, key: Key, modifiers: Held = NONE) -> None:
        """Press one key, with others held."""
        self.keys += 1
        QTest.keyClick(QApplication.focusWidget(), key, modifiers)

    def type(self, text: str) -> None:
        """Press a key for each letter."""
        for letter in text:
            self.press(Key(ord(letter.upper())))

    def until(self, done: Callable[[], object]) -> None:
        """Wait as a person would, for what is to be seen."""
        self._qtbot.waitUntil(done)

    def opened(self, document: str) -> None:
        """Wait until another document is there."""
        self.until(lambda: self._window.session.document_id == document)


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    articles = {at: article(f"Lamp {at}", *[TEXT] * 4) for at in ("11", "12", "13")}
    articles["14"] = article("Lamp 14", *[TEXT] * 4, "A kiln.")
    path = project_of(tmp_path, articles, Topic("7", "lamps"), pool=("11", "12", "13"))
    with shown_window(qapp, path) as shown:
        shown.resize(1440, 900)
        shown.activateWindow()
        qtbot.waitUntil(lambda: shown.session.document_id == "11" and shown.article.document is not None)
        shown.article.setFocus()
        yield shown


def said(checkout, task: str) -> int:
    """Return how many keys the guide says."""
    page = (checkout / "resources" / "guide" / "gestures.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| {task}"))
    found = re.search(r"\| (\d+) \| \d+ ms \|$", row)
    assert found is not None, row
    return int(found[1])


def test_the_five_tasks_take_as_many_keys_as_the_guide_says(window, qtbot, checkout):
    session, article = window.session, window.article
    told: dict[str, Hands] = {}

    hands = told["Not relevant"] = Hands(window, qtbot)
    hands.press(Key.Key_N)
    hands.opened("12")
    assert session.state_of("11").finished

    hands = told["Three passages and an entry point"] = Hands(window, qtbot)
    for _ in range(3):
        hands.press(Key.Key_Down, CTRL)
        hands.press(Key.Key_S)
    assert len(session.state.marks) == 3

    corrected = told["An end corrected by a sentence"] = Hands(window, qtbot)
    before = session.state.marks.size
    article.place_caret(int(session.state.marks.ends[0]))
    corrected.press(Key.Key_Period)
    assert session.state.marks.size > before

    hands.press(Key.Key_B, ALT)
    hands.press(Key.Key_F)
    hands.opened("13")
    assert session.state_of("12").finished
    assert session.state_of("12").bep is not None

    window.book["search-collection"].trigger()
    qtbot.waitUntil(lambda: window.stage.search.page.make_index.isVisible())
    qtbot.mouseClick(window.stage.search.page.make_index, LEFT)
    qtbot.waitUntil(lambda: window.stage.search.page.status.text().startswith("4 documents."))
    window.book["search-collection"].trigger()
    article.setFocus()
    hands = told["A document outside the pool"] = Hands(window, qtbot)
    hands.press(Key.Key_F, CTRL | SHIFT)
    hands.type("kiln")
    hands.until(lambda: window.stage.search.page.status.text() == "1 document")
    hands.press(Key.Key_Down)
    hands.press(Key.Key_Return)
    hands.opened("14")
    hands.press(Key.Key_N)
    assert session.state_of("14").finished
    assert session.project.contents.is_added("7", "14")

    hands = told["Back to a document of 20 minutes ago"] = Hands(window, qtbot)
    hands.press(Key.Key_K, CTRL)
    hands.press(Key.Key_1)
    hands.press(Key.Key_2)
    hands.press(Key.Key_Return)
    hands.opened("12")

    for task, one in told.items():
        assert one.keys == said(checkout, task), task
