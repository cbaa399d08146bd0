"""`inexview pool`: choose from runs what is judged."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Sequence
from pathlib import Path

from inexview.cli.common import FINE, PROBLEMS, add_collection_argument
from inexview.cli.judgements import read_judgements, warn
from inexview.cli.outputs import add_output_argument, add_overwrite_argument
from inexview.cli.run_files import read_runs
from inexview.cli.scoring_arguments import add_run_format_arguments, positive, run_options
from inexview.core.errors import InexviewError
from inexview.core.formats.convert.targets import check_free, target_for, write_whole
from inexview.core.formats.format import FileKind, Options
from inexview.core.formats.format_registry import format_named
from inexview.core.judgements.qrels import Pool, Qrels
from inexview.core.project_name import PROJECT_SUFFIX
from inexview.core.retrieval.run_fusion import METHODS, pool_runs
from inexview.core.wording import counted, some_named


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "pool",
        description="Pool runs: of each topic the first N documents of each run. Pool XML and projects keep "
        "which run found each document at which rank.",
        epilog="orders: rank takes runs in turn; combmnz and rrf add up scores and reciprocal ranks; overlap "
        "begins with what most runs have in the same place; move-to-front follows the run that does best by "
        "--qrels. exit status: 0 written, 1 written with warnings, 2 not written",
    )
    add = parser.add_argument
    add("runs", type=Path, nargs="+", metavar="RUN", help="FOL or TREC text, or submission XML")
    where = parser.add_mutually_exclusive_group(required=True)
    add_output_argument(
        where,
        "OUT",
        "pool XML (.xml), a list (.txt), or a new project (.inexview, with --collection and --topics)",
    )
    where.add_argument(
        "--into",
        type=Path,
        metavar="PROJECT.inexview",
        help="add to the pool of this project; no window may have it open",
    )
    add("--depth", type=positive, required=True, metavar="N", help="documents of each run")
    add("--per-topic", type=positive, metavar="N", help="documents of each topic at most")
    add("--method", choices=list(METHODS), default="rank", help="the order (default: rank)")
    add("--qrels", type=Path, metavar="FILE", help="what is relevant as far as it is known")
    add_collection_argument(parser, "the articles")
    add("--topics", type=Path, metavar="FILE", help="the topics of the project")
    add_run_format_arguments(parser)
    add_overwrite_argument(parser, "OUT")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    out: Path = arguments.into or arguments.out
    whole = arguments.into is None and out.suffix == PROJECT_SUFFIX
    if whole and (arguments.collection is None or arguments.topics is None):
        raise InexviewError(f"{out}: a project needs --collection and --topics")
    if not whole and arguments.into is None:
        sources = [*arguments.runs, arguments.qrels, arguments.collection, arguments.topics]
        check_free(out, sources, overwrite=arguments.overwrite)
    qrels = None if arguments.qrels is None else read_judgements(arguments.qrels, arguments.collection)
    if qrels is not None and not isinstance(qrels, Qrels):
        raise InexviewError(f"{arguments.qrels}: elements are judged here; give --collection for their text")
    if qrels is None and arguments.method == "move-to-front":
        raise InexviewError("move-to-front follows the run that finds what is relevant: give --qrels")
    runs, warnings = read_runs(arguments.runs, arguments.collection, run_options(arguments))
    pool = pool_runs(
        runs, arguments.depth, method=arguments.method, per_topic=arguments.per_topic, qrels=qrels
    )
    pooled = sum(map(len, pool.topics.values()))
    said = f"{counted(pooled, 'document')} for {counted(len(pool.topics), 'topic')}"
    if arguments.into is not None:
        said = _add_to_project(out, pool, warnings)
    elif whole:
        warnings += _make_project(out, pool, arguments)
    else:
        target = target_for(FileKind.POOL, out) if out.suffix else format_named("pool")
        write_whole(pool, target, out, Options(), folder=False)
    warn(tuple(warnings))
    print(f"{out}: {said}")
    return PROBLEMS if warnings else FINE


def _add_to_project(path: Path, pool: Pool, warnings: list[str]) -> str:
    """Add to the pool of a project that there is, and say what became of it."""
    from inexview.core.project.pool_addition import add_pool
    from inexview.core.project.project import Project

    with Project.open(path) as project:
        if project.newer_copy is not None:
            warnings.append(f"{path}: {project.newer_copy}; perhaps an older file was put back")
        added = add_pool(project, pool)
    if added.unknown_topics:
        listed = some_named(added.unknown_topics)
        number = counted(len(added.unknown_topics), "topic")
        warnings.append(f"{path}: the project does not have {number} of the runs: {listed}")
    return f"{counted(added.documents, 'document')} added to the pool, {added.pooled_before:,} in it already"


def _make_project(out: Path, pool: Pool, arguments: Namespace) -> Sequence[str]:
    from inexview.core.project.project import Project

    with Project.create(out, collection=arguments.collection, topics=arguments.topics, pool=pool) as project:
        return tuple(project.documents.warnings())
