"""The list of a run's ranked documents for the topic, with its filters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QActionGroup, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QButtonGroup, QPushButton, QVBoxLayout, QWidget

from inexview.core.evaluation.derivations import RANK
from inexview.core.evaluation.explain import HITS, SIZE
from inexview.core.evaluation.variants import Fault, RankingFault
from inexview.core.report import NOTHING
from inexview.gui.inspect.figures.figure_asked import FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.figures.figure_clicks import FigureClicks
from inexview.gui.inspect.figures.figures import count
from inexview.gui.inspect.ranking.ranked_columns import NOT_FOUND, RISING, RankedColumn
from inexview.gui.inspect.ranking.ranked_delegate import RankedDelegate
from inexview.gui.inspect.ranking.ranked_header import RankedHeader
from inexview.gui.inspect.ranking.ranked_model import RankedModel
from inexview.gui.inspect.scoring.ranked_rows import (
    DocumentFaults,
    Filter,
    RankedDocument,
    RankedKey,
    RankingCosts,
    Rows,
)
from inexview.gui.look.layouts import FlowLayout, in_column, in_row
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import MARGIN, Caption, ChoosingView, MenuButton, add_choice, chip_button

CHIP_GAP = 4
HEADING = "Ranked documents"
NO_RANKING = "Open a run to see what it ranked for this topic."

NOTHING_SHOWN = {
    Filter.ALL: "This run has no result for this topic.",
    Filter.MISSES: "No relevant text is missed.",
    Filter.FALSE_ALARMS: "No false alarm.",
    Filter.UNJUDGED: "Every retrieved document is judged.",
}
FILTER_TIPS = {
    Filter.ALL: "Every document of the ranking",
    Filter.MISSES: "Documents with relevant text that the run did not retrieve",
    Filter.FALSE_ALARMS: "Judged documents where the run retrieved text that is not relevant",
    Filter.UNJUDGED: "Documents of the run that no one has judged; they count as not relevant",
}


@dataclass(frozen=True, slots=True)
class DocumentChosen:
    """A document shall be opened at its first passage (``start``; None: where it was left)."""

    document: str
    rank: int | None
    start: int | None


class RankedView(ChoosingView):
    """The list itself; where it is empty it says why."""

    def __init__(self) -> None:
        super().__init__("Ranked documents")
        self.theme = LIGHT
        self.nothing = ""
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def paintEvent(self, event: QPaintEvent) -> None:
        delegate = self.itemDelegate()
        if isinstance(delegate, RankedDelegate):
            delegate.region = event.region()
        model = self.model()
        if isinstance(model, RankedModel):
            model.make_shown(self._in_sight())
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        if isinstance(delegate, RankedDelegate):
            delegate.paint_noted(painter, self.font())
        if self.model().rowCount() or not self.nothing:
            return
        painter.setPen(self.theme.color("muted"))
        room = self.viewport().rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap, self.nothing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # a title may have a line of its own now

    def in_sight(self) -> list[QModelIndex]:
        """Return the rows of which something is seen."""
        return [self.model().index(row, 0) for row in self._in_sight()]

    def _in_sight(self) -> range:
        first, last = (self.indexAt(QPoint(0, y)).row() for y in (0, self.viewport().height() - 1))
        return range(max(first, 0), self.model().rowCount() if last < 0 else last + 1)


class RankedList(QWidget):
    """Heading, filter chips and the list."""

    chosen = Signal(object)  # DocumentChosen
    columns_chosen = Signal(object)  # frozenset of RankedColumn

    def __init__(self) -> None:
        super().__init__()
        self._previewed = ""
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # figures are painted so
        self.heading = Caption(HEADING)
        self.model = RankedModel(self)
        self.view = RankedView()
        self.view.setModel(self.model)
        self._delegate = RankedDelegate(self.view)
        self.view.setItemDelegate(self._delegate)
        self.header = RankedHeader(self._delegate, lambda: self.view.viewport().width())
        self.columns = MenuButton("Columns of the ranked documents")
        self.columns.setProperty("role", "link")
        self.columns.setText("columns")
        self.columns.choices.aboutToShow.connect(self._offer_columns)
        self.chips = {kind: self._chip(kind) for kind in Filter}
        self._group = QButtonGroup(self)
        for chip in self.chips.values():
            self._group.addButton(chip)
        self.chips[Filter.ALL].setChecked(True)
        self._has_run = False
        self.scratched = False
        """Whether the ranking is that of a scratch copy."""
        self.document_measure = "F(d)"
        """What S(d) is, for the task that is shown."""
        self._lay_out()
        self.view.chosen.connect(self._choose)
        self.header.clicked.connect(self.sort_by)
        self._label_chips()
        self._say_why_empty()

    def _chip(self, kind: Filter) -> QPushButton:
        made = chip_button(kind.value, filled=True)
        made.setMinimumSize(30, max(24, made.fontMetrics().height() + 8))
        made.clicked.connect(lambda: self.set_filter(kind))
        return made

    def _lay_out(self) -> None:
        filters = QVBoxLayout()
        filters.setContentsMargins(MARGIN, 0, MARGIN, 4)
        chips = FlowLayout(CHIP_GAP)
        for chip in self.chips.values():
            chips.addWidget(chip)
        filters.addLayout(chips)
        in_column(
            in_row((self.heading, 1), self.columns, margins=(MARGIN, 0, MARGIN, 0)),
            filters,
            (in_column(self.header, (self.view, 1), spacing=0), 1),
            on=self,
            margins=(0, 10, 0, 0),
            spacing=8,
        )

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.view.theme = theme
        self.view.viewport().update()
        self.header.update()

    def set_documents(
        self,
        rows: Rows | None,
        *,
        run_style: int = 0,
        heading: tuple[str, str] = (HEADING, ""),
        scratch: bool = False,
        other_topic: bool = False,
    ) -> None:
        """Show another ranking, in the colour of its run; the open document stays marked.

        None: there is no run.  That of a ``scratch`` copy shows which ranks are others than the run's.  That
        of another topic is shown from its top where the open document is not in it.
        """
        self._has_run = rows is not None
        self._delegate.last_rank = len(rows.documents) if rows is not None and scratch else None
        self._delegate.run_style = run_style
        self.heading.set_text(*heading)
        self.model.set_rows(rows or Rows())
        self._show_costs()
        self._label_chips()
        self._say_why_empty()
        self.set_current(self._delegate.open_document)
        if (other_topic or rows is None) and not self.view.currentIndex().isValid():
            self.view.scrollToTop()

    def compare_with(self, style: int | None) -> None:
        """Show beside each document what another run made of it, or nothing."""
        if (style is None) is not (self._delegate.other_style is None):
            self.view.scheduleDelayedItemsLayout()
        self._delegate.other_style = style
        self.renew()
        self.header.renew()
        if self.model.key in (RankedKey.GAIN, RankedKey.THERE):
            self._sort(self.model.key, descending=self.model.descending)

    def set_costs(self, costs: RankingCosts) -> None:
        self.show_costs_stale(False)
        if costs is self.model.costs:
            return
        self.model.set_costs(costs)
        self._show_costs()
        if self.model.key in (RankedKey.SO_FAR, RankedKey.CHANGE):
            self.set_current(self._delegate.open_document)

    def show_costs_stale(self, stale: bool) -> None:
        """Show whether the costs are those of before, while others are computed."""
        if stale != self._delegate.costs_stale:
            self._delegate.costs_stale = stale
            self.view.viewport().update()

    def _show_costs(self) -> None:
        self._delegate.costs = self.model.costs
        self.view.viewport().update()
        self.header.renew()

    # -- columns and order ---------------------------------------------------------------------------

    @property
    def wanted(self) -> frozenset[RankedColumn]:
        """The columns that are shown as far as there is room."""
        return self._delegate.wanted

    def show_columns(self, wanted: frozenset[RankedColumn]) -> None:
        self._delegate.wanted = wanted
        self.view.scheduleDelayedItemsLayout()
        self.view.viewport().update()
        self.header.update()

    def sort_by(self, key: RankedKey) -> None:
        """Sort by a figure; by the one that sorts already, the other way round."""
        turned = key is self.model.key
        self._sort(key, descending=not self.model.descending if turned else key not in RISING)

    def _sort(self, key: RankedKey, *, descending: bool) -> None:
        self.model.sort_by(key, descending=descending)
        self.header.show_order(key, descending=descending)
        self.set_current(self._delegate.open_document)

    def _offer_columns(self) -> None:
        """List the columns, and the figures that one can sort by, for who has no mouse."""
        menu = self.columns.choices
        menu.clear()
        for column in RankedColumn:
            add_choice(menu, column.title, partial(self._toggle, column), on=column in self.wanted)
        menu.addSection("Sort by")
        group = QActionGroup(menu)
        for key in RankedKey:
            name, sort = self.header.name_of(key), partial(self.sort_by, key)
            add_choice(menu, name, sort, on=key is self.model.key, group=group)

    def _toggle(self, column: RankedColumn) -> None:
        self.show_columns(self.wanted ^ {column})
        self.columns_chosen.emit(self.wanted)

    def judge(self, document: str, fault: DocumentFaults) -> None:
        """Show a document again after it was judged."""
        self.model.judge(document, fault)
        self._label_chips()

    def preview(self, row: RankedDocument | None) -> None:
        """Show a document and gP as a stroke would have them, with old costs; None: as they are.

        The document of the stroke may be open no more when that is over.
        """
        if self._previewed:
            self.model.preview(self._previewed, None)
        self._previewed = "" if row is None else row.document
        self._delegate.costs = self.model.costs if row is None else self.model.preview(row.document, row)
        self._delegate.costs_stale = row is not None
        self.view.viewport().update()

    def renew(self, documents: Iterable[str] | None = None) -> None:
        """Show documents again of which more is known, or all (None) since they are scored otherwise."""
        if documents is None:
            self.model.renew()
            self.view.viewport().update()
            return
        again = tuple(documents)
        self.model.renew(again)
        for document in again:
            self.view.update(self.model.index_of(document))

    def score_again(self) -> None:
        """Show what documents score by other parameters; only these figures are painted again."""
        changed = [index for index in self.view.in_sight() if self.model.at(index).judged]
        self.model.score_again()
        for index in changed:
            part = self._delegate.scored_part(QRectF(self.view.visualRect(index)), self.font())
            self.view.viewport().update(part.toAlignedRect())

    def set_current(self, document: str | None) -> None:
        """Mark the document that is open, and bring it into sight; only two rows look different then."""
        before, self._delegate.open_document = self._delegate.open_document, document
        index = self.model.index_of(document)
        if index != self.view.currentIndex():
            self.view.setCurrentIndex(index)
        if before != document:
            self.view.update(self.model.index_of(before))
            self.view.update(index)

    def set_filter(self, kind: Filter) -> None:
        self.chips[kind].setChecked(True)
        self.model.set_filter(kind)
        self._label_chips()
        self._say_why_empty()
        self.set_current(self._delegate.open_document)

    def step(self, by: int) -> None:
        """Choose the next document shown (1) or the one before (-1); none is chosen past the ends."""
        at = self.view.currentIndex()
        row = at.row() + by if at.isValid() else 0
        if 0 <= row < self.model.rowCount():
            index = self.model.index(row)
            self.view.setCurrentIndex(index)
            self._choose(index)

    def _choose(self, index: QModelIndex) -> None:
        row = self.model.at(index)
        self.set_current(row.document)
        start = row.first_start
        if start is None and row.judged:
            start = int(row.judged.starts[0])
        self.chosen.emit(DocumentChosen(row.document, row.rank, start))

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Let every figure be asked for; a click on a document that is not open first opens it."""
        clicks.watch(self.view.viewport(), self.figure_at, clicked_at=self._clicked_at, menu=False)

    def _clicked_at(self, at: QPoint) -> FigureAsked | None:
        index = self.view.indexAt(at)
        is_open = index.isValid() and self.model.at(index).document == self._delegate.open_document
        return self.figure_at(at) if is_open else None

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        index = self.view.indexAt(at)
        if not index.isValid():
            return None
        row, rect = self.model.at(index), QRectF(self.view.visualRect(index))
        key = self._delegate.key_at(rect, self.font(), at.toPointF())
        if key is None or self._delegate.figure(key, row) in ("", NOTHING, NOT_FOUND):
            return None
        document, of = row.document, FigureOf.SCRATCH if self.scratched else FigureOf.RUN
        if key is RankedKey.SO_FAR and row.rank is not None and self.model.costs.so_far_name == "gP":
            return FigureAsked(FigureLevel.TOPIC, f"gP[{row.rank}]", document, of)
        if key is RankedKey.CHANGE and row.rank is None:
            found = RankingFault(document, Fault.MISSED)
            return FigureAsked(FigureLevel.TOPIC, "", document, FigureOf.MENDED, mending=found)
        if key in (RankedKey.CHANGE, RankedKey.SO_FAR):
            return FigureAsked(FigureLevel.TOPIC, "", document, of)
        if key is RankedKey.THERE:
            return FigureAsked(FigureLevel.DOCUMENT, RANK, document, FigureOf.BASELINE)
        if key is RankedKey.GAIN:
            return FigureAsked(FigureLevel.DOCUMENT, self.document_measure, document, FigureOf.LEAD)
        counted = {RankedKey.RANK: RANK, RankedKey.SIZE: SIZE, RankedKey.RSIZE: HITS}
        named = counted.get(key, self.document_measure)
        return FigureAsked(FigureLevel.DOCUMENT, named, document, of)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._label_chips()

    def _label_chips(self) -> None:
        """Name the chips, each with its number as far as there is room; of a kind that is chosen longest."""
        for kind, chip in self.chips.items():
            many = f" {count(self.model.how_many(kind))}" if self._has_run else ""
            chip.setText(f"{kind.value}{many}")
            chip.setToolTip(f"{FILTER_TIPS[kind]}{':' if many else ''}{many}")
            chip.setAccessibleName(chip.text())
        for kind in sorted(self.chips, key=lambda kind: kind is self.model.filter and kind is not Filter.ALL):
            needed = sum(chip.sizeHint().width() + CHIP_GAP for chip in self.chips.values())
            if needed - CHIP_GAP <= self.width() - 2 * MARGIN:
                return
            self.chips[kind].setText(kind.value)

    def _say_why_empty(self) -> None:
        self.view.nothing = NOTHING_SHOWN[self.model.filter] if self._has_run else NO_RANKING
