"""The costliest faults: of a document, next to its scores, and of a run over all topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QHideEvent,
    QPainter,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QButtonGroup,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inexview.core.evaluation.explain import (
    ALONE,
    Cost,
    CostKind,
    CostlyPart,
    RunCosts,
    costliest_parts,
    kinds_of,
)
from inexview.core.evaluation.variants import Fault, RankingFault, change_text
from inexview.core.report import count, difference_text, exact, loss
from inexview.core.text.search import quoted, words_begin
from inexview.core.wording import counted
from inexview.gui.article.margins import NumberedPlace
from inexview.gui.inspect.run_scoring import (
    NEEDS_CHARACTERS,
    OPEN,
    FigureAsked,
    FigureClicks,
    FigureLevel,
    FigureOf,
    RunScoring,
)
from inexview.gui.look.panels import ChoosingView, Index, ListModel, chip_button
from inexview.gui.look.theme import Themed, paint_number
from inexview.gui.look.widgets import (
    CUT,
    INSET,
    LEFT,
    MARGIN,
    RIGHT,
    ElidedLabel,
    Filler,
    FlowLayout,
    KeySign,
    WhenSeen,
    button,
    derived,
    in_column,
    in_row,
    label,
    paint_focus,
    write,
)
from inexview.gui.services.messages import sentence
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import LongTask, Tasks

ROOM = 10  # pixels around the text of a line
DISC = 17  # diameter in pixels of a number's disc
EXCERPT = 160  # code points of a passage that fit at most into one line
WIDEST = "  −0.0000"

COLORS = {Fault.MISSED: "miss", Fault.FALSE_ALARM: "false_alarm", Fault.ENTRY_POINT: "bep"}
CORRECTED = {
    Fault.MISSED: "had the run retrieved {these}",
    Fault.FALSE_ALARM: "had the run left out {these}",
    Fault.ENTRY_POINT: "had the run entered at the best entry point, {told} away",
}


@dataclass(frozen=True, slots=True)
class CostLine:
    """A cost with its text in the list."""

    cost: Cost
    number: int
    """The number from 1, which is also in the margin of the text."""
    title: str
    detail: str
    briefer: tuple[str, ...]
    """Shorter texts for less space, the longest first."""
    measure: str = ""
    """The measure of the topic."""
    gain: float | None = None
    """The gain of a correction in that measure; None if unknown."""

    @classmethod
    def of(
        cls, cost: Cost, number: int, article: str, measure: str = "", gain: float | None = None
    ) -> CostLine:
        """Return the line of a cost, with the start of the passage."""
        size, told = count(cost.end - cost.start), counted(cost.end - cost.start, "character")
        if cost.fault is Fault.ENTRY_POINT:
            return cls(cost, number, "Entry point", f"{told} off", (f"{size} off",), measure, gain)
        words = quoted(article, cost.start, cost.end, EXCERPT)
        briefer = f"{cost.fault.value}, {size}", cost.fault.value
        return cls(cost, number, words, f"{cost.fault.value}, {told}", briefer, measure, gain)

    @property
    def text(self) -> str:
        return f"{self.number}. {self.title}, {self.detail}"

    @property
    def of_topic(self) -> str:
        if self.gain is None:
            return ""
        return change_text(-self.gain)

    @property
    def price(self) -> str:
        """The cost, with its measure."""
        return f"{loss(self.cost.loss)} {self.cost.measure}"

    def __str__(self) -> str:
        """Return the whole line as text for screen readers."""
        topic = f", {self.of_topic} {self.measure} of the topic" if self.of_topic else ""
        return f"{self.text}, {self.price}{topic}"

    @property
    def tooltip(self) -> str:
        cost = self.cost
        told = counted(cost.end - cost.start, "character")
        these = f"{'this' if cost.end - cost.start == 1 else 'these'} {told}"
        corrected = CORRECTED[cost.fault].format(these=these, told=told)
        topic = "" if self.gain is None else f"\n{self.measure} of the topic {difference_text(self.gain, 6)}"
        return (
            f"{cost.measure} = {count(cost.before.numerator)} / {count(cost.before.denominator)}"
            f" = {exact(cost.before.value)}\n"
            f"would be {count(cost.after.numerator)} / {count(cost.after.denominator)}"
            f" = {exact(cost.after.value)},\n{corrected}{topic}"
        )


class NumberedDelegate(Themed, QStyledItemDelegate):
    """Paints a number in a disc with a title next to it; subclasses paint a second line."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.current = 0
        """The number of the selected line; 0 if none is selected."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, row_height(option.fontMetrics))

    def paint_title(
        self, painter: QPainter, option: QStyleOptionViewItem, number: int, title: str, fill: str = ""
    ) -> QRectF:
        """Paint everything but the second line, and return its rectangle; ``fill`` is a colour token."""
        rect, current = QRectF(option.rect), number == self.current
        hovered = "track" if option.state & QStyle.StateFlag.State_MouseOver else ""
        if fill or hovered:
            painter.fillRect(rect, self.theme.color(fill or hovered))
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, rect, self.theme)
        rect.adjust(INSET, ROOM / 2, -INSET, -ROOM / 2)
        disc = QRectF(rect.left(), rect.top() + (rect.height() / 2 - DISC) / 2, DISC, DISC)
        small = derived(option.font, factor=0.8, bold=True)
        paint_number(painter, disc, number, small, self.theme, current=current)
        rect.adjust(DISC + 8, 0, 0, 0)
        upper, lower = QRectF(rect), QRectF(rect)
        upper.setBottom(rect.center().y())
        lower.setTop(rect.center().y())
        plain = derived(option.font, factor=0.95)
        write(painter, upper, title, plain, self.theme.color("text"), LEFT, CUT)
        return lower


class CostDelegate(NumberedDelegate):
    """Paints the fault on the left, and its cost on the right."""

    def __init__(self, model: ListModel[CostLine], parent: QObject) -> None:
        super().__init__(parent)
        self._model = model

    def topic_width(self, font: QFont, line: CostLine) -> float:
        """Return the width of the topic's figure at the right of a line."""
        plain = QFontMetricsF(derived(font, factor=0.95))
        return 0.0 if line.gain is None else plain.horizontalAdvance(WIDEST) + INSET

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = self._model.rows[index.row()]
        painter.save()
        lower = self.paint_title(painter, option, line.number, line.title)
        plain, bold = derived(option.font, factor=0.95), derived(option.font, factor=0.95, bold=True)
        text, theme = self.theme.color("text"), self.theme
        if line.gain is not None:
            write(painter, lower, line.of_topic, plain, text, RIGHT)
            lower.adjust(0, 0, -QFontMetricsF(plain).horizontalAdvance(WIDEST), 0)
        write(painter, lower, line.price, bold, theme.color(COLORS[line.cost.fault]), RIGHT)
        lower.adjust(0, 0, -QFontMetricsF(bold).horizontalAdvance(line.price) - 12, 0)
        metrics, details = QFontMetricsF(plain), (line.detail, *line.briefer)
        fitting = (text for text in details if metrics.horizontalAdvance(text) <= lower.width())
        write(painter, lower, next(fitting, details[-1]), plain, theme.color("muted"), LEFT, CUT)
        painter.restore()


def row_height(metrics: QFontMetrics) -> int:
    """Return the height of a line in pixels: two lines of text."""
    return 2 * metrics.height() + ROOM


MOST = 10  # lines; one more counts the others


@dataclass(frozen=True, slots=True)
class SpanWanted:
    """A request to scroll to the text ``[start, end)`` of the open document."""

    start: int
    end: int


class CostList(QWidget):
    """The list of costs, or a sentence if nothing cost anything."""

    wanted = Signal(object)  # SpanWanted
    numbered = Signal(object)  # tuple[NumberedPlace, ...]: the visible lines

    def __init__(self) -> None:
        super().__init__()
        self.model = ListModel[CostLine](self)
        self.view = ChoosingView("What cost most here")
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setModel(self.model)
        self._delegate = CostDelegate(self.model, self.view)
        self.view.setItemDelegate(self._delegate)
        self.heading = label("", "muted")
        """The heading of the last column, next to the caption of the list."""
        self.note = label("", "muted", wrap=True)
        self.note.setContentsMargins(INSET, 0, INSET, 0)
        self.note.setToolTip("Faults of this document that are not listed; A and M go through them all")
        in_column(self.view, self.note, Filler(1), on=self, margins=0, spacing=0)
        self._costly: list[Cost] = []
        self._article = self._nothing = self._measure = ""
        self._gains: Mapping[Cost, float] = {}
        line = row_height(self.fontMetrics())
        self.setMinimumHeight(line)
        self.setMaximumHeight((MOST + 1) * line)  # fixed, so that nothing below it moves
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.view.chosen.connect(lambda index: self.choose(index.row() + 1))
        self.show_costs((), "", nothing="")

    def show_costs(self, costs: Sequence[Cost], article: str, *, nothing: str) -> None:
        """Show the costliest of these costs, or the text ``nothing`` if none has a cost."""
        self._costly = [cost for cost in costs if cost.loss > 0]
        self._article, self._nothing = article, nothing
        self._show()

    def show_gains(self, measure: str, gains: Mapping[Cost, float]) -> None:
        """Show, next to each cost, its cost in a measure of the topic as far as known."""
        self._measure, self._gains = measure, gains
        self.heading.setText(measure if gains and self._costly else "")
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()

    def _show(self) -> None:
        line, note = row_height(self.fontMetrics()), self.fontMetrics().height()
        shown = self._costly[: min(MOST, max((self.height() - note) // line, 1))]
        more = len(self._costly) - len(shown)
        lines = tuple(
            CostLine.of(cost, at, self._article, self._measure, self._gains.get(cost))
            for at, cost in enumerate(shown, 1)
        )
        if lines != self.model.rows:
            if [one.cost for one in lines] != [one.cost for one in self.model.rows]:
                self._delegate.current = 0
            self.model.set_rows(lines)
            self._tell_numbers()
        self.view.setVisible(bool(lines))
        self.note.setText(f"and {count(more)} that cost less" if more else "" if lines else self._nothing)
        self.note.setVisible(bool(self.note.text()) and (self.height() > line + note or not lines))
        self.view.setFixedHeight(line * len(lines))

    def hasHeightForWidth(self) -> bool:
        """Leave its height to the widgets above if the window is low; it then lists fewer lines."""
        return False

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        index = self.view.indexAt(at)
        if not index.isValid():
            return None
        line = self.model.rows[index.row()]
        cost, wide = line.cost, self._delegate.topic_width(self.view.font(), line)
        own = at.x() < self.view.viewport().width() - wide
        place = RankingFault(OPEN, cost.fault, cost.start, cost.end)
        if own:
            return FigureAsked(FigureLevel.DOCUMENT, f"Δ {cost.measure}", cost=cost)
        return FigureAsked(FigureLevel.TOPIC, "", of=FigureOf.CORRECTED, corrected_fault=place)

    def choose(self, number: int) -> None:
        """Go to the place with a number, and select its line."""
        cost = self.model.rows[number - 1].cost
        self._delegate.current = number
        self.view.viewport().update()
        self._tell_numbers()
        self.wanted.emit(SpanWanted(cost.start, cost.end))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell_numbers()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._tell_numbers()

    def _tell_numbers(self) -> None:
        """Number the places in the text while the list is visible."""
        shown = self.model.rows if self.isVisible() else ()
        self.numbered.emit(tuple(map(self._place_of, shown)))

    def _place_of(self, line: CostLine) -> NumberedPlace:
        cost, current = line.cost, line.number == self._delegate.current
        begin = words_begin(self._article, cost.start, cost.end)
        return NumberedPlace(line.number, (begin, max(begin, cost.end)), str(line), current)


KINDS = {CostKind.PLACE: "Passages", CostKind.DOCUMENT: "Documents", CostKind.TOPIC: "Topics"}
SAID = {
    Fault.MISSED: "missed {}",
    Fault.FALSE_ALARM: "false alarm, {}",
    Fault.ENTRY_POINT: "entry point {} off",
}
NOT_SCORED, GIVEN_UP = "This run has no figures.", "Cancelled. Close the list and open it again to continue."
COMPUTING, NOTHING = "computing…", "Nothing: no correction would gain anything."
PAD = 5


class CostliestModel(ListModel[CostlyPart]):
    """The lines, costliest first; titles are looked up when a line is painted."""

    def __init__(self, titled: Callable[[CostlyPart], tuple[str, str]], parent: QObject) -> None:
        super().__init__(parent)
        self._titled = titled

    def texts(self, row: int) -> tuple[str, str, str]:
        """Return the texts of a line: the fault, its place, and the gain."""
        return *self._titled(self.rows[row]), change_text(self.rows[row].gain)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return ", ".join(self.texts(index.row()))
        if role == Qt.ItemDataRole.ToolTipRole:
            what, of_what, _ = self.texts(index.row())
            return f"{what}\n{of_what}\n{difference_text(self.rows[index.row()].gain, 6)}"
        return None


class CostliestDelegate(Themed, QStyledItemDelegate):
    """Paints the fault with its gain, and its place below."""

    def __init__(self, model: CostliestModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, 2 * option.fontMetrics.height() + 2 * PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        what, of_what, gain = self._model.texts(index.row())
        rect, theme = QRectF(option.rect), self.theme
        painter.save()
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("track"))
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), theme.color("line"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, rect, theme)
        rect.adjust(MARGIN, PAD, -MARGIN, -PAD)
        bold, small = derived(option.font, factor=0.95, bold=True), derived(option.font, factor=0.85)
        room = rect.width() - QFontMetricsF(bold).horizontalAdvance(gain) - 10
        top = Qt.AlignmentFlag.AlignTop
        write(painter, rect, gain, bold, theme.color("text"), Qt.AlignmentFlag.AlignRight | top)
        for font, token, text, across, side in (
            (derived(option.font, factor=0.95), "text", what, room, top),
            (small, "muted", of_what, rect.width(), Qt.AlignmentFlag.AlignBottom),
        ):
            line = QRectF(rect.left(), rect.top(), across, rect.height())
            write(painter, line, text, font, theme.color(token), Qt.AlignmentFlag.AlignLeft | side, CUT)
        painter.restore()


class CostliestPanel(QWidget):
    """The list for a run, computed in a background thread, and again when run or figures change."""

    chosen = Signal(object)  # CostlyPart

    def __init__(self, session: Session, board: RunScoring, tasks: Tasks, dismiss: QAction) -> None:
        super().__init__()
        self._session = session
        self._board = board
        self._tasks = tasks
        self._task: LongTask | None = None
        self._asked: tuple[object, ...] = ()
        self.found: RunCosts | None = None
        self.kind = CostKind.PLACE
        self.setProperty("role", "chrome")
        self.title = ElidedLabel(role="heading")
        self.close_button = button("close", "link")
        self._close_key = KeySign(dismiss)
        self.chips = {kind: self._chip(kind) for kind in KINDS}
        self.note = label("", "note", wrap=True)
        self.model = CostliestModel(self._titled, self)
        self.view = ChoosingView("What cost the run most")
        self.view.setModel(self.model)
        self._delegate = CostliestDelegate(self.model, self.view)
        self.view.setItemDelegate(self._delegate)
        self._seen = WhenSeen(self, self.open)
        self._lay_out()
        self.view.chosen.connect(lambda index: self.chosen.emit(self.model.rows[index.row()]))
        board.figured.connect(self.follow)
        session.catalogue.learned.connect(lambda _about: self.view.viewport().update())

    def _chip(self, kind: CostKind) -> QPushButton:
        made = chip_button(KINDS[kind], filled=True)
        made.setChecked(kind is self.kind)
        made.clicked.connect(lambda: self.show_kind(kind))
        return made

    def _lay_out(self) -> None:
        group = QButtonGroup(self)
        chips = FlowLayout()
        head = in_row((self.title, 1), self.close_button, self._close_key, spacing=4)
        for chip in self.chips.values():
            chips.addWidget(chip)
            group.addButton(chip)
        in_column(
            in_column(head, chips, self.note, margins=(MARGIN, 10, MARGIN, 8), spacing=8),
            (self.view, 1),
            on=self,
            margins=0,
            spacing=0,
        )

    def open(self) -> None:
        """Compute the costliest faults of the run in the foreground, unless they are known."""
        board, run = self._board, self._board.current
        qrels, task, measure = board.qrels, board.task, board.figures.deciding
        if board.stale:  # the board reports when its figures are up to date
            self.note.setText(board.why_stale)
            return
        brief = "What cost most"
        title = brief if run is None else f"What cost {board.name(run)} most"
        self.title.set_text(title, briefer=[brief])
        if run is None or qrels is None or task is None or board.scores(run) is None:
            self._stop()
            self._say((board.figures.nothing or NOT_SCORED) if board.elements is None else NEEDS_CHARACTERS)
            return
        kinds = kinds_of(task)
        for kind, chip in self.chips.items():
            chip.setVisible(kind in kinds)
        if self.kind not in kinds:
            self.kind = kinds[0]
            self.chips[self.kind].setChecked(True)
        settings = board.settings_for(task, measure)
        asked = run, qrels, repr(settings)  # not their ids, which may be reused
        if asked == self._asked:
            self._tell_gain()
            return
        self._stop()
        self._asked = asked
        self._say(COMPUTING)
        self._task = self._tasks.run_long(
            title,
            lambda progress: costliest_parts(qrels, run, settings, progress=progress),
            self._take,
            lambda error: self._end(sentence(error)),
            lambda: self._end(GIVEN_UP),
        )

    def leave(self) -> None:
        """Cancel the computation when the list is closed."""
        if self._task is not None:
            self._stop()

    def follow(self) -> None:
        """Compute again while visible if run or figures changed."""
        self._seen.refresh()

    def show_kind(self, kind: CostKind) -> None:
        self.kind = kind
        self.chips[kind].setChecked(True)
        found = self.found
        if found is None:
            return
        parts = found.parts[kind]
        self.model.set_rows(parts)
        self._session.catalogue.want_first([part.document for part in parts if part.document])
        self._tell_gain()

    def _tell_gain(self) -> None:
        """Show what the gains refer to, once they are computed."""
        found, kind = self.found, self.kind
        if found is None:
            self.note.setText(COMPUTING)
            return
        gain = f"Gain of {found.measure} {found.value:.4f} {kind.change}. {ALONE}"
        self.note.setText(gain if found.parts[kind] else NOTHING)

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Make each gain derivable by key and menu; a click goes to its place."""
        clicks.watch(self.view.viewport(), self.figure_at, clicked_at=lambda _at: None, menu=False)
        clicks.watch(self.note, lambda _at: None if self.found is None else FigureAsked(FigureLevel.RUN))

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        index = self.view.indexAt(at)
        if not index.isValid():
            return None
        part = self.model.rows[index.row()]
        if part.kind is CostKind.TOPIC:
            return FigureAsked(FigureLevel.RUN, "", part.topic)
        start, end = (0 if edge is None else edge for edge in (part.start, part.end))
        place = RankingFault(part.document, part.fault, start, end)
        return FigureAsked(
            FigureLevel.RUN, "", part.topic, FigureOf.CORRECTED, topic=part.topic, corrected_fault=place
        )

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._task, self._asked = None, ()

    def _end(self, why: str) -> None:
        self._task, self._asked = None, ()
        self._say(why)

    def _say(self, why: str) -> None:
        """Show an empty list with the reason."""
        self.found = None
        self.model.set_rows(())
        self.note.setText(why)
        for kind, chip in self.chips.items():
            chip.setText(KINDS[kind])

    def _take(self, found: RunCosts) -> None:
        self._task, self.found = None, found
        for kind, chip in self.chips.items():
            chip.setText(f"{KINDS[kind]} {len(found.parts[kind])}")
        self.show_kind(self.kind)

    def _titled(self, part: CostlyPart) -> tuple[str, str]:
        session = self._session
        topic = next((one.title for one in session.project.topics if one.id == part.topic), "")
        if part.kind is CostKind.TOPIC:
            return topic or part.topic, part.topic
        title = session.catalogue.about(part.document).title or part.document
        of_topic = f"{part.topic} {topic}".strip()
        if part.kind is CostKind.DOCUMENT:
            return title, f"{part.said} · {of_topic}"
        assert part.fault is not None
        assert part.start is not None
        assert part.end is not None
        return SAID[part.fault].format(counted(part.end - part.start, "character")), f"{title} · {of_topic}"
