"""What cost the run in the foreground most, over all its topics; a click on a line goes to its place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QButtonGroup,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inexview.core.evaluation.variants import (
    ALONE,
    CostKind,
    CostlyPart,
    Fault,
    RankingFault,
    RunCosts,
    costliest_parts,
    kinds_of,
)
from inexview.core.report import difference_text
from inexview.core.wording import counted
from inexview.gui.inspect.figures.figure_asked import FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.figures.figure_clicks import FigureClicks
from inexview.gui.inspect.figures.figures import change_text
from inexview.gui.inspect.scoring.run_board import NEEDS_CHARACTERS, RunBoard
from inexview.gui.look.layouts import FlowLayout, WhenSeen, in_column, in_row
from inexview.gui.look.lists import Index, ListModel
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import (
    CUT,
    MARGIN,
    ChoosingView,
    ElidedLabel,
    KeySign,
    button,
    chip_button,
    derived,
    label,
    paint_focus,
    write,
)
from inexview.gui.services.messages import sentence
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import LongTask, Tasks

KINDS = {CostKind.PLACE: "Passages", CostKind.DOCUMENT: "Documents", CostKind.TOPIC: "Topics"}
SAID = {
    Fault.MISSED: "missed {}",
    Fault.FALSE_ALARM: "false alarm, {}",
    Fault.ENTRY_POINT: "entry point {} off",
}
NOT_SCORED, GIVEN_UP = "This run has no figures.", "Given up. Close the list and open it again to go on."
COMPUTING, NOTHING = "computing…", "Nothing: no such change would gain anything."
PAD = 5


class DearestModel(ListModel[CostlyPart]):
    """The lines, dearest first; titles are asked for when a line is painted."""

    def __init__(self, titled: Callable[[CostlyPart], tuple[str, str]], parent: QObject) -> None:
        super().__init__(parent)
        self._titled = titled

    def texts(self, row: int) -> tuple[str, str, str]:
        """Return what a line says: what it is, of what, and the gain."""
        return *self._titled(self.rows[row]), change_text(self.rows[row].gain)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return ", ".join(self.texts(index.row()))
        if role == Qt.ItemDataRole.ToolTipRole:
            what, of_what, _ = self.texts(index.row())
            return f"{what}\n{of_what}\n{difference_text(self.rows[index.row()].gain, 6)}"
        return None


class DearestDelegate(QStyledItemDelegate):
    """Paints what it is with the gain, and below it of what."""

    def __init__(self, model: DearestModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.theme: Theme = LIGHT

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


class DearestPanel(QWidget):
    """The list; it is computed off the window's thread, and again when run or figures become others."""

    closed = Signal()
    chosen = Signal(object)  # CostlyPart

    def __init__(self, session: Session, board: RunBoard, tasks: Tasks, let_go: QAction) -> None:
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
        self._close_key = KeySign(let_go)
        self.chips = {kind: self._chip(kind) for kind in KINDS}
        self.note = label("", "note", wrap=True)
        self.model = DearestModel(self._titled, self)
        self.view = ChoosingView("What cost the run most")
        self.view.setModel(self.model)
        self._delegate = DearestDelegate(self.model, self.view)
        self.view.setItemDelegate(self._delegate)
        self._seen = WhenSeen(self, self.open)
        self._lay_out()
        self.close_button.clicked.connect(self.closed)
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

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.view.viewport().update()

    def open(self) -> None:
        """Find what cost the run in the foreground most, unless that is known."""
        board, run = self._board, self._board.current
        qrels, task, measure = board.qrels, board.task, board.figures.deciding
        if board.stale:  # the board tells when its figures are those of now
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
        asked = run, qrels, repr(settings)  # not their ids, which others may get
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
        """Stop looking for what no one wants to see any more."""
        if self._task is not None:
            self._stop()

    def follow(self) -> None:
        """Find it again while one looks, where run or figures are others."""
        self._seen.refresh()

    def show_kind(self, kind: CostKind) -> None:
        """List places, documents or topics."""
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
        """Say of what the gains are, once they are found."""
        found, kind = self.found, self.kind
        if found is None:
            self.note.setText(COMPUTING)
            return
        gain = f"Gain of {found.measure} {found.value:.4f} {kind.change}. {ALONE}"
        self.note.setText(gain if found.parts[kind] else NOTHING)

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Let each gain be asked for, with the key and the menu: a click goes to its place."""
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
        return FigureAsked(FigureLevel.RUN, "", part.topic, FigureOf.MENDED, topic=part.topic, mending=place)

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._task, self._asked = None, ()

    def _end(self, why: str) -> None:
        self._task, self._asked = None, ()
        self._say(why)

    def _say(self, why: str) -> None:
        """List nothing, and say why."""
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
