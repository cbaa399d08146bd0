"""The values of a journal's rows, read strictly: what is of another kind is a ValueError with a sentence.

A project may come from anywhere, and is trusted no more than any other file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from inexview.core.text.text_quotes import Quote, Span

NO_MORE = Quote("", "")[3:]
Quotes = tuple[tuple[int, int, Quote], ...]  # start, end, how it reads
LARGEST = 1 << 62  # offsets are in arrays of 64 bits
_MOST = sys.float_info.max


def spans_from(listed: Iterable[Any]) -> tuple[Span, ...]:
    spans = []
    for start, end in listed:
        if type(start) is not int or type(end) is not int or not 0 <= start <= end <= LARGEST:
            raise ValueError(f"[{start!r}, {end!r}) is no passage")
        spans.append((start, end))
    return tuple(spans)


def whole(value: object, name: str) -> int:
    """Return a whole number from 0 on."""
    if type(value) is not int or not 0 <= value <= LARGEST:
        raise ValueError(f"{name} is {value!r}, and no whole number")
    return value


def whole_or_none(value: object, name: str) -> int | None:
    """Return a whole number from 0 on, or None."""
    return None if value is None else whole(value, name)


def truth(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}, and neither true nor false")
    return value


def number(value: object, name: str) -> float:
    """Return a number as it is there, which is finite."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -_MOST <= value <= _MOST:
        raise ValueError(f"{name} is {value!r:.40}, and no number")
    return value


def text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} is {value!r}, and no text")
    return value


def text_or_none(value: object, name: str) -> str | None:
    return None if value is None else text(value, name)


def quotes_content(quotes: Quotes) -> dict[str, Any]:
    """Return quotes as a row's content holds them; what older programs do not know is kept apart."""
    content: dict[str, Any] = {
        "quotes": [[start, end, quote.first, quote.last] for start, end, quote in quotes]
    }
    if any(quote.digest for _, _, quote in quotes):
        content["digests"] = [quote.digest for _, _, quote in quotes]
    if any(quote[3:] != NO_MORE for _, _, quote in quotes):
        content["places"] = [quote[3:] for _, _, quote in quotes]
    return content


def quotes_from(content: Mapping[str, Any]) -> Quotes:
    """Read back the quotes of a row's content; those of older projects have no digests, or no places."""
    listed = content["quotes"]
    digests = content.get("digests") or [""] * len(listed)
    places = content.get("places") or [NO_MORE] * len(listed)
    quotes = []
    for (start, end, first, last), digest, (others, lead, trail) in zip(listed, digests, places, strict=True):
        if not (isinstance(first, str) and isinstance(last, str) and isinstance(digest, str)):
            raise ValueError(f"[{start!r}, {end!r}) is quoted with something that is no text")
        if not all(
            type(count) is int and count >= least for count, least in ((others, -1), (lead, 0), (trail, 0))
        ):
            raise ValueError(f"[{start!r}, {end!r}) has places that are no numbers")
        quotes.append((start, end, Quote(first, last, digest, others, lead, trail)))
    spans_from((start, end) for start, end, _ in quotes)
    return tuple(quotes)
