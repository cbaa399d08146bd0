"""The beginning of a file: its first lines or XML tags; and files of other tools, which are not read."""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from inexview.core.errors import DataError
from inexview.core.files import read_beginning
from inexview.core.formats.text_files import first_lines, refuse_beginning
from inexview.core.xml.tag_names import plain_name

_ENOUGH = 1 << 16
_TAGS = 400  # first tags looked at: a long topic may be before the first judgement
_LINES = 100
JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*[\"}]|\[\s*[\[{\"\]])")
"""The beginning of a JSON file; no table may begin so."""
_JSON_MARKS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Tag(NamedTuple):
    """A start tag; its name is in lower case, without a namespace."""

    name: str
    attributes: dict[str, str]


@dataclass(frozen=True)
class Beginning:
    """The first tags of an XML file, or else the first lines of a text that are not blank.

    Of JSON it also has the first value, as far as it is in the first bytes of the file.
    """

    path: Path
    lines: tuple[bytes, ...] = ()
    tags: tuple[Tag, ...] = ()
    xml: bool = False
    json: Any = None

    @cached_property
    def first_object(self) -> dict[str, Any]:
        """The first JSON object, or the first member of a list; empty without one."""
        first = self.json[0] if isinstance(self.json, list) and self.json else self.json
        return first if isinstance(first, dict) else {}

    @cached_property
    def keys(self) -> frozenset[str]:
        """The names of the first object's fields, or of the columns of a header, in plain spelling."""
        names = list(self.first_object) or [name.decode("utf-8", "replace") for name in self.header]
        return frozenset(map(plain_key, names))

    @property
    def header(self) -> list[bytes]:
        """The fields of the first line, separated by commas, semicolons or tabs."""
        first = self.lines[0] if self.lines else b""
        return [field.strip(b' "') for field in re.split(rb"[,;\t]", first)]

    @property
    def root(self) -> str:
        """The name of the root, "" without one."""
        return self.tags[0].name if self.tags else ""

    def matching(self, line: re.Pattern[bytes]) -> int:
        """Return the number of lines that match a pattern, with fields one blank apart."""
        return sum(line.fullmatch(text) is not None for text in self._even_lines)

    def all_match(self, line: re.Pattern[bytes]) -> bool:
        return self.matching(line) == len(self.lines)

    @property
    def width(self) -> int:
        """The number of fields of most lines; 0 without a line."""
        widths = [len(line.split()) for line in self.lines]
        return max(set(widths), key=widths.count, default=0)

    @cached_property
    def _even_lines(self) -> list[bytes]:
        return [b" ".join(text.split()) for text in self.lines]

    def first(self, *names: str) -> Tag | None:
        return next((tag for tag in self.tags if tag.name in names), None)


def beginning_of(path: str | Path) -> Beginning:
    """Look at the beginning of a file.

    Raises DataError if it cannot be read, or is neither XML nor a text table.
    """
    file = Path(path)
    data = read_beginning(file, _ENOUGH) if file.is_file() else b""  # reading lines reports the error
    if JSON.match(data) and (first := first_value(data)) is not None:
        lines = tuple(filter(None, map(bytes.strip, data.removeprefix(codecs.BOM_UTF8).split(b"\n"))))
        return Beginning(file, lines=lines[:_LINES], json=first)
    if not looks_like_xml(data):
        refuse_beginning(data, file)
        lines = tuple(first_lines(file))
        return Beginning(file, lines=lines)
    if len(data) == _ENOUGH:  # never in the midst of a character, for encodings that are decoded as a whole
        data = data[: data.rfind(b">") + 1] or data
    return Beginning(file, tags=tuple(_first_tags(data)), xml=True)


def first_value(data: bytes) -> Any:
    """Return the first JSON value of a file, cut off at the end of its first bytes; None if it is no JSON."""
    text = data.decode("utf-8-sig", "ignore").lstrip()
    decoder = json.JSONDecoder()
    try:
        return decoder.raw_decode(text)[0]
    except (ValueError, RecursionError):
        pass
    marks = list(_JSON_MARKS.finditer(text))
    while marks and marks[-1][0] != ",":
        marks.pop()
    ends: list[str] = []
    for match in marks:
        mark = match[0]
        if mark in _CLOSING:
            ends.append(_CLOSING[mark])
        elif mark in "]}" and ends:
            ends.pop()
    whole = text[: marks[-1].start()] + "".join(reversed(ends)) if marks else ""
    try:
        return decoder.raw_decode(whole)[0] if len(data) == _ENOUGH else None
    except (ValueError, RecursionError):
        return None


def plain_key(name: str) -> str:
    """Return the name of a field in plain spelling: "corpus-id" and "Corpus_ID" become "corpus_id"."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def files_in(folder: Path, first: int | None = None, *, every: bool = False) -> list[Path]:
    """Return the XML files of a folder, or all its files if none is XML, by name and without hidden ones.

    With ``every`` all files are returned, with ``first`` only so many.  Raises DataError if the folder cannot
    be read.
    """
    try:
        with os.scandir(folder) as entries:
            names = [one.name for one in entries if not one.name.startswith(".") and one.is_file()]
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", path=folder) from error
    named = names if every else [name for name in names if name.lower().endswith(".xml")] or names
    chosen = sorted(named) if first is None else nsmallest(first, named)
    return [folder / name for name in chosen]


def looks_like_xml(data: bytes) -> bool:
    """Return whether the first bytes of a file are XML in any of its encodings."""
    for mark in _MARKS:
        data = data.removeprefix(mark)
    return data.lstrip(b" \t\r\n\0").startswith(b"<")


def _first_tags(data: bytes) -> list[Tag]:
    """Return the first start tags; entities are ignored, and the reader reports what is not well-formed."""
    from lxml import etree  # which text does not need

    parser = etree.XMLPullParser(
        events=("start",), recover=True, resolve_entities=False, load_dtd=False, no_network=True
    )
    try:
        parser.feed(data)
        started = [element for _, element in islice(parser.read_events(), _TAGS)]
        return [
            Tag(plain_name(str(element.tag)), {str(k): str(v) for k, v in element.items()})
            for element in started
        ]
    except (etree.XMLSyntaxError, ValueError, LookupError):  # also names that are no UTF-8
        return []


# Files of other tools, called by their names, so that no reader guesses at them.
#
# Each is told by what only its files have: the names of fields or columns, the root of XML, the form of
# lines.

_Test = Callable[[Beginning], bool]


class _Foreign(NamedTuple):
    """A form of files, its test, and what its user can do."""

    name: str
    fits: _Test
    advice: str = ""


def foreign_name(beginning: Beginning) -> str | None:
    """Return the name of another tool's file, and what to do with it; None for any other file."""
    if _is_table(beginning):
        return None
    tool = next((form for form in _FOREIGN if form.fits(beginning)), None)
    return None if tool is None else f"looks like {tool.name}, which inexview does not read{tool.advice}"


def _is_table(beginning: Beginning) -> bool:
    """Return whether the first JSON object holds objects of numbers: a run or qrels."""
    inner = [value for value in beginning.first_object.values() if isinstance(value, dict)]
    numbers = all(isinstance(value, int | float) for values in inner for value in values.values())
    return bool(inner) and len(inner) == len(beginning.first_object) and numbers


def _objects(*names: str) -> _Test:
    """Recognise JSON whose first object has all of these fields."""
    return lambda beginning: bool(beginning.first_object) and beginning.keys.issuperset(names)


def _fields(*names: str) -> _Test:
    """Recognise JSON, or CSV with a header, with all of these fields."""
    return lambda beginning: not beginning.xml and beginning.keys.issuperset(names)


def _either(*tests: _Test) -> _Test:
    return lambda beginning: any(test(beginning) for test in tests)


def _spans(*names: str) -> _Test:
    """Recognise a text with a list of spans in a field of one of these names."""

    def fits(beginning: Beginning) -> bool:
        first = beginning.first_object
        return isinstance(first.get("text"), str) and any(isinstance(first.get(name), list) for name in names)

    return fits


def _root(*names: str) -> _Test:
    return lambda beginning: beginning.root in names


def _lines(pattern: bytes, *, tabs: bool = False) -> _Test:
    """Recognise a text whose first lines all match, with fields one blank apart or separated by ``tabs``."""
    compiled = re.compile(pattern)

    def fits(beginning: Beginning) -> bool:
        if beginning.xml or not beginning.lines:
            return False
        if tabs:
            return all(compiled.fullmatch(line) is not None for line in beginning.lines)
        return beginning.all_match(compiled)

    return fits


_PROBABILITY = rb"(?:0?\.\d+(?:[eE]-?\d+)?|[01](?:\.0*)?|\d(?:\.\d+)?[eE]-\d+)"
_PRELS = _lines(rb"\S+ \S+ [0-3] -?\d " + _PROBABILITY)
_BRAT = _lines(rb"T\d+\t\S+ \d+ \d+(?:;\d+ \d+)*(?:\t.*)?|[REAMN]\d+\t\S+[ \t].*|\*\t\S+ .*", tabs=True)


def _prels(beginning: Beginning) -> bool:
    """Recognise prels, in which some probability is no integer."""
    return _PRELS(beginning) and any(not line.split()[4].isdigit() for line in beginning.lines)


def _brat(beginning: Beginning) -> bool:
    """Recognise annotations of brat, with a text-bound one."""
    return _BRAT(beginning) and any(line.startswith(b"T") for line in beginning.lines)


def _bioc(beginning: Beginning) -> bool:
    return beginning.root == "collection" and bool(beginning.first("infon", "offset"))


def _squad(beginning: Beginning) -> bool:
    """Recognise SQuAD without a version by the paragraphs of its first article."""
    listed = beginning.first_object.get("data")
    return isinstance(listed, list) and bool(listed) and "paragraphs" in listed[0]


def _collection_of_beir(beginning: Beginning) -> bool:
    return _objects("_id", "text")(beginning) and bool(beginning.first_object.get("title"))


_SPANS = ": convert its spans to qrels, or to JSON lines of inexview"
_QRELS = ": write its judgements as TREC qrels"
_RUN = ": write its ranking as a TREC run"
_ANSWERS = ": answers are not scored here"
_FOREIGN = (
    _Foreign(
        "a snippet submission of INEX", _root("inex-snippet-submission"), ": snippets are not scored here"
    ),
    _Foreign("a submission of answers (INEX)", _root("inex-qa-submission", "qa-submission"), _ANSWERS),
    _Foreign("XMI of UIMA (INCEpTION, cTAKES)", _root("xmi"), _SPANS),
    _Foreign("annotations of GATE", _root("gatedocument"), _SPANS),
    _Foreign("BioC", _bioc, _SPANS),
    _Foreign(
        "prels of the Million Query track (topic, document, method, grade, probability)",
        _prels,
        ": its measures need the probabilities; plain qrels have neither method nor probability",
    ),
    _Foreign(
        "preference judgements (topic, judge, sub-judge, document, preference)",
        _lines(rb"\S+ \d+ \d+ \S+ -?\d+(?:\.\d+)?"),
        ": give qrels",
    ),
    _Foreign("annotations of brat", _brat, _SPANS),
    _Foreign(
        "WebAnno TSV (WebAnno, INCEpTION)", _lines(rb"#Text=.*|\d+-\d+\t\d+-\d+\t.*", tabs=True), _SPANS
    ),
    _Foreign("features for learning to rank (LETOR)", _lines(rb"\S+ qid:\S+(?: \d+:\S+)+(?: #.*)?"), _QRELS),
    _Foreign(
        "candidates of MS MARCO with their texts (query id, passage id, query, passage)",
        _lines(rb"[^\t ]+\t[^\t ]+\t[^\t]* [^\t]*\t[^\t]* [^\t]* [^\t]*", tabs=True),
        _RUN,
    ),
    _Foreign(
        "annotations of Label Studio",
        _either(
            _objects("data", "annotations"),
            _objects("data", "completions"),
            _objects("data", "predictions"),
            lambda beginning: _spans("label")(beginning) and "annotator" in beginning.keys,
        ),
        _SPANS,
    ),
    _Foreign(
        "annotations of Prodigy", _either(_spans("spans"), _objects("text", "answer", "_task_hash")), _SPANS
    ),
    _Foreign("annotations of doccano or spaCy", _spans("label", "labels", "entities"), _SPANS),
    _Foreign("CAS JSON of INCEpTION", _objects("%feature_structures"), _SPANS),
    _Foreign("annotations of Argilla", _objects("fields", "responses"), _SPANS),
    _Foreign(
        "web annotations (W3C, Hypothesis)",
        _either(*(_objects("target", name) for name in ("body", "uri", "@context", "motivation"))),
        _SPANS,
    ),
    _Foreign(
        "answers with citations (TREC RAG)",
        _either(
            _objects("answer", "references"),
            _objects("responses", "references"),
            _objects("answer", "citations"),
        ),
        _ANSWERS,
    ),
    _Foreign("answers of the iKAT track", _objects("turn_id", "responses"), _ANSWERS),
    _Foreign(
        "nuggets (AutoNuggetizer, NuggetBank)",
        _either(_objects("nuggets"), _objects("nugget_bank"), _objects("claim_bank")),
        ": nuggets are not scored here",
    ),
    _Foreign("candidates of a reranker (RankLLM)", _objects("query", "candidates"), _RUN),
    _Foreign("judgements of UMBRELA with their texts", _objects("query", "passage", "judgment"), _QRELS),
    _Foreign("a benchmark of LegalBench-RAG", _either(_objects("tests"), _objects("qa_result_list")), _SPANS),
    _Foreign("ContractNLI", _objects("documents", "labels"), _SPANS),
    _Foreign(
        "SQuAD or one of its kin",
        _either(_objects("data", "version"), _objects("context", "question"), _objects("paragraphs"), _squad),
        _SPANS,
    ),
    _Foreign(
        "questions of the Chroma chunking evaluation", _fields("question", "references", "corpus_id"), _SPANS
    ),
    _Foreign("chunks of Chroma", _objects("ids", "documents", "metadatas")),
    _Foreign("documents of LangChain", _objects("page_content", "metadata")),
    _Foreign("documents of Haystack", _objects("content", "meta")),
    _Foreign("chunks of Chonkie", _objects("text", "start_index", "end_index")),
    _Foreign(
        "a part of the MS MARCO 2.1 collection",
        _either(_objects("docid", "segment"), _objects("docid", "body")),
    ),
    _Foreign("a collection of BEIR", _collection_of_beir, ": give its queries or its qrels"),
    _Foreign("a collection of Anserini", _objects("id", "contents")),
    _Foreign(
        "samples of Ragas",
        _either(_fields("user_input", "retrieved_contexts"), _fields("question", "contexts")),
    ),
    _Foreign("test cases of DeepEval", _fields("input", "actual_output")),
    _Foreign("judgements of OpenSearch", _objects("judgmentratings"), _QRELS),
    _Foreign("a request of Elasticsearch's rank evaluation", _objects("requests"), _QRELS),
    _Foreign("hits of Elasticsearch or OpenSearch", _objects("hits"), _RUN),
    _Foreign("claims of FEVER or SciFact", _objects("claim", "evidence")),
    _Foreign("questions of HotpotQA", _objects("supporting_facts", "context")),
    _Foreign("HAGRID", _objects("query", "quotes", "answers"), _ANSWERS),
)
"""The first that fits is named: special forms come before similar ones."""
