"""A collection that is not indexed yet: the window is usable meanwhile, and says how to go on without."""

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Cancelled
from inexview.core.project.project import Project
from inexview.gui.services.messages import MessageKind
from inexview.gui.services.settings import Appearance, Settings
from inexview.gui.shell.main_window import MainWindow
from tests.gui.driving import text_area
from tests.opened import opened

ARTICLE = "<article><name>Article {0}</name><body><p>The text of {0}. It is short.</p></body></article>"


class Gate:
    """Holds the indexing up until it is let through; news come as of a long list."""

    def __init__(self, monkeypatch):
        self.open = threading.Event()
        self.begun = 0
        self.problem = None
        prepare = Collection.prepare

        def held(collection, progress):
            self.begun += 1
            told = 0
            while not self.open.wait(0.01):
                told += 1_000
                progress("articles listed", told, None)
            if self.problem is not None:
                raise self.problem
            prepare(collection, progress)

        monkeypatch.setattr(Collection, "prepare", held)
        monkeypatch.setattr(Collection, "at_hand", lambda collection, id: collection.ready)


@pytest.fixture
def gate(monkeypatch):
    return Gate(monkeypatch)


@pytest.fixture
def articles(tmp_path):
    folder = tmp_path / "wiki" / "part"
    folder.mkdir(parents=True)
    for number in range(1, 31):
        (folder / f"{number}.xml").write_text(ARTICLE.format(number), encoding="utf-8")
    return folder.parent


@pytest.fixture
def open_window(qtbot, qapp, tmp_path, articles):
    windows = []

    def opened(pool: bool, pooled: Sequence[int] = (1, 2)) -> MainWindow:
        topics = [Topic("1", "all"), Topic("2", "some")]
        path = tmp_path / f"{len(windows)}.inexview"
        lines = tmp_path / "pool.txt"
        lines.write_text("".join(f"{topic} {document}\n" for topic in pooled for document in (7, 8, 99)))
        Project.create(path, collection=articles, topics=topics, pool=lines if pool else None).close()
        settings = Settings(tmp_path / "settings.ini")
        window = MainWindow(Project.open(path), settings, Appearance(qapp, settings))
        window.resize(1280, 800)
        window.show()
        windows.append(window)
        return window

    yield opened
    for window in windows:
        window.close()
        window.deleteLater()


def notice(window):
    return text_area(window.article).findChild(type(window.article._notice)).accessibleName()


def shown_line(qtbot, window):
    qtbot.waitUntil(lambda: any(line.isVisible() for line in window.activity.lines))
    return window.activity.lines[0]


def test_the_window_is_usable_while_the_collection_is_indexed(gate, open_window, qtbot):
    window = open_window(pool=True)
    line = shown_line(qtbot, window)
    assert line.task.what == "Indexing wiki"
    assert window.assess.pool.model.rowCount() == 3
    assert "Document 7 opens as soon as" in notice(window)
    window.session.step_topic(1)
    window.session.open_document("8")
    assert "Document 8 opens as soon as" in notice(window)
    gate.open.set()
    qtbot.waitUntil(lambda: window.session.document is not None)
    assert window.session.document.id == "8"
    assert window.session.topic.id == "2"
    qtbot.waitUntil(lambda: window.session.catalogue.about("7").title == "Article 7")
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert "99" in window.messages.current.text


def test_of_a_topic_that_the_pool_lacks_nothing_is_promised_while_the_collection_is_indexed(
    gate, open_window, qtbot
):
    window = open_window(pool=True, pooled=[1])
    shown_line(qtbot, window)
    window.session.step_topic(1)
    assert "no documents for topic 2" in notice(window)
    assert not window.assess.panel.finish.isEnabled()
    gate.open.set()
    qtbot.waitUntil(lambda: window.session.preparation.ready)
    assert "no documents for topic 2" in notice(window)


def test_without_a_pool_the_list_comes_with_the_index(gate, open_window, qtbot):
    window = open_window(pool=False)
    shown_line(qtbot, window)
    assert window.assess.pool.model.rowCount() == 0
    assert "Indexing wiki" in notice(window)
    gate.open.set()
    qtbot.waitUntil(lambda: window.session.document is not None)
    assert window.session.document.id == "1"
    assert window.assess.pool.model.rowCount() == 30
    assert window.assess.pool.model.current == "1"


def test_an_unknown_list_is_not_called_empty(gate, open_window, qtbot):
    window = open_window(pool=False)
    pool = window.assess.pool
    assert pool._caption.full_text == "Pool"
    assert pool._status.text() == "The documents appear once the collection is listed."
    gate.open.set()
    qtbot.waitUntil(lambda: pool._status.text() == "0 finished, 30 to go")
    assert pool._caption.full_text == "Pool · 30 documents"


@pytest.mark.parametrize("pool", [True, False])
def test_cancelled_indexing_is_reported_and_can_be_resumed(gate, open_window, qtbot, pool):
    window = open_window(pool=pool)
    line = shown_line(qtbot, window)
    assert not window.book["index-collection"].isEnabled()
    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert window.messages.current.kind is MessageKind.WARNING
    assert "wiki is not indexed" in window.messages.current.text
    assert "wiki" in notice(window)
    assert window.book["index-collection"].isEnabled()
    gate.open.set()
    qtbot.mouseClick(window.messages._button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.document is not None)
    assert window.session.document.id == ("7" if pool else "1")
    assert not window.book["index-collection"].isEnabled()
    assert gate.begun == 2


def test_a_failed_index_shows_the_reason(gate, open_window, qtbot):
    gate.problem = DataError("the archive is cut off", path=Path("wiki"))
    window = open_window(pool=True)
    gate.open.set()
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert "the archive is cut off" in window.messages.current.text
    assert "the archive is cut off" in notice(window)
    assert window.session.failed.document_id == "7"


def test_warnings_about_the_collection_are_shown_after_indexing(open_window, articles, qtbot):
    (articles / "other").mkdir()
    (articles / "other" / "7.xml").write_text(ARTICLE.format(7), encoding="utf-8")
    window = open_window(pool=True)
    told = []
    window.session.preparation.warned.connect(told.append)
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert window.messages.current.kind is MessageKind.WARNING
    assert "7.xml" in window.messages.current.text
    window.session.preparation.start()
    assert told == [window.session.project.collection.warnings]


def test_closing_the_window_stops_the_indexing(gate, open_window, qtbot):
    window = open_window(pool=True)
    shown_line(qtbot, window)
    window.close()
    assert not gate.open.is_set()
    assert gate.begun == 1


def test_a_cancelled_index_is_no_defect_of_the_collection(gate, articles):
    def stop(*_news):
        raise Cancelled

    collection = opened(articles)
    with pytest.raises(Cancelled):
        collection.prepare(stop)
    gate.open.set()
    collection.prepare(lambda *_news: None)
    assert collection.ready
    assert len(collection) == 30
