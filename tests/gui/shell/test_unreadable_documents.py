"""What the window says of documents that cannot be read, and of a topic without any."""

import pytest
from PySide6.QtCore import Qt

from inexview.core.project.project import Project
from tests.gui.driving import (
    LEFT,
    key,
    text_area,
)
from tests.gui.shell.lenses import go_to, notice_of


@pytest.fixture
def broken(project_path, open_window, qtbot):
    (project_path.parent / "articles" / "12.xml").write_text("<article>\n<name>Lamp</article>")
    window = open_window(project_path)
    go_to(qtbot, window, "11")
    return window


def test_a_document_that_is_no_xml_says_so_in_its_place_and_one_goes_on_from_it(broken, qtbot):
    window = broken
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.failed is not None)
    assert "12.xml:2" in notice_of(window).text()
    assert window.article.document is None
    panel = window.assess.panel
    assert panel.facts.value("Marked") == "–"
    assert not panel._none.isVisible()
    assert not panel._rules.isVisible(), "nothing can be marked"
    assert not any("…" in chip.accessibleName() for chip in panel.words.chips()), "no one will count them"
    drag_nowhere = text_area(window.article).viewport()
    qtbot.mouseClick(drag_nowhere, LEFT)
    key(window.article, Qt.Key.Key_H)
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "13")
    assert not window.session.project.state("7", "12").finished
    key(window.article, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: window.session.failed is not None)
    key(window.article, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "11")


def test_when_only_the_unreadable_document_is_left_that_is_said(broken, qtbot):
    window = broken
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.failed is not None)
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document is not None)
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.failed is not None)
    key(window.article, Qt.Key.Key_F)
    assert "cannot be read" in window.messages.current.text
    article = window.session.project.collection.path / "12.xml"
    article.write_text("<article><name>Lamp</name></article>")  # it is back: the same row once more
    qtbot.keyClick(window.assess.pool.view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document_id == "12" and window.session.document is not None)


def test_a_topic_without_a_pool_says_so(qtbot, open_window, project_path, tmp_path):
    pool = tmp_path / "pool-of-one-topic.txt"
    pool.write_text("7 11\n")
    path = tmp_path / "half.inexview"
    topics = tmp_path / "topics.xml"
    Project.create(path, collection=tmp_path / "articles", topics=topics, pool=pool).close()
    window = open_window(path)
    key(
        window.article, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    )
    assert window.session.topic.id == "8"
    assert "no documents" in notice_of(window).text()
    assert not window.assess.panel.finish.isEnabled()
    assert not window.assess.panel.not_relevant.isEnabled()
    assert window.assess.panel.facts.value("Marked") == "–"
    key(window.article, Qt.Key.Key_N)
    key(window.article, Qt.Key.Key_J)
    assert window.session.document is None
