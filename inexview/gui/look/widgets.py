"""Small pieces that several panels are made of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QAction, QFont, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QWidget,
)

from inexview.core.wording import with_whole_numbers
from inexview.gui.look.layouts import in_row
from inexview.gui.look.theme import LIGHT, Theme

# Of scripts with spaces between words: others may break anyway, and their letters are joined.
_SPACED = r"[!-\u058f\u1e00-\u2dff]"
_LONG_WORD = re.compile(rf"({_SPACED}{{12}})(?=\w{_SPACED}{{11}})")


def breakable(text: str) -> str:
    """Let long words and addresses go on in the next line, where a label would be as wide as the longest."""
    return _LONG_WORD.sub("\\1\u200b", text)


def label(text: str = "", role: str = "", *, wrap: bool = False) -> QLabel:
    """Make a plain-text label in one of the looks of the style sheet."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if role:
        made.setProperty("role", role)
    return made


def rule(*, upright: bool = False) -> QFrame:
    """Make a hairline between two parts of a panel."""
    line = QFrame()
    line.setProperty("role", "upright" if upright else "rule")
    return line


class PaintedWidget(QWidget):
    """A widget that paints itself in the colours of a theme."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.update()


class ElidedLabel(QLabel):
    """A label of one line that says less where there is less room, and then has it all as its tooltip.

    It says the first of its texts, the longest first, that there is room for, or shortens the last one.
    """

    def __init__(
        self,
        text: str = "",
        *,
        role: str = "",
        parent: QWidget | None = None,
        shorten: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._shorten = shorten
        self._full = ""
        self._briefer: tuple[str, ...] = ()
        self.tip = ""
        """What is said of the text besides, as its tooltip."""
        self._elided_in = QFont()
        if role:
            self.setProperty("role", role)
        self.set_text(text)

    @property
    def full_text(self) -> str:
        return self._full

    def set_text(self, text: str, *, briefer: Sequence[str] = ()) -> None:
        """Say something else; in less room one of the texts that are briefer."""
        if (text, *briefer) != (self._full, *self._briefer):
            self._full, self._briefer = text, tuple(briefer)
            self.setAccessibleName(text)
            self._elide()
            self.updateGeometry()  # it may want more room although what it shows is the same

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 4, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        room = self.fontMetrics().horizontalAdvance(self._full) + 2
        return QSize(room, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if self.font() != self._elided_in:
            self._elide()

    def _elide(self) -> None:
        metrics, self._elided_in = self.fontMetrics(), self.font()
        room, texts = self.contentsRect().width(), (self._full, *self._briefer)
        fitting = (text for text in texts if metrics.horizontalAdvance(text) <= room)
        shown = next(fitting, None)
        if shown is None:
            shown = with_whole_numbers(texts[-1], metrics.elidedText(texts[-1], self._shorten, room))
        whole = self._full if shown != self._full else ""
        set_tip(self, "\n".join(filter(None, (whole, self.tip))))
        if shown != self.text():
            self.setText(shown)


ARROWS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}


class Caption(ElidedLabel):
    """The small heading of a section: shown in capitals, read aloud and saved as it is written."""

    def __init__(self, text: str, *, briefer: Sequence[str] = ()) -> None:
        super().__init__(role="caption")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_text(text, briefer=briefer)

    def set_text(self, text: str, about: str = "", *, briefer: Sequence[str] = ()) -> None:
        """Show another heading; ``about`` follows it as it is written, as names of measures and runs do."""
        self._written = " · ".join(part for part in (text, about) if part)
        shown = " · ".join(part for part in (text.upper(), about) if part)
        super().set_text(shown, briefer=[brief.upper() for brief in briefer])
        self.setAccessibleName(self._written)

    @property
    def full_text(self) -> str:
        return self._written


def key_text(action: QAction) -> str:
    """Return an action's key as one reads it; empty where it has none."""
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def with_key(text: str, key: str) -> str:
    """Return what something is called, with its key if it has one."""
    return f"{text} ({key})" if key else text


class KeySign(QLabel):
    """The little sign that shows an action's key, whatever it is now; as small as its text.

    ``otherwise`` is the key of an action that has none of its own.
    """

    def __init__(self, action: QAction, otherwise: str = "") -> None:
        super().__init__()
        self._otherwise = otherwise
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "key")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.action = action
        action.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        key = key_text(self.action) or self._otherwise
        self.setText("+".join(ARROWS.get(part, part) for part in key.split("+")))
        if self.parentWidget() is not None or not key:  # shown alone it would be a window, and the active one
            self.setVisible(bool(key))


def set_tip(widget: QWidget, text: str) -> None:
    """Give a widget a tooltip, without the events of one that it has."""
    if text != widget.toolTip():
        widget.setToolTip(text)


def explain(widget: QWidget, action: QAction) -> None:
    """Give a widget the tooltip of an action, which names its key, whatever it is now."""
    widget.setToolTip(action.toolTip())
    action.changed.connect(lambda: widget.setToolTip(action.toolTip()))


class FittingArea(QScrollArea):
    """Scrolls its widget only where there is no room for it, and never asks for more height than it needs."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self._inside = widget
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setWidget(widget)

    def sizeHint(self) -> QSize:
        width = self.viewport().width()
        height = max(self._inside.heightForWidth(width), self._inside.minimumSizeHint().height())
        return QSize(width, height + 2)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ask for less height when its widget needs less."""
        if watched is self._inside and event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()


class KeyButton(QPushButton):
    """A button for an action that shows its key at the right end, as in ``Finish, next      F``.

    It is as wide as there is room, a ``small`` one as its text.
    """

    def __init__(
        self, text: str, action: QAction, *, primary: bool = False, small: bool = False, key: str = ""
    ) -> None:
        super().__init__()
        if primary or small:
            self.setProperty("role", "primary" if primary else "small")
        wide = QSizePolicy.Policy.Fixed if small else QSizePolicy.Policy.Expanding
        self.setSizePolicy(wide, QSizePolicy.Policy.Fixed)
        self._least = QSize(0, 24 if small else 36)
        self.setMinimumHeight(self._least.height())
        self._text = ElidedLabel(text, role="value")
        self._key = KeySign(action, key)
        self._row = in_row(
            (self._text, 1), (self._key, 0, Qt.AlignmentFlag.AlignVCenter), on=self, margins=(11, 0, 8, 0)
        )
        self._text.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.clicked.connect(action.trigger)
        action.changed.connect(self._name)  # after the sign
        self._name()

    def set_text(self, text: str) -> None:
        """Say something else; the key stays."""
        self._text.set_text(text)
        self._name()

    def _name(self) -> None:
        """Call it by its text and its key."""
        text, key = self._text.full_text, self._key.text()
        self.setAccessibleName(with_key(text, key))

    def sizeHint(self) -> QSize:
        return self._row.sizeHint().expandedTo(self._least)


class BriefButton(QPushButton):
    """A button that says less where there is less room, and all of it to who hears it."""

    def __init__(self, text: str, brief: str) -> None:
        super().__init__(text)
        self._whole, self._brief = text, brief
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint() - QSize(self._needs(self._whole) - self._needs(self._brief), 0)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(self._needs(self._whole) - self._needs(self.text()), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        brief = self.width() < self.sizeHint().width()
        self.setText(self._brief if brief else self._whole)
        self.setToolTip(self._whole if brief else "")

    def _needs(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text)


def fit_to_screen(window: QWidget) -> None:
    """Make a window no larger than the screen that it opens on, and put all of it there.

    Where it has no place yet, the desktop or Qt finds one as it is shown.
    """
    there = window.screen().availableGeometry()
    frame = window.frameGeometry().size() - window.size()
    if frame.isEmpty():  # not shown yet: its title is not there
        frame.setHeight(window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight))
    window.resize(window.size().boundedTo(there.size() - frame))
    if not window.testAttribute(Qt.WidgetAttribute.WA_Moved):
        return
    place = QRect(window.pos(), window.size() + frame)
    place.moveRight(min(place.right(), there.right()))
    place.moveBottom(min(place.bottom(), there.bottom()))
    window.move(max(place.left(), there.left()), max(place.top(), there.top()))


def bring_forward(window: QWidget) -> None:
    """Bring a window to the front; where the desktop does not let it come, it asks for attention there."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
    QApplication.alert(window)
