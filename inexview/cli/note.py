"""`inexview note`: notes, flags and grades of a project's documents and passages, printed and written."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction, Namespace, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inexview.cli.project_damage import tell_damage
from inexview.cli.project_topics import check_topics
from inexview.core.errors import InexviewError
from inexview.core.project.project import Project
from inexview.core.project.remark_actions import remarked, set_flag, set_grade, set_note
from inexview.core.text.text_quotes import Span

_DESCRIPTION = (
    "Remark something about a document, as the window does: a note, the flag to come back to it, a grade of "
    "the project's scale. With nothing to remark, what is remarked already is printed, a JSON object for "
    "each document or passage."
)


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "note",
        description=_DESCRIPTION,
        epilog="exit status: 0 fine, 1 the project is damaged and what can be read is printed, 2 bad input; "
        "a project that is open in a window can only be printed",
    )
    add = parser.add_argument
    add("project", type=Path, metavar="PROJECT.inexview", help="the project")
    add("topic", nargs="?", metavar="TOPIC", help="the topic; all if left out")
    add("document", nargs="?", metavar="ID", help="the document; all that have remarks if left out")
    add("text", nargs="?", metavar="TEXT", help='the note, in place of the one there is; "" takes it away')
    add(
        "--passage",
        type=_passage,
        metavar="OFFSET:LENGTH",
        help="the marked passage that note and grade are about, in code points; else it is the document",
    )
    add("--flag", action=BooleanOptionalAction, help="flag the document to come back to, or no longer")
    add("--grade", metavar="GRADE", help='a grade of the project\'s scale; "" takes it away')
    parser.set_defaults(run=run)


def _passage(written: str) -> Span:
    offset, _, length = written.partition(":")
    if not (offset.isdecimal() and length.isdecimal() and int(length)):
        raise ArgumentTypeError(f"{written!r} is no OFFSET:LENGTH such as 120:43")
    return int(offset), int(offset) + int(length)


def run(arguments: Namespace) -> int:
    """Write what is remarked, or print what was."""
    given = (arguments.text, arguments.flag, arguments.grade)
    writes = any(value is not None for value in given)
    with Project.open(arguments.project, read_only=not writes) as project:
        check_topics(project, [] if arguments.topic is None else [arguments.topic])
        if writes:
            _check_document(project, arguments.topic, arguments.document)
            _remark(project, arguments)
        else:
            for told in _told(project, arguments.topic, arguments.document):
                print(json.dumps(told, ensure_ascii=False))
        return tell_damage(project)


def _check_document(project: Project, topic: str | None, document: str | None) -> None:
    if topic is None or document is None:
        raise InexviewError("name the topic and the document that this is about")
    if not project.contents.is_pooled(topic, document) and document not in project.collection:
        raise InexviewError(f"{project.path}: there is no document {document} in its pool or collection")


def _remark(project: Project, arguments: Namespace) -> None:
    """Write the remarks; a passage is what is marked at that place."""
    about, passage = (arguments.topic, arguments.document), arguments.passage
    if passage is not None:
        passage = _marked(project, *about, passage)
    if arguments.grade is not None:  # first: it may be none of the scale
        set_grade(project, *about, arguments.grade, passage)
    if arguments.text is not None:
        set_note(project, *about, arguments.text, passage)
    if arguments.flag is not None:
        set_flag(project, *about, on=arguments.flag)


def _marked(project: Project, topic: str, document: str, passage: Span) -> Span:
    """Return the marked passage that shares characters with one that was named."""
    marks = project.state(topic, document).marks
    found = next((span for span in marks if span[0] < passage[1] and passage[0] < span[1]), None)
    if found is None:
        there = ", ".join(f"{start}:{end - start}" for start, end in marks) or "none"
        raise InexviewError(f"{document}: nothing is marked there; its passages are {there}")
    return found


def _told(project: Project, topic: str | None, document: str | None) -> Iterator[dict[str, Any]]:
    """Yield what is remarked: of each document, then of its passages."""
    for one in project.topics:
        for name in remarked(project, one.id) if topic in (None, one.id) else ():
            if document not in (None, name):
                continue
            remarks = project.histories.log(one.id, name).remarks
            about = {"topic": one.id, "document": name}
            said = {"note": remarks.note, "come_back": remarks.come_back, "grade": remarks.grade}
            if filled := {key: value for key, value in said.items() if value}:
                yield {**about, **filled}
            for span in sorted({*remarks.notes, *remarks.grades}):
                said = {"note": remarks.notes.get(span, ""), "grade": remarks.grades.get(span, "")}
                place = {"offset": span[0], "length": span[1] - span[0]}
                yield {**about, **place, **{key: value for key, value in said.items() if value}}
