"""Help ▸ Where things are: sizes, showing, and deleting just what was asked for."""

from __future__ import annotations

from contextlib import closing
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from inexview.gui.commands import kept_places
from inexview.gui.commands.kept_places import KeptPlace, KeptPlaces
from inexview.gui.services.tasks import Tasks


@pytest.fixture
def places(tmp_path):
    (tmp_path / "settings.ini").write_text("x" * 100_000)
    (tmp_path / "cache" / "deep").mkdir(parents=True)
    (tmp_path / "cache" / "deep" / "list").write_bytes(b"x" * 1_500_000)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "article.xml").write_text("<a/>")
    (tmp_path / "cache" / "link").symlink_to(tmp_path / "mine")
    return (
        KeptPlace("Settings", tmp_path / "settings.ini", "They go back."),
        KeptPlace("Lists", tmp_path / "cache", "They are made again."),
        KeptPlace("Log", tmp_path / "none", "Nothing."),
    )


@pytest.fixture
def dialog(qtbot, places):
    with closing(Tasks(pytest.fail)) as tasks:
        made = KeptPlaces(tasks, None, places)
        qtbot.addWidget(made)
        made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
        made.open()
        qtbot.waitUntil(lambda: made.sizes[0].text() != "")
        yield made
        made.close()


def test_sizes_are_shown_and_missing_parts_have_no_buttons(dialog):
    assert [size.text() for size in dialog.sizes] == ["100 kB", "1.5 MB", "nothing yet"]
    assert [one.isEnabled() for one in dialog.deletes] == [True, True, False]
    assert [one.isEnabled() for one in dialog.shows] == [True, True, False]


def test_deletion_asks_first_and_deletes_nothing_else(qtbot, dialog, places, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(kept_places, "ask", lambda *told: bool(asked.append(told)))
    QTest.mouseClick(dialog.deletes[1], Qt.MouseButton.LeftButton)
    assert asked[0][1:] == (f"Delete {places[1].path}?", "They are made again.", "Delete")
    assert places[1].path.exists()
    monkeypatch.setattr(kept_places, "ask", lambda *_told: True)
    QTest.mouseClick(dialog.deletes[1], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.sizes[1].text() == "nothing yet")
    assert not places[1].path.exists()
    assert (tmp_path / "mine" / "article.xml").exists(), "where a link led"
    assert places[0].path.exists()
    assert dialog.told.text() == f"{places[1].path} is deleted."


def test_a_failed_deletion_is_reported(qtbot, dialog, places, monkeypatch):
    def refuse(_place):
        raise PermissionError(13, "Permission denied", str(places[0].path))

    monkeypatch.setattr(kept_places, "ask", lambda *_told: True)
    monkeypatch.setattr(KeptPlace, "delete", refuse)
    QTest.mouseClick(dialog.deletes[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.told.text() != "")
    assert dialog.told.text() == f"{places[0].path}: Permission denied."
    assert places[0].path.exists()


def test_folders_are_shown_and_of_a_file_its_folder(dialog, places, monkeypatch):
    shown = []
    monkeypatch.setattr(kept_places.QDesktopServices, "openUrl", lambda url: shown.append(url.toLocalFile()))
    for button in dialog.shows[:2]:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert shown == [str(places[0].path.parent), str(places[1].path)]


def test_esc_closes_it_and_the_places_are_those_of_this_user(qtbot, dialog, own_home):
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.result() == QDialog.DialogCode.Rejected
    assert all(place.path.is_relative_to(own_home) for place in kept_places.kept_places())
    assert all(place.lost.endswith(".") for place in kept_places.kept_places())


def test_a_dialog_may_be_closed_while_it_deletes(qtbot, places, monkeypatch):
    may_go_on, deleted = Event(), []
    monkeypatch.setattr(kept_places, "ask", lambda *_told: True)
    delete = KeptPlace.delete
    monkeypatch.setattr(KeptPlace, "delete", lambda one: may_go_on.wait(20) and delete(one))
    with closing(Tasks(pytest.fail)) as tasks:
        dialog = KeptPlaces(tasks, None, places)
        dialog.destroyed.connect(lambda: deleted.append(True))
        dialog.open()
        qtbot.waitUntil(lambda: dialog.deletes[1].isEnabled())
        QTest.mouseClick(dialog.deletes[1], Qt.MouseButton.LeftButton)
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: bool(deleted))
        with qtbot.waitSignal(tasks._finished):
            may_go_on.set()
    assert not places[1].path.exists()
