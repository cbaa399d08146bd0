"""A line of what cost most: its number, its words, and what it cost the document and the topic."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inexview.core.evaluation.explain import Cost
from inexview.core.evaluation.variants import Fault
from inexview.core.report import difference_text
from inexview.core.text.text_quotes import quoted
from inexview.core.wording import counted
from inexview.gui.inspect.figures.figures import change_text, count, exact, loss
from inexview.gui.look.lists import Index, ListModel
from inexview.gui.look.theme import LIGHT, Theme, paint_number
from inexview.gui.look.widgets import CUT, INSET, LEFT, RIGHT, derived, paint_focus, write

ROOM = 10  # pixels around the text of a line
DISC = 17  # pixels of a number's ring
EXCERPT = 160  # code points of a passage that can matter for one line
WIDEST = "  −0.0000"

COLORS = {Fault.MISSED: "miss", Fault.FALSE_ALARM: "false_alarm", Fault.ENTRY_POINT: "bep"}
MENDED = {
    Fault.MISSED: "had the run retrieved {these}",
    Fault.FALSE_ALARM: "had the run left out {these}",
    Fault.ENTRY_POINT: "had the run entered at the best entry point, {told} away",
}


@dataclass(frozen=True, slots=True)
class CostLine:
    """A cost and what the list says of it."""

    cost: Cost
    number: int
    """From 1; the margin of the text has it too."""
    title: str
    detail: str
    briefer: tuple[str, ...]
    """The same where it has less room, the longest first."""
    measure: str = ""
    """What is measured of the topic."""
    gain: float | None = None
    """How much that would gain; None where no one knows."""

    @classmethod
    def of(
        cls, cost: Cost, number: int, article: str, measure: str = "", gain: float | None = None
    ) -> CostLine:
        """Quote the beginning of the passage, on one line."""
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
        """What it costs, and of which measure."""
        return f"{loss(self.cost.loss)} {self.cost.measure}"

    @property
    def told(self) -> str:
        """Say all of it, for where the list is not seen."""
        topic = f", {self.of_topic} {self.measure} of the topic" if self.of_topic else ""
        return f"{self.text}, {self.price}{topic}"

    @property
    def tooltip(self) -> str:
        cost = self.cost
        told = counted(cost.end - cost.start, "character")
        these = f"{'this' if cost.end - cost.start == 1 else 'these'} {told}"
        mended = MENDED[cost.fault].format(these=these, told=told)
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
            return line.told
        if role == Qt.ItemDataRole.ToolTipRole:
            return line.tooltip
        return None


class CostDelegate(QStyledItemDelegate):
    """Paints what it was on the left, what it cost on the right."""

    def __init__(self, model: CostModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self.theme: Theme = LIGHT
        self.current = 0
        """The number that was chosen last; 0 where none is."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, row_height(option.fontMetrics))

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
        rect.adjust(INSET, ROOM / 2, -INSET, -ROOM / 2)
        disc = QRectF(rect.left(), rect.top() + (rect.height() / 2 - DISC) / 2, DISC, DISC)
        small = derived(option.font, factor=0.8, bold=True)
        paint_number(painter, disc, line.number, small, self.theme, current=line.number == self.current)
        rect.adjust(DISC + 8, 0, 0, 0)
        upper, lower = QRectF(rect), QRectF(rect)
        upper.setBottom(rect.center().y())
        lower.setTop(rect.center().y())
        plain, bold = derived(option.font, factor=0.95), derived(option.font, factor=0.95, bold=True)
        text, theme = self.theme.color("text"), self.theme
        write(painter, upper, line.title, plain, text, LEFT, CUT)
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
    """Return how high a line of the list is, in pixels: two lines of text."""
    return 2 * metrics.height() + ROOM
