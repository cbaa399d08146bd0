"""The document that is likely to be wanted next is read while one reads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog

from inexview.core.article.document import Document
from inexview.core.collection.collection import Collection
from inexview.core.collection.listing import FolderSource
from inexview.core.errors import DataError
from inexview.core.project.document_list import Order
from inexview.core.project.sample import create_sample_project
from inexview.gui.assess.pool_model import RowRole
from inexview.gui.services.tasks import reads_on
from inexview.gui.shell.main_window import MainWindow
from tests.gui.driving import drag, shown_window, told
from tests.gui.shell.lenses import notice_of
from tests.projects import article


class Reading:
    """Counts what is read, and holds up some documents, or fails to read them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read: list[str] = []
        self.held: set[str] = set()
        self.broken: set[str] = set()
        self.through = threading.Event()
        load = Collection.load

        def counted(collection: Collection, id: str) -> Document:
            self.read.append(id)
            if id in self.held:
                assert self.through.wait(20)
            if id in self.broken:
                raise DataError(f"{id} cannot be read")
            return load(collection, id)

        monkeypatch.setattr(Collection, "load", counted)


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> Reading:
    return Reading(monkeypatch)


@pytest.fixture
def window(qapp: QApplication, qtbot, tmp_path: Path, reading: Reading) -> Iterator[MainWindow]:
    with shown_window(qapp, create_sample_project(tmp_path / "sample.inexview")) as shown:
        qtbot.waitUntil(lambda: shown.session.document is not None and shown.session.reading.ready)
        yield shown


def next_in_the_list(window: MainWindow) -> str:
    found = window.assess.pool.model.neighbour(1)
    assert found is not None
    return found


def next_key(window: MainWindow) -> None:
    QTest.keyClick(window.article, Qt.Key.Key_J)


def test_the_next_of_a_sorted_list_is_read_ahead_once(window: MainWindow, reading: Reading, qtbot) -> None:
    model = window.assess.pool.model
    model.set_order(Order.TITLE)
    first = model.index(0).data(RowRole).document_id
    window.session.open_document(first)
    qtbot.waitUntil(lambda: window.session.document_id == first)
    for _ in range(3):
        following = next_in_the_list(window)
        qtbot.waitUntil(lambda following=following: following in reading.read)
        next_key(window)
        qtbot.waitUntil(lambda following=following: window.session.document_id == following)
    assert len(reading.read) == len(set(reading.read))


def test_a_document_being_read_ahead_opens_when_read(window, reading, qtbot) -> None:
    first = next_in_the_list(window)
    reading.held = set(window.session.pool) - {first}
    next_key(window)
    qtbot.waitUntil(lambda: window.session.document_id == first)
    held = next_in_the_list(window)
    qtbot.waitUntil(lambda: held in reading.read)
    next_key(window)
    assert window.session.opening.wanted == held
    reading.through.set()
    qtbot.waitUntil(lambda: window.session.document_id == held)
    assert reading.read.count(held) == 1


def test_the_error_of_a_document_read_ahead_is_shown(window, reading, qtbot) -> None:
    first = next_in_the_list(window)
    reading.broken = set(window.session.pool) - {first}
    next_key(window)
    qtbot.waitUntil(lambda: window.session.document_id == first)
    broken = next_in_the_list(window)
    next_key(window)
    qtbot.waitUntil(lambda: window.session.failed is not None)
    assert f"{broken} cannot be read" in window.session.failed.text


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Return an event; while it is cleared the place of the articles does not answer."""
    answers, mark = threading.Event(), FolderSource.mark
    answers.set()
    monkeypatch.setattr(FolderSource, "mark", lambda *of: answers.wait(60) and mark(*of))
    monkeypatch.setattr("inexview.gui.services.opening.SILENCE", 50)
    yield answers
    answers.set()


def test_a_place_that_does_not_answer_leaves_the_window_usable(
    answer, window, qtbot, tmp_path, monkeypatch
) -> None:
    session, article = window.session, window.article
    first = session.document_id
    next_key(window)
    qtbot.waitUntil(lambda: session.document is not None and session.document.id != first)
    second = session.document_id
    qtbot.waitUntil(lambda: session.opening.mark_of(next_in_the_list(window)) is not None)
    answer.clear()
    QTest.keyClick(article, Qt.Key.Key_K)  # what is in memory is shown, and can be judged
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == first)
    session.clear()
    drag(article, 30, 50)
    assert session.state.relevant
    session.not_relevant()
    for _ in range(6):  # more documents than there are threads
        QTest.keyClick(article, Qt.Key.Key_J)
        qtbot.waitUntil(lambda: session.document is not None or session.failed is not None)
    qtbot.waitUntil(lambda: session.failed is not None)
    assert f"{session.preparation.collection.path} does not answer" in session.failed.text
    assert session.failed.document_id not in session.catalogue.unreadable
    waiting = session.failed.document_id
    assert f"{waiting} cannot be shown yet" in notice_of(window).text()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(tmp_path / "out.txt"), ""))
    QTest.keyClick(article, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    (box,) = window.exporter.dialog.findChildren(QDialogButtonBox)
    export = next(button for button in box.buttons() if button.text() == "Export…")
    qtbot.waitUntil(export.isEnabled)
    QTest.mouseClick(export, Qt.MouseButton.LeftButton)
    told(qtbot, window.messages, f"finished documents are in {tmp_path / 'out.txt'}")
    assert f" {first} " in (tmp_path / "out.txt").read_text()
    assert second != waiting
    answer.set()
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == waiting)


def test_a_window_whose_articles_do_not_answer_can_be_closed(answer, window, qtbot) -> None:
    answer.clear()
    for _ in range(3):
        next_key(window)
    qtbot.waitUntil(lambda: window.session.failed is not None)
    assert window.close()
    assert not window.isVisible()
    answer.set()
    qtbot.waitUntil(lambda: not reads_on())


def test_a_document_in_memory_whose_file_was_written_again_is_read_again(window, qtbot) -> None:
    session = window.session
    first, path = session.document_id, session.preparation.collection.file_of(session.document_id)
    next_key(window)
    qtbot.waitUntil(lambda: session.document is not None and session.document.id != first)
    path.write_text(article("Anew", "Another text."), encoding="utf-8")
    QTest.keyClick(window.article, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: session.document.id == first and "Another text." in session.document.text)
