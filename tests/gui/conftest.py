"""A test of the window leaves nothing behind: no window, no running thread or timer, no logged defect."""

from __future__ import annotations

import gc
import logging
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from functools import partialmethod
from pathlib import Path
from time import monotonic

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, Qt, QThread, QThreadPool, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from inexview.core.article.document import Document
from inexview.core.collection.collection import Collection
from inexview.gui.article.styles import Styles
from inexview.gui.article.text_document import Builder
from inexview.gui.look.theme import DARK, LIGHT, load_fonts, theme_now
from inexview.gui.services.settings import Settings
from inexview.gui.services.tasks import THREADS
from tests.gui.disturbance import WAYS
from tests.gui.driving import build_all, wear

GRACE = 2.0  # seconds in which a thread ends that has nothing more to do
PATIENCE_MS = 60_000  # a machine with a load of 16 takes so long; a test that waits in vain may too


class PatientBot(QtBot):
    """Waits longer than pytest-qt's own does, and looks more often."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:
        """Wait until a callback returns True, or None without an AssertionError; else raise TimeoutError."""
        end = monotonic() + timeout / 1000
        while True:
            problem: AssertionError | None = None
            try:
                if callback() in (None, True):
                    return
            except AssertionError as error:
                problem = error
            if monotonic() > end:
                raise TimeoutError(f"waited {timeout} ms in vain") from problem
            self.wait(1)

    waitSignal = partialmethod(QtBot.waitSignal, timeout=PATIENCE_MS)
    waitExposed = partialmethod(QtBot.waitExposed, timeout=PATIENCE_MS)
    waitActive = partialmethod(QtBot.waitActive, timeout=PATIENCE_MS)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """Replace pytest-qt's own by one with more patience."""
    return PatientBot(request)


@pytest.fixture(autouse=True)
def disturbed(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have another time than that of this machine, where one is asked for."""
    way = os.environ.get("INEXVIEW_DISTURBED")
    held = way and WAYS[way](monkeypatch)
    yield
    del held


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have projects opened before the test goes on, also on a busy machine."""
    monkeypatch.setattr("inexview.gui.shell.app.SOON", PATIENCE_MS / 1000)


@pytest.fixture
def titles(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Return an event before which no title is read."""
    read, may_be_read = Collection.title, threading.Event()
    monkeypatch.setattr(Collection, "title", lambda *of: may_be_read.wait(20) and read(*of))
    yield may_be_read
    may_be_read.set()


@pytest.fixture
def built(qapp: QApplication) -> Callable[[Document], Builder]:
    """Return what builds an article whole, in the light theme."""

    def build(document: Document) -> Builder:
        builder = Builder(document, Styles(LIGHT, 17))
        builder.start()
        build_all(builder)
        return builder

    return build


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


@pytest.fixture(scope="session", autouse=True)
def shipped_fonts(qapp: QApplication) -> None:
    """Measure text as the program does, whichever test is the first."""
    load_fonts(qapp)


@pytest.fixture(autouse=True)
def light_again(qapp: QApplication) -> Iterator[None]:
    """Let no theme outlive the test that wears it."""
    yield
    if theme_now() is DARK:
        wear(LIGHT)


@pytest.fixture(autouse=True)
def own_settings(own_home: Path) -> None:
    """Keep QSettings in the test's own home."""
    for form in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
        for scope in (QSettings.Scope.UserScope, QSettings.Scope.SystemScope):
            QSettings.setPath(form, scope, str(own_home / scope.name))


@pytest.fixture(autouse=True)
def no_defect_is_logged(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail the test during which the program logged a defect; one that asks for ``caplog`` judges itself."""
    defects = _Defects(logging.ERROR)
    log = logging.getLogger("inexview")
    log.addHandler(defects)
    yield
    log.removeHandler(defects)
    if defects.texts and "caplog" not in request.fixturenames:
        pytest.fail("logged: " + "\n".join(defects.texts), pytrace=False)


class _Defects(logging.Handler):
    """Keeps what is logged, tracebacks included."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(self.format(record))


@pytest.fixture(autouse=True)
def nothing_is_left(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail the test that leaks a top-level widget, a thread, a timer or a held button."""
    threads: weakref.WeakSet[QThread] = weakref.WeakSet()
    timers: weakref.WeakSet[QTimer] = weakref.WeakSet()
    _note_starts(monkeypatch, QThread, threads)
    _note_starts(monkeypatch, QTimer, timers)
    before, workers = set(QApplication.topLevelWidgets()), _workers()
    yield
    _bury()
    pool_is_done = QThreadPool.globalInstance().waitForDone(PATIENCE_MS)
    left: list[str] = []
    if not pool_is_done:
        left.append("work in the global thread pool")
    left += [f"a running thread {it!r}" for it in threads if shiboken6.isValid(it) and it.isRunning()]
    left += [f"tasks that were not closed: {it.name}" for it in _workers() - workers if not _ends(it)]
    left += [f"an active timer {it!r}" for it in timers if shiboken6.isValid(it) and it.isActive()]
    left += [f"a top-level widget {it!r}" for it in _top_level_widgets(before)]
    left += [f"{button.name} held" for button in _held_buttons()]
    if left:
        pytest.fail("left behind: " + "; ".join(left), pytrace=False)


class _Pressed(QWidget):
    """Notes the buttons QTest takes for held when it presses one here."""

    buttons = Qt.MouseButton.NoButton

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.buttons = event.buttons()


def _held_buttons() -> list[Qt.MouseButton]:
    """Return, and release, the buttons QTest still holds: a slider takes no press while another is held."""
    probe, first = _Pressed(), Qt.MouseButton.ExtraButton1
    QTest.mousePress(probe, first)
    held = [button for button in probe.buttons if button != first]
    for button in [first, *held]:
        QTest.mouseRelease(probe, button)
    return held


def _ends(worker: threading.Thread) -> bool:
    """Tell whether a thread ends soon: one whose tasks were closed may be at the end of its work."""
    worker.join(GRACE)
    return not worker.is_alive()


def _workers() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith(THREADS)}


def _note_starts(monkeypatch: pytest.MonkeyPatch, kind: type, started: weakref.WeakSet) -> None:
    start = kind.start

    def noted(self: object, *args: object) -> None:
        started.add(self)
        start(self, *args)

    monkeypatch.setattr(kind, "start", noted)


def _bury() -> None:
    """Delete what asked for it: no event loop runs here that would."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


def _top_level_widgets(before: set[QWidget]) -> set[QWidget]:
    """Return the top-level widgets made since; what only a reference cycle keeps is collected first."""
    if set(QApplication.topLevelWidgets()) - before:
        gc.collect()
        _bury()
    return set(QApplication.topLevelWidgets()) - before
