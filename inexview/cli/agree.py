"""`inexview agree QRELS_A QRELS_B`: how far two assessors agree, as in HiXEval §2.2."""

from __future__ import annotations

import json
import math
from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path
from typing import Any

from inexview.cli.common import FINE, PROBLEMS, complain
from inexview.cli.judgements import read_judgements
from inexview.cli.table_output import FORMATS, Cell, Table
from inexview.core.errors import DataError
from inexview.core.evaluation.agreement import (
    Agreement,
    Contingency,
    TopicAgreement,
    agree,
    agree_on_elements,
)
from inexview.core.judgements.element_qrels import ElementQrels
from inexview.core.judgements.qrels import Qrels
from inexview.core.wording import counted


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Describe the command."""
    parser = subparsers.add_parser(
        "agree",
        description="Compare two assessors' judgements of the same topics: what both call relevant over what "
        "either does (∩/∪), for documents, for grades of specificity (S1 ≤ 1/3 < S2 ≤ 2/3 < S3), for "
        "characters with Cohen's κ, and how far apart the best entry points lie; for assessments of elements "
        "also elements and grades of exhaustivity. Only documents that both judged are compared.",
        epilog="exit status: 0 fine, 1 no topic in common, 2 bad input",
    )
    parser.add_argument(
        "a", type=Path, metavar="QRELS_A", help="qrels, or assessment XML (a file or a folder)"
    )
    parser.add_argument("b", type=Path, metavar="QRELS_B", help="the other assessor's")
    parser.add_argument(
        "--collection",
        type=Path,
        metavar="COLLECTION",
        help="the articles, to compare the passages of assessment XML",
    )
    parser.add_argument("--format", choices=FORMATS, default="table", help="how to print (default: table)")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    """Read, compare and print."""
    agreement = _compared(arguments.a, arguments.b, arguments.collection)
    for name, path, alone in (("A", arguments.a, agreement.only_a), ("B", arguments.b, agreement.only_b)):
        if alone:
            complain(f"warning: {path}: only {name} judged {_listed(alone)}; left out")
    if not agreement.topics:
        complain("the two have no topic in common: there is nothing to compare")
        return PROBLEMS
    if agreement.overall.unlocated:
        unlocated = counted(agreement.overall.unlocated, "document")
        complain(f"warning: {unlocated} called relevant without passages, left out of the characters")
    if arguments.format == "json":
        print(json.dumps(_as_json(agreement, arguments), ensure_ascii=False, indent=1))
    elif arguments.format in ("csv", "tsv"):
        print(_all_counts(agreement).rendered(arguments.format), end="")
    else:
        print(_overall(agreement).rendered(arguments.format))
        print(_by_topic(agreement).rendered(arguments.format), end="")
    return FINE


def _compared(a: Path, b: Path, collection: Path | None) -> Agreement:
    """Read both files and compare them; raises DataError where they judge different things."""
    left, right = read_judgements(a, collection), read_judgements(b, collection)
    if isinstance(left, ElementQrels) and isinstance(right, ElementQrels):
        return agree_on_elements(left, right)
    if isinstance(left, Qrels) and isinstance(right, Qrels):
        return agree(left, right)
    raise DataError("one judges elements and the other passages; compare two of a kind", path=b)


def _listed(topics: tuple[str, ...], limit: int = 5) -> str:
    listed = ", ".join(topics[:limit]) + (", …" if len(topics) > limit else "")
    return f"{counted(len(topics), 'topic')} ({listed})"


# -- what is printed ----------------------------------------------------------------------------------


def _overall(agreement: Agreement) -> Table:
    """Return one row for each thing compared, over all topics."""
    everything = agreement.overall
    rows = [_row("documents judged", everything.judged)]
    rows += [_row(what, counted) for what, counted in everything.compared.items()]
    return Table(("all topics", "A", "B", "∩", "∪", "∩/∪", "κ"), rows)


def _row(what: str, counted: Contingency) -> tuple[Cell, ...]:
    a, b = counted.both + counted.only_a, counted.both + counted.only_b
    return what, a, b, counted.both, counted.either, counted.overlap, counted.kappa


def _by_topic(agreement: Agreement) -> Table:
    """Return one row of ∩/∪ for each topic, and the last for all."""
    names = tuple(agreement.overall.compared)
    characters = "characters" in names
    headings = ("topic", "judged by both", *names)
    return Table(
        (*headings, "κ", "BEPs apart (median)") if characters else headings,
        [_topic_row(topic, names) for topic in (*agreement.topics, agreement.overall)],
    )


def _topic_row(topic: TopicAgreement, names: tuple[str, ...]) -> tuple[Cell, ...]:
    shares = tuple(topic.compared[name].overlap for name in names)
    row: tuple[Cell, ...] = (topic.topic, topic.judged.both, *shares)
    if "characters" not in names:
        return row
    apart = topic.median_entry_distance
    return *row, topic.compared["characters"].kappa, int(apart) if apart.is_integer() else apart


def _all_counts(agreement: Agreement) -> Table:
    """Return everything, a row for each topic and thing compared."""
    return Table(
        ("topic", "what", "a", "b", "both", "either", "overlap", "kappa"),
        [
            (topic.topic, *_row(what, counted))
            for topic in (*agreement.topics, agreement.overall)
            for what, counted in {"documents judged": topic.judged, **topic.compared}.items()
        ],
    )


def _as_json(agreement: Agreement, arguments: Namespace) -> dict[str, Any]:
    return {
        "a": str(arguments.a),
        "b": str(arguments.b),
        "only_a": agreement.only_a,
        "only_b": agreement.only_b,
        "topics": {topic.topic: _topic_json(topic) for topic in agreement.topics},
        "overall": _topic_json(agreement.overall),
    }


def _topic_json(topic: TopicAgreement) -> dict[str, Any]:
    compared = {"documents judged": topic.judged, **topic.compared}
    return {
        **{what: _contingency_json(counted) for what, counted in compared.items()},
        "entry_distances": {
            "documents": len(topic.entry_distances),
            "median": _number(topic.median_entry_distance),
        },
        "documents_without_passages": topic.unlocated,
    }


def _contingency_json(counted: Contingency) -> dict[str, Any]:
    _, a, b, both, either, overlap, kappa = _row("", counted)
    named = {"a": a, "b": b, "both": both, "either": either, "neither": counted.neither}
    return {**named, "overlap": _number(overlap), "kappa": _number(kappa)}


def _number(value: Cell) -> Cell:
    """Return None for NaN, which JSON does not have."""
    return None if isinstance(value, float) and math.isnan(value) else value
