"""A run laid over qrels by the rules of its task: what is scored, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inexview.core.errors import DataError
from inexview.core.evaluation.measure_values import WantedMeasure, wanted_measures
from inexview.core.evaluation.run_warnings import REREAD, past_their_documents, warnings_of
from inexview.core.evaluation.scoring_settings import ScoringSettings, task_of
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.focused import ONLY_NEW, NewText, Ranks
from inexview.core.measures.joined import (
    BrokenRule,
    Joined,
    Limit,
    apply_rules,
    beyond,
    cut,
    join,
    new_characters,
    one_topic,
    without_overlaps,
)
from inexview.core.measures.measure import Parameters, family
from inexview.core.measures.presets import Preset, preset_for
from inexview.core.wording import CountedSentence


@dataclass(frozen=True, eq=False)
class Laid:
    """A run laid over qrels, with all that decides how it is scored."""

    joined: Joined
    preset: Preset
    parameters: Parameters
    wanted: tuple[WantedMeasure, ...]
    overlap: str
    warnings: tuple[str, ...]
    before: Joined
    """All results, also those that the rules leave out."""
    cut_at: Limit | None = None
    """The limit beyond which nothing counts; None where nothing is cut."""
    judged_only: bool = False
    once: bool = False
    """Whether results overlap, so that each counts with its new characters alone."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(record.label(cutoff) for record, cutoff in self.wanted)

    @property
    def mean_names(self) -> tuple[str, ...]:
        """The measures' names for the mean over topics."""
        return tuple(record.label(cutoff, mean=True) for record, cutoff in self.wanted)

    @property
    def geometric(self) -> frozenset[str]:
        """The mean names of measures whose mean is the geometric one."""
        return frozenset(
            record.label(cutoff, mean=True) for record, cutoff in self.wanted if record.geometric
        )

    @property
    def view(self) -> type[object]:
        """The view of the family by which the task is scored."""
        usual = family(self.preset.tasks[self.joined.task].families[0])[0].view
        return NewText if self.once and usual is Ranks else usual

    def of_topic(self, topic: str) -> Laid:
        """Return the same of one topic only; raises InexviewError for one that is not scored."""
        return replace(self, joined=one_topic(self.joined, topic), before=one_topic(self.before, topic))

    def counted(self, joined: Joined) -> Joined:
        """Return what counts of any results: without overlaps, within the limit, of judged documents."""
        if self.overlap == "drop" and joined.task not in (Task.BEST_IN_CONTEXT, Task.DOCUMENTS):
            joined = without_overlaps(joined)
        if self.cut_at is not None:
            joined = cut(joined, self.cut_at)
        return joined.take(np.flatnonzero(joined.judged)) if self.judged_only else joined

    def wanting(self, wanted: Sequence[WantedMeasure]) -> Laid:
        """Return the same with other measures."""
        return replace(self, wanted=tuple(wanted))


def lay(qrels: Qrels, run: Run, settings: ScoringSettings) -> Laid:
    """Lay a run over qrels by the rules of its task; raises what :func:`evaluate` raises."""
    task = task_of(run, settings)
    if qrels.graded and task is not Task.DOCUMENTS:
        raise DataError(
            f"TREC qrels judge whole documents, and the task {task} needs passages: give --task documents",
            path=qrels.path,
        )
    preset = preset_for(task, settings.preset)
    reported = preset.tasks[task]
    wanted = tuple(wanted_measures(settings, reported.families, reported.table))
    parameters = settings.parameters(preset)
    complete = settings.complete or reported.complete
    before = join(qrels, run, task, complete=complete)
    overlap = settings.overlap or reported.overlap
    limit = reported.limit if settings.limit is None else Limit(settings.limit)
    cut_at = limit if settings.cut else None
    laid = Laid(before, preset, parameters, wanted, overlap, (), before, cut_at, settings.judged_only)
    ruled = _ruled(before, overlap)
    joined = laid.counted(ruled)
    past = "" if limit is None or settings.cut else beyond(ruled, limit)
    told, once = [past] if past else [], False
    if overlap == "allow" and task not in (Task.BEST_IN_CONTEXT, Task.DOCUMENTS):
        wanted, met = _counting_once(joined, wanted)
        once = met is not None
        told += [met] if met and reported.overlap != "allow" else []
    warnings = (*warnings_of(joined, complete=complete), *told)
    return replace(laid, joined=joined, wanted=wanted, warnings=warnings, once=once)


def _counting_once(
    joined: Joined, wanted: tuple[WantedMeasure, ...]
) -> tuple[tuple[WantedMeasure, ...], CountedSentence | None]:
    """Return measures that count text once although results overlap, and how many results do.

    Recall would exceed 1 if a character counted with each result that holds it.
    """
    size, _ = new_characters(joined)
    number = int(np.count_nonzero(size < joined.size))
    if not number:
        return wanted, None
    once = tuple(
        (replace(record, view=NewText, note=ONLY_NEW) if record.view is Ranks else record, cutoff)
        for record, cutoff in wanted
    )
    counted = "each character counts once (--overlap drop leaves them out)"
    one, many = f"result overlaps an earlier one: {counted}", f"results overlap earlier ones: {counted}"
    return once, CountedSentence(number, one, many, str(joined.run.path or joined.run.id))


def _ruled(joined: Joined, overlap: str) -> Joined:
    """Apply the rules of the task; where lengths look like ends, errors of overlap say so first."""
    try:
        return apply_rules(joined, overlap)
    except BrokenRule as error:
        past = past_their_documents(joined)
        if past is None or not past.endswith(REREAD):
            raise
        cause = DataError(past, path=joined.run.path)
        raise BrokenRule([cause, *error.errors], more=error.more, rule=error.rule) from None
