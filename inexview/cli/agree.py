"""`inexview agree QRELS_A QRELS_B`: how far two assessors agree, as in HiXEval §2.2."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from inexview.cli.common import FINE, PROBLEMS, add_collection_argument, complain
from inexview.cli.found_documents import add_found_arguments, found_judgements
from inexview.cli.judgements import add_qrels_format_argument, read_judgements
from inexview.cli.outputs import add_overwrite_argument, check_outputs
from inexview.cli.subset_options import add_subset_arguments, part_of, subset_of
from inexview.cli.table_output import FORMATS, Table, TableCell, json_value, print_json
from inexview.core.durable import write_complete
from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.assessors.agreement import (
    SCALE,
    Agreement,
    Contingency,
    TopicAgreement,
    agree,
    agree_on_elements,
)
from inexview.core.evaluation.assessors.several_assessors import agree_among, agree_among_elements
from inexview.core.formats.tables.fol_qrels import write_fol_qrels
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import Joint, Qrels, joint_judgements
from inexview.core.report import SEPARATED
from inexview.core.wording import counted, some_named


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "agree",
        description="Compare two assessors' judgements of the same topics: what both call relevant over what "
        "either does (∩/∪), for documents, for grades of specificity (S1 ≤ 1/3 < S2 ≤ 2/3 < S3), for "
        "characters with Cohen's κ, and how far apart the best entry points lie; for assessments of elements "
        "also elements and grades of exhaustivity, and the grades of those that both found relevant. Only "
        "documents that both judged are compared. Of more than two assessors: each pair, their mean, and "
        "Fleiss' κ.",
        epilog="exit status: 0 fine, 1 no topic in common, 2 bad input",
    )
    parser.add_argument(
        "qrels",
        type=Path,
        nargs="+",
        metavar="QRELS",
        help="of two assessors, or of more: projects, qrels, or assessment XML (a file or a folder); of a "
        "project what its own assessor finished, counted in code points",
    )
    parser.add_argument(
        "--scale", type=int, choices=range(1, 11), default=SCALE, metavar="N", help="grades of specificity"
    )
    add_qrels_format_argument(parser)
    add_subset_arguments(parser)
    add_found_arguments(parser)
    add_collection_argument(parser, "the articles, to compare the passages of assessment XML")
    parser.add_argument("--format", choices=FORMATS, default="table", help="how to print (default: table)")
    for how in Joint:
        parser.add_argument(
            f"--{how.value}", type=Path, metavar="FILE", help=f"write the {how.value} of two as FOL qrels"
        )
    add_overwrite_argument(parser, "FILE")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    if len(arguments.qrels) < 2:
        raise InexviewError("one assessor agrees with no one: give two or more")
    joint = (getattr(arguments, how.value) for how in Joint)
    sources = [*arguments.qrels, arguments.collection]
    check_outputs(joint, sources, overwrite=arguments.overwrite)
    subset = subset_of(arguments)
    read = [_read(path, arguments) for path in arguments.qrels]
    parts = [part_of(own, subset, path) for own, path in zip(read, arguments.qrels, strict=True)]
    judged, status = found_judgements(parts, arguments)
    if len(judged) > 2:
        if arguments.union or arguments.intersection:
            raise InexviewError("union and intersection are of two assessors: give two")
        return max(status, _several(judged, arguments))
    return max(status, _two(judged[0], judged[1], arguments))


def _read(path: Path, arguments: Namespace) -> Qrels | ElementQrels:
    """Read what one assessor judged: of a project what its own assessor finished."""
    from inexview.core.project.exchange.layers import is_project  # here: most read no project

    if arguments.qrels_format is not None or not is_project(path):
        return read_judgements(path, arguments.collection, arguments.qrels_format)
    from inexview.cli.project_damage import tell_damage
    from inexview.core.project.exchange.judged_documents import judgements_of
    from inexview.core.project.project import Project

    with Project.open(path, read_only=True) as project:
        tell_damage(project)
        judged = judgements_of(project, code_points=True, own=True)
    if judged.left_out:
        complain(f"warning: {path}: {counted(len(judged.left_out), 'document')} not finished; left out")
    return Qrels.from_judgements(judged.judgements)


def _two(left: Qrels | ElementQrels, right: Qrels | ElementQrels, arguments: Namespace) -> int:
    """Compare two assessors, and print."""
    a, b = arguments.qrels
    _write_joint(left, right, arguments)
    agreement = _compared(left, right, b, arguments.scale)
    for name, path, alone in (("A", a, agreement.only_a), ("B", b, agreement.only_b)):
        if alone:
            topics = f"{counted(len(alone), 'topic')} ({some_named(alone)})"
            complain(f"warning: {path}: only {name} judged {topics}; left out")
    if not agreement.topics:
        complain("the two have no topic in common: there is nothing to compare")
        return PROBLEMS
    if agreement.overall.unlocated:
        unlocated = counted(agreement.overall.unlocated, "document")
        complain(f"warning: {unlocated} called relevant without passages, left out of the characters")
    _print(agreement, arguments)
    return FINE


def _print(agreement: Agreement, arguments: Namespace) -> None:
    if arguments.format == "json":
        print_json(_as_json(agreement, arguments))
    elif arguments.format in SEPARATED:
        print(_all_counts(agreement).rendered(arguments.format), end="")
    else:
        print(_overall(agreement).rendered(arguments.format))
        if agreement.overall.graded:
            print(_weighted(agreement).rendered(arguments.format))
        print(_by_topic(agreement).rendered(arguments.format), end="")


def _write_joint(left: Qrels | ElementQrels, right: Qrels | ElementQrels, arguments: Namespace) -> None:
    for how in Joint:
        path: Path | None = getattr(arguments, how.value)
        if path is None:
            continue
        if isinstance(left, ElementQrels) or isinstance(right, ElementQrels):
            raise InexviewError(f"--{how.value} joins passages, and an assessor judged elements")
        write_complete(path, partial(write_fol_qrels, joint_judgements(left, right, how)))


def _compared(left: Qrels | ElementQrels, right: Qrels | ElementQrels, path: Path, scale: int) -> Agreement:
    """Compare two assessors; raises DataError, naming the second's file, where one judges elements."""
    if isinstance(left, ElementQrels) and isinstance(right, ElementQrels):
        return agree_on_elements(left, right, scale=scale)
    if isinstance(left, Qrels) and isinstance(right, Qrels):
        return agree(left, right, scale=scale)
    raise DataError("one judges elements and the other passages; compare two of a kind", path=path)


def _several(judged: Sequence[Qrels | ElementQrels], arguments: Namespace) -> int:
    """Compare more than two assessors, by their passages or by their elements, and print."""
    passages = [own for own in judged if isinstance(own, Qrels)]
    elements = [own for own in judged if isinstance(own, ElementQrels)]
    if passages and elements:
        raise InexviewError("some judge elements and some passages; compare assessors of a kind")
    if passages:
        found = agree_among(passages, scale=arguments.scale)
    else:
        found = agree_among_elements(elements, scale=arguments.scale)
    what = ("documents", "characters" if passages else "elements")
    names = [str(path) for path in arguments.qrels]
    rows: list[tuple[TableCell, ...]] = []
    for (i, j), pair in found.pairs.items():
        own = [pair.overall.compared.get(one) for one in what]
        figures = [value for one in own for value in ((one.overlap, one.kappa) if one else (None, None))]
        rows.append((names[i], names[j], pair.overall.judged.both, *figures))
    means = [value for one in what for value in found.mean(one)]
    rows.append(("mean of the pairs", "", None, *means))
    rows.append(
        ("all, Fleiss' κ", "", found.documents, None, found.fleiss_documents, None, found.fleiss_characters)
    )
    keys = ("a", "b", "judged", *(f"{one}{figure}" for one in what for figure in ("", "_kappa")))
    if arguments.format == "json":
        listed = [dict(zip(keys, map(json_value, row), strict=True)) for row in rows]
        print_json({"pairs": listed[:-2], "mean": listed[-2], "fleiss": listed[-1]})
    else:
        read = ("assessor", "assessor", "judged by both", f"{what[0]} ∩/∪", "κ", f"{what[1]} ∩/∪", "κ")
        headings = keys if arguments.format in SEPARATED else read
        print(Table(headings, rows).rendered(arguments.format), end="")
    return FINE if found.documents else PROBLEMS


def _weighted(agreement: Agreement) -> Table:
    """Return κ over the grades of what both judged, plain and weighted by how far apart they are."""
    rows: list[tuple[TableCell, ...]] = [
        (name, pairs.items, *(pairs.kappa(power) for power in (0, 1, 2)))
        for name, pairs in agreement.overall.graded.items()
    ]
    return Table(("grades", "judged by both", "κ", "κ linear", "κ quadratic"), rows)


# -- what is printed ----------------------------------------------------------------------------------


def _overall(agreement: Agreement) -> Table:
    """Return one row for each thing compared, over all topics."""
    everything = agreement.overall
    rows = [(*_row("documents judged", everything.judged), None, None)]
    rows += [(*_row(what, counted), *agreement.mean(what)) for what, counted in everything.compared.items()]
    return Table(("all topics", "A", "B", "∩", "∪", "∩/∪", "κ", "mean ∩/∪", "mean κ"), rows)


def _row(what: str, counted: Contingency) -> tuple[TableCell, ...]:
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


def _topic_row(topic: TopicAgreement, names: tuple[str, ...]) -> tuple[TableCell, ...]:
    shares = tuple(topic.compared[name].overlap for name in names)
    row: tuple[TableCell, ...] = (topic.topic, topic.judged.both, *shares)
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
        "a": str(arguments.qrels[0]),
        "b": str(arguments.qrels[1]),
        "only_a": agreement.only_a,
        "only_b": agreement.only_b,
        "topics": {topic.topic: _topic_json(topic) for topic in agreement.topics},
        "overall": _topic_json(agreement.overall),
        "mean": {
            what: dict(zip(("overlap", "kappa"), map(json_value, agreement.mean(what)), strict=True))
            for what in agreement.overall.compared
        },
    }


def _topic_json(topic: TopicAgreement) -> dict[str, Any]:
    compared = {"documents judged": topic.judged, **topic.compared}
    return {
        **{what: _contingency_json(counted) for what, counted in compared.items()},
        "entry_distances": {
            "documents": len(topic.entry_distances),
            "median": json_value(topic.median_entry_distance),
        },
        "documents_without_passages": topic.unlocated,
        "grades": {
            name: {
                "items": pairs.items,
                "kappa": json_value(pairs.kappa(0)),
                "linear": json_value(pairs.kappa(1)),
                "quadratic": json_value(pairs.kappa(2)),
            }
            for name, pairs in topic.graded.items()
        },
    }


def _contingency_json(counted: Contingency) -> dict[str, Any]:
    _, a, b, both, either, overlap, kappa = _row("", counted)
    named = {"a": a, "b": b, "both": both, "either": either, "neither": counted.neither}
    return {**named, "overlap": json_value(overlap), "kappa": json_value(kappa)}
