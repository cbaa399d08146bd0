"""Messages: sentences in a bar that blocks nothing; no traceback reaches a user."""

import logging

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inexview.core.errors import DataError
from inexview.gui.messages import Kind, Message, Messages, sentence


@pytest.fixture
def messages(qtbot):
    parent = QWidget()
    parent.resize(800, 400)
    qtbot.addWidget(parent)
    parent.show()
    made = Messages(parent)
    made.kept = parent  # PySide lets go of a parent that nothing else holds
    return made


def test_a_message_is_shown_inside_its_window_and_can_be_closed(messages, qtbot):
    messages.warn("Two documents of the pool are not in the collection. " * 4)
    assert messages.isVisible()
    assert messages.parentWidget().rect().contains(messages.geometry())
    messages.clear()
    assert not messages.isVisible()


def test_its_button_does_what_it_says_and_takes_the_message_away(messages, qtbot):
    done = []
    messages.say(Message(Kind.ERROR, "In use.", "Open to read", lambda: done.append(True)))
    qtbot.mouseClick(messages._button, Qt.MouseButton.LeftButton)
    assert done == [True]
    assert not messages.isVisible()


def test_markup_in_data_is_shown_as_it_is(messages):
    messages.warn("<b>bold</b>")
    assert messages._text.text() == "<b>bold</b>"
    assert messages._text.textFormat() is Qt.TextFormat.PlainText


def test_it_moves_with_the_window(messages, qtbot):
    messages.info("Saved.")
    messages.parentWidget().resize(500, 300)
    qtbot.waitUntil(lambda: messages.parentWidget().rect().contains(messages.geometry()))


def test_errors_become_sentences_and_defects_are_logged(caplog):
    assert sentence(DataError("no such element", path="q.txt", line=3)) == "q.txt:3: no such element"
    assert sentence(PermissionError(13, "Permission denied", "/x/q.txt")) == "/x/q.txt: Permission denied."
    with caplog.at_level(logging.ERROR):
        told = sentence(KeyError("rank"))
    assert "KeyError" in told
    assert "Traceback" not in told
    assert caplog.records[0].exc_info
