"""Warnings of many runs: one that nearly every run gives is said once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_FEW = 3  # as many runs may each say the same, and as many are named

_FORM = re.compile(r"(?P<line>:\d+)?: (?:(?P<count>\d+) )?(?P<kind>.*?)(?:: \d+ more such lines)?", re.DOTALL)


@dataclass(slots=True)
class _Kind:
    """What the warnings of one kind have in common: but for their file, line and leading count the same."""

    kind: str
    sentences: list[str] = field(default_factory=list)
    places: dict[Path, str] = field(default_factory=dict)
    """Where each of the files has it first."""
    counts: list[int] = field(default_factory=list)

    def said(self) -> list[str]:
        """Return the warnings as they are, or one for all where more than a few runs give them."""
        if len(self.places) <= _FEW:
            return self.sentences
        named = ", ".join(list(self.places.values())[:_FEW])
        counted = ""
        if self.counts:
            low, high = min(self.counts), max(self.counts)
            counted = f"{low} " if low == high else f"{low} to {high} "
        each = "in each " if counted else ""
        return [f"{len(self.places)} runs ({named}, …): {each}{counted}{self.kind}"]


def condensed(warnings: Iterable[tuple[Path, Sequence[str]]]) -> list[str]:
    """Return what is odd about many runs, each given with its file; the kinds in order of appearance."""
    kinds: dict[tuple[str, bool], _Kind] = {}
    for path, sentences in warnings:
        for sentence in sentences:
            form = _FORM.fullmatch(sentence.removeprefix(str(path)))
            text, count, line = (
                (form["kind"], form["count"], form["line"]) if form else (sentence, None, None)
            )
            kind = kinds.setdefault((text, count is None), _Kind(text))
            kind.sentences.append(sentence)
            kind.places.setdefault(path, f"{path}{line or ''}")
            if count is not None:
                kind.counts.append(int(count))
    return [sentence for kind in kinds.values() for sentence in kind.said()]
