"""Names that hold marks of direction: they turn no sentence of the window around."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel

from inexview.core.answers.answers import Answer, Reference, Sentence
from inexview.core.judgements.qrels import Pool, PooledDocument
from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project
from inexview.core.project.reviews import add_answers
from inexview.core.wording import unturned
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import drop, see_runs, shown_window

TURNS = "\u202e", "\u202b", "\u2067", "\u2068"
IN_SHOWN = re.compile("[\u202a-\u202e\u2066-\u2069]")


def shown_texts():
    """Return the words of labels, buttons, lists of choices and tooltips of all windows."""
    found = []
    for widget in QApplication.allWidgets():
        found.append(widget.toolTip())
        if isinstance(widget, QLabel | QAbstractButton):
            found.append(widget.text())
        elif isinstance(widget, QComboBox):
            found += [widget.itemText(at) for at in range(widget.count())]
    return found


@pytest.mark.parametrize("turn", TURNS)
def test_names_leave_the_sentences_around_them_as_they_are(qapp, qtbot, tmp_path, turn):
    topic, document, run = f"q{turn}1", f"d{turn}oc", f"ru{turn}n"
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / f"{document}.txt").write_text("Oil is old. Keep it dark.", encoding="utf-8")
    path = tmp_path / "p.inexview"
    pool = Pool({topic: (PooledDocument(document),)})
    with Project.create(
        path, collection=tmp_path / "texts", topics=[Topic(topic, f"oil {turn} and more")], pool=pool
    ) as project:
        references = (Reference(document, document, 0, 11), Reference(f"lost{turn}", f"lost{turn}"))
        add_answers(project, [Answer(topic, run, references, (Sentence("A.", (0, 1)),))])
        project.mark(topic, document, 0, 11)
        project.set_bep(topic, document, 0)
        project.finish(topic, document)
    ranking = tmp_path / f"ranking{turn}.run"
    lines = f"{topic} Q0 {document} 1 2.0 {run}", f"{topic} Q0 lost{turn} 2 1.0 {run}"
    ranking.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        drop(window, ranking)
        qtbot.waitUntil(lambda: bool(window.session.runs) and window.messages.current is not None)
        see_runs(window)
        QTest.qWait(50)
        shown = shown_texts()
        window.set_mode(Mode.ANSWER)
        window.book["answer-names"].trigger()
        QTest.keyClick(window, Qt.Key.Key_Right)
        shown += shown_texts()
        assert any(unturned(run) in text for text in shown)
        assert any(unturned(topic) in text for text in shown)
        assert [text for text in shown if IN_SHOWN.search(text)] == []
