"""Chunks of frameworks and search engines as runs: LangChain, LlamaIndex, Haystack, Chonkie, …

A chunk is an object with a text, its document, and its start; names differ between frameworks. A chunk
without a place is located by its words in the document, after the chunk before it; if it is not found, it
keeps its rank and has no place. Answers of Elasticsearch, OpenSearch and Vespa are runs of documents.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from inexview.core.benchmarks.bundle import Bundle, occurrences, same_words
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.bundle_files import names_by_tail, read_bundle, texts_of
from inexview.core.formats.text_files import Beginning, text_of_list, write_lines
from inexview.core.formats.trec import json_line
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import UNKNOWN, Result, Run, Task, ranked_documents
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress, unwatched
from inexview.core.text.json_values import json_values, whole_file
from inexview.core.text.spans import Ints, Names
from inexview.core.wording import counted

_TEXT = ("page_content", "content", "text", "chunk", "passage", "contents", "segment", "answer")
_DOCUMENT = (
    "source", "source_id", "file_path", "corpus_id", "doc_id", "document_id", "docid", "docno", "ref_doc_id",
    "file_name", "filename", "parent_id", "document", "path", "url",
)  # fmt: skip
_START = ("start_index", "start_char_idx", "split_idx_start", "start_char", "start", "offset", "begin")
_END = ("end_index", "end_char_idx", "end_char", "end")
_SCORE = ("score", "relevance_score", "similarity", "_score", "relevance")
_TOPIC = (
    "query_id", "qid", "topic_id", "question_id", "topic", "query", "question", "user_input", "narrative_id",
)  # fmt: skip
_RUN = ("run_id", "run", "system")
_LISTS = (
    "chunks", "results", "retrieved_snippets", "retrieved", "retrieved_chunks", "retrieved_contexts",
    "source_nodes", "nodes", "source_documents", "documents", "contexts", "passages", "hits", "snippets",
)  # fmt: skip
_SURE = 250.0  # more than names of fields alone can fit
_MOST_DEPTH = 6

_LISTED_ID = re.compile(r"(?P<document>.+)[_#](?P<start>\d+)_(?P<length>\d+)\Z")


@dataclass(slots=True)
class Chunk:
    """A chunk of a file; ``start`` is UNKNOWN without a place."""

    topic: str
    document: str
    text: str | None
    start: int
    end: int
    score: float | None
    rank: int | None
    run: str
    line: int

    @property
    def placed(self) -> bool:
        return self.start >= 0 and self.end >= self.start


# Recognition.


def fits_chunks(beginning: Beginning) -> float:
    """Return how well a beginning fits chunks: an object with a text and its place or its document."""
    first = beginning.first_object
    if not first:
        return 0
    if {"docstore/data", "qa_result_list"} & first.keys():
        return _SURE
    if {"ids", "documents", "metadatas"} <= first.keys() or {"query", "candidates"} <= first.keys():
        return _SURE
    chunk = _first_chunk(first, 0)
    return _SURE if chunk is not None else 0


def _first_chunk(value: Any, depth: int) -> dict[str, Any] | None:
    """Return the first object that is a chunk, searching the lists within an object."""
    if depth > _MOST_DEPTH:
        return None
    if isinstance(value, list):
        return _first_chunk(value[0], depth + 1) if value else None
    if not isinstance(value, dict):
        return None
    if _is_chunk(value):
        return value
    for name, held in value.items():
        listed = isinstance(held, list) and held and isinstance(held[0], dict | list)
        if listed and (name in _LISTS or depth == 0) and (found := _first_chunk(held, depth + 1)) is not None:
            return found
    return None


def _is_chunk(value: Mapping[str, Any]) -> bool:
    chunk = _flat(value)
    text = any(isinstance(chunk.get(name), str) for name in _TEXT)
    span = isinstance(chunk.get("span"), list) and "file_path" in chunk
    named = any(name in chunk for name in _DOCUMENT) or "page_content" in chunk or "relationships" in chunk
    placed = any(name in chunk for name in _START)
    return span or (text and (placed or (named and ("page_content" in chunk or "meta" in value))))


def _has_text_of_document(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a chunk if chunks are expected: it has a text and a document."""
    flat = _flat(value)
    return any(isinstance(flat.get(name), str) for name in _TEXT) and bool(_named(flat, _DOCUMENT))


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _flat(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a chunk with those of its metadata; its own take precedence."""
    value = _dict(value.get("kwargs")) if value.get("type") == "constructor" else value
    # A node or document with a score, as in LlamaIndex, Haystack and RankLLM.
    node = next((held for name in ("node", "document", "doc") if (held := _dict(value.get(name)))), {})
    data = _dict(value.get("__data__"))
    flat: dict[str, Any] = {}
    for part in (_dict(value.get("metadata")), _dict(value.get("meta")), data, node, value):
        if "_node_content" in part and isinstance(part["_node_content"], str):
            with suppress(ValueError, RecursionError):
                flat.update(_dict(json.loads(part["_node_content"])))
        flat.update({key: held for key, held in part.items() if held is not None})
    for inner in (node, data):
        for part in (_dict(inner.get("metadata")), _dict(inner.get("meta"))):
            flat = {**{key: held for key, held in part.items() if held is not None}, **flat}
    parent = _dict(_dict(flat.get("relationships")).get("1")).get("node_id")
    if isinstance(parent, str):
        flat.setdefault("ref_doc_id", parent)
    return flat


# Reading.


def _json_of(path: Path, warnings: list[str]) -> Iterator[tuple[Any, int]]:
    return json_values(text_of_list(whole_file(path), path, warnings).decode(), path)


def chunks_of(path: Path, warnings: list[str]) -> Iterator[Chunk]:
    """Yield the chunks of a file in order; raises DataError, naming file, line and field."""
    number = 0
    for value, line in _json_of(path, warnings):
        for chunk in _chunks(value, "", path, line, 0):
            number += 1
            yield chunk
    if not number:
        raise DataError("holds no chunk (an object with a text, its document and its offset)", path=path)


def _chunks(value: Any, topic: str, path: Path, line: int, depth: int) -> Iterator[Chunk]:
    if depth > _MOST_DEPTH:
        raise DataError("is nested too deeply for chunks", path=path, line=line)
    if isinstance(value, list):
        for member in value:
            if isinstance(member, list) and len(member) == 2 and isinstance(member[0], dict):
                member = {"score": member[1], **member[0]}  # (document, score) of LangChain
            yield from _chunks(member, topic, path, line, depth + 1)
        return
    if not isinstance(value, dict):
        raise DataError(f"is not a chunk {{…}}: {json.dumps(value)[:60]}", path=path, line=line)
    topic = _named(value, _TOPIC) or _named(_dict(value.get("qa_gt")), _TOPIC) or topic
    if {"ids", "documents", "metadatas"} <= value.keys():
        yield from _of_chroma(value, topic, path, line)
    elif "docstore/data" in value:
        yield from _chunks(list(_dict(value["docstore/data"]).values()), topic, path, line, depth + 1)
    elif {"query", "candidates"} <= value.keys():  # whole documents or passages, unless they have places
        for chunk in _chunks(value["candidates"], topic, path, line, depth + 1):
            yield chunk if chunk.placed else replace(chunk, text=None)
    elif "qa_result_list" in value:
        yield from _chunks(value["qa_result_list"], topic, path, line, depth + 1)
    elif _is_chunk(value) or _has_text_of_document(value):
        yield _chunk(value, topic, path, line)
    else:
        lists = [name for name in _LISTS if isinstance(value.get(name), list)]
        if lists:
            for name in lists[:1]:
                yield from _chunks(value[name], topic, path, line, depth + 1)
            return
        lists = [name for name, held in value.items() if isinstance(held, list)]
        if not lists:
            names = ", ".join(list(value)[:8])
            raise DataError(f"is not a chunk: it has the fields {names}", path=path, line=line)
        for name in lists:  # by topic
            yield from _chunks(value[name], name, path, line, depth + 1)


def _of_chroma(value: Mapping[str, Any], topic: str, path: Path, line: int) -> Iterator[Chunk]:
    """Yield the chunks of a result of Chroma's ``get`` or ``query``: parallel lists."""
    ids = value["ids"] if isinstance(value["ids"], list) else []
    queries = bool(ids) and isinstance(ids[0], list)
    names = ("ids", "documents", "metadatas", "distances")
    columns = {name: value.get(name) or [] for name in names}
    columns = columns if queries else {name: [held] for name, held in columns.items()}

    def held(name: str, number: int, at: int) -> Any:
        column = columns[name]
        listed = column[number] if isinstance(column, list) and number < len(column) else []
        return listed[at] if isinstance(listed, list) and at < len(listed) else None

    for number, own in enumerate(columns["ids"]):
        for at, id in enumerate(own):
            flat = {**_dict(held("metadatas", number, at)), "id": id, "text": held("documents", number, at)}
            distance = held("distances", number, at)
            if isinstance(distance, int | float):
                flat["score"] = -distance
            yield _chunk(flat, topic or (str(number) if queries else ""), path, line)


def _named(value: Mapping[str, Any], names: Sequence[str]) -> str:
    for name in names:
        held = value.get(name)
        if isinstance(held, dict):
            held = held.get("qid", held.get("id", held.get("text")))
        if isinstance(held, str | int) and not isinstance(held, bool) and str(held):
            return str(held)
    return ""


def _chunk(value: Mapping[str, Any], topic: str, path: Path, line: int) -> Chunk:
    flat = _flat(value)
    text = next((flat[name] for name in _TEXT if isinstance(flat.get(name), str)), None)
    document = _named(flat, _DOCUMENT)
    span = flat.get("span")
    if isinstance(span, list) and len(span) == 2:
        start, end = (_offset(edge, "span", path, line) for edge in span)
    else:
        start = _offset(next((flat[name] for name in _START if name in flat), None), "start", path, line)
        end = _offset(next((flat[name] for name in _END if name in flat), None), "end", path, line)
        if start >= 0 and end < 0 and text is not None:
            end = start + len(text)
    if not document and isinstance(flat.get("id"), str) and (found := _LISTED_ID.match(flat["id"])):
        document = found["document"]
    if not document:
        raise DataError("has no document: none of its fields names one", path=path, line=line)
    score = next((flat[name] for name in _SCORE if isinstance(flat.get(name), int | float)), None)
    topic = _named(flat, _TOPIC) or topic
    rank = flat.get("rank")
    return Chunk(
        topic,
        document,
        text,
        start,
        end,
        _number(score, path, line),
        rank if isinstance(rank, int) else None,
        _named(flat, _RUN),
        line,
    )


def _number(value: float | None, path: Path, line: int) -> float | None:
    """Return a score; raises DataError for one that is not finite."""
    try:
        number = None if value is None else float(value)
    except OverflowError:
        number = math.inf
    if number is not None and not math.isfinite(number):
        raise DataError("is not a finite number", path=path, line=line, field="score", value=str(value)[:60])
    return number


def _offset(value: Any, field: str, path: Path, line: int) -> int:
    if value is None:
        return UNKNOWN
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) and value.lstrip("-").isdigit() and len(value) < 15:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value > 1 << 40:
        raise DataError("is not an offset", path=path, line=line, field=field, value=str(value)[:60])
    return max(value, UNKNOWN)


# Locating chunks in their documents.


@dataclass(frozen=True, slots=True)
class Placing:
    """Numbers of chunks with a place in the file, located by their words, and not located."""

    given: int
    found: int = 0
    twice: int = 0
    lost: int = 0
    misread: int = 0

    def warnings(self, path: Path) -> Iterator[str]:
        if self.found:
            said = f"{path}: {self.found:,} chunks without offsets were located by their words"
            yield said + (
                f", {self.twice:,} of them in several places (the first is used)" if self.twice else ""
            )
        if self.lost:
            yield f"{path}: {self.lost:,} chunks not located in their documents; they count as not relevant"
        if self.misread:
            yield f"{path}: {self.misread:,} chunks differ from the text at their offsets"


def place_chunks(
    chunks: Sequence[Chunk], collection: Collection | None, progress: Progress = unwatched
) -> tuple[list[Chunk], Placing]:
    """Return the chunks, with places for those located by their words; raises Cancelled.

    A document is searched from the start of its last chunk on, and then from its own start: overlapping
    chunks of a repeated text come in the text's order.
    """
    text_of = texts_of(Bundle("", Path()), collection)
    last: dict[str, int] = {}
    made, found, twice, lost, misread = [], 0, 0, 0, 0
    for done, chunk in enumerate(chunks):
        if done % 500 == 0:
            progress("chunks", done, len(chunks))
        if chunk.placed:
            if chunk.text is not None and collection is not None:
                text = text_of(chunk.document)
                misread += text is not None and not same_words(text[chunk.start : chunk.end], chunk.text)
            last[chunk.document] = chunk.start
        elif chunk.text is not None and (text := text_of(chunk.document)) is not None:
            places = list(occurrences(text, chunk.text, 2, last.get(chunk.document, 0)))
            places = places or list(occurrences(text, chunk.text, 2))
            if places:
                found, twice = found + 1, twice + (len(places) > 1)
                start, end = places[0]
                last[chunk.document] = start
                chunk = replace(chunk, start=start, end=end)
            else:
                lost += 1
        else:
            lost += 1
        made.append(chunk)
    given = sum(chunk.placed for chunk in chunks)
    return made, Placing(given, found, twice, lost, misread)


def read_chunk_run(
    path: str | Path, *, collection: Collection | None = None, progress: Progress = unwatched
) -> Run:
    """Read chunks as a run of passages, in the order of their ranks, or else in that of the file.

    Raises DataError, naming file, line and field; Cancelled.
    """
    path = Path(path)
    warnings: list[str] = []
    listed = list(chunks_of(path, warnings))
    bare = next((chunk for chunk in listed if not chunk.topic), None)
    if bare is not None:
        named = any(chunk.topic for chunk in listed)
        stem = path.name.split(".", 1)[0]
        if named:
            raise DataError("has no question: give it in a field `query`", path=path, line=bare.line)
        listed = [replace(chunk, topic=stem) for chunk in listed]
    run = run_of_chunks(listed, path, collection, progress)
    return replace(run, warnings=(*warnings, *run.warnings))


def run_of_chunks(
    listed: Sequence[Chunk], path: Path, collection: Collection | None, progress: Progress = unwatched
) -> Run:
    """Return chunks as a run; those without a place are located by their words in the collection.

    It is a run of documents if no chunk has a place or words. Raises Cancelled.
    """
    if collection is not None:
        names = names_by_tail({chunk.document for chunk in listed}, _ids(collection, listed))
        listed = [replace(chunk, document=names.get(chunk.document, chunk.document)) for chunk in listed]
    parts = any(chunk.placed or chunk.text is not None for chunk in listed)
    placed, placing = place_chunks(listed, collection, progress)
    if all(chunk.rank is not None for chunk in placed):
        placed.sort(key=lambda chunk: chunk.rank or 0)
    run = Run.from_results(
        (
            Result(chunk.topic, chunk.document, 0, chunk.score, *(_edges(chunk) if parts else (0, -1)))
            for chunk in placed
        ),
        id=next((chunk.run for chunk in placed if chunk.run), path.name.split(".", 1)[0]),
        task=Task.CHUNKS if parts else Task.DOCUMENTS,
    )
    return replace(run, path=path, warnings=tuple(placing.warnings(path)) if parts else ())


def _edges(chunk: Chunk) -> tuple[int, int]:
    """Return start and end of a chunk in a run; without a place, the end is the length of its text."""
    if chunk.placed:
        return chunk.start, chunk.end
    return UNKNOWN, UNKNOWN + (len(chunk.text) if chunk.text else 0)


MOST_IDS = 1_000_000  # of a collection that are compared with longer or shorter names of documents


def _ids(collection: Collection, listed: Sequence[Chunk]) -> Sequence[str]:
    wanted = {chunk.document for chunk in listed}
    if len(collection) > MOST_IDS or collection.holding(list(wanted)) == wanted:
        return ()
    return collection.ids()


# Ids that name parts of documents: DOC_OFFSET_LENGTH, and segments of MS MARCO 2.1 (DOC#NUMBER_PLACE).

_PART = re.compile(r"(?P<document>.+)_(?P<start>\d{1,12})_(?P<length>\d{1,12})", re.DOTALL)
_SEGMENT = re.compile(r"(?P<document>[^#]+)#\d+(?:_\d+)?")
Holding = Callable[[Sequence[str]], Set[str]]
"""Returns the known ones of some ids of documents."""


def parts_of_documents(run: Run, holding: Holding) -> Run:
    """Return a run whose ids name parts of documents as a run of these, if only the documents are known.

    In a run of documents an id ``a_120_400`` is the chunk [120, 520) of ``a``; in a run of chunks the
    segments of MS MARCO 2.1, whose offsets are next to their ids, become chunks of their documents.
    """
    if not len(run) or run.task not in (Task.DOCUMENTS, Task.CHUNKS):
        return run
    whole = run.task is Task.DOCUMENTS
    form = _PART if whole else _SEGMENT
    if whole and not form.fullmatch(run.document[0]):  # most runs are not read further
        return run
    ids = run.document.strings()
    parts = {id: found for id in dict.fromkeys(ids) if (found := form.fullmatch(id))}
    known = holding([*parts, *{found["document"]: None for found in parts.values()}]) if parts else set()
    if known & parts.keys():
        return run
    parts = {id: found for id, found in parts.items() if found["document"] in known}
    if not parts:
        return run
    documents = Names.of(parts[id]["document"] if id in parts else id for id in ids)
    if not whole:
        said = f"{run.path}: {counted(len(parts), 'segment')} taken as passages of their documents"
        return replace(run, document=documents, warnings=(*run.warnings, said))
    said = f"{run.path}: {counted(len(parts), 'id')} such as {next(iter(parts))} read as chunks of documents"
    start = np.array([int(parts[id]["start"]) if id in parts else UNKNOWN for id in ids], np.int64)
    size = np.array([int(parts[id]["length"]) if id in parts else 0 for id in ids], np.int64)
    told = (*run.warnings, f"{said} (offset and length)")
    return replace(run, document=documents, start=start, size=size, task=Task.CHUNKS, warnings=told)


def parts_in_qrels(run: Run, qrels: Qrels) -> Run:
    """Return a run like ``parts_of_documents``, for the documents of qrels."""
    return parts_of_documents(run, lambda ids: {*qrels.document.strings()}.intersection(ids))


# Search engines: whole documents.


def fits_hits(beginning: Beginning) -> float:
    """Return how well a beginning fits an answer of Elasticsearch, OpenSearch or Vespa."""
    first = beginning.first_object
    hits = _dict(first.get("hits")).get("hits")
    responses = first.get("responses")
    several = isinstance(responses, list) and bool(responses) and "hits" in _dict(responses[0])
    return 2 * _SURE if isinstance(hits, list) or several or "children" in _dict(first.get("root")) else 0


def read_hits_run(path: str | Path) -> Run:
    """Read answers of Elasticsearch, OpenSearch (``hits.hits``) or Vespa (``root.children``) as a run.

    The question is named next to the hits, else by the file's name, or the answer's position. Raises
    DataError.
    """
    path = Path(path)
    results = []
    warnings: list[str] = []
    answers = list(_answers(path, warnings))
    for number, (answer, line) in enumerate(answers):
        topic = _named(answer, _TOPIC) or (path.name.split(".", 1)[0] if len(answers) == 1 else str(number))
        hits = _dict(answer.get("hits")).get("hits")
        listed = hits if isinstance(hits, list) else _dict(answer.get("root")).get("children") or []
        for rank, hit in enumerate(listed, 1):
            id = _named(_dict(hit), ("_id", "id"))
            if not id:
                raise DataError("is missing", path=path, line=line, field="_id", value="")
            if id.startswith("id:") and id.count(":") >= 4:  # Vespa's id:namespace:type::document
                id = id.split("::", 1)[-1]
            score = next(
                (hit[name] for name in ("_score", "relevance") if isinstance(hit.get(name), int | float)),
                None,
            )
            results.append(Result(topic, id, rank, _number(score, path, line), 0, -1))
    if not results:
        raise DataError("holds no hit", path=path)
    named = next((name for answer, _ in answers if (name := _named(answer, _RUN))), "")
    run = Run.from_results(results, id=named or path.name.split(".", 1)[0], task=Task.DOCUMENTS)
    return replace(run, path=path, warnings=tuple(warnings))


def _answers(path: Path, warnings: list[str]) -> Iterator[tuple[dict[str, Any], int]]:
    for value, line in _json_of(path, warnings):
        for member in value if isinstance(value, list) else (value,):
            answer = _dict(member)
            responses = answer.get("responses")
            for one in responses if isinstance(responses, list) else (answer,):
                yield _dict(one), line


# Writing: one object for each chunk or question, in lines.


def write_chunk_run(run: Run, path: Path, *, collection: Collection | None = None) -> None:
    """Write results as chunks with their places, and with their texts if a collection is given."""
    text_of = texts_of(Bundle("", path), collection)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for topic in run.topics:
            for result in run.results(topic):
                chunk: dict[str, Any] = {"query_id": topic, "document": result.document}
                text = text_of(result.document) if result.known else None
                chunk["text"] = "" if text is None else text[result.start : result.end]
                if result.known:
                    chunk |= {"start_index": result.start, "end_index": result.end}
                if result.score is not None:
                    chunk["score"] = result.score
                chunk["run_id"] = run.id
                file.write(json_line(chunk))


def write_hits_run(run: Run, path: Path) -> None:
    """Write a run of documents as answers of Elasticsearch, one for each question."""
    answers: dict[str, list[dict[str, Any]]] = {}
    for topic, document, _, score in ranked_documents(run):
        answers.setdefault(topic, []).append({"_id": document, "_score": score})
    named = ({"query_id": topic, "run_id": run.id, "hits": {"hits": hits}} for topic, hits in answers.items())
    write_lines(path, map(json_line, named))


# Questions and documents with the ids of the judgements.


class Asked(NamedTuple):
    """The ids of questions, by their texts, and of documents in judgements."""

    topics: Mapping[str, str]
    documents: tuple[str, ...]

    @classmethod
    def of_bundle(cls, path: Path) -> Asked:
        """Return the ids of a benchmark or a tool's file; raises DataError."""
        return _asked(path, path.stat().st_mtime_ns)

    @classmethod
    def of_topics(cls, topics: Iterable[Topic], documents: tuple[str, ...]) -> Asked:
        """Return the ids of topics, whose titles are the questions, and of documents."""
        return cls({" ".join(topic.title.split()): topic.id for topic in topics if topic.title}, documents)


@lru_cache(4)
def _asked(path: Path, _changed: int) -> Asked:
    bundle = read_bundle(path)
    topics = {" ".join(question.text.split()): question.id for question in bundle.questions}
    return Asked(topics, bundle.documents)


def adopted(run: Run, asked: Asked) -> Run:
    """Return a run with the ids of the judgements for questions and documents.

    A question may be named by its text, a document by a longer path or with a suffix.
    """
    ids = set(asked.topics.values())
    texts = {topic: " ".join(topic.split()) for topic in run.topics}
    named = tuple(topic if topic in ids else asked.topics.get(texts[topic], topic) for topic in run.topics)
    if len(set(named)) < len(named):
        named = run.topics
    own = run.document.strings()
    names = names_by_tail(set(own), asked.documents)
    document = Names.of(names.get(id, id) for id in own) if names else run.document
    return replace(run, topics=named, document=document)


def names_no_question(run: Run) -> bool:
    """Return whether a run is a chunker's whole list: its only topic is the name of its file."""
    stem = "" if run.path is None else run.path.name.split(".", 1)[0]
    return run.task is Task.CHUNKS and run.topics == (stem,)


def handed_out(run: Run, qrels: Qrels) -> Run:
    """Return a chunker's whole list as a run: each topic gets the chunks that touch its passages.

    Such a list is a file whose chunks name no question; any other run is returned unchanged. Chunks keep the
    order of the list.
    """
    if not names_no_question(run) or run.topics[0] in qrels.topics:
        return run
    (stem,) = run.topics
    judged = [one for one in qrels if one.relevant_text]
    rows = {document: run.rows_in(stem, document) for document in {one.document for one in judged}}
    end = run.start + np.maximum(run.size, 0)
    near: dict[str, list[Ints]] = {}
    for one in judged:
        own = rows[one.document]
        own = own[run.start[own] != UNKNOWN]
        for first, last in one.relevant_text:
            near.setdefault(one.topic, []).append(own[(run.start[own] <= last) & (first <= end[own])])
    of_topic = {topic: np.unique(np.concatenate(own)) for topic, own in near.items()}
    of_topic = {topic: own for topic, own in of_topic.items() if len(own)}
    if not of_topic:
        return run
    taken = run.take(np.concatenate([*of_topic.values()]))
    said = (
        f"{run.path}: its {len(run):,} chunks name no question: each question is given those that hold or "
        "touch its passages, which is the best that can be retrieved"
    )
    ptr = np.cumsum([0, *map(len, of_topic.values())], dtype=np.int64)
    return replace(taken, topics=tuple(of_topic), ptr=ptr, warnings=(*run.warnings, said))
