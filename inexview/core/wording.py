"""The wording of numbers, dates and counts in the window, on the command line and in messages."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from os.path import commonpath
from pathlib import Path

_PARTS, _NUMBER, _LETTER = re.compile(r"[-_,; /]+"), re.compile(r"\d+(?:\.\d+)?"), re.compile(r"[^\W\d]")
_OF_NUMBERS = frozenset("0123456789.,+-−")
PERCENT = "\N{NO-BREAK SPACE}%"  # after a number
# Control characters except tabs and line ends, direction marks, and lone surrogates.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)

_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """Return a text with control characters and direction marks escaped, except line ends and tabs.

    Names of files and documents may contain any characters.
    """
    return _CONTROLS.sub(lambda found: repr(found[0])[1:-1], text)


def unturned(text: str) -> str:
    """Return a text with characters that reverse the text after them escaped, as ``\\u202e``.

    Names of runs, topics, documents and files may contain them, but must not affect the rest of a sentence.
    """
    return _TURNS.sub(lambda found: repr(found[0])[1:-1], text)


def left_unturned(words: str) -> str:
    """Return words of an article without the characters that reverse the text after them."""
    return _TURNS.sub("", words)


def percent(share: float, decimals: int = 0) -> str:
    """Return a share of 1 as "4.0 %"; "–" for NaN; a share below 1 is never shown as 100 %."""
    if math.isnan(share):
        return "–"
    value = f"{100 * share:.{decimals}f}"
    if float(value) == 100 and share < 1:
        value = f"{100 - 10**-decimals:.{decimals}f}"
    return value + PERCENT


def counted(number: int, thing: str) -> str:
    """Return a number of things: "1 document", "1,200 documents"."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def day_named(when: str, now: datetime) -> str:
    """Return a time in ISO 8601 in words: "today, 11:20", "yesterday", "25 Nov"; "" if invalid."""
    try:
        then = datetime.fromisoformat(when).astimezone(now.tzinfo)
    except ValueError:
        return ""
    days = (now.date() - then.date()).days
    if days == 0:
        return f"today, {then:%H:%M}"
    if days == 1:
        return "yesterday"
    return f"{then.day} {_MONTHS[then.month - 1]}{f' {then.year}' if then.year != now.year else ''}"


def today() -> str:
    """Return the date for documents, the same in any locale: "29 Nov 2026"."""
    now = datetime.now()
    return f"{now.day} {_MONTHS[now.month - 1]} {now.year}"


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def some_named(names: Sequence[str], most: int = 5) -> str:
    """Return the first of some names, and that there are more: "a, b, c, d, e, …"."""
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def distinct_names(names: Sequence[str], files: Sequence[Path | str | None]) -> list[str]:
    """Return names of things; a name that several have is replaced by the names of their files.

    Files of one name are named from the folder that they share.

    >>> distinct_names(["LM", "LM", "QL"], ["a.txt", "b.txt", "c.txt"])
    ['a.txt', 'b.txt', 'QL']
    >>> distinct_names(["LM", "LM"], ["/runs/2009/old/lm.txt", "/runs/2009/lm.txt"])
    ['old/lm.txt', 'lm.txt']
    """
    told = list(names)
    given = [None if file is None else Path(file) for file in files]
    for names_of in (lambda files: [file.name for file in files], _from_shared_folder):
        often = Counter(told)
        alike = {at: file for at, file in enumerate(given) if file and often[told[at]] > 1}
        for at, name in zip(alike, names_of([*alike.values()]), strict=True):
            told[at] = name
    return told


def _from_shared_folder(files: Sequence[Path]) -> list[str]:
    """Return the paths of files from the folder that they share, whole ones if they share none."""
    try:
        shared = commonpath([file.parent for file in files])
    except ValueError:
        return list(map(str, files))
    return [str(file.relative_to(shared)) for file in files]


def in_one_line(text: str, most: int) -> str:
    """Return a text of any origin in one line of so many characters, without control characters."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text[: 2 * most])
    line = " ".join(printable.split())
    return line if len(line) <= most and len(text) <= 2 * most else f"{line[:most].rstrip()}…"


def cut_within(text: str, most: int) -> str:
    """Return a text of so many characters at most, its beginning and its end.

    >>> cut_within("bm25-stemmed-k1=0.9", 12)
    'bm25-s…1=0.9'
    """
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}…{text[half + 1 - most :]}"


def with_whole_numbers(text: str, shown: str) -> str:
    """Return a text as ``shown``, cut at its end, without the beginning of a number that is cut.

    >>> with_whole_numbers("Topic 12 · AgP 0.1828", "Topic 12 · AgP 0.18…")
    'Topic 12 · AgP…'
    >>> with_whole_numbers("Topic 12 · AgP 0.1828", "Topic 12 · A…")
    'Topic 12 · A…'
    """
    kept = shown.removesuffix("…")
    if kept == shown or not text.startswith(kept) or text[len(kept) : len(kept) + 1] not in _OF_NUMBERS:
        return shown
    return f"{kept.rstrip(''.join(_OF_NUMBERS)).rstrip()}…" if kept[-1:] in _OF_NUMBERS else shown


def brief_names(names: Sequence[str]) -> list[str]:
    """Return the names of a sweep without their common parts; other names unchanged.

    Such names have the same parts, and differ by numbers only.  A common part is kept before a bare number,
    because it is the number's name.

    >>> brief_names(["bm25-k1=0.9-b=0.4", "bm25-k1=1.2-b=0.4", "bm25-k1=0.9-b=0.75"])
    ['k1=0.9 b=0.4', 'k1=1.2 b=0.4', 'k1=0.9 b=0.75']
    >>> brief_names(["ql_mu_500", "ql_mu_2500"])
    ['mu 500', 'mu 2500']
    >>> brief_names(["LM-passages", "BM25-sections"])
    ['LM-passages', 'BM25-sections']
    """
    parts = [[part for part in _PARTS.split(name) if part] for name in names]
    if len({len(own) for own in parts}) != 1 or len({*names}) < 2:
        return list(names)
    columns = list(zip(*parts, strict=True))
    differs = [len({*column}) > 1 for column in columns]
    varying = [column for column, own in zip(columns, differs, strict=True) if own]
    rests = [{_NUMBER.sub("", part) if _NUMBER.search(part) else None for part in one} for one in varying]
    if any(len(rest) > 1 or None in rest for rest in rests):
        return list(names)
    kept = [
        own or (at + 1 < len(columns) and differs[at + 1] and all(map(_NUMBER.match, columns[at + 1])))
        for at, own in enumerate(differs)
    ]
    if all(kept):
        return list(names)
    brief = [" ".join(part for part, stays in zip(own, kept, strict=True) if stays) for own in parts]
    return brief if all(map(_LETTER.search, brief)) and len({*brief}) == len({*names}) else list(names)


class CountedSentence(str):
    """A sentence about a number of things: "run.txt: 1 result runs past its document".

    It stores the ``number``, and its continuation for ``one`` thing and for ``many``, so that several such
    sentences can be merged.
    """

    __slots__ = ("many", "number", "one", "where")

    number: int
    one: str
    many: str
    where: str

    def __new__(cls, number: int, one: str, many: str, where: str = "") -> CountedSentence:
        """Begin the sentence with ``where``, a file or a run, if given."""
        said = f"{number} {one if number == 1 else many}"
        self = super().__new__(cls, f"{where}: {said}" if where else said)
        self.number, self.one, self.many, self.where = number, one, many, where
        return self

    def __getnewargs__(self) -> tuple[int, str, str, str]:  # type: ignore[override]  # it is made of more
        return self.number, self.one, self.many, self.where


def duration(seconds: float) -> str:
    """Return a length of time in words."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 10:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


# Warnings of many runs: one that nearly every run gives is shown once.

_FEW = 3  # so many runs may give the same warning separately, and so many are named

_FORM = re.compile(r"(?P<line>:\d+)?: (?:(?P<count>\d+) )?(?P<kind>.*?)(?:: \d+ more such lines)?", re.DOTALL)


class _Kind:
    """The common part of the warnings of one kind, which differ in file, line and leading count.

    ``many`` continues the sentence after the count, ``one`` if the count is 1.
    """

    def __init__(self, many: str, one: str) -> None:  # no dataclass: that takes 9 ms of every start
        self.many, self.one = many, one
        self.sentences: list[str] = []
        self.places: dict[Path, str] = {}  # where each of the files has it first
        self.counts: list[int] = []

    def said(self) -> list[str]:
        """Return the warnings as they are, or one for all where more than a few runs give them."""
        if len(self.places) <= _FEW:
            return self.sentences
        named = ", ".join(list(self.places.values())[:_FEW])
        return [f"{len(self.places)} runs ({named}, …): {self._counted()}"]

    def _counted(self) -> str:
        if not self.counts:
            return self.many
        low, high = min(self.counts), max(self.counts)
        number = f"{low}" if low == high else f"{low} to {high}"
        return f"in each {number} {self.one if high == 1 else self.many}"


def condensed(warnings: Iterable[tuple[Path, Sequence[str]]]) -> list[str]:
    """Return what looks wrong about many runs, each given with its file; the kinds in order of appearance."""
    kinds: dict[tuple[str, bool], _Kind] = {}
    for path, sentences in warnings:
        for sentence in sentences:
            own, count, line = _taken_apart(sentence, path)
            kind = kinds.setdefault((own.many, count is None), own)
            kind.sentences.append(sentence)
            kind.places.setdefault(path, f"{path}{line}")
            if count is not None:
                kind.counts.append(count)
    return [sentence for kind in kinds.values() for sentence in kind.said()]


def _taken_apart(sentence: str, path: Path) -> tuple[_Kind, int | None, str]:
    """Return the kind of a sentence, the count that it begins with, and ":" and the line that it names."""
    if isinstance(sentence, CountedSentence):
        return _Kind(sentence.many, sentence.one), sentence.number, ""
    form = _FORM.fullmatch(sentence.removeprefix(str(path)))
    if form is None:
        return _Kind(sentence, sentence), None, ""
    count = None if form["count"] is None else int(form["count"])
    return _Kind(form["kind"], form["kind"]), count, form["line"] or ""
