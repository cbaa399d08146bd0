"""Sentences that were read before, found again by their words: the same, or nearly so.

Two sentences are the same where their words are, in their order.  They are nearly the same where four fifths
of the words of both together are in both (Jaccard's coefficient).  Candidates come by the prefix filter of
Chaudhuri, Ganti and Kaushik (ICDE 2006): of two such sentences, the rarest words of one have a word in common
with the rarest of the other.  A longer word counts as rarer.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass

from inexview.core.article.document import Document
from inexview.core.project.judging.repeated_sentences import sentences


@dataclass(frozen=True, slots=True)
class ComparedSentence:
    """The characters ``[start, end)`` of a document, and their words, each once and the longest first."""

    start: int
    end: int
    key: int
    """The same for sentences whose words are the same, in this process."""
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LikeSentence:
    """A sentence ``[start, end)`` of another document that is the same, or nearly so."""

    document: str
    start: int
    end: int
    same: bool


class SentenceIndex:
    """The sentences of documents; those that are like another one are found in a time that hardly grows."""

    def __init__(self) -> None:
        self._sentences: list[tuple[str, ComparedSentence]] = []
        self._holding: dict[str, list[int]] = {}

    def put(self, document: str, compared: Iterable[ComparedSentence]) -> None:
        """Take in sentences of a document, each once."""
        for sentence in compared:
            number = len(self._sentences)
            self._sentences.append((document, sentence))
            for word in _prefix(sentence.words):
                self._holding.setdefault(word, []).append(number)

    def like(self, sentence: ComparedSentence, but: str) -> list[LikeSentence]:
        """Return the like sentences of all documents but one, in the order in which they were taken in."""
        words = frozenset(sentence.words)
        found = []
        for number in sorted({at for word in _prefix(sentence.words) for at in self._holding.get(word, ())}):
            document, other = self._sentences[number]
            if document != but and (same := _compare(sentence, words, other)) is not None:
                found.append(LikeSentence(document, other.start, other.end, same))
        return found


def compared_sentences(document: Document) -> list[ComparedSentence]:
    """Return the sentences of a document that can be compared; any thread may ask."""
    compared = []
    for text, start, end in sentences(document):
        words = sorted(set(text.split()), key=lambda word: (-len(word), word))
        compared.append(ComparedSentence(start, end, hash(text), tuple(map(sys.intern, words))))
    return compared


def _prefix(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of which a like sentence has at least one among its own first."""
    return words[: len(words) + 1 + (-4 * len(words) // 5)]


def _compare(one: ComparedSentence, words: frozenset[str], other: ComparedSentence) -> bool | None:
    """Tell whether two sentences are the same (True) or nearly so (False); None where they are neither."""
    if one.key == other.key:
        return True
    least, most = sorted((len(words), len(other.words)))
    if 5 * least < 4 * most:
        return None
    both = len(words.intersection(other.words))
    return False if 5 * both >= 4 * (least + most - both) else None
