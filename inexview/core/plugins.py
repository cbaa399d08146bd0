"""Additions of other packages by entry points: measures, formats and kinds of collections."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeVar

Added = TypeVar("Added")
_packages: list[tuple[object, str]] = []  # the additions, with their packages


class PluginWarning(UserWarning):
    """An addition by a package could not be used; the program continues without it."""


def added(group: str, kind: type[Added]) -> tuple[Added, ...]:
    """Return the records that installed packages add to a group, in the order of the names.

    An entry point names a record of this kind, or several in a list or a tuple.  Anything that cannot be
    loaded, or is something else, is left out with a warning that names the package.
    """
    found: list[Added] = []
    for loaded, package in loaded_points(group):
        for one in loaded if isinstance(loaded, list | tuple) else (loaded,):
            if isinstance(one, kind):
                found.append(one)
                _packages.append((one, package))
            else:
                _warn(f"{package}: its entry in {group} is not a {kind.__name__}; it is ignored")
    return tuple(found)


def loaded_points(group: str) -> Iterator[tuple[object, str]]:
    """Load the entry points of installed packages in a group, one after another, each with its package.

    A package is named with its version.  Anything that cannot be loaded is left out with a warning.
    """
    if not is_extended():
        return
    from importlib.metadata import entry_points  # takes as long to load as a run takes to be scored

    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        package = "a package" if point.dist is None else f"{point.dist.name} {point.dist.version}"
        try:
            loaded = point.load()
        except Exception as error:  # noqa: BLE001 - whatever another package does wrong
            _warn(f"{package}: {point.name!r} of {group} cannot be loaded ({type(error).__name__}: {error})")
            continue
        yield loaded, package


def package_of(record: object) -> str:
    """Return the package, with its version, that added a record; empty for inexview's own."""
    return next((package for added, package in _packages if added is record), "")


def attempt(record: object, what: str, call: Callable[[], Added], otherwise: Added) -> Added:
    """Return the result of a call; ``otherwise``, with a warning, if a package's record fails."""
    package = package_of(record)
    if not package:
        return call()
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - whatever another package does wrong
        _warn(f"{package}: {what} fails ({type(error).__name__}: {error})")
        return otherwise


@cache
def is_extended() -> bool:
    """Return whether any installed package adds something, from their lists of entry points."""
    for folder in sys.path:
        try:
            with os.scandir(folder or ".") as entries:
                packages = [
                    entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))
                ]
        except OSError:
            continue
        for package in packages:
            try:
                with open(os.path.join(package, "entry_points.txt"), "rb") as points:  # noqa: PTH118, PTH123
                    if b"[inexview." in points.read():
                        return True
            except OSError:
                continue
    return False


def _warn(problem: str) -> None:
    warnings.warn(problem, PluginWarning, stacklevel=3)
