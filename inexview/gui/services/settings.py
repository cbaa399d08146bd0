"""The settings, declared once as data, and the file that keeps them.

A record says all that dialogs, defaults and checks need of a setting; nothing else knows a key.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import platformdirs
from PySide6.QtCore import QObject, QSettings, Signal

T = TypeVar("T")
Check = Callable[[Any], bool]


def _each(check: Check) -> Check:
    """Return what tells whether a value is a list, or a mapping, of values that pass a check."""

    def holds(value: Any) -> bool:
        return all(map(check, value.values() if isinstance(value, dict) else value))

    return holds


def _all_are(kind: type, *, of: Check = lambda _value: True) -> Check:
    return _each(lambda value: isinstance(value, kind) and of(value))


_texts = _all_are(str)
_lists_of_texts = _all_are(list, of=_texts)


def _three_widths(value: list[Any]) -> bool:
    return len(value) == 3 and all(isinstance(width, int) and 0 <= width < 10**5 for width in value)


@dataclass(frozen=True, eq=False)
class Setting(Generic[T]):
    """One setting: its key in the file, what it starts as, what it means, and which values it may take."""

    key: str
    default: T
    title: str
    allowed: Callable[[T], bool] = lambda value: True


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """A setting has another value now."""

    setting: Setting[Any]
    value: Any


APPEARANCE = Setting("appearance", "system", "Appearance", lambda v: v in {"system", "light", "dark"})
MOTION = Setting("motion", "system", "Motion", lambda v: v in {"system", "reduced", "all"})
ZOOM = Setting("zoom", 100, "Size of the article's text, in per cent", lambda v: 50 <= v <= 300)
SCALE = Setting("scale", 100, "Size of the whole window, in per cent", lambda v: 100 <= v <= 200)
LINE_WIDTH = Setting("line-width", 100, "Width of the article's lines, in per cent", lambda v: 50 <= v <= 160)
LINE_SPACING = Setting("line-spacing", 100, "Distance of its lines, in per cent", lambda v: 80 <= v <= 160)
TYPEFACE = Setting("typeface", "serif", "Typeface of its text", lambda v: v in {"serif", "sans"})
OUTLINES = Setting("outlines", False, "Outline the element under the mouse or at the caret")
ADVANCE = Setting("advance", True, "Go to the next document after finishing one")
ASSESSOR = Setting("assessor", "", "Name of the assessor in new projects")
RECENT: Setting[list[str]] = Setting("recent", [], "Recently opened projects", _texts)
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
WORDS: Setting[dict[str, dict[str, list[list[str]]]]] = Setting(
    "words",
    {},
    "Words that were looked for in each topic of a project",
    _all_are(dict, of=_all_are(list, of=_lists_of_texts)),
)
NOT_RANKED: Setting[list[str]] = Setting("not-ranked", [], "Columns not shown of ranked documents", _texts)
GEOMETRY = Setting("geometry", "", "Place and size of the window")
PANELS: Setting[dict[str, list[int]]] = Setting(
    "panels", {}, "Widths of the panels, in Assess and Inspect", _all_are(list, of=_three_widths)
)

MOST_RECENT = 12


def settings_path() -> Path:
    """Return the file that keeps the settings, where the operating system wants it."""
    return Path(platformdirs.user_config_dir("inexview", appauthor=False)) / "inexview.ini"


def sample_path() -> Path:
    """Return where the user's own copy of the sample project is."""
    return Path(platformdirs.user_data_dir("inexview", appauthor=False)) / "sample" / "sample.inexview"


class Settings(QObject):
    """The settings of this user; a value that cannot be read or is not allowed counts as the default."""

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
        """Keep a value; raises ValueError where the setting does not allow it."""
        if not setting.allowed(value):
            raise ValueError(f"{setting.title}: {value!r} is not allowed")
        if value == self.get(setting):
            return
        self._store.setValue(setting.key, json.dumps(value))
        self.changed.emit(SettingChanged(setting, value))

    def write(self) -> None:
        """Have all that was set on the disk now; Qt does it when it has time."""
        self._store.sync()

    def remember_project(self, path: Path) -> None:
        """Put a project first in the list of recent ones."""
        name = os.path.realpath(path)
        others = [kept for kept in self.get(RECENT) if kept != name]
        self.set(RECENT, [name, *others][:MOST_RECENT])

    def remember_runs(self, project: Path, runs: list[str]) -> None:
        """Keep which runs are open with a project, for as long as the project is among the recent ones."""
        self.set(RUNS, {**self._of_recent(RUNS), str(project): runs})

    def remember_layers(self, project: Path, layers: list[str]) -> None:
        """Keep which layers are open with a project, for as long as the project is among the recent ones."""
        self.set(LAYERS, {**self._of_recent(LAYERS), str(project): layers})

    def scoring(self, project: Path) -> dict[str, Any]:
        return self.get(SCORING).get(str(project), {})

    def remember_scoring(self, project: Path, kept: dict[str, Any]) -> None:
        """Keep how runs are scored in a project, for as long as it is among the recent ones."""
        self.set(SCORING, {**self._of_recent(SCORING), str(project): kept})

    def _of_recent(self, setting: Setting[dict[str, T]]) -> dict[str, T]:
        recent = {*self.get(RECENT)}
        return {name: kept for name, kept in self.get(setting).items() if name in recent}

    def remember_words(self, project: Path, topic: str, words: list[list[str]]) -> None:
        """Keep the words looked for in a topic, for as long as the project is among the recent ones."""
        recent = {*self.get(RECENT), str(project)}
        kept = {name: topics for name, topics in self.get(WORDS).items() if name in recent}
        kept[str(project)] = {**kept.get(str(project), {}), topic: words}
        self.set(WORDS, kept)

    def forget_project(self, path: Path) -> None:
        """Take a project off the list of recent ones."""
        self.set(RECENT, [kept for kept in self.get(RECENT) if kept != str(path)])
