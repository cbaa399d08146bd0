"""The document that is likely to be wanted next is read while one reads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.core.article.document import Document
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.project.document_list import Order
from inexview.core.project.exchange.import_judgements import create_sample_project
from inexview.gui.assess.pool_model import RowRole
from inexview.gui.shell.main_window import MainWindow
from tests.gui.driving import shown_window


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


def test_what_is_being_read_ahead_is_opened_when_it_is_there(window, reading, qtbot) -> None:
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


def test_why_a_document_that_was_read_ahead_cannot_be_opened_is_said(window, reading, qtbot) -> None:
    first = next_in_the_list(window)
    reading.broken = set(window.session.pool) - {first}
    next_key(window)
    qtbot.waitUntil(lambda: window.session.document_id == first)
    broken = next_in_the_list(window)
    next_key(window)
    qtbot.waitUntil(lambda: window.session.failed is not None)
    assert f"{broken} cannot be read" in window.session.failed.text
