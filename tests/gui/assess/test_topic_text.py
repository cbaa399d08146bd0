"""A topic is read as it is written, in every script."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument

from inexview.core.judgements.topics import Topic
from inexview.gui.assess.topic_panel import TopicText
from inexview.gui.look.widgets import breakable


@pytest.mark.parametrize(
    ("narrative", "paragraphs"),
    [
        ("ما يتعلق بزيت الزيتون.", ["What is relevant.", "ما يتعلق بزيت الزيتون."]),
        ("All about oil.", ["What is relevant. All about oil."]),
        ("", []),
    ],
)
def test_a_narrative_from_right_to_left_has_its_own_paragraph(qtbot, narrative, paragraphs):
    shown = TopicText()
    qtbot.addWidget(shown)
    shown.set_topic(Topic("1", "Oil", narrative=narrative, description=""))
    told = QTextDocument()
    told.setHtml(shown.text())
    assert told.toPlainText().split("\n") == (paragraphs or [""])
    last = told.lastBlock().textDirection()
    assert (last is Qt.LayoutDirection.RightToLeft) is (len(paragraphs) == 2)


def test_long_words_may_break_and_scripts_without_spaces_are_left_alone():
    assert breakable("a" * 30) == f"{'a' * 12}\u200b{'a' * 18}"
    for text in ("他说：「它很亮，在灯里燃烧」" * 3, "น้ำมันมะกอกเป็นน้ำมัน" * 3, "किंकर्तव्यविमूढ़" * 3, "oil " * 20):
        assert breakable(text) == text


def test_a_topic_is_never_shown_as_nothing(qtbot):
    text = TopicText()
    qtbot.addWidget(text)
    text.set_topic(Topic("7", others=(("query", "harbour silting"), ("when", "2011"))))
    assert shown(text) == "query: harbour silting\nwhen: 2011"
    text.set_topic(Topic("7"))
    assert shown(text) == "This topic has no text."
    text.set_topic(Topic("7", title="harbour silting"))
    assert shown(text) == ""


def shown(text):
    document = QTextDocument()
    document.setHtml(text.text())
    return document.toPlainText()
