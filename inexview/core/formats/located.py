"""What readers do with the elements and points that runs name: look them up, and say what was not found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from inexview.core.formats.problems import Problems
from inexview.core.text.spans import Ints

if TYPE_CHECKING:
    from inexview.core.judgements.element_lookup import ElementPlaces

NEEDS_ARTICLES = "names elements: give the articles with --collection"
"""The error of a run that is to be read without a collection."""


class Locate(Protocol):
    """What finds elements and points: a :class:`~inexview.core.judgements.element_lookup.Locator`."""

    def places(
        self, documents: Sequence[str], firsts: Sequence[str], lasts: Sequence[str], *, strip: bool = False
    ) -> ElementPlaces:
        """Return what lies from each of n points to another, each in its document."""


def located(
    locate: Locate,
    documents: Sequence[str],
    firsts: Sequence[str],
    lasts: Sequence[str],
    lines: Ints,
    problems: Problems,
    *,
    strip: bool = False,
) -> tuple[Ints, Ints]:
    """Return where n passages between two points start and how long they are, each of shape (n,).

    ``strip``: points do not count text nodes of nothing but white space.

    What leads to nothing is an unknown passage, with a warning that names its line; so are all results in an
    article that cannot be read, with one warning for the article.
    """
    places = locate.places(documents, firsts, lasts, strip=strip)

    def written(row: int) -> str:
        between = firsts[row] if firsts[row] == lasts[row] else f"{firsts[row]} … {lasts[row]}"
        return f"{documents[row]} {between}"

    lost: list[int] = []
    of_article: dict[str, int] = {}
    for row in np.flatnonzero(~places.found).tolist():
        if documents[row] in places.unreadable:
            of_article.setdefault(documents[row], row)
        else:
            lost.append(row)
    problems.warn(
        "an article cannot be read: an unknown passage each time that it is named",
        lines[list(of_article.values())],
        [places.unreadable[document] for document in of_article],
    )
    nothing = "a path leads to nothing in the article: an unknown passage"
    problems.warn(nothing, lines[lost], list(map(written, lost)))
    skipping = np.flatnonzero(places.skipping)
    without = "a path was found only by leaving out the semantic elements of 2009"
    problems.warn(without, lines[skipping], list(map(written, skipping.tolist())))
    return places.start, places.size
