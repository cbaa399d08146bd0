"""The questions of the report as a list: a heading for each kind, a line for each place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inexview.core.project.judging.quality_report import QualityFinding, QualityQuestion
from inexview.gui.look.lists import Index, ListModel, RowRole
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import CUT, RIGHT, derived, paint_focus, write

HEADING, LINE, SIGN, TITLE_SHARE = 46, 31, 24, 0.32
LEAST_TITLE = 190  # pixels, where that is not more than half
LEAST_TOLD = 90  # pixels, below which what is asked leaves its place to the title

HINTS = {
    QualityQuestion.SECONDS: "more than 3,000 characters in under 5 s",
    QualityQuestion.FAST: "under a quarter of what relevant ones take you",
    QualityQuestion.SLOW: "over four times what relevant ones take you",
    QualityQuestion.ENTRY_POINT: "allowed, and seldom meant",
    QualityQuestion.SLIP: "mostly a slip of the pen",
    QualityQuestion.WHOLE: "often right when it is short",
    QualityQuestion.SENTENCES: "the context may make the difference",
}


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A heading with the number of its lines, or one finding."""

    question: QualityQuestion
    count: int = 0
    finding: QualityFinding | None = None
    title: str = ""
    settled: bool = False

    def __str__(self) -> str:
        """Say it in one line, for who hears the list."""
        if self.finding is None:
            return f"{self.question.value}, {self.count}"
        told = f"{self.title}: {self.finding.told}, {self.finding.figure}"
        return f"{told}, right as it is" if self.settled else told


class FindingModel(ListModel[ReportLine]):
    """All lines; headings cannot be chosen."""

    def set_findings(
        self, findings: Sequence[QualityFinding], title: Callable[[str], str], settled: Callable[[str], bool]
    ) -> None:
        """Show other findings, or whether they are settled now."""
        lines = []
        for question in QualityQuestion:
            asked = [finding for finding in findings if finding.question is question]
            if asked:
                lines.append(ReportLine(question, len(asked)))
            lines += [ReportLine(question, 0, one, title(one.document), settled(one.key)) for one in asked]
        self.set_rows(lines)

    def next_open(self, row: int) -> int:
        """Return the row of the next finding that is not settled, from a row on and round; -1 for none."""
        rows = [*range(row, len(self.rows)), *range(row)]
        return next((at for at in rows if self._is_open(self.rows[at])), -1)

    @staticmethod
    def _is_open(line: ReportLine) -> bool:
        return line.finding is not None and not line.settled

    def flags(self, index: Index) -> Qt.ItemFlag:
        heading = self.rows[index.row()].finding is None
        return Qt.ItemFlag.NoItemFlags if heading else super().flags(index)


class FindingDelegate(QStyledItemDelegate):
    """Paints a :class:`ReportLine`."""

    theme: Theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Headings keep a distance from what is above them."""
        line: ReportLine = index.data(RowRole)
        return QSize(200, HEADING if line.finding is None else LINE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: ReportLine = index.data(RowRole)
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # titles in their own direction
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if line.finding is None:
            self._heading(painter, option, line)
        else:
            self._finding(painter, option, line, line.finding)
        painter.restore()

    def _heading(self, painter: QPainter, option: QStyleOptionViewItem, line: ReportLine) -> None:
        rect = option.rect.adjusted(10, 14, -10, 0)
        painter.setPen(QPen(self.theme.color("line"), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        bold, text, count = derived(option.font, bold=True), self.theme.color("text"), f"{line.count:,}"
        write(painter, rect, count, bold, text, RIGHT)
        metrics = painter.fontMetrics()
        free = rect.adjusted(0, 0, -metrics.horizontalAdvance(count) - 10, 0)
        write(painter, free, line.question.value, bold, text, shorten=CUT)
        begin = metrics.horizontalAdvance(line.question.value) + 10
        small = derived(option.font, factor=0.92)
        room, hint = rect.adjusted(begin, 0, -30, 0), HINTS[line.question]
        if QFontMetrics(small).horizontalAdvance(hint) <= room.width():
            write(painter, room, hint, small, self.theme.color("muted"))

    def _finding(
        self, painter: QPainter, option: QStyleOptionViewItem, line: ReportLine, finding: QualityFinding
    ) -> None:
        theme, rect = self.theme, option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("selected"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, QRectF(rect), theme)
        inside = rect.adjusted(12, 0, -10, 0)
        self._sign(painter, inside, settled=line.settled)
        color = theme.color("muted" if line.settled else "text")
        write(painter, inside, finding.figure, derived(option.font, bold=not line.settled), color, RIGHT)
        right = painter.fontMetrics().horizontalAdvance(finding.figure) + 14
        width = min(max(round(TITLE_SHARE * inside.width()), LEAST_TITLE), inside.width() // 2)
        if inside.width() - right - width < LEAST_TOLD:  # the panel beside the list says it
            width = inside.width() - right
        title = inside.adjusted(SIGN, 0, 0, 0)
        title.setWidth(width - SIGN - 10)
        plain = derived(option.font)
        write(painter, title, line.title, plain, color, shorten=CUT)
        told = inside.adjusted(width, 0, -right, 0)
        if told.width() >= LEAST_TOLD:
            write(painter, told, finding.told, plain, theme.color("muted"), shorten=CUT)

    def _sign(self, painter: QPainter, inside: QRect, *, settled: bool) -> None:
        """Draw a ring for a question, a tick for an answer."""
        at = inside.left() + 6
        middle = inside.center().y()
        if settled:
            painter.setPen(QPen(self.theme.color("finished"), 1.6))
            painter.drawLine(at - 4, middle, at - 1, middle + 3)
            painter.drawLine(at - 1, middle + 3, at + 4, middle - 3)
        else:
            painter.setPen(QPen(self.theme.color("muted"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QRect(at - 5, middle - 5, 10, 10))
