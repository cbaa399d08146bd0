"""What the window says of documents that cannot be read, and of a topic without any."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from inexview.core.judgements.topics import Topic
from inexview.core.project.document_list import Shown
from inexview.core.project.project import Project
from tests.gui.driving import (
    LEFT,
    drag,
    key,
    shown_window,
    text_area,
    told,
)
from tests.gui.shell.lenses import go_to, notice_of
from tests.projects import article, project_of


@pytest.fixture
def broken(project_path, open_window, qtbot):
    (project_path.parent / "articles" / "12.xml").write_text("<article>\n<name>Lamp</article>")
    window = open_window(project_path)
    go_to(qtbot, window, "11")
    return window


def test_an_invalid_document_shows_its_error_and_can_be_skipped(broken, qtbot):
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


def buttons(window):
    return {one.text(): one for one in window.messages._buttons if not one.isHidden()}


def pool_says(window):
    return window.assess.pool._status.text()


def chip_says(window):
    return window.assess.pool._chips.buttons()[list(Shown).index(Shown.TO_DO)].text()


def test_a_remaining_unreadable_document_is_reported(broken, qtbot):
    window = broken
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.failed is not None)
    assert pool_says(window) == "1 finished, 1 to go, 1 cannot be read"
    assert chip_says(window) == "To do 1"
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document is not None)
    key(window.article, Qt.Key.Key_N)
    told(qtbot, window.messages, "that can be read are finished; 1 document cannot be read.")
    assert window.session.document_id == "13", "one is not led back to what cannot be judged"
    file = window.session.project.collection.path / "12.xml"
    file.write_text("<article><name>Lamp</name></article>")  # it is back
    view, model = window.assess.pool.view, window.assess.pool.model
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(model.index(model.row_of("12"))).center())
    qtbot.waitUntil(lambda: window.session.document_id == "12" and window.session.document is not None)
    assert pool_says(window) == "2 finished, 1 to go"


@pytest.mark.parametrize("finishes", [Qt.Key.Key_F, Qt.Key.Key_N])
def test_a_topic_ends_though_two_of_its_documents_cannot_be_judged(
    finishes, project_path, open_window, qtbot
):
    (project_path.parent / "articles" / "12.xml").write_text("<article>\n<name>Lamp</article>")
    (project_path.parent / "articles" / "13.xml").unlink()
    window = open_window(project_path)
    go_to(qtbot, window, "11")
    if finishes == Qt.Key.Key_F:
        drag(window.article, 0, 4)
        key(window.article, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    key(window.article, finishes)
    for _ in range(4):  # wherever one is, to finish never goes from one of them to the other for ever
        qtbot.waitUntil(lambda: window.session.opening.wanted is None)
        key(window.article, finishes)
    message = told(qtbot, window.messages, "that can be read are finished; 2 documents cannot be read.")
    assert pool_says(window) == "1 finished, 0 to go, 2 cannot be read"
    assert chip_says(window) == "To do 0"
    assert " left" not in window.assess.pool._pace.full_text
    assert [offer.button for offer in message.offers] == ["Export qrels…", "Next topic"]
    here = window.session.document_id
    key(window.article, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert window.session.document_id == here
    qtbot.mouseClick(buttons(window)["Next topic"], LEFT)
    qtbot.waitUntil(lambda: window.session.topic.id == "8")


def test_the_last_topic_offers_to_export_only_and_that_opens_the_dialog(window, qtbot):
    window.session.open_topic("8")
    for document in ("11", "12", "13"):
        go_to(qtbot, window, document)
        key(window.article, Qt.Key.Key_N)
    told(qtbot, window.messages, "All documents of this topic are finished.")
    assert list(buttons(window)) == ["Export qrels…"]
    qtbot.mouseClick(buttons(window)["Export qrels…"], LEFT)
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    dialog.reject()


def test_an_empty_article_is_reported_even_after_a_long_one(qapp, qtbot, tmp_path):
    articles = {"1": article("Long", *["It burns. " * 60] * 90), "2": "<article/>", "3": "<article"}
    path = project_of(tmp_path, articles, Topic("7", "lamps"))
    with shown_window(qapp, path, (1300, 800)) as window:
        area = text_area(window.article)
        for document, heading in (("2", "No text"), ("3", "3 cannot be shown")):
            go_to(qtbot, window, "1")
            key(window.article, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
            qtbot.waitUntil(lambda: area.verticalScrollBar().value() > area.viewport().height())
            window.session.open_document(document)
            qtbot.waitUntil(notice_of(window).isVisible)
            qtbot.waitUntil(lambda: area.verticalScrollBar().value() == 0)
            notice = notice_of(window)
            assert notice.accessibleName().startswith(heading)
            assert area.rect().contains(notice.geometry())
            assert not notice.visibleRegion().isEmpty()


def test_a_topic_without_a_pool_is_reported(qtbot, open_window, project_path, tmp_path):
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
