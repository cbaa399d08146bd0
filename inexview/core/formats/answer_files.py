"""Answers with citations, in the forms of tracks and tools, and as runs of what they cite.

TREC RAG 2024 and 2025, RAGTIME, NeuCLIR, DRAGUN, BioGen and iKAT have an object for each answer, with its
sentences and their citations; ALCE and HAGRID have prose with ``[1]``; the interfaces of models cite their
sources by character. Citations are positions in a list, or ids.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from inexview.core.answers.answers import (
    Answer,
    Answers,
    Reference,
    Sentence,
    sentences_with_citations,
)
from inexview.core.article.granularity import sentence_starts
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.chunk_runs import Chunk, place_chunks, run_of_chunks
from inexview.core.formats.text_files import Beginning, text_of_list, write_lines
from inexview.core.formats.trec import json_line
from inexview.core.judgements.runs import Run, ranked_documents
from inexview.core.progress import Progress, unwatched
from inexview.core.text.json_values import json_values, whole_file
from inexview.core.wording import counted

_SURE = 1000.0  # more than any other form of JSON can fit
_TOPIC = (
    "topic_id", "narrative_id", "request_id", "turn_id", "query_id", "qid", "question_id", "sample_id", "id",
    "topic", "narrative", "title", "query", "question",
)  # fmt: skip
_QUESTION = ("narrative", "topic", "query", "question", "title", "problem_statement")
_SENTENCES = ("answer", "responses", "sentences")
_CITED = ("citations", "supported_citations", "references", "citattions")
_PMIDS = re.compile(r"\s?\[([1-9]\d{3,8}(?:\s*[,;]\s*[1-9]\d{3,8})*)\](?=\s*[.!?]?\s*\Z)")


def fits_answers(beginning: Beginning) -> float:
    """Return how well a beginning fits answers: sentences with citations, or prose with its documents."""
    first = beginning.first_object
    listed = first.get("data")
    if isinstance(listed, list) and listed and isinstance(listed[0], dict):
        first = listed[0]
    return _SURE if _form(first) is not None else 0


def _form(value: Mapping[str, Any]) -> str | None:
    """Return the form of an object: track, prose, model or quotes; None for any other object."""
    about = "references" in value or "metadata" in value or "turn_id" in value
    for listed in (value[name] for name in _SENTENCES if isinstance(value.get(name), list)):
        texts = [one for one in listed if isinstance(one, dict) and "text" in one]
        cited = any(name in one for one in texts for name in _CITED)
        if (texts and (about or cited)) or (not listed and "references" in value):
            return "track"
    if isinstance(value.get("output"), str) and isinstance(value.get("docs"), list):
        return "prose"
    if isinstance(value.get("quotes"), list) and isinstance(value.get("answers"), list):
        return "quotes"
    return "model" if _blocks(value) is not None else None


def read_answers(path: str | Path) -> Answers:
    """Read answers of any of these forms; raises DataError, naming file, line and field."""
    path = Path(path)
    warnings: list[str] = []
    answers = [
        answer
        for value, line in json_values(text_of_list(whole_file(path), path, warnings).decode(), path)
        for answer in _answers(value, _Place(path, line, warnings))
    ]
    if not answers:
        raise DataError("holds no answer (sentences with citations)", path=path)
    seen: set[tuple[str, str]] = set()
    for answer in answers:
        if (answer.run, answer.topic) in seen:
            problem = f"answers topic {answer.topic} a second time"
            raise DataError(problem, path=path, line=answer.line, field="run_id", value=answer.run)
        seen.add((answer.run, answer.topic))
    answers, blank = _without_blank(answers)
    if blank:
        warnings.append(f"{path}: {counted(blank, 'sentence')} without text left out")
    broken = sum(len(sentence.broken) for answer in answers for sentence in answer.sentences)
    if broken:
        warnings.append(f"{path}: {counted(broken, 'citation')} of what the answer does not list")
    return Answers(tuple(answers), path, tuple(warnings))


def _without_blank(answers: Sequence[Answer]) -> tuple[list[Answer], int]:
    """Return the sentences without empty ones that cite nothing, and the number of these."""
    kept = [
        replace(
            answer,
            sentences=tuple(one for one in answer.sentences if one.text or one.citations or one.broken),
        )
        for answer in answers
    ]
    return kept, sum(len(answer.sentences) for answer in answers) - sum(len(one.sentences) for one in kept)


class _Place:
    """The place of an answer in its file, for messages."""

    def __init__(self, path: Path, line: int, warnings: list[str]) -> None:
        self.path, self.line, self.warnings = path, line, warnings

    @property
    def stem(self) -> str:
        return self.path.name.split(".", 1)[0]

    def refuse(self, problem: str, field: str, value: Any) -> NoReturn:
        shown = value if isinstance(value, str) else json.dumps(value)
        raise DataError(problem, path=self.path, line=self.line, field=field, value=shown[:60])


def _answers(value: Any, place: _Place) -> Iterator[Answer]:
    if isinstance(value, list):
        for member in value:
            yield from _answers(member, place)
        return
    if isinstance(value, dict) and isinstance(value.get("data"), list):
        yield from _answers(value["data"], place)
        return
    form = _form(value) if isinstance(value, dict) else None
    if form is None:
        place.refuse("is not an answer with citations", "answer", value)
    read = {"track": _of_track, "prose": _of_prose, "quotes": _of_quotes, "model": _of_model}[form]
    yield from read(value, place)


def _about(value: Mapping[str, Any], place: _Place) -> dict[str, Any]:
    """Return the identifying fields of an object: its own, those of ``metadata``, and the file's name."""
    metadata = value.get("metadata")
    about = {**value, **(metadata if isinstance(metadata, dict) else {})}
    names = [
        name for name in _TOPIC if name != "id" or "content" not in value
    ]  # a model's answer has its own
    topic = next((str(about[name]) for name in names if _is_name(about.get(name))), place.stem)
    if topic.endswith(".0") and topic[:-2].isdigit():  # a column of numbers with gaps
        place.warnings.append(f"{place.path}:{place.line}: topic '{topic}' is read as '{topic[:-2]}'")
        topic = topic[:-2]
    question = next((about[name] for name in _QUESTION if isinstance(about.get(name), str)), "")
    run = next((str(about[name]) for name in ("run_id", "model", "system") if _is_name(about.get(name))), "")
    return {"topic": topic, "run": run or place.stem, "question": question, "line": place.line}


def _is_name(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip() != ""


# -- tracks --------------------------------------------------------------------------------------------


def _of_track(value: Mapping[str, Any], place: _Place) -> Iterator[Answer]:
    about = _about(value, place)
    every = [value[name] for name in _SENTENCES if isinstance(value.get(name), list)]
    listed: list[Any] = next(filter(None, every), [])
    if not all(isinstance(one, dict) for one in listed):
        place.refuse("is not a list of sentences {…}", "answer", listed)
    if "turn_id" in value:  # iKAT: responses are alternatives, and the best one is the answer
        listed = sorted(listed, key=lambda one: one["rank"] if isinstance(one.get("rank"), int) else 1)
        if len(listed) > 1:
            more = len(listed) - 1
            place.warnings.append(f"{place.path}:{place.line}: {counted(more, 'further response')} left out")
        listed = listed[:1]
    given = value.get("references")
    ids = [str(_whole(id)) for id in given] if isinstance(given, list | dict) else []
    texts = value.get("documents")
    references = {id: _reference(id, texts) for id in ids}
    read = [_cited(one, place) for one in listed]
    by_place = _are_places([id for _, cited in read for id in cited], ids)
    sentences = []
    for said, cited in read:
        names: list[str] = []
        broken: list[str] = []
        for id in cited:
            if by_place and isinstance(id, int):
                there = 0 <= id < len(ids)
                name = ids[id] if there else str(id)
            else:
                name = str(id)
                there = name in references or not ids
            (names if there else broken).append(name)
        for name in names:
            references.setdefault(name, _reference(name, texts))
        order = {id: at for at, id in enumerate(references)}
        citations = tuple(dict.fromkeys(order[name] for name in names))
        sentences.append(Sentence(said, citations, tuple(broken)))
    yield Answer(references=tuple(references.values()), sentences=tuple(sentences), **about)


def _whole(id: Any) -> Any:
    """Return an id unchanged, but 1 for 1.0, as pandas writes it."""
    return int(id) if isinstance(id, float) and id.is_integer() else id


def _are_places(cited: Sequence[Any], ids: Sequence[str]) -> bool:
    """Return whether the numbers cited by an answer are positions in its list, not ids such as PMIDs."""
    numbers = [id for id in cited if isinstance(id, int)]
    within = all(0 <= id < len(ids) for id in numbers)
    return bool(ids) and (within or not all(str(id) in ids for id in numbers))


def _reference(id: str, texts: Any) -> Reference:
    held = texts.get(id) if isinstance(texts, dict) else None
    if not isinstance(held, dict):
        return Reference(id, id)
    quote, title = held.get("text"), held.get("title")
    return Reference(
        id, id, quote=quote if isinstance(quote, str) else None, title=title if isinstance(title, str) else ""
    )


def _cited(sentence: Mapping[str, Any], place: _Place) -> tuple[str, list[Any]]:
    """Return the text of a sentence and its citations, best first; PMIDs may precede its full stop."""
    text = sentence.get("text")
    if not isinstance(text, str):
        place.refuse("is not a text", "text", text)
    name = next((name for name in _CITED if name in sentence), "")
    cited = sentence.get(name) if name else None
    cited = [] if cited is None else cited
    if isinstance(cited, dict):
        order = sorted(cited, key=lambda id: -cited[id] if isinstance(cited[id], int | float) else 0)
        return text.strip(), order
    if not isinstance(cited, list) or not all(_is_name(id) for id in cited):
        place.refuse("is not a list of citations", name, cited)
    inline = None if cited or name else _PMIDS.search(text)
    if inline is not None:
        return text.replace(inline[0], "").strip(), re.findall(r"\d+", inline[1])
    return text.strip(), [_whole(id) for id in cited]


# -- prose with [1] --------------------------------------------------------------------------------------


def _of_prose(value: Mapping[str, Any], place: _Place) -> Iterator[Answer]:
    """Read ALCE: ``output`` cites ``docs`` by their numbers from 1."""
    references = []
    for number, one in enumerate(value["docs"], 1):
        held = one if isinstance(one, dict) else {}
        id = str(held["id"]) if _is_name(held.get("id")) else str(number)
        quote, title = held.get("text"), held.get("title")
        text = quote if isinstance(quote, str) else None
        references.append(Reference(id, id, quote=text, title=title if isinstance(title, str) else ""))
    sentences = _numbered(value["output"], {str(at + 1): at for at in range(len(references))})
    yield Answer(references=tuple(references), sentences=sentences, **_about(value, place))


def _of_quotes(value: Mapping[str, Any], place: _Place) -> Iterator[Answer]:
    """Read HAGRID: several answers to a question, which cite ``quotes`` by their ``idx``."""
    quotes = [one for one in value["quotes"] if isinstance(one, dict)]
    references = tuple(
        Reference(str(one.get("docid", at + 1)), str(one.get("docid", at + 1)), quote=one.get("text"))
        for at, one in enumerate(quotes)
    )
    order = {str(one.get("idx", at + 1)): at for at, one in enumerate(quotes)}
    about = _about(value, place)
    for number, answer in enumerate(value["answers"], 1):
        text = answer.get("answer") if isinstance(answer, dict) else answer
        if not isinstance(text, str):
            place.refuse("is not a text", "answer", text)
        run = about["run"] if number == 1 else f"{about['run']}-{number}"
        yield Answer(references=references, sentences=_numbered(text, order), **{**about, "run": run})


def _numbered(text: str, order: Mapping[str, int]) -> tuple[Sentence, ...]:
    """Return the sentences of prose; ``order`` maps each number to a reference."""
    made = []
    for said, numbers in sentences_with_citations(text, sentence_starts(text)):
        known = tuple(dict.fromkeys(order[number] for number in numbers if number in order))
        made.append(Sentence(said, known, tuple(number for number in numbers if number not in order)))
    return tuple(made)


# -- interfaces of models --------------------------------------------------------------------------------


def _blocks(value: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the text blocks of a model's answer, if any has citations; they may be in ``response``."""
    for held in (value, value.get("response"), value.get("message")):
        content = held.get("content") if isinstance(held, dict) else None
        if isinstance(content, list):
            blocks = [one for one in content if isinstance(one, dict) and isinstance(one.get("text"), str)]
            if any(isinstance(one.get("citations"), list) for one in blocks):
                return blocks
    return None


def _of_model(value: Mapping[str, Any], place: _Place) -> Iterator[Answer]:
    """Read an answer in blocks, each of which cites characters of documents (``char_location``)."""
    references: dict[Reference, int] = {}
    sentences: list[Sentence] = []
    for block in _blocks(value) or ():
        cited, broken = [], []
        for one in block.get("citations") or ():
            if not isinstance(one, dict):
                place.refuse("is not a citation {…}", "citations", one)
            reference = _of_source(one, place)
            if reference is None:
                broken.append(str(one.get("type")))
            else:
                cited.append(references.setdefault(reference, len(references)))
        text, citations = block["text"].strip(), tuple(dict.fromkeys(cited))
        if text:
            sentences.append(Sentence(text, citations, tuple(broken)))
    yield Answer(references=tuple(references), sentences=tuple(sentences), **_about(value, place))


def _of_source(citation: Mapping[str, Any], place: _Place) -> Reference | None:
    """Return the source of a citation: characters of a document, or words; None for pages and blocks."""
    title, quote = citation.get("document_title") or citation.get("title"), citation.get("cited_text")
    name = title if isinstance(title, str) and title else str(citation.get("document_index", ""))
    words = quote if isinstance(quote, str) else None
    if citation.get("type") == "char_location":
        start, end = citation.get("start_char_index"), citation.get("end_char_index")
        if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start <= end < 1 << 40:
            place.refuse("is not a place", "start_char_index", [start, end])
        return Reference(f"{name}:{start}-{end}", name, start, end, words)
    return None if words is None or not name else Reference(name, name, quote=words)


# As runs: cited passages in the order of their first citation.


def read_answer_run(
    path: str | Path, *, collection: Collection | None = None, progress: Progress = unwatched
) -> Run:
    """Read answers as a run of what they cite, each passage at its first citation.

    For an answer without sentences it has all references. Passages given by their words are located in the
    collection; without any place or words it is a run of documents. Raises DataError, also for a file of
    several systems, and Cancelled.
    """
    answers = read_answers(path)
    if len(answers.runs) > 1:
        named = ", ".join(answers.runs[:5])
        problem = f"holds answers of {len(answers.runs)} systems ({named}): put each system in its own file"
        raise DataError(problem, path=Path(path))
    chunks = [
        Chunk(answer.topic, one.document, one.quote, one.start, one.end, None, None, answer.run, answer.line)
        for answer in answers.answers
        for one in ([answer.references[at] for at in answer.cited] if answer.sentences else answer.references)
    ]
    if not chunks:
        raise DataError("cites nothing", path=Path(path))
    run = run_of_chunks(chunks, Path(path), collection, progress)
    return replace(run, warnings=(*answers.warnings, *run.warnings))


def placed_references(
    answers: Sequence[Answer], collection: Collection, progress: Progress = unwatched
) -> list[tuple[Reference, ...]]:
    """Return the references of answers, with places for those located by their words.

    Raises Cancelled.
    """
    chunks = [
        Chunk("", one.document, one.quote, one.start, one.end, None, None, "", 0)
        for answer in answers
        for one in answer.references
    ]
    placed = iter(place_chunks(chunks, collection, progress)[0])
    return [
        tuple(
            one._replace(start=chunk.start, end=chunk.end) if chunk.placed else one
            for one, chunk in zip(answer.references, placed, strict=False)
        )
        for answer in answers
    ]


def write_answer_run(run: Run, path: Path) -> None:
    """Write the documents of a run as the references of answers without sentences."""
    listed: dict[str, list[str]] = {}
    for topic, document, _, _ in ranked_documents(run):
        listed.setdefault(topic, []).append(document)
    answers = (
        {"run_id": run.id, "topic_id": topic, "references": ids, "answer": []}
        for topic, ids in listed.items()
    )
    write_lines(path, map(json_line, answers))
