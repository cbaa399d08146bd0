"""Searching the collection in the window, with real keys; runs and pools made of that."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from inexview.core.collection.collection import Collection
from inexview.core.evaluation.evaluate import evaluate
from inexview.core.files import resource
from inexview.core.formats.readers import read_qrels, read_run
from inexview.core.formats.topic_files import read_pool, read_topics
from inexview.core.judgements.runs import Task
from inexview.core.judgements.topics import Topic
from inexview.core.project.sample import create_sample_project
from inexview.core.retrieval.engines import LocalEngine
from inexview.core.retrieval.models import RetrievalSettings
from inexview.core.retrieval.retrieve import TrainingSet, retrieve, run_of
from inexview.core.word_index.word_index import word_index
from inexview.gui import retrieve as retrieve_module
from inexview.gui.look.panels import RowRole
from inexview.gui.retrieve import SHOWN, FoundPassage, SearchDialog
from inexview.gui.shell.main_window import MainWindow
from tests.gui.driving import shown_window


@pytest.fixture
def window(qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    create_sample_project(tmp_path / "sample.inexview")
    with shown_window(qapp, tmp_path / "sample.inexview") as window:
        yield window


def opened(qtbot, window: MainWindow) -> SearchDialog:
    window.book["retrieve"].trigger()
    dialog = window.stage.retrieval.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    return dialog


def found(dialog: SearchDialog) -> list[FoundPassage]:
    model = dialog.list.passages
    return [model.index(row).data(RowRole) for row in range(model.rowCount())]


def search(qtbot, dialog: SearchDialog, text: str) -> None:
    dialog.query.selectAll()
    QTest.keyClicks(dialog.query, text)
    QTest.keyClick(dialog.query, Qt.Key.Key_Return)
    assert not dialog.search.isEnabled()
    qtbot.waitUntil(dialog.search.isEnabled)


@pytest.mark.parametrize("model", ["QL", "SVM"])
def test_a_search_shows_the_results_of_the_command_line(qtbot, window: MainWindow, model: str) -> None:
    dialog = opened(qtbot, window)
    assert dialog.query.text() == window.session.topic.title
    dialog.model.setCurrentText(model)
    search(qtbot, dialog, "olive oil")
    sample = resource("sample")
    training = TrainingSet(read_topics(sample / "topics.xml"), read_qrels(sample / "judgements.txt"))
    with closing(Collection.open(window.session.project.collection.path)) as collection:
        settings = RetrievalSettings(model, depth=SHOWN)
        engine = LocalEngine(word_index(collection))
        expected = retrieve([Topic("1", "olive oil")], engine, settings, training=training).rankings["1"]
        first = collection.load(expected.id[0])
    rows = found(dialog)
    assert [(row.document, row.start, row.end, row.score) for row in rows] == list(
        zip(
            expected.id, expected.start.tolist(), expected.end.tolist(), expected.scores.tolist(), strict=True
        )
    )
    assert dialog.status.text() == f"{len(rows)} results, the best first."
    assert rows[0].title == first.title
    text = "".join(first.text[rows[0].start : rows[0].end].split())
    assert text.startswith("".join(rows[0].text[:100].split()))


def test_a_passage_is_opened_where_it_begins(qtbot, window: MainWindow) -> None:
    dialog = opened(qtbot, window)
    search(qtbot, dialog, "lighthouse lens")
    QTest.keyClick(dialog.query, Qt.Key.Key_Down)
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    row = found(dialog)[1]
    qtbot.waitUntil(lambda: window.session.document_id == row.document)
    qtbot.waitUntil(lambda: row.start <= window.article.caret <= row.end or _seen(window, row.start))


def _seen(window: MainWindow, offset: int) -> bool:
    area = window.article.findChild(object, "article-text")
    return any(line.start <= offset < line.end for line in area.visible().lines)


def test_unknown_words_are_reported(qtbot, window: MainWindow) -> None:
    dialog = opened(qtbot, window)
    search(qtbot, dialog, "zeppelin")
    assert dialog.status.text() == "Nothing found: every word is a stop word, or in no document."
    assert found(dialog) == []


def test_nothing_is_searched_for_without_words(qtbot, window: MainWindow) -> None:
    dialog = opened(qtbot, window)
    dialog.query.clear()
    QTest.keyClick(dialog.query, Qt.Key.Key_Return)
    assert dialog.search.isEnabled()
    assert dialog.isVisible()


def test_esc_closes_the_dialog_also_during_a_search_and_it_opens_again(qtbot, window: MainWindow) -> None:
    dialog = opened(qtbot, window)
    QTest.keyClick(dialog.query, Qt.Key.Key_Return)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.stage.retrieval.dialog is None
    search(qtbot, opened(qtbot, window), "oil")
    assert found(window.stage.retrieval.dialog)


def test_a_search_of_a_dialog_that_was_closed_changes_nothing_in_the_next(
    qtbot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Event()

    def slow(topics: Sequence[Topic], *arguments, **named):
        if topics[0].title == "olive oil":
            held.wait(30)
        return retrieve(topics, *arguments, **named)

    monkeypatch.setattr(retrieve_module, "retrieve", slow)
    dialog = opened(qtbot, window)
    dialog.query.setText("olive oil")
    QTest.keyClick(dialog.query, Qt.Key.Key_Return)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    dialog = opened(qtbot, window)
    search(qtbot, dialog, "lighthouse lens")
    rows, told = found(dialog), dialog.status.text()
    with qtbot.waitSignal(window.tasks.ended):
        held.set()
    assert (found(dialog), dialog.status.text()) == (rows, told)


def test_a_collection_that_changed_is_indexed_again(qtbot, window: MainWindow) -> None:
    dialog = opened(qtbot, window)
    dialog.model.setCurrentText("QL")
    search(qtbot, dialog, "zeppelin")
    assert found(dialog) == []
    path = window.session.project.collection.path
    histories = window.session.project.histories
    judged = {name for topic in window.session.project.topics for name in histories.touched(topic.id)}
    ids = {str(one.relative_to(path).with_suffix("")): one for one in sorted(path.rglob("*.xml"))}
    article = next(one for id, one in ids.items() if id not in judged)  # no mark of it is compared
    article.write_text("<article><title>Airships</title><p>A zeppelin flies.</p></article>")
    search(qtbot, dialog, "zeppelin")
    (row,) = found(dialog)
    assert row.document == str(article.relative_to(path).with_suffix(""))
    assert row.text == "Airships A zeppelin flies"
    said = "The collection has changed since its words were indexed; they are indexed again."
    assert window.messages.current.text == said
    later = path / "later.xml"
    later.write_text("<article><title>Later</title><p>A zeppelin lands, a zeppelin flies.</p></article>")
    search(qtbot, dialog, "zeppelin")
    assert [one.document for one in found(dialog)] == [row.document]
    told = "1 result, the best first. 1 more in new documents: open the project again to see them."
    assert dialog.status.text() == told
    path.rename(path.with_name("away"))
    search(qtbot, dialog, "zeppelin")
    assert "there is no such folder or archive" in dialog.status.text()
    assert found(dialog) == []
    path.with_name("away").rename(path)


def test_a_run_of_all_topics_is_written_and_shown_over_the_text(
    qtbot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    dialog = opened(qtbot, window)
    dialog.model.setCurrentText("BM25")
    QTest.mouseClick(dialog.make_run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: any(run.path == path for run in window.session.runs))
    with closing(Collection.open(window.session.project.collection.path)) as collection:
        settings = RetrievalSettings("BM25")
        made = retrieve(window.session.project.topics, LocalEngine(word_index(collection)), settings)
    assert read_run(path).results("2026001") == run_of(made, settings, "mine").results("2026001")
    assert "mine.txt is open" in dialog.status.text()
    assert json.loads(path.with_name("mine.txt.json").read_text())["model"] == "BM25"


def test_a_run_for_a_task_is_one_that_the_task_takes(
    qtbot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "grouped.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    dialog = opened(qtbot, window)
    dialog.model.setCurrentText("QL")
    dialog.task.setCurrentText("Relevant in context: grouped")
    QTest.mouseClick(dialog.make_run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: any(run.path == path for run in window.session.runs))
    (made,) = [run for run in window.session.runs if run.path == path]
    assert made.task is Task.RELEVANT_IN_CONTEXT
    judged = read_qrels(resource("sample") / "judgements.txt")
    assert evaluate(judged, read_run(path), task="relevant-in-context")[0].topics


def test_a_pool_of_all_topics_records_how_documents_were_found(
    qtbot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.xml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    dialog = opened(qtbot, window)
    dialog.model.setCurrentText("RMD")
    assert not dialog.unit.isEnabled()  # it retrieves whole articles
    QTest.mouseClick(dialog.make_pool, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(path.exists)
    qtbot.waitUntil(dialog.search.isEnabled)
    pooled = read_pool(path).topics
    assert set(pooled) == {topic.id for topic in window.session.project.topics}
    assert pooled["2026001"][0].found_by == (("RMD-article", 1),)


def test_a_failed_write_of_a_run_is_reported(
    qtbot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "absent" / "mine.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    dialog = opened(qtbot, window)
    QTest.mouseClick(dialog.make_run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.search.isEnabled)
    assert "its folder does not exist" in dialog.status.text().lower()
    assert window.session.runs == ()


@pytest.mark.parametrize("button", ["make_run", "make_pool"])
def test_no_run_or_pool_is_written_over_the_project(
    qtbot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, button: str
) -> None:
    path = window.session.project.path
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    monkeypatch.setattr(retrieve_module, "retrieve", lambda *_, **_how: pytest.fail("the work was begun"))
    dialog = opened(qtbot, window)
    QTest.mouseClick(getattr(dialog, button), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.search.isEnabled)
    assert f"{path}: is also an input file" in dialog.status.text()
    assert path.read_bytes().startswith(b"SQLite")
