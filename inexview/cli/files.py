"""`inexview agree`, `describe` and `convert`: the content of files of judgements, and their formats."""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from inexview.cli.common import (
    BAD_INPUT,
    FINE,
    PROBLEMS,
    Watch,
    add_collection_argument,
    add_overwrite_argument,
    check_outputs,
    complain,
)
from inexview.cli.judges import add_model_arguments, run_models
from inexview.cli.scoring import (
    add_found_arguments,
    add_qrels_format_argument,
    add_subset_arguments,
    found_judgements,
    part_of,
    positive,
    read_judgements,
    subset_of,
    warn,
)
from inexview.cli.tables import FORMATS, Table, TableCell, json_fields, json_value, print_json
from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.agreement import (
    SCALE,
    Agreement,
    Contingency,
    DescribedTopic,
    Description,
    TopicAgreement,
    agree,
    agree_among,
    agree_among_elements,
    agree_on_elements,
    describe,
    describe_elements,
)
from inexview.core.files import write_complete
from inexview.core.formats.conversion import (
    Conversion,
    Converted,
    check_free,
    conversion_of,
    convert,
    is_folder,
    read_content,
    target_for,
    write_whole,
)
from inexview.core.formats.format import (
    BUNDLES,
    RUNS,
    TOPIC_LINES,
    FileKind,
    Format,
    Options,
    bundle_format,
    format_named,
    formats,
    names_of,
)
from inexview.core.formats.passage_lines import write_fol_qrels
from inexview.core.formats.readers import format_of
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import Joint, Pool, Qrels, joint_judgements
from inexview.core.judgements.runs import ResultType, Run, Submission
from inexview.core.plugins import package_of
from inexview.core.progress import Progress
from inexview.core.report import SEPARATED
from inexview.core.retrieval.retrieve import PoolRanking, pool_rankings
from inexview.core.wording import counted, some_named


def agree_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "agree",
        description="Compare two assessors' judgements of the same topics, on the documents that both "
        "judged. Agreement is intersection over union (∩/∪) of what they judged relevant: documents, the "
        "number of grades of specificity (S1 ≤ 1/3 < S2 ≤ 2/3 < S3), and characters, also with Cohen's κ. "
        "The distance of the best entry points is shown too. For assessments of elements, agreement on "
        "elements and grades of exhaustivity is added, with the grades of elements that both judged "
        "relevant. For more than two assessors: each pair, their mean, and Fleiss' κ.",
        epilog="exit status: 0 success, 1 no topic in common, 2 bad input",
    )
    parser.add_argument(
        "qrels",
        type=Path,
        nargs="+",
        metavar="QRELS",
        help="the judgements of two or more assessors: projects, qrels, or assessment XML (a file or a "
        "folder); a project contributes its own assessor's finished documents, counted in code points",
    )
    parser.add_argument(
        "--scale",
        type=int,
        choices=range(1, 11),
        default=SCALE,
        metavar="N",
        help="the number of grades of specificity",
    )
    add_qrels_format_argument(parser)
    add_subset_arguments(parser)
    add_found_arguments(parser)
    add_collection_argument(parser, "the articles; required to compare the passages of assessment XML")
    add_model_arguments(parser)
    parser.add_argument(
        "--format", choices=FORMATS, default="table", help="the output format (default: table)"
    )
    for how in Joint:
        parser.add_argument(
            f"--{how.value}",
            type=Path,
            metavar="FILE",
            help=f"write the {how.value} of two assessors' judgements as FOL qrels",
        )
    add_overwrite_argument(parser, "FILE")
    parser.set_defaults(run=_run_agree)


def _run_agree(arguments: Namespace) -> int:
    if len(arguments.qrels) < 2 and not arguments.model:
        raise InexviewError("agreement needs two or more assessors")
    joint = (getattr(arguments, how.value) for how in Joint)
    sources = [*arguments.qrels, arguments.collection]
    check_outputs(joint, sources, overwrite=arguments.overwrite)
    subset = subset_of(arguments)
    read = [_read(path, arguments) for path in arguments.qrels]
    parts = [part_of(own, subset, path) for own, path in zip(read, arguments.qrels, strict=True)]
    judged, status = found_judgements(parts, arguments)
    if arguments.model:
        (person,) = judged if len(judged) == 1 else (None,)
        if not isinstance(person, Qrels):
            raise InexviewError("--model needs the judgements of one person, on characters or documents")
        return max(status, run_models(person, arguments))
    if len(judged) > 2:
        if arguments.union or arguments.intersection:
            raise InexviewError("union and intersection need exactly two assessors")
        return max(status, _several(judged, arguments))
    return max(status, _two(judged[0], judged[1], arguments))


def _read(path: Path, arguments: Namespace) -> Qrels | ElementQrels:
    """Read the judgements of one assessor; from a project, those that its own assessor has finished."""
    from inexview.core.project.import_judgements import is_project  # here, because most calls read no project

    if arguments.qrels_format is not None or not is_project(path):
        return read_judgements(path, arguments.collection, arguments.qrels_format)
    from inexview.cli.record import tell_damage
    from inexview.core.project.judgement_export import judgements_of
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
        complain("the assessors have no topic in common, so they cannot be compared")
        return PROBLEMS
    if agreement.overall.unlocated:
        unlocated = counted(agreement.overall.unlocated, "document")
        complain(f"warning: {unlocated} relevant without passages, ignored for characters")
    _print(agreement, arguments)
    return FINE


def _print(agreement: Agreement, arguments: Namespace) -> None:
    if arguments.format == "json":
        print_json(_agreement_json(agreement, arguments))
    elif arguments.format in SEPARATED:
        print(_all_counts(agreement).rendered(arguments.format), end="")
    else:
        print(_overall(agreement).rendered(arguments.format))
        if agreement.overall.graded:
            print(_weighted(agreement).rendered(arguments.format))
        print(_agreement_by_topic(agreement).rendered(arguments.format), end="")


def _write_joint(left: Qrels | ElementQrels, right: Qrels | ElementQrels, arguments: Namespace) -> None:
    for how in Joint:
        path: Path | None = getattr(arguments, how.value)
        if path is None:
            continue
        if isinstance(left, ElementQrels) or isinstance(right, ElementQrels):
            raise InexviewError(f"--{how.value} needs passages, but an assessor judged elements")
        write_complete(path, partial(write_fol_qrels, joint_judgements(left, right, how)))


def _compared(left: Qrels | ElementQrels, right: Qrels | ElementQrels, path: Path, scale: int) -> Agreement:
    """Compare two assessors; raises DataError, naming the second's file, if one judges elements."""
    if isinstance(left, ElementQrels) and isinstance(right, ElementQrels):
        return agree_on_elements(left, right, scale=scale)
    if isinstance(left, Qrels) and isinstance(right, Qrels):
        return agree(left, right, scale=scale)
    raise DataError(
        "one assessor judged elements and the other passages; compare two of the same kind", path=path
    )


def _several(judged: Sequence[Qrels | ElementQrels], arguments: Namespace) -> int:
    """Compare more than two assessors, by their passages or by their elements, and print."""
    passages = [own for own in judged if isinstance(own, Qrels)]
    elements = [own for own in judged if isinstance(own, ElementQrels)]
    if passages and elements:
        raise InexviewError(
            "some assessors judged elements and some passages; compare assessors of the same kind"
        )
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
    """Return κ over the grades of documents that both judged, plain and weighted by distance."""
    rows: list[tuple[TableCell, ...]] = [
        (name, pairs.items, *(pairs.kappa(power) for power in (0, 1, 2)))
        for name, pairs in agreement.overall.graded.items()
    ]
    return Table(("grades", "judged by both", "κ", "κ linear", "κ quadratic"), rows)


# -- output -------------------------------------------------------------------------------------------


def _overall(agreement: Agreement) -> Table:
    """Return one row for each kind of comparison, over all topics."""
    everything = agreement.overall
    rows = [(*_row("documents judged", everything.judged), None, None)]
    rows += [(*_row(what, counted), *agreement.mean(what)) for what, counted in everything.compared.items()]
    return Table(("all topics", "A", "B", "∩", "∪", "∩/∪", "κ", "mean ∩/∪", "mean κ"), rows)


def _row(what: str, counted: Contingency) -> tuple[TableCell, ...]:
    a, b = counted.both + counted.only_a, counted.both + counted.only_b
    return what, a, b, counted.both, counted.either, counted.overlap, counted.kappa


def _agreement_by_topic(agreement: Agreement) -> Table:
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
    """Return all counts, a row for each topic and kind of comparison."""
    return Table(
        ("topic", "what", "a", "b", "both", "either", "overlap", "kappa"),
        [
            (topic.topic, *_row(what, counted))
            for topic in (*agreement.topics, agreement.overall)
            for what, counted in {"documents judged": topic.judged, **topic.compared}.items()
        ],
    )


def _agreement_json(agreement: Agreement, arguments: Namespace) -> dict[str, Any]:
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


# `inexview describe JUDGEMENTS`: the statistics of judgements that papers print.


def describe_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "describe",
        description="Print statistics of judgements: documents, passages and relevant text per topic, their "
        "distributions, the share of relevant text, and the grades of documents or elements.",
        epilog="exit status: 0 success, 1 a run of --found-by cannot be used, 2 bad input",
    )
    add = parser.add_argument
    add("qrels", type=Path, metavar="JUDGEMENTS", help="qrels, or assessment XML (a file or a folder)")
    add_collection_argument(parser, "the articles; required for the passages of assessment XML")
    add(
        "--scale",
        type=int,
        choices=range(1, 11),
        default=SCALE,
        metavar="N",
        help="the number of grades of specificity",
    )
    add_qrels_format_argument(parser)
    add_subset_arguments(parser)
    add_found_arguments(parser)
    add("--format", choices=FORMATS, default="table", help="the output format (default: table)")
    parser.set_defaults(run=_run_describe)


def _run_describe(arguments: Namespace) -> int:
    table = arguments.format == "table" and arguments.qrels_format is None
    if table and (said := said_of_bundle(arguments.qrels)):
        print(said)
    judgements = read_judgements(arguments.qrels, arguments.collection, arguments.qrels_format)
    part = part_of(judgements, subset_of(arguments), arguments.qrels)
    (judged,), status = found_judgements([part], arguments)
    described = (
        describe_elements(judged, scale=arguments.scale)
        if isinstance(judged, ElementQrels)
        else describe(judged)
    )
    if arguments.format == "json":
        print_json(_description_json(described))
    elif arguments.format in SEPARATED:
        print(_by_topic(described).rendered(arguments.format), end="")
    else:
        print("\n".join(table.rendered(arguments.format) for table in _tables(described)), end="")
    return status


def said_of_bundle(path: Path) -> str:
    """Return a summary of a benchmark or an annotation tool's file and its quotes; "" for other files."""
    if not path.exists() or bundle_format(path) is None:
        return ""
    # imports the reading of articles
    from inexview.core.formats.bundle_files import checked_passages, read_bundle

    bundle = read_bundle(path)
    return f"{bundle.sentence()}; {checked_passages(bundle)[1].sentence()}\n"


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


def _description_json(described: Description) -> dict[str, Any]:
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


# `inexview convert`: write judgements, runs, topics and pools in another format.

_DESCRIPTION = """\
Convert judgements, a run, topics or a pool to another format. The format of IN is recognised from
its content; the format of OUT follows from its suffix, or from --to. If OUT cannot store
everything, the losses are listed, and nothing is written without --lossy. IN may be a folder of
assessments, topics or pools. OUT/, with a slash, is a folder with one file for each topic."""


def convert_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "convert",
        usage="inexview convert IN OUT [--from FORMAT] [--to FORMAT] [--collection C] [--lossy] …\n"
        "       inexview convert RUN… OUT --to pool --depth N",
        description=_DESCRIPTION,
        epilog=_listed()
        + "\n\nexit status: 0 everything was written, 1 written with losses or warnings, 2 not written",
        formatter_class=RawDescriptionHelpFormatter,
    )
    names = names_of()
    add = parser.add_argument
    add(
        "files",
        type=Path,
        nargs="+",
        metavar="IN",
        help="the file or folder to convert (several runs with --depth)",
    )
    add("out", type=str, metavar="OUT", help="the file to write, or the folder")
    add(
        "--from",
        dest="source",
        choices=names,
        metavar="FORMAT",
        help="the format of IN, if it is not recognised",
    )
    add("--to", dest="target", choices=names, metavar="FORMAT", help="the format of OUT")
    add_collection_argument(parser, "the articles; required to convert points, elements or bytes")
    add("--lossy", action="store_true", help="write OUT even if something is lost")
    add_overwrite_argument(parser, "OUT")
    add(
        "--result-type",
        choices=[kind.value for kind in ResultType],
        metavar="TYPE",
        help="how a submission identifies results: " + ", ".join(ResultType),
    )
    add_white_space_argument(parser)
    add(
        "--binary",
        action="store_true",
        help="write 1 for relevant documents in TREC qrels (default: their rsize)",
    )
    add(
        "--depth",
        type=positive,
        metavar="N",
        help="make a pool of the first N documents of each run, taken in turn",
    )
    add(
        "--fol-end",
        action="store_true",
        help="the last field of a text run is the end of the passage, not its length",
    )
    add("--topics", type=Path, metavar="OUT2", help="also write a benchmark's questions as topics to OUT2")
    parser.set_defaults(run=_run_convert)


def _listed() -> str:
    judged = (pair[0] for pair in BUNDLES.values())
    lines = []
    for format in (*formats(), *judged):
        package = package_of(format)
        lines.append(f"  {format.name:<17} {format.title}{f' (of {package})' if package else ''}")
    return "formats:\n" + "\n".join(lines)


def add_white_space_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--whitespace",
        choices=("keep", "strip"),
        default="keep",
        help="whether XML points count text nodes that are only white space (default: keep)",
    )


def _run_convert(arguments: Namespace) -> int:
    files, out = arguments.files, Path(arguments.out)
    sources = [*files, arguments.collection]
    check_free(out, sources, overwrite=arguments.overwrite, folder=is_folder(out, arguments.out))
    if arguments.topics is not None:
        check_free(arguments.topics, [*sources, out], overwrite=arguments.overwrite)
    with Watch() as watch:
        options = _options(arguments, watch)
        try:
            if arguments.depth is None:
                target, converted = _converted(files, out, arguments, options)
            else:
                target, converted = _pooled(files, out, arguments, options)
            watch.hide()
            warn(converted.warnings)
            if not agreed(converted.lost, target, lossy=arguments.lossy):
                return BAD_INPUT
            write_whole(converted.content, target, out, options, folder=is_folder(out, arguments.out))
        finally:
            if options.collection is not None:
                options.collection.close()
    print(f"{out}: {target.title}")
    if arguments.topics is not None:
        write_complete(arguments.topics, lambda part: TOPIC_LINES.write(read_topics(files[0]), part, options))
        print(f"{arguments.topics}: {TOPIC_LINES.title}")
    return PROBLEMS if converted.lost or converted.warnings else FINE


def _options(arguments: Namespace, progress: Progress) -> Options:
    collection = None
    if arguments.collection is not None:
        from inexview.core.collection.collection import (
            Collection,  # imports the reading of articles, which most conversions do not need
        )

        collection = Collection.open(arguments.collection)
    return Options(
        collection,
        fol_end=arguments.fol_end,
        strip=arguments.whitespace == "strip",
        graded=not arguments.binary,
        progress=progress,
        template=arguments.files[0] if bundle_format(arguments.files[0]) is not None else None,
    )


def _converted(
    files: list[Path], out: Path, arguments: Namespace, options: Options
) -> tuple[Format, Converted]:
    if len(files) > 1:
        raise DataError("one file at a time (several runs make a pool with --depth)", path=files[1])
    named = None if arguments.result_type is None else ResultType(arguments.result_type)
    conversion = conversion_of(files[0], out, arguments.source, arguments.target, options, named)
    try:
        return conversion.target, convert(read_content(files[0], conversion), conversion)
    except DataError as error:
        if error.path is None:
            raise DataError(str(error), path=files[0]) from error
        raise


def _pooled(files: list[Path], out: Path, arguments: Namespace, options: Options) -> tuple[Format, Converted]:
    """Pool runs: for each topic the documents at the first ranks of any run."""
    target = target_for(FileKind.POOL, out) if arguments.target is None else format_named(arguments.target)
    if target.kind is not FileKind.POOL:
        raise DataError("--depth makes a pool: add --to pool or --to pool-list", path=out)
    pool_of = format_named("pool")
    rankings: dict[str, list[PoolRanking]] = {}
    warnings: list[str] = []
    for file in files:
        source = format_of(file) if arguments.source is None else format_named(arguments.source)
        if source.kind not in RUNS:
            raise DataError(f"holds {source.kind}: --depth needs runs", path=file)
        conversion = Conversion(source, pool_of, options)
        content = read_content(file, conversion)
        assert isinstance(content, Run | Submission), "it is one of RUNS"
        name = content.name if isinstance(content, Submission) else content.id
        converted = convert(content, conversion)
        assert isinstance(converted.content, Pool)
        for topic in converted.content.topics:
            documents = converted.content.documents(topic)[: arguments.depth]
            rankings.setdefault(topic, []).append(PoolRanking(name, documents, {}, {}))
        warnings.extend(converted.warnings)
    return target, Converted(pool_rankings(rankings), (), tuple(warnings))


def agreed(lost: Sequence[str], target: Format, *, lossy: bool) -> bool:
    """Print what is lost, and return whether to write anyway."""
    if not lost:
        return True
    if lossy:
        complain(f"lost in {target.name}: {', '.join(lost)}")
        return True
    complain(f"{target.name} cannot store {', '.join(lost)}: not written; --lossy writes the rest")
    return False
