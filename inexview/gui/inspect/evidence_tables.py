"""The tables of Inspect as evidence, with measure, number of topics, preset, and what their signs mean.

Figures have four decimals on paper; the values saved as CSV are those that ``inexview eval`` prints.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import escape

from inexview.core.evaluation.charts import Chart
from inexview.core.evaluation.comparison import (
    MOST_NAMES,
    about,
    counts_meaning,
    marks_meaning,
    matrix_table,
)
from inexview.core.evaluation.comparison import pairs_table as pairs_table_of
from inexview.core.evaluation.orderings import JUDGED_BY
from inexview.core.evaluation.scores import SCORE_HEAD, mean_cells, score_lines
from inexview.core.evaluation.variants import COST_HEAD, cost_lines
from inexview.core.open_runs.run_table import DIFFERENCE, run_columns, run_rows
from inexview.core.open_runs.scoring import TASK_WORDS, key_of
from inexview.core.report import NOTHING, PrintedLine, ValueCell, ValueTable, count, difference_text
from inexview.core.wording import counted
from inexview.gui.charts.files import html_table
from inexview.gui.inspect.costs import CostliestPanel
from inexview.gui.inspect.ranked_list import RankedList
from inexview.gui.inspect.rankings import RankedKey
from inexview.gui.inspect.run_scoring import RunScoring
from inexview.gui.inspect.runs import RunList
from inexview.gui.inspect.topics import PairPanel, TopicsPage, outcome_said

EVERY = 1_000_000  # runs: a table that is saved leaves none out for want of room
BEST_RUN, BEST_TOPIC = "The best run is bold", "The best run of each topic is bold"


def run_table(board: RunScoring, listed: RunList) -> ValueTable:
    """Return the runs that have figures, as they are sorted."""
    rows = [row for row in listed.model.rows if row.figures]
    measures, baseline = board.figures.measures, board.baseline
    compared = board.pairs.with_baseline()
    by_key = {key_of(run): run for run in board.scored()}
    notes = [BEST_RUN] if len(rows) > 1 else []
    if compared is not None:
        notes += filter(None, (marks_meaning(compared), counts_meaning(compared)))
    scores = [board.figures.scores[id(by_key[row.key])] for row in rows]
    heading = "difference" if baseline is None or len(rows) < 2 else f"against {board.name(baseline)}"
    head, lines = run_rows(rows, run_columns(measures))
    return ValueTable(
        "Runs",
        _said(board, ", ".join(measures)),
        tuple(heading if name == DIFFERENCE else name for name in head),
        lines,
        SCORE_HEAD,
        list(score_lines(scores, per_topic=False, names=_names(board, measures))),
        notes=tuple(notes),
    )


def topics_table(board: RunScoring, page: TopicsPage, pair: PairPanel) -> ValueTable:
    """Return topics × runs with every run, in the order on the screen, and the test of the pair."""
    sheet = page.model.arranged(page.sheet(EVERY))
    runs = sheet.columns
    lines = []
    for row in sheet.rows:
        best = sheet.best.get(row.topic, math.nan)
        values = [run.values.get(row.topic, math.nan) for run in runs]
        figures = (_figure(value, best=value == best > 0) for value in values)
        difference = [ValueCell(difference_text(row.difference, 4))] * sheet.paired
        lines.append((ValueCell(f"{row.topic} {row.title}".strip()), *figures, *difference))
    counts = [run.topics for run in runs]
    means = mean_cells([run.mean for run in runs], counts, len(lines))
    count = f"({sheet.compared})" if sheet.lacks_topics else ""
    led = [ValueCell(difference_text(sheet.mean_difference, 4), count=count)] * sheet.paired
    alike = all(count == len(lines) for count in counts)
    over = f"mean of {counted(len(lines), 'topic')}" if alike else "mean of the topics that a run has"
    some = ["The difference of the means is on the topics that both runs have"]
    above = ""
    if sheet.paired:
        names = f"{runs[0].name} against {runs[1].name}"
        said = f"{names}: {outcome_said(sheet.outcome)}" if sheet.outcome else names
        facts = [[name, value.said.replace("\n", "; ")] for name, value in pair.facts.items() if value.said]
        above = f"<p>{escape(said)}</p>\n{html_table(('', ''), facts)}<p>{escape(pair.verdict.text())}</p>\n"
    head, named = _columns([run.name for run in runs])
    by_key = {key_of(run): run for run in board.scored()}
    scores = [board.figures.scores[id(by_key[run.key])] for run in runs]
    return ValueTable(
        f"{sheet.measure} of every topic",
        _said(board, sheet.measure),
        ("topic", *head, *("difference",) * sheet.paired),
        ((ValueCell(over), *means, *led), *lines),
        SCORE_HEAD,
        list(score_lines(scores, per_topic=True, names=_names(board, [board.figures.deciding]))),
        notes=(*named, BEST_TOPIC, *some * sheet.lacks_topics) if len(runs) > 1 else (),
        above=above,
    )


def pairs_table(board: RunScoring) -> ValueTable:
    """Return the differences and the list of all pairs of runs, as ``inexview compare`` prints them."""
    comparison = board.pairs.comparison()
    if comparison is None:
        return ValueTable("Every pair of runs", "", (), ())
    scores = board.figures.scores[id(board.scored()[0])]
    said = f"{_said(board, about(comparison), topics='')}"
    matrix, pairs = matrix_table(comparison, said, scores), pairs_table_of(comparison, said)
    return replace(matrix, below=(pairs,))


def ranked_table(board: RunScoring, listed: RankedList, measure: str, of: str) -> ValueTable:
    """Return the documents of the list that are shown, in their order; ``of`` names what ranked them."""
    model = listed.model
    rows = [model.at(model.index(at)) for at in range(model.rowCount())]
    costs, compared = model.costs, any(row.other is not None for row in rows)
    head = ["rank", "document", "title", "state", measure, costs.so_far_name, costs_name(costs.measure)]
    head += ["size", "rsize"] + [RankedKey.GAIN.value, RankedKey.THERE.value] * compared
    values: list[PrintedLine] = []
    for row in rows:
        other = row.other.rank if row.other is not None else None
        figures = (row.score, costs.so_far.get(row.document), costs.change(row.document))
        sizes = (row.retrieved.size, (row.judged & row.retrieved).size)
        line = (row.rank, row.document, row.title, row.state.value, *figures, *sizes)
        compared_with = (row.gained, other) if compared else ()
        values.append(["" if value is None else value for value in (*line, *compared_with)])
    baseline = board.baseline
    notes = (
        (f"{RankedKey.GAIN.value} and {RankedKey.THERE.value}: against {board.name(baseline)}",)
        if compared and baseline
        else ()
    )
    write: Sequence[Callable[[float], str]] = (
        *(_decimals, _decimals, _signed, count, count),
        *((_signed, count) if compared else ()),
    )
    lines = tuple(
        (
            *(ValueCell(str(one) or NOTHING) for one in line[:4]),
            *(
                ValueCell(NOTHING if one == "" else to(float(one)))
                for to, one in zip(write, line[4:], strict=True)
            ),
        )
        for line in values
    )
    said = f"{of}, {_said(board, costs.measure or board.figures.topic_name, 1)}"
    return ValueTable(
        listed.heading.full_text, said, tuple(head), lines, tuple(head), values, names=4, notes=notes
    )


def judged_table(board: RunScoring, chart: Chart | None) -> ValueTable:
    """Return the means of the runs by whose judgements, and how alike these order them, as they are drawn."""
    if chart is None or not chart.series or board.task is None:
        return ValueTable("", "", (), (), (), ())
    best = [max(values) for values in zip(*(series.y.tolist() for series in chart.series), strict=True)]
    rows = tuple(
        (
            ValueCell(series.name),
            *(_figure(value, best=value == top) for value, top in zip(series.y.tolist(), best, strict=True)),
        )
        for series in chart.series
    )
    notes = [BEST_RUN] if len(rows) > 1 else []
    said = f"{TASK_WORDS[board.task]}, {chart.caption.replace(' · ', ', ')}"
    return ValueTable(
        chart.title, said, ("run", *JUDGED_BY), rows, chart.head, list(chart.lines), notes=tuple(notes)
    )


def costs_table(panel: CostliestPanel) -> ValueTable:
    """Return what cost the run most, of the kind that is listed."""
    found, model = panel.found, panel.model
    if found is None:
        return ValueTable(panel.title.full_text, "", (), (), (), ())
    scores, over = found.scores, counted(len(found.scores.topics), "topic")
    preset = scores.preset.named_with(scores.parameters, scores.task)
    lines = [[ValueCell(text) for text in model.texts(row)] for row in range(len(model.rows))]
    return ValueTable(
        panel.title.full_text,
        f"{TASK_WORDS[scores.task]}, {found.measure} {found.value:.4f}, {over}, {preset}",
        (panel.kind.value, "of", "gain"),
        tuple(map(tuple, lines)),
        COST_HEAD,
        list(cost_lines(found, [panel.kind])),
        names=2,
        notes=(panel.note.text(),),
    )


def _columns(names: Sequence[str]) -> tuple[Sequence[str], tuple[str, ...]]:
    """Return what is over the columns of runs, and the note that names them where these are numbers."""
    if len(names) <= MOST_NAMES:
        return names, ()
    numbered = [f"{at} {name}" for at, name in enumerate(names, 1)]
    return [str(at) for at in range(1, len(names) + 1)], (" · ".join(numbered),)


def costs_name(measure: str) -> str:
    """Name the change of a measure of the topic without a document."""
    return f"{measure} without it" if measure else RankedKey.CHANGE.value


def _said(board: RunScoring, what: str, topics: int | str | None = None) -> str:
    """Say task, measures, over how many topics, with which preset, and by which other judgements."""
    task = board.task
    if task is None:
        return what
    number = len(board.figures.topics) if topics is None else topics
    over = number if isinstance(number, str) else f", {counted(number, 'topic')}"
    by = f", judgements: {board.judged_by}" if board.judged_by else ""
    preset = board.choice.preset_of(task).named_with(board.parameters, task)
    return f"{TASK_WORDS[task]}, {what}{over}, {preset}{by}"


def _names(board: RunScoring, means: Sequence[str]) -> list[str]:
    """Return measures as they are called for one topic."""
    scores = next(iter(board.figures.scores.values()), None)
    if scores is None:
        return []
    called: Mapping[str, str] = dict(zip(scores.mean_names, scores.names, strict=True))
    return [called[name] for name in means]


def _figure(value: float, *, best: bool) -> ValueCell:
    return ValueCell(NOTHING) if math.isnan(value) else ValueCell(_decimals(value), best=best)


def _decimals(value: float) -> str:
    return f"{value:.4f}"


def _signed(value: float) -> str:
    return difference_text(value, 4)
