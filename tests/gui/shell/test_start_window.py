"""The start window and the dialog that makes a project."""

from datetime import datetime
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QDragLeaveEvent, QKeyEvent
from PySide6.QtWidgets import QApplication

from inexview.core.files import is_archive
from inexview.gui.commands.dialogs import NewProjectDialog
from inexview.gui.look.widgets import derived
from inexview.gui.services.actions import BOUNCE
from inexview.gui.services.settings import ASSESSOR, KEYS, RECENT, STATES, archive_files
from inexview.gui.services.tasks import Tasks
from inexview.gui.shell import start_sheet
from inexview.gui.shell.start_sheet import WhenRole, links
from inexview.gui.shell.start_window import StartWindow
from tests.gui.driving import drag_enter


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
    qtbot.waitUntil(lambda: "Not there now" in start.recent.item(row).text())
    return True


def test_a_missing_project_is_listed_as_missing(start, qtbot, tmp_path, monkeypatch):
    """And a drive that does not answer holds nothing up."""
    answers = Event()
    monkeypatch.setattr(start_sheet, "is_there", lambda path: answers.wait(20) and path.stem != "old")
    before = start.recent.grab().toImage()
    start.refresh()
    assert start.recent.grab().toImage() == before
    answers.set()
    assert gone(qtbot, start, 1)
    assert "Not there now" not in start.recent.item(0).text()
    assert start.recent.grab().toImage() != before  # not by its text alone


def test_a_name_that_no_file_system_takes_is_listed_as_gone(start, qtbot, settings):
    """Path itself raises for it, as it does on a drive that was taken away."""
    settings.remember_project(Path("/", "x" * 300, "far.inexview"))
    start.refresh()
    assert gone(qtbot, start, 0)


WAYS = (("1", "new-project"), ("2", "look-at-runs"), ("3", "open-other"), ("S", "open-sample"))


def test_a_click_and_a_key_take_the_same_way(start, qtbot):
    ringed = (*start.ways, start.sample)
    for place, (key, wanted) in zip(ringed, WAYS, strict=True):
        for take in (
            lambda place=place: qtbot.mouseClick(place, Qt.MouseButton.LeftButton),
            lambda key=key: qtbot.keyClick(start.recent, key, delay=2 * BOUNCE),
        ):
            with qtbot.waitSignal(start.asked) as asked:
                take()
            assert asked.args == [wanted]
    with qtbot.waitSignal(start.asked) as asked:
        qtbot.mouseClick(start.area.browse, Qt.MouseButton.LeftButton)
    assert asked.args == ["browse"]


def test_the_keys_of_a_project_without_one_are_those_of_its_window(start, qtbot, settings):
    settings.set(KEYS, {"open-project": ["Ctrl+P"]})
    start.activateWindow()
    for key, wanted in (
        (Qt.Key.Key_N, "new-project"),
        (Qt.Key.Key_P, "browse"),
        (Qt.Key.Key_Comma, "settings"),
    ):
        with qtbot.waitSignal(start.asked) as asked:
            qtbot.keyClick(start.recent, key, Qt.KeyboardModifier.ControlModifier)
        assert asked.args == [wanted]
    assert "Ctrl+P" in start.area.browse.toolTip()
    qtbot.keyClick(start.recent, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert not start.isVisible()


def test_arrows_move_between_choices_and_tab_leaves_them(start, qtbot):
    start.activateWindow()
    start.ways[0].setFocus()
    for key, at in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Down, 2), (Qt.Key.Key_Down, 0), (Qt.Key.Key_Up, 2)):
        qtbot.keyClick(start.focusWidget(), key)
        assert start.focusWidget() is start.ways[at]
    with qtbot.waitSignal(start.asked) as asked:
        qtbot.keyClick(start.focusWidget(), Qt.Key.Key_Return)
    assert asked.args == ["open-other"]
    stops = []
    for _ in range(3):
        qtbot.keyClick(start.focusWidget(), Qt.Key.Key_Tab)
        stops.append(start.focusWidget())
    assert stops == [start.area.browse, start.recent, start.sample]


def test_enter_that_is_held_takes_a_way_once(start, qtbot):
    start.ways[0].setFocus()
    asked = []
    start.asked.connect(asked.append)
    qtbot.keyClick(start.ways[0], Qt.Key.Key_Return)
    for _ in range(3):
        again = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True)
        QApplication.sendEvent(start.focusWidget(), again)
    assert asked == ["new-project"]


def test_the_ring_is_on_the_sample_at_first_and_then_on_the_way_that_was_taken(qtbot, settings):
    tasks = Tasks(lambda error: pytest.fail(str(error)))
    start = StartWindow(settings, tasks)
    qtbot.addWidget(start)
    start.show()
    assert start.focusWidget() is start.sample
    assert not start.recent.isVisible()
    qtbot.mouseClick(start.ways[1], Qt.MouseButton.LeftButton)
    start.refresh()
    assert start.focusWidget() is start.ways[1]
    tasks.close()


def test_a_missing_project_can_be_found_or_removed(start, qtbot, tmp_path, settings):
    (tmp_path / "old.inexview").unlink()
    start.refresh()
    assert gone(qtbot, start, 1)
    assert start.recent.item(1).text() == f"old\nNot there now: {tmp_path / 'old.inexview'}"
    row = start.recent.visualItemRect(start.recent.item(1))
    places = links(row, derived(start.recent.font(), factor=0.93))
    opened, sought = [], []
    start.project_chosen.connect(opened.append)
    start.project_sought.connect(sought.append)
    view = start.recent.viewport()
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=row.center())
    assert (opened, sought) == ([], [])
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=places["Find…"].center())
    assert sought == [tmp_path / "old.inexview"]
    start.recent.setCurrentRow(1)
    qtbot.keyClick(start.recent, Qt.Key.Key_Return)
    assert sought == 2 * [tmp_path / "old.inexview"]
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=places["Remove"].center())
    assert settings.get(RECENT) == [str(tmp_path / "new.inexview")]


def test_a_project_that_is_back_opens_again(start, qtbot, tmp_path):
    (tmp_path / "new.inexview").unlink()
    start.refresh()
    assert gone(qtbot, start, 0)
    (tmp_path / "new.inexview").touch()
    place = start.recent.visualItemRect(start.recent.item(0)).center()
    qtbot.mouseClick(start.recent.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: "Not there now" not in start.recent.item(0).text())
    with qtbot.waitSignal(start.project_chosen):
        qtbot.mouseClick(start.recent.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_a_row_shows_the_work_of_a_project_and_its_last_use(start, settings, tmp_path):
    when = datetime.now().astimezone().replace(hour=0, minute=5).isoformat()
    settings.set(STATES, {str(tmp_path / "new.inexview"): ["Judging · 5 topics", when]})
    before = start.recent.grab().toImage()
    start.refresh()
    assert start.recent.item(0).text() == "new\nJudging · 5 topics"
    assert start.recent.item(0).data(WhenRole) == "today, 00:05"
    assert start.recent.grab().toImage() != before


def test_the_menu_of_a_row_shows_its_folder_or_removes_it(start, qtbot, settings, tmp_path):
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), QPoint(5, 5))
    QApplication.sendEvent(start.recent, asked)
    menu = QApplication.activePopupWidget()
    assert [one.text() for one in menu.actions()] == ["Show folder", "Remove from this list"]
    place = menu.actionGeometry(menu.actions()[1]).center()
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
    assert settings.get(RECENT) == [str(tmp_path / "old.inexview")]


def test_files_can_be_dropped_anywhere_on_the_window(start, tmp_path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    QApplication.sendEvent(start, drag_enter(data))
    assert start.area.heading.text() == "Drop it to see what it is"
    QApplication.sendEvent(start, QDragLeaveEvent())
    assert start.area.heading.text() == "Drop a file or folder here"


@pytest.fixture
def dialog(qtbot, settings):
    made = NewProjectDialog(settings)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.reject()


def test_the_dialog_lists_missing_values(dialog, qtbot, tmp_path, settings):
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
    assert "of this name exists already" in dialog._missing.text()
    assert not dialog._create.isEnabled()


def test_return_opens_the_last_project(qtbot, start, tmp_path):
    assert start.focusWidget() is start.recent
    with qtbot.waitSignal(start.project_chosen) as chosen:
        qtbot.keyClick(start.focusWidget(), Qt.Key.Key_Return)
    assert chosen.args == [tmp_path / "new.inexview"]


def test_in_a_narrow_window_the_projects_are_below_the_ways_in(start, qtbot):
    def at(part):
        return part.mapTo(start, QPoint(0, 0))

    start.resize(1200, 800)
    assert at(start.recent).x() > at(start.ways[0]).x() + start.ways[0].width()
    start.resize(420, 400)
    qtbot.waitUntil(lambda: at(start.recent).y() > at(start.area).y() + start.area.height())
    assert start.recent.width() >= 340
    for part in (*start.ways, start.area, start.sample):
        assert 0 <= at(part).x() <= at(part).x() + part.width() <= start.width()


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "tgz", "tar.bz2", "tbz2", "tbz", "tar.xz", "txz"])
def test_the_window_knows_every_kind_of_archive_that_can_be_opened(kind):
    assert is_archive(Path(f"wiki.{kind}"))
    assert f"*.{kind}" in archive_files()
