"""Topic files: `<inex_topic>` of 2003–07 and `<inex-topic-file>` of 2008–10; one file, or a folder of files.

The 2008–10 files redefine the entities lt, gt and amp in an internal DTD, which XML does not allow: the
parser keeps their proper meaning.  They are written in `topic_writers.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from inexview.core.errors import DataError
from inexview.core.formats.beginnings import files_in
from inexview.core.formats.trees import read_tree
from inexview.core.judgements.topics import Topic, Topics

TEXTS = ("title", "castitle", "phrasetitle", "description", "narrative", "keywords")
_TOPIC_TAGS = {"topic": "id", "inex_topic": "topic_id", "inex-topic": "topic_id"}  # tag → attribute of the id
_PARAGRAPH_BREAK = re.compile(r"\n[ \t]*\n\s*")


def read_topics(path: str | Path) -> Topics:
    """Read a topic file, or all XML files of a folder in the order of their names.

    Topics keep the order of the file; one that is not in the encoding that it says, or is in Latin-1 and does
    not say so, has a warning.  Raises DataError where there is no topic, where one has no id, or where two
    share an id and differ.
    """
    path = Path(path)
    files = sorted(files_in(path), key=_numbers_by_value) if path.is_dir() else [path]
    topics: dict[str, Topic] = {}
    warnings: list[str] = []
    for file in files:
        for topic, line in _topics_of(file, warnings):
            if topics.setdefault(topic.id, topic) != topic:
                raise DataError(
                    "another topic has the same id; give each its own",
                    path=file,
                    line=line,
                    field="id",
                    value=topic.id,
                )
    if not topics:
        raise DataError("no topic is here: expected <inex_topic> or <topic> elements", path=path)
    return Topics(tuple(topics.values()), path, tuple(warnings))


def _topics_of(file: Path, warnings: list[str]) -> Iterator[tuple[Topic, int]]:
    root, lines = read_tree(file, warnings)
    for element in root.iter(*_TOPIC_TAGS):
        line = lines.of(element)
        yield topic_in(element, file, line), line


def topic_in(element: etree._Element, file: Path, line: int) -> Topic:
    """Read a topic's element, on a line of a file; raises DataError where it has no id."""
    attribute = _TOPIC_TAGS[str(element.tag)]
    topic_id = (element.get(attribute) or element.get("id") or element.get("topic_id") or "").strip()
    if not topic_id or any(character.isspace() for character in topic_id):
        raise DataError(
            "a topic needs an id without white space",
            path=file,
            line=line,
            field=attribute,
            value=topic_id,
        )
    texts = {}
    others = []
    for child in element.iterchildren(etree.Element):
        text = _tidied("".join(child.itertext()))
        if child.tag in TEXTS and child.tag not in texts:
            texts[str(child.tag)] = text
        elif text:
            others.append((str(child.tag), text))
    return Topic(
        id=topic_id,
        query_type=element.get("query_type", "").strip(),
        ct_no=element.get("ct_no", "").strip(),
        others=tuple(others),
        **texts,
    )


def _tidied(text: str) -> str:
    """Join white space as a reader would, keeping blank lines as the ends of paragraphs."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in _PARAGRAPH_BREAK.split(text))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _numbers_by_value(file: Path) -> tuple[tuple[int, str], ...]:
    """Sort topic-9.xml before topic-10.xml."""
    parts = re.split(r"(\d+)", file.name)
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)
