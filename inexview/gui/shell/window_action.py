"""The actions of the main window, whose handlers mypy looks up in it.

Where mypy has to infer whose an action is, it passes over a handler that is only a chain of names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from inexview.gui.services.actions import Action

if TYPE_CHECKING:
    from inexview.gui.shell.main_window import MainWindow

    WindowAction: TypeAlias = Action[MainWindow]
else:
    WindowAction = Action
