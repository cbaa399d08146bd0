"""Exporting from the window: each format says what it cannot store; whole files or none, off the thread."""

import json
from threading import get_ident

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QMessageBox, QRadioButton

from inexview.core.formats.format import ASSESSMENTS_2007, FOL_QRELS, HARD_QRELS, JSONL
from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project
from inexview.gui.commands.dialogs import Choice
from inexview.gui.services.messages import MessageKind
from inexview.gui.services.settings import EXPORT
from tests.gui.driving import shown_window, told

ARTICLE = "<article><name>Lens {0}</name><body><p>The first, of {0}.</p><p>The second.</p></body></article>"
SECOND = (22, 33)  # The second.


@pytest.fixture
def window(qtbot, qapp, tmp_path):
    articles = tmp_path / "articles"
    articles.mkdir()
    for number in range(1, 4):
        (articles / f"{number}.xml").write_text(ARTICLE.format(number), encoding="utf-8")
    path = tmp_path / "mine.inexview"
    topics = [Topic("1", "lenses"), Topic("2", "glass")]
    with Project.create(path, collection=articles, topics=topics, assessor="ada") as project:
        project.mark("1", "1", *SECOND)
        project.set_bep("1", "1", SECOND[0])
        project.finish("1", "1")
        project.mark("1", "2", *SECOND)
        project.not_relevant("2", "3")
    with shown_window(qapp, path) as made:
        qtbot.waitUntil(lambda: made.session.document is not None)
        yield made


def opened(qtbot, window):
    """Open the dialog with its key and wait until it has counted."""
    QTest.keyClick(window.article, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    dialog = window.exporter.dialog
    qtbot.waitUntil(lambda: note_of(dialog, FOL_QRELS) != "")
    return dialog


def button_of(dialog, format):
    return next(one for one in dialog.findChildren(QRadioButton) if one.text()[1:] == format.title[1:])


def choose(dialog, format):
    """Click on a format's button, which is no wider than its words."""
    button = button_of(dialog, format)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(9, button.height() // 2))


def note_of(dialog, format):
    return button_of(dialog, format).accessibleDescription()


def export_button(dialog):
    (box,) = dialog.findChildren(QDialogButtonBox)
    return next(one for one in box.buttons() if one.text() == "Export…")


def save_as(monkeypatch, path):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(path), ""))


def test_every_format_lists_its_losses_before_export(window, qtbot):
    dialog = opened(qtbot, window)
    assert note_of(dialog, FOL_QRELS) == "stores all judgements"
    assert note_of(dialog, HARD_QRELS) == "cannot store 1 best entry point"
    dialog.reject()


def test_the_dialog_counts_exported_and_remaining_documents(window, qtbot):
    dialog = opened(qtbot, window)
    assert dialog.status.text() == (
        "2 finished documents. Left out: 1 that is not finished. These stay in the project: 2 quotes of "
        "passages, 3 records of assessor and time."
    )
    choose(dialog, JSONL)
    assert dialog.status.text() == "3 documents, 1 of them not finished."
    dialog.reject()


def test_the_dialog_names_notes_and_flags_among_the_losses(window, qtbot):
    window.session.open_document("1")
    qtbot.waitUntil(lambda: window.session.document_id == "1")
    QTest.keyClick(window.article, Qt.Key.Key_N, Qt.KeyboardModifier.AltModifier)
    QTest.keyClicks(window.assess.panel.note.field, "Ask Ada.")
    QTest.keyClick(window.assess.panel.note.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.record.remarks.note == "Ask Ada.")
    dialog = opened(qtbot, window)
    notes = "1 note or flag"
    assert note_of(dialog, FOL_QRELS) == f"cannot store {notes}"
    assert note_of(dialog, HARD_QRELS) == f"cannot store 1 best entry point, {notes}"
    assert "notes" not in note_of(dialog, JSONL)
    assert f", {notes}." in dialog.status.text()
    choose(dialog, JSONL)
    assert "note" not in dialog.status.text()
    dialog.reject()


def test_a_format_is_chosen_and_written_with_the_keyboard_alone(window, qtbot, tmp_path, monkeypatch):
    save_as(monkeypatch, tmp_path / "out.txt")
    dialog = opened(qtbot, window)
    button_of(dialog, FOL_QRELS).setFocus()
    QTest.keyClick(button_of(dialog, FOL_QRELS), Qt.Key.Key_Return)
    message = told(qtbot, window.messages, "2 finished documents are in")
    assert (tmp_path / "out.txt").read_text() == "1 Q0 1 11 33 22 22:11\n2 Q0 3 0 33\n"
    assert message.kind is MessageKind.WARNING
    assert "topic 1, document 2" in message.text


def test_json_lines_hold_open_documents_and_quotes_and_their_suffix(window, qtbot, tmp_path, monkeypatch):
    save_as(monkeypatch, tmp_path / "out")
    dialog = opened(qtbot, window)
    choose(dialog, JSONL)
    qtbot.mouseClick(export_button(dialog), Qt.MouseButton.LeftButton)
    told(qtbot, window.messages, "3 documents are in")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["finished"] for line in lines] == [True, False, True]
    assert lines[0]["passages"][0]["quote"]["first"] == "The second."
    assert window.exporter.dialog is None
    window.book["export-qrels"].trigger()
    assert window.exporter.dialog.choice.target is JSONL
    window.exporter.dialog.reject()


def test_the_open_topic_can_be_exported_alone(window, qtbot):
    window.session.open_topic("2")
    dialog = opened(qtbot, window)
    dialog.topics.setFocus()
    QTest.keyClick(dialog.topics, Qt.Key.Key_Down)
    assert dialog.choice.topics == ("2",)
    assert dialog.status.text().startswith("1 finished document.")
    dialog.reject()


def test_assessments_of_several_topics_can_be_a_folder(window, qtbot, tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_asked: str(tmp_path / "out"))
    dialog = opened(qtbot, window)
    assert not dialog.folder.isVisible()
    choose(dialog, ASSESSMENTS_2007)
    QTest.keyClick(dialog.folder, Qt.Key.Key_Space)
    qtbot.mouseClick(export_button(dialog), Qt.MouseButton.LeftButton)
    told(qtbot, window.messages, "are in")
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["1.xml", "2.xml"]


def test_exporting_without_finished_documents_is_refused_with_a_message(window, qtbot):
    for topic, document in (("1", "1"), ("2", "3")):
        window.session.project.clear(topic, document)
    dialog = opened(qtbot, window)
    assert not export_button(dialog).isEnabled()
    assert dialog.status.text().endswith("to export yet: FOL qrels (INEX 2008–2010) hold what is finished.")
    choose(dialog, JSONL)
    assert export_button(dialog).isEnabled()
    dialog.reject()


@pytest.mark.parametrize("agreed", [True, False])
def test_losses_found_during_export_are_asked_about(window, qtbot, tmp_path, monkeypatch, agreed):
    asked = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.informativeText()))
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda box: box.buttons()[0 if agreed else 1])
    (tmp_path / "articles" / "1.xml").unlink()
    out = tmp_path / "out.xml"
    window.exporter.export(Choice(ASSESSMENTS_2007, None, folder=False, lost=()), out)
    told(qtbot, window.messages, "1 finished document is in" if agreed else "Nothing was written")
    assert asked == [
        "assessment XML (INEX 2006–2007) cannot store 1 judged document that is not in the collection."
    ]
    assert out.exists() == agreed


def test_the_window_stays_responsive_and_a_cancelled_export_leaves_no_file(
    window, qtbot, tmp_path, monkeypatch
):
    threads = []

    def endless(_project, _wanted, progress):
        while True:
            threads.append(get_ident())
            progress("judged documents named", 1, 10)

    monkeypatch.setattr("inexview.gui.commands.saving.export", endless)
    window.exporter.export(Choice(FOL_QRELS, None, folder=False, lost=()), tmp_path / "out.txt")
    qtbot.waitUntil(lambda: any(line.isVisible() for line in window.activity.lines))
    assert get_ident() not in threads
    qtbot.mouseClick(window.activity.lines[0].button, Qt.MouseButton.LeftButton)
    told(qtbot, window.messages, "The export was cancelled. Nothing was written.")
    assert not (tmp_path / "out.txt").exists()


def test_the_project_itself_is_never_written_over(window, qtbot):
    path = window.session.project.path
    window.exporter.export(Choice(FOL_QRELS, None, folder=False, lost=()), path)
    assert "is also an input file" in told(qtbot, window.messages, "mine.inexview").text
    assert window.session.project.state("1", "1").finished


def test_a_folder_that_cannot_be_written_to_is_a_sentence(window, qtbot, tmp_path):
    window.exporter.export(Choice(FOL_QRELS, None, folder=False, lost=()), tmp_path / "gone" / "out.txt")
    assert told(qtbot, window.messages, "gone").kind is MessageKind.ERROR


def test_a_setting_of_a_format_that_is_none_falls_back_to_fol(window, qtbot):
    window.exporter._settings.set(EXPORT, "lost-in-time")
    assert opened(qtbot, window).choice.target is FOL_QRELS
    window.exporter.dialog.reject()
