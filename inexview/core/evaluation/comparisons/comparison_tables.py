"""A comparison as tables: every pair row by column, the list of the pairs, and lines of values for programs.

The command line prints these tables, the window shows and saves them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from inexview.core.evaluation.comparisons.comparison import SMALL_SAMPLE, Comparison, Pair
from inexview.core.evaluation.comparisons.corrections import Correction
from inexview.core.evaluation.comparisons.significance import LEVEL, written_p
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.score_lines import mean_cells
from inexview.core.report import NOTHING, PrintedLine, ValueCell, ValueTable, difference_text, figure_text
from inexview.core.wording import counted

PAIR_HEAD = (
    "task", "preset", "parameters", "measure", "better", "worse", "topics", "better mean", "worse mean",
    "difference", "interval", "low", "high", "%", "wins", "ties", "losses", "d_z", "detectable", "test", "p",
    "family", "correction", "p (corrected)", "t",
)  # fmt: skip
EFFECT = "d_z"
DETECTABLE = "least shown"
MOST_NAMES = 8  # runs that are named over their columns; of more, numbers are, and a note names these


def pair_lines(scores: RunScores, comparison: Comparison) -> Iterator[PrintedLine]:
    """Yield a line for each pair, under PAIR_HEAD; ``scores`` are those of one of the runs."""
    settings = scores.task.value, scores.preset.name, scores.parameters.said_for(scores.task)
    testing = comparison.testing
    for pair in comparison.pairs:
        line = (
            *settings,
            comparison.measure,
            comparison.runs[pair.better],
            comparison.runs[pair.worse],
            pair.topics,
            pair.better_mean,
            pair.worse_mean,
            pair.difference,
            testing.interval_named,
            pair.low,
            pair.high,
            pair.improvement,
            pair.wins,
            pair.ties,
            pair.losses,
            pair.effect,
            pair.detectable if pair.topics < SMALL_SAMPLE else math.nan,
            testing.test.value,
            pair.p,
            comparison.family,
            testing.correction.value,
            pair.p_corrected,
            pair.t,
        )
        yield ["" if isinstance(cell, float) and math.isnan(cell) else cell for cell in line]


# -- cells ---------------------------------------------------------------------------------------------


def difference_cell(comparison: Comparison, pair: Pair, first: int, decimals: int = 4) -> ValueCell:
    """Return the difference of a pair, seen from one of its runs, with its mark; bold where it holds.

    Where another pair has more topics, their number comes with it.
    """
    value = pair.difference if pair.better == first else 0.0 - pair.difference  # no −0.0000
    count = f"({pair.topics})" if pair.topics < comparison.most_topics else ""
    return ValueCell(difference_text(value, decimals), best=pair.significant, mark=pair.mark, count=count)


def interval_text(low: float, high: float) -> str:
    """Write an interval; a dash where there is none."""
    return NOTHING if math.isnan(low) else f"{difference_text(low, 4)} … {difference_text(high, 4)}"


# -- what the signs mean -------------------------------------------------------------------------------


def marks_meaning(comparison: Comparison) -> str:
    """Return what † and (†) mean, and for which family of tests."""
    correction = comparison.testing.correction
    if len(comparison.pairs) == 1:
        return f"† p < {LEVEL}"
    if correction is Correction.NONE:
        return f"† p < {LEVEL}, not corrected for {comparison.family}"
    return f"† p < {LEVEL} after {correction.named} for {comparison.family}, (†) only without it"


def counts_meaning(comparison: Comparison) -> str:
    """Return what the counts in parentheses mean, where there are any."""
    if comparison.alike and len({*comparison.counts.tolist()}) < 2:
        return ""
    return (
        "Each mean is over the topics of its run, each difference over those that both runs have: "
        f"{comparison.most_topics:,}, or the number in parentheses"
    )


def _notes(comparison: Comparison, *first: str) -> tuple[str, ...]:
    return tuple(filter(None, (*first, marks_meaning(comparison), counts_meaning(comparison))))


def about(comparison: Comparison) -> str:
    """Return measure, topics, test and what counts as a tie, in a line."""
    testing = comparison.testing
    tie = f"; ties below {testing.tie:g}" if testing.tie else ""
    how = testing.described(comparison.most_topics)
    return f"{comparison.measure} on {comparison.topics_said}; {how}{tie}"


def outcome_said(comparison: Comparison) -> str:
    """Return how many pairs differ significantly."""
    pairs = counted(len(comparison.pairs), "pair")
    if comparison.testing.correction is Correction.NONE:
        return f"{comparison.uncorrected} of {pairs} significant, uncorrected"
    before = comparison.uncorrected
    return f"{comparison.significant} of {pairs} significant after the correction, {before} before"


# -- tables --------------------------------------------------------------------------------------------


def matrix_table(comparison: Comparison, said: str = "", scores: RunScores | None = None) -> ValueTable:
    """Return the differences row less column, best run first; where there is a baseline, each run less it.

    ``said`` is what is above the table; ``scores`` those of one of the runs, for lines of values.
    """
    order = comparison.order.tolist()
    means = mean_cells(
        [float(comparison.means[at]) for at in order], [int(comparison.counts[at]) for at in order]
    )
    baseline = comparison.baseline
    columns = order if baseline is None else [baseline]
    names = [comparison.runs[at] for at in order]
    if baseline is not None:
        head, rows_named = [f"less {comparison.runs[baseline]}"], names
    elif len(order) <= MOST_NAMES:
        head, rows_named = names, names
    else:
        head = [str(place) for place in range(1, len(order) + 1)]
        rows_named = [f"{place} {name}" for place, name in enumerate(names, 1)]
    rows = tuple(
        (
            ValueCell(name),
            mean,
            *(
                ValueCell("") if i == j else difference_cell(comparison, comparison.between(i, j), i)
                for j in columns
            ),
        )
        for name, mean, i in zip(rows_named, means, order, strict=True)
    )
    less = "Row less column" if baseline is None else ""
    return ValueTable(
        "Every pair of runs" if baseline is None else f"Runs against {comparison.runs[baseline]}",
        said or about(comparison),
        ("run", comparison.measure, *head),
        rows,
        PAIR_HEAD,
        () if scores is None else list(pair_lines(scores, comparison)),
        notes=_notes(comparison, less),
    )


def pairs_table(comparison: Comparison, said: str = "", scores: RunScores | None = None) -> ValueTable:
    """Return the list of the pairs: means, difference, interval, topics, outcome, effect size, and p."""
    corrected = comparison.testing.correction is not Correction.NONE
    small = bool((comparison.pairs.columns["topics"] < SMALL_SAMPLE).any())
    head = [
        "better",
        "worse",
        "means",
        "difference",
        "95 % interval",
        "%",
        "topics",
        "wins/ties/losses",
        EFFECT,
    ]
    head += [DETECTABLE] * small + ["p"] + [f"p ({comparison.testing.correction.label})"] * corrected
    rows = tuple(
        tuple(pair_cells(comparison, pair, small=small, corrected=corrected)) for pair in comparison.pairs
    )
    notes = [f"95 % interval {comparison.testing.interval_named}", f"{EFFECT}: Cohen’s, paired"]
    if small:
        of = comparison.testing.test.estimate
        notes.append(f"{DETECTABLE}: the smallest {of} that the test would have shown on these topics")
    return ValueTable(
        "Pairs of runs",
        said or about(comparison),
        tuple(head),
        rows,
        PAIR_HEAD,
        () if scores is None else list(pair_lines(scores, comparison)),
        names=2,
        notes=("; ".join(notes), marks_meaning(comparison)),
    )


def pair_cells(comparison: Comparison, pair: Pair, *, small: bool, corrected: bool) -> Iterator[ValueCell]:
    """Yield the cells of a pair under the headings of ``pairs_table``."""
    yield from (ValueCell(comparison.runs[at]) for at in (pair.better, pair.worse))
    yield ValueCell(f"{figure_text(pair.better_mean)}, {figure_text(pair.worse_mean)}")
    yield ValueCell(difference_text(pair.difference, 4), best=pair.significant, mark=pair.mark)
    yield ValueCell(interval_text(pair.low, pair.high))
    yield ValueCell(difference_text(pair.improvement, 1))
    yield ValueCell(str(pair.topics))
    yield ValueCell(f"{pair.wins}/{pair.ties}/{pair.losses}")
    yield ValueCell(difference_text(pair.effect, 2))
    if small:
        yield ValueCell(detectable_text(pair))
    yield ValueCell(written_p(pair.p))
    if corrected:
        yield ValueCell(written_p(pair.p_corrected))


def detectable_text(pair: Pair) -> str:
    """Write the smallest estimate that could have been shown of a pair with few topics."""
    if pair.topics >= SMALL_SAMPLE or math.isnan(pair.detectable):
        return NOTHING
    return "none" if math.isinf(pair.detectable) else figure_text(pair.detectable)
