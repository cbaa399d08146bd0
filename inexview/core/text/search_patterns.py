"""The regular expression of what is sought.

It is loaded when something is first sought: the package ``regex`` takes 20 ms of a start.  With ``stem`` the
other forms of a word are found as well, which are those with the same stem (Porter, The English (Porter2)
stemming algorithm, snowballstem.org).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from math import prod
from unicodedata import normalize

import regex

from inexview.core.text.text_search import SearchError, TextQuery

LONGEST = 1_000  # characters of what is sought
_LEAST_STEM = 3  # letters that the forms of a word begin with
_MOST_ACCENTS = 3  # of a letter, that are tried as one character with it
# Of scripts without spaces between words: Chinese and Japanese; Thai, Lao, Khmer, Burmese and their kin.
_UNSPACED = r"[\p{Line_Break=ID}\p{Line_Break=CJ}\p{Line_Break=SA}々ゝゞヽヾ]"
_LETTERS = rf"(?:(?!{_UNSPACED})\w)*"
_BOUND_BEFORE = rf"(?<!(?!{_UNSPACED})\w)"
_BOUND_BEHIND = rf"(?!(?!{_UNSPACED})\w)"
_MOST_REPEATS = 65_536  # of a part that an expression asks for: each takes memory before anything is sought
_ESCAPE = regex.compile(r"(?s)\\.")
_REPEATED = regex.compile(r"\{\s*+(\d++)")
_RECURSION = regex.compile(r"\(\?(?:R|&|P>|[+-]?\d)")
_SPACED_LETTER = regex.compile(rf"(?!{_UNSPACED})\w")


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
    _check_size(query.text)
    try:
        body = rf"\b(?:{query.text})\b" if query.whole else query.text
        pattern: regex.Pattern[str] = regex.compile(body, flags | regex.MULTILINE)
    except (regex.error, RecursionError, OverflowError, MemoryError) as error:
        raise SearchError(f"“{query.text}” is not a regular expression: {error}") from error
    return pattern


def _check_size(expression: str) -> None:
    """Raise SearchError if an expression would fill the memory, which no time limit prevents.

    Repeats may be nested, so that their numbers are multiplied; a recursion may have no end.
    """
    written = _ESCAPE.sub("", expression)
    if _RECURSION.search(written):
        raise SearchError(f"“{expression}” calls itself, which is not supported here.")
    if prod(int(number[:20]) or 1 for number in _REPEATED.findall(written)) > _MOST_REPEATS:
        raise SearchError(f"“{expression}” repeats a part more than {_MOST_REPEATS:,} times.")


def _part(part: str) -> str:
    if len(part) < 2 or not part.endswith("*"):
        return _escaped(part)
    return _escaped(part[:-1]) + (_LETTERS if _SPACED_LETTER.match(part[-2]) else "")


def _escaped(part: str) -> str:
    """Return the pattern of a text, whether its letters and their accents are one character or several."""
    if part.isascii():
        return str(regex.escape(part))
    return "".join(map(_in_any_form, regex.findall(r"\X", part)))


def _in_any_form(seen: str) -> str:
    whole = normalize("NFD", seen)
    base, marks = whole[0], whole[1:]
    partly = (
        normalize("NFC", base + mark) + marks[:at] + marks[at + 1 :]
        for at, mark in enumerate(marks[:_MOST_ACCENTS])
    )
    forms = dict.fromkeys((seen, normalize("NFC", seen), whole, *partly))
    return f"(?:{'|'.join(map(regex.escape, forms))})" if len(forms) > 1 else str(regex.escape(seen))


def _bounded(body: str, parts: list[str]) -> str:
    """Let words begin and end where a word does; what begins or ends with no letter has no such bound.

    Nor has a letter of a script without spaces: nothing in the text tells where its word ends.
    """
    first, last = parts[0][:1], parts[-1].rstrip("*")[-1:]
    left = _BOUND_BEFORE if _SPACED_LETTER.match(first) else ""
    return f"{left}{body}" + (_BOUND_BEHIND if _SPACED_LETTER.match(last) else "")


def _forms(parts: list[str], flags: int) -> tuple[regex.Pattern[str], Callable[[str], bool]]:
    """Return the pattern of words that begin as these do, and whether their stems are the same."""
    stems = [_stem(part.lower()) if _has_forms(part) else None for part in parts]
    bodies = [
        _part(part) if stem is None else _beginning(part, stem)
        for part, stem in zip(parts, stems, strict=True)
    ]

    def accepts(found: str) -> bool:
        words = found.lower().split()
        return all(stem is None or _stem(word) == stem for word, stem in zip(words, stems, strict=True))

    return regex.compile(_bounded(r"\s+".join(bodies), parts), flags), accepts


def _has_forms(part: str) -> bool:
    """Tell whether a word is one whose forms are known: not one of scripts whose words nothing parts."""
    return not part.endswith("*") and all(map(_SPACED_LETTER.match, part[:1] + part[-1:]))


def _beginning(part: str, stem: str) -> str:
    """Return the pattern of all words that may have a stem: they begin with what it shares with the word."""
    word = normalize("NFC", part.lower())
    shared = next(
        (at for at, (one, other) in enumerate(zip(word, stem, strict=False)) if one != other), len(stem)
    )
    if not word.isalpha() or shared < _LEAST_STEM:
        return _escaped(part)
    # One letter less, because stems end otherwise than their words: studi, study; hope, hoping.
    return _escaped(word[: max(shared - 1, _LEAST_STEM)]) + _LETTERS


@cache
def _stemmer() -> Callable[[str], str]:
    import snowballstemmer  # with the stemmers of all its languages, 30 ms: not at every start

    stemmer: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return stemmer


@lru_cache(50_000)
def _stem(word: str) -> str:
    return _stemmer()(normalize("NFC", word))


def _accept(_found: str) -> bool:
    return True
