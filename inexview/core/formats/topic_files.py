"""Topic files of INEX, TREC and others.

A file, or a folder of files.  INEX wrote `<INEX-Topic>` in 2002, `<inex_topic>` in 2003–07 and
`<inex-topic-file>` in 2008–10, which redefines the entities lt, gt and amp in an internal DTD: XML does not
allow it, and the parser keeps their proper meaning.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

from lxml import etree

from inexview.core.benchmarks.forms import find
from inexview.core.errors import DataError
from inexview.core.formats.columns import shortened
from inexview.core.formats.format import RUNS, FileKind
from inexview.core.formats.text_files import (
    beginning_of,
    check_names,
    files_in,
    looks_like_xml,
    text_of_list,
    write_lines,
)
from inexview.core.judgements.qrels import Pool, PooledDocument
from inexview.core.judgements.tables import LONGEST_NAME
from inexview.core.judgements.topics import Topic, Topics, tidied
from inexview.core.text.json_values import JSON, json_values, plain_key
from inexview.core.text.xml import TreeLines, parse_tree, plain_name, read_bytes
from inexview.core.wording import counted

# Shared by the small XML files of INEX: their trees, reports of unused content, and writing of XML.
#
# XML is written as strings: a submission of 100,000 results takes a fifth of the time of writing a tree.

_PLAIN_TAGS = {
    "assessments", "file", "best-entry-point", "passage", "element", "pool", "path", "topic", "inex_topic",
    "inex-topic", "title", "castitle", "phrasetitle", "description", "narrative", "keywords", "query",
}  # fmt: skip
"""The tags that readers look for; any other tag keeps its case."""


def read_tree(file: Path, warnings: list[str]) -> tuple[etree._Element, TreeLines]:
    """Read a file; tags have no namespaces, and known ones are in lower case.

    A wrong declaration of the encoding adds a warning to ``warnings``.  Raises DataError.
    """
    data = read_bytes(file)
    root = parse_tree(data, file, warnings)
    for element in root.iter(etree.Element):
        tag = str(element.tag)
        if tag not in _PLAIN_TAGS:
            name = plain_name(tag)
            element.tag = name if name in _PLAIN_TAGS else tag.rpartition("}")[2]
    return root, TreeLines(root, data)


# Content of a file that is not used: one sentence for each kind, with its first line.

_MOST_KINDS = 20  # some files have thousands, with a name in each

Known = Mapping[str, frozenset[str]]
"""The tags that are used, each with its used attributes."""


class UnusedKinds:
    """The kinds of unused things in a file: the number of each, and its first line."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self._kinds: dict[str, tuple[int, int]] = {}

    def add(self, kind: str, line: int, count: int = 1) -> None:
        """Count things of a kind from a line on."""
        first, before = self._kinds.get(kind, (line, 0))
        self._kinds[kind] = min(first, line), before + count

    def add_attributes(self, tag: str, written: Iterable[str], used: Iterable[str], line: int) -> None:
        for name in sorted(set(written) - set(used)):
            self.add(f"the attribute {shortened(name)!r} of <{shortened(tag)}>", line)

    def sentences(self) -> Iterator[str]:
        """Yield a sentence for each kind, in order."""
        for place, (kind, (line, count)) in enumerate(self._kinds.items()):
            if place == _MOST_KINDS:
                more = counted(len(self._kinds) - place, "more kind")
                yield f"{self.path}:{line}: {more} of data ignored, from this line on"
                return
            times = "" if count == 1 else f" ({count:,} times)"
            yield f"{self.path}:{line}: {kind} is ignored{times}"


def unused_in(
    root: etree._Element, lines: TreeLines, path: Path, known: Known, whole: frozenset[str] = frozenset()
) -> list[str]:
    """Return sentences on the unused tags and attributes of a tree.

    Ancestors of known tags are ignored; within a tag of ``whole`` everything is used.
    """
    kinds = UnusedKinds(path)
    around: set[etree._Element] = set()
    for one in root.iter(*known):
        for above in one.iterancestors():
            if above in around:
                break
            around.add(above)
    waiting = [root]
    while waiting:
        element = waiting.pop()
        tag = str(element.tag)
        if tag in known:
            kinds.add_attributes(tag, map(str, element.attrib), known[tag], lines.of(element))
        elif element not in around:
            kinds.add(f"<{shortened(tag)}>", lines.of(element))
            continue
        if tag not in whole:
            waiting.extend(element.iterchildren(etree.Element, reversed=True))
    return list(kinds.sentences())


# Writing.

# xml.sax.saxutils is not used, because it loads HTTP and mail: 40 ms of every start.
_IN_ATTRIBUTES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def attributes(pairs: Iterable[tuple[str, object]]) -> str:
    """Return attributes, each after a blank: `` name="value"``."""
    return "".join(f' {name}="{str(value).translate(_IN_ATTRIBUTES)}"' for name, value in pairs)


def xml_lines(depth: int, tag: str, pairs: Iterable[tuple[str, object]], inside: Iterable[str] = ()) -> str:
    """Return an empty element on a line of its own, or one around the lines ``inside``."""
    blanks, lines = "  " * depth, "".join(inside)
    begun = f"{blanks}<{tag}{attributes(pairs)}"
    return f"{begun}>\n{lines}{blanks}</{tag}>\n" if lines else f"{begun}/>\n"


def text(content: str) -> str:
    """Return escaped text; a carriage return would be read back as a line feed."""
    return escape(content, quote=False).replace("\r", "&#13;")


def document_name(name: str) -> str:
    """Return a document's id as a file's name, from which readers remove one ``.xml``."""
    return f"{name}.xml" if name.endswith(".xml") else name


def check_xml(content: str, path: Path | None = None) -> None:
    """Raise DataError if a character of a text cannot be written in XML."""
    impossible = _IMPOSSIBLE.search(content)
    if impossible is not None:
        line = content[max(0, impossible.start() - 40) : impossible.start()]
        raise DataError(
            f"the character {impossible[0]!r} after {line!r} cannot be written in XML; choose a text format",
            path=path,
        )


def write_xml(parts: Iterable[str], path: Path) -> None:
    """Write an XML file; raises DataError for characters that XML cannot hold."""
    whole = "".join((DECLARATION, *parts))
    check_xml(whole, path)
    write_lines(path, [whole])


# Topics of TREC and others: SGML whose tags need not end, lines, and JSON.
#
# A line is an id and a title, separated by a tab, a colon or a blank; after a # it is a comment. JSON has an
# object for each topic, in lines or lists, or an object of topics by id. Each tool has its own names for the
# id and the texts: `named_topic` knows them, for XML too.

ID_NAMES = (
    "num", "number", "id", "_id", "qid", "topic_id", "topicid", "query_id", "queryid", "q_id", "request_id",
    "narrative_id", "identifier", "no", "topic",
)  # fmt: skip
"""The names of a topic's id, in attributes, elements and fields of JSON; the first present is used."""
_TEXTS = {
    "title": "title", "desc": "description", "description": "description", "narr": "narrative",
    "narrative": "narrative", "castitle": "castitle", "phrasetitle": "phrasetitle", "keywords": "keywords",
}  # fmt: skip
_TITLES = ("query", "text", "question", "q", "utterance", "content", "contents", "topic", "words")
"""The texts that replace a missing title; the first present is used."""
_DESCRIPTIONS = ("question", "problem_statement", "background", "summary")
_LISTS = ("queries", "topics", "data")
_TOP = re.compile(r"<top(?:\s[^<>]*)?>", re.IGNORECASE)
_FIELD = re.compile(r"<\s*+(/?)\s*+([a-z][\w-]*)([^>]{0,200})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<![\w-])([a-z][\w-]*+)\s*+=\s*["']?([^"'>]*)""", re.IGNORECASE)
_LANGUAGE = re.compile(r"[a-z]{2}_(?=title$|desc$|narr$)")
_COLON = re.compile(r"([\w.-]{1,60}):(?:\d+:)?\s*(\S.*)")
_BLANK = re.compile(r"((?=[\w.-]*\d)[\w.-]++)\s++(\S*[^\W\d].*)")
_OPERATOR = re.compile(
    r"#\w+(?::[^\s()]*)?(?=\s*\()|\.\([^()]*\)|[()\"]|(?<=\s)\d+\.\d+(?=\s)", re.IGNORECASE
)
LABEL = re.compile(
    r"\A\s*+(?:number|topic|description|narrative|summary|domain|(?:concept|factor|definition)(?:s|\(s\))?)\s*:",
    re.IGNORECASE,
)


def read_trec_topics(path: Path, warnings: list[str]) -> Iterator[tuple[Topic, int]]:
    """Yield the topics of a file, each with its line.  Raises DataError, naming file and line."""
    text = text_of_list(read_bytes(path), path, warnings).decode().replace("\r\n", "\n")
    if _TOP.search(text) and text.lstrip().startswith("<"):
        yield from _in_sgml(text, path)
    elif JSON.match(text.encode()):
        for value, line in json_values(text, path):
            yield from _in_json(value, path, line)
    else:
        yield from _in_lines(text, path)


def named_topic(
    topic_id: str, fields: Iterable[tuple[str, str]], text: str = "", *, query_type: str = "", ct_no: str = ""
) -> Topic:
    """Return a topic of texts with any tool's names, and of the ``text`` outside fields.

    A missing title is replaced by a query, a question or the text, or else by all fields together. An Indri
    query is reduced to its words.
    """
    texts: dict[str, str] = {}
    others: list[tuple[str, str]] = []
    for name, value in fields:
        known = _TEXTS.get(_LANGUAGE.sub("", plain_key(name)), "")
        if known and value and known not in texts:
            texts[known] = value
        elif value:
            others.append((name, value))
    if "title" not in texts and (query := _taken(others, _TITLES)):
        words = " ".join(_OPERATOR.sub(" ", query).split()) if query.startswith("#") else query
        texts["title"] = words or query
        if words != query:
            others.append(("query", query))
    if "description" not in texts and (description := _taken(others, _DESCRIPTIONS)):
        texts["description"] = description
    if "title" not in texts and text:
        texts["title"] = text
    if not texts and others:
        texts["title"] = "; ".join(value for _, value in others)
    return Topic(id=topic_id, query_type=query_type, ct_no=ct_no, others=tuple(others), **texts)


def _taken(others: list[tuple[str, str]], names: tuple[str, ...]) -> str:
    """Remove and return the first text that has one of the names, in their order; "" without any."""
    for name in names:
        for at, (other, value) in enumerate(others):
            if plain_key(other) == name:
                del others[at]
                return value
    return ""


def topic_id_of(written: str, path: Path, line: int, field: str) -> str:
    """Return an id without its label; raises DataError if there is none."""
    own = " ".join(LABEL.sub("", written, count=1).split())
    if not own:
        raise DataError("a topic needs an id", path=path, line=line, field=field, value=own)
    return own


def _in_json(value: Any, path: Path, line: int) -> Iterator[tuple[Topic, int]]:
    if isinstance(value, list):
        for member in value:
            yield from _in_json(member, path, line)
        return
    if not isinstance(value, dict):
        raise DataError(f"is not a JSON object: {json.dumps(value)[:60]}", path=path, line=line)
    only = next(iter(value), "")
    if len(value) == 1 and plain_key(only) in _LISTS and isinstance(value[only], list):
        yield from _in_json(value[only], path, line)
        return
    plain = [(plain_key(name), texts) for name, texts in value.items()]
    scalar = {name for name, texts in plain if isinstance(texts, str | int | float)}
    id_name = next((name for name in ID_NAMES if name in scalar), "")
    if id_name == "topic" and scalar == {"topic"}:
        id_name = ""
    nested = all(isinstance(texts, dict) for _, texts in plain)
    if value and (nested or (not id_name and not scalar & {*_TEXTS, *_TITLES})):
        for topic_id, texts in value.items():
            fields = texts.items() if isinstance(texts, dict) else [("title", texts)]
            yield _of_fields(str(topic_id), fields, path, line), line
        return
    own = next((str(texts) for name, texts in plain if name == id_name), "")
    field = id_name or ("_id" if "text" in scalar else "id")
    rest = [(name, texts) for name, texts in value.items() if plain_key(name) != id_name]
    yield _of_fields(topic_id_of(own, path, line, field), rest, path, line), line


def _of_fields(topic_id: str, fields: Iterable[tuple[str, Any]], path: Path, line: int) -> Topic:
    """Return the topic of an object's fields, including those of its metadata."""
    texts: list[tuple[str, str]] = []
    named = dict(fields)
    more = named.get("metadata")
    for name, value in (*named.items(), *(more.items() if isinstance(more, dict) else ())):
        if isinstance(value, str):
            texts.append((name, tidied(value)))
        elif plain_key(name) in ("title", *_TITLES):
            problem = "is not a query text"
            raise DataError(problem, path=path, line=line, field=name, value=repr(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            texts.append((name, str(value)))
    topic = named_topic(topic_id, texts)
    if not any((topic.title, topic.description, topic.narrative)):
        raise DataError("has no title and no query", path=path, line=line, field="title", value="")
    return topic


def _in_lines(text: str, path: Path) -> Iterator[tuple[Topic, int]]:
    lines = [
        (line, content)
        for line, content in enumerate(text.split("\n"), 1)
        if content.strip() and not content.startswith("#")
    ]
    if lines and (names := _header_of(lines[0][1])) is not None:
        yield from _in_columns(text, names, path)
        return
    form = _form_of([content for _, content in lines])
    for line, content in lines:
        if form is None:
            own, tab, title = content.partition("\t")
            if not tab:
                raise DataError("expected an id, a tab and a title", path=path, line=line)
        else:
            match = form.fullmatch(content.strip())
            assert match is not None, "all lines are of this form"
            own, title = match[1], match[2]
        yield Topic(id=topic_id_of(own, path, line, "num"), title=" ".join(title.split())), line


def _header_of(line: str) -> tuple[str, list[str]] | None:
    """Return the separator and the names of a header's columns; None if the line is no header."""
    for mark in "\t,;":
        names = [plain_key(name.strip('"')) for name in line.split(mark)]
        if len(names) > 1 and names[0] in ID_NAMES and {*names[1:]} & {*_TEXTS, *_TITLES}:
            return mark, names
    return None


def _in_columns(text: str, header: tuple[str, list[str]], path: Path) -> Iterator[tuple[Topic, int]]:
    """Yield the topics of CSV or TSV with named columns."""
    mark, names = header
    source = io.StringIO(text)
    reader = csv.reader(source, delimiter=mark, quoting=csv.QUOTE_NONE if mark == "\t" else csv.QUOTE_MINIMAL)
    rows = (row for row in reader if any(row) and not row[0].startswith("#"))
    next(rows)
    for row in rows:
        if len(row) != len(names):
            problem = f"has {len(row)} fields where the header has {len(names)}"
            raise DataError(problem, path=path, line=reader.line_num)
        fields = [(name, tidied(cell)) for name, cell in zip(names, row, strict=True)]
        own = topic_id_of(row[0], path, reader.line_num, names[0])
        yield named_topic(own, fields[1:]), reader.line_num


def _form_of(lines: list[str]) -> re.Pattern[str] | None:
    """Return the pattern that separates id and title in lines without tabs; None for lines with tabs."""
    if any("\t" in line for line in lines):
        return None
    for form in (_COLON, _BLANK):
        matches = [form.fullmatch(line.strip()) for line in lines]
        if lines and all(matches) and len({match[1] for match in matches if match}) == len(lines):
            return form
    return None


def _in_sgml(text: str, path: Path) -> Iterator[tuple[Topic, int]]:
    begins = [match.start() for match in _TOP.finditer(text)]
    line, counted = 1, 0
    for begin, end in zip(begins, [*begins[1:], len(text)], strict=True):
        line += text.count("\n", counted, begin)
        counted = begin
        yield _topic(text[begin:end], path, line), line


def _topic(text: str, path: Path, line: int) -> Topic:
    """Read one ``<top>``: each field ends at the next tag."""
    own, fields = "", list[tuple[str, str]]()
    tags = list(_FIELD.finditer(text))
    ends = [tag.start() for tag in tags[1:]] + [len(text)]
    for tag, end in zip(tags, ends, strict=True):
        name = tag[2].lower()
        if name == "top" and not tag[1]:
            attributes = {plain_key(key): value for key, value in _ATTRIBUTE.findall(tag[3])}
            own = next((attributes[key] for key in ID_NAMES if key in attributes), "")
        if tag[1] or name == "top":
            continue
        text_of_tag = tidied(html.unescape(LABEL.sub("", text[tag.end() : end], count=1)))
        if plain_key(name) in ID_NAMES[:-1]:
            if own and name == "num":
                problem = "one <top> has two <num>, with the text of both topics: begin each with <top>"
                raise DataError(problem, path=path, line=line, field="num", value=text_of_tag)
            own = own or text_of_tag
        else:
            fields.append((name, text_of_tag))
    return named_topic(topic_id_of(own, path, line, "num"), fields)


TEXTS = ("title", "castitle", "phrasetitle", "description", "narrative", "keywords")
_TOPIC_TAGS = {"topic": "id", "inex_topic": "topic_id", "inex-topic": "topic_id"}  # tag → attribute of the id
_OF_TOPIC = frozenset({"id", "topic_id", "topic-id", "query_type", "query-type", "ct_no", "ct-no"})
TOPIC_TAGS = dict.fromkeys(_TOPIC_TAGS, _OF_TOPIC) | dict.fromkeys(TEXTS, frozenset[str]())
"""The parts of topics that are used; other texts are only written again."""
_PARTS = ("te", "cw", "ce")  # of a title of 2002: target element, words, context element


def read_topics(path: str | Path) -> Topics:
    """Read a topic file, all XML files of a folder in the order of their names, or a benchmark's questions.

    Topics keep the order of the file; a wrong or missing declaration of the encoding has a warning.  Raises
    DataError if there is no topic, if one has no id, or if two share an id and differ.
    """
    path = Path(path)
    if (form := find(path)) is not None:
        from inexview.core.formats.bundle_files import read_bundle_topics  # which reads articles too

        return read_bundle_topics(path, form=form.name)
    files = sorted(files_in(path), key=_numbers_by_value) if path.is_dir() else [path]
    topics: dict[str, Topic] = {}
    warnings: list[str] = []
    for file in files:
        for topic, line in _topics_of(file, warnings):
            if not topic.title:
                others = [name for name in TEXTS if getattr(topic, name)]
                instead = f"only a {others[0]}" if others else "and no other text"
                warnings.append(f"{file}:{line}: topic {topic.id} has no title, {instead}")
            if topics.setdefault(topic.id, topic) != topic:
                problem = "another topic has the same id; give each its own"
                raise DataError(problem, path=file, line=line, field="id", value=topic.id)
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
    """Read a topic's element, on a line of a file; raises DataError if it has no id."""
    attribute = _TOPIC_TAGS[str(element.tag)]
    written = next(filter(None, map(element.get, (attribute, "id", "topic_id", "topic-id"))), "")
    topic_id = " ".join(written.split())
    if not topic_id:
        raise DataError("a topic needs an id", path=file, line=line, field=attribute, value=topic_id)
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


# Writing.
#
# Both grammars of INEX are used liberally, so that no text is lost: what one of them lacks (a phrase title in
# 2007, keywords in 2009) is written as in the other.

_FIRST = "InitialTopicStatement"  # before the title in 2005–07


def write_topics(topics: Iterable[Topic], path: str | Path) -> None:
    """Write topics as one `<inex-topic-file>` (2008–10), from which ``read_topics`` reads equal topics."""
    root = etree.Element("inex-topic-file")
    root.extend(_element("topic", {"id": topic.id}, topic) for topic in topics)
    _write(root, path)


def write_old_topics(topics: Iterable[Topic], path: str | Path) -> None:
    """Write topics as `<inex_topic>` (2003–07): one as the root, several within `<inex_topics>`."""
    elements = [topic_element(topic) for topic in topics]
    if len(elements) == 1:
        root = elements[0]
    else:
        root = etree.Element("inex_topics")
        root.extend(elements)
    _write(root, path)


def topic_element(topic: Topic) -> etree._Element:
    """Return a topic as the `<inex_topic>` of 2003–07, which assessments repeat."""
    return _element("inex_topic", {"topic_id": topic.id}, topic)


def write_trec_topics(topics: Iterable[Topic], path: str | Path) -> None:
    """Write topics as TREC's SGML: titles, descriptions and narratives.

    Raises DataError for an id that cannot be written.
    """
    listed = list(topics)
    _check_ids(listed, Path(path))
    parts = [
        "<top>\n"
        f"<num> Number: {escape(topic.id, quote=False)}\n"
        # A title that begins with a label is read back whole with a further one.
        f"<title> {'Topic: ' * bool(LABEL.match(topic.title))}{escape(topic.title, quote=False)}\n"
        f"<desc> Description:\n{escape(topic.description, quote=False)}\n"
        f"<narr> Narrative:\n{escape(topic.narrative, quote=False)}\n"
        "</top>\n"
        for topic in listed
    ]
    write_lines(path, ["\n".join(parts)])


def write_topic_lines(topics: Iterable[Topic], path: str | Path) -> None:
    """Write topics as lines of id, tab and title.  Raises DataError for an id that cannot be written."""
    listed = list(topics)
    _check_ids(listed, Path(path))
    lines = [f"{topic.id}\t{' '.join(topic.title.split())}\n" for topic in listed]
    if lines and JSON.match(lines[0].encode()):
        problem = "begins the file as JSON does; choose an XML format"
        raise DataError(problem, path=path, field="topic", value=listed[0].id)
    write_lines(path, lines)


def _check_ids(topics: Sequence[Topic], path: Path) -> None:
    """Refuse ids that would be read back differently."""
    check_names("topic", (topic.id for topic in topics), path)
    for topic in topics:
        if topic.id.startswith("<"):
            raise DataError(
                "begins as a tag does; choose an XML format", path=path, field="topic", value=topic.id
            )


def _element(tag: str, attributes: dict[str, str], topic: Topic) -> etree._Element:
    for name in ("query_type", "ct_no"):
        if getattr(topic, name):
            attributes[name] = getattr(topic, name)
    for value in attributes.values():
        check_xml(value)
    element = etree.Element(tag, attributes)
    later = list(topic.others)
    if tag == "inex_topic" and later and later[0][0] == _FIRST:
        _add(element, *later.pop(0))
    again = {name for name, _ in topic.others}
    for name in TEXTS:
        # An empty text is written only before another of its name, which would otherwise be read in its
        # place.
        if getattr(topic, name) or name in again:
            _add(element, name, getattr(topic, name))
    for name, text in later:
        _add(element, name, text)
    return element


def _add(element: etree._Element, name: str, text: str) -> None:
    check_xml(text)
    etree.SubElement(element, name).text = text or None


def _write(root: etree._Element, path: str | Path) -> None:
    etree.indent(root)
    Path(path).write_bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True) + b"\n")


# Pool files: pool XML, a folder of them, or a plain list of `topic document` lines.
#
# Pool XML is `<pool topic="N"><file file="12345"><path path="…"/><passage start="…"
# end="…"/></file>…</pool>`. inexview adds `<found run="…" rank="…"/>` for a run that returned the document,
# with its rank. Files of several topics have any root element around their pools.

_TOLD = 20  # documents pooled twice that are listed one by one
_LONGEST_RANK = 12  # digits

_TAGS = {
    "pool": frozenset({"topic"}),
    "file": frozenset({"file", "name", "id"}),
    "path": frozenset({"path"}),
    "passage": frozenset({"start", "end"}),
    "found": frozenset({"run", "rank"}),
}

_Pooled = tuple[str, PooledDocument | None]
"""A topic and a document of its pool; no document if the pool is empty."""


def read_pool(path: str | Path) -> Pool:
    """Read a pool file, or all files of a folder in the order of their names.

    A document named twice for a topic keeps its first place, with a warning; so does a file with a wrong or
    missing declaration of the encoding. Raises DataError with file and line if a line or an element cannot be
    read, or if nothing is pooled.
    """
    path = Path(path)
    files = files_in(path, every=True) if path.is_dir() else [path]
    topics: dict[str, dict[str, PooledDocument]] = {}
    warnings: list[str] = []
    doubles = 0
    for file in files:
        data = read_bytes(file)
        read = _from_xml(file, warnings) if looks_like_xml(data) else _from_list(data, file, warnings)
        for (topic, pooled), line in read:
            documents = topics.setdefault(topic, {})
            if pooled is None:
                continue
            if pooled.document in documents:
                doubles += 1
                if doubles <= _TOLD:
                    warnings.append(
                        f"{file}:{line}: document {pooled.document} is pooled twice for topic {topic}"
                    )
            documents.setdefault(pooled.document, pooled)
    if doubles > _TOLD:
        warnings.append(f"{path}: {doubles - _TOLD:,} more documents are pooled twice for a topic")
    if not any(topics.values()):
        raise DataError("no document is pooled here: expected pool XML or lines 'topic document'", path=path)
    return Pool({topic: tuple(documents.values()) for topic, documents in topics.items()}, tuple(warnings))


def write_pool_list(pool: Pool, path: str | Path) -> None:
    """Write a plain list, one `topic document` a line, without paths and passages."""
    path = Path(path)
    check_names("topic", pool.topics, path)
    for topic in pool.topics:
        if topic.startswith(("#", "<")):
            raise DataError(
                "cannot begin a line of a plain list; choose pool XML", path=path, field="topic", value=topic
            )
        check_names("document", pool.documents(topic), path)
    lines = (
        f"{topic} {document_name(document)}\n" for topic in pool.topics for document in pool.documents(topic)
    )
    write_lines(path, lines)


def write_pool_xml(pool: Pool, path: str | Path) -> None:
    """Write pool XML: a `<pool>` for a single topic, `<pools>` around several."""
    pools = [part for topic, documents in pool.topics.items() for part in _pool_parts(topic, documents)]
    write_xml(pools if len(pool.topics) == 1 else ["<pools>\n", *pools, "</pools>\n"], Path(path))


def _from_list(data: bytes, file: Path, warnings: list[str]) -> Iterator[tuple[_Pooled, int]]:
    for number, line in enumerate(BytesIO(text_of_list(data, file, warnings)), 1):
        fields = line.decode().split()
        if not fields or fields[0].startswith("#"):
            continue
        if len(fields) != 2:
            raise _no_pool(file, number, len(fields))
        too_long = next((field for field in fields if len(field.encode()) > LONGEST_NAME), None)
        if too_long is not None:
            problem = f"is longer than {LONGEST_NAME} bytes"
            raise DataError(problem, path=file, line=number, field="name", value=too_long)
        yield (fields[0], PooledDocument(fields[1].removesuffix(".xml"))), number


def _no_pool(file: Path, line: int, fields: int) -> DataError:
    """Return the error of a list without two columns, with the file's format if it is known."""
    from inexview.core.formats.readers import format_of  # which knows the readers, this one too

    try:
        format = format_of(file)
    except DataError:
        format = None
    if format is None or format.kind is FileKind.POOL:
        return DataError(
            f"expected two columns, topic and document, and found {fields}", path=file, line=line
        )
    how = ""
    if format.kind is not FileKind.TOPICS:
        options = "--depth 100" if format.kind in RUNS else "--to pool-list --lossy"
        how = f"; make one: `inexview convert {shlex.quote(file.name)} pool.txt {options}`"
    return DataError(f"looks like {format.title}, not like a pool{how}", path=file)


def _from_xml(file: Path, warnings: list[str]) -> Iterator[tuple[_Pooled, int]]:
    root, lines = read_tree(file, warnings)
    warnings.extend(unused_in(root, lines, file, _TAGS))
    for pool in root.iter("pool"):
        line = lines.of(pool)
        topic = _required(pool, ("topic",), file, line)
        yield (topic, None), line
        for element in pool.iterchildren("file"):
            line = lines.of(element)
            pooled = PooledDocument(
                _required(element, ("file", "name", "id"), file, line).removesuffix(".xml"),
                tuple(_required(path, ("path",), file, line) for path in element.iterchildren("path")),
                tuple(
                    (_required(passage, ("start",), file, line), _required(passage, ("end",), file, line))
                    for passage in element.iterchildren("passage")
                ),
                tuple(_found(found, file, line) for found in element.iterchildren("found")),
            )
            yield (topic, pooled), line


def _found(element: etree._Element, file: Path, line: int) -> tuple[str, int]:
    rank = _required(element, ("rank",), file, line)
    if not (rank.isascii() and rank.isdigit() and len(rank) < _LONGEST_RANK):
        raise DataError("is not a whole number", path=file, line=line, field="rank", value=rank)
    return _required(element, ("run",), file, line), int(rank)


def _required(element: etree._Element, names: tuple[str, ...], file: Path, line: int) -> str:
    """Return the first of these attributes that the element has; raises DataError if it has none."""
    for name in names:
        value = element.get(name, "").strip()
        if value:
            return value
    raise DataError(f"<{element.tag!s}> needs the attribute '{names[0]}'", path=file, line=line)


def _pool_parts(topic: str, documents: tuple[PooledDocument, ...]) -> Iterator[str]:
    yield f"<pool{attributes([('topic', topic)])}>\n"
    for pooled in documents:
        inside = [
            *(xml_lines(2, "path", [("path", path)]) for path in pooled.paths),
            *(xml_lines(2, "passage", [("start", start), ("end", end)]) for start, end in pooled.passages),
            *(xml_lines(2, "found", [("run", run), ("rank", rank)]) for run, rank in pooled.found_by),
        ]
        yield xml_lines(1, "file", [("file", document_name(pooled.document))], inside)
    yield "</pool>\n"
