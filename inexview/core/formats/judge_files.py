"""What models judged, as tools write it: UMBRELA, lines of JSON with a grade and a reason, Ragas, DeepEval,
TruLens, Phoenix, OpenSearch's workbench, Quepid, and qrels.

Some name a document by its id, some give the passage that the model was shown, and the question as a text;
``located`` finds both among what is judged.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from inexview.core.answers.judges import ModelLabel, ModelLabels, QuoteFinder
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.text_files import Beginning, beginning_of, text_of_list
from inexview.core.judgements.qrels import Qrels
from inexview.core.progress import Progress, unwatched
from inexview.core.text.json_values import csv_rows, json_values, plain_key, whole_file
from inexview.core.wording import counted

_TOPIC = (
    "topic_id", "query_id", "qid", "question_id", "topic", "query", "question", "user_input", "input",
    "attributes.input.value",
)  # fmt: skip
_DOCUMENT = (
    "doc_id", "docid", "document_id", "docno", "corpus_id", "document", "doc", "chunk_id", "passage_id",
)  # fmt: skip
_PASSAGE = ("passage", "context", "text", "segment", "document_text", "reference")
_GRADE = ("judgment", "judgement", "grade", "rating", "relevance", "label", "score", "verdict")
_REASON = ("reasoning", "reason", "rationale", "explanation", "comment", "prediction")
_QUOTES = ("quotes", "quote", "evidence", "span", "spans", "supporting_text")
_MODEL = ("model", "judge", "model_name", "annotator", "assessor", "run_id")
_WORDS = {
    "relevant": 1, "irrelevant": 0, "not relevant": 0, "not_relevant": 0, "unrelated": 0, "yes": 1, "no": 0,
    "true": 1, "false": 0, "correct": 1, "incorrect": 0, "support": 2, "partial_support": 1, "not_support": 0,
}  # fmt: skip
_NO_JUDGE = (*_GRADE, *_REASON, *_QUOTES, *_PASSAGE)  # fields that a book of Quepid has not
_SAMPLES = ({"user_input", "retrieved_contexts"}, {"input", "actual_output"}, {"question", "contexts"})
_SUBMITTED = 6  # fields
_SHOWN = 60
_LONGEST = 1 << 20  # characters of a list in a cell
_HELD = 1 << 24  # characters of texts that are kept while passages are looked for


def read_model_labels(path: str | Path) -> ModelLabels:
    """Read what a model judged; raises DataError, naming file, line and field."""
    path = Path(path)
    warnings: list[str] = []
    read: Iterator[ModelLabel]
    if _is_table(beginning_of(path)):
        read = (label for value, line in _values(path, warnings) for label in _labels(value, path, line))
    else:
        read = _of_qrels(path, warnings)
    stem = path.name.split(".", 1)[0]
    labels = [label if label.model else label._replace(model=stem) for label in read]
    if not labels:
        raise DataError("holds no judgement of a model", path=path)
    missing = sum(label.grade is None for label in labels)
    if missing:
        warnings.append(f"{path}: {missing:,} of {counted(len(labels), 'answer')} without a grade")
    return ModelLabels(tuple(labels), path, tuple(warnings))


def _values(path: Path, warnings: list[str]) -> Iterator[tuple[dict[str, Any], int]]:
    data = whole_file(path)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        for value, line in json_values(text_of_list(data, path, warnings).decode(), path):
            for member in value if isinstance(value, list) else (value,):
                if not isinstance(member, dict):
                    raise DataError(
                        f"is no object {{…}}: {json.dumps(member)[:_SHOWN]}", path=path, line=line
                    )
                yield member, line
        return
    yield from csv_rows(path, alone=True)


def _is_table(beginning: Beginning) -> bool:
    """Return whether a file is JSON, or CSV with names of fields, and no other list of qrels."""
    first = (beginning.lines or (b"",))[0].removeprefix(b"\xef\xbb\xbf").lstrip()
    return first[:1] in (b"{", b"[") or (b"," in first and not beginning.keys.isdisjoint(_TOPIC))


def _of_qrels(path: Path, warnings: list[str]) -> Iterator[ModelLabel]:
    """Yield the labels of qrels; those of TREC RAG 2025 have columns for a confidence and the judge."""
    text = text_of_list(whole_file(path), path, warnings).decode()
    rows = [(line.split(), number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not rows or len(rows[0][0]) < _SUBMITTED or rows[0][0][1].upper() != "Q0":
        from inexview.core.formats.readers import read_qrels  # which knows all formats

        qrels = read_qrels(path)
        warnings.extend(qrels.warnings)
        for one in qrels:
            grade = max(one.rsize, 0) if qrels.graded else int(one.relevant)
            yield ModelLabel(one.topic, one.document, grade)
        return
    for fields, line in rows:
        if len(fields) < _SUBMITTED:
            problem = f"has {len(fields)} fields, not `topic Q0 document label confidence run`"
            raise DataError(problem, path=path, line=line)
        topic, _, document, label, _, model = fields[:_SUBMITTED]
        yield ModelLabel(topic, document, _grade(label, path, line), model=model, line=line)


def _labels(value: dict[str, Any], path: Path, line: int) -> Iterator[ModelLabel]:
    if isinstance(value.get("judgmentRatings"), list):
        yield from _of_workbench(value, path, line)
    elif isinstance(value.get("query_doc_pairs"), list):
        yield from _of_quepid(value, path, line)
    elif any("relevant_documents" in query for query in _dicts(value.get("queries"))):
        yield from _of_rre(value, path, line)
    elif any(isinstance(held, list) and "_calls" in name for name, held in value.items()):
        yield from _of_trulens(value, path, line)
    elif _contexts(value):
        yield from _of_samples(value, path, line)
    elif _is_nested(value):
        for topic, grades in value.items():
            for document, given in grades.items():
                yield ModelLabel(topic, document, _grade(given, path, line), line=line)
    elif judges := _judges(value):
        for judge in judges:
            yield _label({**value, "model": judge, "rating": value[judge]}, path, line)
    elif not _is_sample(value):
        yield _label(value, path, line)


def _is_nested(value: Mapping[str, Any]) -> bool:
    """Return whether it is {topic: {document: grade}}."""
    listed = [list(held.values()) if isinstance(held, dict) else [None] for held in value.values()]
    return bool(listed) and all(isinstance(grade, int | float) for grades in listed for grade in grades)


def _judges(value: Mapping[str, Any]) -> list[str]:
    """Return the judges of a book of Quepid as a table: each has a column behind query and docid."""
    names = [plain_key(name) for name in value]
    return [*value][2:] if names[:2] == ["query", "docid"] and not {*names}.intersection(_NO_JUDGE) else []


def _is_sample(value: Mapping[str, Any]) -> bool:
    """Return whether it is a sample of Ragas or DeepEval; not each of them has reference contexts."""
    keys = {plain_key(name) for name in value}
    return any(sample <= keys for sample in _SAMPLES) and keys.isdisjoint((*_GRADE, *_DOCUMENT))


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _named(value: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """Return the first of these fields that is there, whatever its spelling; None without one."""
    for name in names:
        for key, held in value.items():
            if plain_key(key) == name and held not in (None, ""):
                return held
    return None


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        value = value.get("text", value.get("qid", ""))
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _label(value: Mapping[str, Any], path: Path, line: int) -> ModelLabel:
    topic = _text(_named(value, _TOPIC))
    if not topic:
        raise DataError("is missing", path=path, line=line, field="query_id", value="")
    document, passage = _text(_named(value, _DOCUMENT)), _named(value, _PASSAGE)
    if not document and not isinstance(passage, str):
        raise DataError("is missing: an id or the passage", path=path, line=line, field="doc_id", value="")
    failed = value.get("result_status") == 0  # UMBRELA: the model's answer could not be read
    grade = None if failed else _grade(_named(value, _GRADE), path, line)
    quotes = _named(value, _QUOTES)
    quotes = quotes if isinstance(quotes, list) else [quotes]
    quotes = [_named(one, ("text", "quote")) if isinstance(one, dict) else one for one in quotes]
    return ModelLabel(
        topic,
        document,
        grade,
        _text(_named(value, _REASON)),
        tuple(quote for quote in quotes if isinstance(quote, str) and quote.strip()),
        _text(_named(value, _MODEL)),
        passage if isinstance(passage, str) else None,
        line,
    )


def _grade(given: Any, path: Path, line: int) -> int | None:
    """Return a grade: a whole number, a word for one, or a share of 1, which counts from a half on."""
    if given is None or isinstance(given, bool):
        return None if given is None else int(given)
    if isinstance(given, str):
        word = given.strip().lower()
        if word in _WORDS:
            return _WORDS[word]
        if re.fullmatch(r"-?\d{1,9}(?:\.\d{1,15})?", word) is None:
            return None
        given = float(word)
    if isinstance(given, int | float) and abs(given) < 10**9:
        return (
            int(given) if float(given).is_integer() else int(given >= 0.5) if 0 < given < 1 else round(given)
        )
    raise DataError("is no grade", path=path, line=line, field="judgment", value=json.dumps(given)[:_SHOWN])


def _of_workbench(value: Mapping[str, Any], path: Path, line: int) -> Iterator[ModelLabel]:
    """Yield OpenSearch's ratings, which are texts of numbers."""
    model = _text(value.get("name"))
    for one in _dicts(value["judgmentRatings"]):
        for rating in _dicts(one.get("ratings")):
            held = {"query": one.get("query"), "doc_id": rating.get("docId"), "rating": rating.get("rating")}
            yield _label({**held, "model": model}, path, line)


def _of_quepid(value: Mapping[str, Any], path: Path, line: int) -> Iterator[ModelLabel]:
    """Yield the ratings of a book of Quepid, of each judge."""
    for pair in _dicts(value["query_doc_pairs"]):
        for one in _dicts(pair.get("judgements")):
            grade = None if one.get("unrateable") or one.get("judge_later") else one.get("rating")
            held = {"query": pair.get("query_text"), "doc_id": pair.get("doc_id"), "rating": grade}
            about = {"explanation": one.get("explanation"), "model": one.get("user_email")}
            yield _label({**held, **about}, path, line)


def _of_rre(value: Mapping[str, Any], path: Path, line: int) -> Iterator[ModelLabel]:
    """Yield the gains of the Rated Ranking Evaluator, of which a query is known by its text."""
    for query in _dicts(value["queries"]):
        asked = {"query": _dict(query, "placeholders").get("$query")}
        for document, gain in _dict(query, "relevant_documents").items():
            grade = gain.get("gain") if isinstance(gain, dict) else gain
            yield _label({**asked, "doc_id": document, "rating": grade}, path, line)


def _of_trulens(value: Mapping[str, Any], path: Path, line: int) -> Iterator[ModelLabel]:
    """Yield the calls of TruLens' feedbacks that judged a context: what was asked, and what came back."""
    for name, held in value.items():
        for call in held if name.endswith("_calls") and isinstance(held, list) else ():
            arguments, meta = _dict(call, "args"), _dict(call, "meta")
            context = _named(arguments, ("context", "source", "statement"))
            if isinstance(context, str):
                yield ModelLabel(
                    _text(value.get("input")),
                    "",
                    _grade(call.get("ret"), path, line),
                    _text(meta.get("reason")),
                    model=name.removesuffix("_calls"),
                    passage=context,
                    line=line,
                )


def _dict(value: Any, name: str) -> dict[str, Any]:
    held = value.get(name) if isinstance(value, dict) else None
    return held if isinstance(held, dict) else {}


def _contexts(value: Mapping[str, Any]) -> list[str]:
    """Return the contexts that a sample of Ragas or DeepEval takes for relevant; a table has them as text."""
    held = _named(value, ("reference_contexts", "ground_truth_contexts"))
    held = value.get("context") if held is None and "actual_output" in value else held
    if isinstance(held, str) and held.startswith("[") and len(held) < _LONGEST:
        with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
            held = ast.literal_eval(held)
    return [one for one in held if isinstance(one, str)] if isinstance(held, list) else []


def _of_samples(value: Mapping[str, Any], path: Path, line: int) -> Iterator[ModelLabel]:
    topic = _text(_named(value, _TOPIC))
    if not topic:
        raise DataError("is missing", path=path, line=line, field="user_input", value="")
    contexts, ids = _contexts(value), value.get("reference_context_ids")
    ids = ids if isinstance(ids, list) and len(ids) == len(contexts) else None
    for at, context in enumerate(contexts):
        document = _text(ids[at]) if ids is not None else ""
        yield ModelLabel(topic, document, 1, quotes=(context,), passage=context, line=line)


# Found among what is judged.


def located(
    labels: ModelLabels,
    person: Qrels,
    questions: Mapping[str, str],
    collection: Collection | None,
    progress: Progress = unwatched,
) -> ModelLabels:
    """Return labels whose topics and documents are called as a person's judgements call them.

    A topic may be named by its text (``questions`` has them by id); a passage without a document is looked
    for in the judged documents of its topic.  What is not found keeps its name.  Raises Cancelled.
    """
    by_text = {" ".join(text.split()).lower(): topic for topic, text in questions.items()}
    judged: dict[str, list[str]] = {}
    for judgement in person:
        judged.setdefault(judgement.topic, []).append(judgement.document)
    texts = _Texts(collection)
    made, lost, unknown = [], 0, 0
    for done, label in enumerate(labels.labels):
        progress("judgements", done, len(labels.labels))
        topic = label.topic
        if topic not in judged:  # pandas makes 1.0 of 1 in a column with a hole in it
            whole = topic.removesuffix(".0")
            topic = whole if whole in judged else by_text.get(" ".join(topic.split()).lower(), topic)
        unknown += topic not in judged
        label = label._replace(topic=topic)
        if not label.document and label.passage is not None:
            name = texts.holding(label.passage, judged.get(label.topic, []))
            lost += not name
            label = label._replace(document=name)
        made.append(label)
    warnings = [*labels.warnings]
    if unknown and not questions:
        judgements = counted(unknown, "judgement")
        warnings.append(
            f"{labels.path}: {judgements} of topics that the person did not judge; see --questions"
        )
    if lost:
        warnings.append(f"{labels.path}: {counted(lost, 'passage')} in no judged document of the topic")
    return ModelLabels(tuple(made), labels.path, tuple(warnings))


class _Texts:
    """The texts of documents, ready to be searched; those of a topic's pool are kept up to a size."""

    def __init__(self, collection: Collection | None) -> None:
        self._collection = collection
        self._finders: dict[str, QuoteFinder | None] = {}
        self._held = 0

    def holding(self, passage: str, documents: Sequence[str]) -> str:
        """Return the first of some documents that holds a passage; "" where none does."""
        if self._collection is None:
            return ""
        for document in documents:
            if document not in self._finders:
                self._add(document, self._collection)
            finder = self._finders[document]
            if finder is not None and finder.find(passage).places:
                return document
        return ""

    def _add(self, document: str, collection: Collection) -> None:
        try:
            text = collection.text(document)
        except DataError:
            self._finders[document] = None
            return
        if self._held + len(text) > _HELD:
            self._finders.clear()
            self._held = 0
        self._held += len(text)
        self._finders[document] = QuoteFinder(text)
