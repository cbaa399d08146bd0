"""From a run and a project's judgements to the rows of the ranked list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from inexview.core.judging import DocumentState
from inexview.core.measures.one_document import DocumentScores, score_document
from inexview.core.runs import Result, Run
from inexview.core.spans import EMPTY, Spans
from inexview.gui.catalogue import About
from inexview.gui.inspect.parameters import ScoreParameters
from inexview.gui.inspect.ranked_model import RankedDocument
from inexview.gui.inspect.symbols import Judged


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a run retrieved of one document; ``entry`` is where its first result starts, None if unknown."""

    document: str
    rank: int
    passages: Spans
    entry: int | None

    @classmethod
    def of(cls, rank: int, results: list[Result]) -> Retrieved:
        """Join the results of one document, given in rank order."""
        known = [result for result in results if result.known]
        entry = results[0].start if results[0].known else None
        return cls(results[0].document, rank, Spans((one.start, one.end) for one in known), entry)


def ranking(run: Run, topic: str) -> Iterator[Retrieved]:
    """Yield a run's documents for a topic, ranked by their first result."""
    found: dict[str, list[Result]] = {}
    for result in run.results(topic):
        found.setdefault(result.document, []).append(result)
    return (Retrieved.of(rank, results) for rank, results in enumerate(found.values(), 1))


def judged(state: DocumentState) -> Judged:
    """Say what a document's state tells of its relevance."""
    if state.finished:
        return Judged.RELEVANT if state.relevant else Judged.NOT_RELEVANT
    return Judged.UNJUDGED if state.untouched else Judged.OPEN


def score(
    state: DocumentState, retrieved: Retrieved, length: int, parameters: ScoreParameters
) -> DocumentScores:
    """Score what was retrieved of a document against what is marked in it."""
    return score_document(
        state.marks,
        None,
        retrieved.passages,
        length,
        state.bep,
        retrieved.entry,
        beta=parameters.beta,
        a=parameters.a,
        n=parameters.n,
    )


def ranked_row(
    retrieved: Retrieved,
    state: DocumentState,
    about: About,
    parameters: ScoreParameters,
) -> RankedDocument:
    """Make the row of one retrieved document; unjudged documents have no score."""
    where = judged(state)
    value = None if where is Judged.UNJUDGED else score(state, retrieved, about.length, parameters).f
    return RankedDocument(
        rank=retrieved.rank,
        document=retrieved.document,
        title=about.title,
        state=where,
        score=value,
        length=about.length or None,
        judged=state.marks,
        retrieved=retrieved.passages,
        first_start=retrieved.entry,
    )


def subtitle(run: str, retrieved: Retrieved, state: DocumentState, length: int) -> str:
    """Say in a line how a run found a document, and what of it."""
    found = f"rank {retrieved.rank} of {run}" if retrieved.rank else f"not retrieved by {run}"
    parts = [found, retrieved.document]
    if state.untouched:
        return " · ".join([*parts, f"{length:,} characters", "not judged"])
    both = (state.marks & retrieved.passages).size
    missed, wrong = state.marks.size - both, retrieved.passages.size - both
    return " · ".join([*parts, f"hits {both:,}", f"misses {missed:,}", f"false alarms {wrong:,} characters"])


def faults(run: Run, topic: str, document: str, length: int) -> str:
    """Say which of a run's results in a document overlap or run past its end; empty where none does."""
    spans = sorted((one.start, one.end) for one in run.passages(topic, document) if one.known)
    overlapping = sum(later[0] < earlier[1] for earlier, later in pairwise(spans))
    past = sum(end > length for _, end in spans)
    said = []
    if overlapping:
        said.append(f"{overlapping:,} of its {len(spans):,} results here overlap others, and count once")
    if past:
        said.append(f"{past:,} end past the article's {length:,} characters, and are shown up to there")
    return f"{run.path or run.id}, topic {topic}, {document}: {'; '.join(said)}." if said else ""


def not_retrieved(
    documents: Iterable[str],
    held: frozenset[str],
    state: Callable[[str], DocumentState],
    about: Callable[[str], About],
) -> Iterator[RankedDocument]:
    """Yield a row for each relevant document that the run does not hold: a miss as a whole."""
    for document in documents:
        if document in held:
            continue
        marked = state(document)
        if marked.finished and marked.relevant:
            yield RankedDocument(
                rank=None,
                document=document,
                title=about(document).title,
                state=Judged.RELEVANT,
                score=0.0,
                length=about(document).length or None,
                judged=marked.marks,
                retrieved=EMPTY,
            )
