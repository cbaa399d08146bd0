"""The ranked chunks of a run in a topic: the list with filters and the line at k, and the selection."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inexview.core.judgements.runs import Run, Task
from inexview.core.open_runs.chunk_ranking import (
    RECALL,
    ChunkRanking,
    ChunkState,
    RankedChunk,
    chunk_words,
)
from inexview.core.open_runs.scoring import MOST_READ, are_same
from inexview.core.report import NOTHING, count
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted, percent
from inexview.gui.inspect.ranked_list import DocumentChosen
from inexview.gui.inspect.ranked_table import paint_strips
from inexview.gui.inspect.run_scoring import RunScoring
from inexview.gui.inspect.what_if import ScratchCopies
from inexview.gui.look.panels import ChoosingView, Index, ListModel, chip_button
from inexview.gui.look.theme import RelevanceState, Themed, paint_judged, run_color
from inexview.gui.look.widgets import (
    CUT,
    LEFT,
    MARGIN,
    RIGHT,
    Caption,
    FlowLayout,
    WhenSeen,
    derived,
    in_column,
    in_row,
    label,
    paint_focus,
    write,
)
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import BackgroundTask, Tasks

KEPT = 64  # rankings in the cache
WORDS = 80  # code points of a chunk that serve as its title

RANK_WIDTH, SIGN, GAP = 26, 11, 8  # pixels
PAD, STRIP = 7, 10
GRIP = 5  # pixels above and below the line at k where it can be dragged


class ChunkFilter(Enum):
    """The chunks that the list shows."""

    ALL = "All"
    RELEVANT = "Relevant"
    NOT_RELEVANT = "Not relevant"
    REPEATS = "Repeats"

    def passes(self, chunk: RankedChunk) -> bool:
        match self:
            case ChunkFilter.RELEVANT:
                return chunk.state is ChunkState.RELEVANT
            case ChunkFilter.NOT_RELEVANT:
                return chunk.state is not ChunkState.RELEVANT
            case ChunkFilter.REPEATS:
                return bool(chunk.repeats)
        return True


FILTER_TIPS = {
    ChunkFilter.ALL: "Every chunk of the ranking",
    ChunkFilter.RELEVANT: "Chunks with relevant text",
    ChunkFilter.NOT_RELEVANT: "Chunks without relevant text, and chunks that are not judged",
    ChunkFilter.REPEATS: "Chunks with text that a better-ranked chunk holds already",
}
NOTHING_LISTED = {
    ChunkFilter.ALL: "This run has no chunk for this question.",
    ChunkFilter.RELEVANT: "No chunk holds relevant text.",
    ChunkFilter.NOT_RELEVANT: "Every chunk holds relevant text.",
    ChunkFilter.REPEATS: "No chunk repeats text of a better-ranked one.",
}
COMPUTING = "computing…"
STATES = {
    ChunkState.RELEVANT: RelevanceState.RELEVANT,
    ChunkState.NOT_RELEVANT: RelevanceState.NOT_RELEVANT,
    ChunkState.UNJUDGED: RelevanceState.UNJUDGED,
}


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk as the list shows it; ``counts`` is true for the first k.

    ``judged`` are the relevant passages of its document of ``length`` characters.
    """

    chunk: RankedChunk
    title: str
    length: int = 0
    judged: Spans = EMPTY
    counts: bool = True

    @property
    def place(self) -> Spans:
        start, end = self.chunk.start, self.chunk.end
        return EMPTY if start is None or end is None else Spans([(start, end)])

    @property
    def figures(self) -> tuple[str, str]:
        """The relevant characters, and their share of the chunk; a dash if it is not judged."""
        chunk = self.chunk
        if chunk.state is ChunkState.UNJUDGED:
            return NOTHING, ""
        return count(chunk.relevant), percent(chunk.share) if chunk.relevant else ""

    @property
    def below(self) -> str:
        """The text below the title."""
        nowhere = self.chunk.state is ChunkState.NOWHERE
        return ChunkState.NOWHERE.value if nowhere else self.chunk.repeats_in_words

    def __str__(self) -> str:
        chunk = self.chunk
        relevant = f"{count(chunk.relevant)} of {counted(chunk.size, 'character')} relevant"
        counts = "" if self.counts else "not counted"
        told = (f"rank {chunk.rank}", self.title, chunk.state.value, relevant, chunk.repeats_in_words, counts)
        return ", ".join(filter(None, told))


class ChunkDelegate(Themed, QStyledItemDelegate):
    """Paints a chunk: rank, state, title and relevant text; below them its position and repetitions."""

    def __init__(self, model: ListModel[ChunkRow], parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.chosen: int | None = None
        """The rank of the selected chunk."""
        self.run_style = 0

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, option.fontMetrics.height() + STRIP + 2 * PAD + 4)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, rect = self._model.rows[index.row()], QRectF(option.rect)
        painter.save()
        self._paint_ground(painter, rect, option, chosen=row.chunk.rank == self.chosen)
        upper = QRectF(rect.left() + MARGIN, rect.top() + PAD, rect.width() - 2 * MARGIN, 0)
        upper.setHeight(option.fontMetrics.height())
        bold, plain = derived(option.font, bold=True), derived(option.font)
        ink = self.theme.color("text" if row.counts else "muted")
        write(painter, upper, str(row.chunk.rank), bold if row.counts else plain, ink)
        sign = QRectF(upper.left() + RANK_WIDTH, upper.center().y() - SIGN / 2, SIGN, SIGN)
        self._paint_state(painter, row.chunk.state, sign)
        upper.setLeft(sign.right() + GAP)
        lower = QRectF(upper.left(), upper.bottom() + 2, upper.width(), STRIP)
        relevant, share = row.figures
        self._paint_figures(painter, upper, row, relevant, share, option.font)
        upper.setRight(upper.right() - self.figures_width(option.font))
        chosen = row.chunk.rank == self.chosen
        write(painter, upper, row.title, bold if chosen else plain, ink, LEFT, CUT)
        small = derived(option.font, factor=0.85)
        if row.below:
            write(painter, lower, row.below, small, self.theme.color("muted"), RIGHT)
            lower.setRight(lower.right() - QFontMetricsF(small).horizontalAdvance(row.below) - 2 * GAP)
        lower.setRight(min(lower.right(), upper.right()))
        if row.chunk.start is not None and lower.width() > 2 * SIGN:
            lane = run_color(self.theme, self.run_style) if row.counts else self.theme.color("muted")
            strip = lower.adjusted(0, 2, 0, 0)
            paint_strips(painter, self.theme, lane, [(strip, row.judged, row.place, row.length)])
        painter.restore()

    def figures_width(self, font: QFont) -> float:
        """Return the width of both columns of figures together."""
        metrics = QFontMetricsF(derived(font, bold=True))
        return metrics.horizontalAdvance("0,000") + self.share_width(font) + GAP

    def share_width(self, font: QFont) -> float:
        return QFontMetricsF(derived(font)).horizontalAdvance("100 %") + GAP

    def _paint_figures(
        self, painter: QPainter, room: QRectF, row: ChunkRow, relevant: str, share: str, font: QFont
    ) -> None:
        strong = row.counts and row.chunk.relevant
        write(painter, room, share, derived(font), self.theme.color("muted"), RIGHT)
        left = room.adjusted(0, 0, -self.share_width(font), 0)
        ink = self.theme.color("text" if strong else "muted")
        write(painter, left, relevant, derived(font, bold=bool(strong)), ink, RIGHT)

    def _paint_state(self, painter: QPainter, state: ChunkState, sign: QRectF) -> None:
        if state in STATES:
            paint_judged(painter, STATES[state], sign, self.theme)
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.theme.color("warning"), 1.5))
        painter.drawEllipse(sign.adjusted(0.75, 0.75, -0.75, -0.75))
        painter.restore()

    def _paint_ground(
        self, painter: QPainter, rect: QRectF, option: QStyleOptionViewItem, *, chosen: bool
    ) -> None:
        theme = self.theme
        if chosen:
            painter.fillRect(rect, theme.color("selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            hover = theme.color("track")
            hover.setAlphaF(0.6)
            painter.fillRect(rect, hover)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), theme.color("line"))
        if chosen:
            painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, rect.adjusted(0, 0, 0, -1), theme)


class ChunkView(Themed, ChoosingView):
    """The list with the line at k, which can be dragged; if the list is empty, it says why."""

    entered = Signal(object)  # QModelIndex: opened with Enter
    pointed = Signal(object)  # rank of the chunk under the mouse, None if there is none
    k_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__("Ranked chunks")
        self.nothing = ""
        self.k = 0
        self.rows = ListModel[ChunkRow](self)
        self.delegate = ChunkDelegate(self.rows, self)
        self._dragging = False
        self.setModel(self.rows)
        self.setItemDelegate(self.delegate)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def line_at(self) -> float | None:
        """Return the y of the line at k in pixels; None if no listed chunk is beyond it."""
        past = next((at for at, row in enumerate(self.rows.rows) if row.chunk.rank > self.k), None)
        return None if past is None else float(self.visualRect(self.rows.index(past)).top())

    def pill(self) -> QRectF:
        """Return the rectangle of the line's label, empty if it is not visible."""
        at, metrics = self.line_at(), QFontMetricsF(derived(self.font(), factor=0.85, bold=True))
        if at is None or not -GRIP <= at <= self.viewport().height() + GRIP:
            return QRectF()
        high = metrics.height() + 2
        wide = metrics.horizontalAdvance(self._label) + 16
        return QRectF(MARGIN + RANK_WIDTH + SIGN + GAP, at - high / 2, wide, high)

    @property
    def _label(self) -> str:
        return f"k = {self.k}"

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pill = self.pill()
        if not pill.isEmpty():
            line = QRectF(0, pill.center().y() - 1, self.viewport().width(), 2)
            painter.fillRect(line, self.theme.color("accent"))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.color("accent"))
            painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
            font = derived(self.font(), factor=0.85, bold=True)
            centred = Qt.AlignmentFlag.AlignCenter
            write(painter, pill, self._label, font, self.theme.color("on_accent"), centred)
        if not self.rows.rows and self.nothing:
            painter.setPen(self.theme.color("muted"))
            room = self.viewport().rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
            painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap, self.nothing)

    # -- mouse and keys ------------------------------------------------------------------------------

    def _on_line(self, at: QPointF) -> bool:
        line = self.line_at()
        return self.pill().contains(at) or (line is not None and abs(at.y() - line) <= GRIP / 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self._on_line(event.position()):
            self._dragging = True
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._dragging:
            self._drag(at)
            return
        on_line = self._on_line(at)
        self.viewport().setCursor(
            Qt.CursorShape.SplitVCursor if on_line else Qt.CursorShape.PointingHandCursor
        )
        index = self.indexAt(at.toPoint())
        self.pointed.emit(self.rows.rows[index.row()].chunk.rank if index.isValid() else None)
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragging:
            self._dragging = False
        else:
            super().mouseReleaseEvent(event)

    def _drag(self, at: QPointF) -> None:
        """Set k to the number of chunks whose middle is above the mouse, at least one."""
        above = [
            row.chunk.rank
            for place, row in enumerate(self.rows.rows)
            if self.visualRect(self.rows.index(place)).center().y() < at.y()
        ]
        k = max(above[-1] if above else 1, 1)
        if k != self.k:
            self.k_wanted.emit(k)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.entered.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class ChunkList(QWidget):
    """Heading, filters, column headings, and the list."""

    chosen = Signal(int)  # rank
    entered = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # figures are painted in this direction
        self.heading = Caption("Chunks")
        self.note = label("", "note", wrap=True)
        """A note about all chunks: how many are not found in the text."""
        self.view = ChunkView()
        self.header = ChunkHeader(self.view)
        self.filter = ChunkFilter.ALL
        self.chips = {kind: chip_button(kind.value, filled=True) for kind in ChunkFilter}
        self._group = QButtonGroup(self)
        self._rows: Sequence[ChunkRow] = ()
        self._why_none = ""
        chips = FlowLayout(4)
        for kind, chip in self.chips.items():
            chip.clicked.connect(partial(self.set_filter, kind))
            self._group.addButton(chip)
            chips.addWidget(chip)
        self.chips[ChunkFilter.ALL].setChecked(True)
        in_column(
            in_row(self.heading, margins=(MARGIN, 0, MARGIN, 0)),
            in_column(chips, self.note, margins=(MARGIN, 0, MARGIN, 4), spacing=6),
            (in_column(self.header, (self.view, 1), spacing=0), 1),
            on=self,
            margins=(0, 10, 0, 0),
            spacing=8,
        )
        self.note.hide()
        self.view.chosen.connect(lambda index: self.chosen.emit(self._rank(index)))
        self.view.entered.connect(lambda index: self.entered.emit(self._rank(index)))

    def _rank(self, index: QModelIndex) -> int:
        return self.view.rows.rows[index.row()].chunk.rank

    def show_chunks(self, rows: Sequence[ChunkRow], k: int, style: int, *, nothing: str = "") -> None:
        """List chunks, of which the first k count; if there are none, show ``nothing``."""
        self._rows, self._why_none = rows, nothing
        self.view.k, self.view.delegate.run_style = k, style
        nowhere = sum(row.chunk.state is ChunkState.NOWHERE for row in rows)
        self.note.setText(f"{counted(nowhere, 'chunk')} not found in the text" if nowhere else "")
        self.note.setVisible(bool(nowhere))
        self._list()

    def set_filter(self, kind: ChunkFilter) -> None:
        self.filter = kind
        self.chips[kind].setChecked(True)
        self._list()

    def _list(self) -> None:
        self.view.nothing = self._why_none or NOTHING_LISTED[self.filter]
        shown = tuple(row for row in self._rows if self.filter.passes(row.chunk))
        if shown != self.view.rows.rows:
            scrolled = self.view.verticalScrollBar().value()
            self.view.rows.set_rows(shown)
            self.view.verticalScrollBar().setValue(scrolled)
        for kind, chip in self.chips.items():
            many = f" {count(sum(map(kind.passes, (row.chunk for row in self._rows))))}" if self._rows else ""
            chip.setText(f"{kind.value}{many}")
            chip.setToolTip(FILTER_TIPS[kind])
            chip.setAccessibleName(chip.text())
        self.set_chosen(self.view.delegate.chosen)
        self.view.viewport().update()

    def set_chosen(self, rank: int | None) -> None:
        """Select a chunk, and scroll to it."""
        self.view.delegate.chosen = rank
        at = next((at for at, row in enumerate(self.view.rows.rows) if row.chunk.rank == rank), None)
        if at is not None:
            self.view.setCurrentIndex(self.view.rows.index(at))
        self.view.viewport().update()

    def step(self, by: int) -> None:
        """Select the next (1) or previous (-1) listed chunk, without wrapping."""
        ranks, chosen = [row.chunk.rank for row in self.view.rows.rows], self.view.delegate.chosen
        at = ranks.index(chosen) + by if chosen in ranks else 0
        if 0 <= at < len(ranks):
            self.chosen.emit(ranks[at])


class ChunkHeader(Themed, QWidget):
    """The headings above the figures of the rows."""

    def __init__(self, view: ChunkView) -> None:
        super().__init__()
        self._view = view
        self.setAccessibleName("Columns of the ranked chunks: rank, chunk, relevant characters, their share")

    def sizeHint(self) -> QSize:
        return QSize(160, self.fontMetrics().height() + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, delegate = QPainter(self), self._view.delegate
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), self.theme.color("line"))
        small, ink = derived(self.font(), factor=0.92), self.theme.color("muted")
        right = self._view.viewport().width() - MARGIN
        room = QRectF(MARGIN, 0, right - MARGIN, self.height() - 2)
        write(painter, room, "rank", small, ink)
        name = room.adjusted(RANK_WIDTH + SIGN + GAP, 0, -delegate.figures_width(self.font()) - GAP, 0)
        write(painter, name, "chunk", small, ink, LEFT, CUT)
        write(painter, room, "of it relevant", small, ink, RIGHT)


class TopicChunks(QObject):
    """The chunks of the run in the foreground and of the baseline for the topic; lists those of the run.

    They are ranked in a background thread and cached. One of them is selected.
    """

    known = Signal()  # a requested ranking is available
    changed = Signal()  # another chunk is selected
    opened = Signal(object)  # DocumentChosen
    entered = Signal(object)  # DocumentChosen: a chunk to be scrolled to the top

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
        self._kept: list[tuple[tuple[object, ...], ChunkRanking]] = []
        self._under_way: dict[tuple[int, ...], BackgroundTask] = {}
        self._words: tuple[ChunkRanking | None, Mapping[int, str]] = None, {}
        self._reading: BackgroundTask | None = None
        self._listed: ChunkRanking | None = None
        self.rank: int | None = None
        """The rank of the selected chunk."""
        self.list = ChunkList()
        self._seen = WhenSeen(self.list, self._show)
        self.list.chosen.connect(self.choose)
        self.list.entered.connect(lambda rank: self.choose(rank, top=True))
        self.list.view.k_wanted.connect(self.set_k)
        self.known.connect(self.show)
        board.figured.connect(self.show)
        session.catalogue.learned.connect(self._learn)
        session.document_opened.connect(lambda _opened: self._follow_document())

    @property
    def active(self) -> bool:
        """Whether runs are scored as chunks."""
        return self._board.task is Task.CHUNKS

    @property
    def k(self) -> int:
        return self._board.choice.reading.k

    def set_k(self, k: int) -> None:
        """Count the first k chunks, at least one and at most all."""
        ranking = self.ranking()
        most = MOST_READ if ranking is None else max(len(ranking.chunks), 1)
        self._board.read_as_far(k=max(min(k, most), 1))

    # -- rankings ------------------------------------------------------------------------------------

    def ranking(self) -> ChunkRanking | None:
        """Return the chunks of the run in the foreground, or of its scratch copy; None until known."""
        session = self._session
        if session.run is None or session.topic is None:
            return None
        scratch = self._scratch_copies.ranking(session.topic.id)
        return self.of(session.run if scratch is None else scratch)

    def baseline(self) -> ChunkRanking | None:
        """Return the chunks of the baseline; None until known, or without a baseline."""
        board = self._board
        return None if board.baseline in (None, board.current) else self.of(board.baseline)

    def of(self, run: Run | None) -> ChunkRanking | None:
        """Return the chunks of a run for the topic; None until known."""
        board, topic = self._board, self._session.topic
        waiting = board.qrels is None and board.stale
        if run is None or topic is None or not self.active or waiting:
            return None
        settings = board.settings_for(Task.CHUNKS, RECALL)
        key = (run, topic, board.qrels, board.choice.parameters(Task.CHUNKS))
        found = next((ranking for made_of, ranking in self._kept if _same(made_of, key)), None)
        if found is not None:
            return found
        number = tuple(map(id, key[:3]))
        if number not in self._under_way:
            qrels = board.qrels

            def done(ranking: ChunkRanking) -> None:
                del self._under_way[number]
                self._kept = [*self._kept[1 - KEPT :], (key, ranking)]
                self.known.emit()

            self._under_way[number] = self._tasks.run(
                lambda: ChunkRanking(qrels, run, topic.id, settings), done, urgent=False
            )
        return None

    # -- the list ------------------------------------------------------------------------------------

    def show(self) -> None:
        self._seen.refresh()

    def _show(self) -> None:
        session, ranking = self._session, self.ranking()
        self._show_heading()
        style = 0 if session.run is None else self._board.style(session.run)
        if ranking is None:
            nothing = COMPUTING if session.run is not None else "Open a run to see its chunks."
            if not self._still_listed:
                self.list.show_chunks((), self.k, style, nothing=nothing)
            return
        if ranking is not self._listed:
            self._listed = ranking
            self._read_words(ranking)
            names = dict.fromkeys(chunk.document for chunk in ranking.chunks)
            session.catalogue.want_first(names, measured=names)
            self.rank = None
        if self.rank is None:
            self._follow_document()
        self.list.show_chunks([self._row(ranking, chunk) for chunk in ranking.chunks], self.k, style)

    def listed_now(self) -> Sequence[ChunkRow]:
        """Return the listed chunks, even if the list is hidden."""
        self._show()
        return self.list.view.rows.rows

    @property
    def _still_listed(self) -> bool:
        """Whether the listed chunks are of the open run and topic, even if a scratch copy changed."""
        listed, session = self._listed, self._session
        if listed is None or session.topic is None or listed.topic != session.topic.id:
            return False
        return listed.run is session.run or self._scratch_copies.active

    def _show_heading(self) -> None:
        """Show the topic with its value in the heading if no run is shown above the list."""
        session, figures = self._session, self._board.figures
        self.list.heading.setVisible(len(self._board.runs) < 2)
        value = None
        if session.run is not None and session.topic is not None:
            value = self._board.shown(session.run).of_topic(session.run, session.topic.id)
        name = self._board.choice.reading.at_k(RECALL) if value is None else figures.topic_name
        self.list.heading.set_text("Chunks", NOTHING if value is None else f"{name} {value:.4f}")

    def _row(self, ranking: ChunkRanking, chunk: RankedChunk) -> ChunkRow:
        about, words = self._session.catalogue.about(chunk.document), self._words[1].get(chunk.rank)
        title = f"“{words}”" if words else about.title or chunk.document
        judged = ranking.gold.get(chunk.document, EMPTY)
        return ChunkRow(chunk, title, about.length, judged, counts=chunk.rank <= self.k)

    def _read_words(self, ranking: ChunkRanking) -> None:
        """Read the first words of chunks, in documents with several listed chunks."""
        if self._words[0] is not None and are_same(
            (self._words[0].run, self._words[0].topic), (ranking.run, ranking.topic)
        ):
            return
        if self._reading is not None:
            self._reading.cancel()
        self._words = ranking, {}
        collection, chunks = self._session.project.collection, ranking.chunks

        def done(words: Mapping[int, str]) -> None:
            self._reading, self._words = None, (ranking, words)
            self.show()

        self._reading = self._tasks.run(
            lambda: chunk_words(collection, chunks, WORDS), done, of_articles=True
        )

    def _learn(self, about: Collection[str]) -> None:
        listed = self._listed
        if listed is not None and any(chunk.document in about for chunk in listed.chunks):
            self.show()

    # -- the selected chunk --------------------------------------------------------------------------

    @property
    def chunk(self) -> RankedChunk | None:
        ranking = self.ranking()
        return None if ranking is None or self.rank is None else ranking.chunk(self.rank)

    def choose(self, rank: int, *, top: bool = False) -> None:
        """Select a chunk and scroll to it, to the ``top`` of the view or just into view."""
        ranking = self.ranking()
        chunk = None if ranking is None else ranking.chunk(rank)
        if chunk is None:
            return
        self._set(rank)
        (self.entered if top else self.opened).emit(DocumentChosen(chunk.document, rank, chunk.start))

    def step(self, by: int) -> None:
        self.list.step(by)

    def _set(self, rank: int | None) -> None:
        self.rank = rank
        self.list.set_chosen(rank)
        self.changed.emit()

    def _follow_document(self) -> None:
        """Select the best chunk of the opened document, unless one of its chunks is selected."""
        document, ranking = self._session.document_id, self.ranking()
        if ranking is None or document is None or not self.active:
            return
        chosen = self.chunk
        if chosen is None or chosen.document != document:
            own = next((chunk for chunk in ranking.chunks if chunk.document == document), None)
            self._set(None if own is None else own.rank)


def _same(made_of: tuple[object, ...], key: tuple[object, ...]) -> bool:
    """Return whether run, topic and judgements are identical, and parameters equal."""
    return are_same(made_of[:3], key[:3]) and made_of[3:] == key[3:]
