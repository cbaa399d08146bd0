"""Answers with citations: sentences, and the passages that each of them cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from inexview.core.judgements.runs import UNKNOWN
from inexview.core.wording import counted


class Reference(NamedTuple):
    """A passage that an answer may cite: ``[start, end)`` of a document, in code points.

    ``start`` is UNKNOWN if the file gives only a document, or the passage's text as ``quote``.
    """

    id: str
    """Its name in the file."""
    document: str
    start: int = UNKNOWN
    end: int = UNKNOWN
    quote: str | None = None
    title: str = ""

    @property
    def placed(self) -> bool:
        return self.start != UNKNOWN

    @property
    def passage(self) -> tuple[str, int, int, str | None]:
        """The passage itself, without its name in the file."""
        return self.document, self.start, self.end, self.quote


class Sentence(NamedTuple):
    """One sentence, or another part of an answer that cites as a whole; ``citations`` index references.

    The best citation comes first.  ``broken`` are citations of missing references, as in the file.
    """

    text: str
    citations: tuple[int, ...] = ()
    broken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a system to a topic."""

    topic: str
    run: str
    references: tuple[Reference, ...]
    sentences: tuple[Sentence, ...]
    question: str = ""
    line: int = 0

    @property
    def text(self) -> str:
        """The whole answer: its sentences with a blank between them."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def citations(self) -> Iterator[tuple[int, int]]:
        """Every citation, as (sentence, reference), both from 0, in the order of the text."""
        for at, sentence in enumerate(self.sentences):
            for reference in sentence.citations:
                yield at, reference

    @property
    def cited(self) -> tuple[int, ...]:
        """The references that are cited, each once, in order of first citation."""
        return tuple(dict.fromkeys(reference for _, reference in self.citations))


def difference(kept: Answer, given: Answer) -> str:
    """Return the first difference between two answers to a topic, in a few words; empty if they are equal.

    >>> difference(Answer("q", "r", (), (Sentence("A."),)), Answer("q", "r", (), (Sentence("B."),)))
    'sentence 1 reads differently'
    """
    for at, (old, new) in enumerate(zip(kept.sentences, given.sentences, strict=False), 1):
        if old.text != new.text:
            return f"sentence {at} reads differently"
        passages = [kept.references[one].passage for one in old.citations]
        if passages != [given.references[one].passage for one in new.citations] or old.broken != new.broken:
            return f"sentence {at} cites other passages"
    if len(kept.sentences) != len(given.sentences):
        return f"{counted(len(given.sentences), 'sentence')} instead of {len(kept.sentences)}"
    return "" if kept.references == given.references else "it lists other passages"


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of one file, at most one for a topic of a run."""

    answers: tuple[Answer, ...]
    path: Path | None = None
    warnings: tuple[str, ...] = ()

    @cached_property
    def runs(self) -> tuple[str, ...]:
        """The ids of the systems, in the order of the file."""
        return tuple(dict.fromkeys(answer.run for answer in self.answers))

    @cached_property
    def topics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(answer.topic for answer in self.answers))

    def of_topic(self, topic: str) -> tuple[Answer, ...]:
        return tuple(answer for answer in self.answers if answer.topic == topic)

    def of_run(self, run: str) -> Mapping[str, Answer]:
        """Return the answers of a system by topic."""
        return {answer.topic: answer for answer in self.answers if answer.run == run}


# Citations within the text: [1], [1][2], [1, 2], [^1] and 【4:0†source】.

_INLINE = re.compile(r"\s?(?:\[\^?\d{1,9}(?:\s*[,;]\s*\^?\d{1,9})*\]|【\d{1,9}(?::\d{1,9})?†[^】\n]{0,80}】)")
_LEADING = re.compile(rf"(?:{_INLINE.pattern})+")
_NUMBER = re.compile(r"\d+")


def without_inline(text: str) -> tuple[str, tuple[str, ...]]:
    """Remove citations from a sentence; return the remaining text, and the cited numbers in order.

    >>> without_inline("Oil is pressed [1, 3], then kept [2].")
    ('Oil is pressed, then kept.', ('1', '3', '2'))
    """
    numbers: list[str] = []

    def taken(match: re.Match[str]) -> str:
        cited = _NUMBER.findall(match[0])
        numbers.extend(cited[:1] if "†" in match[0] else cited)
        return ""

    return _INLINE.sub(taken, text).strip(), tuple(numbers)


def sentences_with_citations(text: str, starts: Sequence[int]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the sentences of prose that begin at ``starts``, each with the numbers that it cites.

    Citations after the end of a sentence belong to it, as in ``… cold. [1] Then …``.
    """
    parts: list[str] = []
    for low, high in pairwise([*starts, len(text)]):
        part = text[low:high].strip()
        behind = _LEADING.match(part)
        if behind is not None and parts:
            parts[-1] += behind[0]
            part = part[behind.end() :].strip()
        parts += [part] if part else []
    for part in parts:
        said, numbers = without_inline(part)
        if said:
            yield said, numbers
