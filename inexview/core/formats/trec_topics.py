"""Topics as TREC and others have them: SGML in which no tag need end, lines, and JSON.

A line is an id and a title, which a tab, a colon or a blank part; after a # it is a comment.  JSON has one
object for each topic, in lines or lists, or one that has topics by their ids.  Each tool has its own names
for the id and the texts: `named_topic` knows them, for XML too.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from inexview.core.errors import DataError
from inexview.core.formats.beginnings import JSON, plain_key
from inexview.core.formats.tables.json_fields import json_values
from inexview.core.formats.tables.text_encoding import text_of_list
from inexview.core.judgements.topics import Topic, tidied
from inexview.core.xml.parser import read_bytes

ID_NAMES = (
    "num", "number", "id", "_id", "qid", "topic_id", "topicid", "query_id", "queryid", "q_id", "request_id",
    "narrative_id", "identifier", "no", "topic",
)  # fmt: skip
"""What the id of a topic is called, in attributes, elements and fields of JSON; the first is taken."""
_TEXTS = {
    "title": "title", "desc": "description", "description": "description", "narr": "narrative",
    "narrative": "narrative", "castitle": "castitle", "phrasetitle": "phrasetitle", "keywords": "keywords",
}  # fmt: skip
_TITLES = ("query", "text", "question", "q", "utterance", "content", "contents", "topic", "words")
"""What stands for a title where there is none; the first is taken."""
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
    """Make a topic of texts as any tool names them, and of the ``text`` that is in no field.

    Where there is no title, a query, a question or the text is one; where there is nothing else, all fields
    together are.  An Indri query is kept beside its words.
    """
    texts: dict[str, str] = {}
    others: list[tuple[str, str]] = []
    for name, said in fields:
        known = _TEXTS.get(_LANGUAGE.sub("", plain_key(name)), "")
        if known and said and known not in texts:
            texts[known] = said
        elif said:
            others.append((name, said))
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
        texts["title"] = "; ".join(said for _, said in others)
    return Topic(id=topic_id, query_type=query_type, ct_no=ct_no, others=tuple(others), **texts)


def _taken(others: list[tuple[str, str]], names: tuple[str, ...]) -> str:
    """Take out and return the first text that has one of the names, in their order; "" where none has."""
    for name in names:
        for at, (other, said) in enumerate(others):
            if plain_key(other) == name:
                del others[at]
                return said
    return ""


def topic_id_of(written: str, path: Path, line: int, field: str) -> str:
    """Return an id without its label; raises DataError where there is none."""
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
        raise DataError(f"is no JSON object: {json.dumps(value)[:60]}", path=path, line=line)
    only = next(iter(value), "")
    if len(value) == 1 and plain_key(only) in _LISTS and isinstance(value[only], list):
        yield from _in_json(value[only], path, line)
        return
    plain = [(plain_key(name), said) for name, said in value.items()]
    scalar = {name for name, said in plain if isinstance(said, str | int | float)}
    id_name = next((name for name in ID_NAMES if name in scalar), "")
    if id_name == "topic" and scalar == {"topic"}:
        id_name = ""
    nested = all(isinstance(said, dict) for _, said in plain)
    if value and (nested or (not id_name and not scalar & {*_TEXTS, *_TITLES})):
        for topic_id, said in value.items():
            fields = said.items() if isinstance(said, dict) else [("title", said)]
            yield _of_fields(str(topic_id), fields, path, line), line
        return
    own = next((str(said) for name, said in plain if name == id_name), "")
    field = id_name or ("_id" if "text" in scalar else "id")
    rest = [(name, said) for name, said in value.items() if plain_key(name) != id_name]
    yield _of_fields(topic_id_of(own, path, line, field), rest, path, line), line


def _of_fields(topic_id: str, fields: Iterable[tuple[str, Any]], path: Path, line: int) -> Topic:
    """Return the topic of an object's fields; what its metadata holds is fields too."""
    texts: list[tuple[str, str]] = []
    named = dict(fields)
    for name, said in (*named.items(), *dict(named.get("metadata") or {}).items()):
        if isinstance(said, str):
            texts.append((name, tidied(said)))
        elif plain_key(name) in ("title", *_TITLES):
            problem = "is not the words of a query"
            raise DataError(problem, path=path, line=line, field=name, value=repr(said))
        elif isinstance(said, int | float) and not isinstance(said, bool):
            texts.append((name, str(said)))
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
    """Return what parts the columns of a header, and their names; None where the line is none."""
    for mark in "\t,;":
        names = [plain_key(name.strip('"')) for name in line.split(mark)]
        if len(names) > 1 and names[0] in ID_NAMES and {*names[1:]} & {*_TEXTS, *_TITLES}:
            return mark, names
    return None


def _in_columns(text: str, header: tuple[str, list[str]], path: Path) -> Iterator[tuple[Topic, int]]:
    """Yield the topics of CSV or TSV whose columns have names."""
    mark, names = header
    source = io.StringIO(text)
    reader = (
        csv.reader(source, delimiter=mark, quoting=csv.QUOTE_NONE)
        if mark == "\t"
        else csv.reader(source, delimiter=mark)
    )
    rows = (row for row in reader if any(row) and not row[0].startswith("#"))
    next(rows)
    for row in rows:
        if len(row) != len(names):
            problem = f"has {len(row)} fields where the header has {len(names)}"
            raise DataError(problem, path=path, line=reader.line_num)
        fields = [(name, tidied(said)) for name, said in zip(names, row, strict=True)]
        own = topic_id_of(row[0], path, reader.line_num, names[0])
        yield named_topic(own, fields[1:]), reader.line_num


def _form_of(lines: list[str]) -> re.Pattern[str] | None:
    """Return how the lines part id and title where no line has a tab; None where a tab does it."""
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
    """Read one ``<top>``: each field reaches to the next tag."""
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
        said = tidied(html.unescape(LABEL.sub("", text[tag.end() : end], count=1)))
        if plain_key(name) in ID_NAMES[:-1]:
            if own and name == "num":
                problem = "one <top> has two <num>, with the text of both topics: begin each with <top>"
                raise DataError(problem, path=path, line=line, field="num", value=said)
            own = own or said
        else:
            fields.append((name, said))
    return named_topic(topic_id_of(own, path, line, "num"), fields)
