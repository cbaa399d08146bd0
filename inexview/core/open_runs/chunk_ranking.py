"""The chunks that a run returned for a topic: their text, the text read with them, and their costs.

All counts are those of :mod:`~inexview.core.measures.chunks`: figures of the first k chunks, or of the first
so many characters, equal those of ``inexview eval`` with ``char_rec@5`` or ``char_rec(budget=2000)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.evaluation.chunkers import Reading
from inexview.core.evaluation.derivations import Derivation, DerivationRow, shown
from inexview.core.evaluation.evaluate import prepare
from inexview.core.evaluation.explain import Ratio
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.evaluation.variants import ranking_of
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Run, Task
from inexview.core.judgements.subsets import Subset
from inexview.core.measures.chunks import Chunks, intact, recall_while_reading
from inexview.core.measures.joined import Joined, as_counted
from inexview.core.measures.measure import Parameters
from inexview.core.report import NOTHING, PrintedLine, ValueCell, ValueTable
from inexview.core.text.search import first_words, quoted
from inexview.core.text.spans import EMPTY, Floats, Ints, Spans
from inexview.core.wording import counted, percent

RECALL, PRECISION, IOU, CHROMA_IOU, INTACT = "char_rec", "char_prec", "char_iou", "chroma_iou", "intact"
ALL = 10**9
MOST_SHARED = 3  # other chunks that are named


class ChunkState(Enum):
    """The state of a chunk."""

    RELEVANT = "relevant"
    NOT_RELEVANT = "not relevant"
    UNJUDGED = "unjudged"
    NOWHERE = "not found in the text"


@dataclass(frozen=True, slots=True)
class Shared:
    """The number of characters that a chunk shares with the one at a rank."""

    rank: int
    characters: int


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """One chunk: ``[start, start + size)`` of a document, ``start`` None if its place is unknown.

    ``relevant`` counts its relevant characters.  ``repeats`` are those that better chunks contain already,
    each character counted with the best of these.
    """

    rank: int
    document: str
    start: int | None
    size: int
    score: float | None
    state: ChunkState
    relevant: int = 0
    repeats: tuple[Shared, ...] = ()

    @property
    def end(self) -> int | None:
        return None if self.start is None else self.start + self.size

    @property
    def share(self) -> float:
        """The relevant part of it."""
        return self.relevant / self.size if self.size else 0.0

    @property
    def repeated(self) -> int:
        """How many of its characters better chunks contain already."""
        return sum(one.characters for one in self.repeats)

    @property
    def repeats_in_words(self) -> str:
        """``repeats 800 of 1, 9``; empty if it repeats nothing."""
        ranks = ", ".join(str(one.rank) for one in self.repeats)
        return f"repeats {self.repeated:,} of {ranks}" if self.repeats else ""


@dataclass(frozen=True, slots=True)
class ReadText:
    """The text read for a topic, in characters: ``hits`` relevant ones of ``relevant``, each counted once.

    ``read`` counts text again if it is read again, ``covered`` does not.  ``whole`` of the relevant
    ``passages`` are within a single chunk.
    """

    hits: int
    relevant: int
    covered: int
    read: int
    whole: int
    passages: int

    @property
    def recall(self) -> Ratio:
        return Ratio(self.hits, self.relevant)

    @property
    def precision(self) -> Ratio:
        return Ratio(self.hits, self.covered)

    @property
    def iou(self) -> Ratio:
        return Ratio(self.hits, self.covered + self.relevant - self.hits)

    @property
    def chroma_iou(self) -> Ratio:
        return Ratio(self.hits, self.read + self.relevant - self.hits)

    @property
    def twice(self) -> int:
        """Characters that are read again."""
        return self.read - self.covered


class ChunkFault(Enum):
    """A fault of a chunk, or of relevant text that no chunk contains."""

    CUT = "cut in two"
    MISSED = "missed"
    ELSEWHERE = "document without relevant text"
    NOWHERE = "not found in the text"
    FALSE_ALARM = "false alarm"
    REPEATED = "read twice"


@dataclass(frozen=True, slots=True)
class ChunkCost:
    """A fault of the first k chunks, and IoU and Chroma's IoU with only this fault corrected.

    ``[start, end)`` is its place in ``document``, ``start`` None if unknown; ``characters`` are those that
    are missed, or read in vain.  For missed text ``rank`` is the first one after k by which all of it is
    read, None if it never is; for others the rank of the chunk.  ``of`` are the ranks whose text it repeats.
    """

    fault: ChunkFault
    document: str
    start: int | None
    end: int | None
    characters: int
    rank: int | None
    before: tuple[Ratio, Ratio]
    after: tuple[Ratio, Ratio]
    of: tuple[int, ...] = ()
    cut: int | None = None
    """The place where a chunk's border cuts the passage that is missed in part."""

    @classmethod
    def of_texts(
        cls,
        read: ReadText,
        corrected: ReadText,
        fault: ChunkFault,
        document: str,
        start: int | None,
        end: int | None,
        characters: int,
        rank: int | None,
        *,
        of: tuple[int, ...] = (),
        cut: int | None = None,
    ) -> ChunkCost:
        """Return the cost of a fault from the text read now, and the text read with the fault corrected."""
        before, after = ((one.iou, one.chroma_iou) for one in (read, corrected))
        return cls(fault, document, start, end, characters, rank, before, after, of, cut)

    @property
    def gains(self) -> tuple[float, float]:
        """The gains of IoU and Chroma's IoU."""
        first, second = (after.value - old.value for old, after in zip(self.before, self.after, strict=True))
        return first, second


class ChunkRanking:
    """The chunks of a run for one topic, in rank order, and the scores of the first ones.

    Without chunks, without judgements of the topic, or if the run breaks a rule, there are no figures, and
    every chunk is unjudged.
    """

    def __init__(self, qrels: Qrels | None, run: Run, topic: str, settings: ScoringSettings) -> None:
        self.run = run
        self.topic = topic
        ranking = ranking_of(run, topic)
        self._joined = _joined(qrels, ranking, topic, settings)
        self.judged = self._joined is not None
        self.chunks = tuple(_chunks(ranking, self._joined))
        self._costs: tuple[int, tuple[ChunkCost, ...]] | None = None  # of the last call

    def chunk(self, rank: int) -> RankedChunk | None:
        return self.chunks[rank - 1] if 0 < rank <= len(self.chunks) else None

    def of_document(self, document: str, k: int = ALL) -> list[RankedChunk]:
        """Return those of the first k chunks that are in a document."""
        return [chunk for chunk in self.chunks[:k] if chunk.document == document and chunk.start is not None]

    def shared_by(self, rank: int) -> tuple[Shared, ...]:
        """Return how much text a chunk shares with each of the others, by rank."""
        own = self.chunk(rank)
        if own is None or own.start is None:
            return ()
        others = [one for one in self.of_document(own.document) if one is not own]
        starts, ends = _edges(others)
        meets = np.minimum(ends, _end(own)) - np.maximum(starts, own.start)
        return tuple(
            Shared(one.rank, shared) for one, shared in zip(others, meets.tolist(), strict=True) if shared > 0
        )

    def in_words(self, chunk: RankedChunk, k: int) -> tuple[str, ...]:
        """Return rank, score, place, relevant part, and text shared with better chunks or the first k."""
        score = "" if chunk.score is None else f"score {chunk.score:g}"
        size = counted(chunk.size, "character")
        placed = f"{chunk.start or 0:,}–{chunk.end or 0:,}, {size}"
        nowhere = chunk.state is ChunkState.NOWHERE
        parts = f"rank {chunk.rank}", score, f"{size}, {chunk.state.value}" if nowhere else placed
        relevant = f"{chunk.relevant:,} of them relevant, {percent(chunk.share)}"
        if nowhere or not chunk.relevant:
            relevant = "" if nowhere else chunk.state.value
        others = [one for one in self.shared_by(chunk.rank) if one.rank <= max(k, chunk.rank)]
        shared = ", ".join(f"{one.characters:,} also in rank {one.rank}" for one in others[:MOST_SHARED])
        more = f" and {len(others) - MOST_SHARED:,} more" if len(others) > MOST_SHARED else ""
        return tuple(part for part in (*parts, relevant, shared + more) if part)

    # -- text read -----------------------------------------------------------------------------------

    @cached_property
    def _every(self) -> Chunks | None:
        return None if self._joined is None else Chunks(self._joined, Parameters())

    def first(self, k: int) -> ReadText | None:
        """Return the text of the first k chunks; None without judgements."""
        return None if self._every is None else _read(self._every, k)

    def within(self, budget: int) -> ReadText | None:
        """Return the text of the first ``budget`` characters; None without judgements."""
        return None if self._joined is None else _read(Chunks(self._joined, Parameters(budget=budget)), None)

    def reach(self, budget: int) -> tuple[int, int]:
        """Return how many chunks a budget reads whole, and how many characters of the next one."""
        left = budget
        for at, chunk in enumerate(self.chunks):
            if chunk.size > left:
                return at, left
            left -= chunk.size
        return len(self.chunks), 0

    def reach_in_words(self, budget: int) -> str:
        """Return the ranks that a budget reads: ``ranks 1–2, 400 of rank 3``."""
        whole, more = self.reach(budget)
        ranks = f"rank{'s 1–' if whole > 1 else ' '}{whole:,}" if whole else ""
        rest = f"{more:,} of rank {whole + 1:,}" if more else ""
        return ", ".join(filter(None, (ranks, rest))) or "nothing"

    @cached_property
    def curve(self) -> tuple[Ints, Floats]:
        """Recall after each of some numbers of characters read, shape (m,) both; empty without judgements."""
        if self._joined is None:
            return np.empty(0, np.int64), np.empty(0)
        return recall_while_reading(self._joined, 0)

    # -- costs ---------------------------------------------------------------------------------------

    @cached_property
    def gold(self) -> Mapping[str, Spans]:
        """The relevant passages of each document with relevant text."""
        joined = self._joined
        if joined is None:
            return {}
        qrels = joined.qrels
        rows = np.flatnonzero((qrels.rsize > 0) & (qrels.topic == joined.code[0]))
        bounds = zip(qrels.ptr[rows].tolist(), qrels.ptr[rows + 1].tolist(), strict=True)
        spans = [Spans.from_arrays(qrels.starts[low:high], qrels.ends[low:high]) for low, high in bounds]
        return dict(zip(qrels.document.take(rows).strings(), spans, strict=True))

    def covered(self, document: str, k: int) -> Spans:
        """Return the text of a document that the first k chunks contain."""
        return Spans((_start(chunk), _end(chunk)) for chunk in self.of_document(document, k))

    def cuts(self, document: str, k: int) -> tuple[int, ...]:
        """Return where borders of the first k chunks cut a relevant passage that none of them contains whole.

        A border inside another chunk cuts nothing.
        """
        starts, ends = _edges(self.of_document(document, k))
        borders: list[Ints] = [np.empty(0, np.int64)]
        for start, end in self.gold.get(document, EMPTY):
            if not np.any((starts <= start) & (end <= ends)):
                inside = np.unique(np.concatenate((starts, ends)))
                borders.append(inside[(start < inside) & (inside < end)])
        found = np.concatenate(borders)
        return tuple(found[_chunks_over(starts, ends, found) == 0].tolist())

    def costs(self, k: int) -> tuple[ChunkCost, ...]:
        """Return the costs of the first k chunks, the highest first."""
        if self._costs is None or self._costs[0] != k:
            self._costs = k, self._costs_of(k)
        return self._costs[1]

    def _costs_of(self, k: int) -> tuple[ChunkCost, ...]:
        read = self.first(k)
        if read is None or not read.relevant:
            return ()
        costs = [
            *self._missed(read, k),
            *self._useless(read, k),
            *self._false(read, k),
            *self._again(read, k),
        ]
        worst = (cost for cost in costs if max(cost.gains) > 0)
        return tuple(sorted(worst, key=lambda cost: (*(-gain for gain in cost.gains), cost.start or 0)))

    def _missed(self, read: ReadText, k: int) -> Iterator[ChunkCost]:
        for document, passages in self.gold.items():
            cuts = self.cuts(document, k)
            for start, end in passages - self.covered(document, k):
                size, at = end - start, next((cut for cut in cuts if cut in (start, end)), None)
                more = replace(
                    read, hits=read.hits + size, covered=read.covered + size, read=read.read + size
                )
                fault, rank = ChunkFault.MISSED, self._rank_of(document, start, end, k)
                fault = fault if at is None else ChunkFault.CUT
                yield ChunkCost.of_texts(read, more, fault, document, start, end, size, rank, cut=at)

    def _rank_of(self, document: str, start: int, end: int, k: int) -> int | None:
        """Return the first rank after k by which all of a stretch is read, None if it never is."""
        left = Spans([(start, end)])
        for chunk in self.of_document(document):
            left -= Spans([(_start(chunk), _end(chunk))]) if chunk.rank > k else EMPTY
            if not left:
                return chunk.rank
        return None

    def _useless(self, read: ReadText, k: int) -> Iterator[ChunkCost]:
        """Yield chunks of documents without relevant text, and those without a place."""
        alone: dict[str, dict[int, int]] = {}
        for chunk in self.chunks[:k]:
            only, fault = chunk.size, ChunkFault.NOWHERE
            if chunk.start is not None and chunk.document in self.gold:
                continue
            if chunk.start is not None:
                fault = ChunkFault.ELSEWHERE
                if chunk.document not in alone:
                    alone[chunk.document] = _text_of_one(self.of_document(chunk.document, k))
                only = alone[chunk.document][chunk.rank]
            less = replace(read, covered=read.covered - only, read=read.read - chunk.size)
            place = chunk.document, chunk.start, chunk.end
            yield ChunkCost.of_texts(read, less, fault, *place, chunk.size, chunk.rank)

    def _false(self, read: ReadText, k: int) -> Iterator[ChunkCost]:
        """Yield stretches without relevant text within chunks of documents that have some."""
        for document, passages in self.gold.items():
            chunks = self.of_document(document, k)
            starts, ends = _edges(chunks)
            for start, end in self.covered(document, k) - passages:
                times = np.maximum(np.minimum(ends, end) - np.maximum(starts, start), 0)
                size, first = end - start, chunks[int(np.flatnonzero(times)[0])].rank
                less = replace(read, covered=read.covered - size, read=read.read - int(times.sum()))
                fault = ChunkFault.FALSE_ALARM
                yield ChunkCost.of_texts(read, less, fault, document, start, end, size, first)

    def _again(self, read: ReadText, k: int) -> Iterator[ChunkCost]:
        for chunk in self.chunks[:k]:
            if not chunk.repeats:
                continue
            less, ranks = replace(read, read=read.read - chunk.repeated), [one.rank for one in chunk.repeats]
            place = chunk.document, chunk.start, chunk.end
            yield ChunkCost.of_texts(
                read, less, ChunkFault.REPEATED, *place, chunk.repeated, chunk.rank, of=tuple(ranks)
            )


def _start(chunk: RankedChunk) -> int:
    assert chunk.start is not None, "it has a place"
    return chunk.start


def _end(chunk: RankedChunk) -> int:
    return _start(chunk) + chunk.size


def _edges(chunks: Sequence[RankedChunk]) -> tuple[Ints, Ints]:
    """Return where n chunks of a document begin and end, shape (n,) both."""
    starts, ends = (np.array([edge(one) for one in chunks], np.int64) for edge in (_start, _end))
    return starts, ends


def _chunks_over(starts: Ints, ends: Ints, places: Ints) -> Ints:
    """Return how many chunks contain each of m places in their interior, shape (m,)."""
    long = starts < ends
    begun = np.searchsorted(np.sort(starts[long]), places, side="left")
    return begun - np.searchsorted(np.sort(ends[long]), places, side="right")


def _text_of_one(chunks: Sequence[RankedChunk]) -> dict[int, int]:
    """Return by rank how many characters of a document only that chunk contains."""
    starts, ends = _edges(chunks)
    edges = np.unique(np.concatenate((starts, ends)))
    # For each stretch between two edges, whether a single chunk contains it, as cumulative sums.
    held = np.searchsorted(np.sort(starts), edges, side="right") - np.searchsorted(
        np.sort(ends), edges, side="right"
    )
    alone = np.append(0, np.cumsum(np.where(held == 1, np.diff(edges, append=edges[-1:]), 0)))
    own = alone[np.searchsorted(edges, ends)] - alone[np.searchsorted(edges, starts)]
    return dict(zip((one.rank for one in chunks), own.tolist(), strict=True))


def _joined(qrels: Qrels | None, ranking: Run, topic: str, settings: ScoringSettings) -> Joined | None:
    """Join the ranking to the judgements of its topic; None if there are none, or the run breaks a rule."""
    if qrels is None or topic not in qrels.topics or not len(ranking):
        return None
    try:
        joined = prepare(Subset(topics=frozenset((topic,))).of_qrels(qrels), ranking, settings).joined
    except InexviewError:
        return None
    return joined if topic in joined.topics and len(joined) == len(ranking) else None


def _chunks(ranking: Run, joined: Joined | None) -> Iterator[RankedChunk]:
    """Yield the chunks of a ranking of one topic."""
    count = len(ranking)
    _, sizes, known = as_counted(ranking.start, ranking.size, Task.CHUNKS)
    known = known & (ranking.size != NO_LENGTH)
    names = ranking.document.strings()
    relevant = np.zeros(count, np.int64) if joined is None else joined.rsize
    judged = np.zeros(count, bool) if joined is None else joined.judged
    repeats = repeated_text(names, ranking.start.tolist(), sizes.tolist(), known.tolist())
    for at, (name, start, size) in enumerate(zip(names, ranking.start.tolist(), sizes.tolist(), strict=True)):
        state = ChunkState.NOT_RELEVANT if judged[at] else ChunkState.UNJUDGED
        if start == UNKNOWN:
            state = ChunkState.NOWHERE
        elif relevant[at]:
            state = ChunkState.RELEVANT
        place, score = None if start == UNKNOWN else start, float(ranking.score[at])
        own = int(relevant[at]) if place is not None else 0
        yield RankedChunk(
            at + 1, name, place, size, None if np.isnan(score) else score, state, own, repeats[at]
        )


def repeated_text(
    documents: Sequence[str], starts: Sequence[int], sizes: Sequence[int], known: Sequence[bool]
) -> list[tuple[Shared, ...]]:
    """Return for each of n chunks, in rank order, the characters that better ones contain, by rank.

    Each character counts with the best chunk that contains it.
    """
    held: dict[str, list[tuple[int, Spans]]] = {}  # the new text in each chunk of a document, with its rank
    repeats: list[tuple[Shared, ...]] = []
    for rank, (name, start, size, placed) in enumerate(zip(documents, starts, sizes, known, strict=True), 1):
        if not placed or not size:
            repeats.append(())
            continue
        own, before = Spans([(start, start + size)]), held.setdefault(name, [])
        shares = [(other, new & own) for other, new in before if _meets(new, start, start + size)]
        repeats.append(tuple(Shared(other, spans.size) for other, spans in shares if spans))
        for _, spans in shares:
            own -= spans
        if own:
            before.append((rank, own))
    return repeats


def _meets(spans: Spans, start: int, end: int) -> bool:
    return bool(spans.starts[0] < end and start < spans.ends[-1])


def _read(view: Chunks, k: int | None) -> ReadText:
    passages = len(view.gold[0])
    whole = round(float(intact(view, k)[0]) * passages)
    relevant = int(view.joined.trel[0])
    hits, covered, read = (int(column(k)[0]) for column in (view.hits, view.covered, view.read))
    return ReadText(hits, relevant, covered, read, whole, passages)


# Names and explanations of costs.

WORD = re.compile(r"\S+")
AROUND = 24  # code points around a cut that matter at most
EXCERPT = 160  # code points of a passage that can matter for one line


def words_around(text: str, at: int) -> tuple[str, str]:
    """Return the word that a place cuts, or the words around it, before and after the place."""
    before, after = text[max(at - AROUND, 0) : at], text[at : at + AROUND]
    words = list(WORD.finditer(before))
    first = words[-1].start() if words else len(before)
    following = [one.end() for one in WORD.finditer(after)]
    last = following[min(1, len(following) - 1)] if following else 0
    return " ".join(before[first:].split()) + " " * before[-1:].isspace(), " " * after[
        :1
    ].isspace() + " ".join(after[:last].split())


def cut_in_words(text: str, at: int) -> str:
    """Return where a chunk's border cuts a passage: ``cut in two at “(Re|ceiving Party)”``."""
    before, after = words_around(text, at)
    return f"cut in two at “{before}|{after}”" if before.strip() or after.strip() else f"cut in two at {at:,}"


TABLE = ("rank", "document", "state", "offset", "length", "score", "relevant", "share", "repeats")


def chunk_table(chunks: Iterable[RankedChunk], title: str, said: str, k: int) -> ValueTable:
    """Return chunks as a table; unknown values are printed as a dash, and empty among the values."""
    values: list[PrintedLine] = []
    rows = []
    for chunk in chunks:
        judged = chunk.state is not ChunkState.UNJUDGED
        figures: tuple[float | None, ...] = (
            chunk.start,
            chunk.size,
            chunk.score,
            chunk.relevant if judged else None,
            chunk.share if judged else None,
            chunk.repeated,
        )
        names = (chunk.rank, chunk.document, chunk.state.value)
        values.append([*names, *("" if one is None else one for one in figures)])
        written = [NOTHING if one is None else shown(one) for one in figures]
        rows.append(tuple(ValueCell(text) for text in (*map(str, names), *written)))
    notes = (f"the first {k:,} count", "repeats: characters that better chunks hold already")
    return ValueTable(title, said, TABLE, tuple(rows), TABLE, values, names=3, notes=notes)


def place_in_words(cost: ChunkCost, text: str) -> str:
    """Return the words at a fault's place in the text of its document; empty for a chunk as a whole."""
    if cost.cut is not None:
        return cut_in_words(text, cost.cut)
    whole = cost.fault in (ChunkFault.ELSEWHERE, ChunkFault.REPEATED)
    return "" if whole or cost.start is None else quoted(text, cost.start, cost.end or 0, EXCERPT)


def cost_in_words(cost: ChunkCost, title: str, place: str) -> tuple[str, str]:
    """Return a fault and its size: ``rank 3 is of BT_NDA`` and ``false alarm, 800 chars``.

    ``title`` names its document, ``place`` are the words of its place if they are known.
    """
    size = f"{cost.characters:,} chars"
    match cost.fault:
        case ChunkFault.ELSEWHERE:
            return f"rank {cost.rank} is of {title}", f"false alarm, {size}"
        case ChunkFault.NOWHERE:
            return f"rank {cost.rank} is {cost.fault.value}", f"counts as read, {size}"
        case ChunkFault.REPEATED:
            ranks = ", ".join(map(str, cost.of))
            again = counted(cost.characters, "character")
            return f"rank {cost.rank} repeats {again} of rank {ranks}", cost.fault.value
    named = place or f"{'' if cost.cut is None else 'cut in two '}in {title}"
    if cost.fault is ChunkFault.FALSE_ALARM:
        return named, f"false alarm, {size}"
    found = ", in no chunk" if cost.rank is None else f" until rank {cost.rank:,}"
    return named, f"{cost.characters:,} missed{found}"


def places_in_words(collection: Collection, costs: Iterable[ChunkCost]) -> dict[ChunkCost, str]:
    """Return the words of faults' places, without those whose document cannot be read."""
    texts = _Texts(collection)
    words = {cost: place_in_words(cost, texts.of(cost.document)) for cost in costs if cost.start is not None}
    return {cost: said for cost, said in words.items() if said}


def derive_chunk_cost(cost: ChunkCost, k: int, *, chroma: bool) -> Derivation:
    """Derive the cost of a fault: IoU with it corrected less IoU as it is, or Chroma's IoU."""
    name = Reading(k=k).at_k(CHROMA_IOU if chroma else IOU)
    before, after = cost.before[chroma], cost.after[chroma]
    place = DerivationRow(
        1, cost.document, (before.value, after.value), cost.gains[chroma], cost.start, cost.end
    )
    return Derivation(
        measure=f"Δ {name}",
        title=f"{name} with this corrected, less {name}",
        formula=f"Δ {name} = {name} with it corrected − {name}",
        value=cost.gains[chroma],
        columns=("before", "corrected"),
        rows=(place,),
        said=tuple(
            f"{when} = {shown(ratio.numerator)} / {shown(ratio.denominator)} = {ratio.value:.4f}"
            for when, ratio in ((name, before), ("corrected", after))
        ),
    )


def chunk_words(collection: Collection, chunks: Iterable[RankedChunk], most: int) -> dict[int, str]:
    """Return the first words of chunks by rank, only for documents with several chunks.

    Chunks whose document cannot be read are left out.
    """
    listed = [chunk for chunk in chunks if chunk.start is not None]
    several = {}
    for chunk in listed:
        several[chunk.document] = chunk.document in several
    texts = _Texts(collection)
    words = {
        chunk.rank: _beginning(texts.of(chunk.document), _start(chunk), _end(chunk), most)
        for chunk in listed
        if several[chunk.document]
    }
    return {rank: said for rank, said in words.items() if said}


def _beginning(text: str, start: int, end: int, most: int) -> str:
    """Return the first words of a chunk, with dots if it begins within a word."""
    words, around = first_words(text, start, end, most), text[max(start - 1, 0) : start + 1]
    return f"…{words}" if words and len(around) == 2 and not any(map(str.isspace, around)) else words


class _Texts:
    """The texts of documents, each read once; one that cannot be read is empty."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._read: dict[str, str] = {}

    def of(self, document: str) -> str:
        if document not in self._read:
            try:
                self._read[document] = self._collection.load(document).text
            except InexviewError:
                self._read[document] = ""
        return self._read[document]
