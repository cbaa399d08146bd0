"""Warnings of many runs: one that nearly every run gives is said once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from inexview.core.wording import CountedSentence

_FEW = 3  # as many runs may each say the same, and as many are named

_FORM = re.compile(r"(?P<line>:\d+)?: (?:(?P<count>\d+) )?(?P<kind>.*?)(?:: \d+ more such lines)?", re.DOTALL)


@dataclass(slots=True)
class _Kind:
    """What the warnings of one kind have in common: but for their file, line and leading count the same."""

    many: str
    """How the sentence goes on behind the count."""
    one: str
    """And how it does where the count is 1."""
    sentences: list[str] = field(default_factory=list)
    places: dict[Path, str] = field(default_factory=dict)
    """Where each of the files has it first."""
    counts: list[int] = field(default_factory=list)

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
