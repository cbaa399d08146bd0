"""A report on runs: the best run, its significance, and the tables of window and command line.

The sections are made here, and written as HTML, Markdown or LaTeX.  HTML embeds drawn charts, LaTeX draws
them with pgfplots, and Markdown has none.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path

import numpy as np

from inexview.core.evaluation.agreement import orders_table
from inexview.core.evaluation.charts import (
    Chart,
    ChartedRun,
    difference_by_topic,
    figure_latex,
    precision_over_recall,
)
from inexview.core.evaluation.comparison import (
    AT_ONCE,
    FEW_TOPICS,
    MOST_NAMES,
    Comparison,
    RunDifference,
    apart_from_holm,
    compare,
    interval_text,
    intervals_at_once,
    matrix_table,
    outcome_said,
    pairs_table,
    topics_table,
)
from inexview.core.evaluation.evaluate import unjudged_table
from inexview.core.evaluation.explain import CostKind, RunCosts
from inexview.core.evaluation.run_parameters import with_parameters
from inexview.core.evaluation.scores import RunScores, ScoringSettings, distinguished, mean_cells
from inexview.core.evaluation.significance import Correction, written_p
from inexview.core.evaluation.testing import Testing
from inexview.core.files import digest_of_file, version
from inexview.core.progress import Progress, unwatched
from inexview.core.report import (
    NOTHING,
    ValueCell,
    ValueTable,
    difference_text,
    escaped,
    figure_text,
    html_page,
)
from inexview.core.wording import brief_names, condensed, counted, percent, some_named, visible

REPORT_SUFFIXES = (".html", ".pdf", ".md", ".tex")
MOST_CHARTS = 4  # runs whose differences to the best one are drawn by topic
MOST_TOPICS = 8
ROOM_FOR_NAMES = 1.15  # of a scale of differences: topics are named at the ends of the longest bars
SAID_BY_MEANS = ("means", "%")  # columns of pairs that do not fit
EXCERPT = 160  # characters of a text
MOST_IN_MATRIX = 12  # runs whose pairs are shown row by column
MOST_MEASURES = 5  # columns of means, the compared measure included
UNEVEN = 0.1  # difference of unjudged shares above which the comparison may be unfair
NAMED_LEADS = 2  # insignificant differences that are named one by one

Draw = Callable[[Chart], str]
"""Returns a chart as an element of a page."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report: a table, charts, sentences or a command, under a heading."""

    title: str
    said: str = ""
    table: ValueTable | None = None
    charts: tuple[Chart, ...] = ()
    lines: tuple[str, ...] = ()
    command: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """``answer`` names the best run, ``more`` the insignificant leads, ``notes`` the method."""

    title: str
    about: str
    answer: str
    more: str
    notes: tuple[str, ...]
    sections: tuple[Section, ...]

    def html(self, draw: Draw | None = None) -> str:
        """Return a self-contained page; without ``draw`` it has no charts."""
        parts = [
            f"<h1>{escape(self.title)}</h1>\n<p class='muted'>{escape(self.about)}</p>\n",
            f"<blockquote><p class='answer'><b>{escape(self.answer)}</b> {escape(self.more)}</p>\n",
            *(f"<p class='muted'>{escape(note)}</p>\n" for note in self.notes),
            "</blockquote>\n",
        ]
        for section in self.sections:
            charts = [] if draw is None else [draw(chart) for chart in section.charts]
            if section.charts and not charts and section.table is None:
                continue
            said = f"<p class='muted'>{escape(section.said)}</p>\n" if section.said else ""
            parts.append(f"<h2>{escape(section.title)}</h2>\n{said}")
            parts += [f"<div class='charts'>{''.join(charts)}</div>\n"] if charts else []
            if section.table is not None:
                parts.append(f"<div class='wide'>{section.table.html}</div>\n")
            listed = "".join(f"<li>{escape(line)}</li>\n" for line in section.lines)
            parts += [f"<ul>\n{listed}</ul>\n"] if listed else []
            parts += [f"<pre>{escape(section.command)}</pre>\n"] if section.command else []
        return visible(html_page(self.title, (), above="".join(parts), looks=_LOOKS))

    @property
    def markdown(self) -> str:
        """The report as Markdown, tables as pipes; charts are left out."""
        parts = [
            f"# {_plain(self.title)}",
            _plain(self.about),
            f"**{_plain(self.answer)}** {_plain(self.more)}",
        ]
        parts += map(_plain, self.notes)
        for section in self.sections:
            if section.table is None and section.charts:
                continue
            parts += [f"## {_plain(section.title)}", *filter(None, [_plain(section.said)])]
            if section.table is not None:
                parts += [_pipes(section.table), *map(_plain, section.table.notes)]
            parts += ["\n".join(f"- {_plain(line)}" for line in section.lines)] if section.lines else []
            if section.command:
                longest = max(map(len, re.findall("`+", section.command)), default=0)
                fence = "`" * max(longest + 1, 3)
                parts.append(f"{fence}sh\n{section.command}\n{fence}")
        return visible("\n\n".join(part.rstrip() for part in parts) + "\n")

    @property
    def latex(self) -> str:
        """The report as a LaTeX document of its own: tables by booktabs, figures by pgfplots."""
        parts = [
            _PREAMBLE,
            rf"\section*{{{escaped(self.title)}}}",
            escaped(self.about) + "\n",
            rf"\textbf{{{escaped(self.answer)}}} {escaped(self.more)}" + "\n",
            *(escaped(note) + "\n" for note in self.notes),
        ]
        for section in self.sections:
            parts.append(rf"\subsection*{{{escaped(section.title)}}}")
            parts += map(figure_latex, section.charts)
            parts += [replace(section.table, said=section.said).latex] if section.table is not None else []
            items = [rf"\item {escaped(line)}" for line in section.lines]
            parts += [r"\begin{itemize}", *items, r"\end{itemize}"] if items else []
            if section.command:
                parts += [r"\begin{flushleft}\ttfamily", escaped(section.command), r"\end{flushleft}"]
        return visible("\n".join([*parts, r"\end{document}", ""]))


_PREAMBLE = r"""\documentclass{article}
\usepackage{booktabs,longtable,pgfplots}
\pgfplotsset{compat=1.16}
\begin{document}"""
_LOOKS = """
h1, h2, .answer {font-family: 'Noto Serif', Georgia, serif}
h2 {margin: 2em 0 .2em}
blockquote {border-left: 3px solid #2a69b0; margin: 1.5em 0; padding: 0 1em}
.answer {font-size: 1.25em}
table {border-top: 1px solid #1b1f24; border-bottom: 1px solid #1b1f24; font-size: .9em}
td, th {white-space: nowrap; padding: .3em .55em}
th {white-space: normal}
td svg {max-width: none; vertical-align: middle; margin-left: .8em}
.text {display: block; white-space: normal; min-width: 22em}
.wide {overflow-x: auto}
.charts {display: flex; flex-wrap: wrap; gap: 1em}
.charts svg {width: 100%; max-width: 52em; height: auto}
figure {margin: 0; flex: 1 1 40%; min-width: 16em}
.charts figure:not(:only-child) {max-width: calc(50% - .5em)}
figcaption {font-weight: 600; font-size: .9em}
pre {background: #f5f6f8; border: 1px solid #d8dde3; padding: .8em}
pre {white-space: pre-wrap}
p, li, pre, figcaption {overflow-wrap: anywhere}
@page {size: A4; margin: 12mm}
@media print {
body {margin: 0; padding: 0; font-size: 11px; max-width: none}
h2, h2 + p {break-after: avoid}
tr, figure, pre {break-inside: avoid}
figure {display: inline-block; width: 49%; vertical-align: top}
figure:only-child {width: 100%}
.charts {display: block}
table {font-size: 9px}
th, td {padding: .2em .3em; width: auto}
td svg {width: 80px}
th, td[align=left] {white-space: normal !important}
td[align=left], .long {overflow-wrap: anywhere; min-width: 5em}
.text {min-width: 16em}
.wide {overflow: visible; break-inside: avoid}
}
"""


def _plain(text: str) -> str:
    """Return text on one line, escaped for Markdown."""
    return "".join(f"\\{one}" if one in "\\`*_{}[]<>#|~&" else one for one in " ".join(text.split()))


def _pipes(table: ValueTable) -> str:
    """Return a table as Markdown."""

    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cells)} |"

    ends = ["---" if at < table.names else "---:" for at in range(len(table.head))]
    rows = [
        [f"**{_plain(cell.said)}**" if cell.best else _plain(cell.said) for cell in row] for row in table.rows
    ]
    return "\n".join(map(line, [list(map(_plain, table.head)), ends, *rows]))


# The input of a report.


@dataclass(frozen=True, eq=False, kw_only=True)
class Reported:
    """The input of a report; ``scores`` are of runs of one task, ``qrels`` is the file of judgements.

    ``title_of`` and ``link_of`` return a topic's title and a link to it, or "".
    """

    title: str
    date: str
    scores: Sequence[RunScores]
    qrels: Path | None
    measures: Sequence[str]
    """The measures that compare the runs, by their names for the mean; the first decides."""
    command: str
    testing: Testing = field(default_factory=Testing)
    title_of: Callable[[str], str] = lambda _topic: ""
    link_of: Callable[[str], str] = lambda _topic: ""
    places_of: Callable[[int], Sequence[CostlyPlace]] = lambda _run: ()
    """Returns the costliest faults of a run, by its index; called for the best run."""
    further: Sequence[Section] = ()
    """Extra sections, such as how the runs were made."""


@dataclass(frozen=True, slots=True)
class CostlyPlace:
    """A fault of a run: its topic, document, kind, and the beginning of its text."""

    topic: str
    document: str
    said: str
    gain: float
    excerpt: str


def report_of(reported: Reported, progress: Progress = unwatched) -> Report:
    """Return the report on some runs.

    Raises InexviewError if runs cannot be compared, and Cancelled.
    """
    scores = distinguished(reported.scores)
    reported = replace(reported, scores=scores)
    comparison = compare(scores, reported.measures[0], reported.testing, progress=progress)
    answer, more, notes = _answer(comparison)
    sections = [
        _means(reported, comparison),
        *_pairs(comparison, scores[0]),
        *_differences(reported, comparison),
        *_curves(reported, comparison),
        _unjudged(reported, comparison),
        *_orders(reported, comparison),
        *_topics(reported, comparison),
        *_places(reported, comparison),
        *reported.further,
        *_with_care(reported, comparison),
        _again(reported),
    ]
    first = scores[0]
    about = f"{first.task.value}, {comparison.measure}; {first.said} · {reported.date}"
    of_scores = map(_sentence, first.notes)
    return Report(reported.title, about, answer, more, (*notes, *of_scores), tuple(sections))


def costly_places(costs: RunCosts, text_of: Callable[[str], str]) -> list[CostlyPlace]:
    """Return the costliest faults of a run: passages, or documents if the task has no passages.

    ``text_of`` returns the text of a document, or "" if it is not available.
    """
    parts = costs.parts[CostKind.PLACE] or costs.parts[CostKind.DOCUMENT]
    places = []
    for part in parts[:MOST_TOPICS]:
        text = "" if part.start is None else text_of(part.document)
        begin = part.start or 0
        end = min(begin + EXCERPT, len(text) if part.end is None else part.end)
        excerpt = " ".join(text[begin:end].split()).lstrip(" .,;:")
        more = "…" if excerpt and (part.end is None or part.end > end) else ""
        where = "" if part.start is None else f" at {part.start:,}"
        size = (
            ""
            if part.start is None or part.end is None
            else f", {counted(part.end - part.start, 'character')}"
        )
        said = f"{part.said}{where}{size}"
        places.append(CostlyPlace(part.topic, part.document, said, part.gain, excerpt + more))
    return places


def command_of(
    qrels: str,
    scores: Sequence[RunScores],
    settings: ScoringSettings,
    testing: Testing,
    measures: Sequence[str],
    table: str = "",
) -> str:
    """Return the command that makes the report again, with files, scoring and comparison."""
    options: dict[str, object] = {"--task": scores[0].task.value, "--preset": scores[0].preset.name}
    options |= {
        f"--{'A' if name == 'a' else name.replace('_', '-')}": f"{value}"
        for name, value in settings.changes.items()
    }
    flags = {"--complete": settings.complete, "--cut": settings.cut, "--judged-only": settings.judged_only}
    options |= {"--overlap": settings.overlap, "--limit": settings.limit, "--test": testing.test.value}
    options |= {"--correction": testing.correction.value, "--interval": testing.interval.value}
    options |= {"--draws": testing.draws, "--seed": testing.seed, "--tie": testing.tie or None}
    options |= {"--parameters": table or None}
    options |= {"--variations": None if settings.variations is None else settings.variations.option}
    given = [part for name, value in options.items() if value is not None for part in (name, str(value))]
    given += [name for name, asked in flags.items() if asked]
    given += [part for name in measures for part in ("-m", name)]
    runs = [str(run.path or run.id) for run in scores]
    return shlex.join(["inexview", "report", qrels, *runs, *given, "-o", "report.html"])


def usual_title(scores: Sequence[RunScores], qrels: Path | None) -> str:
    """Return the default title of a report."""
    judged = f" on {qrels.stem}" if qrels is not None and qrels.stem else ""
    return f"{counted(len(scores), 'run')}{judged}"


# -- which run is best ---------------------------------------------------------------------------------

_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _in_words(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def _answer(comparison: Comparison) -> tuple[str, str, tuple[str, ...]]:
    """Return the sentence that names the best run, its limits, and the test."""
    best = int(comparison.order[0])
    name, value = comparison.runs[best], figure_text(float(comparison.means[best]))
    topics = int(comparison.counts[best])
    others = len(comparison.runs) - 1
    if not others:
        return f"{name} has {comparison.measure} {value} on {counted(topics, 'topic')}.", "", ()
    leads = [comparison.difference(best, int(at)) for at in comparison.order[1:]]
    shown = [lead for lead in leads if lead.pair.significant and lead.mean > 0]
    rest = [lead for lead in leads if not (lead.pair.significant and lead.mean > 0)]
    if topics < FEW_TOPICS:
        answer = f"{name} is best, {value}, but {counted(topics, 'topic')} are too few for a meaningful test."
    elif not shown:
        no_lead = "but is not significantly better than any other run"
        answer = f"{name} has the highest {comparison.measure}, {value}, {no_lead}."
    elif not rest:
        every = "the other run" if others == 1 else f"each of the other {_in_words(others)} runs"
        answer = f"{name} is best, {value}, and significantly better than {every}."
    else:
        how_many = f"{_in_words(len(shown))} of the other {_in_words(others)} runs"
        answer = f"{name} is best, {value}, and significantly better than {how_many}."
    testing = comparison.testing
    how = testing.described(comparison.most_topics)
    corrected = testing.correction is not Correction.NONE and len(comparison.pairs) > 1
    family = f"; {testing.correction.named} for {comparison.family}" if corrected else ""
    notes = [_not_equal(rest[0], comparison)] if rest else []
    return answer, _not_shown(rest, comparison), (*notes, f"Tested by {how}{family}.")


def _not_shown(rest: Sequence[RunDifference], comparison: Comparison) -> str:
    """Return the sentences about insignificant leads."""
    told = [_lead(lead, comparison) for lead in rest[:NAMED_LEADS]]
    more = len(rest) - len(told)
    if more:
        told.append(
            f"{_in_words(more).capitalize()} other leads are not significant either."
            if more > 1
            else "One other lead is not significant either."
        )
    return " ".join(told)


def _lead(lead: RunDifference, comparison: Comparison) -> str:
    pair, other = lead.pair, lead.names[1]
    over = f"Its lead over {other} ({figure_text(lead.means[1])}), {difference_text(lead.mean, 4)},"
    if pair.mark and not pair.significant:
        return (
            f"{over} is significant as a single comparison (p {_p(pair.p)}), but not among "
            f"{_in_words(len(comparison.pairs))} (p {_p(pair.p_corrected)})."
        )
    return f"{over} is not significant (p {_p(pair.p_corrected)})."


def _p(p: float) -> str:
    text = written_p(p)
    return text if text.startswith(("<", NOTHING)) else f"= {text}"


def _not_equal(lead: RunDifference, comparison: Comparison) -> str:
    low, high = lead.interval
    found = intervals_at_once(comparison, np.array([comparison.place(lead.first, lead.second)]))
    if found is not None:
        low, high = (-found[0, ::-1] if lead.turned else found[0]).tolist()
    if not math.isfinite(high - low):
        return "This does not show that they are equal."
    ends = f"{difference_text(low, 4)} to {difference_text(high, 4)}"
    view = "" if found is None else f"corrected for all {len(comparison.pairs):,} pairs, "
    difference = f"the difference from {lead.names[1]} may be anything from {ends}"
    return f"This does not show that they are equal: {view}{difference}."


# -- the sections --------------------------------------------------------------------------------------


def _means(reported: Reported, comparison: Comparison) -> Section:
    scores = [reported.scores[at] for at in comparison.order.tolist()]
    first, main = scores[0], comparison.measure
    others = [name for name in _measures(reported, first) if name != main][: MOST_MEASURES - 1]
    counts = [len(run.topics) for run in scores]
    ends = [run.interval_of(main) for run in scores]
    strips = _strips([(low, run.mean_of(main), high) for run, (low, high) in zip(scores, ends, strict=True)])
    intervals = [
        ValueCell(NOTHING if math.isnan(low) else f"{figure_text(low)} to {figure_text(high)}", picture=strip)
        for (low, high), strip in zip(ends, strips, strict=True)
    ]
    columns = [mean_cells([run.mean_of(name) for run in scores], counts) for name in (main, *others)]
    names = [ValueCell(run.id) for run in scores]
    topics = [ValueCell(str(count)) for count in counts]
    rows = zip(names, columns[0], intervals, *columns[1:], topics, strict=True)
    head = ("run", main, "95 % interval of the mean", *others, "topics")
    said = "Bold: the best."
    if len(scores) > 1:
        said += (
            " Each interval is that of a single mean (Student’s t over topics). They may overlap even if "
            "runs differ, because hard topics are hard for all runs; the differences are below."
        )
    table = ValueTable("Means", "", head, tuple(rows))
    return Section("Means", said, with_parameters(table, comparison.parameters.of(comparison.order)))


def _measures(reported: Reported, first: RunScores) -> Sequence[str]:
    """Return the measures of the columns: the chosen ones, or those of the preset."""
    if len(reported.measures) > 1:
        return reported.measures
    named = dict(zip(first.names, first.mean_names, strict=True))
    return [named[name] for name in first.reported]


def _pairs(comparison: Comparison, scores: RunScores) -> list[Section]:
    """Return the pairs; for many runs, only those with the best run, and a matrix of all."""
    if len(comparison.runs) < 2:
        return []
    few = len(comparison.runs) <= MOST_NAMES
    order, every = comparison.order.tolist(), comparison.pairs
    places = [at for at, pair in enumerate(every) if few or order[0] in (pair.better, pair.worse)]
    places.sort(key=lambda at: (order.index(every[at].better), order.index(every[at].worse)))
    table = replace(pairs_table(comparison), said="")
    table = replace(table, rows=tuple(table.rows[at] for at in places))
    ends = intervals_at_once(comparison, np.array(places))
    head = AT_ONCE.format(len(every)) if ends is not None else "95 % interval"
    if ends is None:
        ends = np.array([(every[at].low, every[at].high) for at in places])
        holds = "Each interval is for a single pair."
    else:
        holds = f"The intervals hold for all {len(every):,} pairs at once (Bonferroni)."
        apart = apart_from_holm(comparison, np.array(places), ends)
        table = replace(table, notes=tuple(filter(None, (*table.notes[:2], apart))))
    pairs = [every[at] for at in places]
    intervals = zip(pairs, ends.tolist(), strict=True)
    strips = _strips(
        [(low, pair.estimate, high) for pair, (low, high) in intervals], lambda at: pairs[at].significant
    )
    texts = [
        ValueCell(interval_text(*own), picture=strip)
        for own, strip in zip(ends.tolist(), strips, strict=True)
    ]
    table = _with_intervals(table, head, texts)
    said = f"{_sentence(outcome_said(comparison))} Hollow: not significant. {holds}"
    title = "Every pair" if few else "The best run against each other"
    sections = [Section(title, said, table)]
    if not few and len(order) <= MOST_IN_MATRIX:
        matrix = matrix_table(comparison)
        sections.append(Section("Every pair", matrix.said, replace(matrix, said="")))
    return sections


def _with_intervals(table: ValueTable, name: str, cells: Sequence[ValueCell]) -> ValueTable:
    """Return a table of pairs with one column of intervals, and without the means."""
    at = table.head.index("95 % interval")
    one = [place for place, head in enumerate(table.head) if head.startswith("95 %")]
    kept = [place for place, head in enumerate(table.head) if head not in SAID_BY_MEANS]
    kept = [place for place in kept if place == at or place not in one]
    rows = tuple(
        tuple(cell if place == at else row[place] for place in kept)
        for row, cell in zip(table.rows, cells, strict=True)
    )
    heads = tuple(name if place == at else table.head[place] for place in kept)
    return replace(table, head=heads, rows=rows)


WIDE, HIGH = 130, 14  # pixels of an interval beside its figures


def _strips(
    ends: Sequence[tuple[float, float, float]], shown: Callable[[int], bool] | None = None
) -> list[str]:
    """Return drawings of intervals (low, middle, high) on one scale, hollow where they are not ``shown``.

    If ``shown`` is given, the intervals are of differences, and a line is drawn at 0.
    """
    known = [value for one in ends for value in one if math.isfinite(value)] + [0.0] * (shown is not None)
    if not known or max(known) == min(known):
        return [""] * len(ends)
    low, wide = min(known), max(known) - min(known)

    def at(value: float) -> float:
        return round(4 + (WIDE - 8) * (min(max(value, low), low + wide) - low) / wide, 1)

    zero = "" if shown is None else f'<path d="M{at(0)} 0V{HIGH}" stroke="#c4cad1"/>'
    return [
        ""
        if any(map(math.isnan, one))
        else _strip(at(one[0]), at(one[1]), at(one[2]), zero, full=shown is None or shown(place))
        for place, one in enumerate(ends)
    ]


def _strip(left: float, middle: float, right: float, zero: str, *, full: bool) -> str:
    line, fill = ("#1b1f24", "#1b1f24") if full else ("#8a939d", "#fff")
    y = HIGH / 2
    return (
        f'<svg width="{WIDE}" height="{HIGH}" viewBox="0 0 {WIDE} {HIGH}" aria-hidden="true">{zero}'
        f'<path d="M{left} {y}H{right}M{left} {y - 3}v6M{right} {y - 3}v6" stroke="{line}" fill="none"/>'
        f'<circle cx="{middle}" cy="{y}" r="3" stroke="{line}" fill="{fill}"/></svg>'
    )


def _differences(reported: Reported, comparison: Comparison) -> list[Section]:
    """Return the differences of the best run to each of the next ones, by topic."""
    order = comparison.order.tolist()
    runs = {
        at: ChartedRun(comparison.runs[at], place, reported.scores[at])
        for place, at in enumerate(order[: MOST_CHARTS + 1])
    }
    measure = _topic_name(reported.scores[0], comparison.measure)
    charts = [
        difference_by_topic(runs[order[0]], runs[at], measure)
        for at in order[1 : MOST_CHARTS + 1]
        if {*runs[order[0]].scores.topics} & {*runs[at].scores.topics}
    ]
    if not charts:
        return []
    reach = ROOM_FOR_NAMES * max(chart.y.high for chart in charts)
    alike = [replace(chart, y=replace(chart.y, low=-reach, high=reach)) for chart in charts]
    lines = [_outcome(comparison.difference(order[0], at)) for at in order[1 : len(charts) + 1]]
    said = f"{comparison.runs[order[0]]} minus each other run, a bar for each topic; one scale for all."
    return [Section("Differences by topic", said, charts=tuple(alike), lines=tuple(lines))]


def _outcome(lead: RunDifference) -> str:
    wins, ties, losses = lead.outcome
    return f"{lead.names[0]} minus {lead.names[1]}: {wins} better, {ties} tied, {losses} worse"


def _topic_name(scores: RunScores, measure: str) -> str:
    """Return the name of a measure for a topic by its name for the mean."""
    return scores.names[scores.mean_names.index(measure)] if measure in scores.mean_names else measure


def _curves(reported: Reported, comparison: Comparison) -> list[Section]:
    runs = [
        ChartedRun(comparison.runs[at], place, reported.scores[at])
        for place, at in enumerate(comparison.order.tolist())
        if reported.scores[at].curve is not None and reported.scores[at].topics
    ]
    if not runs:
        return []
    leading = [run.style for run in runs[:MOST_CHARTS]] if len(runs) > MOST_NAMES else []
    chart = precision_over_recall(runs, leading)
    return [Section("Precision over recall", chart.caption, charts=(chart,))]


def _unjudged(reported: Reported, comparison: Comparison) -> Section:
    """Return the section on retrieved documents without a judgement."""
    return _section(unjudged_table([reported.scores[at] for at in comparison.order.tolist()]))


def _section(table: ValueTable) -> Section:
    return Section(table.title, table.said, replace(table, said=""))


def _orders(reported: Reported, comparison: Comparison) -> list[Section]:
    """Return Kendall's τ between the order of the runs by the first measure and by each of the others."""
    first = reported.scores[0]
    names = [name for name in _measures(reported, first) if name != comparison.measure]
    if len(comparison.runs) < 3 or not names:
        return []
    means = {name: np.array([scores.mean_of(name) for scores in reported.scores]) for name in names}
    means = {name: own for name, own in means.items() if not np.isnan([own, comparison.means]).any()}
    orders = orders_table([(comparison.measure, comparison.means), *means.items()], first=True)
    rows = [
        (name, ValueCell(reported.scores[int(np.argmax(means[name.text]))].id), tau)
        for _, name, _, tau, *_ in orders.rows
    ]
    said = f"Kendall’s τ-b between the order of the runs by {comparison.measure} and by another measure."
    table = ValueTable(
        "Order by other measures", "", ("measure", "its best run", "τ-b"), tuple(rows), names=2
    )
    return [Section("Order by other measures", said, table)] if rows else []


def _topics(reported: Reported, comparison: Comparison) -> list[Section]:
    """Return the topics with the largest differences between the best runs."""
    every = topics_table(comparison)
    if len(comparison.runs) < 2 or not every.rows:
        return []
    counts = reported.scores[int(comparison.order[0])].counts.topics
    shown = every.rows[:MOST_TOPICS]
    titled = any(reported.title_of(topic.text) for topic, *_ in shown)
    rows = []
    for topic, *figures in shown:
        link, title = reported.link_of(topic.text), reported.title_of(topic.text)
        named = [ValueCell(topic.text, link=link)] + ([ValueCell(title, link=link)] if titled else [])
        rows.append((*named, *figures, ValueCell(str(counts[topic.text].num_rel))))
    head = ("topic", *(["title"] if titled else []), *every.head[1:], "relevant")
    of = f", {len(shown)} of {counted(len(comparison.topics), 'topic')}. Bold"
    table = replace(
        every, said=every.said.replace(". Bold", of), head=head, rows=tuple(rows), names=1 + titled
    )
    return [_section(table)]


def _places(reported: Reported, comparison: Comparison) -> list[Section]:
    """Return the costliest faults of the best run, with the beginning of their text."""
    order = comparison.order.tolist()
    places = reported.places_of(order[0])
    if not places:
        return []
    texts = any(place.excerpt for place in places)
    rows = [
        (
            ValueCell(place.topic, link=reported.link_of(place.topic)),
            ValueCell(place.document),
            ValueCell(place.said),
            *([ValueCell(place.excerpt or NOTHING, wraps=True)] if texts else []),
            ValueCell(difference_text(place.gain, 4)),
        )
        for place in places
    ]
    best = comparison.runs[order[0]]
    head = ("topic", "document", "fault", *["text"] * texts, f"{comparison.measure} without")
    said = f"Each of these changes alone would raise the mean of {best} most. Gains do not add up."
    table = ValueTable("What cost the best run most", "", head, tuple(rows), names=3 + texts)
    return [Section("What cost the best run most", said, table)]


def _with_care(reported: Reported, comparison: Comparison) -> list[Section]:
    """Return caveats about the figures, each with advice."""
    lines = [*comparison.warnings, *_sweep(comparison.runs), *_unevenly_judged(reported.scores)]
    lacking = [scores.id for scores in reported.scores if scores.counts.topics_missing]
    if lacking:
        lines.append(
            f"{some_named(lacking)}: the means leave out judged topics without a result; "
            "--complete counts them as 0."
        )
    lines += condensed([(scores.path or Path(scores.id), scores.warnings) for scores in reported.scores])
    tied = [scores.id for scores in reported.scores if scores.counts.total.ties]
    if tied:
        lines.append(f"{some_named(tied)}: some results have equal scores, whose order is not the run’s own.")
    return [Section("Caveats", lines=tuple(_sentence(line) for line in lines))] if lines else []


def _sentence(line: str) -> str:
    return line if line.endswith((".", "!", "?")) else f"{line}."


def _sweep(runs: Sequence[str]) -> list[str]:
    if len(runs) < 2 or brief_names(runs) == list(runs):
        return []
    return [
        "The ids contain parameters. If these runs were chosen from a larger sweep on these topics, the "
        "correction covers too few comparisons: report the whole sweep."
    ]


def _unevenly_judged(every: Sequence[RunScores]) -> list[str]:
    shares = {scores.id: scores.counts.unjudged_share for scores in every if scores.counts.total.num_ret}
    if len(shares) < 2 or max(shares.values()) - min(shares.values()) < UNEVEN:
        return []
    most, least = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
    return [
        f"{percent(shares[most], 1)} of the documents of {most} are unjudged (fewest: {least}, "
        f"{percent(shares[least], 1)}). Its value may be too low because judgements are missing: see "
        "`inexview eval --bounds`, or score with --judged-only."
    ]


def _again(reported: Reported) -> Section:
    """Return the files with their current digests, and the command."""
    first = reported.scores[0]
    judged = f"{counted(first.counts.topics_judged, 'judged topic')}"
    rows = [] if reported.qrels is None else [_file_row(reported.qrels, judged)]
    for scores in reported.scores:
        if scores.path is not None:
            counts = scores.counts
            said = f"{counted(counts.topics_in_run, 'topic')}, {counted(counts.total.results, 'result')}"
            rows.append(_file_row(scores.path, said))
    said = (
        f"inexview {version()}, NumPy {np.__version__}. Offsets in code points. "
        "Digests are BLAKE2b of 16 bytes, of the files at the time of this report."
    )
    table = ValueTable("Files", "", ("file", "content", "digest"), tuple(rows), names=3) if rows else None
    return Section("How to reproduce it", said, table, command=reported.command)


def _file_row(path: Path, said: str) -> tuple[ValueCell, ...]:
    return ValueCell(str(path)), ValueCell(said), ValueCell(digest_of_file(path) or NOTHING)
