"""Topic files: `<INEX-Topic>` of 2002, `<inex_topic>` of 2003–07, `<inex-topic-file>` of 2008–10 and
TREC's; one file, or a folder of files.

The 2008–10 files redefine the entities lt, gt and amp in an internal DTD, which XML does not allow: the
parser keeps their proper meaning.  They are written in `topic_writers.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from inexview.core.errors import DataError
from inexview.core.formats.beginnings import beginning_of, files_in
from inexview.core.formats.trec_topics import read_trec_topics
from inexview.core.formats.trees import read_tree
from inexview.core.formats.unused import unused_in
from inexview.core.judgements.topics import Topic, Topics, tidied
from inexview.core.xml.tag_names import plain_name

TEXTS = ("title", "castitle", "phrasetitle", "description", "narrative", "keywords")
_TOPIC_TAGS = {"topic": "id", "inex_topic": "topic_id", "inex-topic": "topic_id"}  # tag → attribute of the id
_OF_TOPIC = frozenset({"id", "topic_id", "topic-id", "query_type", "query-type", "ct_no", "ct-no"})
TOPIC_TAGS = dict.fromkeys(_TOPIC_TAGS, _OF_TOPIC) | dict.fromkeys(TEXTS, frozenset[str]())
"""What is read of topics; other texts are kept where topics are written again, and not shown."""
_PARTS = ("te", "cw", "ce")  # of a title of 2002: target element, words, context element


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
    beginning = beginning_of(file)
    if not beginning.xml or beginning.root == "top":
        yield from read_trec_topics(file, warnings)
        return
    root, lines = read_tree(file, warnings)
    warnings.extend(unused_in(root, lines, file, TOPIC_TAGS, frozenset(TEXTS)))
    for element in root.iter(*_TOPIC_TAGS):
        line = lines.of(element)
        yield topic_in(element, file, line), line


def topic_in(element: etree._Element, file: Path, line: int) -> Topic:
    """Read a topic's element, on a line of a file; raises DataError where it has no id."""
    attribute = _TOPIC_TAGS[str(element.tag)]
    topic_id = " ".join(
        next(filter(None, map(element.get, (attribute, "id", "topic_id", "topic-id"))), "").split()
    )
    if not topic_id:
        raise DataError(
            "a topic needs an id",
            path=file,
            line=line,
            field=attribute,
            value=topic_id,
        )
    texts = {}
    others = []
    for child in element.iterchildren(etree.Element):
        parts = [part for part in child.iterdescendants(*_PARTS) if part.text]
        text = tidied(" ".join(str(part.text) for part in parts) if parts else "".join(child.itertext()))
        name = plain_name(str(child.tag))
        if name in TEXTS and name not in texts:
            texts[name] = text
        elif text:
            others.append((str(child.tag), text))
    return Topic(
        id=topic_id,
        query_type=(element.get("query_type", "") or element.get("query-type", "")).strip(),
        ct_no=(element.get("ct_no", "") or element.get("ct-no", "")).strip(),
        others=tuple(others),
        **texts,
    )


def _numbers_by_value(file: Path) -> tuple[tuple[int, str], ...]:
    """Sort topic-9.xml before topic-10.xml."""
    parts = re.split(r"(\d+)", file.name)
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)
