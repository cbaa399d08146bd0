"""A list in which a click or Enter chooses: what is clicked is what is chosen."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QStringListModel, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from inexview.gui.look.layouts import in_column
from inexview.gui.look.panels import ChoosingView

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
