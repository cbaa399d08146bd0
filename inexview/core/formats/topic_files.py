"""Topic files: `<INEX-Topic>` of 2002, `<inex_topic>` of 2003–07, `<inex-topic-file>` of 2008–10, and those
of TREC and others; one file, or a folder of files.

The 2008–10 files redefine the entities lt, gt and amp in an internal DTD, which XML does not allow: the
parser keeps their proper meaning.  They are written in `topic_writers.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from inexview.core.errors import DataError
from inexview.core.formats.beginnings import beginning_of, files_in, plain_key
from inexview.core.formats.trec_topics import ID_NAMES, named_topic, read_trec_topics, topic_id_of
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
            if not topic.title:
                others = [name for name in TEXTS if getattr(topic, name)]
                told = f"only a {others[0]}" if others else "and no other text"
                warnings.append(f"{file}:{line}: topic {topic.id} has no title, {told}")
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
    if not beginning.xml or beginning.first("top"):
        yield from read_trec_topics(file, warnings)
        return
    root, lines = read_tree(file, warnings)
    if str(root.tag) == "inex-topic-file" or beginning.first("inex_topic", "inex-topic"):
        warnings.extend(unused_in(root, lines, file, TOPIC_TAGS, frozenset(TEXTS)))
        for element in root.iter(*_TOPIC_TAGS):
            line = lines.of(element)
            yield topic_in(element, file, line), line
        return
    tag = "topic" if root.tag == "topic" or root.find(".//topic") is not None else "query"
    for element in root.iter(tag):
        line = lines.of(element)
        yield _named_topic_in(element, file, line), line


def _named_topic_in(element: etree._Element, file: Path, line: int) -> Topic:
    """Read a topic that has its id and texts in attributes or elements of any names."""
    attributes = {plain_key(str(name)): str(value) for name, value in element.attrib.items()}
    children = [(str(child.tag), _text_of(child)) for child in element.iterchildren(etree.Element)]
    named = next((attributes[name] for name in ID_NAMES if attributes.get(name, "").strip()), "")
    if not named:
        ids = {plain_key(tag): text for tag, text in reversed(children)}
        name = next((name for name in ID_NAMES[:-1] if ids.get(name)), "")
        named = ids.get(name, "")
        children = [(tag, text) for tag, text in children if plain_key(tag) != name]
    return named_topic(
        topic_id_of(named, file, line, "id"),
        children,
        tidied(" ".join(str(text) for text in element.xpath("text()"))),
        query_type=attributes.get("query_type", "").strip(),
        ct_no=attributes.get("ct_no", "").strip(),
    )


def _text_of(child: etree._Element) -> str:
    """Return the text of an element; of a title of 2002, its words."""
    parts = [part for part in child.iterdescendants(*_PARTS) if part.text]
    return tidied(" ".join(str(part.text) for part in parts) if parts else "".join(child.itertext()))


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
        text = _text_of(child)
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
