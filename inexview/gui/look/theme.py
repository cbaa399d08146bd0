"""The colours and fonts of the window, light and dark, and nothing else that decides how things look.

Colours of meaning (mark, hit, miss, false alarm) come from the Okabe–Ito palette.  They and those of runs are
always joined by a shape or a line style, so that nothing is told by colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor


@dataclass(frozen=True, slots=True)
class Theme:
    """Every colour that the window uses, as ``#rrggbb`` (or ``#aarrggbb``)."""

    name: str
    window: str  # the chrome: side panels, bars
    page: str  # the reading column
    raised: str  # buttons, fields
    line: str  # hairlines between areas
    track: str  # empty part of bars
    handle: str  # what scroll bars are dragged by
    rest: str  # in charts, runs that are not emphasised
    text: str
    muted: str  # secondary text
    accent: str  # the one colour of actions
    on_accent: str
    selected: str  # row under attention
    selection: str  # text selected with the keyboard
    mark: str  # background of judged text
    mark_edge: str  # underline and bars of judged text
    preview: str  # background of what the pen would mark
    preview_edge: str
    erase: str  # background of what the eraser would take
    erase_edge: str
    bep: str
    hit: str
    miss: str
    false_alarm: str
    layer_a: str  # the first of two or three assessors
    layer_b: str
    layer_c: str
    suggested: str  # what a machine suggests, and no one has decided about
    finished: str
    found: str  # background of text found with Find
    warning: str
    runs: tuple[str, ...]  # far from each other, for colour-blind eyes too, and from the colours above
    words: tuple[str, ...]  # letters of the words that one looks for, with shapes in the same order
    lane: float  # how much of a run's colour its lane beside the text has: it is never louder than the pen
    word_in_mark: float  # how much of a word's colour is left on a mark, so that it can be read there

    def color(self, token: str) -> QColor:
        """Return the colour of a token name, e.g. ``color("mark")``."""
        return QColor(getattr(self, token))


def mixed(color: str, other: str, share: float) -> QColor:
    """Return a colour of which ``share`` is the one and the rest the other."""
    one, two = QColor(color), QColor(other)
    pairs = ((one.red(), two.red()), (one.green(), two.green()), (one.blue(), two.blue()))
    return QColor(*(round(share * a + (1 - share) * b) for a, b in pairs))


LIGHT = Theme(
    name="light",
    window="#fbfbf9",
    page="#ffffff",
    raised="#ffffff",
    line="#e3e3df",
    track="#ecece8",
    handle="#b4b7b6",
    rest="#898d91",
    text="#1d1f21",
    muted="#62666b",
    accent="#2a6bb0",
    on_accent="#ffffff",
    selected="#e7effa",
    selection="#b9d4f3",
    mark="#ffe7a3",
    mark_edge="#a87a00",
    preview="#e3ecf8",
    preview_edge="#2a6bb0",
    erase="#f6e1dc",
    erase_edge="#b4481f",
    bep="#b01f24",
    hit="#0072b2",
    miss="#b84700",
    false_alarm="#666a70",
    layer_a="#0072b2",
    layer_b="#a03d7e",
    layer_c="#00705a",
    suggested="#6a4fb3",
    finished="#23784a",
    found="#c9efdd",
    warning="#8a5a00",
    runs=("#0b62e2", "#a34982", "#05442e", "#63139f", "#1d0753", "#606b0f"),
    words=("#00795a", "#7a5195", "#a8447f", "#0b6aa8", "#556b00", "#5c6670"),
    lane=1.0,
    word_in_mark=0.86,
)

DARK = Theme(
    name="dark",
    window="#1b1e21",
    page="#202427",
    raised="#25292d",
    line="#33383d",
    track="#2c3136",
    handle="#555c63",
    rest="#6e757c",
    text="#e7e6e1",
    muted="#a1a6ab",
    accent="#6aa7ea",
    on_accent="#0d1216",
    selected="#243242",
    selection="#33557d",
    mark="#594611",
    mark_edge="#e6b93c",
    preview="#243447",
    preview_edge="#6aa7ea",
    erase="#49291f",
    erase_edge="#f0936b",
    bep="#ff857f",
    hit="#56b4e9",
    miss="#f28b46",
    false_alarm="#a1a6ab",
    layer_a="#56b4e9",
    layer_b="#e38bc8",
    layer_c="#4fd0b0",
    suggested="#b9a3f2",
    finished="#62c48d",
    found="#1f4d3b",
    warning="#e0b050",
    runs=("#6397fe", "#fd59bc", "#42d76f", "#c9b5fe", "#53fcef", "#bff707"),
    words=("#3cc79a", "#c3a9e8", "#e79bca", "#6dbdea", "#b9cf6a", "#b8bec4"),
    lane=0.65,
    word_in_mark=0.7,
)

READING_FAMILIES = ("Noto Serif", "DejaVu Serif", "Noto Color Emoji", "Droid Sans Fallback")
INTERFACE_FAMILIES = ("Inter", "DejaVu Sans", "Noto Color Emoji", "Droid Sans Fallback")
