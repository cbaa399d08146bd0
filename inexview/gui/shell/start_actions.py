"""The actions that need no project: all of the start window, and in the File menu of every other."""

from __future__ import annotations

from functools import partial
from typing import Any

from inexview.gui.services.actions import FILE, HELP, Action

NEW: Action[Any] = Action(
    "new-project", FILE, "New project…", "Make a project of articles, topics and a pool",
    lambda w: partial(w.asked.emit, "new-project"), ("Ctrl+N",),
)  # fmt: skip
OPEN: Action[Any] = Action(
    "open-project", FILE, "Open project…", "Open a project file",
    lambda w: partial(w.asked.emit, "open-project"), ("Ctrl+O",),
)  # fmt: skip
SAMPLE: Action[Any] = Action(
    "open-sample", FILE, "Open the sample project", "Try everything on articles made for it",
    lambda w: partial(w.asked.emit, "open-sample"),
)  # fmt: skip
QUIT: Action[Any] = Action(
    "quit", FILE, "Quit", "Leave inexview; everything is saved", lambda w: w.close, ("Ctrl+Q",),
    starts_group=True,
)  # fmt: skip
GUIDE: Action[Any] = Action(
    "guide", HELP, "User guide", "What inexview does, and how",
    lambda w: partial(w.asked.emit, "guide"), ("F1",),
)  # fmt: skip
