"""Photograph the window on the sample project, for the README and the guide: ``python tools/photograph.py``.

Each picture is the program itself, driven with real mouse events, so that the pictures stay true.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from inexview.core.sample import create_sample_project, sample_runs
from inexview.gui.app import Application
from inexview.gui.article.text_area import TextArea
from inexview.gui.article.view import Align
from inexview.gui.main_window import MainWindow, Mode
from inexview.gui.settings import APPEARANCE, ASSESSOR, Settings

PICTURES = Path(__file__).resolve().parent.parent / "resources" / "guide" / "pictures"
SIZE = (1440, 900)
SETTLED = 700  # milliseconds until titles, figures and curves are there


def main() -> None:
    """Take every picture, light and dark."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    qt = QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(Path(folder) / "settings.ini")
        settings.set(ASSESSOR, "Ada")
        application = Application(qt, settings)
        project = create_sample_project(Path(folder) / "olive-oil-2026.inexview")
        for theme in ("light", "dark"):
            settings.set(APPEARANCE, theme)
            take_start(application, theme)
            window = application.open_project(project)
            assert window is not None
            window.resize(*SIZE)
            QTest.qWait(SETTLED)
            take_assess(window, theme)
            take_inspect(window, project, theme)
            window.close()


def take_start(application: Application, theme: str) -> None:
    """The start window."""
    start = application.show_start()
    QTest.qWait(SETTLED)
    save(start, f"start-{theme}")


def take_assess(window: MainWindow, theme: str) -> None:
    """A document half judged, with the pen down; then the palette and the topics."""
    window.session.open_topic("2026003")
    QTest.qWait(SETTLED)
    window.session.open_document("4105")
    QTest.qWait(SETTLED)
    ready(window, "4105")
    text = window.session.document.text
    cause = text.index("Paper is a felt of plant fibres")
    window.session.mark(cause, text.index(".", cause) + 1)
    second = text.index("In the early 1980s")
    window.session.mark(second, text.index("\n\n", second) if "\n\n" in text[second:] else second + 200)
    window.session.set_entry_point(cause)
    area = window.article.findChild(TextArea)
    lines = [line for line in area.visible().lines if line.start >= text.index("The figures startled")]
    hold_pen(
        area,
        QPoint(int(lines[0].left) + 2, middle(lines[0])),
        QPoint(int(lines[1].right) - 90, middle(lines[1])),
    )
    save(window, f"assess-{theme}")
    QTest.keyClick(area, Qt.Key.Key_Escape)
    release(area)
    if theme == "light":
        window.book["palette"].trigger()
        QTest.keyClicks(window.popup.field, "entry")
        QTest.qWait(100)
        save(window, "palette-light")
        window.popup.dismiss()


def take_inspect(window: MainWindow, project: Path, theme: str) -> None:
    """A run over judged text."""
    window.files.open_runs(sample_runs(project)[::-1])
    QTest.qWait(SETTLED)
    window.set_mode(Mode.INSPECT)
    window.session.open_topic("2026001")
    QTest.qWait(SETTLED)
    window.session.open_document("2041")
    QTest.qWait(2 * SETTLED)
    ready(window, "2041")
    window.article.reveal(window.article.overlay.entry - 120, align=Align.TOP)
    QTest.qWait(200)
    save(window, f"inspect-{theme}")


def ready(window: MainWindow, document: str) -> None:
    """Wait until a document is on the screen, and what comes with it."""
    while window.session.document_id != document:
        QTest.qWait(20)
    QTest.qWait(SETTLED)


def hold_pen(area: TextArea, begin: QPoint, end: QPoint) -> None:
    """Press at one place and move to another without letting go."""
    viewport = area.viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, begin)
    for step in range(1, 5):
        at = QPointF(begin + (end - begin) * step / 4)
        move = QMouseEvent(
            QEvent.Type.MouseMove,
            at,
            viewport.mapToGlobal(at),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(viewport, move)
    QTest.qWait(50)


def release(area: TextArea) -> None:
    """Let the pen go after it was given up."""
    QTest.mouseRelease(area.viewport(), Qt.MouseButton.LeftButton)


def middle(line: object) -> int:
    """Return the height of the middle of a line."""
    return round((line.top + line.bottom) / 2)  # type: ignore[attr-defined]


def save(widget: QWidget, name: str) -> None:
    """Write a picture of a widget."""
    path = PICTURES / f"{name}.png"
    widget.grab().save(str(path))
    print(path)


if __name__ == "__main__":
    main()
