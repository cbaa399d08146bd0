"""The application: what opens which window, and how each thing that can go wrong is told."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from zipfile import ZipFile

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from inexview.core.collection.collection import Collection
from inexview.core.evaluation.evaluate import evaluate
from inexview.core.files import resource
from inexview.core.judgements.runs import Task
from inexview.core.judgements.topics import Topic
from inexview.core.project import recovery
from inexview.core.project.project import NewProject, Project
from inexview.core.project.recovery import copies_of
from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.core.text.search import text_digest
from inexview.gui.article.text_area import TextArea
from inexview.gui.commands.dialogs import RestoreDialog
from inexview.gui.commands.help import GuideWindow
from inexview.gui.look.theme import DARK, LIGHT
from inexview.gui.services.messages import MessageKind
from inexview.gui.services.settings import APPEARANCE, ASSESSOR, RECENT, Settings, sample_path
from inexview.gui.shell.app import Application
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import drop, text_area, told
from tests.projects import article, make_project


@pytest.fixture
def sample(tmp_path):
    return create_sample_project(tmp_path / "mine" / "sample.inexview")


def the_window(qtbot, application):
    """Wait for the only window, and for what is open in it."""
    qtbot.waitUntil(lambda: len(application.windows) == 1)
    return ready(qtbot, application.windows[0])


def ready(qtbot, window):
    qtbot.waitUntil(lambda: window.session.document is not None)
    return window


def test_without_a_project_there_is_the_start_window_and_a_click_opens_the_sample(application, qtbot):
    start = application.show_start()
    qtbot.mouseClick(start.sample, Qt.MouseButton.LeftButton)
    (window,) = application.windows
    ready(qtbot, window)
    assert not start.isVisible()
    qtbot.waitUntil(lambda: len(window.session.runs) == 5)
    assert [run.id for run in window.session.runs] == [path.stem for path in sample_runs(sample_path())]
    assert window.session.run is window.session.runs[0]
    assert len(window.session.project.topics) == 11


def test_the_sample_shows_figures_in_inspect_at_once(application, qtbot):
    window = application.open_sample()
    ready(qtbot, window)
    qtbot.waitUntil(lambda: len(window.session.runs) == 5)
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.mode is Mode.INSPECT)
    shown = window.late_inspect().runs.table.model()
    sample = resource("sample")
    runs = [sample / "runs" / path.name for path in sample_runs(sample_path())]
    best = max(
        one.mean["MAgP"]
        for one in evaluate(sample / "judgements.txt", runs, task=Task.RELEVANT_IN_CONTEXT).runs
    )
    figure = f"{best:.4f}"
    qtbot.waitUntil(lambda: figure in [shown.index(0, at).data() for at in range(shown.columnCount())])


@pytest.fixture
def answered(monkeypatch):
    """Answer questions as a test wishes, and note them."""

    def answering(yes: bool) -> list[str]:
        asked: list[str] = []
        monkeypatch.setattr(
            "inexview.gui.shell.app.ask", lambda _parent, *said: bool(asked.append(" ".join(said)) or yes)
        )
        return asked

    return answering


def test_resetting_the_sample_keeps_the_old_judgements_in_a_copy(application, qtbot, answered):
    window = application.open_sample()
    ready(qtbot, window)
    qtbot.waitUntil(lambda: len(window.session.runs) == 5)
    document = window.session.pool[0]
    window.session.project.not_relevant("2026003", document)
    (asked,) = (answered(True), window.book["fresh-sample"].trigger())[:1]
    qtbot.waitUntil(lambda: application.windows != [window] and bool(application.windows))
    (again,) = application.windows
    ready(qtbot, again)
    assert "sample-1.inexview" in asked[0]
    assert not again.session.project.state("2026003", document).finished
    qtbot.waitUntil(lambda: len(again.session.runs) == 5)
    with Project.open(sample_path().with_name("sample-1.inexview"), read_only=True) as kept:
        assert kept.state("2026003", document).finished
        assert kept.collection.load(document).length > 0


def test_a_sample_that_is_not_reset_stays_open(application, qtbot, answered):
    window = application.open_sample()
    ready(qtbot, window)
    asked = answered(False)
    window.book["fresh-sample"].trigger()
    assert len(asked) == 1
    assert application.windows == [window]
    assert not sample_path().with_name("sample-1.inexview").exists()


def test_without_a_sample_one_is_made_and_nothing_is_asked(application, qtbot, sample, answered):
    window = ready(qtbot, application.open_project(sample))
    asked = answered(False)
    window.book["fresh-sample"].trigger()
    qtbot.waitUntil(lambda: len(application.windows) == 2)
    ready(qtbot, application.windows[-1])
    assert asked == []


def test_return_presses_the_button_with_the_focus_and_f1_opens_the_guide(application, qtbot):
    start = application.show_start()
    with qtbot.waitActive(start):
        start.activateWindow()
    qtbot.keyClick(start.focusWidget(), Qt.Key.Key_F1)
    guide = start.findChild(GuideWindow)
    assert guide is not None
    assert guide.isVisible()
    guide.close()
    assert start.focusWidget() is start.sample
    qtbot.keyClick(start.focusWidget(), Qt.Key.Key_Return)
    ready(qtbot, *application.windows)


def test_the_sample_opens_at_the_topic_that_is_left_to_judge(application, qtbot, sample):
    window = ready(qtbot, application.open_project(sample))
    assert window.session.topic.id == "2026003"
    assert application.settings.get(RECENT)[0] == str(sample.resolve())


def test_modules_are_loaded_before_the_first_window_of_a_project(qapp, qtbot, tmp_path, sample):
    told = []
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # as -reverse does
    application = Application(
        qapp, Settings(tmp_path / "settings.ini"), loaded=lambda: told.append(list(application.windows))
    )
    assert qapp.layoutDirection() is Qt.LayoutDirection.LeftToRight, "its words are English, its figures too"
    application.show_start()
    assert told == []
    window = ready(qtbot, application.open_project(sample))
    window.close()
    again = ready(qtbot, application.open_project(sample))
    again.close()
    assert told == [[]]
    application.start.deleteLater()
    application.tasks.close()
    application.deleteLater()


def test_hidden_parts_are_loaded_after_the_start():
    """And no module's source is read, as PySide would for its ``__feature__``."""
    code = """
import linecache, sys
import inexview.gui.shell.app
ours = inexview.__file__.removesuffix("__init__.py")
print({"numpy", "lxml.etree", "inexview.core.project.project"} & set(sys.modules))
import inexview.gui.shell.main_window
print({"regex", "nupunkt", "snowballstemmer"} & set(sys.modules))
print({"inexview.gui.adjudicate.disputes"} & set(sys.modules))
later = {"inexview.gui.inspect.inspect_view"}
print(later & set(sys.modules))
print([name for name in linecache.cache if name.startswith(ours) or "numpy" in name])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["set()", "set()", "set()", "set()", "[]"]


def test_a_project_that_is_open_is_not_opened_twice(application, qtbot, sample):
    window = ready(qtbot, application.open_project(sample))
    assert application.open_project(sample) is window
    loop = sample.with_name("loop.inexview")
    loop.symlink_to(loop)  # is no project at all
    assert application.open_project(loop) is None
    assert str(loop) in window.messages.current.text
    assert len(application.windows) == 1
    other = sample.with_name("other.inexview")
    other.hardlink_to(sample)
    assert application.open_project(other) is window
    with Project.open(other) as project:  # as another program may, which knows nothing of the window
        project.not_relevant("2026003", project.pool("2026003")[0])
    assert window.close()
    assert application.windows == []


def test_a_project_open_elsewhere_is_reported_and_opened_read_only(application, qtbot, sample):
    with Project.open(sample):
        assert application.open_project(sample) is None
        message = application.start.messages.current
        assert "is open in another window" in message.text
        message.action()
        (window,) = application.windows
        ready(qtbot, window)
        assert window.session.project.read_only
        assert not window.session.mark(0, 10)
        assert window.messages.current.kind is MessageKind.ERROR


def test_a_file_that_is_not_a_project_is_reported_by_name(application, tmp_path):
    path = tmp_path / "nothing.inexview"
    for content in (None, b"", b"not a database " * 100):
        if content is not None:
            path.write_bytes(content)
        assert application.open_project(path) is None
        assert "nothing.inexview" in application.start.messages.current.text


def test_a_damaged_project_is_recovered_in_a_worker_thread(application, qtbot, sample, monkeypatch):
    data = bytearray(sample.read_bytes())
    data[data.rfind(b'{"')] = 0x21
    sample.write_bytes(data)
    read_in, begin = [], threading.Event()
    salvaged = recovery.salvaged

    def wait_and_salvage(*given):
        read_in.append(threading.current_thread())
        assert begin.wait(60)
        return salvaged(*given)

    monkeypatch.setattr(recovery, "salvaged", wait_and_salvage)
    assert application.open_project(sample) is None  # and the window goes on meanwhile
    assert not application.windows
    begin.set()
    window = the_window(qtbot, application)
    assert read_in == [thread for thread in read_in if thread is not threading.main_thread()]
    assert len(read_in) == 1
    assert window.session.project.damage is not None
    assert window.session.project.path == sample


def test_recovery_of_a_damaged_project_can_be_cancelled(application, qtbot, sample, monkeypatch):
    data = bytearray(sample.read_bytes())
    data[data.rfind(b'{"')] = 0x21
    sample.write_bytes(data)
    application.open_project(sample)
    window = the_window(qtbot, application)
    salvaged, begin = recovery.salvaged, threading.Event()
    monkeypatch.setattr(recovery, "salvaged", lambda *given: begin.wait(60) and salvaged(*given))
    application.open_again(window, None)
    assert not application.windows
    activity = application.start.activity
    qtbot.waitUntil(lambda: any(line.isVisible() for line in activity.lines))
    (line,) = activity.lines
    assert line.task.what == "Reading what is left of sample.inexview"
    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    begin.set()
    qtbot.waitUntil(lambda: not application.tasks.long)
    assert not application.windows
    assert application.open_project(sample) is None  # nothing holds it
    assert the_window(qtbot, application).session.project.damage is not None


def test_articles_that_do_not_answer_leave_the_start_window_usable(
    application, qtbot, sample, tmp_path, monkeypatch
):
    other = make_project(tmp_path / "other")
    opened, answer = Collection.open.__func__, threading.Event()

    def wait_and_open(cls, path, *keys):
        assert Path(path).name != "sample-articles" or answer.wait(60)
        return opened(cls, path, *keys)

    monkeypatch.setattr(Collection, "open", classmethod(wait_and_open))
    monkeypatch.setattr("inexview.gui.shell.app.SOON", 0.01)
    assert application.open_project(sample) is None
    activity = application.start.activity
    qtbot.waitUntil(lambda: any("waiting for its articles" in line.news.full_text for line in activity.lines))
    application.open_project(other)
    qtbot.waitUntil(lambda: len(application.windows) == 1)
    answer.set()
    qtbot.waitUntil(lambda: len(application.windows) == 2)
    assert {window.session.project.path for window in application.windows} == {sample, other}


def test_a_project_of_a_newer_version_is_left_alone_and_copies_are_offered(application, qtbot, sample):
    Project.open(sample).close()  # makes a copy
    copies = len(copies_of(sample))
    with sqlite3.connect(sample) as file:
        file.execute("PRAGMA user_version = 999")
        file.execute("CREATE TABLE of_that_version (x)")
    file.close()
    before = sample.read_bytes()
    assert application.open_project(sample) is None
    message = application.start.messages.current
    assert "newer" in message.text
    assert message.button == "Restore…"
    message.action()
    dialog = application.start.findChild(RestoreDialog)
    qtbot.waitUntil(lambda: dialog.copies.count() == copies)
    assert dialog.salvage.isEnabled()
    dialog.reject()
    assert sample.read_bytes() == before


def test_a_project_is_made_from_the_values_of_the_dialog(application, qtbot, tmp_path, sample):
    articles = sample.with_name("sample-articles")
    topics = Path("resources/sample/topics.xml").resolve()
    wanted = NewProject(tmp_path / "new.inexview", articles, topics, None, "Ada")
    application.create_project(wanted)
    window = the_window(qtbot, application)
    assert window.session.project.assessor == "Ada"
    assert len(window.session.pool) == len(list(articles.rglob("*.xml")))


def test_the_texts_of_a_new_pool_are_noted_in_the_background(application, qtbot, tmp_path, sample):
    articles, pool = sample.with_name("sample-articles"), tmp_path / "pool.txt"
    pool.write_text("2026001 mi/2002/m1017\n2026001 absent\n2026002 mi/2002/m1017\n")
    topics = Path("resources/sample/topics.xml").resolve()
    application.create_project(NewProject(tmp_path / "new.inexview", articles, topics, pool, "Ada"))
    project = the_window(qtbot, application).session.project
    qtbot.waitUntil(lambda: bool(project.contents.texts))
    text = project.collection.scan("mi/2002/m1017").text
    assert project.contents.texts == {"mi/2002/m1017": (len(text), text_digest(text))}


def test_a_project_of_an_archive_is_made_before_that_is_listed(
    application, qtbot, tmp_path, sample, monkeypatch
):
    archive = shutil.make_archive(str(tmp_path / "articles"), "zip", sample.with_name("sample-articles"))
    topics = Path("resources/sample/topics.xml").resolve()
    prepared, listed_in = Collection.prepare, []

    def prepare(collection, *told):
        listed_in.append(threading.current_thread())
        return prepared(collection, *told)

    monkeypatch.setattr(Collection, "prepare", prepare)
    application.create_project(NewProject(tmp_path / "new.inexview", Path(archive), topics, None, "Ada"))
    window = the_window(qtbot, application)
    articles = list(sample.with_name("sample-articles").rglob("*.xml"))
    qtbot.waitUntil(lambda: len(window.session.pool) == len(articles))
    assert listed_in
    assert threading.main_thread() not in listed_in


def test_undeclared_latin_1_topics_are_reported_for_a_new_project(application, qtbot, tmp_path, sample):
    topics = tmp_path / "topics.xml"
    topics.write_bytes('<topics><topic id="1"><title>café</title></topic></topics>'.encode("latin-1"))
    wanted = NewProject(tmp_path / "new.inexview", sample.with_name("sample-articles"), topics, None, "Ada")
    application.create_project(wanted)
    window = the_window(qtbot, application)
    told(qtbot, window.messages, "was read as Windows-1252")
    assert window.session.project.topics[0].title == "café"


def test_an_invalid_topic_file_is_reported_with_its_line(application, qtbot, tmp_path, sample):
    topics = tmp_path / "topics.xml"
    topics.write_text("<inex-topic-file>\n<topic id='1'>\n", encoding="utf-8")
    wanted = NewProject(tmp_path / "new.inexview", sample.with_name("sample-articles"), topics, None, "")
    start = application.show_start()
    application.create_project(wanted)
    told(qtbot, start.messages, f"{topics}:")
    assert application.windows == []
    assert not (tmp_path / "new.inexview").exists()


@pytest.mark.parametrize("name", ["topics.xml", "absent.xml"])
def test_a_project_that_cannot_be_made_is_gone_on_with(application, qtbot, tmp_path, sample, name):
    shutil.copy("resources/sample/topics.xml", tmp_path / "topics.xml")
    (tmp_path / "taken.inexview").touch()
    articles = sample.with_name("sample-articles")
    wanted = NewProject(
        tmp_path / "taken.inexview", articles, tmp_path / name, None, "Ada", ("okay", "vital")
    )
    start = application.show_start()
    application.create_project(wanted)
    message = told(qtbot, start.messages, "absent.xml" if name == "absent.xml" else "choose another")
    assert message.button == "New project…"
    seen = []

    def look():
        dialog = QApplication.activeModalWidget()
        fields = (dialog.path, dialog.collection, dialog.topics)
        seen.extend([*(field.path for field in fields), dialog.assessor.text(), dialog.grades.text()])
        dialog.reject()

    application.settings.set(ASSESSOR, "Ada")  # as the dialog does that is accepted
    QTimer.singleShot(0, look)
    message.action()
    assert seen == [wanted.path, articles, wanted.topics, "Ada", "okay, vital"]


def test_the_theme_is_changed_at_once_everywhere(application, qtbot, sample):
    window = ready(qtbot, application.open_project(sample))
    application.settings.set(APPEARANCE, "dark")
    assert application.appearance.theme is DARK
    dark = lightness(window)
    application.settings.set(APPEARANCE, "light")
    assert application.appearance.theme is LIGHT
    assert lightness(window) > dark + 100


def test_an_article_is_on_the_page_of_a_theme_that_came_while_it_was_hidden(application, qtbot, sample):
    application.settings.set(APPEARANCE, "light")
    window = ready(qtbot, application.open_project(sample))
    application.settings.set(APPEARANCE, "dark")
    window.article.hide()
    for theme in ("light", "dark"):
        application.settings.set(APPEARANCE, theme)
    window.article.show()
    palette = window.findChild(TextArea).palette()
    assert (palette.base(), palette.text()) == (DARK.color("page"), DARK.color("text"))


def lightness(window):
    whole = window.grab().toImage().scaled(1, 1, mode=Qt.TransformationMode.SmoothTransformation)
    return whole.pixelColor(0, 0).lightness()


def test_runs_stay_with_their_project(application, qtbot, sample):
    window = ready(qtbot, application.open_project(sample))
    window.open_run(sample.with_name("sample-runs") / "LM-passages.txt")
    qtbot.waitUntil(lambda: window.session.run is not None)
    window.close()
    again = ready(qtbot, application.open_project(sample))
    qtbot.waitUntil(lambda: again.session.run is not None)
    assert again.session.run.id == "LM-passages"
    assert again.mode is Mode.ASSESS


def test_an_unreadable_run_is_reported_and_changes_nothing(application, qtbot, sample, tmp_path):
    window = ready(qtbot, application.open_project(sample))
    path = tmp_path / "broken.txt"
    for content, said in (
        (b"", "broken.txt"),
        (b"2026001 Q0 2041 1 9.0 run 12x 40\n", "broken.txt:1: field 'offset' = '12x'"),
        (b"\x00\xff\xfe\x00" * 50, "broken.txt"),
    ):
        path.write_bytes(content)
        window.messages.clear()
        window.open_run(path)
        qtbot.waitUntil(lambda: window.messages.current is not None)
        assert said in window.messages.current.text
        assert window.session.runs == ()
        assert window.mode is Mode.ASSESS


def test_figures_of_the_runs_appear_and_name_their_task(application, qtbot, sample):
    window = ready(qtbot, application.open_project(sample))
    window.files.open_runs(sample_runs(sample)[:2])
    qtbot.waitUntil(lambda: len(window.session.runs) == 2)
    window.set_mode(Mode.INSPECT)
    runs = window.inspect.runs
    asked = runs.ask.findChildren(QPushButton)
    qtbot.mouseClick(next(b for b in asked if b.text() == "Relevant in context"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(window.inspect.board.figures.scores) == 2)
    assert runs.bar.task.text().startswith("Relevant in context")
    figures = [row.figures["MAgP"] for row in runs.table.model().rows]
    assert figures[0] > figures[1] > 0
    assert len(window.inspect.pair.chart.chart.series) == 2


def test_a_defect_is_logged_and_reported_without_a_traceback(application, qtbot, sample, caplog):
    window = ready(qtbot, application.open_project(sample))
    sys.excepthook(ZeroDivisionError, ZeroDivisionError("n = 0"), None)
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert "ZeroDivisionError" in window.messages.current.text
    assert caplog.records
    caplog.clear()


@pytest.fixture
def moved(sample):
    """A project whose articles were moved away, and where they are now."""
    with Project.open(sample) as project:
        topic, document = "2026003", project.pool("2026003")[0]
        project.mark(topic, document, 0, 40)
    articles = sample.with_name("sample-articles")
    there = sample.parent.parent / "elsewhere"
    articles.rename(there)
    return sample, there


def choose(monkeypatch, path):
    monkeypatch.setattr(
        "inexview.gui.services.settings.QFileDialog.getExistingDirectory", lambda *_: str(path or "")
    )


def click_message(qtbot, messages):
    qtbot.mouseClick(messages._button, Qt.MouseButton.LeftButton)


def test_a_moved_collection_is_reported_and_can_be_found_again(application, qtbot, moved, monkeypatch):
    project, there = moved
    assert application.open_project(project) is None
    message = application.start.messages.current
    assert "sample-articles" in message.text
    assert "sample.inexview" in message.text
    choose(monkeypatch, there)
    click_message(qtbot, application.start.messages)
    window = the_window(qtbot, application)
    assert window.session.project.state("2026003", window.session.pool[0]).marks.size == 40
    window.close()
    ready(qtbot, application.open_project(project))


def test_another_folder_than_the_collection_is_refused_and_can_be_chosen_again(
    application, qtbot, moved, monkeypatch, tmp_path
):
    project, _ = moved
    with Project.open(project, read_only=True) as untouched:
        before = untouched.contents.collection_path
    application.open_project(project)
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong" / "1.xml").write_text("<article/>")
    choose(monkeypatch, tmp_path / "wrong")
    click_message(qtbot, application.start.messages)
    told(qtbot, application.start.messages, "it contains none of the project's documents")
    with Project.open(project, read_only=True) as untouched:
        assert untouched.contents.collection_path == before
    choose(monkeypatch, None)
    click_message(qtbot, application.start.messages)
    assert application.windows == []


def test_the_collection_of_an_open_project_can_be_changed(application, qtbot, sample, monkeypatch, tmp_path):
    window = ready(qtbot, application.open_project(sample))
    there = sample.with_name("copied")
    (tmp_path / "empty").mkdir()
    shutil.copytree(sample.with_name("sample-articles"), there)
    choose(monkeypatch, tmp_path / "empty")
    window.book["find-collection"].trigger()
    told(qtbot, window.messages, "has no documents")
    assert application.windows == [window]
    choose(monkeypatch, there)
    window.book["find-collection"].trigger()
    qtbot.waitUntil(lambda: application.windows != [window])
    moved = the_window(qtbot, application)
    assert moved.session.project.contents.collection_path == there
    application.move(moved.session.project, moved, tmp_path / "gone meanwhile")
    assert "gone meanwhile" in application.start.messages.current.text
    Project.open(sample).close()  # which nothing holds any more


def test_topics_are_added_with_their_pool_and_the_window_shows_them(
    application, qtbot, sample, monkeypatch, tmp_path
):
    window = ready(qtbot, application.open_project(sample))
    before = [topic.id for topic in window.session.project.topics]
    document = window.session.pool[0]
    topics, pool = tmp_path / "more.xml", tmp_path / "more.txt"
    topics.write_text(
        f'<inex-topic-file><topic id="{before[0]}"><title>other words</title></topic>'
        '<topic id="99"><title>lamps</title></topic></inex-topic-file>',
        encoding="utf-8",
    )
    pool.write_text(f"99 {document}\n", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    window.book["add-topics"].trigger()
    assert application.windows == [window]
    chosen = iter([topics, pool])
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(next(chosen)), ""))
    window.book["add-topics"].trigger()
    qtbot.waitUntil(lambda: application.windows not in ([window], []))
    again = ready(qtbot, the_window(qtbot, application))
    assert [topic.id for topic in again.session.project.topics] == [*before, "99"]
    message = again.messages.current
    assert message.kind is MessageKind.WARNING
    assert "1 topic added" in message.text
    again.session.open_topic("99")
    qtbot.waitUntil(lambda: again.session.document is not None and again.session.document.id == document)
    assert list(again.session.pool) == [document]


def test_without_a_pool_the_collection_is_checked_by_judged_documents(
    application, qtbot, sample, monkeypatch, tmp_path
):
    articles, path = sample.with_name("sample-articles"), tmp_path / "whole.inexview"
    with Project.create(path, collection=articles, topics=[Topic("1", "lenses")]) as made:
        judged = made.pool("1")[0]
        made.not_relevant("1", judged)
    window = ready(qtbot, application.open_project(path))
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong" / "no-such.xml").write_text("<article/>")
    choose(monkeypatch, tmp_path / "wrong")
    window.book["find-collection"].trigger()
    told(qtbot, window.messages, f"it contains none of the project's documents, for example {judged}")
    assert application.windows == [window]


def test_a_project_that_is_only_read_can_be_pointed_to_its_articles_for_the_time_being(
    application, qtbot, moved, monkeypatch
):
    project, there = moved
    before = project.read_bytes()
    assert application.open_project(project, read_only=True) is None
    choose(monkeypatch, there)
    click_message(qtbot, application.start.messages)
    window = the_window(qtbot, application)
    assert window.session.project.read_only
    judged = window.session.project
    assert judged.state("2026003", judged.pool("2026003")[0]).marks.size == 40
    window.close()
    assert project.read_bytes() == before


def test_a_project_dropped_on_the_start_window_opens(application, qtbot, sample):
    start = application.show_start()
    assert drop(start, sample)
    (window,) = application.windows
    ready(qtbot, window)


def test_a_run_dropped_on_the_window_is_shown_over_the_text(application, qtbot, sample):
    window = ready(qtbot, application.open_project(sample))
    assert drop(window, sample.with_name("sample-runs") / "LM-passages.txt")
    qtbot.waitUntil(lambda: window.session.run is not None)
    assert "is not finished" in window.blind.question.current.text
    window.blind.question._button.click()
    assert window.mode is Mode.INSPECT


def test_the_question_before_runs_are_seen_stays_where_other_runs_come_and_those_are_no_answer(
    application, qtbot, sample
):
    window = ready(qtbot, application.open_project(sample))
    one, other = sorted(sample.with_name("sample-runs").glob("*.txt"))[:2]
    assert drop(window, one)
    qtbot.waitUntil(lambda: window.blind.question.current is not None)
    one.write_bytes(one.read_bytes())  # it is read again
    before = window.session.run
    qtbot.waitUntil(lambda: window.session.run is not before)
    assert "is not finished" in window.blind.question.current.text
    assert drop(window, other)
    qtbot.waitUntil(lambda: len(window.session.runs) == 2)
    assert window.mode is Mode.ASSESS
    assert "is not finished" in window.blind.question.current.text
    for run in window.session.runs:
        window.session.close_run(run)
    assert window.blind.question.current is None


def test_each_of_several_unreadable_runs_is_reported(application, qtbot, sample, tmp_path):
    window = ready(qtbot, application.open_project(sample))
    window.files.open_runs([tmp_path / "one.txt", tmp_path / "two.txt"])
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert "one.txt" in window.messages.current.text
    assert "two.txt" in window.messages.current.text


def test_qrels_dropped_as_if_they_were_a_run_are_offered_for_import(application, qtbot, sample):
    window = ready(qtbot, application.open_project(sample))
    for document in ("2041", "2077"):
        window.session.project.clear("2026001", document)
    qrels = Path("resources/sample/judgements.txt").resolve()
    assert drop(window, qrels)
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert "it has judgements" in window.messages.current.text
    assert window.session.runs == ()
    click_message(qtbot, window.messages)
    qtbot.waitUntil(lambda: window.session.project.state("2026001", "2041").finished)


def test_judgements_are_read_in_idle_moments(application, qtbot, sample):
    window = ready(qtbot, application.open_project(sample))
    qtbot.waitUntil(lambda: not window.reading_ahead.active)


def test_an_archive_that_is_replaced_while_it_is_open_can_be_loaded_again(application, qtbot, tmp_path):
    """What is shown stays where the new one is broken; then marks are compared with the new text."""
    archive, text = tmp_path / "articles.zip", "The quick fox jumps."

    def replace(*lines, broken=False):
        with ZipFile(tmp_path / "new.zip", "w") as made:
            for name in ("d1", "d2"):
                made.writestr(f"{name}.xml", article(name, *lines))
        if broken:
            (tmp_path / "new.zip").write_bytes(b"PK\3\4 and no more")
        (tmp_path / "new.zip").replace(archive)

    replace(text)
    (tmp_path / "pool.txt").write_text("7 d1\n7 d2\n")
    path = tmp_path / "foxes.inexview"
    Project.create(path, collection=archive, topics=[Topic("7", "foxes")], pool=tmp_path / "pool.txt").close()
    window = ready(qtbot, application.open_project(path))
    begin = window.session.document.text.index("quick")
    window.session.mark(begin, begin + 9)
    load = window.book["load-articles"]
    assert not load.isEnabled()
    kept = archive.stat()
    replace("Another story.", broken=True)
    QTest.keyClick(text_area(window.article), Qt.Key.Key_J)
    told(qtbot, window.messages, "articles.zip has changed on disk. You still see the old text.")
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "d2")
    click_message(qtbot, window.messages)
    told(qtbot, window.messages, "choose one of these. You still see the old text.")
    assert application.windows == [window]
    assert text in window.session.document.text
    replace("Once more.", text)
    os.utime(archive, ns=(kept.st_atime_ns, kept.st_mtime_ns + 10**9))
    window.messages.withdraw(window.messages.current)  # it goes by itself
    assert load.isEnabled(), "the menu still offers it"
    load.trigger()
    qtbot.waitUntil(lambda: application.windows != [window])
    again = the_window(qtbot, application)
    assert not again.book["load-articles"].isEnabled()
    assert (again.session.document.id, again.session.document.text[2:12]) == ("d2", "Once more.")
    told(qtbot, again.messages, "1 mark in 1 document reads differently now; nothing was moved.")
    assert again.session.state_of("d1").marks.size == 9
