"""A label that says less where there is less room, and more as soon as there is more."""

from PySide6.QtWidgets import QWidget

from inexview.gui.look.layouts import Filler, in_row
from inexview.gui.look.widgets import ElidedLabel


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
