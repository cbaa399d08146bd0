"""What cost most in this document: a short list, dearest first; choosing a line shows its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from inexview.core.evaluation.explain import Cost, Fault
from inexview.core.evaluation.mended import Mending
from inexview.core.text.text_quotes import WHITE_SPACE, quoted
from inexview.core.wording import counted
from inexview.gui.inspect.figure_asked import OPEN, FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.figures import count, exact, loss
from inexview.gui.inspect.topic_model import change_text, difference_text
from inexview.gui.look.list_model import ListModel
from inexview.gui.look.model_index import Index
from inexview.gui.look.panel_parts import INSET, LEFT, RIGHT, ChoosingView, derived, paint_focus
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import label

MOST = 12  # lines; one more says how many there are besides
ROOM = 9  # pixels around the text of a line
EXCERPT = 160  # code points of a passage that can matter for one line
WIDEST = "  −0.0000"

COLORS = {Fault.MISSED: "miss", Fault.FALSE_ALARM: "false_alarm", Fault.ENTRY_POINT: "bep"}
MENDED = {
    Fault.MISSED: "had the run retrieved these {} characters",
    Fault.FALSE_ALARM: "had the run left out these {} characters",
    Fault.ENTRY_POINT: "had the run entered at the best entry point, {} characters away",
}


@dataclass(frozen=True, slots=True)
class SpanWanted:
    """The text ``[start, end)`` of the open document shall come into sight."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CostLine:
    """A cost and what the list says of it."""

    cost: Cost
    text: str
    measure: str = ""
    """What is measured of the topic."""
    gain: float | None = None
    """How much that would gain; None where no one knows."""

    @classmethod
    def of(cls, cost: Cost, article: str, measure: str = "", gain: float | None = None) -> CostLine:
        """Quote the beginning of the passage, on one line."""
        size = cost.end - cost.start
        if cost.fault is Fault.ENTRY_POINT:
            return cls(cost, f"entry point {count(size)} characters off", measure, gain)
        passage = quoted(article, cost.start, cost.end, EXCERPT)
        if passage == WHITE_SPACE:
            passage += f" ({counted(size, 'character')})"
        return cls(cost, f"{cost.fault.value} {passage}", measure, gain)

    @property
    def of_topic(self) -> str:
        if self.gain is None:
            return ""
        return change_text(-self.gain)

    @property
    def price(self) -> str:
        """What it costs, and of which measure."""
        return f"{loss(self.cost.loss)} {self.cost.measure}"

    @property
    def tooltip(self) -> str:
        cost = self.cost
        mended = MENDED[cost.fault].format(count(cost.end - cost.start))
        topic = "" if self.gain is None else f"\n{self.measure} of the topic {difference_text(self.gain, 6)}"
        return (
            f"{cost.measure} = {count(cost.before.numerator)} / {count(cost.before.denominator)}"
            f" = {exact(cost.before.value)}\n"
            f"would be {count(cost.after.numerator)} / {count(cost.after.denominator)}"
            f" = {exact(cost.after.value)},\n{mended}{topic}"
        )


class CostModel(ListModel[CostLine]):
    """What each line says to eye and ear."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            topic = f", {line.of_topic} {line.measure} of the topic" if line.of_topic else ""
            return f"{line.text}, {line.price}{topic}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return line.tooltip
        return None


class CostDelegate(QStyledItemDelegate):
    """Paints what it was on the left, what it cost on the right."""

    def __init__(self, model: CostModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self.theme: Theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, option.fontMetrics.height() + ROOM)

    def topic_width(self, font: QFont, line: CostLine) -> float:
        """Return how wide at the right is what a line says of the topic."""
        plain = QFontMetricsF(derived(font, factor=0.95))
        return 0.0 if line.gain is None else plain.horizontalAdvance(WIDEST) + INSET

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = self._model.rows[index.row()]
        rect = QRectF(option.rect)
        painter.save()
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, self.theme.color("track"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, rect, self.theme)
        rect.adjust(INSET, 0, -INSET, 0)
        bold, plain = derived(option.font, factor=0.95, bold=True), derived(option.font, factor=0.95)
        price = QFontMetricsF(bold).horizontalAdvance(line.price)
        if line.gain is not None:
            wide = QFontMetricsF(plain).horizontalAdvance(WIDEST)
            painter.setFont(plain)
            painter.setPen(self.theme.color("text"))
            painter.drawText(rect, RIGHT, line.of_topic)
            rect.adjust(0, 0, -wide, 0)
        painter.setFont(bold)
        painter.setPen(self.theme.color(COLORS[line.cost.fault]))
        painter.drawText(rect, RIGHT, line.price)
        painter.setFont(plain)
        painter.setPen(self.theme.color("text"))
        room = rect.width() - price - 12
        text = QFontMetricsF(plain).elidedText(line.text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(rect, LEFT, text)
        painter.restore()


class CostView(ChoosingView):
    """The list, as high as its lines."""

    def __init__(self) -> None:
        super().__init__("What cost most here")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def fit(self) -> None:
        self.setFixedHeight(sum(self.sizeHintForRow(row) for row in range(self.model().rowCount())))


class CostList(QWidget):
    """The list, or one sentence where nothing cost anything."""

    wanted = Signal(object)  # SpanWanted

    def __init__(self) -> None:
        super().__init__()
        self.model = CostModel(self)
        self.view = CostView()
        self.view.setModel(self.model)
        self._delegate = CostDelegate(self.model, self.view)
        self.view.setItemDelegate(self._delegate)
        self.heading = label("", "muted")
        """What the last column is of; beside the caption of the list."""
        self.note = label("", "muted", wrap=True)
        self.note.setContentsMargins(INSET, 0, INSET, 0)
        self.note.setToolTip("Faults of this document that are not listed; A and M go through them all")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view)
        column.addWidget(self.note)
        column.addStretch(1)
        self._dear: list[Cost] = []
        self._article = self._nothing = self._measure = ""
        self._gains: Mapping[Cost, float] = {}
        line = self.fontMetrics().height() + ROOM
        self.setMinimumHeight(line)
        self.setMaximumHeight((MOST + 1) * line)  # whatever is in it: nothing below it jumps
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.view.chosen.connect(self._choose)
        self.show_costs((), "", nothing="")

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.view.viewport().update()

    def show_costs(self, costs: Sequence[Cost], article: str, *, nothing: str) -> None:
        """Show the dearest of these costs, or ``nothing`` where none of them costs anything."""
        self._dear = [cost for cost in costs if cost.loss > 0]
        self._article, self._nothing = article, nothing
        self._show()

    def show_gains(self, measure: str, gains: Mapping[Cost, float]) -> None:
        """Show beside each cost what it costs the topic by a measure, as far as that is known."""
        self._measure, self._gains = measure, gains
        self.heading.setText(measure if gains and self._dear else "")
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()

    def _show(self) -> None:
        room = self.height() // (self.fontMetrics().height() + ROOM)
        shown = self._dear[: min(MOST, max(room - 1, 1))]
        more = len(self._dear) - len(shown)
        lines = tuple(
            CostLine.of(cost, self._article, self._measure, self._gains.get(cost)) for cost in shown
        )
        if lines != self.model.rows:
            self.model.set_rows(lines)
        self.view.setVisible(bool(lines))
        self.note.setText(f"and {count(more)} that cost less" if more else "" if lines else self._nothing)
        self.note.setVisible(bool(self.note.text()) and (room > 1 or not lines))
        self.view.fit()

    def hasHeightForWidth(self) -> bool:
        """Give way to what is above it where the window is low: fewer lines are listed then."""
        return False

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        index = self.view.indexAt(at)
        if not index.isValid():
            return None
        line = self.model.rows[index.row()]
        cost, wide = line.cost, self._delegate.topic_width(self.view.font(), line)
        own = at.x() < self.view.viewport().width() - wide
        place = Mending(OPEN, cost.fault, cost.start, cost.end)
        if own:
            return FigureAsked(FigureLevel.DOCUMENT, f"Δ {cost.measure}", cost=cost)
        return FigureAsked(FigureLevel.TOPIC, "", of=FigureOf.MENDED, mending=place)

    def _choose(self, index: QModelIndex) -> None:
        cost = self.model.rows[index.row()].cost
        self.wanted.emit(SpanWanted(cost.start, cost.end))
