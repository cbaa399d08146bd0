"""What a screen reader is told: what was done, and where one is."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

from inexview.core.project.document_state import DocumentState
from inexview.core.text.spans import Spans
from inexview.gui.services import messages as module
from inexview.gui.services.messages import Messages, announce, state_in_words


@pytest.fixture
def heard(monkeypatch):
    texts = []

    class Listening:
        """A screen reader that is always there."""

        @staticmethod
        def isActive():
            return True

        @staticmethod
        def updateAccessibility(event):
            assert event.type() is QAccessible.Event.Announcement
            texts.append(event.message())

    monkeypatch.setattr(module, "QAccessible", Listening)
    return texts


def test_a_state_is_announced_in_words():
    marks = Spans([(10, 60), (80, 150)])
    assert state_in_words(DocumentState()) == "nothing marked"
    assert state_in_words(DocumentState.of(marks, None)) == "2 passages, 120 characters; no best entry point"
    finished = DocumentState.of(Spans([(10, 60)]), 10, finished=True)
    assert state_in_words(finished) == "1 passage, 50 characters; best entry point at 10; finished"


def test_messages_are_announced(qtbot, heard):
    parent = QWidget()
    qtbot.addWidget(parent)
    Messages(parent).warn("Two documents are not there.")
    assert heard == ["Two documents are not there."]


def test_without_a_screen_reader_nothing_is_sent(qtbot, heard, monkeypatch):
    monkeypatch.setattr(module.QAccessible, "isActive", lambda: False)
    widget = QWidget()
    qtbot.addWidget(widget)
    announce(widget, "hello")
    assert heard == []
