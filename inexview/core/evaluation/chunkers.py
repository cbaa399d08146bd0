"""Comparison of chunkers at the same number of chunks, and at the same number of characters.

Chunks of 800 characters show twice as much text as equally many of 400, so that a difference at the first k
chunks may only show which run was allowed to show more. At a budget of characters, where the last chunk is
cut, both show the same amount.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from inexview.core.evaluation.comparison import Comparison, Pair, RunDifference, compare
from inexview.core.evaluation.run_parameters import with_parameters
from inexview.core.evaluation.scores import RunScores, mean_cells
from inexview.core.evaluation.significance import LEVEL, holm, written_p
from inexview.core.evaluation.testing import Testing
from inexview.core.measures.chunks import recall_while_reading
from inexview.core.measures.joined import Joined
from inexview.core.measures.measure import Measure, MeasureError, MeasureRecord, family, parse
from inexview.core.report import ValueCell, ValueTable, difference_text
from inexview.core.text.spans import Floats
from inexview.core.wording import counted

MEASURES = ("char_rec", "char_prec", "char_iou")
"""The default measures of a comparison of chunkers; the first is the main measure."""
BUDGETS = (500, 1000, 2000, 4000)
UNEVEN = 0.1  # of the larger: runs whose mean sizes differ by more have read different amounts


class Same(StrEnum):
    """What is equal in a comparison of runs."""

    K = "same k"
    CHARACTERS = "same characters"

    @property
    def other(self) -> Same:
        return Same.K if self is Same.CHARACTERS else Same.CHARACTERS


@dataclass(frozen=True, slots=True)
class Reading:
    """The depth of reading: the first ``k`` chunks of a topic, or its first ``characters``."""

    k: int = 5
    characters: int = 2000
    by: Same | None = None
    """Which of the two decides; None if not chosen, which means k."""

    @property
    def same(self) -> Same:
        return self.by or Same.K

    def named(self, measure: str, same: Same | None = None) -> str:
        """Return a measure at the deciding depth, or at that of ``same``."""
        return (self.at_k if (same or self.same) is Same.K else self.at_characters)(measure)

    def plain(self, measure: str) -> str:
        """Return a measure without its depth, ``char_rec`` for ``char_rec@5``; others unchanged."""
        try:
            asked = parse(measure)
        except MeasureError:
            return measure
        record = next((one for one in family("chunks") if one.name == asked.name), None)
        others = tuple(given for given in asked.parameters if given[0] not in ("k", "budget"))
        cutoff = None if record and record.optional else asked.cutoff
        bare = str(Measure(asked.name, cutoff, others))
        return bare if record and takes_reading(bare) else measure

    def at_k(self, measure: str) -> str:
        """Return a measure of the first k chunks."""
        record = _record(measure)
        return f"{measure}@{self.k}" if record and record.optional else _with(measure, "k", self.k)

    def at_characters(self, measure: str, characters: int | None = None) -> str:
        """Return a measure of the first characters, by default of this reading's budget."""
        return _with(measure, "budget", characters or self.characters)

    def asked(self, measures: Sequence[str]) -> list[str]:
        """Return all measures that must be scored for a comparison of chunkers."""
        both = [name for measure in measures for name in (self.at_k(measure), self.at_characters(measure))]
        budgets = [self.at_characters(measures[0], budget) for budget in BUDGETS]
        return list(dict.fromkeys((*both, *map(self.at_k, ("chars", "redundancy", "intact")), *budgets)))


def budgets_with(reading: Reading) -> list[int]:
    """Return the compared budgets: the usual ones, and that of a reading."""
    return sorted({*BUDGETS, reading.characters})


def takes_reading(measure: str) -> bool:
    """Return whether a measure is one of chunks without a depth of its own."""
    asked, record = parse(measure), _record(measure)
    own = {name for name, _ in asked.parameters}
    far = asked.cutoff is not None and record is not None and record.optional
    return record is not None and not far and not own & {"k", "budget"}


def _record(measure: str) -> MeasureRecord | None:
    return next((one for one in family("chunks") if one.name == parse(measure).name), None)


def _with(measure: str, name: str, value: int) -> str:
    asked = parse(measure)
    return str(Measure(asked.name, asked.cutoff, (*asked.parameters, (name, value))))


@dataclass(frozen=True, eq=False)
class Chunkers:
    """Runs of chunks compared by one measure both ways; ``read`` and ``twice`` are of the first k chunks.

    ``read`` (R,) is the mean number of characters in each run's chunks, ``twice`` (R,) the number of those
    that were read before.
    """

    reading: Reading
    at_k: Comparison
    at_characters: Comparison
    read: Floats
    twice: Floats

    @classmethod
    def of(
        cls, runs: Sequence[RunScores], reading: Reading, at_k: Comparison, at_characters: Comparison
    ) -> Chunkers:
        """Return the combination of two comparisons by a measure; runs must be scored by ``asked``."""
        sizes = [run.per_topic(reading.at_k("chars")) for run in runs]
        again = [run.per_topic(reading.at_k("redundancy")) for run in runs]
        twice = [own - own / (1 + more) for own, more in zip(sizes, again, strict=True)]
        read, read_twice = (np.array([float(own.mean()) for own in column]) for column in (sizes, twice))
        return cls(reading, at_k, at_characters, read, read_twice)

    def uneven(self, pair: Pair) -> bool:
        """Return whether the mean sizes of a pair differ by more than a tenth at the same k."""
        sizes = self.read[[pair.better, pair.worse]]
        return bool(np.ptp(sizes) > UNEVEN * sizes.max())

    def to_be_said(self) -> Iterator[str]:
        """Yield a sentence on each pair that read different amounts and differs in only one of the two ways.

        For two runs it is yielded in any case.
        """
        for pair in self.at_k.pairs:
            other = self.at_characters.between(pair.better, pair.worse)
            apart = self.uneven(pair) and pair.significant != other.significant
            if apart or len(self.at_k.runs) == 2:
                yield self.said(pair)

    def said(self, pair: Pair) -> str:
        """Return a sentence on both tests of a pair; ``pair`` is that at k."""
        k, characters = self.reading.k, f"{self.reading.characters:,} characters each"
        better, worse = (self.at_k.runs[at] for at in (pair.better, pair.worse))
        read = " and ".join(f"{self.read[at]:,.0f}" for at in (pair.better, pair.worse))
        there = self.at_characters.difference(pair.better, pair.worse)
        lead, left = difference_text(pair.difference, 4), difference_text(there.mean, 4)
        if pair.significant and there.pair.significant:
            same = " and" if there.mean > 0 else ", but in the opposite direction"
            ways = f"differ significantly at the same k ({lead}){same} at {characters} ({left});"
        elif pair.significant:
            ways = f"differ significantly at the same k ({lead}), but not at {characters} ({left}):"
        elif there.pair.significant:
            ways = f"differ significantly at {characters} ({left}), but not at the same k ({lead}):"
        else:
            ways = f"do not differ significantly at k = {k} ({lead}) or at {characters} ({left});"
        return f"{better} and {worse} {ways} at k = {k} they read {read} characters"


@dataclass(frozen=True, slots=True)
class MeasureBothWays:
    """The difference of two runs (first minus second) in one measure, at the same k and characters."""

    measure: str
    at_k: RunDifference
    at_characters: RunDifference


def by_every_measure(
    runs: Sequence[RunScores], reading: Reading, testing: Testing | None = None
) -> list[MeasureBothWays]:
    """Compare two runs by each of MEASURES both ways, without correction."""
    named = ((name, reading.at_k(name), reading.at_characters(name)) for name in MEASURES)
    return [
        MeasureBothWays(name, *(compare(runs, one, testing).difference(0, 1) for one in both))
        for name, *both in named
    ]


def reading_table(runs: Sequence[RunScores], found: Chunkers) -> ValueTable:
    """Return the table of what runs read in their first k chunks."""
    reading = found.reading
    topics = [len(run.topics) for run in runs]
    intact = mean_cells([run.mean_of(reading.at_k("intact")) for run in runs], topics)
    rows = tuple(
        (
            ValueCell(name),
            ValueCell(f"{found.read[at]:,.0f}"),
            ValueCell(f"{found.twice[at]:,.0f}"),
            intact[at],
        )
        for at, name in enumerate(found.at_k.runs)
    )
    said = f"text read at k = {reading.k}, mean of {counted(max(topics), 'topic')}"
    head = ("run", "characters", "read twice", "intact passages")
    return with_parameters(ValueTable("Text read", said, head, rows), found.at_k.parameters)


@dataclass(frozen=True, slots=True)
class Budget:
    """Runs at one budget of characters: their means, and of two runs the difference (first minus second)."""

    characters: int
    means: tuple[float, ...]
    difference: float
    p: float
    corrected: float
    """p after Holm's correction for the budgets."""


def at_budgets(
    runs: Sequence[RunScores], measure: str, reading: Reading, testing: Testing | None = None
) -> list[Budget]:
    """Compare runs at each of BUDGETS and the reading's own; more than two runs only get means."""
    budgets = budgets_with(reading)
    compared = [compare(runs, reading.at_characters(measure, budget), testing) for budget in budgets]
    two = len(runs) == 2
    differences = [one.difference(0, 1) if two else None for one in compared]
    p = [np.nan if one is None else one.pair.p for one in differences]
    return [
        Budget(budget, tuple(one.means.tolist()), np.nan if apart is None else apart.mean, own, corrected)
        for budget, one, apart, own, corrected in zip(
            budgets, compared, differences, p, holm(p).tolist(), strict=True
        )
    ]


def budget_table(names: Sequence[str], measure: str, budgets: Sequence[Budget]) -> ValueTable:
    """Return the table of the runs' means by budget; for two runs with their difference and p."""
    two = len(names) == 2
    rows = tuple(
        (
            ValueCell(f"{one.characters:,}"),
            *mean_cells(list(one.means), [1] * len(names)),
            *(_tested_cells(one) if two else ()),
        )
        for one in budgets
    )
    head = ("characters", *names, *(("difference", "p") if two else ()))
    notes = (f"† p < {LEVEL} after Holm’s correction for the {len(budgets)} budgets",) if two else ()
    return ValueTable("Budgets", f"{measure} of the first characters", head, rows, notes=notes)


def _tested_cells(one: Budget) -> tuple[ValueCell, ValueCell]:
    holds = one.corrected < LEVEL
    difference = ValueCell(difference_text(one.difference, 4), best=holds, mark="†" if holds else "")
    return difference, ValueCell(written_p(one.p))


STEPS = 200  # of the axis of characters


def recall_over_characters(joined: Joined, furthest: int) -> tuple[Floats, Floats]:
    """Return numbers of characters, and the mean recall over topics after each, shape (STEPS + 1,) both.

    The numbers are evenly spaced from 0 to ``furthest``; a topic whose chunks end keeps its last recall.
    """
    read = np.linspace(0, furthest, STEPS + 1)
    curves = (recall_while_reading(joined, topic) for topic in range(len(joined.topics)))
    recalls = [np.interp(read, characters, recall) for characters, recall in curves]
    mean: Floats = np.mean(recalls, axis=0) if recalls else np.full(len(read), np.nan)
    return read, mean
