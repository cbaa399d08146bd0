"""How a Theme becomes a QPalette and a style sheet."""

from __future__ import annotations

from PySide6.QtCore import QLoggingCategory
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QWidget

from inexview.core.resources import resource
from inexview.gui.look.theme import INTERFACE_FAMILIES, Theme, mixed

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
