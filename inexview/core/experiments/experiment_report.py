"""The report of an experiment as HTML and as LaTeX: systems × measures, pairs of systems, topics.

The tables have the shape of those of Wade and Allan (CIIR IR-396, 2005): a system a row, a measure a column,
the best of each column marked; then each pair with its difference and p.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from inexview.core.evaluation.comparison import Comparison, pairs_table
from inexview.core.evaluation.scores import RunScores, are_best
from inexview.core.experiments.experiment import ExperimentResults
from inexview.core.latex import escaped, latex_table
from inexview.core.retrieval.retrieve import in_words
from inexview.core.wording import counted

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:76em;margin:3em auto;padding:0 1em;color:#1b1f24}"
    "table{border-collapse:collapse;margin:1em 0 2em}th,td{padding:.3em .8em;text-align:right}"
    "th:first-child,td:first-child{text-align:left}thead{border-bottom:2px solid #1b1f24}"
    "tbody tr+tr{border-top:1px solid #d8dde3}td{font-variant-numeric:tabular-nums}"
    "div{overflow-x:auto}code{font-size:12px;overflow-wrap:anywhere}"
)


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of words and figures; ``best`` are the (row, column) of cells to mark, columns from 0."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    best: frozenset[tuple[int, int]] = frozenset()


def report_tables(results: ExperimentResults) -> list[ReportTable]:
    tables = [_systems(results.scores)]
    if results.comparison is not None:
        tables.append(_pairs(results.comparison))
        tables.append(_topics(results.scores, results.comparison.measure))
    return tables


def html_report(results: ExperimentResults) -> str:
    """Return the report as a page that needs nothing else."""
    title = escape(results.plan.title)
    made = (
        f"<dt>{escape(scores.id)}</dt><dd><code>{escape(in_words(described))}</code></dd>"
        for scores, described in zip(results.scores, results.descriptions, strict=True)
    )
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="en"><meta charset="utf-8"><title>{title}</title>',
            f"<style>{_STYLE}</style>",
            f"<h1>{title}</h1>",
            f"<p>{escape(_about(results))}</p>",
            *map(_html, report_tables(results)),
            "<h2>How the runs were made</h2>",
            "<dl>",
            *made,
            "</dl>",
            *(f"<p>Note: {escape(warning)}</p>" for warning in results.warnings),
            "</html>\n",
        ]
    )


def latex_report(results: ExperimentResults) -> str:
    about = " ".join(f"% {results.plan.title}: {_about(results)}".split())  # one line, whatever ends a line
    return "\n".join([about, "", *map(_latex, report_tables(results))])


def _about(results: ExperimentResults) -> str:
    first = results.scores[0]
    tested = ""
    if results.comparison is not None:
        comparison = results.comparison
        how = comparison.testing.described(comparison.most_topics)
        tested = f"; {how}, {comparison.testing.correction.named} for {comparison.family}"
    return (
        f"{counted(len(results.scores), 'run')} on {counted(len(first.topics), 'judged topic')}; "
        f"task {first.task.value}, preset {first.preset.name}{tested}"
    )


def _systems(scores: Sequence[RunScores]) -> ReportTable:
    names = scores[0].mean_names
    means = [[one.mean[name] for name in names] for one in scores]
    topics = [len(one.topics) for one in scores]
    best = {
        (row, column + 1)
        for column, values in enumerate(zip(*means, strict=True))
        for row, bold in enumerate(are_best(values, topics))
        if bold
    }
    rows = ((one.id, *map(_figure, values)) for one, values in zip(scores, means, strict=True))
    return ReportTable("Systems", ("run", *names), tuple(rows), frozenset(best))


def _pairs(comparison: Comparison) -> ReportTable:
    table = pairs_table(comparison)
    rows = tuple(tuple(cell.said for cell in row) for row in table.rows)
    return ReportTable(f"Pairs by {comparison.measure}", table.head, rows)


def _topics(scores: Sequence[RunScores], measure: str) -> ReportTable:
    topics = list(dict.fromkeys(topic for one in scores for topic in one.topics))
    columns = [dict(zip(one.topics, one.per_topic(measure).tolist(), strict=True)) for one in scores]
    rows = ((topic, *(_figure(own[topic]) if topic in own else "–" for own in columns)) for topic in topics)
    return ReportTable(f"Topics by {measure}", ("topic", *(one.id for one in scores)), tuple(rows))


def _figure(value: float) -> str:
    return f"{value:.4f}".replace("-", "−")


def _html(table: ReportTable) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.header)
    rows = (
        "<tr>"
        + "".join(
            f"<td><b>{escape(cell)}</b></td>" if (row, column) in table.best else f"<td>{escape(cell)}</td>"
            for column, cell in enumerate(cells)
        )
        + "</tr>"
        for row, cells in enumerate(table.rows)
    )
    body = "\n".join(rows)
    return (
        f"<h2>{escape(table.title)}</h2>\n<div><table><thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _latex(table: ReportTable) -> str:
    lines = (
        [
            rf"\textbf{{{escaped(cell)}}}" if (row, column) in table.best else escaped(cell)
            for column, cell in enumerate(cells)
        ]
        for row, cells in enumerate(table.rows)
    )
    return latex_table(table.title, "l" + "r" * (len(table.header) - 1), table.header, lines)
