"""`inexview log`: every action of a project, as JSON lines."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path

from inexview.cli.project_damage import tell_damage
from inexview.cli.project_topics import check_topics
from inexview.core.project.journal.schema import ROW_SCHEMAS
from inexview.core.project.project import Project


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "log",
        description="Print every action of a project, a JSON object on each line: seq, id, time (UTC), "
        "assessor, topic, document, action, step (of actions done together), content. The project may be "
        "open in a window meanwhile.",
        epilog="exit status: 0 fine, 1 the project is damaged and what can be read is printed, 2 bad input",
    )
    add = parser.add_argument
    add("project", type=Path, metavar="PROJECT.inexview", help="the project")
    add("--topic", metavar="TOPIC", help="only actions of this topic")
    add("--doc", "--document", dest="document", metavar="ID", help="only actions about this document")
    add(
        "--action",
        action="append",
        choices=sorted(ROW_SCHEMAS),
        metavar="NAME",
        help="only these actions; may be given several times: " + ", ".join(sorted(ROW_SCHEMAS)),
    )
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    with Project.open(arguments.project, read_only=True) as project:
        check_topics(project, [] if arguments.topic is None else [arguments.topic])
        for row in project.journal.rows():
            if (
                arguments.topic in (None, row.topic)
                and arguments.document in (None, row.document)
                and (arguments.action is None or row.action in arguments.action)
            ):
                told = {name: value for name, value in row._asdict().items() if value is not None}
                print(json.dumps({**told, "content": row.values()}, ensure_ascii=False))
        return tell_damage(project)
