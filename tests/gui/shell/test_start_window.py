"""The start window and the dialog that makes a project."""

from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt

from inexview.core.files import is_archive
from inexview.gui.commands.dialogs import NewProjectDialog
from inexview.gui.services.settings import ASSESSOR, KEYS, RECENT, archive_files
from inexview.gui.services.tasks import Tasks
from inexview.gui.shell import start_window
from inexview.gui.shell.start_window import StartWindow


@pytest.fixture
def start(qtbot, settings, tmp_path):
    for name in ("old", "new"):
        (tmp_path / f"{name}.inexview").touch()
        settings.remember_project(tmp_path / f"{name}.inexview")
    tasks = Tasks(lambda error: pytest.fail(str(error)))
    made = StartWindow(settings, tasks)
    qtbot.addWidget(made)
    made.show()
    yield made
    tasks.close()


def test_the_newest_project_is_first_and_a_click_opens_it(start, qtbot, tmp_path):
    place = start.recent.visualItemRect(start.recent.item(0)).center()
    with qtbot.waitSignal(start.project_chosen) as chosen:
        qtbot.mouseClick(start.recent.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == [tmp_path / "new.inexview"]


def test_return_opens_and_delete_forgets(start, qtbot, settings, tmp_path):
    start.recent.setFocus()
    qtbot.keyClick(start.recent, Qt.Key.Key_Delete)
    assert settings.get(RECENT) == [str(tmp_path / "old.inexview")]
    with qtbot.waitSignal(start.project_chosen) as chosen:
        qtbot.keyClick(start.recent, Qt.Key.Key_Return)
    assert chosen.args == [tmp_path / "old.inexview"]


def gone(qtbot, start, row):
    qtbot.waitUntil(lambda: "not there now" in start.recent.item(row).text())
    return True


def test_a_project_that_is_gone_is_listed_as_gone(start, qtbot, tmp_path, monkeypatch):
    """And a drive that does not answer holds nothing up."""
    answers = Event()
    monkeypatch.setattr(start_window, "is_there", lambda path: answers.wait(20) and path.stem != "old")
    before = start.recent.grab().toImage()
    start.refresh()
    assert start.recent.grab().toImage() == before
    answers.set()
    assert gone(qtbot, start, 1)
    assert "not there now" not in start.recent.item(0).text()
    assert start.recent.grab().toImage() != before  # not by its text alone


def test_a_name_that_no_file_system_takes_is_listed_as_gone(start, qtbot, settings):
    """Path itself raises for it, as it does on a drive that was taken away."""
    settings.remember_project(Path("/", "x" * 300, "far.inexview"))
    start.refresh()
    assert gone(qtbot, start, 0)


def test_buttons_ask_for_what_they_say(start, qtbot):
    for button, wanted in (
        (start.sample, "open-sample"),
        (start.new, "new-project"),
        (start.open, "open-project"),
    ):
        with qtbot.waitSignal(start.asked) as asked:
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert asked.args == [wanted]


def test_the_keys_of_a_project_without_one_are_those_of_its_window(start, qtbot, settings):
    settings.set(KEYS, {"open-project": ["Ctrl+P"]})
    start.activateWindow()
    for key, wanted in ((Qt.Key.Key_N, "new-project"), (Qt.Key.Key_P, "open-project")):
        with qtbot.waitSignal(start.asked) as asked:
            qtbot.keyClick(start.recent, key, Qt.KeyboardModifier.ControlModifier)
        assert asked.args == [wanted]
    assert "Ctrl+P" in start.open.toolTip()
    qtbot.keyClick(start.recent, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert not start.isVisible()


@pytest.fixture
def dialog(qtbot, settings):
    made = NewProjectDialog(settings)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.reject()


def test_the_dialog_says_what_is_missing_until_nothing_is(dialog, qtbot, tmp_path, settings):
    (tmp_path / "articles").mkdir()
    (tmp_path / "topics.xml").touch()
    assert not dialog._create.isEnabled()
    qtbot.keyClicks(dialog.collection.line, str(tmp_path / "nowhere"))
    assert dialog._missing.text() == "The collection is not there."
    dialog.collection.line.clear()
    qtbot.keyClicks(dialog.collection.line, str(tmp_path / "articles"))
    qtbot.keyClicks(dialog.topics.line, str(tmp_path / "topics.xml"))
    qtbot.keyClicks(dialog.path.line, str(tmp_path / "mine"))
    qtbot.keyClicks(dialog.assessor, "Ada")
    assert dialog._create.isEnabled()
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog._create, Qt.MouseButton.LeftButton)
    told = dialog.chosen()
    assert told.path == tmp_path / "mine.inexview"
    assert (told.collection, told.pool, told.assessor) == (tmp_path / "articles", None, "Ada")
    assert settings.get(ASSESSOR) == "Ada"


def test_a_file_that_is_there_is_not_overwritten(dialog, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "t.xml").touch()
    (tmp_path / "mine.inexview").touch()
    for field, name in ((dialog.collection, "a"), (dialog.topics, "t.xml"), (dialog.path, "mine")):
        field.line.setText(str(tmp_path / name))
    assert "of this name already" in dialog._missing.text()
    assert not dialog._create.isEnabled()


def test_who_has_projects_goes_on_with_the_last_by_return(qtbot, start, tmp_path):
    assert start.focusWidget() is start.recent
    with qtbot.waitSignal(start.project_chosen) as chosen:
        qtbot.keyClick(start.focusWidget(), Qt.Key.Key_Return)
    assert chosen.args == [tmp_path / "new.inexview"]


def test_on_a_small_screen_nothing_is_cut(start, qtbot):
    start.resize(400, 400)
    qtbot.waitUntil(lambda: start.recent.width() >= 340)
    for button in (start.sample, start.new, start.open):
        assert start.rect().contains(button.geometry())
    assert start.recent.height() >= 110
    assert start.recent.geometry().top() >= start.open.geometry().bottom()


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "tgz", "tar.bz2", "tbz2", "tbz", "tar.xz", "txz"])
def test_the_window_knows_every_kind_of_archive_that_can_be_opened(kind):
    assert is_archive(Path(f"wiki.{kind}"))
    assert f"*.{kind}" in archive_files()
