"""The ranked documents of a run in a topic: the list with its filters, and its contents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QActionGroup, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QButtonGroup, QPushButton, QVBoxLayout, QWidget

from inexview.core.evaluation.derivations import RANK
from inexview.core.evaluation.explain import HITS, SIZE
from inexview.core.evaluation.variants import Fault, RankingFault
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.open_runs.rankings import (
    DocumentFaults,
    Ranking,
    RankingCosts,
    Retrieved,
    first_of,
    ranking_costs,
)
from inexview.core.project.document_state import DocumentState
from inexview.core.report import NOTHING, count
from inexview.gui.inspect.ranked_table import (
    NOT_FOUND,
    RISING,
    Filter,
    RankedColumn,
    RankedDelegate,
    RankedDocument,
    RankedHeader,
    RankedKey,
    RankedModel,
    Rows,
    ranked_row,
)
from inexview.gui.inspect.run_scoring import (
    FigureAsked,
    FigureClicks,
    FigureLevel,
    FigureOf,
    RunScoring,
    scored_judgement,
)
from inexview.gui.inspect.what_if import ScratchCopies
from inexview.gui.look.panels import ChoosingView, MenuButton, add_choice, chip_button
from inexview.gui.look.theme import RelevanceState, Themed
from inexview.gui.look.widgets import MARGIN, Caption, FlowLayout, WhenSeen, in_column, in_row
from inexview.gui.services.document_record import StateChanged
from inexview.gui.services.session import Session
from inexview.gui.services.settings import NOT_RANKED, Settings
from inexview.gui.services.tasks import BackgroundTask, Tasks

KEPT = 64  # rankings whose costs are cached


class Key(NamedTuple):
    """The inputs on which the costs of a ranking depend."""

    run: Run
    topic: str
    qrels: Qrels
    task: Task
    settings: str
    measure: str


class CostsOfRanking(QObject):
    """Computes the costs of rankings, and caches recent ones."""

    known = Signal(object, object)  # run and topic whose costs are now known

    def __init__(self, board: RunScoring, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._tasks = tasks
        self._under_way: dict[Key, BackgroundTask] = {}
        self._listed: Key | None = None
        self._kept: dict[Key, RankingCosts] = {}

    def ask(self, run: Run, topic: str) -> RankingCosts | None:
        """Return the costs of the listed ranking, None until they are known."""
        self._listed = self._key(run, topic)
        self.want(run, topic)
        return self.known_of(run, topic)

    def known_of(self, run: Run, topic: str) -> RankingCosts | None:
        """Return the costs of a ranking, None if they are not known yet."""
        key = self._key(run, topic)
        return None if key is None else self._kept.get(key)

    def want(self, run: Run, topic: str) -> None:
        """Compute unknown costs of a ranking; running computations go on only for the listed ranking."""
        key, board = self._key(run, topic), self._board
        if key is None or key in self._kept or key in self._under_way:
            return
        settings = board.settings_for(key.task, board.figures.deciding)
        for other in [other for other in self._under_way if other != self._listed]:
            self._under_way.pop(other).cancel()

        def done(costs: RankingCosts) -> None:
            del self._under_way[key]
            self._kept[key] = costs
            if len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
            if key == self._key(run, topic):
                self.known.emit(run, topic)

        self._under_way[key] = self._tasks.run(
            lambda: ranking_costs(key.qrels, run, settings, topic), done, when_settled=True
        )

    def _key(self, run: Run, topic: str) -> Key | None:
        """Return the inputs of the costs; None if there are no current figures."""
        board = self._board
        qrels, task, measure = board.qrels, board.task, board.figures.deciding
        if qrels is None or task is None or not measure or board.stale or topic not in qrels.topics:
            return None
        return Key(run, topic, qrels, task, repr(board.choice.settings(task)), measure)


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
    Filter.UNJUDGED: "Documents of the run that are not judged; they count as not relevant",
}


@dataclass(frozen=True, slots=True)
class DocumentChosen:
    """A request to open a document at ``start``; None for where it was left."""

    document: str
    rank: int | None
    start: int | None


class RankedView(Themed, ChoosingView):
    """The list; if it is empty, it says why."""

    def __init__(self) -> None:
        super().__init__("Ranked documents")
        self.nothing = ""
        self.rows, self.delegate = RankedModel(self), RankedDelegate(self)
        self.setModel(self.rows)
        self.setItemDelegate(self.delegate)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.delegate.region = event.region()
        self.rows.make_shown(self.in_sight())
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        self.delegate.paint_noted(painter, self.font())
        if self.rows.rowCount() or not self.nothing:
            return
        painter.setPen(self.theme.color("muted"))
        room = self.viewport().rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap, self.nothing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # a title may now have a line of its own

    def in_sight(self) -> range:
        """Return the rows that are at least partly visible."""
        first, last = (self.indexAt(QPoint(0, y)).row() for y in (0, self.viewport().height() - 1))
        return range(max(first, 0), self.rows.rowCount() if last < 0 else last + 1)


class RankedList(QWidget):
    """Heading, filters and the list."""

    chosen = Signal(object)  # DocumentChosen
    columns_chosen = Signal(object)  # frozenset of RankedColumn

    def __init__(self) -> None:
        super().__init__()
        self._previewed = ""
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # figures are painted in this direction
        self.heading = Caption(HEADING)
        self.view = RankedView()
        self.model, self._delegate = self.view.rows, self.view.delegate
        self.header = RankedHeader(self._delegate, self.model, lambda: self.view.viewport().width())
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
        """The name of S(d) for the shown task."""
        self._lay_out()
        self.view.chosen.connect(self._choose)
        self.header.clicked.connect(self.sort_by)
        self._label_chips()

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

    def set_documents(
        self,
        rows: Rows | None,
        *,
        run_style: int = 0,
        heading: tuple[str, str] = (HEADING, ""),
        scratch: bool = False,
        other_topic: bool = False,
    ) -> None:
        """Show another ranking in the colour of its run, or None if there is no run.

        The ranking of a ``scratch`` copy shows changed ranks. The ranking of another topic is shown from its
        top unless it contains the open document.
        """
        self._has_run = rows is not None
        self._delegate.last_rank = len(rows.documents) if rows is not None and scratch else None
        self._delegate.run_style = run_style
        self.heading.set_text(*heading)
        self.model.set_rows(rows or Rows())
        self._show_costs()
        self._label_chips()
        self.set_current(self._delegate.open_document)
        if (other_topic or rows is None) and not self.view.currentIndex().isValid():
            self.view.scrollToTop()

    def compare_with(self, style: int | None) -> None:
        """Show, next to each document, its rank and score in another run; None hides them."""
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
        """Show whether the costs are outdated while new ones are computed."""
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
        """The columns to show if they fit."""
        return self._delegate.wanted

    def show_columns(self, wanted: frozenset[RankedColumn]) -> None:
        self._delegate.wanted = wanted
        self.view.scheduleDelayedItemsLayout()
        self.view.viewport().update()
        self.header.update()

    def sort_by(self, key: RankedKey) -> None:
        """Sort by a figure; reverse the order if the list is sorted by it already."""
        turned = key is self.model.key
        self._sort(key, descending=not self.model.descending if turned else key not in RISING)

    def _sort(self, key: RankedKey, *, descending: bool) -> None:
        self.model.sort_by(key, descending=descending)
        self.header.show_order()
        self.set_current(self._delegate.open_document)

    def _offer_columns(self) -> None:
        """Offer the columns and sort orders in a menu, which needs no mouse."""
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
        self.model.judge(document, fault)
        self._label_chips()

    def preview(self, row: RankedDocument | None) -> None:
        """Show a document and gP as after a stroke, with the old costs; None shows them as they are.

        The document may be closed by the time the stroke ends.
        """
        if self._previewed:
            self.model.preview(self._previewed, None)
        self._previewed = "" if row is None else row.document
        self._delegate.costs = self.model.costs if row is None else self.model.preview(row.document, row)
        self._delegate.costs_stale = row is not None
        self.view.viewport().update()

    def renew(self, documents: Iterable[str] | None = None) -> None:
        """Update the rows of documents, or of all (None) after a change of scoring."""
        if documents is None:
            self.model.renew()
            self.view.viewport().update()
            return
        again = tuple(documents)
        self.model.renew(again)
        for document in again:
            self.view.update(self.model.index_of(document))

    def score_again(self) -> None:
        """Update scores after a change of parameters; only these figures are repainted."""
        seen = map(self.model.index, self.view.in_sight())
        changed = [index for index in seen if self.model.at(index).judged]
        self.model.score_again()
        for index in changed:
            part = self._delegate.scored_part(QRectF(self.view.visualRect(index)), self.font())
            self.view.viewport().update(part.toAlignedRect())

    def set_current(self, document: str | None) -> None:
        """Highlight the open document and scroll to it; only two rows are repainted."""
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
        self.set_current(self._delegate.open_document)

    def step(self, by: int) -> None:
        """Select the next (1) or previous (-1) shown document, without wrapping."""
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
        """Make every figure derivable; a click on another document first opens it."""
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
            return FigureAsked(FigureLevel.TOPIC, "", document, FigureOf.CORRECTED, corrected_fault=found)
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
        """Label the filters with their counts if they fit; the chosen one keeps its count longest."""
        self.view.nothing = NOTHING_SHOWN[self.model.filter] if self._has_run else NO_RANKING
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


class TopicRanking(QObject):
    """Lists the ranking of the chosen run for the topic, then its misses, when the list is visible."""

    def __init__(
        self,
        session: Session,
        board: RunScoring,
        scratch_copies: ScratchCopies,
        tasks: Tasks,
        settings: Settings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.list = RankedList()
        self._seen = WhenSeen(self.list, self._show)
        self._session = session
        self._board = board
        self._scratch_copies = scratch_copies
        self._ranking: Ranking | None = None  # the ranking requested last
        self._listed: Ranking | None = None
        self._held = frozenset[str]()  # documents with a row, including missed ones
        self._before: Ranking | None = None  # the ranking of the run itself, if a scratch copy's is listed
        self._here: tuple[Ranking, str, Retrieved] | None = None
        self._first: tuple[Ranking, int, Ranking] | None = None  # a ranking of chunks, and its first k
        self._outdated = False  # judgements of listed documents may have changed
        self._wholes: Mapping[str, bool] = {}  # whether documents that are judged as wholes are relevant
        self._other: Ranking | None = None  # the ranking of the baseline
        self._compared_with: tuple[Run, str] | None = None
        self.costs = CostsOfRanking(board, tasks, self)
        self.costs.known.connect(self._show_costs)
        away = settings.get(NOT_RANKED)
        self.list.show_columns(frozenset(column for column in RankedColumn if column.name not in away))
        self.list.columns_chosen.connect(
            lambda wanted: settings.set(NOT_RANKED, [one.name for one in RankedColumn if one not in wanted])
        )
        session.state_changed.connect(self._show_state)
        session.part_judged.connect(self._show_state)
        session.catalogue.learned.connect(self.list.renew)

    def here(self) -> Retrieved | None:
        """Return what the run retrieved of the open document; an empty set of passages if nothing."""
        document, ranking = self._session.document, self._counted()
        if document is None or ranking is None:
            return None
        if self._here is None or self._here[0] is not ranking or self._here[1] != document.id:
            self._here = ranking, document.id, ranking.retrieved(document.id)
        return self._here[2]

    def _counted(self) -> Ranking | None:
        """Return the part of the ranking that counts: for chunks the first k."""
        ranking, most = self._known(), self._board.most
        if ranking is None or most is None:
            return ranking
        if self._first is None or self._first[0] is not ranking or self._first[1] != most:
            first = first_of(ranking.run, ranking.topic, most)
            self._first = ranking, most, Ranking(first, ranking.topic)
        return self._first[2]

    def _known(self) -> Ranking | None:
        """Return the ranking of the run, or of its scratch copy, for the topic."""
        session, ranking = self._session, self._ranking
        if session.topic is None or session.run is None:
            return None
        run = self._scratch_copies.ranking(session.topic.id)
        run = session.run if run is None else run  # a scratch copy may be empty
        if ranking is None or ranking.run is not run or ranking.topic != session.topic.id:
            ranking = self._ranking = Ranking(run, session.topic.id)
        return ranking

    # -- the list ------------------------------------------------------------------------------------

    def show(self) -> None:
        """List the run's documents for the topic."""
        self._seen.refresh()

    def list_now(self) -> RankedList:
        """Return the list, up to date even if it is hidden."""
        self._show()
        return self.list

    def list_again(self) -> None:
        """Update the list for the same run and topic, because judgements may have changed."""
        self.outdate()
        self.show()

    def outdate(self) -> None:
        """List the documents again when the list is next shown."""
        self._outdated = True

    def _show(self) -> None:
        self._compare()
        self._list()
        session, listed = self._session, self._listed
        if session.run is not None and session.topic is not None:
            self.list.heading.set_text(*self._heading(session.run, session.topic))
        costs = None if listed is None or self._outdated else self.costs.ask(listed.run, listed.topic)
        if costs is None:
            self.list.show_costs_stale(True)  # they are outdated or for another measure
        else:
            self.list.set_costs(costs)

    def _show_costs(self, run: Run, topic: str) -> None:
        listed, costs = self._listed, self.costs.known_of(run, topic)
        if listed is not None and listed.run is run and listed.topic == topic and costs is not None:
            self.list.set_costs(costs)

    def _list(self) -> None:
        """List the ranking, then the missed documents, once all judgements are known."""
        session, ranking, ready = self._session, self._known(), self._session.reading.ready
        if ranking is self._listed and not (self._outdated and ready):
            return
        last, self._listed, self._outdated = self._listed, ranking, not ready
        if ranking is None or session.topic is None or session.run is None or not ready:
            self.list.set_documents(None)  # not the documents of another topic
            return
        topic = session.topic
        states = {name: session.state_of(name) for name in session.project.touched(topic.id)}
        relevant = {name for name, state in states.items() if state.finished and state.relevant}
        wholes = self._wholes = self._board.judged_as_wholes(topic.id)
        relevant |= {name for name, own in wholes.items() if own}
        missed = session.in_pool_order(name for name in relevant if name not in ranking)
        scratch = ranking.run is not session.run
        before = self._before = Ranking(session.run, topic.id) if scratch else None
        had = () if before is None else before.documents
        dropped = [name for name in had if name not in ranking and name not in relevant]
        whole = (name for name in wholes if name in ranking)
        judged = {**ranking.faults(states), **dict.fromkeys(whole, DocumentFaults.NONE)}
        judged |= dict.fromkeys(missed, DocumentFaults.MISSED)
        judged |= dict.fromkeys(dropped, DocumentFaults.NONE)
        rows = Rows([*ranking.documents, *missed, *dropped], self._rows, judged)
        self._held = frozenset(rows.documents)
        heading = self._heading(session.run, topic)
        style = self._board.style(session.run)
        other = last is None or last.topic != topic.id
        self.list.set_documents(rows, run_style=style, heading=heading, scratch=scratch, other_topic=other)
        if session.document_id is not None:
            self.list.set_current(session.document_id)

    def _compare(self) -> None:
        """Show the baseline's rank and score next to each document."""
        topic, other = self._session.topic, self._board.baseline
        alone = topic is None or other is None or other is self._session.run
        wanted = None if alone or topic is None or other is None else (other, topic.id)
        if wanted != self._compared_with:
            self._compared_with = wanted
            self._other = None if wanted is None else Ranking(*wanted)
            self.list.compare_with(None if other is None or wanted is None else self._board.style(other))

    def _heading(self, run: Run, topic: Topic) -> tuple[str, str]:
        figures = self._board.shown(run)
        value = figures.of_topic(run, topic.id)
        told = "" if value is None or self._scratch_copies.active else f"{figures.topic_name} {value:.4f}"
        if self._board.is_stale(run):
            told = self._board.why_stale
        elif problem := figures.problem_of(run):
            told = problem
        named = "" if len(self._board.runs) > 1 else run.id  # with several runs the name is above the list
        query = run.queries.get(topic.id)
        heading = f"Query {query}" if query else f"Topic {topic.id}"
        return heading, " · ".join(part for part in (told, named) if part)

    def preview(self, state: DocumentState | None, retrieved: Retrieved | None = None) -> None:
        """Show the open document as after a stroke, judged or retrieved so; None shows it as it is."""
        document, listed = self._session.document_id, self._listed
        if state is None:
            self.list.preview(None)
        elif document is not None and listed is not None:
            (there,) = self._retrieved_there([document])
            self.list.preview(self._row(retrieved or listed.retrieved(document), state, there))

    def _rows(self, documents: Sequence[str]) -> list[RankedDocument]:
        assert self._listed is not None, "there are rows"
        return [
            self._row(found, self._session.state_of(found.document), there)
            for found, there in zip(
                self._listed.retrieved_of(documents), self._retrieved_there(documents), strict=True
            )
        ]

    def _retrieved_there(self, documents: Sequence[str]) -> Sequence[Retrieved | None]:
        """Return what the baseline retrieved of documents."""
        return [None] * len(documents) if self._other is None else self._other.retrieved_of(documents)

    def _row(self, retrieved: Retrieved, state: DocumentState, there: Retrieved | None) -> RankedDocument:
        session, document = self._session, retrieved.document
        about = session.catalogue.about(document)
        row = ranked_row(
            retrieved,
            state,
            about,
            self._board.parameters,
            scored_judgement(session, self._board.given, document, state, about.length),
            other=there,
            task=self._board.task,
        )
        if self._before is not None:
            row = replace(row, was=self._before.rank(document))
        relevant = self._wholes.get(document)
        if relevant is None:
            return row
        return replace(row, state=RelevanceState.RELEVANT if relevant else RelevanceState.NOT_RELEVANT)

    def _show_state(self, change: StateChanged) -> None:
        if not self.list.isVisible():
            self.list_again()
        elif self._listed is not None:
            states = {name: self._session.state_of(name) for name in change.documents}
            relevant = {name for name, state in states.items() if state.finished and state.relevant}
            if not relevant <= self._held:  # another document is missed
                self.list_again()
                return
            faults = dict.fromkeys(states, DocumentFaults.MISSED) | self._listed.faults(states)
            for document, fault in faults.items():
                self.list.judge(document, fault)
