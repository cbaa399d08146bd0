"""A long benchmark takes as long as it takes."""

import faulthandler
from collections.abc import Iterable

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget


@pytest.fixture(autouse=True)
def without_a_limit(request: pytest.FixtureRequest) -> None:
    """Stop the clock of ``faulthandler_timeout``: making 659,388 articles takes a quarter of an hour."""
    if request.node.get_closest_marker("long"):
        faulthandler.cancel_dump_traceback_later()


def end_windows(windows: Iterable[QWidget]) -> None:
    """Close windows and take them away, as the program does: those that stay slow down each next one."""
    for window in windows:
        window.close()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
