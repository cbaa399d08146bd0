"""A key map as a JSON file: the keys of each action by its id, to take from one machine to another."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from PySide6.QtGui import QKeySequence

from inexview.core.durable import write_complete
from inexview.core.errors import DataError
from inexview.core.files import is_there, read_small_text
from inexview.core.formats.conversion import check_free
from inexview.gui.services.actions import Action

KeyMap = Mapping[str, Sequence[str]]  # the id of an action → its keys, as Qt writes them everywhere alike
KIND, VERSION = "inexview-keys", 1
MOST = 10  # keys of one action
KEPT = ("Left", "Right", "Up", "Down", "Space", "Tab", "Return", "Enter", "Esc")
"""Keys, as Qt writes them, that text, lists and buttons need: no action takes one that is not its own."""


def write_key_map(keys: KeyMap, path: Path) -> None:
    """Write a key map; raises DataError, also for the name of a project, and OSError."""
    check_free(path, overwrite=True)
    held = {KIND: VERSION, "keys": {name: list(given) for name, given in keys.items()}}
    said = json.dumps(held, indent=1, ensure_ascii=False) + "\n"
    write_complete(path, lambda part: part.write_text(said, encoding="utf-8"))


def read_key_map(path: Path, actions: Sequence[Action[Any]]) -> tuple[dict[str, list[str]], list[str]]:
    """Read a key map, and what it names that is no action here: another version of inexview may have it.

    An action that it leaves out has its standard keys.  Raises DataError for what is no key map, names a key
    that there is not or that text and lists need, or gives two actions the same key where both are at hand.
    """
    held = _read(path)
    if not isinstance(held, dict) or KIND not in held or not isinstance(held.get("keys"), dict):
        raise DataError("this is no key map of inexview", path=path)
    if held[KIND] != VERSION:
        told = f"written by another version of inexview; this one reads key maps of version {VERSION}"
        raise DataError(told, path=path, field=KIND, value=str(held[KIND])[:20])
    known = {record.id: record for record in actions}
    keys = {record.id: normal(record.keys) for record in actions}
    unknown = [name for name in held["keys"] if name not in known]
    for name, given in held["keys"].items():
        if name in unknown:
            continue
        if not isinstance(given, list) or len(given) > MOST or not all(map(_is_key, given)):
            value = str(given)[:80]
            raise DataError("expected a list of keys such as Ctrl+J", path=path, field=name, value=value)
        keys[name] = normal(given)
        if kept := kept_in(keys[name], known[name]):
            told = "text and lists need this key: give the action another"
            raise DataError(told, path=path, field=name, value=kept[0])
    if clashes := clashes_in(keys, actions):
        raise DataError(f"{'; '.join(clashes)}. No key was changed", path=path)
    return keys, unknown


def clashes_in(keys: KeyMap, actions: Sequence[Action[Any]]) -> list[str]:
    """Say which actions would share a key in a room."""
    holders: dict[str, list[Action[Any]]] = {}
    for record in actions:
        for key in keys.get(record.id, ()):
            holders.setdefault(key, []).append(record)
    return [
        f"{key} is the key of “{one.text.rstrip('…')}” and of “{other.text.rstrip('…')}”"
        for key, records in holders.items()
        for one, other in combinations(records, 2)
        if one.meets(other)
    ]


def normal(keys: Sequence[str]) -> list[str]:
    """Return keys as Qt writes them, whatever the desktop."""
    return [QKeySequence(key).toString() for key in keys]


def kept_in(keys: Sequence[str], action: Action[Any]) -> list[str]:
    """Return those of an action's keys that text, lists and buttons need."""
    return [key for key in keys if key in KEPT and key not in normal(action.keys)]


def _is_key(key: object) -> bool:
    if not isinstance(key, str):
        return False
    sequence = QKeySequence(key)
    return sequence.count() == 1 and "Unknown" not in sequence.toString() and bool(sequence.toString())


def _read(path: Path) -> Any:
    if is_there(path) and not path.is_file():  # the window would wait for what a pipe gives
        raise DataError("this is no file", path=path)
    try:
        return json.loads(read_small_text(path, "a key map"))
    except (ValueError, RecursionError) as error:
        raise DataError("this is no JSON", path=path) from error
