"""Derivation of a figure: its computation in a background thread, the table of its rows, and the panel."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from inexview.core.errors import InexviewError
from inexview.core.evaluation.derivations import RANK, Derivation, DerivationRow, Derivations, shown
from inexview.core.evaluation.explain import (
    CHARACTERS,
    LENGTH,
    ElementScoring,
    derive_characters,
    derive_cost,
    derive_document,
    derive_place,
    derive_topic,
    share_of,
)
from inexview.core.evaluation.run_derivations import (
    BETTER,
    FROM,
    P_CORRECTED,
    RHO,
    TAU,
    TO,
    TOPICS,
    derive_compared_mean,
    derive_coverage,
    derive_difference,
    derive_differences,
    derive_means,
    derive_pair,
    derive_rank,
)
from inexview.core.evaluation.scores import ScoringSettings, TopicScores
from inexview.core.evaluation.variants import ROUNDING, RankingFault, WhatIfScorer, change_text, ranking_of
from inexview.core.judgements.runs import Run
from inexview.core.measures.measure import parse
from inexview.core.open_runs.rankings import Ranking
from inexview.core.open_runs.scoring import are_same, place_of
from inexview.core.progress import Progress
from inexview.core.report import MINUS, difference_text, subscripted, unbroken
from inexview.core.text.search import WHITE_SPACE, first_words
from inexview.core.wording import counted
from inexview.gui.charts.chart_painter import RankCurve
from inexview.gui.inspect.costs import SpanWanted
from inexview.gui.inspect.ranked_list import DocumentChosen
from inexview.gui.inspect.run_scoring import (
    OPEN,
    WIDEST,
    FigureAsked,
    FigureClicks,
    FigureLevel,
    FigureOf,
    RunScoring,
    scored_judgement,
)
from inexview.gui.inspect.scores import HEAD, ScoreRows
from inexview.gui.inspect.what_if import ScratchCopies
from inexview.gui.look.panels import Index, MenuButton, RowTableModel, add_choice, set_up_rows
from inexview.gui.look.theme import Themed
from inexview.gui.look.widgets import (
    INSET,
    LEFT,
    MARGIN,
    RIGHT,
    Caption,
    ElidedLabel,
    KeySign,
    button,
    derived,
    in_column,
    in_row,
    label,
)
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import BackgroundTask, Tasks

ADDS, WITHOUT = "adds", "left out"


class DerivationModel(RowTableModel):
    """One row for each topic, document or passage, in the order of the ranking or of the text."""

    def __init__(self, title: Callable[[DerivationRow], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self.of_what = "document"
        self._signed = False
        self._adds = ADDS
        self._alike = False
        self._whole: tuple[bool, ...] = ()
        self.derivation: Derivation | None = None

    def show(
        self,
        derivation: Derivation | None,
        of_what: str = "document",
        *,
        adds: str = ADDS,
        signed: bool = False,
    ) -> None:
        """Show the rows of a figure, the kind of the rows, and the unit of their contribution.

        ``adds`` is the heading of the contributions; a difference is ``signed``.
        """
        self.beginResetModel()
        self.derivation, self.of_what, self._signed, self._adds = derivation, of_what, signed, adds
        self._whole = tuple(
            all(float(row.figures[at]).is_integer() for row in self.rows) for at in range(len(self.columns))
        )
        self._alike = len({row.document for row in self.rows}) < len(self.rows)
        self.endResetModel()

    @property
    def headings(self) -> tuple[str, ...]:
        return ("", self.of_what, self._adds, WITHOUT) if self.derivation else ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the further figures of each row."""
        return () if self.derivation is None else self.derivation.columns

    def figures(self, at: int) -> tuple[str, ...]:
        """Return the further figures of a row by :attr:`columns`; each column has equal decimals."""
        figures = zip(self.rows[at].figures, self._whole, strict=True)
        return tuple(
            (shown(figure) if whole or math.isinf(figure) else f"{figure:.4f}").replace("-", MINUS)
            for figure, whole in figures
        )

    @property
    def rows(self) -> Sequence[DerivationRow]:
        return () if self.derivation is None else self.derivation.rows

    def place(self, at: int) -> str:
        """Return the place of a row in its document if the document has several rows, else ""."""
        return self.rows[at].place if self._alike and self.of_what == "document" else ""

    def place_of(self, document: str, start: int | None = None) -> int | None:
        """Return the row of a document, of several the one that starts there; None if there is none."""
        own = [at for at, row in enumerate(self.rows) if document and row.document == document]
        there = (at for at in own if start is not None and self.rows[at].start == start)
        return next(there, next(iter(own), None))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.ToolTipRole:
            named = zip(self.columns, self.figures(index.row()), strict=True)
            told = (f"{name} {figure}" for name, figure in named)
            return "\n".join((f"{self._title(row)} ({row.document}) {row.place}".rstrip(), *told))
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if column < 2:
            return self._title(row) if column else str(row.rank)
        if column == 2:
            sign = ("+" if row.adds >= 0 else MINUS) if self._signed and row.adds else ""
            return sign + shown(abs(row.adds) if sign else row.adds) if row.adds else ""
        assert self.derivation is not None, "there are rows"
        change = self.derivation.change(row)
        return "" if math.isnan(change) or abs(change) < ROUNDING else change_text(change)

    @property
    def leaves_out(self) -> bool:
        """Whether any row has the figure's change if the row is left out."""
        return self.derivation is not None and any(not math.isnan(one) for one in self.derivation.without[:1])


LINE, SECOND = 26, 17  # height in pixels of a row's line, and of the one below it
SIDE, BETWEEN, NAMED = 6, 7, 3  # gaps: at cells, between two figures, between a name and its number
MEASURED = 500  # rows measured for the widths of columns
INDEX = re.compile(r"[(\[].*")  # the index of a name: gP[r], S(d)
ABBREVIATED = {"relevant": "rel"}  # in a narrow panel


class FigurePlace(NamedTuple):
    """A further figure of each row: its name, the x of the name, and the right end of the number."""

    name: str
    left: int
    right: int


def figure_places(
    metrics: QFontMetrics, names: Sequence[str], rows: Sequence[Sequence[str]], room: int
) -> list[FigurePlace]:
    """Return the positions of the further figures; names are shortened or cut before numbers are."""
    numbers = [max(map(metrics.horizontalAdvance, column)) + NAMED for column in zip(*rows, strict=True)]
    taken = sum(numbers) + BETWEEN * (len(names) - 1)
    brief = [INDEX.sub("", name) for name in names]
    for wanted in (names, brief, [ABBREVIATED.get(name, name) for name in brief]):
        widths = [metrics.horizontalAdvance(name) + 2 for name in wanted]
        if taken + sum(widths) <= room:
            break
    while taken + sum(widths) > room and max(widths):
        widths[widths.index(max(widths))] -= 1  # the longest name is cut first
    places, left = list[FigurePlace](), 0
    for name, wide, number in zip(wanted, widths, numbers, strict=True):
        cut = metrics.elidedText(name, Qt.TextElideMode.ElideRight, wide)
        cut = cut if metrics.horizontalAdvance(cut) <= wide else ""
        places.append(FigurePlace(cut, left, left + wide + number))
        left += wide + number + BETWEEN
    return places


class DerivationDelegate(QStyledItemDelegate):
    """Paints a cell, and below it its part of the line of figures."""

    def __init__(self, table: DerivationTable, parent: QObject) -> None:
        super().__init__(parent)
        self._table = table

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        table, cell = self._table, option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(cell, table.theme.color("selected"))
        painter.fillRect(QRect(cell.left(), cell.bottom(), cell.width(), 1), table.theme.color("line"))
        first = QRect(cell.left(), cell.top(), cell.width(), LINE).adjusted(SIDE, 0, -SIDE, 0)
        painter.setFont(derived(option.font, factor=0.95))
        painter.setPen(table.theme.color("muted" if index.column() == 0 else "text"))
        text = str(index.data())
        if index.column() == 1:
            self._paint_place(painter, table.model().place(index.row()), first)
        elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, first.width())
        painter.drawText(first, LEFT if index.column() == 1 else RIGHT, elided)
        if table.lines > 1:
            painter.setFont(derived(option.font, factor=0.85))
            self._paint_figures(painter, table.model().figures(index.row()), cell)
        painter.restore()

    def _paint_figures(self, painter: QPainter, figures: Sequence[str], cell: QRect) -> None:
        """Paint the part of the line of figures, which spans all cells, that lies in this cell."""
        table = self._table
        painter.setClipRect(cell)
        line = QRect(table.columnWidth(0) + SIDE, cell.top() + LINE - 4, 0, SECOND)
        for place, figure in zip(table.figure_places(painter.fontMetrics()), figures, strict=True):
            room = line.adjusted(place.left, 0, place.right, 0)
            painter.setPen(table.theme.color("muted"))
            painter.drawText(room, LEFT, place.name)
            painter.setPen(table.theme.color("text"))
            painter.drawText(room, RIGHT, figure)

    def _paint_place(self, painter: QPainter, place: str, room: QRect) -> None:
        """Paint what distinguishes rows of one document at the right of the title."""
        if not place:
            return
        pen = painter.pen()
        painter.setPen(self._table.theme.color("muted"))
        shown = painter.fontMetrics().elidedText(place, Qt.TextElideMode.ElideLeft, room.width() * 2 // 3)
        painter.drawText(room, RIGHT, shown)
        painter.setPen(pen)
        room.setRight(room.right() - painter.fontMetrics().horizontalAdvance(shown) - SIDE)


class DerivationHeader(QHeaderView):
    """The headings of the first line of each row; a second line names its figures itself."""

    def __init__(self, table: DerivationTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self.setHighlightSections(False)
        self.setMinimumSectionSize(20)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), LINE)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        table, model = self._table, self._table.model()
        painter.save()
        painter.setPen(table.theme.color("muted"))
        painter.setFont(derived(self.font(), factor=0.92))
        first = QRect(rect.left(), rect.top(), rect.width(), LINE).adjusted(SIDE, 0, -SIDE, 0)
        mode = Qt.TextElideMode.ElideRight
        heading = painter.fontMetrics().elidedText(model.headings[section], mode, first.width())
        painter.drawText(first, LEFT if section == 1 else RIGHT, heading)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), table.theme.color("line"))
        painter.restore()


class DerivationTable(Themed, QTableView):
    """The table: as wide as the panel; each row has one line, or two if it has figures."""

    def __init__(self, model: DerivationModel) -> None:
        super().__init__()
        self._model = model
        self._placed_for: tuple[object, ...] = ()
        self._placed: list[FigurePlace] = []
        set_up_rows(self, "What the figure is computed from")
        self.setModel(model)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalHeader(DerivationHeader(self))
        self.setItemDelegate(DerivationDelegate(self, self))

    def model(self) -> DerivationModel:
        return self._model

    def figure_places(self, metrics: QFontMetrics) -> list[FigurePlace]:
        """Return the positions of the further figures at the table's current width."""
        model, room = self._model, self.viewport().width() - self.columnWidth(0) - 2 * SIDE
        key = model.derivation, room, metrics.height()
        if key != self._placed_for:
            rows = [model.figures(at) for at in range(min(model.rowCount(), MEASURED))]
            self._placed_for, self._placed = key, figure_places(metrics, model.columns, rows, room)
        return self._placed

    @property
    def lines(self) -> int:
        return 2 if self._model.columns else 1

    def fit(self, *, left_out: bool) -> None:
        """Set the sizes of rows and columns; the title gets the rest."""
        self.ensurePolished()  # so that it has the font of the style sheet
        header, metrics = self.horizontalHeader(), self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(LINE + (SECOND if self.lines > 1 else 0))
        self.setColumnHidden(3, not left_out)
        header.setVisible(self._model.rowCount() > 0)
        if not self._model.columnCount():
            return
        number = metrics.horizontalAdvance(WIDEST) + 2 * SIDE
        rank = metrics.horizontalAdvance("0" * len(str(self._model.rowCount()))) + 2 * SIDE + 2
        for column, width in ((0, rank), (2, number), (3, number)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, width)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)


def given_by_document(
    derivation: Derivation | None, at: int | None, scores: TopicScores | None
) -> Iterator[str]:
    """Yield lines on the contribution of a row's document to the topic's figure."""
    if derivation is None or at is None:
        return
    row = derivation.rows[at]
    share, without = share_of(derivation, row), derivation.value + derivation.change(row)
    if share is not None and share.filled:
        yield f"Its S(d) is part of {len(share.ranks):,} of {counted(share.terms, 'term')}:"
        yield share.filled
    if row.start is not None or row.element or math.isnan(without):
        return
    measure, mean = derivation.measure, ""
    if scores is not None and measure in scores.names and derivation.topic in scores.topics:
        name = scores.mean_names[scores.names.index(measure)]
        new = scores.mean_with(name, derivation.topic, without)
        mean = f", {'the mean' if name == measure else name} {new:.4f}"
    yield f"Left out, {measure} would be {without:.4f}{mean}."


COPY, CORRECTED = "scratch copy", "corrected"


class FigureExplainer(QObject):
    """Derives figures; long derivations run in a background thread, one at a time."""

    def __init__(
        self,
        session: Session,
        board: RunScoring,
        scratch_copies: ScratchCopies,
        tasks: Tasks,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._board = board
        self._scratch_copies = scratch_copies
        self._tasks = tasks
        self._task: BackgroundTask | None = None

    def explain(self, asked: FigureAsked, done: Callable[[Derivations | None], None]) -> None:
        """Derive a figure of what is open and related figures, by name; None if there is none."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        board, compared = self._board, asked.of in (FigureOf.LEAD, FigureOf.BASELINE)
        alone = compared and board.baseline in (None, board.current)
        if asked.made is not None:
            done(asked.made())
        elif board.current is None or alone or (asked.of.scratched and self._scratch_copies.copy is None):
            done(None)
        elif asked.level is FigureLevel.RUN:
            done(self._of_run(asked))
        elif asked.level is FigureLevel.DOCUMENT:
            done(self._of_document(asked))
        else:
            self._explain_topic(asked, done)

    def choices(self) -> tuple[FigureOf, ...]:
        board = self._board
        pair = board.baseline is not None and board.baseline is not board.current
        lead = (FigureOf.BASELINE, FigureOf.LEAD) if pair else ()
        scratch = (FigureOf.SCRATCH, FigureOf.CHANGE) if self._scratch_copies.active else ()
        return (FigureOf.RUN, *lead, *scratch)

    def deciding(self, level: FigureLevel) -> str:
        """Return the measure that is derived by default."""
        if level is FigureLevel.DOCUMENT:
            return "F(d)"
        figures = self._board.figures
        return figures.deciding if level is FigureLevel.RUN else figures.topic_name

    def _names(self, of: FigureOf) -> tuple[str, str]:
        run, baseline = self._board.current, self._board.baseline
        own = "" if run is None else self._board.name(run)
        if of is FigureOf.LEAD:
            return own, "" if baseline is None else self._board.name(baseline)
        return CORRECTED if of is FigureOf.CORRECTED else COPY, own

    # -- runs ----------------------------------------------------------------------------------------

    def _of_run(self, asked: FigureAsked) -> Derivations | None:
        board, copy = self._board, self._scratch_copies.copy
        run = board.baseline if asked.of is FigureOf.BASELINE else board.current
        scores, corrected_fault = board.scores(run), self._corrected_fault(asked)
        if scores is None or asked.of is FigureOf.LEAD:
            return None if scores is None else self._of_pair(asked.without)
        own = derive_means(scores) | self._more(run, scores)
        if corrected_fault is None and not asked.of.scratched:
            return own
        scorer = self._scratch_copies.scorer()
        if (
            scorer is None
            or run is None
            or (corrected_fault is not None and asked.topic not in scores.topics)
        ):
            return None
        try:
            if corrected_fault is not None:
                changed = self._corrected(scores, run, asked.topic, corrected_fault, scorer)
            else:
                assert copy is not None, "a figure of it is asked for"
                changed = scorer.score(copy.scratch)
        except InexviewError:
            return None
        derived = derive_means(changed) | self._more(run, changed)
        if asked.of is FigureOf.SCRATCH:
            return derived
        of = asked.of if corrected_fault is None else FigureOf.CORRECTED
        return derive_differences(derived, own, self._names(of), scores.mean_names)

    def _corrected(
        self, scores: TopicScores, run: Run, topic: str, corrected_fault: RankingFault, scorer: WhatIfScorer
    ) -> TopicScores:
        """Return the scores of a run after a fault in a topic is corrected."""
        qrels = self._board.qrels
        assert qrels is not None, "there is what scores a changed run"
        corrected = corrected_fault.corrected(ranking_of(run, topic), qrels, self._board.task)
        column, values = scorer.of_ranking(topic, corrected), scores.values.copy()
        values[:, scores.topics.index(topic)] = [column.get(name, 0.0) for name in scores.names]
        return scores.with_values(values, scores.topics)

    def _more(self, own: Run | None, scores: TopicScores) -> dict[str, Derivation]:
        """Derive the rank of a run with these scores among the runs, and its number of topics."""
        board = self._board
        runs, decides = board.scored(), board.figures.deciding
        at = place_of(own, runs)
        if at is None:
            return {}
        shown = [scores.mean[decides] if run is own else board.figures.of(run)[decides] for run in runs]
        return {
            RANK: derive_rank([board.name(run) for run in runs], shown, at, decides),
            TOPICS: derive_coverage(board.figures.topics, scores.topics),
        }

    def _of_pair(self, without: str) -> Derivations | None:
        """Derive the comparison of the run in the foreground with the baseline."""
        board = self._board
        found = board.pairs.of(board.current, board.baseline)
        if found is not None and without and board.current is not None and board.baseline is not None:
            found = board.pairs.without(without, board.current, board.baseline)
        if found is None:
            return None
        name, turned = board.figures.topic_name, found.comparison.difference(found.second, found.first)
        one, other = (derive_compared_mean(pair, name) for pair in (found, turned))
        lead = derive_difference(one, other, self._names(FigureOf.LEAD))
        return {one.measure: lead, **derive_pair(found)}

    # -- topics --------------------------------------------------------------------------------------

    def _explain_topic(self, asked: FigureAsked, done: Callable[[Derivations | None], None]) -> None:
        board, opened = self._board, self._session.topic
        first, second = self._rankings(asked)
        task, qrels, names = board.task, board.qrels, self._names(asked.of)
        if asked.change is not None:
            names = f"after change {asked.change + 1}", "before"
        if first is not None and opened is not None and board.elements is not None:
            self._explain_elements(asked, board.elements, (first, second), opened.id, done)
            return
        if first is None or task is None or qrels is None or opened is None:
            done(None)
            return
        point = None if asked.point is None else (asked.point.kind, asked.point.at)
        settings = self._settings("" if point else asked.measure)
        topic, differs = opened.id, asked.of.difference

        def work() -> Derivations | None:
            one = derive_topic(qrels, first, settings, topic, point)
            if not differs:
                return one
            other = None if second is None else derive_topic(qrels, second, settings, topic)
            return derive_differences(one, other, names, one or ())

        self._task = self._tasks.run(work, done, urgent=False)

    def _explain_elements(
        self,
        asked: FigureAsked,
        elements: ElementScoring,
        runs: tuple[Run, Run | None],
        topic: str,
        done: Callable[[Derivations | None], None],
    ) -> None:
        """Derive a figure by judged elements; the values without each element take a while."""
        first, second = runs
        scores, names = self._board.scores(self._board.current), self._names(asked.of)
        if scores is None or asked.of.scratched:
            done(None)
            return
        measure = asked.measure if asked.measure in scores.names else self.deciding(FigureLevel.TOPIC)
        measures = dict.fromkeys([measure, *scores.reported])
        settings = replace(self._settings(""), measures=tuple(map(parse, measures)))

        def work(progress: Progress) -> Derivations | None:
            one = elements.derive(first, settings, topic, progress)
            if not asked.of.difference:
                return one
            other = elements.derive(second or first, settings, topic, progress)
            return derive_differences(one, other, names, one or ())

        said = f"Deriving {measure} of {first.id}"
        self._task = self._tasks.run_long(said, work, done, given_up=lambda: done(None))

    def _settings(self, measure: str) -> ScoringSettings:
        """Return the settings of the runs, with a measure added that is not computed by default."""
        board = self._board
        assert board.task is not None, "there is a task"
        settings, scores = board.choice.settings(board.task), board.scores(board.current)
        if measure and scores is not None and measure not in scores.names:
            return replace(settings, measures=(parse(board.figures.deciding), parse(measure)))
        return settings

    def _rankings(self, asked: FigureAsked) -> tuple[Run | None, Run | None]:
        """Return the ranking whose figures are derived, and the one it is compared with."""
        board, copy, topic = self._board, self._scratch_copies.copy, self._session.topic
        of, change, run, corrected_fault = (
            asked.of,
            asked.change,
            self._board.current,
            self._corrected_fault(asked),
        )
        if of is FigureOf.BASELINE:
            return board.baseline, None
        if corrected_fault is not None:
            if run is None or topic is None or board.qrels is None:
                return None, None
            return corrected_fault.corrected(ranking_of(run, topic.id), board.qrels, board.task), run
        if change is not None and copy is not None:
            made = copy.scratch.changes[change : change + 1]
            return (made[0].after, made[0].before) if made else (None, None)
        if of.scratched and copy is not None and topic is not None:
            return copy.scratch.ranking(topic.id), board.current
        return board.current, board.baseline

    def _corrected_fault(self, asked: FigureAsked) -> RankingFault | None:
        """Return the corrected fault, in the open document by default."""
        if asked.corrected_fault is None or asked.corrected_fault.document != OPEN:
            return asked.corrected_fault
        return replace(asked.corrected_fault, document=self._session.document_id or OPEN)

    # -- documents -----------------------------------------------------------------------------------

    def _of_document(self, asked: FigureAsked) -> Derivations | None:
        first, second = (self._passages(ranking, asked) for ranking in self._rankings(asked))
        if not asked.of.difference:
            return first
        both = [name for name in first or () if name in (second or ())]
        return derive_differences(first, second, self._names(asked.of), both)

    def _passages(self, run: Run | None, asked: FigureAsked) -> Derivations | None:
        """Derive the figures of the open document under a run; if unjudged, those that exist."""
        session = self._session
        document, topic, state = session.document, session.topic, session.state
        if document is None or topic is None or run is None:
            return None
        ranking = Ranking(run, topic.id)
        here = ranking.retrieved(document.id)
        judged = scored_judgement(session, self._board.given, document.id, state, document.length)
        derived = []
        if judged is not None:
            derived = derive_document(
                document.id,
                judged.passages,
                here.passages,
                length=judged.length,
                bep=judged.bep,
                entry=here.scored_entry,
                rsize=judged.rsize,
                nowhere=here.nowhere,
                parameters=self._board.parameters,
            )
        if asked.cost is not None:
            derived.append(derive_cost(document.id, asked.cost))
        marks = None if judged is None else judged.passages
        derived += derive_characters(document.id, marks, here.passages, length=document.length)
        place = derive_place(document.id, ranking.documents)
        return {one.measure: one for one in (derived if place is None else [*derived, place])}


COMPUTING = "computing…"
PRECISIONS = ("gP[r]", "P@r")  # columns that are drawn as curves over the ranks
LONGEST_NAME = 96  # width in pixels of a measure's name
CURVE_OF = 5  # the curve gets at most this fraction (1/5) of the height
ROOMY = 700  # height in pixels from which the scores of the document stay visible
WORDS = 60  # code points of a passage that serve as its title
NOT_SCORED = {
    FigureLevel.RUN: "This run has no figures.",
    FigureLevel.TOPIC: "This topic has no figure for this run.",
    FigureLevel.DOCUMENT: "This document is not judged, or no run is open.",
}
OF_WHAT = {FigureLevel.RUN: "topic", FigureLevel.TOPIC: "document", FigureLevel.DOCUMENT: "passage"}
OTHER_ROWS = {RANK: "run", P_CORRECTED: "pair of runs", TAU: "run", RHO: "run"}
COUNTS = (BETTER, RANK, TOPICS, *CHARACTERS, LENGTH)
LEAVING_OUT = "left out: how the figure changes without this row; these do not add up."


class DerivationPanel(QWidget):
    """Derives figures of the run in the foreground: means, figures of the topic and of the document."""

    chosen = Signal(object)  # DocumentChosen
    topic_chosen = Signal(object)  # topic
    passage_chosen = Signal(object)  # SpanWanted

    def __init__(
        self, session: Session, board: RunScoring, explainer: FigureExplainer, dismiss: QAction
    ) -> None:
        super().__init__()
        self._session = session
        self._board = board
        self._explainer = explainer
        self._explained: Derivations | None = None
        self._of: tuple[object, ...] = ()  # run and topic
        self.asked = FigureAsked(FigureLevel.TOPIC)
        self.setProperty("role", "chrome")
        self.title = ElidedLabel(role="heading")
        self.measures = MenuButton("Figure that is derived")
        self.close_button = button("close", "link")
        self._close_key = KeySign(dismiss)
        self.formula = label("", "muted", wrap=True)
        self.filled = label("", "", wrap=True)
        self.note = label("", "note", wrap=True)
        self.model = DerivationModel(self._title, self)
        self.curve = RankCurve(self._row_text)
        self._without = label(LEAVING_OUT, "note", wrap=True)
        self.gives = QWidget()
        """The open document's contribution to a topic's figure; hidden if there is none."""
        self.given = label(wrap=True)
        in_column(Caption("What this document gives"), self.given, on=self.gives, margins=0, spacing=4)
        self.rows = DerivationTable(self.model)
        self._above = QWidget()
        self.bars = ScoreRows()
        """The scores of the open document, which stay visible; :class:`ScorePanel` fills them."""
        self._lay_out()
        self.rows.clicked.connect(self._choose)
        self.rows.activated.connect(self._choose)
        self.curve.chosen.connect(lambda row: self._choose(self.model.index(row, 0)))
        board.figured.connect(self.follow)
        session.topic_changed.connect(lambda _topic: self.follow())
        session.document_opened.connect(lambda _opened: self.follow())
        session.document_failed.connect(lambda _problem: self.follow())

    def _lay_out(self) -> None:
        inside = in_column(
            in_row((self.title, 1), self.measures, self.close_button, self._close_key, spacing=4),
            self.formula,
            self.filled,
            self.curve,
            self.note,
            self.gives,
            (self.rows, 1),
            self._without,
            margins=(MARGIN, 10, MARGIN, MARGIN),
            spacing=8,
        )
        head = in_row(Caption("This document"), margins=(INSET, 0, 0, 0))
        head.addStrut(HEAD)  # so that the scores do not move
        in_column(head, self.bars, on=self._above, margins=(MARGIN - INSET, 8, MARGIN - INSET, 0), spacing=6)
        in_column(self._above, (inside, 1), on=self, margins=0, spacing=0)
        self.filled.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave space for the rows in a low window."""
        super().resizeEvent(event)
        self.curve.setMaximumHeight(self.height() // CURVE_OF)
        self._show_bars()

    def _show_bars(self) -> None:
        in_topic = self.asked.level is not FigureLevel.RUN
        self._above.setVisible(in_topic and self.height() >= ROOMY)

    def open(self, asked: FigureAsked) -> None:
        """Derive a figure, and hide the previous derivation at once."""
        self.asked = asked
        self._show_bars()
        self._clear()
        self._explainer.explain(asked, self._show)

    def _clear(self) -> None:
        """Clear the previous derivation while a figure of this run and topic is computed."""
        self._of = self._session.run, self._session.topic
        self._explained = None
        self.model.show(None)
        self.title.set_text(COMPUTING)
        self._say_nothing()

    def follow(self) -> None:
        """Derive again while visible, because run, topic, document or figures may have changed."""
        if not self.isVisible():
            return
        if not are_same(self._of, (self._session.run, self._session.topic)):
            self._clear()
        elif self._waits and self._explained is not None:
            self.note.setText(self._board.why_stale)  # the derivation below is outdated
            self.note.show()
            return
        self._explainer.explain(self.asked, self._show)

    @property
    def _waits(self) -> bool:
        """Whether the judgements needed for the derivation are still to be read."""
        board, of_document = self._board, self.asked.level is FigureLevel.DOCUMENT
        return board.stale and board.qrels is None and board.elements is None and not of_document

    def _show(self, explained: Derivations | None) -> None:
        self._explained = explained
        self._show_measure(self.asked.measure or self._explainer.deciding(self.asked.level))

    def _show_measure(self, measure: str) -> None:
        explained, asked = self._explained, replace(self.asked, measure=measure)
        self.asked = asked
        signed = asked.of.difference and measure not in (*COUNTS, P_CORRECTED)
        of_what = self._of_what(measure)
        adds = P_CORRECTED if measure == P_CORRECTED else ADDS
        derivation = None if explained is None else explained.get(measure)
        self.model.show(derivation, of_what, adds=adds, signed=signed)
        self._without.setVisible(self.model.leaves_out)
        run = self._session.run
        self._draw_ranks(0 if run is None else self._board.style(run))
        self._fill_measures(explained)
        if explained is None or derivation is None:
            self.title.set_text(self._board.why_stale if self._waits else "No figure")
            self._say_nothing()
            self.note.setText("" if self._waits else NOT_SCORED[asked.level])
            self.note.show()
            return
        value = self._value(derivation)
        self.title.set_text(f"{derivation.measure} {value}", briefer=[value])
        self.formula.setText(subscripted(derivation.formula))
        self.formula.setToolTip(f"{derivation.title}\n{derivation.citation}".strip())
        self.filled.setText(unbroken(subscripted("\n".join(derivation.filled))))
        whose = f"Of the {asked.of.value}." if asked.of is FigureOf.SCRATCH else ""
        without = f"Without topic {asked.without}." if asked.without else ""
        self.note.setText("\n".join(filter(None, (whose, without, derivation.note))))
        self.note.setVisible(bool(self.note.text()))
        self._fit()

    def _of_what(self, measure: str) -> str:
        """Return the kind of a figure's rows."""
        level = self.asked.level
        if level is FigureLevel.DOCUMENT:
            return "document" if measure == RANK else OF_WHAT[level]
        named = measure if measure == P_CORRECTED else measure.partition("(")[0]
        return OTHER_ROWS.get(named, OF_WHAT[level])

    def _say_nothing(self) -> None:
        for part in (self.formula, self.filled, self.note):
            part.setText("")
        self.gives.hide()

    def _value(self, derivation: Derivation) -> str:
        if derivation.measure in COUNTS:
            return f"{derivation.value:,.0f}"
        signed = derivation.measure in (FROM, TO) or derivation.measure.startswith("Δ")
        value = derivation.value
        if signed:
            return difference_text(value, 4)
        whole = value > 1 or derivation.measure.startswith("characters")
        return (shown(value) if whole else f"{value:.4f}").replace("-", MINUS)

    def _fit(self) -> None:
        """Set the sizes of rows and columns, and scroll to the requested row."""
        self.rows.fit(left_out=self.model.leaves_out)
        run = self._session.run
        of_run = self.asked.level is FigureLevel.RUN and self.asked.measure == RANK
        wanted = self._board.name(run) if of_run and run is not None else self.asked.document
        passages = self.model.of_what == "passage" and self.asked.start is None
        at = None if passages else self.model.place_of(wanted, self.asked.start)
        if at is not None:
            self.rows.selectRow(at)
        document = self._session.document
        if self.asked.level is not FigureLevel.TOPIC or document is None:
            self.gives.hide()
            return
        at = self.model.place_of(document.id)
        self.curve.set_current(at)
        scores = self._board.scores(run) if self.asked.of is FigureOf.RUN else None
        if scores is not None and scores.by_query is not None:  # the mean is of more queries
            scores = None
        lines = [] if self.asked.of.difference else [*given_by_document(self.model.derivation, at, scores)]
        self.given.setText("\n".join(lines))
        self.gives.setVisible(bool(lines))

    def _draw_ranks(self, style: int) -> None:
        column = next((name for name in PRECISIONS if name in self.model.columns), "")
        rows = self.model.rows if column else ()
        at = self.model.columns.index(column) if rows else 0
        values = [row.figures[at] for row in rows]
        adds = [place for place, row in enumerate(rows) if row.adds]
        self.curve.set_values([row.rank for row in rows], values, adds, column, style)

    def _row_text(self, row: int) -> str:
        return f"rank {self.model.rows[row].rank}: {self.model.data(self.model.index(row, 1))}"

    def _fill_measures(self, explained: Derivations | None) -> None:
        """Offer the other figures of the same subject and of other subjects."""
        group, menu = self.measures.begin(), self.measures.choices
        for name in explained or ():
            choose = partial(self._show_measure, name)
            add_choice(menu, name, choose, on=name == self.asked.measure, group=group)
        whose, choices = QActionGroup(menu), () if self.asked.made else self._explainer.choices()
        if len(choices) > 1:
            menu.addSection("Of the")
        for of in choices if len(choices) > 1 else ():
            add_choice(menu, of.value, partial(self._choose_whose, of), on=of is self.asked.of, group=whose)
        metrics, end = self.measures.fontMetrics(), Qt.TextElideMode.ElideRight
        self.measures.show_choice(metrics.elidedText(self.asked.measure, end, LONGEST_NAME))
        self.measures.setToolTip(self.asked.measure)
        self.measures.setVisible(len(menu.actions()) > 1)

    def _choose_whose(self, of: FigureOf) -> None:
        there = self._explainer.deciding(self.asked.level)
        known = self.asked.measure if self.asked.level is not FigureLevel.RUN else there
        self.open(FigureAsked(self.asked.level, known, self.asked.document, of))

    def offer_figures(self, clicks: FigureClicks) -> None:
        clicks.watch(self.rows.viewport(), self._figure_at, clicked_at=lambda _at: None)

    def _figure_at(self, at: QPoint) -> FigureAsked | None:
        index, asked = self.rows.indexAt(at), self.asked
        if not index.isValid():
            return None
        row = self.model.rows[index.row()]
        if self.model.of_what == "topic" and self._is_topic(row.document):
            return FigureAsked(
                FigureLevel.TOPIC, of=asked.of, topic=row.document, corrected_fault=asked.corrected_fault
            )
        if asked.level is FigureLevel.TOPIC and self.model.of_what == "document":
            measure = self._board.parameters.of_document(self._board.task)
            return FigureAsked(
                FigureLevel.DOCUMENT, measure, row.document, asked.of, corrected_fault=asked.corrected_fault
            )
        return None

    def _is_topic(self, name: str) -> bool:
        return any(topic.id == name for topic in self._session.project.topics)

    def _choose(self, index: QModelIndex) -> None:
        """Go to the subject of a row: a topic, a document, or a passage of the open document."""
        row = self.model.rows[index.row()]
        if self.asked.level is FigureLevel.RUN:
            if self._is_topic(row.document):
                self.topic_chosen.emit(row.document)
        elif self.asked.level is FigureLevel.TOPIC:
            self.chosen.emit(DocumentChosen(row.document, row.rank, row.start))
        elif row.start is not None and row.end is not None:
            self.passage_chosen.emit(SpanWanted(row.start, row.end))
        else:
            self.chosen.emit(DocumentChosen(row.document, row.rank, None))

    def _title(self, row: DerivationRow) -> str:
        """Return the title of a row: topic, document title, or first words."""
        session = self._session
        if self.asked.level is FigureLevel.RUN:
            return next((one.title for one in session.project.topics if one.id == row.document), row.document)
        if self.asked.level is FigureLevel.TOPIC:
            return session.catalogue.about(row.document).title
        if session.document is None or row.start is None:
            return session.catalogue.about(row.document).title or row.document
        # for an entry point the text that follows
        end = row.start + WORDS if row.end in (None, row.start) else row.end
        return first_words(session.document.text, row.start, end, WORDS) or WHITE_SPACE
