"""What readers do with the elements and points that runs name: look them up, and say what was not found."""

from __future__ import annotations

from collections.abc import Callable

from inexview.core.formats.problems import Problems
from inexview.core.paths import Place
from inexview.core.runs import UNKNOWN

Locate = Callable[[str, str, str], Place | None]
"""From a document, a first and a last point to a place; None where they lead to nothing."""


def located(
    locate: Locate | None, document: str, first: str, last: str, line: int, problems: Problems
) -> tuple[int, int]:
    """Return where a passage between two points starts and how long it is.

    What leads to nothing is an unknown passage, with a warning; without a ``locate`` it is an error.
    """
    if locate is None:
        problems.error("names elements: give the articles with --collection", line=line)
        return UNKNOWN, 0
    found = locate(document, first, last)
    if found is None:
        nothing = "a path leads to nothing in the article: an unknown passage"
        problems.warn(nothing, [line], [f"{document} {first}"])
        return UNKNOWN, 0
    if found.skipping:
        problems.warn("a path was found only by leaving out the semantic elements of 2009", [line], [first])
    return found.start, found.end - found.start
