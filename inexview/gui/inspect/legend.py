"""What the signs over the text mean: the same marks as in the article, small, with their names."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from inexview.gui.article.mark_looks import MarkLooks, SignLine
from inexview.gui.inspect.figures import count
from inexview.gui.look.panel_parts import LEFT, derived
from inexview.gui.look.symbols import run_color
from inexview.gui.look.widgets import PaintedWidget

GAP = 14
LEADING = 8
ARROW = 9
SMALLER = 2 / 3  # than over the text

HIT, MISSED, FALSE_ALARM, BEP, ENTRY, STOP = range(6)


class Legend(PaintedWidget):
    """hit, missed, false alarm, BEP and entry point; it flows over as many lines as it needs."""

    def __init__(self) -> None:
        super().__init__()
        self._run_style = 0
        self._distance: int | None = None
        self._reading = False
        self._placed: dict[float, list[QRectF]] = {}
        self._placed_for: tuple[object, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._describe()

    def set_run_style(self, style: int) -> None:
        if style != self._run_style:
            self._run_style = style
            self.update()

    def set_distance(self, distance: int | None) -> None:
        """Say how far the run's entry point is from the best one; negative: before it."""
        if distance != self._distance:
            self._distance = distance
            self._describe_again()

    def set_reading(self, on: bool) -> None:
        """Name also where a reader's patience ends, or no longer."""
        self._reading = on
        self._describe_again()

    def _describe_again(self) -> None:
        self._describe()
        self.updateGeometry()
        self.update()

    @property
    def entry_text(self) -> str:
        """The words at the entry point's sign."""
        if self._distance is None:
            return "entry point of the run"
        if self._distance == 0:
            return "entry point, at the BEP"
        side = "before" if self._distance < 0 else "after"
        return f"entry point, {count(abs(self._distance))} characters {side}"

    def _describe(self) -> None:
        self.setAccessibleName("Legend")
        self.setAccessibleDescription(
            "Hit: marked and underlined. Missed: marked, dotted underline. False alarm: double underline. "
            f"Filled triangle: best entry point. Open triangle: {self.entry_text}."
            + (" Bar with feet: patience ends; what is not read steps back." if self._reading else "")
        )

    def _labels(self) -> tuple[str, ...]:
        signs = ("hit", "missed", "false alarm", "BEP", self.entry_text)
        return (*signs, "patience ends; faded: not read") if self._reading else signs

    def _places(self, width: float) -> list[QRectF]:
        """Return where each item is, in as many lines as the width asks for."""
        made_of = self.font(), self._labels()
        if self._placed_for != made_of:  # layouts ask for a few widths a hundred times in turn
            self._placed_for, self._placed = made_of, {}
        if width not in self._placed:
            font = derived(self.font(), factor=0.92)
            self._placed[width] = self._place(width, QFontMetricsF(font))
        return self._placed[width]

    def _place(self, width: float, metrics: QFontMetricsF) -> list[QRectF]:
        x = y = 0.0
        places = []
        for item, label in enumerate(self._labels()):
            room = metrics.horizontalAdvance(label) + (8 if item < BEP else ARROW + 5)
            if x and x + room > width:
                x, y = 0.0, y + metrics.height() + LEADING
            places.append(QRectF(x, y, room, metrics.height()))
            x += room + GAP
        return places

    def heightForWidth(self, width: int) -> int:
        return int(self._places(width)[-1].bottom()) + 6

    def sizeHint(self) -> QSize:
        return QSize(280, self.heightForWidth(280))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.heightForWidth(max(self.width(), 120)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(derived(self.font(), factor=0.92))
        for item, (place, label) in enumerate(zip(self._places(self.width()), self._labels(), strict=True)):
            if item < BEP:
                self._paint_text_sign(painter, place, item, label)
            elif item == STOP:
                self._paint_stop(painter, place, label)
            else:
                self._paint_arrow(painter, place, item, label)

    def _paint_text_sign(self, painter: QPainter, place: QRectF, item: int, label: str) -> None:
        looks = MarkLooks(painter, self.theme, SMALLER)
        places = [(SignLine(place.top(), place.bottom() + 1), place.left(), place.right())]
        if item == HIT:
            looks.hit(places, run_color(self.theme, self._run_style))
        elif item == MISSED:
            looks.missed(places)
        else:
            looks.false_alarm(places)
        painter.setPen(self.theme.color("text"))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, label)

    def _paint_stop(self, painter: QPainter, place: QRectF, label: str) -> None:
        x, (top, bottom) = place.left() + 5, (place.top() + 2, place.bottom() - 1)
        painter.setPen(QPen(self.theme.color("text"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        for y in (top, bottom):
            painter.drawLine(QPointF(x - 4, y), QPointF(x + 1, y))
        room = place.adjusted(ARROW + 5, 0, 0, 0)
        painter.drawText(room, LEFT, label)

    def _paint_arrow(self, painter: QPainter, place: QRectF, item: int, label: str) -> None:
        color = self.theme.color("bep") if item == BEP else run_color(self.theme, self._run_style)
        middle = place.center().y()
        arrow = QPolygonF(
            [
                QPointF(place.left() + 1, middle - 4.5),
                QPointF(place.left() + ARROW, middle),
                QPointF(place.left() + 1, middle + 4.5),
            ]
        )
        painter.setPen(QPen(color, 1.2))
        painter.setBrush(color if item == BEP else Qt.BrushStyle.NoBrush)
        painter.drawPolygon(arrow)
        room = place.adjusted(ARROW + 5, 0, 0, 0)
        painter.drawText(room, LEFT, label)
