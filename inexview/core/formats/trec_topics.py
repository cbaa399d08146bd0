"""TREC's topics: SGML, in which no tag need end, and lines of ``id<TAB>title`` or, after a #, a comment.

Also BEIR's queries, lines of JSON with ``_id`` and ``text``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

from inexview.core.errors import DataError
from inexview.core.formats.tables.json_fields import parsed
from inexview.core.formats.tables.text_encoding import text_of_list
from inexview.core.judgements.topics import Topic, tidied
from inexview.core.xml.parser import read_bytes

_TOP = re.compile(r"<top>", re.IGNORECASE)
_OBJECT = re.compile(r"\s*\{.*\}[ \t]*(?:\n|\Z)")
_FIELD = re.compile(r"<\s*(/?)\s*([a-z]+)[^>]{0,200}>", re.IGNORECASE)
LABEL = re.compile(
    r"\s*(?:number|topic|description|narrative|summary|domain|(?:concept|factor|definition)(?:s|\(s\))?)\s*:",
    re.IGNORECASE,
)
_NAMES = {"title": "title", "desc": "description", "narr": "narrative"}


def read_trec_topics(path: Path, warnings: list[str]) -> Iterator[tuple[Topic, int]]:
    """Yield the topics of a file, each with its line.  Raises DataError, naming file and line."""
    text = text_of_list(read_bytes(path), path, warnings).decode().replace("\r\n", "\n")
    if _TOP.match(text.lstrip()):
        yield from _in_sgml(text, path)
    elif _OBJECT.match(text):
        yield from _in_json(text, path)
    else:
        yield from _in_lines(text, path)


def _in_json(text: str, path: Path) -> Iterator[tuple[Topic, int]]:
    for line, content in enumerate(text.split("\n"), 1):
        if not content.strip():
            continue
        try:
            said = parsed(content.encode())
        except ValueError as error:
            raise DataError(str(error), path=path, line=line) from error
        query, own = said.get("text"), _checked(str(said.get("_id", "")), path, line, field="_id")
        if not isinstance(query, str):
            raise DataError(
                "is not the words of a query", path=path, line=line, field="text", value=repr(query)
            )
        yield Topic(id=own, title=" ".join(query.split())), line


def _in_lines(text: str, path: Path) -> Iterator[tuple[Topic, int]]:
    for line, content in enumerate(text.split("\n"), 1):
        if not content.strip() or content.startswith("#"):
            continue
        own, tab, title = content.partition("\t")
        if not tab:
            raise DataError("expected an id, a tab and a title", path=path, line=line)
        yield Topic(id=_checked(own, path, line), title=" ".join(title.split())), line


def _in_sgml(text: str, path: Path) -> Iterator[tuple[Topic, int]]:
    begins = [match.start() for match in _TOP.finditer(text)]
    line, counted = 1, 0
    for begin, end in zip(begins, [*begins[1:], len(text)], strict=True):
        line += text.count("\n", counted, begin)
        counted = begin
        yield _topic(text[begin:end], path, line), line


def _topic(text: str, path: Path, line: int) -> Topic:
    """Read one ``<top>``: each field reaches to the next tag."""
    own, texts, others = "", dict[str, str](), []
    tags = list(_FIELD.finditer(text))
    ends = [tag.start() for tag in tags[1:]] + [len(text)]
    for tag, end in zip(tags, ends, strict=True):
        name = tag[2].lower()
        if tag[1] or name == "top":
            continue
        said = tidied(html.unescape(LABEL.sub("", text[tag.end() : end], count=1)))
        if name == "num":
            if own:
                problem = "one <top> has two <num>, with the text of both topics: begin each with <top>"
                raise DataError(problem, path=path, line=line, field="num", value=said)
            own = said
        elif _NAMES.get(name, "") not in ("", *texts):
            texts[_NAMES[name]] = said
        elif said:
            others.append((name, said))
    return Topic(id=_checked(own, path, line), others=tuple(others), **texts)


def _checked(own: str, path: Path, line: int, *, field: str = "num") -> str:
    own = " ".join(own.split())
    if not own:
        raise DataError("a topic needs an id", path=path, line=line, field=field, value=own)
    return own
