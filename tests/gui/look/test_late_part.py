"""A part of the window that is made late wears the theme of then."""

from __future__ import annotations

from inexview.gui.look.layouts import LatePart
from inexview.gui.look.theme import DARK, LIGHT, Theme


class Page:
    def __init__(self) -> None:
        self.worn: list[Theme] = []

    def set_theme(self, theme: Theme) -> None:
        self.worn.append(theme)


def test_a_part_is_made_once_and_follows_the_theme_from_then_on() -> None:
    made: list[Page] = []

    def make() -> Page:
        made.append(Page())
        return made[-1]

    part = LatePart(make)
    part.set_theme(DARK)
    assert not made
    page = part()
    assert page is part()
    part.set_theme(LIGHT)
    assert [one.worn for one in made] == [[DARK, LIGHT]]
