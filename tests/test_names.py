"""One word, one thing: no class and no module carries a name that another one has."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(ROOT.glob("inexview/**/*.py"))

# Each folder of a family of file formats has these, and they do the same for each.
FAMILY = {"parse", "read", "write", "build"}
FAMILIES = "inexview/core/formats/"

# A command's module is called what a person types, and this one is what a script imports.
GIVEN = {"inexview/measures.py"}
COMMANDS = "inexview/cli/"


def test_no_class_name_means_two_things() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for name in _classes(path):
            homes[name].append(_place(path))
    assert not _doubled(homes)


def test_no_module_name_means_two_things() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        place = _place(path)
        kin = path.stem in FAMILY and place.startswith(FAMILIES)
        given = place in GIVEN or (place.startswith(COMMANDS) and path.stem in _commands())
        if path.stem != "__init__" and not kin and not given:
            homes[path.stem].append(place)
    assert not _doubled(homes)


def _classes(path: Path) -> Iterator[str]:
    """Yield the names of the classes of a module, nested ones too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            yield node.name


def _commands() -> set[str]:
    from inexview.cli import COMMANDS

    return set(COMMANDS)


def _place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _doubled(homes: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: places for name, places in homes.items() if len(places) > 1}
