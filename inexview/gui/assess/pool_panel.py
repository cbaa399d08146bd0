"""The panel on the left of Assess: the pool of the topic, how far it is, and what to open next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QLineEdit,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from inexview.core.judging import DocumentState
from inexview.gui.assess.pool_delegate import PoolDelegate
from inexview.gui.assess.pool_model import PoolModel, PoolRow, RowRole, Shown
from inexview.gui.catalogue import About
from inexview.gui.flow import FlowLayout
from inexview.gui.theme import Theme
from inexview.gui.widgets import ProgressStrip, caption, label


class PoolView(QListView):
    """The list itself: Return or a click opens, arrows only move the selection."""

    chosen = Signal(object)  # document id

    def __init__(self, model: PoolModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Documents of the pool")
        self.clicked.connect(self._choose)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Return; letters stay free for the window's keys."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex())
        elif event.text().isprintable() and event.text():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            row: PoolRow = index.data(RowRole)
            self.chosen.emit(row.document_id)


class PoolPanel(QWidget):
    """Progress, filters and the list of documents."""

    document_chosen = Signal(object)  # document id

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self.model = PoolModel(self)
        self.view = PoolView(self.model)
        self._delegate = PoolDelegate(self.view)
        self.view.setItemDelegate(self._delegate)
        self.view.chosen.connect(self.document_chosen)
        self._caption = caption("Pool")
        self._strip = ProgressStrip()
        self._told = label("", "muted", wrap=True)
        self.filter = QLineEdit(placeholderText="Filter titles", clearButtonEnabled=True)
        self.filter.setAccessibleName("Filter titles")
        self.filter.textChanged.connect(self._refilter)
        self.filter.returnPressed.connect(self._open_first)
        self._chips = QButtonGroup(self)
        self._seconds: Callable[[], Sequence[float]] = lambda: ()
        self._build()

    def _build(self) -> None:
        chips = FlowLayout()
        for shown in Shown:
            chip = QPushButton(shown.value)
            chip.setCheckable(True)
            chip.setChecked(shown is Shown.ALL)
            chip.setProperty("role", "chip")
            chip.setProperty("shown", shown)
            self._chips.addButton(chip)
            chips.addWidget(chip)
        self._chips.buttonToggled.connect(self._refilter)
        head = QVBoxLayout()
        head.setContentsMargins(14, 14, 14, 10)
        head.setSpacing(8)
        for widget in (self._caption, self._strip, self._told):
            head.addWidget(widget)
        head.addLayout(chips)
        head.addWidget(self.filter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.view, 1)

    # -- what is shown -------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._delegate.theme = theme
        self._strip.set_theme(theme)
        self.view.viewport().update()

    def set_pool(
        self,
        pool: Sequence[str],
        state: Callable[[str], DocumentState],
        seconds: Callable[[], Sequence[float]],
    ) -> None:
        """Show the pool of another topic; ``seconds`` gives the times that finished documents took."""
        self._seconds = seconds
        self.model.set_pool(pool, state)
        self._caption.setText(f"POOL · {len(pool):,} DOCUMENT{'S' if len(pool) != 1 else ''}")
        self._count()

    def set_about(self, about: Mapping[str, About]) -> None:
        """Learn titles and lengths."""
        self.model.set_about(about)

    def set_current(self, document_id: str | None) -> None:
        """Show which document is on the screen, and bring its row into view."""
        self.model.set_current(document_id)
        if document_id is not None and (row := self.model.row_of(document_id)) >= 0:
            self.view.setCurrentIndex(self.model.index(row))

    def update_state(self, document_id: str) -> None:
        """Show that a document is judged otherwise now."""
        self.model.update_state(document_id)
        self._count()

    def _count(self) -> None:
        progress = self.model.progress()
        whole = max(progress.documents, 1)
        self._strip.set_parts(progress.relevant / whole, progress.not_relevant / whole)
        self._told.setText(progress.sentence(self._seconds()))
        counts = {
            Shown.ALL: None,
            Shown.TO_DO: progress.to_do,
            Shown.RELEVANT: progress.relevant,
            Shown.NOT_RELEVANT: progress.not_relevant,
        }
        for chip in self._chips.buttons():
            shown: Shown = chip.property("shown")
            count = counts[shown]
            chip.setText(shown.value if count is None else f"{shown.value} {count:,}")

    def _refilter(self) -> None:
        chip = self._chips.checkedButton()
        if chip is not None:
            self.model.set_filter(chip.property("shown"), self.filter.text())
            self._keep_current()

    def _keep_current(self) -> None:
        for row in range(self.model.rowCount()):
            if self.model.index(row).data(RowRole).current:
                self.view.setCurrentIndex(self.model.index(row))
                return

    def _open_first(self) -> None:
        if self.model.rowCount():
            self.document_chosen.emit(self.model.index(0).data(RowRole).document_id)
            self.view.setFocus()
