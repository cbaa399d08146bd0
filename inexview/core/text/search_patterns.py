"""The regular expression of what is sought.

It is loaded when something is first sought: the package ``regex`` takes 20 ms of a start.  With ``stem`` the
other forms of a word are found as well, which are those with the same stem (Porter, The English (Porter2)
stemming algorithm, snowballstem.org).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import regex

from inexview.core.text.text_query import SearchError, TextQuery

LONGEST = 1_000  # characters of what is sought
_LEAST_STEM = 3  # letters that the forms of a word begin with


@lru_cache(256)
def compiled(query: TextQuery) -> tuple[regex.Pattern[str] | None, Callable[[str], bool]]:
    """Return the pattern, None for nothing, and what else a place must fulfil."""
    if len(query.text) > LONGEST:
        raise SearchError(f"At most {LONGEST:,} characters can be sought at once.")
    flags = 0 if query.case else regex.IGNORECASE
    if query.expression:
        return _expression(query, flags), _accept
    parts = query.text.split()
    if not parts:
        return None, _accept
    if query.stem:
        return _forms(parts, flags)
    body = r"\s+".join(map(_part, parts))
    return regex.compile(_bounded(body, parts) if query.whole else body, flags), _accept


def _expression(query: TextQuery, flags: int) -> regex.Pattern[str] | None:
    if not query.text:
        return None
    try:
        body = rf"\b(?:{query.text})\b" if query.whole else query.text
        pattern: regex.Pattern[str] = regex.compile(body, flags | regex.MULTILINE)
    except (regex.error, RecursionError, OverflowError) as error:
        raise SearchError(f"“{query.text}” is not a regular expression: {error}") from error
    return pattern


def _part(part: str) -> str:
    open_ended = len(part) > 1 and part.endswith("*")
    return _escaped(part[:-1]) + r"\w*" if open_ended else _escaped(part)


def _escaped(part: str) -> str:
    return str(regex.escape(part))


def _bounded(body: str, parts: list[str]) -> str:
    """Let words begin and end where a word does; what begins or ends with no letter has no such bound."""
    first, last = parts[0][:1], parts[-1].rstrip("*")[-1:]
    left = r"(?<!\w)" if first.isalnum() else ""
    return f"{left}{body}" + (r"(?!\w)" if last.isalnum() else "")


def _forms(parts: list[str], flags: int) -> tuple[regex.Pattern[str], Callable[[str], bool]]:
    """Return the pattern of words that begin as these do, and whether their stems are the same."""
    stems = [None if part.endswith("*") else _stem(part.lower()) for part in parts]
    bodies = [
        _part(part) if stem is None else _beginning(part, stem)
        for part, stem in zip(parts, stems, strict=True)
    ]

    def accepts(found: str) -> bool:
        words = found.lower().split()
        return all(stem is None or _stem(word) == stem for word, stem in zip(words, stems, strict=True))

    return regex.compile(_bounded(r"\s+".join(bodies), parts), flags), accepts


def _beginning(part: str, stem: str) -> str:
    """Return the pattern of all words that may have a stem: they begin with what it shares with the word."""
    word = part.lower()
    shared = next(
        (at for at, (one, other) in enumerate(zip(word, stem, strict=False)) if one != other), len(stem)
    )
    if not part.isalpha() or shared < _LEAST_STEM:
        return _escaped(part)
    # One letter less, because stems end otherwise than their words: studi, study; hope, hoping.
    return _escaped(word[: max(shared - 1, _LEAST_STEM)]) + r"\w*"


@cache
def _stemmer() -> Callable[[str], str]:
    import snowballstemmer  # with the stemmers of all its languages, 30 ms: not at every start

    stemmer: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return stemmer


@lru_cache(50_000)
def _stem(word: str) -> str:
    return _stemmer()(word)


def _accept(_found: str) -> bool:
    return True
