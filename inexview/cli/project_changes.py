"""`inexview topics` and `inexview withdraw`: what is to be judged in a project that there is already."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path

from inexview.cli.common import PROBLEMS, complain
from inexview.cli.project_damage import tell_damage
from inexview.cli.project_topics import check_topics
from inexview.core.formats.pool_files import read_pool
from inexview.core.formats.topic_files import read_topics
from inexview.core.project.pool_addition import add_topics, withdraw
from inexview.core.project.project import Project
from inexview.core.wording import counted, some_named


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    topics = subparsers.add_parser(
        "topics",
        description="Add topics to a project, with their pool. Topics that the project has stay as they are, "
        "and so does all that is judged.",
        epilog="exit status: 0 added, 1 added, although something is left out, 2 not added",
    )
    topics.add_argument("project", type=Path, metavar="PROJECT.inexview", help="the project")
    topics.add_argument("topics", type=Path, metavar="TOPICS", help="a topic file, or a folder")
    topics.add_argument(
        "--pool", type=Path, metavar="FILE", help="what to judge for them, XML or 'topic document' lines"
    )
    topics.set_defaults(run=_add)
    taken = subparsers.add_parser(
        "withdraw",
        description="Withdraw documents from a pool: they are to be judged no longer. They can still be "
        "read, and their judgements stay and are exported. `inexview pool --into` pools them again.",
        epilog="exit status: 0 withdrawn, 1 some were in no pool, 2 nothing withdrawn",
    )
    taken.add_argument("project", type=Path, metavar="PROJECT.inexview", help="the project")
    taken.add_argument("documents", nargs="+", metavar="DOCUMENT", help="ids of documents")
    taken.add_argument("--topic", metavar="T", help="only from the pool of this topic (default: all)")
    taken.add_argument("--why", default="", metavar="TEXT", help="a reason that the project keeps")
    taken.set_defaults(run=_withdraw)


def _add(arguments: Namespace) -> int:
    path: Path = arguments.project
    topics = read_topics(arguments.topics)
    pool = None if arguments.pool is None else read_pool(arguments.pool)
    warnings = [*topics.warnings, *(() if pool is None else pool.warnings)]
    with Project.open(path) as project:
        status = tell_damage(project)
        added = add_topics(project, topics, pool)
    warnings += added.warnings
    for warning in warnings:
        complain(f"warning: {warning}")
    documents = f", {counted(added.documents, 'document')} to judge" if pool is not None else ""
    print(f"{path}: {counted(len(added.topics), 'topic')} added{documents}")
    return PROBLEMS if warnings else status


def _withdraw(arguments: Namespace) -> int:
    path: Path = arguments.project
    with Project.open(path) as project:
        status = tell_damage(project)
        check_topics(project, [] if arguments.topic is None else [arguments.topic])
        withdrawn = withdraw(project, arguments.documents, arguments.topic, arguments.why)
    unknown = [document for document in dict.fromkeys(arguments.documents) if document not in withdrawn]
    if unknown:
        complain(f"{path}: in no pool: {some_named(unknown)}")
    print(f"{path}: {counted(len(withdrawn), 'document')} withdrawn")
    return PROBLEMS if unknown else status
