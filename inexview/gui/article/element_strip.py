"""The strip under the article that names the outlined element: path, span, size, and how much is relevant."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolTip, QWidget

from inexview.gui.article.outlines import Outlined

_FONT = 12  # pixels
_HEIGHT = 26


class HoverLine(QWidget):
    """A line of text that changes with each move of the mouse.

    It is painted, not a label: a label would have the whole window laid out anew each time, and what lies
    behind it painted.  It asks for more room as its texts grow, and never for less, so that nothing jumps.
    """

    clicked = Signal(object)  # None

    def __init__(self, *, elided: bool = False, copied: bool = False) -> None:
        """``elided``: shortened in its middle to the room there is; ``copied``: a click copies it."""
        super().__init__()
        self.full_text = ""
        self.shown_text = ""  # as there is room for it
        self._elided, self._copied = elided, copied
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        font = self.font()
        font.setPixelSize(_FONT)
        self.setFont(font)
        wide = QSizePolicy.Policy.Ignored if elided else QSizePolicy.Policy.Fixed
        self.setSizePolicy(wide, QSizePolicy.Policy.Expanding)
        if copied:
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_text(self, text: str) -> None:
        """Show another text."""
        if text == self.full_text:
            return
        self.full_text = text
        self.setAccessibleName(text)
        if not self._elided:
            self.setMinimumWidth(max(self.fontMetrics().horizontalAdvance(text) + 2, self.minimumWidth()))
        self._shorten()

    def _shorten(self) -> None:
        self.shown_text = self.full_text
        if self._elided:
            middle = Qt.TextElideMode.ElideMiddle
            self.shown_text = self.fontMetrics().elidedText(self.full_text, middle, self.width())
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the text to the room that there is now."""
        super().resizeEvent(event)
        self._shorten()

    def sizeHint(self) -> QSize:
        """Ask for what the widest text has needed."""
        return QSize(self.minimumWidth(), _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Write the text, quietly; what can be copied is underlined under the mouse."""
        painter = QPainter(self)
        palette = QGuiApplication.palette()
        painter.fillRect(event.rect(), palette.color(QPalette.ColorRole.Window))
        if self._copied and self.underMouse():
            font = self.font()
            font.setUnderline(True)
            painter.setFont(font)
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter), self.shown_text)

    def event(self, event: QEvent) -> bool:
        """Tell all of a text that is shortened, and what a click does."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tip(), self)
            return True
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.update()
        return super().event(event)

    def _tip(self) -> str:
        whole = self.full_text if self.shown_text != self.full_text else ""
        return "\n".join(filter(None, (whole, "Click to copy" if self._copied else "")))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Copy it."""
        inside = self.rect().contains(event.position().toPoint())
        if self._copied and inside and event.button() is Qt.MouseButton.LeftButton:
            self.clicked.emit(None)


class ElementStrip(QWidget):
    """Says quietly which element is outlined; a click on path or span copies it."""

    path_wanted = Signal(object)  # None
    span_wanted = Signal(object)  # None

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("element-strip")
        self.setAccessibleName("Element under the pointer")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(_HEIGHT)
        self.path = HoverLine(elided=True, copied=True)
        self.span = HoverLine(copied=True)
        self.facts = HoverLine()
        self.path.clicked.connect(self.path_wanted)
        self.span.clicked.connect(self.span_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 1, 14, 0)  # the line above it stays whole
        row.setSpacing(18)
        row.addWidget(self.path, 1)
        row.addWidget(self.span)
        row.addWidget(self.facts)
        self.hide()

    def show_element(self, outlined: Outlined | None) -> None:
        """Name an element; without one there is no strip."""
        if outlined is not None:
            element = outlined.element
            self.path.set_text(element.path)
            self.span.set_text(f"{outlined.span}  [{element.start}, {element.end})")
            self.facts.set_text(facts(outlined))
        self.setVisible(outlined is not None)


def facts(outlined: Outlined) -> str:
    """Say how large an element is and how much of it is relevant."""
    if outlined.specificity is None:
        return "size 0"
    return f"size {outlined.size:,} · rsize {outlined.rsize:,} ({outlined.specificity:.1%})"
