"""Nuggets of AutoNuggetizer and NuggetBank, and judgements of citations, as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from inexview.core.answers.answers import Answer, Answers
from inexview.core.answers.nuggets import Importance, Nugget, NuggetFile, NuggetPlace, TopicNuggets
from inexview.core.answers.support import FULL, NONE, PARTIAL, SUPPORT, SupportJudgements
from inexview.core.benchmarks.bundle import Bundle, Question, QuoteCheck, QuotedPassage
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.bundle_files import AS_FOUND, checked_passages
from inexview.core.formats.text_files import write_lines
from inexview.core.formats.trec import json_line
from inexview.core.progress import Progress, unwatched
from inexview.core.text.counting import UTF8_BYTES
from inexview.core.text.json_values import json_values, text_of_file
from inexview.core.text.search import Span
from inexview.core.text.spans import EMPTY, Spans

_ASSIGNED = {"support": FULL, "partial_support": PARTIAL, "not_support": NONE}
_TOPIC = ("qid", "query_id", "topic_id", "narrative_id", "request_id", "query", "title_query")
_FAR = 1 << 40


class _Line:
    """An object of a file, and its line."""

    def __init__(self, value: Any, path: Path, line: int) -> None:
        if not isinstance(value, dict):
            raise DataError(f"is not an object {{…}}: {json.dumps(value)[:60]}", path=path, line=line)
        self.value, self.path, self.line = value, path, line
        self.counts_bytes = False
        """Whether it declares that offsets count bytes of UTF-8."""

    def refuse(self, problem: str, field: str, value: Any) -> NoReturn:
        shown = value if isinstance(value, str) else json.dumps(value)
        raise DataError(problem, path=self.path, line=self.line, field=field, value=shown[:60])

    def about(self, name: str) -> Any:
        """Return a field, also from ``metadata``."""
        metadata = self.value.get("metadata")
        own = self.value.get(name)
        return own if own is not None or not isinstance(metadata, dict) else metadata.get(name)

    def text(self, name: str) -> str:
        """Return a field that is a text or a number; "" if it is missing."""
        return _name(self.about(name))

    @property
    def topic(self) -> str:
        found = next((own for name in _TOPIC if (own := self.text(name))), "")
        return found or self.refuse("is missing", "qid", "")


def _name(value: Any) -> str:
    """Return a text or a number as a name, 1.0 as "1", as pandas makes it; "" for anything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _lines(path: Path) -> Iterator[_Line]:
    for value, line in json_values(text_of_file(path), path):
        for member in value if isinstance(value, list) else (value,):
            yield _Line(member, path, line)


# Nuggets.


def read_nugget_file(path: str | Path) -> NuggetFile:
    """Read nuggets of topics, assignments of nuggets to answers, and banks of nuggets with places.

    A folder has a file for each topic. Places are in the file's own unit: see ``placed_nuggets``. Raises
    DataError with file, line and field.
    """
    path = Path(path)
    files = sorted(one for one in path.iterdir() if one.is_file()) if path.is_dir() else [path]
    lines = [line for file in files for line in _lines(file)]
    topics = _of_documents([_topic_of(line) for line in lines])
    if not topics:
        raise DataError("holds no nugget", path=path)
    seen: set[tuple[str, str]] = set()
    for one in topics:
        if (one.topic, one.run) in seen:
            raise DataError(f"gives topic {one.topic} twice", path=path, line=one.line)
        seen.add((one.topic, one.run))
    way = UTF8_BYTES if any(line.counts_bytes for line in lines) else None
    return NuggetFile(tuple(topics), path, way=way)


def _topic_of(line: _Line) -> TopicNuggets:
    value, topic = line.value, line.topic
    question = line.text("query") or line.text("title_query") or line.text("title")
    if "nugget_bank" in value or "claim_bank" in value:
        nuggets = (*_of_bank(value.get("nugget_bank"), line), *_of_claims(value.get("claim_bank"), line))
        return TopicNuggets(topic, nuggets, question=question, line=line.line)
    listed = value.get("nuggets")
    if not isinstance(listed, list):
        line.refuse("is not a list of nuggets", "nuggets", listed)
    nuggets = tuple(_of_autonuggetizer(one, line) for one in listed)
    given = [one.get("assignment") for one in listed]
    if not any(given):
        return TopicNuggets(topic, nuggets, question=question, line=line.line)
    known = tuple(None if one is None else _assignment(one, line) for one in given)
    if line.text("run_id") or not (document := line.text("docid")):
        return TopicNuggets(topic, nuggets, line.text("run_id"), known, question, line.line)
    stated = (NuggetPlace(document, EMPTY),)  # assigned to a document, which states what it supports fully
    placed = (
        replace(one, places=stated) if own == FULL else one for one, own in zip(nuggets, known, strict=True)
    )
    return TopicNuggets(topic, tuple(placed), document, question=question, line=line.line)


def _of_documents(topics: Iterable[TopicNuggets]) -> list[TopicNuggets]:
    """Return the topics, joining those assigned to documents, which become places."""
    joined: dict[tuple[str, str], TopicNuggets] = {}
    listed: list[TopicNuggets] = []
    for one in topics:
        if one.assigned or not one.run:
            listed.append(one)
            continue
        before = joined.setdefault((one.topic, ""), replace(one, nuggets=(), run=""))
        known = {nugget.text: nugget for nugget in before.nuggets}
        for nugget in one.nuggets:
            places = known[nugget.text].places if nugget.text in known else ()
            known[nugget.text] = replace(nugget, places=(*places, *nugget.places))
        joined[one.topic, ""] = replace(before, nuggets=tuple(known.values()))
    return [*listed, *joined.values()]


def _of_autonuggetizer(value: Any, line: _Line) -> Nugget:
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        line.refuse('is not a nugget {"text": …}', "nuggets", value)
    return Nugget(value["text"], _importance(value, line), _places(value.get("references"), line))


def _importance(value: Mapping[str, Any], line: _Line) -> Importance:
    given = value.get("importance")
    if given is None:
        return Importance.VITAL  # as AutoNuggetizer reads it
    try:
        return Importance(str(given).lower())
    except ValueError:
        line.refuse(f"is not one of {', '.join(Importance)}", "importance", given)


def _assignment(given: Any, line: _Line) -> Fraction:
    known = _ASSIGNED.get(str(given).lower())
    return (
        line.refuse(f"is not one of {', '.join(_ASSIGNED)}", "assignment", given) if known is None else known
    )


def _of_bank(bank: Any, line: _Line) -> Iterator[Nugget]:
    """Yield the answers to a bank's questions, each of which is a nugget."""
    listed = bank.values() if isinstance(bank, dict) else bank or ()
    for one in listed:
        if not isinstance(one, dict):
            line.refuse("is not a question with answers", "nugget_bank", one)
        asked, answers = str(one.get("question", "")), one.get("answers") or ()
        every = str(one.get("aggregator_type", "OR")).upper() == "AND"
        for answer in answers.values() if isinstance(answers, dict) else answers:
            if not isinstance(answer, dict) or not isinstance(answer.get("answer"), str):
                line.refuse('is not an answer {"answer": …}', "answers", answer)
            importance = _importance({**one, **answer}, line)
            places = _places(answer.get("references"), line)
            # a nugget without a question is written like this
            question = "" if asked == answer["answer"] else asked
            yield Nugget(answer["answer"], importance, places, question, every)


def _of_claims(claims: Any, line: _Line) -> Iterator[Nugget]:
    for one in claims.values() if isinstance(claims, dict) else claims or ():
        if not isinstance(one, dict) or not isinstance(one.get("claim"), str):
            line.refuse('is not a claim {"claim": …}', "claim_bank", one)
        yield Nugget(one["claim"], _importance(one, line), _places(one.get("references"), line))


def _places(references: Any, line: _Line) -> tuple[NuggetPlace, ...]:
    """Return the places of a nugget in the file's unit.

    A reference to a document alone is a place without characters: the document states the nugget somewhere.
    References with the same ``place`` are parts of one place: together they state it.
    """
    listed: dict[tuple[object, ...], list[tuple[Span | None, str | None]]] = {}
    for at, one in enumerate(references if isinstance(references, list) else ()):
        held = one if isinstance(one, dict) else {"doc_id": one}
        document, quote = _name(held.get("doc_id")), held.get("text")
        if not document:
            line.refuse("is missing", "doc_id", held.get("doc_id"))
        offsets = held.get("offsets")
        span = None if offsets is None else _offsets(offsets, line)
        name = "" if span is None else _name(held.get(_PLACE))
        words = quote if isinstance(quote, str) else None
        listed.setdefault((document, name) if name else (document, name, at), []).append((span, words))
    return tuple(_joined(str(document), parts) for (document, *_), parts in listed.items())


_PLACE = "place"  # our own field of a reference, which NuggetBanks do not have


def _joined(document: str, parts: Sequence[tuple[Span | None, str | None]]) -> NuggetPlace:
    """Return a place made of separate parts; the words of adjacent parts are unknown."""
    held = sorted(((span, quote) for span, quote in parts if span is not None), key=lambda part: part[0])
    spans = Spans(span for span, _ in held)
    if len(parts) == 1:
        return NuggetPlace(document, spans, parts[0][1])
    quotes = tuple(quote for _, quote in held)
    return NuggetPlace(document, spans, None, quotes if len(quotes) == len(spans) > 1 else ())


def _offsets(offsets: Any, line: _Line) -> tuple[int, int]:
    held = offsets if isinstance(offsets, dict) else {}
    start, end = held.get("start_offset"), held.get("end_offset")
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end < _FAR:
        line.refuse('is not a place {"start_offset": …, "end_offset": …}', "offsets", offsets)
    line.counts_bytes |= str(held.get("encoding", "")).lower().replace("-", "") == "utf8"
    return start, end


def placed_nuggets(
    file: NuggetFile, collection: Collection, progress: Progress = unwatched
) -> tuple[NuggetFile, QuoteCheck]:
    """Return nuggets with places in code points, compared with their quotes.

    Offsets count as the file says, unless more quotes match in another convention. A place without offsets is
    located by its words, and dropped if these are not found; references to documents stay. Raises Cancelled.
    """
    passages = [
        QuotedPassage(f"{at}", place.document, *part, f"{number} {nth} {count}")
        for at, topic in enumerate(file.topics)
        for number, nugget in enumerate(topic.nuggets)
        for nth, place in enumerate(nugget.places)
        if place.spans or place.quote
        for count, part in enumerate(place.parts)
    ]
    questions = tuple(Question(f"{at}", one.question) for at, one in enumerate(file.topics))
    bundle = Bundle("NuggetBank", file.path or Path(), questions, tuple(passages))
    found, check, _ = checked_passages(bundle, collection, progress, replace(AS_FOUND, way=file.way))
    if file.way is not None and check.misread:
        seen = checked_passages(bundle, collection, progress)
        if seen[1].misread < check.misread:
            found, check, _ = seen
    places = {(one.topic, one.label): one for one in found}

    def placed(at: int, number: int, nugget: Nugget) -> Iterator[NuggetPlace]:
        for nth, place in enumerate(nugget.places):
            parts = [places.get((f"{at}", f"{number} {nth} {count}")) for count in range(len(place.parts))]
            there = [part for part in parts if part is not None]
            if len(there) == len(parts):
                spans = Spans((part.start, part.end) for part in there)
                yield NuggetPlace(place.document, spans, there[0].quote if len(parts) == 1 else None)
            elif not place.spans and not place.quote:
                yield place

    topics = [
        replace(
            topic,
            nuggets=tuple(
                replace(nugget, places=tuple(placed(at, number, nugget)))
                for number, nugget in enumerate(topic.nuggets)
            ),
        )
        for at, topic in enumerate(file.topics)
    ]
    as_said = check.way == file.way and not (check.misread or check.found or check.lost or check.absent)
    doubts = () if as_said else check.warnings()
    warnings = (*file.warnings, *(f"{file.path}: {said}" for said in doubts))
    return replace(file, topics=tuple(topics), warnings=warnings, way=None), check


def write_nugget_bank(
    topics: Sequence[TopicNuggets], path: Path, collection: Collection | None = None
) -> None:
    """Write nuggets as a NuggetBank (version 3), a line per topic; places in UTF-8 bytes of the text.

    Places in a document without text have no offsets.
    """
    write_lines(path, (json_line(_bank(topic, collection)) for topic in topics))


def _bank(topic: TopicNuggets, collection: Collection | None) -> dict[str, Any]:
    bank: dict[str, Any] = {}
    for nugget in topic.nuggets:
        question = nugget.question or nugget.text
        held = bank.setdefault(
            question,
            {
                "question": question,
                "query_id": topic.topic,
                "answers": {},
                "aggregator_type": "AND" if nugget.all_of else "OR",
            },
        )
        answer = held["answers"].setdefault(
            nugget.text, {"answer": nugget.text, "importance": nugget.importance.value, "references": []}
        )
        for number, place in enumerate(nugget.places, 1):
            parts = list(_referred(place, collection))
            together = {_PLACE: number} if len(parts) > 1 else {}
            answer["references"] += [{**part, **together} for part in parts]
    return {
        "query_id": topic.topic,
        "title_query": topic.question,
        "format_version": "v3",
        "nugget_bank": bank,
    }


def _referred(place: NuggetPlace, collection: Collection | None) -> Iterator[dict[str, Any]]:
    try:
        text = None if collection is None else collection.text(place.document)
    except DataError:
        text = None
    if text is None or not place.spans:
        yield {"doc_id": place.document, **({} if place.quote is None else {"text": place.quote})}
        return
    for start, end in place.spans:
        before, own = len(text[:start].encode()), text[start:end]
        offsets = {"start_offset": before, "end_offset": before + len(own.encode()), "encoding": "utf-8"}
        yield {"doc_id": place.document, "text": own, "offsets": offsets}


# Judgements of citations.


def read_support(path: str | Path, answers: Answers) -> dict[tuple[str, str], SupportJudgements]:
    """Read judgements of citations by (run, topic): one citation, or one sentence, on each line.

    ``{"run_id", "topic_id", "sentence": 1, "citation": "d7", "support": 0.5}`` gives the support of the
    passage for the sentence (or "full", "partial", "none"); ``"together": true`` tells that all passages
    cited by the sentence support it fully together, ``"needs_citation": false`` that it needs none. Raises
    DataError with file, line and field.
    """
    path = Path(path)
    known = {(answer.run, answer.topic): answer for answer in answers.answers}
    support: dict[tuple[str, str], dict[tuple[int, int], Fraction]] = {}
    together: dict[tuple[str, str], dict[int, bool]] = {}
    no_need: dict[tuple[str, str], set[int]] = {}
    for line in _lines(path):
        key = line.text("run_id"), line.topic
        answer = known.get(key)
        if answer is None:
            continue  # of another system: one file may have all of them
        at = _sentence(answer, line)
        if "support" in line.value:
            support.setdefault(key, {})[at, _reference(answer, line)] = _support(line)
        elif isinstance(line.value.get("together"), bool):
            together.setdefault(key, {})[at] = line.value["together"]
        elif line.value.get("needs_citation") is False:
            no_need.setdefault(key, set()).add(at)
        else:
            line.refuse('is missing: a number, "together" or "needs_citation"', "support", "")
    keys = dict.fromkeys((*support, *together, *no_need))
    return {
        key: SupportJudgements(support.get(key, {}), together.get(key, {}), frozenset(no_need.get(key, ())))
        for key in keys
    }


def _sentence(answer: Answer, line: _Line) -> int:
    number = line.value.get("sentence")
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= len(answer.sentences):
        line.refuse(f"is not a sentence from 1 to {len(answer.sentences)}", "sentence", number)
    return number - 1


def _reference(answer: Answer, line: _Line) -> int:
    cited = line.value.get("citation")
    ids = [reference.id for reference in answer.references]
    if str(cited) in ids:
        return ids.index(str(cited))
    return line.refuse("is not cited by the answer", "citation", cited)


def _support(line: _Line) -> Fraction:
    given = line.value["support"]
    known = SUPPORT.get(str(given).lower())
    if known is None and isinstance(given, int | float) and not isinstance(given, bool):
        known = next((one for one in SUPPORT.values() if one == given), None)
    return line.refuse("is not one of 1, 0.5, 0", "support", given) if known is None else known


def write_support(
    judged: Mapping[tuple[str, str], SupportJudgements],
    answers: Answers,
    path: Path,
    named: Container[tuple[str, str]] = (),
) -> None:
    """Write judgements of citations in the order of the answers; not blind for those ``named``."""

    def about(answer: Answer) -> dict[str, Any]:
        said = {"run_id": answer.run, "topic_id": answer.topic}
        return {**said, "blind": False} if (answer.run, answer.topic) in named else said

    write_lines(
        path,
        (
            json_line({**about(answer), **row})
            for answer in answers.answers
            for row in _rows(answer, judged.get((answer.run, answer.topic), SupportJudgements()))
        ),
    )


def _rows(answer: Answer, judged: SupportJudgements) -> Iterator[dict[str, Any]]:
    for at, sentence in enumerate(answer.sentences):
        for reference in sentence.citations:
            own = judged.support.get((at, reference))
            if own is not None:
                cited = answer.references[reference].id
                yield {"sentence": at + 1, "citation": cited, "support": float(own)}
        if at in judged.together:
            yield {"sentence": at + 1, "together": judged.together[at]}
        if at in judged.no_need:
            yield {"sentence": at + 1, "needs_citation": False}
