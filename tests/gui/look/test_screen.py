"""A window opens no larger than its screen, and all of it is there."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QStyle, QWidget

from inexview.gui.look.widgets import fit_to_screen
from inexview.gui.shell.main_window import MainWindow
from tests.gui.driving import shown_window
from tests.projects import make_project


class Small:
    """A screen with a bar at its top."""

    def availableGeometry(self) -> QRect:
        return QRect(0, 30, 1280, 690)


@pytest.mark.parametrize(
    ("wanted", "placed"),
    [
        (QRect(0, 30, 1440, 900), QRect(0, 30, 1280, -1)),
        (QRect(1000, 600, 400, 300), QRect(880, -1, 400, 300)),
        (QRect(-50, 0, 400, 300), QRect(0, 30, 400, 300)),
        (QRect(100, 100, 400, 300), QRect(100, 100, 400, 300)),
    ],
)
def test_a_window_is_brought_onto_its_screen(qtbot, monkeypatch, wanted, placed):
    window = QWidget()
    qtbot.addWidget(window)
    monkeypatch.setattr(window, "screen", Small)
    window.setGeometry(wanted)
    fit_to_screen(window)
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    if placed.height() < 0:  # as high as the screen leaves room for below its title
        placed.setHeight(690 - title)
    if placed.y() < 0:
        placed.moveTop(720 - title - placed.height())
    assert window.geometry() == placed


def test_the_program_opens_whole_on_a_small_screen(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(MainWindow, "screen", lambda _self: Small())
    with shown_window(qapp, make_project(tmp_path)) as window:
        assert window.width() <= 1280
        assert window.height() < 690
        assert window.minimumSizeHint().width() <= 1280
