"""How a passage reads under each convention, so that a person sees which one is right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from inexview.core.text.counting import Characters, Convention, scale_of

AROUND = 24  # characters shown on either side of a passage
BEGINNING, END = 48, 32  # characters shown of a long passage


@dataclass(frozen=True, slots=True)
class OffsetPreview:
    """What some offsets mean under the conventions that agree on it.

    The passage is ``[start, end)`` in code points, or the entry point ``start``; ``last`` is its end where
    ``first`` is only its beginning.
    """

    conventions: tuple[Convention, ...]
    start: int
    end: int
    before: str
    first: str
    last: str
    after: str
    past_end: bool
    """Whether it reaches past the end of the text."""


def readings(
    characters: Characters, start: int, end: int, conventions: Iterable[Convention]
) -> list[OffsetPreview]:
    """Return how the offsets of a passage read, those conventions together that read the same."""
    meant: dict[tuple[int, int], list[Convention]] = {}
    for convention in conventions:
        try:
            scale = scale_of(characters, convention)
        except LookupError:  # this form of the document is not known
            continue
        first = int(scale.to_code_points(start))
        last = first if end == start else int(scale.to_code_points(end, ends=True))
        meant.setdefault((first, last), []).append(convention)
    return [
        _reading(characters.text, first, last, tuple(agreeing)) for (first, last), agreeing in meant.items()
    ]


def _reading(text: str, start: int, end: int, conventions: tuple[Convention, ...]) -> OffsetPreview:
    shown = text[start:end]
    first, last = shown, ""
    if len(shown) > BEGINNING + END:  # cut between words, so that only the edges can cut one
        first = shown[:BEGINNING].rsplit(" ", 1)[0]
        last = shown[-END:].split(" ", 1)[-1]
    return OffsetPreview(
        conventions,
        start,
        end,
        before=text[max(start - AROUND, 0) : start],
        first=first,
        last=last,
        after=text[end : end + AROUND],
        past_end=end > len(text),
    )
