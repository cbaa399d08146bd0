"""The dialog looks at what a project is to be made of while one still chooses, and says what there is."""

import shutil
import tarfile
import threading
import zipfile

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.core.collection.collection import Collection
from inexview.core.files import resource
from inexview.core.project.project import Parts, size, what_it_is
from inexview.gui.commands.dialogs import NewProjectDialog
from inexview.gui.services.settings import Settings

ARTICLE = "<article><name>{0}</name><body><p>Text.</p></body></article>"


@pytest.fixture
def articles(tmp_path):
    folder = tmp_path / "articles"
    folder.mkdir()
    for number in range(1, 13):
        (folder / f"{number}.xml").write_text(ARTICLE.format(number), encoding="utf-8")
    return folder


@pytest.fixture
def topics(tmp_path):
    return shutil.copy(resource("sample") / "topics.xml", tmp_path / "topics.xml")


@pytest.fixture
def dialog(qtbot, tmp_path):
    made = NewProjectDialog(Settings(tmp_path / "settings.ini"))
    qtbot.addWidget(made)
    made.show()
    yield made
    made.reject()


def says(qtbot, field, words, *, wrong=False):
    qtbot.waitUntil(lambda: words in field.note.text())
    assert field.note.property("wrong") is wrong


def pool_of(tmp_path, *lines):
    path = tmp_path / "pool.txt"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_names_that_no_file_system_takes_are_not_there(dialog, articles, topics):
    none = f"/{'x' * 300}"
    fields = (dialog.collection, articles), (dialog.topics, topics), (dialog.pool, none), (dialog.path, none)
    told = []
    for field, path in fields:
        field.line.setText(none)
        told.append(dialog._missing.text())
        field.line.setText(str(path))
    assert told == [
        "The collection is not there.",
        "The topic file is not there.",
        "The pool is not there.",
        "The pool is not there.",
    ]
    dialog.pool.line.clear()
    assert dialog._missing.text() == ""  # the file itself cannot be made: that is said when it is tried


def test_a_missing_folder_for_the_project_is_reported(dialog, articles, topics, tmp_path):
    dialog.collection.line.setText(str(articles))
    dialog.topics.line.setText(str(topics))
    dialog.path.line.setText(str(tmp_path / "jugdements" / "new.inexview"))
    assert dialog._missing.text() == "The folder for the project file does not exist."
    (tmp_path / "jugdements").mkdir()
    dialog.path.line.setText(str(tmp_path / "jugdements" / "other.inexview"))
    assert dialog._missing.text() == ""


def test_the_home_of_an_unknown_user_does_not_exist(dialog, articles, topics):
    dialog.collection.line.setText(str(articles))
    dialog.topics.line.setText(str(topics))
    dialog.path.line.setText("~/inexview-new")
    assert dialog._missing.text() == ""
    dialog.collection.line.setText("~no-such-user/articles")  # Path cannot tell where that would be
    assert dialog._missing.text() == "The collection is not there."


@pytest.mark.parametrize("kind", ["folder", "zip", "tar.bz2", "tgz", "txz"])
def test_every_kind_of_collection_is_named_and_counted(dialog, qtbot, articles, tmp_path, kind):
    path = articles
    if kind == "zip":
        path = tmp_path / "wiki.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for file in articles.iterdir():
                archive.write(file, f"part/{file.name}")
    elif kind != "folder":
        path = tmp_path / f"wiki.{kind}"
        packed = {"tar.bz2": "w:bz2", "tgz": "w:gz", "txz": "w:xz"}[kind]
        with tarfile.open(path, packed) as archive:
            archive.add(articles, "wiki")
    dialog.collection.line.setText(str(path))
    says(qtbot, dialog.collection, "12 articles")
    assert dialog.collection.note.text().startswith(kind)


def test_duplicates_and_empty_folders_are_reported(dialog, qtbot, articles, tmp_path):
    (articles / "deeper").mkdir()
    (articles / "deeper" / "3.xml").write_text(ARTICLE.format(3))
    dialog.collection.line.setText(str(articles))
    says(qtbot, dialog.collection, "same id", wrong=True)
    (tmp_path / "empty").mkdir()
    dialog.collection.line.setText(str(tmp_path / "empty"))
    says(qtbot, dialog.collection, "has no documents", wrong=True)


def test_topics_and_pool_are_counted_and_compared(dialog, qtbot, articles, topics, tmp_path):
    dialog.topics.line.setText(str(topics))
    says(qtbot, dialog.topics, "11 topics")
    dialog.pool.line.setText(str(pool_of(tmp_path, "2026001 1", "2026001 2", "2026002 12")))
    says(qtbot, dialog.pool, "3 documents for 2 topics")
    dialog.collection.line.setText(str(articles))
    says(qtbot, dialog.pool, "3 documents for 2 topics, all in the collection")


def test_pooled_documents_that_are_not_there_are_named(dialog, qtbot, articles, tmp_path):
    dialog.collection.line.setText(str(articles))
    dialog.pool.line.setText(str(pool_of(tmp_path, "2026001 1", "2026001 404", "2026002 404")))
    says(qtbot, dialog.pool, "1 not in the collection: 404", wrong=True)


def test_pooled_topics_that_the_topic_file_lacks_are_named(dialog, qtbot, topics, tmp_path):
    dialog.topics.line.setText(str(topics))
    dialog.pool.line.setText(str(pool_of(tmp_path, "2026001 1", "77 1")))
    says(qtbot, dialog.pool, "not in the topic file: 77", wrong=True)


def test_undeclared_latin_1_is_reported_with_its_line(dialog, qtbot, tmp_path):
    topics, pool = tmp_path / "latin.xml", tmp_path / "latin.txt"
    topics.write_bytes('<topics>\n<topic id="1"><title>café</title></topic></topics>'.encode("latin-1"))
    dialog.topics.line.setText(str(topics))
    says(qtbot, dialog.topics, "1 topic · line 2: the file does not declare its encoding", wrong=True)
    pool.write_bytes("1 1\n1 ü\n".encode("latin-1"))
    dialog.pool.line.setText(str(pool))
    says(qtbot, dialog.pool, "2 documents for 1 topic · line 2: the file is not UTF-8; it was", wrong=True)


def test_a_file_that_is_something_else_says_why(dialog, qtbot, tmp_path, topics):
    dialog.pool.line.setText(str(tmp_path / "settings.ini"))
    dialog.topics.line.setText(str(pool_of(tmp_path, "2026001 1")))
    qtbot.waitUntil(lambda: dialog.topics.note.property("wrong") is True)
    assert dialog.topics.note.text().startswith("line 1: expected an id, a tab and a title")


@pytest.mark.parametrize("name", ["judgements.txt", "answers.jsonl"])
def test_a_hint_is_whole_and_pushes_nothing_out_of_the_dialog(dialog, qtbot, name):
    dialog.pool.line.setText(str(resource("sample") / name))
    says(qtbot, dialog.pool, "make one: `inexview convert", wrong=True)
    note = dialog.pool.note
    qtbot.waitUntil(lambda: note.height() >= note.heightForWidth(note.width()) > note.fontMetrics().height())
    assert note.text().endswith("`.")
    assert dialog.height() >= dialog.heightForWidth(dialog.width())


def test_what_cannot_be_used_keeps_a_project_from_being_made_and_says_why(
    dialog, qtbot, articles, topics, tmp_path
):
    dialog.collection.line.setText(str(articles))
    dialog.path.line.setText(str(tmp_path / "mine"))
    broken = tmp_path / "broken.xml"
    broken.write_text('<inex-topic-file>\n<topic id="1"><title>a</topic></inex-topic-file>')
    dialog.topics.line.setText(str(broken))
    says(qtbot, dialog.topics, "line 2: ", wrong=True)
    assert str(tmp_path) not in dialog.topics.note.text()
    assert not dialog._create.isEnabled()
    assert dialog._missing.text() == "These topics cannot be read."
    dialog.topics.line.setText(str(topics))
    says(qtbot, dialog.topics, "11 topics")
    assert dialog._create.isEnabled()
    (tmp_path / "empty").mkdir()
    dialog.collection.line.setText(str(tmp_path / "empty"))
    qtbot.waitUntil(lambda: dialog._missing.text() == "This collection cannot be used.")
    assert not dialog._create.isEnabled()


def test_warnings_do_not_prevent_a_project(dialog, qtbot, articles, topics, tmp_path):
    dialog.collection.line.setText(str(articles))
    dialog.topics.line.setText(str(topics))
    dialog.path.line.setText(str(tmp_path / "mine"))
    dialog.pool.line.setText(str(pool_of(tmp_path, "2026001 1", "2026001 404")))
    says(qtbot, dialog.pool, "1 not in the collection: 404", wrong=True)
    assert dialog._create.isEnabled()
    assert dialog._missing.text() == ""


def test_return_makes_the_project_also_after_a_round_with_tab(dialog, qtbot, articles, topics, tmp_path):
    dialog.activateWindow()
    dialog.collection.line.setFocus()
    for _ in range(12):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    dialog.collection.line.setText(str(articles))
    dialog.topics.line.setText(str(topics))
    dialog.path.line.setText(str(tmp_path / "mine"))
    dialog.assessor.setFocus()
    with qtbot.waitSignal(dialog.accepted):
        QTest.keyClick(dialog.assessor, Qt.Key.Key_Return)


def test_a_pool_that_cannot_be_read_can_be_left_out(dialog, qtbot, articles, topics, tmp_path):
    dialog.collection.line.setText(str(articles))
    dialog.topics.line.setText(str(topics))
    dialog.path.line.setText(str(tmp_path / "mine"))
    dialog.pool.line.setText(str(topics))
    qtbot.waitUntil(lambda: dialog._missing.text().startswith("This pool cannot be read"))
    dialog.pool.line.setText("")
    assert dialog._create.isEnabled()


def test_the_dialog_can_be_answered_while_a_collection_is_listed(
    dialog, qtbot, articles, topics, tmp_path, monkeypatch
):
    stopped = threading.Event()

    def endless(collection, progress):
        told = 0
        try:
            while True:
                threading.Event().wait(0.01)
                told += 1_000
                progress("articles listed", told, None)
        finally:
            stopped.set()

    monkeypatch.setattr(Collection, "prepare", endless)
    dialog.collection.line.setText(str(articles))
    dialog.topics.line.setText(str(topics))
    dialog.path.line.setText(str(tmp_path / "mine"))
    qtbot.waitUntil(lambda: "articles listed" in dialog.collection.note.text())
    assert dialog._create.isEnabled()
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog._create, Qt.MouseButton.LeftButton)
    assert stopped.is_set()


def test_parts_that_were_brought_stand_in_the_dialog(qtbot, tmp_path, topics):
    parts = Parts(topics=tmp_path / "topics.xml")
    dialog = NewProjectDialog(Settings(tmp_path / "settings.ini"), None, parts)
    qtbot.addWidget(dialog)
    says(qtbot, dialog.topics, "11 topics")
    assert dialog.collection.path is None
    dialog.reject()


@pytest.mark.parametrize(
    ("number", "told"),
    [(999, "999 bytes"), (1_500, "1.5 kB"), (45_000_000, "45 MB"), (5_900_000_000, "5.9 GB")],
)
def test_a_size_is_worded_for_people(number, told):
    assert size(number) == told


def test_an_archive_is_known_by_all_of_its_suffix(tmp_path):
    (tmp_path / "wiki.2009.tar.bz2").write_bytes(bytes(1_200))
    assert what_it_is(tmp_path / "wiki.2009.tar.bz2") == "tar.bz2, 1.2 kB"
