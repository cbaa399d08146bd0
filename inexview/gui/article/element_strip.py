"""The strip under the article that names the outlined element: path, span, size, and how much is relevant."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inexview.gui.article.outlines import Outlined
from inexview.gui.widgets import ElidedLabel, label


class _Copied(ElidedLabel):
    """A text that a click copies."""

    clicked = Signal(object)  # None

    def __init__(self, mode: Qt.TextElideMode) -> None:
        super().__init__(role="status", mode=mode)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Copy it."""
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
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
        self.setFixedHeight(26)
        self.path = _Copied(Qt.TextElideMode.ElideLeft)  # the element itself is named last
        self.span = _Copied(Qt.TextElideMode.ElideRight)
        self.facts = label("", "status")
        self.path.clicked.connect(self.path_wanted)
        self.span.clicked.connect(self.span_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 14, 0)
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
            self.facts.setText(facts(outlined))
        self.setVisible(outlined is not None)


def facts(outlined: Outlined) -> str:
    """Say how large an element is and how much of it is relevant."""
    if outlined.specificity is None:
        return "size 0"
    return f"size {outlined.size:,} · rsize {outlined.rsize:,} ({outlined.specificity:.1%})"
