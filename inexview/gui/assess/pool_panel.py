"""The panel on the left of Assess: the pool of the topic, how far it is, and what to open next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from PySide6.QtCore import QItemSelectionModel, QTimer, Signal
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QPushButton, QVBoxLayout, QWidget

from inexview.core.project.judging_actions import DocumentState
from inexview.gui.assess.pool_delegate import PoolDelegate
from inexview.gui.assess.pool_model import PoolModel, Shown
from inexview.gui.assess.pool_progress import PoolProgress
from inexview.gui.assess.pool_view import PoolView
from inexview.gui.look.flow import FlowLayout
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import ProgressStrip, caption, label
from inexview.gui.services.catalogue import CatalogueEntry

TYPED_AFTER = 150  # milliseconds without a key before a long list is filtered


class PoolPanel(QWidget):
    """Progress, filters and the list of documents."""

    document_chosen = Signal(object)  # document id

    def __init__(self, not_relevant_key: Callable[[], str] = lambda: "N") -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self._not_relevant_key = not_relevant_key
        self._progress = PoolProgress(0, 0, 0)
        self._known = True
        self.model = PoolModel(self)
        self.view = PoolView(self.model)
        self._delegate = PoolDelegate(self.view)
        self.view.set_delegate(self._delegate)
        self.view.chosen.connect(self.document_chosen)
        self.view.several.connect(lambda _count: self._tell())
        self._caption = caption("Pool")
        self._strip = ProgressStrip()
        self._told = label("", "muted", wrap=True)
        self.filter = QLineEdit(placeholderText="Filter titles", clearButtonEnabled=True)
        self.filter.setAccessibleName("Filter titles")
        self._refilter_soon = QTimer(self, singleShot=True, interval=TYPED_AFTER)
        self._refilter_soon.timeout.connect(self._refilter)
        self.filter.textChanged.connect(self._type)
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
        self._chips.buttonClicked.connect(self._refilter)
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

    def let_go(self) -> bool:
        """Let go of several selected documents, else of the filter; False where there is neither."""
        if not self.isVisible():
            return False
        if self.view.let_go():
            return True
        filtered = bool(self.filter.text())
        self.filter.clear()
        return filtered

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
        touched: Callable[[], Iterable[str]] | None = None,
        *,
        known: bool = True,
        read: bool = True,
    ) -> None:
        """Show the pool of another topic; not ``known``: as long as the collection is not indexed.

        As long as its states are not ``read``, nothing is counted: see ``count``.

        ``seconds`` gives the times that finished documents took; see :class:`PoolModel` for the rest.
        """
        self._seconds = seconds
        self.model.set_pool(pool, state, touched, read=read)
        self._known = known
        count = f" · {len(pool):,} DOCUMENT{'S' if len(pool) != 1 else ''}" if known else ""
        self._caption.setText(f"POOL{count}")
        self._count()

    def count(self) -> None:
        """Count the documents and filter them by how they stand: that is known of all of them now."""
        self.model.set_read()
        self._keep_current()
        self._count()

    def set_about(self, about: Mapping[str, CatalogueEntry]) -> None:
        """Learn titles and lengths."""
        self.model.set_about(about)

    def set_current(self, document_id: str | None) -> None:
        """Show which document is on the screen, and bring its row into view."""
        self.model.set_current(document_id)
        if document_id is not None and (row := self.model.row_of(document_id)) >= 0:
            following = self.model.index(min(row + 1, self.model.rowCount() - 1))
            self.view.scrollTo(following)  # one sees what comes next
            # Not the view's own setCurrentIndex, which adds to the selection while Ctrl is held (Ctrl+J).
            only = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.view.selectionModel().setCurrentIndex(self.model.index(row), only)
        else:
            self.view.clearSelection()  # a run can lead to documents outside the pool

    def update_states(self, documents: Iterable[str]) -> None:
        """Show that documents are judged otherwise now."""
        self.model.update_states(documents)
        self._count()

    def _count(self) -> None:
        progress = self.model.progress() if self.model.read else PoolProgress(0, 0, 0)
        whole = max(progress.documents, 1)
        self._strip.set_parts(progress.relevant / whole, progress.not_relevant / whole)
        self._progress = progress
        self._tell()
        counts = {
            Shown.ALL: None,
            Shown.TO_DO: progress.to_do,
            Shown.RELEVANT: progress.relevant,
            Shown.NOT_RELEVANT: progress.not_relevant,
        }
        for chip in self._chips.buttons():
            shown: Shown = chip.property("shown")
            count = counts[shown] if self.model.read else None
            chip.setText(shown.value if count is None else f"{shown.value} {count:,}")

    def _tell(self) -> None:
        """Say how far one is; while several documents are selected, what can be done with them."""
        several = self.view.selected_count()
        if several > 1:
            self._told.setText(f"{several:,} documents selected · {self._not_relevant_key()} not relevant")
        elif not self._known:
            self._told.setText("Its documents are listed once the collection is indexed.")
        elif not self.model.read:
            self._told.setText("Reading what is judged…")
        else:
            self._told.setText(self._progress.sentence(self._seconds()))

    def _type(self) -> None:
        if self.model.long:
            self._refilter_soon.start()
        else:
            self._refilter()

    def _refilter(self) -> None:
        self._refilter_soon.stop()
        chip = self._chips.checkedButton()
        if chip is not None:
            self.model.set_filter(chip.property("shown"), self.filter.text())
            self._keep_current()

    def _keep_current(self) -> None:
        current = self.model.current
        if current is not None and (row := self.model.row_of(current)) >= 0:
            self.view.setCurrentIndex(self.model.index(row))

    def _open_first(self) -> None:
        if self._refilter_soon.isActive():
            self._refilter()
        if self.model.rowCount():
            self.document_chosen.emit(self.model.document_at(0))
