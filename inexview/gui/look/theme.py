"""The look of the window: colours and fonts, the style sheet, shapes of runs and layers, icons.

Colours of meaning (mark, hit, miss, false alarm) come from the Okabe–Ito palette.  They and those of runs are
always joined by a shape or a line style, so that nothing is told by colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QLoggingCategory
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QPalette,
)
from PySide6.QtWidgets import QWidget

from inexview.core.resources import resource


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


def theme_now() -> Theme:
    """Return the theme whose palette the program has."""
    return _theme_of(QGuiApplication.palette().cacheKey())


@lru_cache(maxsize=4)  # every painter asks for it, again and again
def _theme_of(_key: int) -> Theme:
    return DARK if QGuiApplication.palette().window().color() == QColor(DARK.window) else LIGHT


class Themed:
    """What is painted in the theme of now."""

    @property
    def theme(self) -> Theme:
        return theme_now()


READING_FAMILIES = ("Noto Serif", "DejaVu Serif", "Noto Color Emoji", "Droid Sans Fallback")
INTERFACE_FAMILIES = ("Inter", "DejaVu Sans", "Noto Color Emoji", "Droid Sans Fallback")


INTERFACE_PIXELS = 13
KEY_SHADE = 0.07  # of the text's colour behind a key on a button of the accent; it can still be read there


def load_fonts(application: QGuiApplication) -> None:
    """Make the shipped fonts known and the interface font the default.

    Qt takes another font for a script that these lack, and says so of each in the terminal.
    """
    QLoggingCategory.setFilterRules("qt.text.font.db.info=false")
    for path in sorted(resource("fonts").glob("*.[ot]tf")):
        QFontDatabase.addApplicationFont(str(path))
    font = QFont()
    font.setFamilies(list(INTERFACE_FAMILIES))
    font.setPixelSize(INTERFACE_PIXELS)
    application.setFont(font)


def palette(theme: Theme) -> QPalette:
    """Return the Qt palette of a theme, for everything that the style sheet does not reach."""
    result = QPalette()
    roles = {
        QPalette.ColorRole.Window: theme.window,
        QPalette.ColorRole.WindowText: theme.text,
        QPalette.ColorRole.Base: theme.page,
        QPalette.ColorRole.AlternateBase: theme.window,
        QPalette.ColorRole.Text: theme.text,
        QPalette.ColorRole.PlaceholderText: theme.muted,
        QPalette.ColorRole.Button: theme.raised,
        QPalette.ColorRole.ButtonText: theme.text,
        QPalette.ColorRole.Highlight: theme.selection,
        QPalette.ColorRole.HighlightedText: theme.text,
        QPalette.ColorRole.ToolTipBase: theme.raised,
        QPalette.ColorRole.ToolTipText: theme.text,
        QPalette.ColorRole.Link: theme.accent,
        QPalette.ColorRole.Accent: theme.accent,
        QPalette.ColorRole.Mid: theme.line,
        QPalette.ColorRole.Dark: theme.line,
        QPalette.ColorRole.Light: theme.raised,
    }
    for role, color in roles.items():
        result.setColor(role, QColor(color))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.muted))
    return result


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget another look of the style sheet."""
    set_look(widget, "role", role)


def set_look(widget: QWidget, name: str, value: object, *within: QWidget) -> None:
    """Set a property of a widget that the style sheet asks for, also of what is ``within`` it."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    for one in (widget, *within):
        one.style().unpolish(one)
        one.style().polish(one)


def style_sheet(theme: Theme) -> str:
    """Return the style sheet of a theme.  Widgets ask for a look by their ``role`` property."""
    themes = resource("themes")
    values = {name: getattr(theme, name) for name in theme.__slots__ if name not in ("runs", "words")}
    values["primary_key"] = mixed(theme.on_accent, theme.accent, KEY_SHADE).name()
    return (themes / "window.qss").read_text(encoding="utf-8") % {**values, "themes": themes.as_posix()}
