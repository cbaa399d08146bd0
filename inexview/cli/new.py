"""`inexview new`: make a project of a collection, topics and a pool."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path

from inexview.cli.common import FINE, PROBLEMS, add_collection_argument, complain
from inexview.core.formats.pool_files import read_pool
from inexview.core.formats.topic_files import read_topics
from inexview.core.project.judging.grades import read_grades
from inexview.core.project.project import Project
from inexview.core.wording import counted


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "new",
        description="Make a project. Topics and pool are copied into it; the collection stays where it is.",
        epilog="exit status: 0 made, 1 made although something is not as it should be, 2 not made",
    )
    add_collection_argument(parser, "the articles: a folder, .zip or .tar(.gz, .bz2, .xz)", required=True)
    parser.add_argument(
        "--topics", type=Path, required=True, metavar="FILE", help="a topic file, or a folder"
    )
    parser.add_argument(
        "--pool",
        type=Path,
        metavar="FILE",
        help="what to judge, XML or 'topic document' lines; else everything",
    )
    parser.add_argument(
        "--grades",
        default="",
        metavar="GRADES",
        help="the grades of documents and passages, lowest first: okay,vital or 0-3 (default: none)",
    )
    parser.add_argument("--assessor", metavar="NAME", help="who judges (default: your login name)")
    parser.add_argument("project", type=Path, metavar="PROJECT.inexview", help="the project file to make")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    topics = read_topics(arguments.topics)
    pool = None if arguments.pool is None else read_pool(arguments.pool)
    with Project.create(
        arguments.project,
        collection=arguments.collection,
        topics=topics,
        pool=pool,
        assessor=arguments.assessor,
        grades=read_grades(arguments.grades),
    ) as project:
        pooled = sum(len(project.pool(topic.id)) for topic in project.topics)
        whole = "" if project.contents.has_pool else " (the whole collection)"
        topics_read = counted(len(project.topics), "topic")
        print(f"{arguments.project}: {topics_read}, {counted(pooled, 'document')} to judge{whole}")
        warnings = (*topics.warnings, *(() if pool is None else pool.warnings), *project.documents.warnings())
        for warning in warnings:
            complain(warning)
        return PROBLEMS if warnings else FINE
