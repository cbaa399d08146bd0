"""What-if: scratch copies of runs, changes to them by pen and keys, and the panel of their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFont, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QListWidget, QListWidgetItem, QSizePolicy, QWidget

from inexview.core.article.document import Document
from inexview.core.article.granularity import Granularity
from inexview.core.errors import InexviewError
from inexview.core.evaluation.derivations import RANK
from inexview.core.evaluation.run_derivations import TOPICS
from inexview.core.evaluation.variants import (
    RunChange,
    RunStep,
    ScratchRun,
    WhatIfScorer,
    change_text,
    enter,
    erase,
    mark,
    move,
    results_of,
)
from inexview.core.judgements.runs import Run, Task
from inexview.core.open_runs.rankings import Ranking, Retrieved, score
from inexview.core.open_runs.scoring import MOST_AROUND, SOME, PlacedRun, around, key_of, placed_runs
from inexview.core.report import MINUS
from inexview.core.wording import counted
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.overlays import Stroke, Tool
from inexview.gui.inspect.run_scoring import (
    NEEDS_CHARACTERS,
    WIDEST,
    FigureAsked,
    FigureClicks,
    FigureLevel,
    FigureOf,
    RunScoring,
    scored_judgement,
)
from inexview.gui.look.panels import FittingArea
from inexview.gui.look.theme import paint_run_shape, run_color, set_role
from inexview.gui.look.widgets import (
    LEFT,
    MARGIN,
    RIGHT,
    Caption,
    ElidedLabel,
    KeyButton,
    KeySign,
    Margins,
    PaintedWidget,
    SideBySide,
    button,
    derived,
    in_column,
    in_row,
    label,
    write,
)
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.messages import Message, MessageKind, Messages, sentence
from inexview.gui.services.session import Session

MOST_MEASURES = 4


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """A figure of the run and of its scratch copy; None if there is none."""

    name: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class WhatIfFigures:
    """The effect of the changes on document, topic and run, and on the run's place among the runs."""

    document: tuple[BeforeAfter, ...] = ()
    topic: tuple[BeforeAfter, ...] = ()
    run: tuple[BeforeAfter, ...] = ()
    topics: tuple[int, int] = (0, 0)
    """Numbers of topics in the run's means before and after: topics without a result are left out."""
    place: tuple[int, int] = (0, 0)
    """The place before and after, from 1."""
    runs: int = 0
    around: tuple[PlacedRun, ...] = ()
    missing: str = ""
    """Why topic and run have no figures."""


@dataclass(eq=False)
class ScratchCopy:
    """A scratch run, with the effect of each change on the topic by the deciding measure."""

    scratch: ScratchRun
    effects: list[float | None] = field(default_factory=list)
    saved: tuple[RunChange, ...] = ()
    """The changes that are saved in a file."""

    @property
    def unsaved(self) -> bool:
        """Whether it has changes that are not saved in a file."""
        return bool(self.scratch.changes) and self.scratch.changes != self.saved


class ScratchCopies(QObject):
    """Keeps a scratch copy of each run until the window closes; judgements do not change."""

    changed = Signal()  # the copy, its changes, or the figures before them changed
    previewed = Signal(object)  # WhatIfFigures while a stroke is drawn

    def __init__(self, session: Session, board: RunScoring, article: ArticleView, messages: Messages) -> None:
        super().__init__(article)
        self.active = False
        self._session = session
        self._board = board
        self._messages = messages
        self._article = article
        self._copies: dict[str, ScratchCopy] = {}  # by the key of the run, which may be closed or read again
        self._open: tuple[str, ...] = ()
        self._scorer: tuple[tuple[object, ...], WhatIfScorer] | None = None
        self._scored_by: tuple[WhatIfScorer | None, str] = (None, "")  # scorer and measure of the effects
        article.stroke_finished.connect(self.stroke)
        article.entry_point_chosen.connect(self.enter)
        session.run_selected.connect(lambda _run: self._tell())
        session.topic_changed.connect(lambda _topic: self._tell())
        session.document_opened.connect(lambda _opened: self._tell())
        board.figured.connect(self._tell)
        session.runs_changed.connect(self._follow_runs)

    def set_active(self, active: bool) -> None:
        if active is not self.active:
            self.active = active
            self.changed.emit()

    @property
    def copy(self) -> ScratchCopy | None:
        run = self._session.run
        if run is None:
            return None
        copy = self._copies.setdefault(key_of(run), ScratchCopy(ScratchRun(run)))
        if copy.scratch.base is not run:  # the run was read again, or closed and opened
            copy = self._copies[key_of(run)] = self._made_again(copy, run)
        return copy

    def _made_again(self, copy: ScratchCopy, run: Run) -> ScratchCopy:
        """Return the copy of a run that was read again, and report which changes still apply."""
        again = ScratchCopy(copy.scratch.on(run))
        made = len(again.scratch.changes)
        lost = len(copy.scratch.changes) - made
        if lost:
            told = (
                f"{run.id} was read again, and {counted(lost, 'change')} of its scratch copy fit it no more."
            )
            self._messages.say(Message(MessageKind.WARNING, told))
        elif made:
            told = f"{run.id} was read again, with the {counted(made, 'change')} made to it here."
            self._messages.info(told)
        if not copy.unsaved:
            again.saved = again.scratch.changes
        return again

    @property
    def unsaved(self) -> list[ScratchCopy]:
        """The scratch copies with changes that are not saved, including those of closed runs."""
        return [copy for copy in self._copies.values() if copy.unsaved]

    def note_saved(self, copy: ScratchCopy, changes: tuple[RunChange, ...]) -> None:
        """Record that a copy is saved in a file with these changes."""
        copy.saved = changes
        self.changed.emit()

    def discard(self) -> None:
        changed = any(copy.scratch.changes for copy in self._copies.values())
        self._copies.clear()
        if changed:
            self.changed.emit()

    def _follow_runs(self, runs: tuple[Run, ...]) -> None:
        """Report that the changes to a closed run are kept until it is opened again."""
        there = tuple(map(key_of, runs))
        for key in self._open:
            copy = self._copies.get(key)
            if key not in there and copy is not None and copy.scratch.changes:
                changes = counted(len(copy.scratch.changes), "change")
                told = f"{copy.scratch.base.id} is closed. Opened again here, it has its {changes} again."
                self._messages.say(Message(MessageKind.WARNING, told))
        self._open = there

    def ranking(self, topic: str) -> Run | None:
        """Return the scratch copy's ranking of a topic; None outside what-if."""
        copy = self.copy
        return copy.scratch.ranking(topic) if self.active and copy is not None else None

    @property
    def said(self) -> str:
        copied = self._copied
        return copied and f"{copied}  ·  the run file and the judgements do not change"

    @property
    def shown_as(self) -> str:
        """The name of what is shown over the text: the run, or in what-if its copy with its changes."""
        run = self._session.run
        return self._copied if self.active else "" if run is None else self._board.name(run)

    @property
    def _copied(self) -> str:
        copy = self.copy
        if copy is None:
            return ""
        changes = counted(len(copy.scratch.changes), "change")
        if copy.scratch.changes:
            changes += ", in no file yet" if copy.unsaved else ", saved"
        return f"scratch copy of {self._board.name(copy.scratch.base)}  ·  {changes}"

    @property
    def style(self) -> int | None:
        """The style of the run that has a scratch copy."""
        return None if self.copy is None else self._board.style(self.copy.scratch.base)

    # -- changes -------------------------------------------------------------------------------------

    def stroke(self, stroke: Stroke) -> None:
        """Add the drawn span to what the run retrieves, or remove the erased span."""
        if self.active and (document := self._session.document) is not None:
            if (entry := self.entered_by(stroke)) is not None:
                self.enter(entry)
                return
            said = "retrieved" if stroke.tool is Tool.MARK else "dropped"
            self._change(f"{said} {stroke.start:,}–{stroke.end:,}", self._step(stroke, document))

    def entered_by(self, stroke: Stroke) -> int | None:
        """Return the entry point that a stroke sets in best in context, where a document has one result.

        A stroke at an end of the passage moves that end instead.
        """
        document, topic = self._session.document_id, self._session.topic
        best = stroke.tool is Tool.MARK and self._board.task is Task.BEST_IN_CONTEXT
        ranking = None if topic is None else self.ranking(topic.id)
        if not best or document is None or ranking is None:
            return None
        own = [(one.start, one.end) for one in results_of(ranking, document) if one.is_passage]
        moves_end = any(stroke.start == end or stroke.end == start for start, end in own)
        return None if moves_end else stroke.start

    def enter(self, at: int) -> None:
        if self.active and self._session.document is not None:
            self._change(f"entered at {at:,}", self._step(at, self._session.document))

    def move(self, by: int) -> None:
        """Move the open document down (1) or up (-1) in the ranking."""
        if (document := self._session.document_id) is not None:
            up = "one rank up" if by < 0 else "one rank down"
            self._change(up, lambda ranking: move(ranking, document, by))

    def undo(self, at: int = -1) -> None:
        """Undo a change, the last one by default."""
        copy = self.copy
        if copy is not None and copy.scratch.undo(at) is not None:
            del copy.effects[at:]  # the changes after it were applied again
            self.changed.emit()

    def undo_all(self) -> None:
        copy = self.copy
        while copy is not None and copy.scratch.undo() is not None:
            copy.effects.clear()
        self.changed.emit()

    def effects(self) -> list[float | None]:
        """Return the effect of each change on its topic by the deciding measure, None if unknown."""
        copy = self.copy
        if copy is None:
            return []
        changes = copy.scratch.changes
        scored_by = self.scorer(), self._board.figures.topic_name
        if scored_by != self._scored_by:
            self._scored_by = scored_by
            copy.effects.clear()
        for change in changes[len(copy.effects) :]:
            before, after = (self._of_ranking(change.topic, one) for one in (change.before, change.after))
            copy.effects.append(None if before is None or after is None else after - before)
        return copy.effects

    def preview(self, drawn: Stroke | int | None) -> Retrieved | None:
        """Show the effect of a stroke or entry point while it is drawn; None ends the preview.

        Returns what the copy would retrieve of the open document.
        """
        copy, topic, document = self.copy, self._session.topic, self._session.document
        if copy is None or topic is None or document is None:
            return None
        scratch = copy.scratch
        if isinstance(drawn, Stroke) and (entry := self.entered_by(drawn)) is not None:
            drawn = entry
        if drawn is not None:
            scratch = scratch.trying(topic.id, self._step(drawn, document))
        self.previewed.emit(self.figures(scratch))
        return None if drawn is None else Ranking(scratch.ranking(topic.id), topic.id).retrieved(document.id)

    def _step(self, drawn: Stroke | int, document: Document) -> RunStep:
        if isinstance(drawn, int):
            end = self._least_end(drawn)
            return partial(enter, document=document.id, at=drawn, length=document.length, least=end)
        if drawn.tool is Tool.ERASE:
            return partial(erase, document=document.id, start=drawn.start, end=drawn.end)
        return partial(mark, document=document.id, start=drawn.start, end=drawn.end)

    def _least_end(self, at: int) -> int | None:
        """Return the end of the first passage that starts at an offset; None if a point suffices."""
        snapper = self._article.pen_state.snapper
        if snapper is None or self._board.task is Task.BEST_IN_CONTEXT:
            return None
        return snapper.grow(at, at + 1, Granularity.SENTENCE)[1]

    def _change(self, done: str, step: RunStep) -> None:
        """Apply a change to the copy, unless it breaks a rule of the task."""
        copy, topic, document = self.copy, self._session.topic, self._session.document_id
        if copy is None or topic is None or document is None:
            return
        try:
            if (scorer := self.scorer()) is not None:
                scorer.of_ranking(topic.id, copy.scratch.trying(topic.id, step).ranking(topic.id))
        except InexviewError as error:
            self._messages.say(Message(MessageKind.REFUSED, sentence(error)))
            return
        if copy.scratch.change(topic.id, document, done, step):
            self.changed.emit()

    # -- figures -------------------------------------------------------------------------------------

    def figures(self, scratch: ScratchRun) -> WhatIfFigures:
        """Return the figures of a copy next to those of its run."""
        board, topic = self._board, self._session.topic
        scorer, scores = self.scorer(), board.scores(scratch.base)
        document = self._of_document(scratch)
        if scorer is None or scores is None or topic is None:
            return WhatIfFigures(document, missing=self._missing())
        try:
            after = scorer.score(scratch)
        except InexviewError as error:
            return WhatIfFigures(document, missing=sentence(error))
        was, now = (one.topic(topic.id) if topic.id in one.topics else {} for one in (scores, after))
        means, new_means = scores.mean, after.mean
        shown = board.figures.measures[:MOST_MEASURES]
        named = [scores.names[scores.mean_names.index(name)] for name in shown]
        deciding = board.figures.deciding
        others = [
            (board.name(run), board.style(run), board.figures.of(run)[deciding])
            for run in board.scored()
            if run is not scratch.base
        ]
        copy = board.name(scratch.base), board.style(scratch.base)
        around = placed_runs(others, copy, means[deciding], new_means[deciding])
        own = next(one for one in around if one.scratch)
        return WhatIfFigures(
            document,
            tuple(BeforeAfter(name, was.get(name), now.get(name)) for name in named),
            tuple(BeforeAfter(name, means[name], new_means[name]) for name in shown),
            (len(scores.topics), len(after.topics)),
            (own.before, own.after),
            len(others) + 1,
            around,
        )

    def title_of(self, document: str) -> str:
        return self._session.catalogue.about(document).title or document

    def _missing(self) -> str:
        board = self._board
        if board.task is None:
            return "Choose a task to see what topic and run score."
        if board.elements is not None:
            return NEEDS_CHARACTERS
        if board.choice.variations is not None:
            return "A copy is scored only if topics have one query each."
        return board.why_stale if board.stale else board.figures.nothing or "This run has no figures."

    def _of_document(self, scratch: ScratchRun) -> tuple[BeforeAfter, ...]:
        session = self._session
        if session.document is None or session.topic is None:
            return ()
        topic, document, parameters = session.topic.id, session.document, self._board.parameters
        judged = scored_judgement(session, self._board.given, document.id, session.state, document.length)
        if judged is None:
            return ()
        before, after = (
            score(judged, ranking.retrieved(document.id), parameters)
            for ranking in (Ranking(scratch.base, topic), Ranking(scratch.ranking(topic), topic))
        )
        return (
            BeforeAfter("P(d)", before.precision, after.precision),
            BeforeAfter("R(d)", before.recall, after.recall),
            BeforeAfter("F(d)", before.f, after.f),
            BeforeAfter("s(x,b)", before.s, after.s),
        )

    def _of_ranking(self, topic: str, ranking: Run) -> float | None:
        """Return a ranking's score by the deciding measure; None if it breaks a rule."""
        scorer, measure = self._scored_by
        try:
            scored = {} if scorer is None else scorer.of_ranking(topic, ranking)
        except InexviewError:
            return None
        return scored.get(measure)

    def scorer(self) -> WhatIfScorer | None:
        """Return the scorer of copies of the run; None if the run itself has no figures."""
        board, run = self._board, self._session.run
        scores, task = board.scores(run), board.figures.task
        if scores is None or board.qrels is None or task is None or board.stale or scores.by_query:
            return None
        made_of = scores, board.qrels
        if self._scorer is None or self._scorer[0] != made_of:
            self._scorer = made_of, WhatIfScorer(board.qrels, scores, board.choice.settings(task))
        return self._scorer[1]

    def _tell(self) -> None:
        if self.active:
            self.changed.emit()


AMONG = " among "  # so many runs
ROOMY, ROOM_FOR_SOME = 700, 560  # heights in pixels from which all runs around the copy are listed, or some
# pixels between columns, and the width in pixels from which the wider gap is used
CLOSE, APART, ROOMY_GRID = 4, 8, 260
COLUMNS, BETWEEN = (1, 3, 4), 2  # columns of the grid for before, after and change, and for the arrow
WHOSE = (FigureOf.CHANGE, FigureOf.RUN, FigureOf.SCRATCH, FigureOf.CHANGE)
"""The run of each cell of a row: name, before, after, change."""
NO_P = "No p here: a copy tuned on the judgements is to learn from, not to report."

ROOM = 7  # padding around the text of a row, in pixels


SHAPE = 9.0


class PlacesAmongRuns(PaintedWidget):
    """A row for each run around the copy, best first."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[PlacedRun, ...] = ()
        self._most = MOST_AROUND
        self.setAccessibleName("Places among the runs")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_runs(self, rows: tuple[PlacedRun, ...]) -> None:
        if rows != self.rows:
            higher, self.rows = len(rows) != len(self.rows), rows
            self.setAccessibleDescription(". ".join(row.said for row in rows))
            self.set_most(self._most)
            if higher:
                self.updateGeometry()
            self.update()

    def set_most(self, most: int) -> None:
        """Show this many of the rows, nearest to the copy, if the widgets below need the space."""
        if most != self._most:
            self._most = most
            self.updateGeometry()
        self.setVisible(bool(most) and len(self.rows) > 1)

    def shown(self) -> tuple[PlacedRun, ...]:
        return around(self.rows, self._most)

    def _line(self) -> int:
        return self.fontMetrics().height() + ROOM

    def sizeHint(self) -> QSize:
        return QSize(240, len(self.shown()) * self._line())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for at, row in enumerate(self.shown()):
            self._paint_row(painter, row, QRectF(0, at * self._line(), self.width(), self._line()))

    def _paint_row(self, painter: QPainter, row: PlacedRun, rect: QRectF) -> None:
        theme, color = self.theme, run_color(self.theme, row.style)
        if row.scratch:
            painter.fillRect(rect, theme.color("selected"))
        plain, bold = derived(self.font(), factor=0.95), derived(self.font(), factor=0.95, bold=True)
        text, muted = theme.color("text"), theme.color("muted")
        metrics, wide = QFontMetricsF(plain), QFontMetricsF(bold)
        rank = metrics.horizontalAdvance("00") + 4
        right = metrics.horizontalAdvance("0.0000") + 12
        write(painter, QRectF(2, rect.top(), rank, rect.height()), str(row.after), plain, muted, RIGHT)
        write(painter, rect.adjusted(0, 0, -2, 0), f"{row.value:.4f}", plain, text, RIGHT)
        was = "" if row.before == row.after else f"was {row.before}"
        write(painter, rect.adjusted(0, 0, -right, 0), was, plain, muted, RIGHT)
        shape = QRectF(rank + 12, rect.center().y() - SHAPE / 2, SHAPE, SHAPE)
        paint_run_shape(painter, row.style, shape, color, hollow=row.scratch)
        room = rect.adjusted(rank + 28, 0, -right - metrics.horizontalAdvance(was) - 6, 0)
        scratch = " scratch" if row.scratch else ""
        own = room.adjusted(0, 0, -metrics.horizontalAdvance(scratch), 0)
        write(painter, own, row.name, bold, color, LEFT, Qt.TextElideMode.ElideMiddle)
        named = min(wide.horizontalAdvance(row.name), own.width())
        write(painter, room.adjusted(named, 0, 0, 0), scratch, plain, muted)


class FigureGrid(QWidget):
    """Rows with a name, the figure before, the figure after, and the change."""

    def __init__(self, name: str, brief: str = "", *, headed: bool = False) -> None:
        """``headed`` names the columns, also for the grids below."""
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 6)
        self._grid.setVerticalSpacing(6)
        self._grid.setHorizontalSpacing(CLOSE)
        self._grid.setColumnStretch(0, 1)
        self.caption = Caption(name, briefer=[brief or name])
        self._grid.addWidget(self.caption, 0, 0, 1, 1 if headed else -1)
        for at, text in zip(COLUMNS, ("before", "after", "change") if headed else (), strict=False):
            self._grid.addWidget(label(text, "muted"), 0, at, Qt.AlignmentFlag.AlignRight)
        self.rows: list[tuple[ElidedLabel, QLabel, QLabel, QLabel]] = []
        self.arrows: list[QLabel] = []  # between figures that differ
        self._offered: tuple[FigureClicks, FigureLevel] | None = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Widen the gaps between columns if there is space."""
        super().resizeEvent(event)
        self._grid.setHorizontalSpacing(APART if self.width() >= ROOMY_GRID else CLOSE)

    def offer_figures(self, clicks: FigureClicks, level: FigureLevel) -> None:
        self._offered = clicks, level

    def _offer_row(self, at: int) -> None:
        if self._offered is not None:
            clicks, level = self._offered
            for cell, of in zip(self.rows[at], WHOSE, strict=True):
                clicks.watch(cell, partial(self._figure, level, of, at))

    def _figure(self, level: FigureLevel, of: FigureOf, at: int, _point: QPoint) -> FigureAsked | None:
        name = self.rows[at][0].full_text.partition(AMONG)[0]
        if name == RANK and of is FigureOf.CHANGE:
            of = FigureOf.SCRATCH
        return FigureAsked(level, name, of=of) if name else None

    def show_rows(self, rows: Sequence[tuple[str, str, str, str]]) -> None:
        while len(self.rows) < len(rows):
            name = ElidedLabel(role="value")
            figures = label("", "muted"), label("", "value"), label("", "")
            self._grid.addWidget(name, len(self.rows) + 1, 0)
            for at, figure in zip(COLUMNS, figures, strict=True):
                self._grid.addWidget(figure, len(self.rows) + 1, at, Qt.AlignmentFlag.AlignRight)
            self.arrows.append(label("", "muted"))
            self.arrows[-1].setFixedWidth(self.fontMetrics().horizontalAdvance("→"))
            self._grid.addWidget(self.arrows[-1], len(self.rows) + 1, BETWEEN)
            self.rows.append((name, *figures))
            self._offer_row(len(self.rows) - 1)
        for at, (name, *cells) in enumerate(self.rows):
            called, *texts = rows[at] if at < len(rows) else [""] * 4
            name.set_text(called, briefer=[called.partition(AMONG)[0]])
            name.setVisible(at < len(rows))
            for cell, text in zip(cells, texts, strict=True):
                cell.setText(text)
                cell.setVisible(at < len(rows))
            before, after, _ = texts
            set_role(self.rows[at][2], "muted" if before == after else "value")
            self.arrows[at].setText("" if before == after else "→")
        for name, *_ in self.rows[:1]:
            name.ensurePolished()  # so that it has the bold font of the style sheet
            for at in COLUMNS:
                widest = WIDEST if at == COLUMNS[-1] else WIDEST[1:]  # only a change has a sign
                self._grid.setColumnMinimumWidth(at, name.fontMetrics().horizontalAdvance(widest))
        self.setVisible(bool(rows))


class ChangeLine(QWidget):
    """One change: the place, the action, its effect on the topic, and a button to undo it."""

    def __init__(
        self, number: int, where: str, done: str, effect: str, undo_key: QAction | None = None
    ) -> None:
        """``undo_key`` is the action that undoes the last change."""
        super().__init__()
        self.said = f"{number}   {where}\n{done}" + (f"  ·  {effect}" if effect else "")
        self.setAccessibleName(self.said.replace("\n", ", "))
        self.undo = button("undo", "link")
        self.undo.setAccessibleName(f"Undo change {number}")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 4)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, self.fontMetrics().horizontalAdvance("00"))
        grid.addWidget(label(f"{number}", "muted"), 0, 0)
        signs = [] if undo_key is None else [KeySign(undo_key)]
        named = ElidedLabel(where, role="value")
        grid.addLayout(in_row((named, 1), self.undo, *signs, margins=0, spacing=4), 0, 1)
        what = ElidedLabel(role="muted")
        what.set_text(done, briefer=[done.partition(" ")[0]])
        self.effect = label(effect)
        grid.addLayout(in_row((what, 1), self.effect, margins=0, spacing=4), 1, 1)


class ScratchPanel(QWidget):
    """Shows the effect of the changes on document, topic and run."""

    valued = Signal(object)  # float | None: the topic's score by the deciding measure

    def __init__(self, scratch_copies: ScratchCopies, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self._scratch_copies = scratch_copies
        self._clicks: FigureClicks | None = None
        self.document, self.topic, self.run = (
            FigureGrid("Document", "Doc", headed=True),
            FigureGrid("Topic"),
            FigureGrid("Run"),
        )
        self.places = PlacesAmongRuns()
        self.missing = label("", "note", wrap=True)
        self._title = Caption("Changes")
        self._title.tip = "The changes of the scratch copy: the lines below"
        self.changes = QListWidget()
        self.changes.setAccessibleName("Changes")
        self.changes.setMinimumHeight(2 * self.fontMetrics().height() + 24)  # so that one change is visible
        self.changes.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.changes.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.steps = StepsFooter(book)
        self._undo_key = book["undo-scratch"]
        self.undo_all = button("undo all", "link")
        self.undo_all.clicked.connect(scratch_copies.undo_all)
        figures = QWidget()
        figures.setProperty("role", "chrome")
        note = label(NO_P, "note", wrap=True)
        shown = self.document, self.topic, self.run, self.places, self.missing, note
        in_column(*shown, on=figures, margins=0, spacing=8)
        self._figures = FittingArea(figures)
        self._figured: tuple[object, ...] = ()  # the numbers of figures that are shown
        margins = (MARGIN, 12, MARGIN, MARGIN)
        column = in_column((self._figures, 1000), on=self, margins=margins, spacing=8)
        head = in_row((self._title, 1), self.undo_all)
        column.addLayout(head)
        column.addWidget(self.changes, 1)
        column.addWidget(self.steps)
        scratch_copies.changed.connect(self.show_all)
        scratch_copies.previewed.connect(self.show_figures)

    def offer_figures(self, clicks: FigureClicks) -> None:
        self._clicks = clicks
        self.document.offer_figures(clicks, FigureLevel.DOCUMENT)
        self.topic.offer_figures(clicks, FigureLevel.TOPIC)
        self.run.offer_figures(clicks, FigureLevel.RUN)
        clicks.watch(self.places, FigureAsked(FigureLevel.RUN, RANK, of=FigureOf.SCRATCH))
        clicks.watch(self.run.caption, FigureAsked(FigureLevel.RUN, TOPICS, of=FigureOf.SCRATCH))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        some = SOME if self.height() >= ROOM_FOR_SOME else 0
        self.places.set_most(MOST_AROUND if self.height() >= ROOMY else some)
        self._figures.updateGeometry()

    def show_all(self) -> None:
        copy = self._scratch_copies.copy
        if not self._scratch_copies.active or copy is None:
            return
        self.show_figures(self._scratch_copies.figures(copy.scratch))
        changes, decides = copy.scratch.changes, self.topic.rows[0][0].full_text if self.topic.rows else ""
        self._title.set_text(f"Changes · {len(changes)}")
        self.undo_all.setVisible(len(changes) > 1)
        self.changes.clear()
        effects = self._scratch_copies.effects()
        for at, (change, effect) in reversed([*enumerate(zip(changes, effects, strict=True))]):
            told = "" if effect is None else f"{decides} {change_text(effect)}"
            named = f"{change.topic} · {self._scratch_copies.title_of(change.document)}"
            key = self._undo_key if at == len(changes) - 1 else None
            line = ChangeLine(at + 1, named, change.done, told, key)
            line.undo.clicked.connect(partial(self._scratch_copies.undo, at))
            if told and self._clicks is not None:
                asked = FigureAsked(FigureLevel.TOPIC, of=FigureOf.CHANGE, topic=change.topic, change=at)
                self._clicks.watch(line.effect, asked)
            item = QListWidgetItem()
            item.setSizeHint(QSize(0, 2 * line.fontMetrics().height() + 18))
            self.changes.addItem(item)
            self.changes.setItemWidget(item, line)

    def show_figures(self, figures: WhatIfFigures) -> None:
        self.valued.emit(figures.topic[0].after if figures.topic else None)
        self.document.show_rows([_row(one) for one in figures.document])
        self.topic.show_rows([_row(one) for one in figures.topic])
        before, after = figures.place
        place = (f"{RANK}{AMONG}{figures.runs}", f"{before}", f"{after}", _moved(before, after))
        placed = [place] if figures.runs > 1 else []
        self.run.show_rows([*(_row(one) for one in figures.run), *placed])
        self.places.show_runs(figures.around)
        before, after = figures.topics
        over = counted(after, "topic") + (f", before {before}" if before != after else "")
        self.run.caption.set_text(f"Run · {over}", briefer=["Run"])
        self.missing.setText(figures.missing)
        self.missing.setVisible(bool(figures.missing))
        grids = figures.document, figures.topic, figures.run, placed, figures.around
        figured = (*map(len, grids), figures.missing)
        if figured != self._figured:
            self._figured = figured
            self._figures.updateGeometry()


def _row(one: BeforeAfter) -> tuple[str, str, str, str]:
    change = "" if one.before is None or one.after is None else change_text(one.after - one.before)
    return one.name, _figure(one.before), _figure(one.after), change


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _moved(before: int, after: int) -> str:
    if before == after:
        return "0"
    return f"{abs(before - after)} {'up' if after < before else 'down'}"


HIGH, EDGE, ROUND = 24, 10, 5  # pixels


class StrokeEffect(PaintedWidget):
    """Shows the effect of a stroke over the text while it is drawn; ignores the mouse."""

    def __init__(self, article: ArticleView, scratch_copies: ScratchCopies) -> None:
        super().__init__()
        article.lay_over_text(self)
        self._article = article
        self._scratch_copies = scratch_copies
        self._parts: tuple[tuple[str, bool], ...] = ()  # texts, and whether they are bold
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        scratch_copies.previewed.connect(self._tell)
        article.pen.previewed.connect(self._follow)
        article.pen.ghosted.connect(self._follow)

    @property
    def said(self) -> str:
        return "".join(text for text, _ in self._parts)

    def _follow(self, drawn: Stroke | int | None) -> None:
        if drawn is None:
            self.hide()

    def _tell(self, figures: WhatIfFigures) -> None:
        """Show the effect of the current stroke or entry point."""
        stroke, entry = self._article.pen.stroke, self._article.pen.ghost
        if stroke is not None:
            entry = self._scratch_copies.entered_by(stroke)
        if stroke is not None and entry is None:
            change = stroke.change_of(self._article.pen_state.marks)
            sign = MINUS if change < 0 else "+" if change else ""
            drawn = f"{sign}{counted(abs(change), 'character')}"
        elif entry is not None:
            drawn = f"entered at {entry:,}"
        else:
            self.hide()
            return
        self._parts = ((drawn, True), *_most(figures.document))
        self.resize(self.sizeHint())
        self._article.show_at_pointer(self)
        self.update()

    def _fonts(self) -> dict[bool, QFont]:
        return {strong: derived(self.font(), factor=0.92, bold=strong) for strong in (False, True)}

    def _widths(self) -> list[float]:
        fonts = self._fonts()
        return [QFontMetricsF(fonts[strong]).horizontalAdvance(text) for text, strong in self._parts]

    def sizeHint(self) -> QSize:
        return QSize(round(sum(self._widths())) + 2 * EDGE, HIGH)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, fonts, x = QPainter(self), self.theme, self._fonts(), float(EDGE)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("text"))
        painter.drawRoundedRect(self.rect().toRectF(), ROUND, ROUND)
        for (text, strong), wide in zip(self._parts, self._widths(), strict=True):
            write(painter, QRectF(x, 0, wide + 1, HIGH), text, fonts[strong], theme.color("page"), LEFT)
            x += wide


def _most(figures: tuple[BeforeAfter, ...]) -> tuple[tuple[str, bool], ...]:
    """Return the figure that changes most, before and after, as texts."""
    known = [(one.before, one.after, one.name) for one in figures if one.before is not None]
    moved = [(abs(now - was), was, now, name) for was, now, name in known if now is not None]
    _, was, now, name = max(moved, default=(0.0, 0.0, 0.0, ""))
    return ((f"   {name} {was:.3f} → ", False), (f"{now:.3f}", True)) if was != now else ()


STEPS = ("next-miss", "next-false-alarm")


class StepsFooter(QWidget):
    """Two buttons, and above them the result of the last step."""

    def __init__(self, book: ActionBook, margins: Margins = 0) -> None:
        super().__init__()
        self.said = ElidedLabel(role="note")
        self.said.tip = "Which passage of its kind in this document, of how many"
        steps = SideBySide(*(KeyButton(book[name].text(), book[name]) for name in STEPS))
        in_column(self.said, steps, on=self, margins=margins)
