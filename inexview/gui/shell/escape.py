"""What Esc means in the window: let go of what was begun, innermost first, wherever the keyboard is.

It closes a message on the way, and with nothing else to let go of gives the keyboard to what one reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QApplication

from inexview.gui.services.messages import Messages

Hold = Callable[[], bool]
"""Lets go of one thing; False where there is nothing to let go of."""


@runtime_checkable
class Holder(Protocol):
    """A widget that holds something of its own while it has the keyboard: a number half typed."""

    def let_go(self) -> bool:
        """Let go of it; False where there is nothing."""


def let_go(messages: Messages, holds: Sequence[Hold], go_home: Callable[[], object]) -> None:
    """Let go of the first thing there is, of the widget with the keyboard before all ``holds``.

    ``go_home`` gives the keyboard away where there is nothing.
    """
    messages.close_message()
    focused = QApplication.focusWidget()
    own: list[Hold] = [focused.let_go] if isinstance(focused, Holder) else []
    if not any(hold() for hold in (*own, *holds)):
        go_home()
