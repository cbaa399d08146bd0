"""The panel on the left of Assess: the pool of the topic, how far it is, and what to open next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QGridLayout,
    QLineEdit,
    QWidget,
)

from inexview.core.judgements.qrels import PooledDocument
from inexview.core.judgements.runs import Run, findings
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.wording import counted
from inexview.gui.assess.pool_chips import PoolChips
from inexview.gui.assess.pool_columns import Order, Shown, Signs
from inexview.gui.assess.pool_delegate import PoolDelegate
from inexview.gui.assess.pool_model import PoolModel
from inexview.gui.assess.pool_order import OrderButton
from inexview.gui.assess.pool_progress import PoolProgress
from inexview.gui.assess.pool_view import PoolView
from inexview.gui.look.layouts import Filler, in_column, in_row
from inexview.gui.look.progress_ring import ProgressRing
from inexview.gui.look.theme import Theme
from inexview.gui.look.timers import timer
from inexview.gui.look.widgets import BriefButton, Caption, ElidedLabel, KeySign, label, rule
from inexview.gui.services.catalogue import CatalogueEntry

TYPED_AFTER = 150  # milliseconds without a key before a long list is filtered


class PoolPanel(QWidget):
    """How far the pool is, its filters, and the list of its documents."""

    document_chosen = Signal(object)  # document id
    more_wanted = Signal()  # documents from outside the pool

    def __init__(self, not_relevant_key: Callable[[], str] = lambda: "N") -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self._not_relevant_key = not_relevant_key
        self._known = True
        self._wanted = Shown.TO_DO  # the chip that was chosen last
        self._runs: tuple[Sequence[Run], str, Sequence[PooledDocument]] = ((), "", ())
        self.model = PoolModel(self)
        self.view = PoolView(self.model)
        self._delegate = PoolDelegate(self.view)
        self.view.set_delegate(self._delegate)
        self.view.chosen.connect(self.document_chosen)
        self.view.several.connect(lambda _count: self._tell())
        self.model.refilled.connect(self._on_refilled)
        self.model.unreadable_noted.connect(self._count)
        self._caption = Caption("Pool")
        self._ring = ProgressRing()
        self._told = label("", "value", wrap=True)
        self._pace = ElidedLabel(role="muted")
        self.filter = QLineEdit(placeholderText="Filter titles", clearButtonEnabled=True)
        self.filter.setAccessibleName("Filter titles")
        self._refilter_soon = timer(self, self._refilter, TYPED_AFTER)
        self.filter.textChanged.connect(self._type)
        self.filter.returnPressed.connect(self._open_first)
        self._untitled = label("", "note")
        self._unread = 0
        self._chips = PoolChips()
        self.order = OrderButton()
        self.order.chosen.connect(self._reorder)
        self.order.runs_allowed.connect(lambda _allowed: self._show_runs())
        self._seconds: Callable[[], Sequence[float]] = lambda: ()
        self.untitled: Callable[[], int] = lambda: 0
        self._build()

    def show_filter_key(self, action: QAction) -> None:
        """Show the key of an action in the empty field that it leads to."""
        sign = KeySign(action)
        in_row(Filler(0), (sign, 0, Qt.AlignmentFlag.AlignVCenter), on=self.filter, margins=(0, 0, 8, 0))
        self.filter.textChanged.connect(lambda text: sign.setVisible(not text and bool(sign.text())))

    def _build(self) -> None:
        self.model.shown = self._chips.current
        self._chips.chosen.connect(self._choose_chip)
        far = QGridLayout()
        far.setHorizontalSpacing(10)
        far.setVerticalSpacing(1)
        far.setColumnStretch(1, 1)
        far.addWidget(self._ring, 0, 0, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        far.addWidget(self._told, 0, 1, Qt.AlignmentFlag.AlignBottom)
        far.addWidget(self._pace, 1, 1, Qt.AlignmentFlag.AlignTop)
        head = in_column(
            self._caption,
            far,
            self._chips,
            self.filter,
            self._untitled,
            margins=(14, 14, 14, 9),
            spacing=9,
        )
        self._untitled.hide()
        # With the padding of a button as far in as all above; so is the one below the list.
        order = in_row(self.order, Filler(1), self.order.figure, margins=(8, 0, 14, 4))
        more = BriefButton("+  Add a document from the collection…", "+  Add a document…")
        more.setProperty("role", "plain")
        more.clicked.connect(self.more_wanted)
        foot = in_row(more, Filler(1), margins=(8, 2, 8, 4))
        in_column(head, order, (self.view, 1), rule(), foot, on=self, margins=0, spacing=0)

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
        self._delegate.theme = theme
        self._ring.set_theme(theme)
        self._chips.set_theme(theme)
        self.view.viewport().update()

    def set_pool(
        self,
        pool: Sequence[str],
        state: Callable[[str], DocumentState],
        seconds: Callable[[], Sequence[float]],
        touched: Callable[[], Iterable[str]] | None = None,
        *,
        time_of: Callable[[str], float] = lambda _document: 0.0,
        signs: Signs | None = None,
        known: bool = True,
        read: bool = True,
    ) -> None:
        """Show the pool of another topic; not ``known``: as long as the collection is not indexed.

        As long as its states are not ``read``, nothing is counted: see ``count``.

        ``seconds`` gives the times that finished documents took, ``time_of`` that of any; see
        :class:`PoolModel` for the rest.
        """
        self._seconds = seconds
        self.model.set_pool(pool, state, touched, time_of, signs=signs, read=read)
        self._known = known
        self._show_wanted()
        self._caption.set_text(f"Pool · {counted(len(pool), 'document')}" if known else "Pool")
        self._count()

    def count(self) -> None:
        """Count the documents and filter them by how they are judged: that is known of all of them now."""
        self.model.set_read()
        self._show_wanted()
        self._count()

    def set_runs(self, runs: Sequence[Run], topic: str, pooled: Sequence[PooledDocument] = ()) -> None:
        """Take runs, and what the pool says of others: it is shown as soon as one asks to see it."""
        self._runs = (runs, topic, pooled)
        self.order.set_runs(there=bool(runs) or any(document.found_by for document in pooled))
        self._show_runs()

    def set_about(self, about: Mapping[str, CatalogueEntry]) -> None:
        self.model.set_about(about)
        self._tell_untitled()

    def titles_read(self) -> None:
        """Filter and sort by all titles: they are known now."""
        self.model.set_order(self.model.order)
        self._tell_untitled()

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
            self.view.clearSelection()  # a filter may hide it, a run can lead to documents outside the pool

    def step(self, step: int, start: str | None = None) -> None:
        """Open the document after (1) or before (-1) one that is on its way, else the one on the screen."""
        if (document := self.model.neighbour(step, start)) is not None:
            self.document_chosen.emit(document)

    def update_states(self, documents: Iterable[str]) -> None:
        if self.model.update_states(documents):  # most marks change no number: a pool may be a collection
            self._count()

    def _count(self) -> None:
        progress = self.model.progress() if self.model.read else PoolProgress(0, 0, 0)
        whole = max(progress.documents, 1)
        self._ring.set_parts(progress.relevant / whole, progress.not_relevant / whole)
        self._tell()
        self._chips.show_counts(self.model.counts() if self.model.read else None)

    def _tell(self) -> None:
        """Say how far one is; while several documents are selected, what can be done with them."""
        several = self.view.acted_on
        told, pace = "", ""
        if several:
            told = f"{counted(several, 'document')} selected"
            pace = f"{self._not_relevant_key()} not relevant"
        elif not self._known:
            told = "Its documents are listed once the collection is indexed."
        elif not self.model.read:
            told = "Reading what is judged…"
        else:
            progress = self.model.progress()
            told = progress.sentence()
            pace = progress.pace(self._seconds() if progress.finished else ())  # a pool may be a collection
        self._told.setText(told)
        self._pace.set_text(pace)

    def _why_empty(self) -> str:
        if not self._known or not self.model.read:
            return ""
        if self.filter.text().strip():
            if not self.model.rowCount() and (elsewhere := self.model.counts()[Shown.ALL]):
                return f"None here; {Shown.ALL.value} has {elsewhere:,}."
            return f"No title{' read so far' if self._unread else ''} or id holds these words."
        return {Shown.TO_DO: "Nothing is left to do.", Shown.ALL: ""}.get(self.model.shown, "None so far.")

    def _tell_untitled(self) -> None:
        """Say how many titles a filter does not know yet, or the order."""
        self._unread = self.untitled() if self.model.needs_titles else 0
        self._untitled.setText(f"{counted(self._unread, 'title')} not read yet")
        self._untitled.setVisible(self._unread > 0)
        self.view.set_empty_text(self._why_empty())

    def _show_runs(self) -> None:
        self.model.set_findings(findings(*self._runs) if self.order.shows_runs else {})
        self.order.show_order(self.model.order)
        self._keep_current()

    def _reorder(self, order: Order) -> None:
        self.model.set_order(order)
        self._tell_untitled()

    def _choose_chip(self, shown: Shown) -> None:
        self._wanted = shown
        self._refilter()

    def _show_wanted(self) -> None:
        """Show what the chip chosen last shows; all, where nothing is left to do."""
        finished = self.model.read and not self.model.progress().to_do
        shown = Shown.ALL if self._wanted is Shown.TO_DO and finished else self._wanted
        self._chips.choose(shown)
        if shown is not self.model.shown:
            self._refilter()

    def _type(self) -> None:
        if self.model.long:
            self._refilter_soon.start()
        else:
            self._refilter()

    def _refilter(self) -> None:
        self._refilter_soon.stop()
        self.model.set_filter(self._chips.current, self.filter.text())
        self._tell_untitled()

    def _on_refilled(self) -> None:
        """Count the rows of each chip again, and keep to the document on the screen."""
        self.view.set_empty_text(self._why_empty())
        self._keep_current()
        self._count()

    def _keep_current(self) -> None:
        current = self.model.current
        if current is not None and (row := self.model.row_of(current)) >= 0:
            self.view.setCurrentIndex(self.model.index(row))

    def _open_first(self) -> None:
        if self._refilter_soon.isActive():
            self._refilter()
        if self.model.rowCount():
            self.document_chosen.emit(self.model.document_at(0))
