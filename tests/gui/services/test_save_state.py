"""What the window says of saving is true: a full disk, a file that is gone, a window that only reads."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from inexview.core.project.project import Project
from inexview.core.project.recovery import copies_folder, copies_of
from inexview.gui.assess.topic_panel import GradeScaleDialog
from inexview.gui.commands import files
from inexview.gui.commands.dialogs import RestoreDialog
from inexview.gui.services import document_record
from inexview.gui.services.messages import MessageKind
from inexview.gui.services.settings import Appearance, Settings
from inexview.gui.shell.main_window import MainWindow
from tests.gui.driving import LEFT, key, shown_window
from tests.projects import TOPIC, make_project


@pytest.fixture
def project_path(tmp_path: Path) -> Path:
    return make_project(tmp_path / "study")


@pytest.fixture
def window(qapp, qtbot, project_path):
    with shown_window(qapp, project_path) as window:
        ready(qtbot, window)
        yield window


def ready(qtbot, window) -> None:
    qtbot.waitUntil(lambda: window.session.document is not None and window.article.isEnabled())


def said(window) -> str:
    return window.status._saved.text()


def choose(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


def state_in(path: Path, window):
    session = window.session
    with Project.open(path, read_only=True) as project:
        return project.state(session.topic.id, session.document.id)


def test_a_locked_file_is_reported_and_written_when_free(window, qtbot, project_path, monkeypatch) -> None:
    session = window.session
    assert session.mark(0, 10)
    monkeypatch.setattr(document_record, "LOOK_EVERY", 20)
    asked = session.project.journal.connection.execute("PRAGMA busy_timeout")
    assert asked.fetchone() == (250,), "the window stands no longer than that"
    with closing(sqlite3.connect(project_path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert not session.mark(20, 30)
        assert said(window) == "✕ not saved: the file is in use"
        assert "another program is using" in window.messages.current.text
        window.messages.clear()
        other.execute("ROLLBACK")
        assert session.mark(20, 30)
        assert said(window).startswith("● every action saved · ")
        other.execute("BEGIN IMMEDIATE")
        before = session.document_id
        key(window.article, Qt.Key.Key_J)
        qtbot.waitUntil(lambda: session.document_id != before)
        qtbot.waitUntil(lambda: said(window) == "✕ place not saved: the file is in use")
        other.execute("ROLLBACK")
    qtbot.waitUntil(lambda: said(window).startswith("● every action saved · "))
    assert window.messages.current is None


def test_a_long_step_continues_when_the_file_is_unlocked(window, qtbot, project_path) -> None:
    session, news = window.session, []
    with closing(sqlite3.connect(project_path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        ids = [session.pool[row] for row in range(len(session.pool))]
        session.bulk.not_relevant(TOPIC, ids, lambda *told: news.append(told))
        qtbot.wait(50)
        other.execute("ROLLBACK")
    qtbot.waitUntil(lambda: bool(news))
    assert all(session.state_of(document).finished for document in ids)


def test_a_full_disk_stays_on_the_screen_until_something_is_saved(window, qtbot) -> None:
    session = window.session
    assert session.mark(0, 10)
    assert said(window).startswith("● every action saved · ")
    connection = session.project.journal.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    while session.mark(20, 21) and session.erase(20, 21):
        pass
    assert said(window) == "✕ not saved: the disk is full"
    assert "the disk is full" in window.messages.current.text
    window.article.place_caret(0)
    key(window.article, Qt.Key.Key_S)
    assert session.mark(0, 10), "it is marked already, and nothing has to be written"
    assert said(window) == "✕ not saved: the disk is full"
    before = session.document_id
    window.messages.clear()
    key(window.article, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: session.document_id != before)
    qtbot.waitUntil(lambda: said(window) == "✕ place not saved: the disk is full")
    assert window.messages.current.kind is MessageKind.ERROR
    connection.execute("PRAGMA max_page_count = 1000000")
    assert session.mark(0, 10)
    assert said(window).startswith("● every action saved · ")
    assert window.messages.current is None


def test_a_full_disk_during_a_dialog_stays_reported(window, qtbot) -> None:
    project = window.session.project
    connection = project.journal.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    while window.session.mark(20, 21) and window.session.erase(20, 21):  # what is left of the last page
        connection.execute(f"PRAGMA max_page_count = {pages}")
    window.session.saving.done()  # as if something had been saved since

    def declare(grades: str) -> None:
        window.book["choose-grades"].trigger()
        dialog = window.findChildren(GradeScaleDialog)[-1]
        QTest.keyClicks(dialog.field, grades)
        QTest.keyClick(dialog.field, Qt.Key.Key_Return)

    declare(", ".join(f"grade {number}" for number in range(20)))
    assert project.contents.scale == ()
    assert said(window) == "✕ not saved: the disk is full"
    connection.execute("PRAGMA max_page_count = 1000000")
    declare("a, b")
    assert project.contents.scale == ("a", "b")
    assert said(window).startswith("● every action saved · ")


def test_ctrl_s_reports_no_success_while_the_file_is_missing(window, project_path) -> None:
    key(window.article, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert window.messages.current.text.startswith("Every action is saved")
    away = project_path.rename(project_path.with_name("away"))
    key(window.article, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    said_first = window.messages.current
    assert said_first.kind is MessageKind.ERROR
    assert said_first.button == "Save elsewhere…"
    key(window.article, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert window.messages.current is said_first
    window.messages.info("Copied.")
    assert window.messages.current is said_first
    assert said(window) == "✕ not saved: the file is gone"
    away.rename(project_path)
    key(window.article, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert window.messages.current.text.startswith("Every action is saved")


def test_a_missing_project_file_is_noticed_at_once_and_saved_elsewhere(
    window, qtbot, project_path, tmp_path, monkeypatch
) -> None:
    session = window.session
    session.mark(0, 10)
    state = session.state
    project_path.unlink()
    qtbot.waitUntil(lambda: said(window) == "✕ not saved: the file is gone")
    assert "was deleted, renamed or moved away" in window.messages.current.text
    assert not session.mark(20, 30)
    assert session.state == state
    elsewhere = tmp_path / "elsewhere.inexview"
    choose(monkeypatch, elsewhere)
    with qtbot.waitSignal(window.project_rescue.open_instead) as asked:
        window.messages._button.click()
    assert asked.args == [elsewhere]
    assert state_in(elsewhere, window) == state


def test_a_returned_project_file_is_saved_to_without_warning(window, qtbot, project_path) -> None:
    away = project_path.rename(project_path.with_name("away"))
    window.session.saving.look()
    assert "renamed" in window.messages.current.text
    away.rename(project_path)
    window.session.saving.look()
    assert window.messages.current is None
    assert said(window).startswith("● every action saved")
    assert window.session.mark(0, 10)


def answering(text: str) -> QTimer:
    """Press Esc, or the button with a text, in the question that comes; return what does so."""
    looking = QTimer(interval=20)

    def answer() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox) and text == "Esc":
            QTest.keyClick(box, Qt.Key.Key_Escape)
        elif isinstance(box, QMessageBox):
            QTest.mouseClick(next(one for one in box.buttons() if one.text() == text), LEFT)

    looking.timeout.connect(answer)
    looking.start()
    return looking


def test_closing_a_window_whose_file_is_gone_asks_first(window, project_path, tmp_path, monkeypatch) -> None:
    session = window.session
    session.mark(0, 10)
    state = session.state
    shutil.copy(project_path, project_path.with_name("other"))
    project_path.with_name("other").replace(project_path)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    for answer in ("Esc", "Cancel", "Save elsewhere…"):  # and no file is named
        asked = answering(answer)
        assert not window.close(), answer
        assert window.isVisible()
        asked.stop()
    elsewhere = tmp_path / "elsewhere.inexview"
    choose(monkeypatch, elsewhere)
    asked = answering("Save elsewhere…")
    assert window.close()
    asked.stop()
    assert state_in(elsewhere, window) == state


def test_a_window_whose_file_is_gone_may_be_closed_without_saving(window, project_path) -> None:
    project_path.unlink()
    asked = answering("Close without saving")
    assert window.close()
    asked.stop()


def test_a_window_that_only_reads_follows_what_another_writes(window, project_path, qapp, qtbot) -> None:
    writer = window
    settings = Settings(project_path.parent / "others.ini")
    reader = MainWindow(Project.open(project_path, read_only=True), settings, Appearance(qapp, settings))
    reader.show()
    ready(qtbot, reader)
    assert said(reader).startswith("○ open for reading only · ")
    assert reader.session.document_id == writer.session.document_id
    before = reader.article.grab().toImage()
    writer.session.mark(0, 10)
    qtbot.waitUntil(lambda: reader.session.state == writer.session.state)
    assert reader.session.state.marks.size == 10
    qtbot.waitUntil(lambda: reader.article.grab().toImage() != before)
    key(reader.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: reader.messages.current is not None)
    assert "opened read-only" in reader.messages.current.text
    assert said(reader).startswith("○ open for reading only · "), "nothing was lost that had been there"
    reader.close()
    reader.deleteLater()


def test_a_copy_is_made_when_a_project_is_opened(window, qtbot, project_path) -> None:
    qtbot.waitUntil(lambda: len(copies_of(project_path)) == 1)
    window.session.mark(0, 10)
    window.session.saving.copy()
    qtbot.waitUntil(lambda: len(copies_of(project_path)) == 2)
    window.session.saving.copy()


def test_an_older_file_is_reported_and_its_copy_offered(qapp, qtbot, project_path) -> None:
    older = project_path.read_bytes()
    with shown_window(qapp, project_path) as window:
        ready(qtbot, window)
        for start in (0, 10, 20):
            assert window.session.mark(start, start + 5)
    project_path.write_bytes(older)
    for _ in range(2):  # also the second time, as nobody went on with it
        with shown_window(qapp, project_path) as window:
            ready(qtbot, window)
            qtbot.waitUntil(lambda window=window: window.messages.current is not None)
            message = window.messages.current
            assert "has 3 actions missing from the file. Was an older file put back?" in message.text
            assert (message.kind, message.button, message.holds) == (MessageKind.WARNING, "Restore…", True)
            message.action()
            dialog = window.findChild(RestoreDialog)
            qtbot.waitUntil(lambda dialog=dialog: dialog.copies.count() > 0)
            assert "3 that the file has not" in dialog.copies.currentItem().text()
            assert dialog.restore.isVisible()
            assert not dialog.salvage.isVisible(), "the file is sound"
            dialog.reject()
    assert project_path.read_bytes()[100:] == older[100:], "what is only looked at is not forked"
    with shown_window(qapp, project_path) as window:
        ready(qtbot, window)
        assert window.session.mark(30, 40)
    with shown_window(qapp, project_path) as window:
        ready(qtbot, window)
        asked: list[None] = []
        window.tasks.run(lambda: None, asked.append, urgent=False)  # behind the comparison
        qtbot.waitUntil(lambda: bool(asked))
        assert window.messages.current is None, "somebody went on with the older file"


def test_a_failed_backup_at_opening_is_reported_once(qapp, qtbot, project_path) -> None:
    copies_folder().parent.mkdir(parents=True, exist_ok=True)
    copies_folder().write_text("a file is where the copies go")
    with shown_window(qapp, project_path) as window:
        ready(qtbot, window)
        qtbot.waitUntil(lambda: said(window).endswith(", but not copied"))
        warned = window.messages.current
        assert warned.kind is MessageKind.WARNING
        assert warned.text.startswith(f"{copies_folder()}: copies cannot be saved (")
        assert str(copies_folder()) in window.status._saved.toolTip()
        window.messages.clear()
        window.session.mark(0, 10)
        window.session.saving.copy()
        tried: list[None] = []
        window.tasks.run(lambda: None, tried.append, urgent=False)  # behind the copy
        qtbot.waitUntil(lambda: bool(tried))
        assert said(window).endswith(", but not copied")
        assert window.messages.current is None, "once"
        copies_folder().unlink()
        window.session.mark(20, 30)
        window.session.saving.copy()
        qtbot.waitUntil(lambda: "not copied" not in said(window))


def test_a_copy_is_restored_as_a_new_file(window, qtbot, project_path, tmp_path, monkeypatch) -> None:
    qtbot.waitUntil(lambda: len(copies_of(project_path)) == 1)
    window.session.mark(0, 10)
    restored = tmp_path / "restored.inexview"
    choose(monkeypatch, restored)
    dialog = files.ask_restore(window, project_path, window.tasks, window.project_rescue.open_wanted.emit)
    qtbot.waitUntil(lambda: dialog.copies.count() == 1)
    assert "lacks 1 of the file" in dialog.copies.item(0).text()
    with qtbot.waitSignal(window.project_rescue.open_wanted) as asked:
        dialog.restore.click()
    assert asked.args == [restored]
    assert state_in(restored, window).untouched


def test_a_damaged_project_shows_its_readable_part_and_its_losses(
    qapp, qtbot, project_path, tmp_path
) -> None:
    with Project.open(project_path) as project:
        for start in range(0, 12, 2):
            project.mark(TOPIC, "d3", start, start + 1)
    data = bytearray(project_path.read_bytes())
    data[data.rfind(b'{"spans"')] = 0x21
    project_path.write_bytes(data)
    with shown_window(qapp, project_path) as window:
        ready(qtbot, window)
        assert said(window).startswith("○ damaged, open for reading only")
        message = window.messages.current
        assert "topic 2009001, document d3: row" in message.text
        assert message.button == "Restore…"
        assert window.messages.width() > 400
        assert window.session.project.state(TOPIC, "d3").marks.size == 5
        assert not window.session.mark(20, 30)
