"""How a Theme becomes a QPalette and a style sheet, and how the window follows the desktop's light and dark."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from inexview.core.resources import resource
from inexview.gui.settings import APPEARANCE, SettingChanged, Settings
from inexview.gui.theme import DARK, INTERFACE_FAMILIES, LIGHT, Theme

INTERFACE_PIXELS = 13


class Appearance(QObject):
    """Knows which theme is in use, and tells when it changes."""

    changed = Signal(object)  # Theme

    def __init__(self, application: QApplication, settings: Settings) -> None:
        super().__init__(application)
        self._application = application
        self._settings = settings
        self.theme = self._wanted()
        application.styleHints().colorSchemeChanged.connect(self._update)
        settings.changed.connect(self._on_setting)
        self._apply()

    def _wanted(self) -> Theme:
        chosen = self._settings.get(APPEARANCE)
        if chosen == "system":
            dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        else:
            dark = chosen == "dark"
        return DARK if dark else LIGHT

    def _on_setting(self, change: SettingChanged) -> None:
        if change.setting is APPEARANCE:
            self._update()

    def _update(self) -> None:
        wanted = self._wanted()
        if wanted is not self.theme:
            self.theme = wanted
            self._apply()
            self.changed.emit(wanted)

    def _apply(self) -> None:
        self._application.setPalette(palette(self.theme))
        self._application.setStyleSheet(style_sheet(self.theme))


def load_fonts(application: QApplication) -> None:
    """Make the shipped fonts known and the interface font the default."""
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


def style_sheet(theme: Theme) -> str:
    """Return the style sheet of a theme.  Widgets ask for a look by their ``role`` property."""
    return _SHEET % {name: getattr(theme, name) for name in theme.__slots__ if name != "runs"}


_SHEET = """
QWidget { color: %(text)s; }
QMainWindow, QDialog, QWidget[role="chrome"] { background: %(window)s; }
QWidget[role="bar"] { background: %(window)s; border: 0; border-bottom: 1px solid %(line)s; }
QWidget[role="status"] { background: %(window)s; border: 0; border-top: 1px solid %(line)s; }
QWidget[role="page"] { background: %(page)s; }
QLabel { background: transparent; }
QLabel[role="caption"] { color: %(muted)s; font-size: 11px; font-weight: 600; letter-spacing: 1px; }
QLabel[role="muted"], QPushButton[role="plain"] { color: %(muted)s; }
QLabel[role="status"] { color: %(muted)s; font-size: 12px; border: 0; }
QLabel[role="saved"] { color: %(finished)s; font-size: 12px; border: 0; }
QLabel[role="heading"] { font-size: 15px; font-weight: 600; }
QLabel[role="title"] { font-size: 26px; font-weight: 700; }
QLabel[role="value"] { font-weight: 600; }
QLabel[role="key"] { color: %(muted)s; background: %(window)s; border: 1px solid %(line)s; border-radius: 4px;
    padding: 1px 5px; font-size: 11px; }
QPushButton { background: %(raised)s; border: 1px solid %(line)s; border-radius: 8px; padding: 7px 12px; }
QPushButton:hover { border-color: %(accent)s; }
QPushButton:pressed { background: %(selected)s; }
QPushButton:focus { border: 2px solid %(accent)s; padding: 6px 11px; }
QPushButton:disabled { color: %(muted)s; border-color: %(line)s; }
QPushButton[role="primary"], QPushButton:default { background: %(accent)s; color: %(on_accent)s;
    border: 1px solid %(accent)s; font-weight: 600; }
QPushButton[role="primary"]:focus, QPushButton:default:focus { border: 2px solid %(text)s; }
QPushButton[role="primary"]:disabled { background: %(track)s; color: %(muted)s; border-color: %(line)s; }
QPushButton[role="primary"] > QLabel[role="value"] { color: %(on_accent)s; }
QPushButton[role="plain"] { background: transparent; border: 0; padding: 4px 6px; text-align: left; }
QPushButton[role="plain"]:hover { color: %(text)s; background: %(track)s; }
QPushButton[role="plain"]:focus { border: 2px solid %(accent)s; padding: 2px 4px; }
QPushButton[role="crumb"] { background: transparent; border: 2px solid transparent; padding: 4px 6px;
    text-align: left; border-radius: 6px; font-weight: 600; }
QPushButton[role="crumb"]:hover { background: %(track)s; }
QPushButton[role="crumb"]:focus { border-color: %(accent)s; }
QPushButton[role="segment"] { background: %(raised)s; border: 1px solid %(line)s; border-radius: 0; color: %(muted)s;
    padding: 5px 14px; }
QPushButton[role="segment"][side="left"] { border-top-left-radius: 7px; border-bottom-left-radius: 7px; border-right: 0; }
QPushButton[role="segment"][side="right"] { border-top-right-radius: 7px; border-bottom-right-radius: 7px; border-left: 0; }
QPushButton[role="segment"]:checked { background: %(accent)s; color: %(on_accent)s; border-color: %(accent)s;
    font-weight: 600; }
QPushButton[role="segment"]:focus { border: 2px solid %(text)s; padding: 4px 13px; }
QPushButton[role="chip"] { background: %(track)s; border: 2px solid transparent; border-radius: 12px; padding: 2px 9px;
    font-size: 12px; }
QPushButton[role="chip"]:hover { border-color: %(line)s; }
QPushButton[role="chip"]:checked { background: %(accent)s; color: %(on_accent)s; }
QPushButton[role="chip"]:focus { border-color: %(accent)s; }
QPushButton[role="chip"]:checked:focus { border-color: %(text)s; }
QToolButton { background: transparent; border: 2px solid transparent; border-radius: 6px; padding: 2px 6px;
    color: %(muted)s; }
QToolButton:hover { background: %(track)s; color: %(text)s; }
QToolButton:focus { border-color: %(accent)s; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit, QKeySequenceEdit QLineEdit {
    background: %(raised)s; border: 1px solid %(line)s; border-radius: 7px; padding: 5px 8px;
    selection-background-color: %(selection)s; selection-color: %(text)s; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus { border: 1px solid %(accent)s; }
QComboBox::drop-down { border: 0; width: 20px; }
QComboBox QAbstractItemView { background: %(raised)s; border: 1px solid %(line)s; selection-background-color: %(selected)s; }
QListView, QTableView, QTreeView { background: transparent; border: 0; outline: 0;
    selection-background-color: %(selected)s; selection-color: %(text)s; alternate-background-color: %(window)s; }
QTableView::item, QTreeView::item { padding: 4px 6px; }
QHeaderView { background: transparent; }
QHeaderView::section { background: transparent; border: 0; border-bottom: 1px solid %(line)s; color: %(muted)s;
    padding: 4px 6px; font-weight: 600; font-size: 12px; }
QTextBrowser { background: %(page)s; border: 0; }
QMenuBar { background: transparent; border: 0; padding: 0; }
QMenuBar::item { background: transparent; color: %(muted)s; padding: 5px 8px; border-radius: 6px; }
QMenuBar::item:selected { background: %(track)s; color: %(text)s; }
QMenu { background: %(raised)s; border: 1px solid %(line)s; border-radius: 8px; padding: 5px; }
QMenu::item { padding: 6px 26px 6px 24px; border-radius: 5px; }
QMenu::item:selected { background: %(selected)s; }
QMenu::item:disabled { color: %(muted)s; }
QMenu::separator { height: 1px; background: %(line)s; margin: 5px 8px; }
QToolTip { background: %(raised)s; color: %(text)s; border: 1px solid %(line)s; padding: 5px 7px; }
QSplitter::handle { background: %(line)s; }
QScrollArea { background: transparent; border: 0; }
QScrollArea > QWidget > QWidget[role="chrome"] { background: %(window)s; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; border: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; border: 0; }
QScrollBar::handle { background: %(line)s; border-radius: 4px; min-height: 30px; min-width: 30px; margin: 2px; }
QScrollBar::handle:hover { background: %(muted)s; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: transparent;
    border: 0; width: 0; height: 0; }
QFrame#messages { background: %(raised)s; border: 1px solid %(line)s; border-radius: 10px; }
QFrame#messages[kind="warning"] { border-color: %(warning)s; }
QFrame#messages[kind="error"] { border-color: %(bep)s; }
QFrame#messages QLabel#symbol { color: %(finished)s; font-weight: 700; }
QFrame#messages[kind="warning"] QLabel#symbol { color: %(warning)s; }
QFrame#messages[kind="error"] QLabel#symbol { color: %(bep)s; }
QFrame#popup { background: %(raised)s; border: 1px solid %(line)s; border-radius: 12px; }
QFrame[role="card"] { background: %(raised)s; border: 1px solid %(line)s; border-radius: 10px; }
QFrame[role="rule"] { background: %(line)s; border: 0; max-height: 1px; min-height: 1px; }
QCheckBox { spacing: 8px; background: transparent; }
QCheckBox::indicator { width: 15px; height: 15px; border: 1px solid %(muted)s; border-radius: 4px; background: %(raised)s; }
QCheckBox::indicator:checked { background: %(accent)s; border-color: %(accent)s; }
QCheckBox:focus { color: %(accent)s; }
QSlider::groove:horizontal { height: 3px; background: %(line)s; border-radius: 1px; }
QSlider::handle:horizontal { width: 13px; height: 13px; margin: -5px 0; border-radius: 6px; background: %(accent)s; }
QSlider::handle:horizontal:focus { border: 2px solid %(text)s; }
QProgressBar { background: %(track)s; border: 0; border-radius: 3px; max-height: 6px; }
QProgressBar::chunk { background: %(finished)s; border-radius: 3px; }
"""
