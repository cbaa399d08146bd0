"""The stretch of a document that shows best why it was found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inexview.core.text.offset_arrays import Ints
from inexview.core.text.spans import Spans

WIDTH = 180  # characters
_LEAD = 40  # characters before the first word found


class Snippet(NamedTuple):
    """A stretch of text whose white space is tidied, and the characters of it that were sought."""

    text: str
    spans: Spans


def snippet(text: str, words: Ints, found: Spans, width: int = WIDTH) -> Snippet:
    """Return the stretch of about ``width`` characters that holds most of what was found, whole words only.

    ``words`` (n, 2) are the characters of all words of the text.
    """
    if not found:
        return Snippet("", Spans())
    behind = found.ends.searchsorted(found.starts + width - _LEAD, side="right")
    sizes = np.append(0, (found.ends - found.starts).cumsum())
    best = int(found.starts[int((sizes[behind] - sizes[: len(found)]).argmax())])
    low = int(words[:, 0].searchsorted(max(best - _LEAD, 0)))
    start = min(int(words[low, 0]), best) if low < len(words) else best
    high = int(words[:, 1].searchsorted(start + width, side="right"))
    end = int(words[high - 1, 1]) if high and words[high - 1, 1] > start else start + width
    inside = found.clip(start, end)
    spans = Spans.from_arrays(inside.starts - start, inside.ends - start)
    return _tidied(text[start:end], spans, start > 0, end < len(text))


def _tidied(text: str, spans: Spans, cut_before: bool, cut_behind: bool) -> Snippet:
    """Make one blank of each run of white space, and mark where the text was cut."""
    blank = np.array([character.isspace() for character in text], bool)
    kept = ~(blank & np.append(False, blank[:-1]))
    places = np.append(0, kept.cumsum()) + (1 if cut_before else 0)
    tidy = "".join(" " if character.isspace() else character for character in np.array([*text])[kept])
    moved = Spans.from_arrays(places[spans.starts], places[spans.ends])
    return Snippet(f"{'…' if cut_before else ''}{tidy}{'…' if cut_behind else ''}", moved)
