"""Models compared with a person, over open runs: the order of the runs, bias, and quotes in the texts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from inexview.core.answers.judges import (
    KAPPA_ASKED,
    ORDERED_BY,
    TAU_ASKED,
    Found,
    FoundQuote,
    ModelLabel,
    ModelLabels,
    quotes_read,
)
from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.evaluation.agreement import kendall_tau
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.judges import Bias, GradedPair, JudgeAgreement, judge_agreement
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task, ranked_documents
from inexview.core.measures.measure import parse
from inexview.core.report import figure_text
from inexview.core.text.search import Span
from inexview.core.text.spans import Spans

Place = tuple[str, str]
"""A topic and a document."""
LENGTH, RANK = "shortest to longest documents", "best to worst rank in a run"
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip


class OrderedRun(NamedTuple):
    """A run, its mean under each judge, and its place under each, from 1.

    Runs with equal means are in the order of the other judge, so that a tie moves no run.
    """

    run: str
    person: float
    model: float
    before: int
    after: int

    @property
    def moved(self) -> int:
        """How many places it falls under the model; negative if it rises."""
        return self.after - self.before


@dataclass(frozen=True)
class RunOrder:
    """The order of the runs under the person and under the model, best by the person first."""

    runs: tuple[OrderedRun, ...] = ()
    measure: str = ORDERED_BY
    left_out: tuple[str, ...] = ()
    """Why some runs have no place, a sentence each."""

    @cached_property
    def tau(self) -> float:
        """Kendall's τ-b; NaN without two runs, or if all means are equal."""
        if len(self.runs) < 2:
            return math.nan
        return kendall_tau([run.person for run in self.runs], [run.model for run in self.runs])

    @cached_property
    def pairs(self) -> tuple[int, int, int]:
        """The numbers of pairs of runs that are reversed, tied under a judge, and in total."""
        signs = [
            (first.person - second.person) * (first.model - second.model)
            for first, second in combinations(self.runs, 2)
        ]
        return sum(sign < 0 for sign in signs), sum(sign == 0 for sign in signs), len(signs)

    @property
    def derivation(self) -> str:
        """The derivation of τ from the pairs that are reversed, if no two means are equal."""
        turned, tied, pairs = self.pairs
        if math.isnan(self.tau):
            return ""
        said = f"{turned:,} of {pairs:,} pairs turned"
        tau = figure_text(self.tau, 3).replace("-", "−")
        if tied:
            return f"{said}, {tied:,} tied, τ-b = {tau}"
        return f"{said}, τ = 1 − 2 · {turned:,} / {pairs:,} = {tau}"

    def said(self) -> str:
        """Return a sentence about the runs that move; "" without two runs."""
        if len(self.runs) < 2:
            return ""
        moved = sorted((run for run in self.runs if run.moved), key=lambda run: -abs(run.moved))
        if not moved:
            tied = self.pairs[1]
            return "No run passes another; some are tied." if tied else "No run changes its place."
        most = moved[0]
        how = f"{'falls' if most.moved > 0 else 'rises'} from {ordinal(most.before)} to {ordinal(most.after)}"
        if len(moved) > 2 and abs(moved[1].moved) == abs(most.moved):
            return (
                f"{len(moved):,} of {len(self.runs):,} runs change places, such as {most.run}, which {how}."
            )
        return f"{most.run} {how}."


def ordinal(place: int) -> str:
    """Return a place in words up to the tenth, then as a number."""
    if place <= len(_ORDINALS):
        return _ORDINALS[place - 1]
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{place}{'th' if place % 100 in (11, 12, 13) else ends.get(place % 10, 'th')}"


def run_order(runs: Sequence[Run], person: Qrels, model: ModelLabels, measure: str = ORDERED_BY) -> RunOrder:
    """Return the order of runs by their means over the documents that both judged."""
    labelled = model.as_qrels()
    both = {(one.topic, one.document) for one in person} & {*model.by_document}
    if not both or not runs:
        return RunOrder(measure=measure, left_out=tuple(map(_finds_none, runs)))
    sides = [
        replace(
            Qrels.from_judgements(one for one in side if (one.topic, one.document) in both),
            graded=side.graded,
        )
        for side in (person, labelled)
    ]
    settings = ScoringSettings(task=Task.DOCUMENTS, measures=(parse(measure),))
    means, left_out = [], []
    for run in runs:
        try:
            scores = [score_run(side, run, settings) for side in sides]
        except InexviewError as error:
            left_out.append(f"run {run.id} cannot be ordered: {error}")
            continue
        if all(own.topics for own in scores):
            first, second = (own.mean_of(own.mean_names[0]) for own in scores)
            means.append((run.id, first, second))
        else:
            left_out.append(_finds_none(run))
    return RunOrder(ordered_runs(means), measure, tuple(left_out))


def ordered_runs(means: Sequence[tuple[str, float, float]]) -> tuple[OrderedRun, ...]:
    """Return the places of runs by their means under person and model, the best by the person first."""
    by_person = [(person, model) for _, person, model in means]
    by_model = [(model, person) for _, person, model in means]
    ordered = [
        OrderedRun(*mean, _place(first, by_person), _place(then, by_model))
        for mean, first, then in zip(means, by_person, by_model, strict=True)
    ]
    return tuple(sorted(ordered, key=lambda run: run.before))


def _place(mean: tuple[float, float], means: Sequence[tuple[float, float]]) -> int:
    return 1 + sum(other > mean for other in means)


def _finds_none(run: Run) -> str:
    return f"run {run.id} retrieves nothing of the topics that both judged"


# -- quotes ----------------------------------------------------------------------------------------------

Quoted = Mapping[Place, tuple[FoundQuote, ...]]
"""The matches of the quotes of each label in its document; unreadable documents are left out."""


def quotes_by_model(labels: ModelLabels, collection: Collection) -> dict[str, Counter[Found]]:
    """Return how often each kind of match occurs among the quotes of each model."""
    counts: dict[str, Counter[Found]] = {}
    for label, found in quotes_read(labels.labels, collection):
        counts.setdefault(label.model, Counter()).update(one.how for one in found)
    return counts


BEFORE, AFTER = 90, 330  # characters of a text that are shown around a place


@dataclass(frozen=True)
class InText:
    """A part of a text, with a person's marks and a model's quotes in it; offsets count from its start."""

    start: int
    text: str
    marks: tuple[Span, ...] = ()
    quotes: tuple[Span, ...] = ()


def in_text(text: str, place: int, marks: Spans, found: Sequence[FoundQuote]) -> InText:
    """Return the part of a text around a place, cut at white space."""
    start, end = max(place - BEFORE, 0), min(place + AFTER, len(text))
    if start and (blank := text.find(" ", start, place)) >= 0:
        start = blank + 1
    if end < len(text) and (blank := text.rfind(" ", place, end)) > place:
        end = blank
    places = Spans(span for one in found for span in one.places)
    inside = (
        tuple((low - start, high - start) for low, high in spans.clip(start, end))
        for spans in (marks, places)
    )
    return InText(start, text[start:end], *inside)


def first_place(marks: Spans, found: Sequence[FoundQuote], quote: int = 0) -> int:
    """Return the place to show first: a quote, else the first matched quote, a mark, or the beginning."""
    places = [one.places[0][0] for one in (*found[quote : quote + 1], *found) if one.places]
    places += [int(marks.starts[0])] if marks else []
    return next(iter(places), 0)


def not_shown(marks: Spans, shown: Span | None) -> str:
    """Return which marks of the person the model was not shown; "" if it saw all, or if unknown."""
    if shown is None or not marks:
        return ""
    unseen = [start for start, end in marks if end <= shown[0] or start >= shown[1]]
    if not unseen:
        return ""
    if len(unseen) == len(marks):
        which = "The mark begins" if len(marks) == 1 else f"All {len(marks):,} marks begin"
    else:
        which = "1 other mark begins" if len(unseen) == 1 else f"The other {len(unseen):,} marks begin"
    return f"{which} at {unseen[0]:,}: the model was not shown {'it' if len(unseen) == 1 else 'them'}."


# -- a model and a person --------------------------------------------------------------------------------


class DifferingDocument(NamedTuple):
    """A document that both judged, with the model's answer."""

    pair: GradedPair
    label: ModelLabel
    rank: int | None
    """The best rank in a run; None if no run retrieves it."""


@dataclass(frozen=True, eq=False)
class ModelStanding:
    """A comparison of a model with a person: agreement, order of the runs, bias, and each document."""

    model: str
    agreement: JudgeAgreement
    order: RunOrder
    biases: Mapping[str, tuple[Bias, ...]]
    documents: tuple[DifferingDocument, ...]
    """The largest differences first, then by best rank in a run."""
    labels: int
    """The number of answers of the model on the topic, including those without a grade."""

    def said(self) -> str:
        """Return the conclusions from the figures, in two sentences."""
        return " ".join(filter(None, (self.order.said(), self.agreement.reliance())))

    def derivations(self) -> Mapping[str, str]:
        """Return the derivation of each figure, by its name."""
        made = dict(self.agreement.derivations())
        if self.order.derivation:
            made["τ"] = self.order.derivation
        for what, thirds in self.biases.items():
            for bias in thirds:
                if not math.isnan(bias.mean):
                    total = round(bias.mean * bias.documents)
                    made[f"{what}, {bias.third}"] = (
                        f"Σ (model − person) / documents = {total:+,} / {bias.documents:,} = {bias.mean:+.2f}"
                    )
        return made

    @cached_property
    def far(self) -> tuple[DifferingDocument, ...]:
        """The documents that are two grades apart or more."""
        return tuple(one for one in self.documents if abs(one.pair.apart) > 1)

    @cached_property
    def near(self) -> tuple[DifferingDocument, ...]:
        """The documents that are one grade apart."""
        return tuple(one for one in self.documents if abs(one.pair.apart) == 1)

    def at_grades(self, person: int, model: int) -> tuple[DifferingDocument, ...]:
        """Return the documents of a cell of the table of grades."""
        return tuple(one for one in self.documents if (one.pair.person, one.pair.model) == (person, model))


def lengths_of(person: Qrels) -> dict[Place, float]:
    return {(one.topic, one.document): float(one.length) for one in person if one.length}


def best_ranks(runs: Sequence[Run]) -> dict[Place, float]:
    """Return the best rank of each document that a run retrieves."""
    best: dict[Place, float] = {}
    for run in runs:
        for topic, document, rank, _ in ranked_documents(run):
            best[topic, document] = min(rank, best.get((topic, document), rank))
    return best


def standing(
    model: str,
    person: Qrels,
    labels: ModelLabels,
    runs: Sequence[Run],
    ranks: Mapping[Place, float],
    lengths: Mapping[Place, float],
    *,
    kappa_asked: float = KAPPA_ASKED,
    tau_asked: float = TAU_ASKED,
    measure: str = ORDERED_BY,
) -> ModelStanding:
    """Compare a model with a person, over runs whose best ranks are known."""
    order = run_order(runs, person, labels, measure)
    agreement = judge_agreement(
        person,
        labels,
        runs=[(run.person, run.model) for run in order.runs],
        kappa_asked=kappa_asked,
        tau_asked=tau_asked,
    )
    keys = {LENGTH: lengths, RANK: ranks}
    known = labels.by_document
    documents = [
        DifferingDocument(pair, known[pair.topic, pair.document], _rank(ranks, pair))
        for pair in agreement.pairs
    ]
    documents.sort(key=lambda one: (-abs(one.pair.apart), one.rank or math.inf))
    return ModelStanding(
        model,
        agreement,
        order,
        {what: agreement.bias(key) for what, key in keys.items() if key},
        tuple(documents),
        len(labels.labels),
    )


def standing_in_topic(
    model: str,
    topic: str,
    person: Qrels,
    labels: ModelLabels,
    runs: Sequence[Run],
    *,
    kappa_asked: float = KAPPA_ASKED,
    tau_asked: float = TAU_ASKED,
    measure: str = ORDERED_BY,
) -> ModelStanding:
    """Compare a model with a person on one topic, over the documents that runs retrieve for it."""
    own = [run.only(np.arange(run.rows(topic).start, run.rows(topic).stop)) for run in runs]
    return standing(
        model,
        person,
        labels,
        own,
        best_ranks(own),
        lengths_of(person),
        kappa_asked=kappa_asked,
        tau_asked=tau_asked,
        measure=measure,
    )


def _rank(ranks: Mapping[Place, float], pair: GradedPair) -> int | None:
    rank = ranks.get((pair.topic, pair.document))
    return None if rank is None else int(rank)
