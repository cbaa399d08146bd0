"""What the list of documents is sorted by: a quiet button over it, and what the figures in it are."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton

from inexview.gui.assess.pool_columns import Order
from inexview.gui.look.widgets import label

SHOW_RUNS = "Show what runs found"
BLIND = "An assessor should not know which documents systems found, nor how many did."


class OrderButton(QPushButton):
    """Opens a menu of orders; those of runs only after one asked to see what runs found."""

    chosen = Signal(object)  # Order
    runs_allowed = Signal(object)  # bool

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "plain")
        self.figure = label("marked", "note")
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        group = QActionGroup(self)
        self._orders = {order: menu.addAction(order.value) for order in Order}
        for order, action in self._orders.items():
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(partial(self._choose, order))
        menu.addSeparator()
        self._runs = menu.addAction(SHOW_RUNS)
        self._runs.setCheckable(True)
        self._runs.setToolTip(BLIND)
        self._runs.toggled.connect(lambda shown: self.runs_allowed.emit(shown))
        self.setMenu(menu)
        self.set_runs(there=False)
        self.show_order(Order.POOL)

    @property
    def shows_runs(self) -> bool:
        """Whether one asked to see what runs found."""
        return self._runs.isChecked()

    def set_runs(self, *, there: bool) -> None:
        """Offer what runs found, where runs are open or the pool tells of them."""
        self._runs.setEnabled(there)
        if not there:
            self._runs.setChecked(False)

    def show_order(self, order: Order) -> None:
        self._orders[order].setChecked(True)
        self.setText(order.value)
        self.setAccessibleName(f"Sorted by: {order.value}")
        self.figure.setText(order.figure)
        for other, action in self._orders.items():
            action.setVisible(self.shows_runs or not other.of_runs)

    def _choose(self, order: Order, _checked: bool = False) -> None:
        self.show_order(order)
        self.chosen.emit(order)
