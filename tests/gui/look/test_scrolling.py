"""What scrolls is never painted with less height than its lines need."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget

from inexview.gui.look.layouts import in_column
from inexview.gui.look.panels import scrolling
from inexview.gui.look.widgets import label


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
    area = scrolling(inside)
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
