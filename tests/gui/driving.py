"""How tests drive the window: real mouse events at characters, as a hand would make them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import PySide6
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRect, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from inexview.core.project.project import Project
from inexview.gui.article.text_area import TextArea
from inexview.gui.article.text_document import Builder
from inexview.gui.look.theme import Theme, palette
from inexview.gui.services.messages import Message, Messages
from inexview.gui.services.settings import Appearance, Settings
from inexview.gui.shell.main_window import MainWindow, Mode

NONE, ALT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


def build_all(builder: Builder) -> None:
    """Build all that is missing of an article now, and not from the event loop."""
    for _ in builder.rest():
        pass


def wear(theme: Theme) -> None:
    """Have the program wear a theme, as its settings do."""
    QApplication.setPalette(palette(theme))


@contextmanager
def shown_window(
    qapp: QApplication, path: Path, size: tuple[int, int] | None = None, *, read_only: bool = False
) -> Iterator[MainWindow]:
    """Show a project in a window of its own, with settings beside it, and close it in the end."""
    settings = Settings(path.parent / "settings.ini")
    window = MainWindow(Project.open(path, read_only=read_only), settings, Appearance(qapp, settings))
    if size is not None:
        window.resize(*size)
    window.show()
    try:
        yield window
    finally:
        if window.late_inspect.controller is not None:  # few tests wait until it is made, or want it
            window.inspect.scratch_copies.discard()  # or it would ask
        window.close()
        window.deleteLater()


def see_runs(window: MainWindow) -> None:
    """Go to Inspect, also over a document that is not finished, of which one is asked first."""
    for _ in range(2):
        if window.mode is not Mode.INSPECT:
            window.book["inspect"].trigger()


@contextmanager
def file_named(window: QWidget, path: Path) -> Iterator[None]:
    """Paste a name into the dialog for files that opens meanwhile, and press Return."""
    pressed: list[str] = []
    looking = QTimer(interval=20)

    def name_it() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QFileDialog):
            return
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        if field.text() != str(path):  # what comes before the dialog is up goes nowhere
            QApplication.clipboard().setText(str(path))
            field.selectAll()
            QTest.keySequence(field, QKeySequence.StandardKey.Paste)
        else:
            pressed.append(field.text())
            QTest.keyClick(field, Qt.Key.Key_Return)

    looking.timeout.connect(name_it)
    looking.start()
    try:
        yield
    finally:
        looking.stop()
    assert pressed, "no dialog asked for a file"
    window.activateWindow()  # a desktop does so when a dialog closes


DROPPED_AT = QPointF(20, 20)


def drag_enter(data: QMimeData) -> QDragEnterEvent:
    # 6.12 takes fractions of a pixel and deprecates whole ones; before, there were only these.
    at = DROPPED_AT if PySide6.__version_info__ >= (6, 12) else DROPPED_AT.toPoint()
    return QDragEnterEvent(at, Qt.DropAction.CopyAction, data, LEFT, NONE)


def drop(widget: QWidget, *paths: Path) -> bool:
    """Drag files over a window and let them go, as the desktop does; True where they were welcome."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    enter = drag_enter(data)
    enter.setAccepted(False)
    QApplication.sendEvent(widget, enter)
    if enter.isAccepted():
        QApplication.sendEvent(widget, QDropEvent(DROPPED_AT, Qt.DropAction.CopyAction, data, LEFT, NONE))
    return enter.isAccepted()


def turn_wheel(widget: QWidget, by: int = -120, *, at: QPoint | None = None, modifiers=NONE) -> bool:
    """Turn the wheel over a widget, by default downwards over its middle; True where the widget took it."""
    place = at or widget.rect().center()
    wheel = QWheelEvent(
        place.toPointF(),
        widget.mapToGlobal(place).toPointF(),
        QPoint(),
        QPoint(0, by),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, wheel)
    return wheel.isAccepted()


def text_area(article) -> TextArea:
    """Return the widget that takes mouse and keys in an ArticleView."""
    return article.findChild(TextArea, "article-text")


def place(article, offset: int, *, after: bool = False) -> QPoint:
    """Return where a character is on the screen; scrolls there first if need be.

    The point lies just inside the character's left edge, with ``after`` just inside its right edge.
    """
    area = text_area(article)
    article.reveal(offset, offset + 1)
    QTest.qWait(1)
    for line in area.visible().lines:
        if line.start <= offset < line.end:
            left, right = line.extent(offset, offset + 1)
            x = right - 1 if after else left + 1
            return QPoint(round(x), round((line.top + line.bottom) / 2))
    raise AssertionError(f"offset {offset} is not on the screen")


def drag(article, start: int, end: int, *, button=LEFT, modifiers=NONE) -> None:
    """Drag from the beginning of the character ``start`` to the end of the character ``end - 1``."""
    viewport = text_area(article).viewport()
    finish = place(article, end - 1, after=True)
    begin = place(article, start)
    finish = place(article, end - 1, after=True) if _visible(article, start) else finish
    QTest.mousePress(viewport, button, modifiers, begin)
    steps = 6
    for step in range(1, steps + 1):
        move(viewport, begin + (finish - begin) * step / steps, button, modifiers)
    QTest.mouseRelease(viewport, button, modifiers, finish)


def move(viewport, point: QPoint, button, modifiers) -> None:
    """Move the mouse with a button held: QTest's own move knows neither button nor modifiers."""
    at = QPointF(point)
    event = QMouseEvent(
        QEvent.Type.MouseMove, at, viewport.mapToGlobal(at), Qt.MouseButton.NoButton, button, modifiers
    )
    QApplication.sendEvent(viewport, event)


def double_click(widget, point: QPoint, *, button=LEFT) -> None:
    """Press a second time and let go, as a hand does: QTest's own double click holds the button for ever."""
    QTest.mouseDClick(widget, button, NONE, point)
    QTest.mouseRelease(widget, button, NONE, point)


def click(article, offset: int, *, modifiers=NONE) -> None:
    """Click on a character."""
    QTest.mouseClick(text_area(article).viewport(), LEFT, modifiers, place(article, offset))


def key(article, name, modifiers=NONE) -> None:
    """Press a key in the article."""
    QTest.keyClick(text_area(article), name, modifiers)


def _visible(article, offset: int) -> bool:
    return any(line.start <= offset < line.end for line in text_area(article).visible().lines)


def marked(window: MainWindow) -> list[str]:
    """Return the texts that are marked in the open document."""
    text = window.session.document.text
    return [text[start:end] for start, end in window.session.state.marks]


def shown_as_painted(widget: QWidget) -> bool:
    """Tell whether the screen shows of a widget what it would paint now: nothing was left unpainted."""
    window = widget.window()
    screen = window.screen().grabWindow(window.winId()).toImage()
    now = window.grab().toImage().convertToFormat(screen.format())
    place = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
    return screen.copy(place) == now.copy(place)


def answering(monkeypatch, label):
    """Answer every question so; return what was asked."""
    asked = []

    def choose(box):
        asked.append(box.text())
        next(one for one in box.buttons() if one.text() == label).click()

    monkeypatch.setattr(QMessageBox, "exec", choose)
    return asked


def told(qtbot: QtBot, messages: Messages, words: str) -> Message:
    """Wait until a message with these words is shown, and return it."""

    def shown() -> bool:
        return messages.current is not None and words in messages.current.text

    qtbot.waitUntil(shown)
    return messages.current


def finished(window: MainWindow, topic: str = "7") -> list[str]:
    """Return the documents of a topic that are finished, by their numbers."""
    states = window.session.project.histories.states(topic)
    return sorted((name for name in states if states[name].finished), key=int)
