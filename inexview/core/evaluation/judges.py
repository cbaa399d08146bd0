"""Whether a model may judge in a person's place: the agreement of their grades, and the effect on runs.

Sources: Cohen 1968 (weighted κ); Krippendorff, *Content Analysis* (α, ordinal); Upadhyay et al., *UMBRELA*
(2024), who require the order of runs (Kendall's τ) besides the agreement of grades.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from inexview.core.answers.judges import KAPPA_ASKED, TAU_ASKED, ModelLabels
from inexview.core.evaluation.agreement import GradePairs, kendall_tau
from inexview.core.evaluation.significance import SEED
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.report import figure_text
from inexview.core.text.spans import Floats, Ints
from inexview.core.wording import counted

DRAWS = 2000
FEWEST = 30
"""The smallest number of documents judged by both for a verdict."""
KAPPA_LEAST = 0.4
THIRDS = ("first", "middle", "last")
FEWEST_OF_THIRD = 10


class Verdict(StrEnum):
    """The answers to "May this model judge?"."""

    YES = "Yes"
    NOT_ALONE = "Not alone"
    NO = "No"
    TOO_FEW = "Too few to say"


class GradedPair(NamedTuple):
    """A document that both judged."""

    topic: str
    document: str
    person: int
    model: int

    @property
    def apart(self) -> int:
        return self.model - self.person


class Bias(NamedTuple):
    """Model minus person, in grades, of one third of the documents; NaN for fewer than ten."""

    third: str
    documents: int
    mean: float


@dataclass(frozen=True, eq=False)
class JudgeAgreement:
    """The agreement of the grades of a model and a person, on the documents that both judged."""

    pairs: tuple[GradedPair, ...]
    only_person: int
    only_model: int
    without_grade: int
    """Answers of the model without a grade."""
    tau: float = math.nan
    """Kendall's τ-b of the order of the runs under each judge; NaN without two runs."""
    runs: int = 0
    kappa_asked: float = KAPPA_ASKED
    tau_asked: float = TAU_ASKED
    topics: int = 1

    @cached_property
    def grades(self) -> tuple[int, ...]:
        return tuple(sorted({grade for pair in self.pairs for grade in (pair.person, pair.model)}))

    @cached_property
    def matrix(self) -> Ints:
        """How often the person gave one grade (row) and the model another (column), shape (g, g)."""
        place = {grade: at for at, grade in enumerate(self.grades)}
        table = np.zeros((len(place), len(place)), np.int64)
        for pair in self.pairs:
            table[place[pair.person], place[pair.model]] += 1
        return table

    @cached_property
    def _graded(self) -> GradePairs:
        return GradePairs.of((pair.person, pair.model) for pair in self.pairs)

    @property
    def weighted_kappa(self) -> float:
        """Cohen's κ with quadratic weights; NaN if nothing varies."""
        return self._graded.kappa(2)

    @property
    def kappa(self) -> float:
        return self._graded.kappa(0)

    @cached_property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the weighted κ: percentiles of 2,000 draws of documents; NaN without any."""
        count = len(self.pairs)
        if not count or math.isnan(self.weighted_kappa):
            return math.nan, math.nan
        shares = self.matrix.ravel() / count
        drawn = np.random.default_rng(SEED).multinomial(count, shares, DRAWS).astype(np.float64)
        values = _weighted_kappas(drawn.reshape(DRAWS, *self.matrix.shape), np.array(self.grades, np.float64))
        low, high = np.nanpercentile(values, (2.5, 97.5))
        return float(low), float(high)

    @cached_property
    def alpha(self) -> float:
        """Krippendorff's α for ordered grades; NaN if nothing varies."""
        return ordinal_alpha(self.matrix)

    @property
    def same(self) -> int:
        return int(np.trace(self.matrix))

    @property
    def higher(self) -> int:
        """Documents that the model graded higher than the person."""
        return int(np.triu(self.matrix, 1).sum())

    @property
    def lower(self) -> int:
        return int(np.tril(self.matrix, -1).sum())

    @property
    def precision(self) -> Mapping[int, float]:
        """For each grade of the model, the share of documents with the same grade by the person, or NaN."""
        given = self.matrix.sum(axis=0)
        with np.errstate(invalid="ignore"):
            share = np.where(given, np.diag(self.matrix) / np.where(given, given, 1), math.nan)
        return dict(zip(self.grades, share.tolist(), strict=True))

    @property
    def verdict(self) -> Verdict:
        """Yes only if the interval of κ is above the required value, no only if it is below 0.4.

        The order of the runs counts if there are two or more.
        """
        low, high = self.interval
        if len(self.pairs) < FEWEST or math.isnan(low):
            return Verdict.TOO_FEW
        if high < KAPPA_LEAST:
            return Verdict.NO
        ordered = self.runs < 2 or self.tau_reached
        return Verdict.YES if self.kappa_reached and ordered else Verdict.NOT_ALONE

    def said(self) -> str:
        """Return the sentence that answers whether the model may judge, with its figures."""
        low, high = self.interval
        if self.verdict is Verdict.TOO_FEW:
            return f"{self.heading.removesuffix('.')}: {self.lacking}."
        kappa = f"weighted κ {self.weighted_kappa:.3f} ({low:.3f} to {high:.3f})"
        kappa += f", asked for {self.kappa_asked:.3f}"
        order = f"; τ of {counted(self.runs, 'run')} {self.tau:.3f}, asked for {self.tau_asked:.3f}"
        shown = order if self.runs > 1 else "; the order of runs is not known without two of them"
        return f"{self.heading.removesuffix('.')}: {kappa}{shown}."

    @property
    def heading(self) -> str:
        """The question and its answer, without figures."""
        what = "this topic" if self.topics < 2 else f"these {self.topics:,} topics"
        return f"May this model judge {what}? {self.verdict}."

    @property
    def lacking(self) -> str:
        """The missing condition for a verdict, if it is that the data do not suffice; else ""."""
        if len(self.pairs) < FEWEST:
            return f"{counted(len(self.pairs), 'document')} judged by both, {FEWEST} are needed"
        return "the grades of both never vary" if math.isnan(self.interval[0]) else ""

    @property
    def kappa_reached(self) -> bool:
        """Whether the whole interval of the weighted κ is at least the required value."""
        return self.interval[0] >= self.kappa_asked

    @property
    def tau_reached(self) -> bool:
        return self.tau >= self.tau_asked

    def relied_on(self) -> str:
        """Return how reliable each of the model's grades is: the share with the same grade by the person."""
        given = self.matrix.sum(axis=0).tolist()
        right = np.diag(self.matrix).tolist()
        parts = [
            f"its {grade} in {same:,} of {number:,}"
            for grade, same, number in zip(self.grades, right, given, strict=True)
            if number
        ]
        return f"The person gave the same grade as the model: {', '.join(parts)}."

    def reliance(self) -> str:
        """Return how reliable the model's lowest grade and its others are; "" without any."""
        if not self.pairs:
            return ""
        given, right = self.matrix.sum(axis=0).tolist(), np.diag(self.matrix).tolist()
        lowest, *others = self.grades
        parts = []
        if given[0]:
            documents = counted(given[0], "document")
            parts.append(
                f"what the model grades {lowest}, the person grades {lowest} in {right[0]:,} of {documents}"
            )
        listed = [str(grade) for grade, number in zip(others, given[1:], strict=True) if number]
        if listed:
            named = " and ".join(filter(None, (", ".join(listed[:-1]), listed[-1])))
            same, number = sum(right[1:]), sum(given[1:])
            only = " only" if 2 * same < number else ""
            parts.append(f"on its {named} they agree in {same:,} of {number:,}{only}")
        said = "; ".join(parts)
        return f"{said[:1].upper()}{said[1:]}."

    def derivations(self) -> Mapping[str, str]:
        """Return the derivation of each figure, by its name."""
        count = len(self.pairs)
        if not count:
            return {}
        grades = np.array(self.grades, np.float64)
        table = self.matrix.astype(np.float64)
        rows, columns = table.sum(axis=1), table.sum(axis=0)
        chance = np.outer(rows, columns) / count
        squares = (grades[:, None] - grades[None, :]) ** 2
        same, by_chance = self.same / count, float(np.trace(chance)) / count
        low, high = self.interval
        made = {
            "weighted κ": f"1 − Σ (difference)² as judged / Σ (difference)² by chance = "
            f"1 − {(squares * table).sum():,.0f} / {(squares * chance).sum():,.1f} = "
            f"{_figure(self.weighted_kappa)}",
            "interval": f"2.5 % and 97.5 % of the weighted κ of {DRAWS:,} draws of {count:,} documents with "
            f"replacement (seed {SEED}): {_figure(low)} to {_figure(high)}",
            "κ": f"(same − same by chance) / (1 − same by chance) = ({same:.3f} − {by_chance:.3f}) / "
            f"(1 − {by_chance:.3f}) = {_figure(self.kappa)}",
            "α": "1 − observed / expected disagreement, grades as far apart as there are values between them "
            f"= {_figure(self.alpha)}",
            "same": f"Σ of the diagonal / documents = {self.same:,} / {count:,} = {same:.3f}",
            "higher": f"the model is higher right of the diagonal, in {self.higher:,}; lower left of it, in "
            f"{self.lower:,}",
        }
        for at, (grade, share) in enumerate(self.precision.items()):
            made[f"precision {grade}"] = (
                f"of {int(columns[at]):,} documents that the model grades {grade}, the person grades "
                f"{int(table[at, at]):,} so: {_figure(share)}"
            )
        return made

    def bias(self, keys: Mapping[tuple[str, str], float]) -> tuple[Bias, ...]:
        """Return model minus person by thirds of a key of documents, such as their length; smallest first."""
        known = sorted(
            (pair for pair in self.pairs if (pair.topic, pair.document) in keys),
            key=lambda pair: keys[pair.topic, pair.document],
        )
        bounds = [round(len(known) * part / len(THIRDS)) for part in range(len(THIRDS) + 1)]
        parts = (known[low:high] for low, high in pairwise(bounds))
        return tuple(Bias(name, len(own), _mean_apart(own)) for name, own in zip(THIRDS, parts, strict=True))

    def differing(self, least: int = 2) -> tuple[GradedPair, ...]:
        """Return the documents at least ``least`` grades apart, the widest apart first."""
        apart = (pair for pair in self.pairs if abs(pair.apart) >= least)
        return tuple(sorted(apart, key=lambda pair: -abs(pair.apart)))


def _figure(value: float) -> str:
    return figure_text(value, 3)


def _mean_apart(pairs: Sequence[GradedPair]) -> float:
    if len(pairs) < FEWEST_OF_THIRD:
        return math.nan
    return math.fsum(pair.apart for pair in pairs) / len(pairs)


def _weighted_kappas(tables: Floats, grades: Floats) -> Floats:
    """Return the quadratic weighted κ of tables (d, g, g), shape (d,); NaN if nothing varies."""
    weights = (grades[:, None] - grades[None, :]) ** 2
    observed = (tables * weights).sum(axis=(1, 2))
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    expected = np.einsum("di,dj,ij->d", rows, columns, weights) / tables.sum(axis=(1, 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        values: Floats = np.where(expected > 0, 1 - observed / expected, math.nan)
    return values


def ordinal_alpha(matrix: Ints) -> float:
    """Return Krippendorff's α of two judges for ordered grades, from a table of their counts, (g, g).

    The distance of two grades is the number of values between them, with those of the two counted half.
    """
    coincidences = (matrix + matrix.T).astype(np.float64)
    totals = coincidences.sum(axis=1)
    below = np.cumsum(totals) - totals / 2
    apart = (below[:, None] - below[None, :]) ** 2
    values = float(totals.sum())
    expected = float((np.outer(totals, totals) * apart).sum()) / (values - 1) if values > 1 else 0.0
    return 1 - float((coincidences * apart).sum()) / expected if expected else math.nan


def person_grade(judgement: Judgement, *, graded: bool) -> int:
    """Return a person's grade of a document: that of the file, else whether anything is relevant."""
    return max(judgement.rsize, 0) if graded else int(judgement.relevant)


def judge_agreement(
    person: Qrels,
    model: ModelLabels,
    *,
    runs: Sequence[tuple[float, float]] = (),
    kappa_asked: float = KAPPA_ASKED,
    tau_asked: float = TAU_ASKED,
) -> JudgeAgreement:
    """Compare the grades of one model with a person's; ``runs`` are the means of each run under both.

    If the person judged characters without grades, the model's grades count as relevant or not.
    """
    labels = model.by_document
    topics = {*person.topics}
    pairs = []
    for judgement in person:
        label = labels.get((judgement.topic, judgement.document))
        if label is not None and label.grade is not None:
            grade = label.grade if person.graded else int(label.grade > 0)
            own = person_grade(judgement, graded=person.graded)
            pairs.append(GradedPair(judgement.topic, judgement.document, own, grade))
    there = {(judgement.topic, judgement.document) for judgement in person}
    return JudgeAgreement(
        tuple(pairs),
        only_person=len(there) - len(pairs),
        only_model=sum(topic in topics and (topic, document) not in there for topic, document in labels),
        without_grade=sum(label.grade is None for label in model.labels),
        tau=kendall_tau(*zip(*runs, strict=True)) if len(runs) > 1 else math.nan,
        runs=len(runs),
        kappa_asked=kappa_asked,
        tau_asked=tau_asked,
        topics=len({pair.topic for pair in pairs}),
    )
