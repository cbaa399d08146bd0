"""Labels, scrolling parts, lists of choices and windows: each as large as it should be."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QStringListModel, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QLineEdit, QStyle, QWidget

from inexview.gui.look.panels import ChoosingView, ScrollingPanel
from inexview.gui.look.widgets import (
    PAINTED,
    ElidedLabel,
    Filler,
    WhenSeen,
    fit_to_screen,
    in_column,
    in_row,
    label,
)
from inexview.gui.shell.main_window import MainWindow
from tests.gui.driving import shown_window
from tests.projects import make_project


def test_a_longer_text_gets_its_room_although_the_briefest_is_shown_until_then(qtbot):
    row, told = QWidget(), ElidedLabel("? keys")
    in_row(told, Filler(1), on=row, margins=0)
    qtbot.addWidget(row)
    row.resize(600, 30)
    row.show()
    qtbot.waitUntil(lambda: told.text() == "? keys")
    told.set_text("J next · M miss · ? keys", briefer=["J next · ? keys", "? keys"])
    qtbot.waitUntil(lambda: told.text() == "J next · M miss · ? keys")
    row.setMinimumWidth(10)
    row.resize(told.width() // 2, 30)
    qtbot.waitUntil(lambda: told.text() == "? keys")
    row.resize(600, 30)
    qtbot.waitUntil(lambda: told.text() == told.full_text)


# What scrolls is never painted with less height than its lines need.


class PaintedHeights(QObject):
    """Notes at each paint of a label how high it is, and how high its text wants to be."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def eventFilter(self, watched, event):
        if event.type() is QEvent.Type.Paint:
            self.seen.append((watched.height(), watched.heightForWidth(watched.width())))
        return False


def test_lines_that_come_later_are_whole_in_the_first_picture_of_them(qtbot):
    told = [label("0.012", wrap=True) for _ in range(4)]
    inside, grid = QWidget(), QGridLayout()
    for at, one in enumerate(told):
        grid.addWidget(one, at, 0)
    in_column(on=inside).addLayout(grid)
    area = ScrollingPanel(inside)
    qtbot.addWidget(area)
    area.resize(200, told[0].sizeHint().height() * 6)
    with qtbot.waitExposed(area):
        area.show()
    qtbot.waitUntil(lambda: area.viewport().width() == inside.width())
    QApplication.processEvents()
    heights = PaintedHeights()
    for one in told:
        one.installEventFilter(heights)
    for one in told:
        one.setText("0.012   paired randomisation\n0.048   Holm, all pairs of the runs\nand more")
    qtbot.waitUntil(lambda: inside.height() > area.height())
    qtbot.waitUntil(lambda: len(heights.seen) > 1)
    assert [(high, needed) for high, needed in heights.seen if high < needed] == []


# A list in which a click or Enter chooses: what is clicked is what is chosen.

ROWS = [f"line {at}" for at in range(100)]


@pytest.fixture
def view(qapp, qtbot):
    """A list that is filled again after it had the keyboard, beside a field that has it."""
    window, field, made = QWidget(), QLineEdit(), ChoosingView("Lines")
    qtbot.addWidget(window)
    in_column(field, (made, 1), on=window)
    model = QStringListModel(ROWS, made)
    made.setModel(model)
    window.resize(200, 200)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    made.setFocus()
    field.setFocus()
    model.setStringList(ROWS)
    yield made
    window.close()


def test_the_line_under_the_mouse_is_chosen_also_in_a_list_that_was_scrolled(view, qtbot):
    at = QPointF(view.viewport().rect().center())
    turned = QWheelEvent(
        at,
        view.viewport().mapToGlobal(at),
        QPoint(),
        QPoint(0, -1200),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), turned)
    pointed = view.indexAt(at.toPoint()).row()
    assert pointed > 10
    chosen = []
    view.chosen.connect(lambda index: chosen.append(index.row()))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert chosen == [pointed]


def test_the_keyboard_lands_on_the_first_line(view, qtbot):
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert view.hasFocus()
    assert view.currentIndex().row() == 0


# A window opens no larger than its screen, and all of it is there.


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


class Smallest(Small):
    def availableGeometry(self) -> QRect:
        return QRect(0, 0, 960, 540)


@pytest.mark.parametrize("screen", [Small(), Smallest()])
def test_the_program_opens_whole_on_a_small_screen(qapp, tmp_path, monkeypatch, screen):
    monkeypatch.setattr(MainWindow, "screen", lambda _self: screen)
    room = screen.availableGeometry()
    with shown_window(qapp, make_project(tmp_path)) as window:
        assert window.width() <= room.width()
        title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
        assert window.height() <= room.height() - title
        assert window.minimumSizeHint().width() <= room.width()


#


def test_hidden_widgets_are_made_once_when_shown(qtbot):
    window, made = QWidget(), []
    qtbot.addWidget(window)
    panel = QWidget(window)
    seen = WhenSeen(panel, lambda: made.append(panel.isVisible()))
    seen.refresh()
    seen.refresh()
    assert not made
    window.show()
    assert made == [True]
    panel.hide()
    panel.show()
    assert len(made) == 1
    seen.refresh()
    assert len(made) == 2
    seen.refresh_after_others()
    assert len(made) == 2  # others are made and painted first
    qtbot.waitUntil(lambda: len(made) == 3)
    seen.refresh_after_others()
    seen.refresh()
    qtbot.wait(2 * PAINTED)
    assert len(made) == 4  # at once, and not once more
