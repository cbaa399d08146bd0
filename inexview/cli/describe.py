"""`inexview describe JUDGEMENTS`: what judgements are like, in the figures that papers print."""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import asdict
from pathlib import Path
from typing import Any

from inexview.cli.common import add_collection_argument
from inexview.cli.found_documents import add_found_arguments, found_judgements
from inexview.cli.judgements import add_qrels_format_argument, read_judgements
from inexview.cli.subset_options import add_subset_arguments, part_of, subset_of
from inexview.cli.table_output import FORMATS, Table, TableCell, json_fields, json_value, print_json
from inexview.core.evaluation.assessors.agreement import SCALE
from inexview.core.evaluation.assessors.description import (
    DescribedTopic,
    Description,
    describe,
    describe_elements,
)
from inexview.core.judgements.elements import ElementQrels
from inexview.core.report import SEPARATED


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "describe",
        description="Describe judgements: documents, passages and relevant text of each topic, how they "
        "spread, the share of relevant text, and the grades of documents or elements.",
        epilog="exit status: 0 fine, 1 a run of --found-by cannot be used, 2 bad input",
    )
    add = parser.add_argument
    add("qrels", type=Path, metavar="JUDGEMENTS", help="qrels, or assessment XML (a file or a folder)")
    add_collection_argument(parser, "the articles, for passages of assessment XML")
    add("--scale", type=int, choices=range(1, 11), default=SCALE, metavar="N", help="grades of specificity")
    add_qrels_format_argument(parser)
    add_subset_arguments(parser)
    add_found_arguments(parser)
    add("--format", choices=FORMATS, default="table", help="how to print (default: table)")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    judgements = read_judgements(arguments.qrels, arguments.collection, arguments.qrels_format)
    part = part_of(judgements, subset_of(arguments), arguments.qrels)
    (judged,), status = found_judgements([part], arguments)
    described = (
        describe_elements(judged, scale=arguments.scale)
        if isinstance(judged, ElementQrels)
        else describe(judged)
    )
    if arguments.format == "json":
        print_json(_as_json(described))
    elif arguments.format in SEPARATED:
        print(_by_topic(described).rendered(arguments.format), end="")
    else:
        print("\n".join(table.rendered(arguments.format) for table in _tables(described)), end="")
    return status


def _tables(described: Description) -> list[Table]:
    tables = [_by_topic(described), _spreads(described)]
    relevant = described.total.relevant
    if any(described.shares.values()):
        low = 0.0
        rows: list[tuple[TableCell, ...]] = []
        for high, count in described.shares.items():
            rows.append((f"{100 * low:g}–{100 * high:g} %", count, count / sum(described.shares.values())))
            low = high
        tables.append(Table(("relevant text", "documents", "share"), rows))
    if described.total.entries:
        told = (
            ("with a best entry point", described.total.entries),
            ("… where the first passage starts", described.entry_at_first),
        )
        rows = [(what, count, count / relevant) for what, count in told]
        tables.append(Table(("relevant documents", "number", "share"), rows))
    if described.grades:
        rows = [(grade, count, count / described.total.judged) for grade, count in described.grades.items()]
        tables.append(Table(("grade", "documents", "share"), rows))
    if described.elements:
        tables.append(_of_elements(described))
    return tables


def _by_topic(described: Description) -> Table:
    named = "elements" if described.elements else "passages"
    headings = ("topic", "judged", "relevant", named, "BEPs", "relevant characters", "of", "share")
    listed = (*described.topics, described.total)
    return Table(headings, [(*asdict(one).values(), one.share) for one in listed])


def _spreads(described: Description) -> Table:
    rows = [(what, *map(_figure, asdict(own).values())) for what, own in described.spreads.items()]
    return Table(("", "mean", "median", "least", "most"), rows)


def _figure(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:,.2f}".removesuffix(".00")


def _of_elements(described: Description) -> Table:
    """Return the elements by exhaustivity (rows) and specificity (columns)."""
    columns = sorted({grade for _, grade in described.elements})
    rows: list[tuple[TableCell, ...]] = []
    for row in sorted({grade for grade, _ in described.elements}):
        counts = [described.elements.get((row, column), 0) for column in columns]
        rows.append((row, *counts, sum(counts)))
    return Table(("elements", *columns, "all"), rows)


def _as_json(described: Description) -> dict[str, Any]:
    def told(topic: DescribedTopic) -> dict[str, Any]:
        return {**json_fields(topic), "share": json_value(topic.share)}

    return {
        "topics": {one.topic: told(one) for one in described.topics},
        "total": told(described.total),
        "spreads": {what: json_fields(own) for what, own in described.spreads.items()},
        "shares": {f"{high:g}": count for high, count in described.shares.items()},
        "entry_at_first_passage": described.entry_at_first,
        "grades": described.grades,
        "elements": {f"{e} {s}": count for (e, s), count in described.elements.items()},
    }
