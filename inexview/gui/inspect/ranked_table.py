"""The table of ranked documents: columns, model, and painting of rows and headings."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from itertools import accumulate

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPointF, QRectF, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QRegion,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from inexview.core.evaluation.variants import SMALL, change_text
from inexview.core.judgements.qrels import Judgement
from inexview.core.judgements.runs import Task
from inexview.core.measures.measure import Parameters
from inexview.core.open_runs.rankings import (
    DocumentFaults,
    RankingCosts,
    Retrieved,
    document_value,
)
from inexview.core.project.document_list import CatalogueEntry
from inexview.core.project.document_state import DocumentState
from inexview.core.report import NOTHING, count, difference_text, exact, short
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted
from inexview.gui.look.panels import Index
from inexview.gui.look.theme import (
    RelevanceState,
    Theme,
    Themed,
    paint_judged,
    paint_run_shape,
    paint_run_shapes,
    run_color,
)
from inexview.gui.look.widgets import LEFT, MARGIN, RIGHT, derived, paint_focus


class RankedKey(Enum):
    """A figure of a ranked document by which the list can be sorted."""

    RANK = "rank"
    TITLE = "document"
    SCORE = "S(d)"
    SO_FAR = "so far"
    GAIN = "gain"
    THERE = "rank there"
    CHANGE = "left out"
    SIZE = "size"
    RSIZE = "rsize"


@dataclass(frozen=True, slots=True)
class OtherRanking:
    """Rank and score of a document in the baseline; no rank if it did not retrieve it."""

    rank: int | None
    score: float | None


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """One document of a run's ranking.

    ``rank`` is None for a relevant document that the run missed; ``score`` is F(d) or s(x,b), None if the
    document is unjudged; ``length`` is the document's length in characters, None if unknown; ``first_start``
    is the start of the run's first passage in it.
    """

    rank: int | None
    document: str
    title: str
    state: RelevanceState
    score: float | None = None
    length: int | None = None
    judged: Spans = EMPTY
    retrieved: Spans = EMPTY
    first_start: int | None = None
    other: OtherRanking | None = None
    was: int | None = None
    """In what-if, the rank in the run before the changes, 0 if it was not retrieved; otherwise None."""

    @property
    def dropped(self) -> bool:
        """Whether the run retrieved it, and its scratch copy does not."""
        return self.rank is None and bool(self.was)

    @property
    def place(self) -> str:
        """The rank; in what-if after the rank in the run if that differs: ``4 → 3``."""
        ranks = [self.was or 0, self.rank or 0] if self.was is not None else [self.rank or 0]
        return " → ".join(str(rank or "–") for rank in dict.fromkeys(ranks))

    @property
    def gained(self) -> float | None:
        """The score less that of the baseline, None if there is no baseline."""
        if self.other is None or self.other.score is None or self.score is None:
            return None
        return self.score - self.other.score


class Filter(Enum):
    """The documents that the list shows."""

    ALL = "All"
    MISSES = "Misses"
    FALSE_ALARMS = "False alarms"
    UNJUDGED = "Unjudged"


@dataclass(frozen=True, slots=True)
class Rows:
    """The documents of a ranking; rows are made page by page, when they are shown."""

    documents: Sequence[str] = ()
    make: Callable[[Sequence[str]], Iterable[RankedDocument]] = field(default=lambda _names: ())
    judged: Mapping[str, DocumentFaults] = field(default_factory=dict)
    """The faults of judged documents, by id."""


def judged(state: DocumentState) -> RelevanceState:
    if state.finished:
        return RelevanceState.RELEVANT if state.relevant else RelevanceState.NOT_RELEVANT
    return RelevanceState.UNJUDGED if state.untouched else RelevanceState.BEGUN


def ranked_row(
    retrieved: Retrieved,
    state: DocumentState,
    about: CatalogueEntry,
    parameters: Parameters,
    judgement: Judgement | None,
    *,
    other: Retrieved | None = None,
    task: Task | None = None,
) -> RankedDocument:
    """Return the row of one document, scored by S(d) of the task.

    An unjudged document has no ``judgement`` and no score; ``other`` is what the baseline retrieved of the
    document.
    """
    where = RelevanceState.ABSENT if about.missing and state.untouched else judged(state)

    def valued(found: Retrieved) -> float | None:
        return None if judgement is None else document_value(judgement, found, parameters, task)

    value = valued(retrieved)
    return RankedDocument(
        rank=retrieved.rank or None,
        document=retrieved.document,
        title=about.title,
        state=where,
        score=value,
        length=about.length or None,
        judged=state.marks,
        retrieved=retrieved.passages,
        first_start=retrieved.entry,
        other=None if other is None else OtherRanking(other.rank or None, valued(other)),
    )


LEAST_TITLE = 100  # minimum width of a title, in pixels
LEAST_STRIP = 24  # minimum width of the strip below it
RANK_WIDTH = 34
NOT_FOUND = "not found"  # shown instead of a rank


class RankedColumn(Enum):
    """A column to the right of the title, the most important first, with a text of its largest width."""

    SCORE = (RankedKey.SCORE, RankedKey.SO_FAR, "0.0000")
    GAIN = (RankedKey.GAIN, RankedKey.THERE, NOT_FOUND)
    CHANGE = (RankedKey.CHANGE, None, "+0.0000")
    SIZE = (RankedKey.SIZE, RankedKey.RSIZE, "000,000")

    def __init__(self, above: RankedKey, below: RankedKey | None, widest: str) -> None:
        self.above = above
        self.below = below
        self.widest = widest

    @property
    def title(self) -> str:
        return {
            RankedColumn.SCORE: "S(d), and precision so far",
            RankedColumn.GAIN: "Gain or loss, and rank in the baseline",
            RankedColumn.CHANGE: "Change if the document is left out",
            RankedColumn.SIZE: "Characters retrieved, and relevant ones of them",
        }[self]


AIR = 4  # pixels between a title and the figures below it
COMFORTABLE_TITLE = 220  # pixels below which a title next to the columns gets a line of its own
UNDER = {RankedColumn.SCORE: "0.0000", RankedColumn.GAIN: "+0.0000"}
"""Figures below the title if they do not fit next to it, with a text of their largest width."""

KEY_TIPS = {
    RankedKey.RANK: "Place of the document in the ranking",
    RankedKey.TITLE: "Title of the document",
    RankedKey.SCORE: "Score of the document alone",
    RankedKey.SO_FAR: "Precision of the ranking down to here",
    RankedKey.GAIN: "S(d) less that of the baseline",
    RankedKey.THERE: "Rank of the document in the baseline",
    RankedKey.CHANGE: "Change of the topic’s measure without the document;\n"
    "of one that was missed: had the run found it, after all else",
    RankedKey.SIZE: "Characters that the run retrieved of the document",
    RankedKey.RSIZE: "Relevant ones of the characters retrieved",
}
RISING = {RankedKey.RANK, RankedKey.TITLE, RankedKey.THERE, RankedKey.GAIN}
"""Keys that sort ascending at the first click, so that the worst losses come before the gains."""


@dataclass(frozen=True, slots=True)
class ColumnPlaces:
    """The columns of a row, each with its left and right edge in pixels.

    In a narrow list they are ``under`` the title, next to the strip, with their first figures only. In a
    wider list the title gets an ``own_line`` above them if it would be too short.
    """

    title_right: float
    columns: tuple[tuple[RankedColumn, float, float], ...]
    under: bool = False
    own_line: bool = False

    @property
    def strip_right(self) -> float:
        """The right end of the strip below the title."""
        below = self.columns and (self.under or self.own_line)
        return self.columns[0][1] if below else self.title_right

    @property
    def heading_right(self) -> float:
        """The right end of the heading of titles, before those of the columns."""
        return self.strip_right if self.own_line else self.title_right


def places(
    left: float,
    right: float,
    wanted: Collection[RankedColumn],
    width: Callable[[str], float],
    *,
    compared: bool,
) -> ColumnPlaces:
    """Return the columns that fit, with at least :data:`LEAST_TITLE` pixels for the title.

    If score and gain do not fit next to the title, they go below it. ``width`` measures a text; ``compared``
    tells whether there is a baseline.
    """
    shown = [one for one in RankedColumn if one in wanted and (compared or one is not RankedColumn.GAIN)]
    beside = _fitting([(one, width(one.widest) + 8) for one in shown], right - left - LEAST_TITLE)
    main = [one for one in shown if one in UNDER]
    under = len(beside) < len(main)
    if under:
        beside = _fitting([(one, width(UNDER[one]) + 8) for one in main], right - left - LEAST_STRIP)
    edge, placed = right - sum(needed for _, needed in beside), []
    own_line = bool(beside) and not under and edge - left < COMFORTABLE_TITLE
    title_right = right if under or own_line else edge
    for column, needed in beside:
        placed.append((column, edge, edge + needed))
        edge += needed
    return ColumnPlaces(title_right, tuple(placed), under, own_line)


def _fitting(columns: Sequence[tuple[RankedColumn, float]], room: float) -> list[tuple[RankedColumn, float]]:
    """Return the first columns, with their widths, that fit."""
    ends = accumulate(needed for _, needed in columns)
    return [column for column, end in zip(columns, ends, strict=True) if end <= room]


ROW_ROLE = Qt.ItemDataRole.UserRole

_FAULT_OF = {
    Filter.MISSES: int(DocumentFaults.MISSED),
    Filter.FALSE_ALARMS: int(DocumentFaults.FALSE_ALARM),
    Filter.UNJUDGED: int(DocumentFaults.UNJUDGED),
}
FIGURES: dict[RankedKey, Callable[[RankedDocument, RankingCosts], float | None]] = {
    RankedKey.RANK: lambda row, _costs: row.rank,
    RankedKey.SCORE: lambda row, _costs: row.score,
    RankedKey.SO_FAR: lambda row, costs: costs.so_far.get(row.document),
    RankedKey.GAIN: lambda row, _costs: row.gained,
    RankedKey.THERE: lambda row, _costs: None if row.other is None else row.other.rank,
    RankedKey.CHANGE: lambda row, costs: costs.change(row.document),
    RankedKey.SIZE: lambda row, _costs: row.retrieved.size,
    RankedKey.RSIZE: lambda row, _costs: (row.judged & row.retrieved).size,
}
"""Sort values of a row; None if it has no such figure."""


class RankedModel(QStringListModel):
    """Shows the rows that pass the filter.

    Rows are made when they are first shown, so that a ranking of thousands of documents appears at once. For
    each row Qt counts the rows twice during layout; a QStringListModel counts ids that Qt holds itself.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = Rows()
        self._made: dict[str, RankedDocument] = {}
        self._faults: dict[str, int] = {}  # faults of each document, in the order of the ranking
        self._names: list[str] = []  # ids of the shown documents, in order
        self._shown: dict[str, int] = {}  # position of each of them
        self.filter = Filter.ALL
        self.key = RankedKey.RANK
        self.descending = False
        self.costs = RankingCosts()

    def set_rows(self, rows: Rows) -> None:
        """Show another ranking in the same order; its costs are not known yet."""
        self._rows = rows
        self._made = {}
        self.costs = RankingCosts()
        self._faults = dict.fromkeys(rows.documents, int(DocumentFaults.UNJUDGED))
        self._faults |= {name: int(fault) for name, fault in rows.judged.items()}
        self._order()

    def set_filter(self, kind: Filter) -> None:
        self.filter = kind
        self._order()

    def sort_by(self, key: RankedKey, *, descending: bool) -> None:
        self.key, self.descending = key, descending
        self._order()

    def set_costs(self, costs: RankingCosts) -> None:
        self.costs = costs
        if self.key in (RankedKey.SO_FAR, RankedKey.CHANGE):
            self.sort_by(self.key, descending=self.descending)

    def renew(self, documents: Iterable[str] | None = None) -> None:
        """Discard the rows of these documents, or all, to be made again when shown; faults stay."""
        if documents is None:
            self._made = {}
        else:
            for document in documents:
                self._made.pop(document, None)

    def score_again(self) -> None:
        """Discard the rows that depend on parameters; without relevant text a score is always 0."""
        self._made = {name: row for name, row in self._made.items() if not row.judged}

    def judge(self, document: str, fault: DocumentFaults) -> None:
        """Update a document whose judgement changed.

        It stays in the list even if it no longer passes the filter, so that it does not vanish during work.
        """
        if document not in self._faults:
            return
        self._made.pop(document, None)
        self._faults[document] = int(fault)
        index = self.index_of(document)
        if index.isValid():
            self.dataChanged.emit(index, index)

    def preview(self, document: str, row: RankedDocument | None) -> RankingCosts:
        """Show a document in another state, None for its own; return the costs with that state's gP."""
        self._made.pop(document, None)
        if row is None or document not in self._faults:  # or the topic is still being read
            return self.costs
        self._made[document] = row
        if row.rank is None or self.costs.so_far_name != "gP":
            return self.costs
        (before,) = self._rows.make([document])
        return self.costs.gaining(self._rows.documents, row.rank, (row.score or 0.0) - (before.score or 0.0))

    def how_many(self, kind: Filter) -> int:
        return len(self._passing(kind))

    def _passing(self, kind: Filter) -> list[str]:
        wanted = _FAULT_OF.get(kind)
        return [name for name, fault in self._faults.items() if wanted is None or fault & wanted]

    def _order(self) -> None:
        """Sort the documents that pass the filter; those without the figure come last; ties by rank."""
        shown = self._passing(self.filter)
        if self.key not in (RankedKey.RANK, RankedKey.SO_FAR, RankedKey.CHANGE):
            self._make(shown)
        if self.key is RankedKey.TITLE:
            rows = self._made
            shown.sort(key=lambda name: (rows[name].title or name).casefold(), reverse=self.descending)
        elif self.key is not RankedKey.RANK or self.descending:
            figures = {name: self._figure(name) for name in shown}
            known = {name: figure for name, figure in figures.items() if figure is not None}
            ordered = sorted(known, key=known.__getitem__, reverse=self.descending)
            shown = [*ordered, *(name for name in shown if name not in known)]
        self._names, self._shown = shown, {name: at for at, name in enumerate(shown)}
        self.setStringList(shown)

    def _figure(self, name: str) -> float | None:
        if self.key is RankedKey.SO_FAR:  # the costs include documents whose row is not made yet
            return self.costs.so_far.get(name)
        if self.key is RankedKey.CHANGE:
            return self.costs.change(name)
        return FIGURES[self.key](self._row(name), self.costs)

    def _row(self, name: str) -> RankedDocument:
        if name not in self._made:
            self._make([name])
        return self._made[name]

    def _make(self, names: Sequence[str]) -> None:
        """Make the rows that are not made yet, all at once."""
        lacking = [name for name in names if name not in self._made]
        if lacking:
            self._made.update(zip(lacking, self._rows.make(lacking), strict=True))

    def make_shown(self, rows: range) -> None:
        self._make(self._names[rows.start : rows.stop])

    def at(self, index: Index) -> RankedDocument:
        return self._row(self._names[index.row()])

    def index_of(self, document: str | None) -> QModelIndex:
        """Return the index of a document, an invalid one if it is not shown."""
        shown = -1 if document is None else self._shown.get(document, -1)
        return QModelIndex() if shown < 0 else self.index(shown)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the title, a sentence for screen readers, the tooltip, or the row itself."""
        row = self.at(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title or row.document
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            rank = "not retrieved" if row.rank is None else f"rank {row.rank}"
            rank += f", before {row.was or 'not retrieved'}" if row.was not in (None, row.rank or 0) else ""
            said = f"{rank}, {row.title or row.document}, {row.state.value}, score {short(row.score)}"
            return said if row.gained is None else f"{said}, {row.gained:+.3f} against the baseline"
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tooltip(row, self.costs)
        return None


def _tooltip(row: RankedDocument, costs: RankingCosts) -> str:
    hits = (row.judged & row.retrieved).size
    score = NOTHING if row.score is None else exact(row.score)
    lines = [
        f"{row.title} ({row.document})" if row.title else row.document,
        f"{row.state.value}, score {score}",
    ]
    if row.state is RelevanceState.BEGUN:
        lines.append("Not finished: no measure counts it.")
    if row.state not in (RelevanceState.UNJUDGED, RelevanceState.ABSENT):
        lines.append(
            f"{counted(hits, 'character')} hit, {count(row.judged.size - hits)} missed, "
            f"{count(row.retrieved.size - hits)} false alarm"
        )
    so_far, change = costs.so_far.get(row.document), costs.change(row.document)
    if so_far is not None:
        lines.append(f"{costs.so_far_name}[{row.rank}] = {exact(so_far)}")
    if change is not None:
        when = "without this document" if row.rank is not None else "had the run found it, after all else"
        lines.append(f"{costs.measure} = {exact(costs.value)}; {exact(costs.value + change)} {when}")
    return "\n".join(lines)


STATE_SIZE = 10
GAP = 8
STRIP = 12  # height of the judged passages, the run's passages below them, and the gap between
TITLES = 4_000  # shortened titles in the cache
SCORED = (RankedColumn.SCORE, RankedColumn.GAIN)  # columns that depend on parameters
LEAST_MARK = 2  # minimum width of a passage on the strip

PlacedRow = tuple[QRectF, RankedDocument]
"""The rectangle of a document, or of a part of its row."""


@dataclass(frozen=True, slots=True)
class RowLook:
    """Layout shared by all rows of one width: columns, fonts, and shortened titles."""

    places: ColumnPlaces
    title: QFont
    figure: QFont
    bold: QFont
    small: QFont
    rank_width: float
    shortened: dict[tuple[str, str], tuple[str, str, float]] = field(default_factory=dict)
    """By title and suffix: the shown parts of both, and the x of the suffix."""

    def of(self, column: RankedColumn) -> QFont:
        return self.bold if column is RankedColumn.SCORE else self.figure

    def shorten(self, title: str, suffix: str, room: float) -> tuple[str, str, float]:
        """Shorten a title; if space is short, drop the suffix, which sign and tooltip show too."""
        known = self.shortened.get((title, suffix))
        if known is None:
            metrics, said = QFontMetricsF(self.title), QFontMetricsF(self.small).horizontalAdvance(suffix)
            begins = metrics.horizontalAdvance(title)
            shown, follows = title, suffix
            if begins + said > room:
                shown, follows = metrics.elidedText(title, Qt.TextElideMode.ElideRight, max(room, 0)), ""
            if len(self.shortened) >= TITLES:
                self.shortened.clear()
            known = self.shortened[title, suffix] = shown, follows, begins
        return known


class RankedDelegate(Themed, QStyledItemDelegate):
    """Paints the rows of the ranked list; its view lets it finish all rows together."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.run_style = 0
        self.other_style: int | None = None
        """The style of the baseline; None if there is none."""
        self.open_document: str | None = None
        self.wanted: frozenset[RankedColumn] = frozenset(RankedColumn)
        """The columns to show if they fit."""
        self.last_rank: int | None = None
        """The highest rank if rows may show two ranks, as in what-if; else None."""
        self.costs = RankingCosts()
        self.costs_stale = False
        """Whether the costs are outdated while new ones are computed."""
        self.region = QRegion()
        """The region of the view to paint; empty for all of it."""
        self._look: tuple[tuple[object, ...], RowLook] | None = None
        self._noted: list[PlacedRow] = []

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view, high = self.parent(), option.fontMetrics.height()
        wide = view.viewport().width() if isinstance(view, QAbstractItemView) else 0
        own = self.look(QRectF(0, 0, wide, 1), option.font).places.own_line
        return QSize(160, high + STRIP + 16 + (high + AIR if own else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the background of a row; :meth:`paint_noted` paints the contents of all rows."""
        row: RankedDocument = index.data(ROW_ROLE)
        rect = QRectF(option.rect)
        self._paint_ground(painter, rect, option, row)
        self._noted.append((rect, row))

    def paint_noted(self, painter: QPainter, font: QFont) -> None:
        """Paint the contents of all rows, one kind after another, to change fonts and pens rarely."""
        rows, self._noted = self._noted, []
        if not rows:
            return
        whole, high = rows[0][0], QFontMetrics(font).height()
        look = self.look(whole, font)
        above = 6 + (high + AIR if look.places.own_line else 0)
        if any(self._is_wanted(_part(rect, rect.left(), look.places.title_right)) for rect, _ in rows):
            self._paint_documents(painter, rows, high, look)
        for column, start, end in look.places.columns:
            cells = [
                (QRectF(start, rect.top() + above, end - start, high), row)
                for rect, row in rows
                if self._is_wanted(_part(rect, start, end))
            ]
            below = [(QRectF(start, cell.bottom() + 1, end - start, STRIP + 2), row) for cell, row in cells]
            if look.places.under:
                self._paint_figures(painter, look.small, column, below)
            else:
                self._paint_figures(painter, look.of(column), column, cells)
                self._paint_below(painter, look, column, below)

    def _is_wanted(self, part: QRectF) -> bool:
        """Return whether a part of the view must be painted; a changing figure is a small part."""
        return self.region.isEmpty() or self.region.intersects(part.toAlignedRect())

    def scored_part(self, rect: QRectF, font: QFont) -> QRectF:
        """Return the part of a row in ``rect`` that depends on parameters."""
        edges = [
            edge for column, *both in self.places(rect, font).columns if column in SCORED for edge in both
        ]
        return QRectF(min(edges), rect.top(), max(edges) - min(edges), rect.height()) if edges else QRectF()

    def _paint_documents(
        self, painter: QPainter, rows: Sequence[PlacedRow], high: int, look: RowLook
    ) -> None:
        begins = rows[0][0].left() + MARGIN
        painter.setFont(look.small)
        painter.setPen(self.theme.color("muted"))
        for rect, row in rows:
            painter.drawText(QRectF(begins, rect.top() + 6, look.rank_width, high), LEFT, row.place)
        begins += look.rank_width
        for rect, row in rows:
            top = rect.top() + 6 + (high - STATE_SIZE) / 2
            paint_judged(painter, row.state, QRectF(begins, top, STATE_SIZE, STATE_SIZE), self.theme)
        begins += STATE_SIZE + GAP
        width = look.places.title_right - begins - GAP
        self._paint_titles(
            painter, look, [(QRectF(begins, rect.top() + 6, width, high), row) for rect, row in rows]
        )
        width = look.places.strip_right - begins - GAP
        strip = 10 + (high + AIR - 3 if look.places.own_line else 0)
        self._paint_strips(
            painter, [(QRectF(begins, rect.top() + high + strip, width, STRIP), row) for rect, row in rows]
        )

    def look(self, rect: QRectF, font: QFont) -> RowLook:
        compared = self.other_style is not None
        made_of = QFont(font), rect.left(), rect.right(), self.wanted, compared, self.last_rank
        if self._look is None or self._look[0] != made_of:
            figure, small = derived(font, factor=0.92), derived(font, factor=0.85)
            ranks = self._rank_width(QFontMetricsF(small))
            found = places(
                rect.left() + MARGIN + ranks + STATE_SIZE + GAP,
                rect.right() - MARGIN,
                self.wanted,
                QFontMetricsF(figure).horizontalAdvance,
                compared=compared,
            )
            self._look = made_of, RowLook(found, QFont(font), figure, derived(font, bold=True), small, ranks)
        return self._look[1]

    def _rank_width(self, metrics: QFontMetricsF) -> float:
        if self.last_rank is None:
            return RANK_WIDTH
        return max(RANK_WIDTH, metrics.horizontalAdvance(f"{self.last_rank} → {self.last_rank}") + GAP)

    def places(self, rect: QRectF, font: QFont) -> ColumnPlaces:
        return self.look(rect, font).places

    def key_at(self, rect: QRectF, font: QFont, point: QPointF) -> RankedKey | None:
        if 0 <= point.x() - rect.left() - MARGIN < self.look(rect, font).rank_width:
            return RankedKey.RANK
        placed, upper = self.places(rect, font), point.y() < rect.center().y()
        for column, left, right in placed.columns:
            if left <= point.x() < right and placed.under:
                return None if upper else column.above
            if left <= point.x() < right:
                return column.above if upper or column.below is None else column.below
        return None

    def figure(self, key: RankedKey, row: RankedDocument) -> str:
        value = FIGURES[key](row, self.costs)
        match key:
            case RankedKey.RANK:
                return NOTHING if value is None else str(value)
            case RankedKey.SCORE | RankedKey.SO_FAR:
                return "0" if key is RankedKey.SCORE and value == 0 else short(value)
            case RankedKey.GAIN:
                return "" if value is None else difference_text(value) if value else "0"
            case RankedKey.THERE:
                return "" if row.other is None else NOT_FOUND if value is None else str(value)
            case RankedKey.CHANGE:
                return NOTHING if value is None else change_text(value)
        unknown = key is RankedKey.RSIZE and row.state in (RelevanceState.UNJUDGED, RelevanceState.ABSENT)
        return NOTHING if unknown else count(value or 0)

    def _paint_figures(
        self, painter: QPainter, font: QFont, column: RankedColumn, cells: Sequence[PlacedRow]
    ) -> None:
        painter.setFont(font)
        for cell, row in cells:
            painter.setPen(self.theme.color(self._token(column, row)))
            painter.drawText(cell, RIGHT, self.figure(column.above, row))

    def _paint_below(
        self, painter: QPainter, look: RowLook, column: RankedColumn, cells: Sequence[PlacedRow]
    ) -> None:
        painter.setFont(look.small)
        painter.setPen(self.theme.color("muted"))
        for cell, row in cells:
            if column.below is not None:
                painter.drawText(cell, RIGHT, self.figure(column.below, row))
            elif row.rank is None and row.document in self.costs.found:
                painter.drawText(cell, RIGHT, "if found")
        if column.below is RankedKey.THERE and self.other_style is not None:
            self._paint_other_shapes(painter, cells, self.other_style)

    def _token(self, column: RankedColumn, row: RankedDocument) -> str:
        """Return the colour token of a column's first figure: a loss stands out, no change is muted."""
        if column is RankedColumn.GAIN:
            return "miss" if (row.gained or 0) < 0 else "text" if row.gained else "muted"
        if column is RankedColumn.CHANGE:
            change = self.costs.change(row.document)
            quiet = self.costs_stale or abs(change or 0) < SMALL
            return "muted" if quiet else "miss" if (change or 0) > 0 else "text"
        if column is RankedColumn.SCORE:
            return "text" if row.score and row.state is not RelevanceState.BEGUN else "muted"
        return "text"

    def _paint_other_shapes(self, painter: QPainter, cells: Sequence[PlacedRow], style: int) -> None:
        """Paint the baseline's shape before each of its ranks."""
        metrics, places = painter.fontMetrics(), []
        for cell, row in cells:
            if row.other is not None and row.other.rank is not None:
                said = self.figure(RankedKey.THERE, row)
                left = cell.right() - metrics.horizontalAdvance(said) - 12
                places.append(QRectF(left, cell.center().y() - 4, 8, 8))
        paint_run_shapes(painter, style, places, run_color(self.theme, style))

    def _paint_ground(
        self, painter: QPainter, rect: QRectF, option: QStyleOptionViewItem, row: RankedDocument
    ) -> None:
        """Paint the background of the open row, of the row under the mouse, and of the focused row."""
        is_open = row.document == self.open_document
        if is_open:
            painter.fillRect(rect, self.theme.color("selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            hover = self.theme.color("track")
            hover.setAlphaF(0.6)
            painter.fillRect(rect, hover)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), self.theme.color("line"))
        if is_open:
            painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), self.theme.color("accent"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, rect.adjusted(0, 0, 0, -1), self.theme)

    def _paint_titles(self, painter: QPainter, look: RowLook, rooms: Sequence[PlacedRow]) -> None:
        """Paint the titles, with the state in words for those who cannot read the symbol."""
        shown = [
            (room, look.shorten(row.title or row.document, _suffix(row), room.width())) for room, row in rooms
        ]
        painter.setFont(look.title)
        painter.setPen(self.theme.color("text"))
        for room, (title, _, _) in shown:
            painter.drawText(room, LEFT, title)
        painter.setFont(look.small)
        painter.setPen(self.theme.color("muted"))
        for room, (_, follows, begins) in shown:
            if follows:
                painter.drawText(room.adjusted(begins, 0, 0, 0), LEFT, follows)

    def _paint_strips(self, painter: QPainter, rooms: Sequence[PlacedRow]) -> None:
        strips = [(room, row.judged, row.retrieved, row.length or 0) for room, row in rooms]
        paint_strips(painter, self.theme, run_color(self.theme, self.run_style), strips)


def _part(rect: QRectF, left: float, right: float) -> QRectF:
    return QRectF(left, rect.top(), right - left, rect.height())


def _suffix(row: RankedDocument) -> str:
    if row.dropped:
        return " · dropped"
    if row.rank is None:
        return " · missed"
    return "" if row.state is RelevanceState.RELEVANT else f" · {row.state.value}"


Strip = tuple[QRectF, Spans, Spans, int]
"""Rectangle of a strip, relevant and retrieved spans, and the document's length, 0 if unknown."""


def paint_strips(painter: QPainter, theme: Theme, color: QColor, strips: Sequence[Strip]) -> None:
    """Paint each document as a strip: judged passages, and below them the run's in its ``color``."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    grounds, marked, found = QPainterPath(), QPainterPath(), QPainterPath()  # each painted at once
    for room, relevant, retrieved, length in strips:
        reach = max((int(spans.ends[-1]) for spans in (relevant, retrieved) if spans), default=1)
        track = QRectF(room.left(), room.top(), room.width(), 5)
        grounds.addRoundedRect(track, 2.5, 2.5)
        _add_spans(marked, track, relevant, length or reach)
        lane = QRectF(track.left(), track.bottom() + 2, track.width(), 3)
        _add_spans(found, lane, retrieved, length or reach)
    for path, ink in ((grounds, theme.color("track")), (marked, theme.color("mark_edge")), (found, color)):
        painter.setBrush(ink)
        painter.drawPath(path)
    painter.restore()


@lru_cache(maxsize=4096)
def _pixels(spans: Spans, length: int, width: int) -> tuple[tuple[int, int], ...]:
    """Return the pixels that spans of ``[0, length)`` cover; spans on the same pixels are joined."""
    scale, found = width / max(length, 1), [(-1, -1)]
    for start, end in spans:
        left = min(int(start * scale), width - LEAST_MARK)
        right = max(min(math.ceil(end * scale), width), left + LEAST_MARK)
        if left <= found[-1][1]:
            left, right = found.pop()[0], max(right, found[-1][1])
        found.append((left, right))
    return tuple(found[1:])


def _add_spans(path: QPainterPath, rect: QRectF, spans: Spans, length: int) -> None:
    for start, end in _pixels(spans, length, max(int(rect.width()), LEAST_MARK)):
        path.addRoundedRect(rect.left() + start, rect.top(), end - start, rect.height(), 1.5, 1.5)


SIGN = 8


class RankedHeader(QWidget):
    """Paints the names above the delegate's figures, and reports clicks on them."""

    clicked = Signal(object)  # RankedKey

    def __init__(self, delegate: RankedDelegate, model: RankedModel, row_width: Callable[[], int]) -> None:
        super().__init__()
        self._delegate, self._model = delegate, model
        self._row_width = row_width
        self._named: tuple[object, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Columns of the ranked documents")
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:
        return QSize(160, 2 * self._line() + 4)

    def _line(self) -> int:
        return int(QFontMetricsF(derived(self.font(), factor=0.85)).height()) + 1

    def show_order(self) -> None:
        order = "falling" if self._model.descending else "rising"
        self.setAccessibleDescription(f"sorted by {self.name_of(self._model.key)}, {order}")
        self.update()

    def renew(self) -> None:
        """Repaint if a name or the shapes of the runs changed; another topic changes neither."""
        delegate = self._delegate
        named = self.name_of(RankedKey.SO_FAR), delegate.run_style, delegate.other_style, delegate.last_rank
        if named != self._named:
            self._named = named
            self.update()

    def name_of(self, key: RankedKey) -> str:
        return self._delegate.costs.so_far_name if key is RankedKey.SO_FAR else key.value

    def cells(self) -> dict[RankedKey, QRectF]:
        line, foot = self._line(), 2.0
        look = self._delegate.look(QRectF(0, 0, self._row_width(), self.height()), self.font())
        placed, ranks = look.places, look.rank_width
        title, high = MARGIN + ranks, line if placed.under else 2 * line
        cells = {
            RankedKey.RANK: QRectF(MARGIN, foot, ranks - 2, high),
            RankedKey.TITLE: QRectF(title, foot, placed.heading_right - title, high),
        }
        for column, left, right in placed.columns:
            if placed.under:
                cells[column.above] = QRectF(left, foot + line, right - left, line)
                continue
            both = 2 * line if column.below is None else line
            cells[column.above] = QRectF(left, foot, right - left, both)
            if column.below is not None:
                cells[column.below] = QRectF(left, foot + line, right - left, line)
        return cells

    def key_at(self, point: QPointF) -> RankedKey | None:
        return next((key for key, cell in self.cells().items() if cell.contains(point)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        key = self.key_at(event.position())
        if key is not None and event.button() is Qt.MouseButton.LeftButton:
            self.clicked.emit(key)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        there = self.key_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if there else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            key = self.key_at(event.pos().toPointF())
            QToolTip.showText(event.globalPos(), "" if key is None else KEY_TIPS[key], self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = self._delegate.theme
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), theme.color("line"))
        for key, cell in self.cells().items():
            sorts = key is self._model.key
            painter.setFont(derived(self.font(), factor=0.85, bold=sorts))
            painter.setPen(theme.color("accent" if sorts else "muted"))
            arrow = ("▾" if self._model.descending else "▴") if sorts else ""
            if key is RankedKey.GAIN:
                self._paint_pair(painter, cell, arrow)
            else:
                painter.drawText(
                    cell,
                    LEFT if key in (RankedKey.RANK, RankedKey.TITLE) else RIGHT,
                    f"{self.name_of(key)}{arrow}",
                )

    def _paint_pair(self, painter: QPainter, cell: QRectF, arrow: str) -> None:
        """Paint the shapes of both runs with a minus between them."""
        theme, styles = self._delegate.theme, (self._delegate.other_style, self._delegate.run_style)
        metrics = painter.fontMetrics()
        painter.drawText(cell, RIGHT, arrow)
        right = cell.right() - metrics.horizontalAdvance(arrow)
        for at, style in enumerate(styles):
            if style is not None:
                shape = QRectF(right - SIGN, cell.center().y() - SIGN / 2, SIGN, SIGN)
                hollow = at > 0 and self._delegate.last_rank is not None
                paint_run_shape(painter, style, shape, run_color(theme, style), hollow=hollow)
                right = shape.left()
            if not at:
                painter.drawText(
                    QRectF(cell.left(), cell.top(), right - cell.left() - 2, cell.height()), RIGHT, "−"
                )
                right -= metrics.horizontalAdvance("−") + 4
