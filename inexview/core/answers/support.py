"""How well citations support sentences: judgements, and the figures of TREC, ALCE and inexview.

A person judges for each sentence and cited passage whether the passage supports the sentence: fully (1),
partly (½) or not (0); for a sentence that several passages support only partly, whether they do so fully
together; and which sentences need no citation.  Open judgements are kept apart: a figure covers the known
ones, and its bounds show the effect of the rest.

Sources: Thakur et al., *Support Evaluation for the TREC 2024 RAG Track* (2025): weighted precision and
recall; Gao et al., *Enabling Large Language Models to Generate Text with Citations* (EMNLP 2023): ALCE's.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from inexview.core.answers.answers import Answer, Reference
from inexview.core.judgements.qrels import Qrels

FULL, PARTIAL, NONE = Fraction(1), Fraction(1, 2), Fraction(0)
SUPPORT = {"full": FULL, "partial": PARTIAL, "none": NONE}
"""The degrees to which a passage supports a sentence, by name."""


@dataclass(frozen=True)
class SupportJudgements:
    """The judgements of one answer; sentences and references are numbered from 0."""

    support: Mapping[tuple[int, int], Fraction] = field(default_factory=dict)
    """By sentence and reference."""
    together: Mapping[int, bool] = field(default_factory=dict)
    """Whether all cited passages of a sentence together support it fully, if that is needed."""
    no_need: frozenset[int] = frozenset()
    """Sentences that need no citation."""

    @property
    def count(self) -> int:
        """The number of judgements."""
        return len(self.support) + len(self.together) + len(self.no_need)


NOTHING = SupportJudgements()


class Known(NamedTuple):
    """A value between two bounds; known if these are equal."""

    low: Fraction
    high: Fraction

    @property
    def known(self) -> bool:
        return self.low == self.high


OPEN = Known(NONE, FULL)


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over citations or sentences: of the known values, with bounds from the others."""

    name: str
    values: tuple[Known, ...]

    @property
    def above(self) -> Fraction:
        """The sum of the known values."""
        return sum((one.low for one in self.values if one.known), NONE)

    @property
    def below(self) -> int:
        """The number of citations or sentences with a known value."""
        return sum(one.known for one in self.values)

    @property
    def unjudged(self) -> int:
        return len(self.values) - self.below

    @property
    def value(self) -> float:
        """The mean of the known values; NaN if none is known, 0 if there is nothing to judge."""
        if not self.values:
            return 0.0
        return float(self.above / self.below) if self.below else math.nan

    @property
    def bounds(self) -> tuple[float, float]:
        """The smallest and the largest possible value."""
        if not self.values:
            return 0.0, 0.0
        low, high = (sum(column, NONE) / len(self.values) for column in zip(*self.values, strict=True))
        return float(low), float(high)

    @property
    def derivation(self) -> str:
        """The derivation of the figure: ``(4 × 1 + 5 × ½ + 2 × 0) / 11 = 6.5 / 11 = 0.591``."""
        counts = Counter(one.low for one in self.values if one.known)
        if not self.below:
            return "nothing is judged" if self.values else "nothing to judge"
        parts = " + ".join(f"{counts[own]} × {_written(own)}" for own in sorted(counts, reverse=True))
        return f"({parts}) / {self.below} = {float(self.above):g} / {self.below} = {self.value:.3f}"


def _written(value: Fraction) -> str:
    return "½" if value == PARTIAL else str(value)


def weighted_precision(answer: Answer, judged: SupportJudgements) -> Figure:
    """Return Σ support / citations (TREC RAG 2024); 0 without a citation.

    Citations of a sentence that needs none count if they are judged.
    """
    values = [
        OPEN if own is None else Known(own, own)
        for at, reference in answer.citations
        if (own := judged.support.get((at, reference))) is not None or at not in judged.no_need
    ]
    return Figure("support_prec", tuple(values))


def weighted_recall(answer: Answer, judged: SupportJudgements, *, first_only: bool = False) -> Figure:
    """Return Σ support of each sentence's best citation / sentences, without those that need none.

    With ``first_only`` the first citation is used, which alone was judged in 2024.
    """
    values = []
    for at, sentence in enumerate(answer.sentences):
        if at in judged.no_need:
            continue
        asked = sentence.citations[:1] if first_only else sentence.citations
        own = [judged.support.get((at, reference)) for reference in asked]
        best = max((one for one in own if one is not None), default=NONE)
        values.append(Known(best, FULL if None in own and best < FULL else best))
    return Figure("support_rec", tuple(values))


def entailed(answer: Answer, judged: SupportJudgements, at: int) -> Known:
    """Return whether the citations of a sentence together support it fully: 1, 0, or open.

    A single one that does is enough.  If none does, and fewer than two support it partly, they do not.
    """
    sentence = answer.sentences[at]
    if not sentence.citations or sentence.broken:
        return Known(NONE, NONE)
    own = [judged.support.get((at, reference)) for reference in sentence.citations]
    if FULL in own:
        return Known(FULL, FULL)
    if None not in own and own.count(PARTIAL) < 2:
        return Known(NONE, NONE)
    if at in judged.together and None not in own:
        said = Fraction(judged.together[at])
        return Known(said, said)
    return OPEN


def asks_together(answer: Answer, judged: SupportJudgements, at: int) -> bool:
    """Return whether the joint support of a sentence's citations has to be judged, which ALCE needs."""
    own = [judged.support.get((at, reference)) for reference in answer.sentences[at].citations]
    open_now = not entailed(answer, judged, at).known
    return open_now and None not in own


def alce_recall(answer: Answer, judged: SupportJudgements) -> Figure:
    """Return sentences that are supported fully by all their citations together / sentences."""
    return Figure("alce_rec", tuple(entailed(answer, judged, at) for at in range(len(answer.sentences))))


def alce_precision(answer: Answer, judged: SupportJudgements) -> Figure:
    """Return citations that are needed / citations.

    One counts if all citations together support the sentence fully and either this one alone does so, or the
    others without it do not.  Citations of a sentence with a broken citation are left out.
    """
    values = [
        _needed(answer, judged, at, reference)
        for at, reference in answer.citations
        if not answer.sentences[at].broken and ((at, reference) in judged.support or at not in judged.no_need)
    ]
    return Figure("alce_prec", tuple(values))


def _needed(answer: Answer, judged: SupportJudgements, at: int, reference: int) -> Known:
    own = judged.support.get((at, reference))
    if own is None:
        return OPEN
    if own != PARTIAL:
        return Known(own, own)
    others = [judged.support.get((at, one)) for one in answer.sentences[at].citations if one != reference]
    whole = entailed(answer, judged, at)
    if FULL in others or whole == Known(NONE, NONE):
        return Known(NONE, NONE)
    return OPEN if None in others or not whole.known else Known(FULL, FULL)


def citation_hits(
    answer: Answer, qrels: Qrels | None, references: Sequence[Reference] | None = None
) -> Figure:
    """Return citations whose passage contains relevant characters / citations, from judged characters.

    A citation of an unjudged document is open.  ``references`` are the answer's with their places; for one
    without a place the document counts.
    """
    placed = answer.references if references is None else references
    values = [_hit(answer.topic, placed[reference], qrels) for _, reference in answer.citations]
    return Figure("citation_hits", tuple(values))


def _hit(topic: str, reference: Reference, qrels: Qrels | None) -> Known:
    judgement = None if qrels is None else qrels.judgement(topic, reference.document)
    if judgement is None:
        return OPEN
    hit = judgement.relevant
    if reference.placed and judgement.relevant_text:
        hit = bool(judgement.relevant_text.overlap([reference.start], [reference.end])[0])
    value = Fraction(hit)
    return Known(value, value)


FIGURES: Mapping[str, Callable[[Answer, SupportJudgements], Figure]] = {
    "support_prec": weighted_precision,
    "support_rec": weighted_recall,
    "alce_prec": alce_precision,
    "alce_rec": alce_recall,
}
"""The figures from judged support alone, by name."""
TITLES = {
    "support_prec": "weighted precision",
    "support_rec": "weighted recall",
    "alce_prec": "ALCE precision",
    "alce_rec": "ALCE recall",
    "citation_hits": "citation hits",
}


class MeanFigure(NamedTuple):
    """A figure over answers: the mean of those that have one, their number, and the open part."""

    value: float
    answers: int
    unjudged: int


def to_judge(answer: Answer, judged: SupportJudgements) -> Iterator[tuple[int, int]]:
    """Yield the citations to be judged, as (sentence, reference), in the order of the text."""
    for at, reference in answer.citations:
        if (at, reference) not in judged.support and at not in judged.no_need:
            yield at, reference
