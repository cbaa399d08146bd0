"""A part of the window that many never look at: made when it is first looked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from inexview.gui.look.theme import LIGHT, Theme


class Themed(Protocol):
    """What wears a theme."""

    def set_theme(self, theme: Theme) -> None: ...


P = TypeVar("P", bound=Themed)


class LatePart(Generic[P]):
    """Makes a widget once, when it is asked for, and has it wear the theme of now."""

    def __init__(self, make: Callable[[], P]) -> None:
        self._make = make
        self._made: P | None = None
        self._theme = LIGHT

    def __call__(self) -> P:
        if self._made is None:
            self._made = self._make()
            self._made.set_theme(self._theme)
        return self._made

    def set_theme(self, theme: Theme) -> None:
        """Use other colours, or have them used by what is made later."""
        self._theme = theme
        if self._made is not None:
            self._made.set_theme(theme)
