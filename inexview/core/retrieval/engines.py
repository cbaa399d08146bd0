"""Engines put questions to all shards of a collection, wherever they are, and give the answers in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from inexview.core.progress import Progress
from inexview.core.retrieval.shard import MOST_HITS, Shard
from inexview.core.retrieval.units import UnitKind
from inexview.core.retrieval.word_forms import WordForms
from inexview.core.word_index.segment import Segment
from inexview.core.word_index.word_index import WordIndex

Answer = TypeVar("Answer")

_HELD = 8  # segments whose pages stay: some 1 GB


class ShardEngine(Protocol):
    """Asks all shards."""

    def ask(
        self, question: Callable[[Shard], Answer], forms: WordForms, kind: UnitKind, progress: Progress
    ) -> Sequence[Answer]:
        """Return the answers of all shards, in the order of the collection.

        The question and its answers can be sent from one process to another.  Raises InexviewError where
        the engine is lost, Cancelled.
        """


class LocalEngine:
    """Asks the segments of an index in this process."""

    def __init__(self, index: WordIndex) -> None:
        self.index = index
        self._shards: dict[tuple[WordForms, UnitKind], list[Shard]] = {}

    def ask(
        self, question: Callable[[Shard], Answer], forms: WordForms, kind: UnitKind, progress: Progress
    ) -> list[Answer]:
        """Ask one shard after the other; what was prepared for a question serves the next."""
        shards = self._shards.get((forms, kind))
        if shards is None:
            shards = self._shards_of(forms, kind)
            self._shards = {(forms, kind): shards}
        answers = []
        for done, shard in enumerate(shards):
            progress("parts of the collection searched", done, len(shards))
            answers.append(question(shard))
            self._let_go(shard.segment)
        return answers

    def _shards_of(self, forms: WordForms, kind: UnitKind) -> list[Shard]:
        shards = []
        segments = self.index.segments
        most_hits = MOST_HITS * _HELD // max(len(segments), _HELD)
        for segment, first in zip(segments, self.index.first_documents.tolist(), strict=False):
            shards.append(Shard(segment, forms, kind, first, most_hits))
            self._let_go(segment)
        return shards

    def _let_go(self, segment: Segment) -> None:
        """Keep no more of a large index in memory than the segment that is asked."""
        if len(self.index.segments) > _HELD:
            segment.let_go()
