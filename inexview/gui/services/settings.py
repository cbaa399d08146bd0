"""The settings, declared once as data, and the file that stores them.

A record has everything that dialogs, defaults and checks need; only this module knows the keys.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import platformdirs
from PySide6.QtCore import QEvent, QObject, QSettings, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMainWindow, QWidget

from inexview.core.files import ARCHIVES, is_archive, is_there
from inexview.gui.look.theme import DARK, LIGHT, Theme, palette, style_sheet
from inexview.gui.look.widgets import fit_to_screen
from inexview.gui.services.messages import ask

T = TypeVar("T")
Check = Callable[[Any], bool]


def _all_are(kind: type, *, of: Check = lambda _value: True) -> Check:
    """Return a check that a value is a list or mapping of values of a kind that pass a check."""

    def holds(value: Any) -> bool:
        values = value.values() if isinstance(value, dict) else value
        return all(isinstance(one, kind) and of(one) for one in values)

    return holds


_texts = _all_are(str)
_lists_of_texts = _all_are(list, of=_texts)


@dataclass(frozen=True, eq=False)
class Setting(Generic[T]):
    """A setting: its key in the file, default, meaning, and check of values."""

    key: str
    default: T
    title: str
    allowed: Callable[[T], bool] = lambda value: True


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """The value of a setting changed."""

    setting: Setting[Any]
    value: Any


APPEARANCE = Setting("appearance", "system", "Appearance", lambda v: v in {"system", "light", "dark"})
MOTION = Setting("motion", "system", "Motion", lambda v: v in {"system", "reduced", "all"})
ZOOM = Setting("zoom", 100, "Size of the article's text, in per cent", lambda v: 50 <= v <= 300)
SCALE = Setting("scale", 100, "Interface size, in per cent", lambda v: 100 <= v <= 200)
LINE_WIDTH = Setting("line-width", 100, "Width of the article's lines, in per cent", lambda v: 50 <= v <= 160)
LINE_SPACING = Setting(
    "line-spacing", 100, "Line spacing of the article, in per cent", lambda v: 80 <= v <= 160
)
TYPEFACE = Setting("typeface", "serif", "Typeface of the article", lambda v: v in {"serif", "sans"})
OUTLINES = Setting("outlines", False, "Outline the element under the mouse or at the caret")
ADVANCE = Setting("advance", True, "Go to the next document after finishing one")
ASSESSOR = Setting("assessor", "", "Name of the assessor in new projects")
RECENT: Setting[list[str]] = Setting("recent", [], "Recently opened projects", _texts)
STATES: Setting[dict[str, list[str]]] = Setting(
    "states", {}, "Work, progress and last use of each project", _lists_of_texts
)
SUFFIXES = Setting("suffixes", False, "Whether ids of a benchmark's texts keep their suffix")
WAY = Setting("way", "", "The last choice in the start window")
FOLDER = Setting("folder", "", "Folder that file dialogs start in")
EXPORT = Setting("export", "fol-qrels", "Format of the last export")
KEYS: Setting[dict[str, list[str]]] = Setting(
    "keys", {}, "Keys that differ from the standard ones", _lists_of_texts
)
RUNS: Setting[dict[str, list[str]]] = Setting(
    "runs", {}, "Runs that were open with each project", _lists_of_texts
)
LAYERS: Setting[dict[str, list[str]]] = Setting(
    "layers", {}, "Layers that were open with each project", _lists_of_texts
)
SCORING: Setting[dict[str, dict[str, Any]]] = Setting(
    "scoring", {}, "How runs are scored in each project", _all_are(dict)
)
INSPECTED: Setting[dict[str, str]] = Setting(
    "inspected", {}, "Task of runs scored by a file of judgements", _all_are(str)
)
WORDS: Setting[dict[str, dict[str, list[list[str]]]]] = Setting(
    "words",
    {},
    "Words searched in each topic of a project",
    _all_are(dict, of=_all_are(list, of=_lists_of_texts)),
)
NOT_RANKED: Setting[list[str]] = Setting("not-ranked", [], "Hidden columns of ranked documents", _texts)
GEOMETRY = Setting("geometry", "", "Place and size of the window")
PANELS: Setting[dict[str, list[int]]] = Setting(
    "panels",
    {},
    "Widths of the panels, in Assess and Inspect",
    _all_are(
        list,
        of=lambda value: (
            len(value) == 3 and all(isinstance(width, int) and 0 <= width < 10**5 for width in value)
        ),
    ),
)

MOST_RECENT = 12
MOST_LEARNT = 100  # files of judgements


def settings_path() -> Path:
    """Return the file of the settings, in the folder of the operating system for settings."""
    return Path(platformdirs.user_config_dir("inexview", appauthor=False)) / "inexview.ini"


def log_folder() -> Path:
    """Return the folder of the log of defects."""
    return Path(platformdirs.user_log_dir("inexview", appauthor=False))


def sample_path() -> Path:
    return Path(platformdirs.user_data_dir("inexview", appauthor=False)) / "sample" / "sample.inexview"


class Settings(QObject):
    """The settings of this user; an invalid value counts as the default."""

    changed = Signal(object)

    def __init__(self, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = QSettings(str(path or settings_path()), QSettings.Format.IniFormat)

    def get(self, setting: Setting[T]) -> T:
        text = self._store.value(setting.key)
        if not isinstance(text, str):
            return setting.default
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return setting.default
        fits = isinstance(value, type(setting.default)) and setting.allowed(value)
        return value if fits else setting.default

    def set(self, setting: Setting[T], value: T) -> None:
        if not setting.allowed(value):
            raise ValueError(f"{setting.title}: {value!r} is not allowed")
        if value == self.get(setting):
            return
        self._store.setValue(setting.key, json.dumps(value))
        self.changed.emit(SettingChanged(setting, value))

    def write(self) -> None:
        """Write all changes to the disk now; otherwise Qt delays it."""
        self._store.sync()

    def remember_project(self, path: Path) -> None:
        name = os.path.realpath(path)
        others = [kept for kept in self.get(RECENT) if kept != name]
        self.set(RECENT, [name, *others][:MOST_RECENT])

    def remember(self, setting: Setting[dict[str, T]], project: Path, value: T) -> None:
        """Store a value for a project, as long as it is among the recent projects."""
        recent = {*self.get(RECENT)}
        others = {name: kept for name, kept in self.get(setting).items() if name in recent}
        self.set(setting, {**others, str(project): value})

    def learn_task(self, judgements: Path, task: str) -> None:
        """Store the task of runs that declare none, for the next time these judgements are opened."""
        kept = {name: of for name, of in self.get(INSPECTED).items() if name != str(judgements)}
        self.set(INSPECTED, dict([*kept.items(), (str(judgements), str(task))][-MOST_LEARNT:]))

    def learnt_task(self, judgements: Path) -> str:
        """Return the task last used with these judgements, "" if unknown."""
        return self.get(INSPECTED).get(str(judgements), "")

    def forget_project(self, path: Path) -> None:
        self.set(RECENT, [kept for kept in self.get(RECENT) if kept != str(path)])


# Theme and motion: as chosen, or as the desktop has them.


class Appearance(QObject):
    """Tracks the current theme, and signals changes.

    It applies palette and style sheet of a theme together.
    """

    changed = Signal(object)  # Theme

    def __init__(self, application: QApplication, settings: Settings) -> None:
        super().__init__(settings)
        self._application = application
        self._settings = settings
        self.theme = self._wanted()
        self.motion = Motion(application, settings)
        application.styleHints().colorSchemeChanged.connect(self._update)
        settings.changed.connect(lambda change: self._update() if change.setting is APPEARANCE else None)
        self._apply()

    @contextmanager
    def building(self) -> Iterator[None]:
        """Remove the style sheet while the first window is built, and set it again afterwards.

        Under a style sheet, Qt styles a widget and its children again each time it gets a parent, which takes
        half the time of building a window. If another window is open the sheet stays, to avoid styling that
        one twice.
        """
        windows = self._application.topLevelWidgets()
        if any(isinstance(window, QMainWindow) and window.isVisible() for window in windows):
            yield
            return
        sheet = self._application.styleSheet()
        self._application.setStyleSheet("")
        try:
            yield
        finally:
            self._application.setStyleSheet(sheet)

    def _wanted(self) -> Theme:
        chosen = self._settings.get(APPEARANCE)
        if chosen == "system":
            dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        else:
            dark = chosen == "dark"
        return DARK if dark else LIGHT

    def _update(self) -> None:
        wanted = self._wanted()
        if wanted is not self.theme:
            self.theme = wanted
            self._apply()
            self.changed.emit(wanted)

    def _apply(self) -> None:
        """Apply palette and style sheet of the theme.

        By default Qt restyles each known widget once for each widget around it: half a second for a window of
        which a fifth is visible. Therefore the old rules are dropped first.
        """
        application = self._application
        application.setPalette(palette(self.theme))
        application.style().unpolish(application)  # drops the rules of the previous sheet
        application.setStyleSheet(style_sheet(self.theme))
        self._restyle(application.allWidgets())

    def _restyle(self, widgets: Iterable[QWidget]) -> None:
        """Restyle the visible widgets; of hidden ones, watch the outermost until it is shown."""
        style = self._application.style()
        for widget in widgets:
            around = None if widget.isWindow() else widget.parentWidget()
            if widget.isVisible():
                style.polish(widget)
                widget.update()
            elif around is None or around.isVisible():
                widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Restyle a widget that is shown for the first time since the sheet changed."""
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget):
            watched.removeEventFilter(self)
            self._restyle([watched, *watched.findChildren(QWidget)])
        return False


def less_wanted(desktop: object) -> bool:
    """Return whether the desktop requests reduced motion, which Qt 6.12 and later report."""
    preference = getattr(desktop, "motionPreference", None)
    return preference is not None and preference().name == "ReducedMotion"


class Motion(QObject):
    """Stops carets from blinking, and menus and tooltips from fading, if less motion is wanted."""

    changed = Signal(object)  # bool: reduced

    def __init__(self, application: QApplication, settings: Settings) -> None:
        super().__init__(settings)
        self._application = application
        self._settings = settings
        self._blink = application.cursorFlashTime()
        self._fades = application.isEffectEnabled(Qt.UIEffect.UI_General)
        hints = application.styleHints()
        self._desktop = hints.accessibility() if hasattr(hints, "accessibility") else None  # since Qt 6.10
        self.reduced = self._wanted()
        if (told := getattr(self._desktop, "motionPreferenceChanged", None)) is not None:
            told.connect(self._update)
        settings.changed.connect(lambda change: self._update() if change.setting is MOTION else None)
        self._apply()

    def _wanted(self) -> bool:
        chosen = self._settings.get(MOTION)
        return less_wanted(self._desktop) if chosen == "system" else chosen == "reduced"

    def _update(self) -> None:
        wanted = self._wanted()
        if wanted is not self.reduced:
            self.reduced = wanted
            self._apply()
            self.changed.emit(wanted)

    def _apply(self) -> None:
        self._application.setCursorFlashTime(0 if self.reduced else self._blink)
        self._application.setEffectEnabled(Qt.UIEffect.UI_General, self._fades and not self.reduced)


# Dialogs for files to open, in the folder used last, and for files to write.

PROJECTS = "inexview projects (*.inexview)"
PACKED = "*.gz *.bz2 *.xz *.zst"
JUDGEMENTS = f"Judgements (*.inexview *.txt *.qrels *.xml *.jsonl *.json *.csv *.tsv {PACKED});;All files (*)"
"""File types in dialogs."""


def choose_file(parent: QWidget | None, title: str, kinds: str, settings: Settings) -> Path | None:
    """Return an existing file, None if cancelled; ``kinds`` are Qt's name filters."""
    name, _ = QFileDialog.getOpenFileName(parent, title, settings.get(FOLDER), kinds)
    return _remembered([name], settings)[0] if name else None


def choose_files(parent: QWidget | None, title: str, kinds: str, settings: Settings) -> list[Path]:
    """Return existing files, empty if cancelled."""
    names, _ = QFileDialog.getOpenFileNames(parent, title, settings.get(FOLDER), kinds)
    return _remembered(names, settings)


class AnyDialog(QFileDialog):
    """Dialog for files or one folder: Open accepts the selected folder, a double click enters it."""

    def __init__(self, parent: QWidget | None, title: str, folder: str) -> None:
        super().__init__(parent, title, folder)
        # native dialogs select either files or folders
        self.setOption(QFileDialog.Option.DontUseNativeDialog)
        self.setFileMode(QFileDialog.FileMode.ExistingFiles)
        fit_to_screen(self)

    def accept(self) -> None:
        chosen = [Path(name) for name in self.selectedFiles()]
        if len(chosen) == 1 and chosen[0].is_dir():
            QDialog.accept(self)
        else:
            super().accept()


def choose_any(parent: QWidget | None, title: str, settings: Settings) -> list[Path]:
    """Return existing files or a folder, empty if cancelled."""
    dialog = AnyDialog(parent, title, settings.get(FOLDER))
    chosen = dialog.selectedFiles() if dialog.exec() else []
    dialog.deleteLater()
    return _remembered(chosen, settings)


def choose_folder(parent: QWidget | None, title: str, settings: Settings) -> Path | None:
    """Return an existing folder, None if cancelled."""
    name = QFileDialog.getExistingDirectory(parent, title, settings.get(FOLDER))
    return Path(name) if name else None


def choose_new_file(parent: QWidget | None, title: str, proposed: Path, kinds: str) -> Path | None:
    """Return the file to write, None if cancelled; a name without a suffix gets one."""
    chosen = choose_new_file_of_kind(parent, title, proposed, kinds)
    return None if chosen is None else chosen[0]


def choose_new_file_of_kind(
    parent: QWidget | None, title: str, proposed: Path, kinds: str
) -> tuple[Path, str] | None:
    """Return the file to write and the chosen one of the ``kinds``, None if cancelled.

    A name without a suffix gets that of the chosen kind, initially the kind of ``proposed``.
    """
    first = next((kind for kind in kinds.split(";;") if f"*{proposed.suffix})" in kind), "")
    name, kind = QFileDialog.getSaveFileName(parent, title, str(proposed), kinds, first)
    if not name:
        return None
    path, suffix = Path(name), kind.rpartition("*")[2].rstrip(")") or proposed.suffix
    if path.suffix:
        return path, kind
    path = path.with_name(path.name + suffix)
    return (path, kind) if _may_replace(parent, path) else None


def archive_files() -> str:
    """Return the file types of archives that may be collections, for a dialog."""
    return f"Archives ({' '.join(f'*{suffix}' for suffix in ARCHIVES)})"


def ask_collection(parent: QWidget | None, was: Path, near: Path) -> Path | None:
    """Ask for the new place of a collection: a folder if it was one, otherwise an archive."""
    title = f"Where is {was.name} now?"
    if is_archive(was):
        chosen, _ = QFileDialog.getOpenFileName(parent, title, str(near), archive_files())
    else:
        chosen = QFileDialog.getExistingDirectory(parent, title, str(near))
    return Path(chosen) if chosen else None


def file_name(title: str) -> str:
    """Return a title as a file name without suffix; characters that a system forbids become dashes."""
    return "".join(one if one.isalnum() or one in " -_." else "-" for one in title)[:80].strip()


def _may_replace(parent: QWidget | None, path: Path) -> bool:
    """Ask before replacing a file whose name the file dialog has not checked."""
    if not is_there(path):
        return True
    return ask(parent, f"Replace {path.name}?", f"It is in {path.parent} already.", "Replace")


def _remembered(names: list[str], settings: Settings) -> list[Path]:
    """Return the files, and remember their folder for the next dialog."""
    paths = [Path(name) for name in names]
    if paths:
        settings.set(FOLDER, str(paths[0].parent))
    return paths
