"""Judgements of models as tools write them: UMBRELA, lines of JSON with a grade and a reason, Ragas,
DeepEval, TruLens, Phoenix, OpenSearch's workbench, Quepid, and qrels.

Some name a document by its id; others give the passage that the model was shown, and the text of the
question: ``located`` finds both among the judged ones.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from inexview.core.answers.judges import ModelLabel, ModelLabels, QuoteFinder
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.text_files import Beginning, beginning_of, text_of_list
from inexview.core.progress import Progress, unwatched
from inexview.core.text.json_values import csv_rows, json_values, plain_key, whole_file
from inexview.core.text.search import Span
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
_SHOWN_TEXT = ("shown", "shown_characters")
_MODEL = ("model", "judge", "model_name", "annotator", "assessor", "run_id")
_WORDS = {
    "relevant": 1, "irrelevant": 0, "not relevant": 0, "not_relevant": 0, "unrelated": 0, "yes": 1, "no": 0,
    "true": 1, "false": 0, "correct": 1, "incorrect": 0, "support": 2, "partial_support": 1, "not_support": 0,
}  # fmt: skip
_NO_JUDGE = (*_GRADE, *_REASON, *_QUOTES, *_PASSAGE)  # fields that a book of Quepid lacks
_SAMPLES = ({"user_input", "retrieved_contexts"}, {"input", "actual_output"}, {"question", "contexts"})
_SUBMITTED = 6  # fields
_SUBMITTED_LABEL = re.compile(rb"-?\d")
_LTR = re.compile(r"(\S+)\s+qid:(\S+)(?:\s+[^#]*)?\s#\s*(\S+)(?:\s+(\S.*))?")
"""A line for learning to rank: grade, number of the query, features, document, and the query's text."""
_RETRIEVED = "attributes.retrieval.documents"
_SHOWN = 60
_DEEPEST = 5  # nested objects
_FURTHEST = 1 << 40  # characters
_LONGEST = 1 << 20  # characters of a list in a cell
_HELD = 1 << 24  # characters of texts that are kept while passages are located


def fits_labels(beginning: Beginning) -> bool:
    """Return whether a beginning can only be that of a model's judgements.

    Grades without a reason, a quote or a model may be a person's: they are qrels.
    """
    keys = beginning.keys
    if beginning.lines and _LTR.fullmatch(beginning.lines[0].decode("utf-8", "replace").strip()):
        return True
    if labels_only(beginning):
        return True
    first = beginning.first_object
    if keys & {"judgmentratings", "query_doc_pairs"} or any(name.endswith("_calls") for name in keys):
        return True
    if any("relevant_documents" in query for query in _dicts(first.get("queries"))):
        return True
    header = first or dict.fromkeys(name.decode("utf-8", "replace") for name in beginning.header)
    if _is_sample(header) or isinstance(_flat(first).get(_RETRIEVED), list) or _judges(header):
        return True
    asked = "rank" not in keys and not keys.isdisjoint(_TOPIC)
    graded = not keys.isdisjoint(_GRADE) and not keys.isdisjoint((*_DOCUMENT, *_PASSAGE))
    return asked and graded and not keys.isdisjoint((*_REASON, *_QUOTES, *_MODEL, *_PASSAGE))


def labels_only(beginning: Beginning) -> bool:
    """Return whether a file of a model's judgements would otherwise be read as a run."""
    return _submits_labels(beginning) or bool(_judged_candidates(beginning.first_object))


def _submits_labels(beginning: Beginning) -> bool:
    """Return whether lines `topic Q0 document label confidence run` hold labels, as in TREC RAG 2025.

    A run has rank and score there. Labels are digits, confidences are from 0 to 1, and within most topics
    they cannot be a ranking.
    """
    topics: dict[bytes, list[tuple[int, float]]] = {}
    for line in beginning.lines:
        fields = line.split()
        if len(fields) != _SUBMITTED or fields[1].upper() != b"Q0":
            return False
        try:
            confidence = float(fields[4])
        except ValueError:
            return False
        if _SUBMITTED_LABEL.fullmatch(fields[3]) is None or not 0 <= confidence <= 1:
            return False
        topics.setdefault(fields[0], []).append((int(fields[3]), confidence))
    several = [rows for rows in topics.values() if len(rows) > 1]
    return 2 * sum(not _is_ranking(rows) for rows in several) > len(several)


def _is_ranking(rows: Sequence[tuple[int, float]]) -> bool:
    """Return whether numbers can be ranks of scores: without gaps, all equal, or falling with the scores."""
    ranks = sorted(rank for rank, _ in rows)
    if ranks[0] == ranks[-1] or ranks in (list(range(len(ranks))), list(range(1, len(ranks) + 1))):
        return True
    by_rank = sorted(rows, key=lambda row: (row[0], -row[1]))
    return all(
        after[1] <= before[1] and (before[0] < after[0]) is (after[1] < before[1])
        for before, after in pairwise(by_rank)
    )


def read_model_labels(path: str | Path) -> ModelLabels:
    """Read a model's judgements; raises DataError, naming file, line and field."""
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
                        f"is not an object {{…}}: {json.dumps(member)[:_SHOWN]}", path=path, line=line
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
    lines = [(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if lines and _LTR.fullmatch(lines[0][0].strip()):
        yield from _of_ranking_lines(lines, path)
        return
    rows = [(line.split(), number) for line, number in lines]
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


def _of_ranking_lines(lines: Iterable[tuple[str, int]], path: Path) -> Iterator[ModelLabel]:
    """Yield the labels of lines for learning to rank; Quepid names a query by its text."""
    for line, number in lines:
        found = _LTR.fullmatch(line.strip())
        if found is None:
            raise DataError("is not a line `grade qid:query # document text`", path=path, line=number)
        grade, query, document, asked = found.groups()
        yield ModelLabel(asked or query, document, _grade(grade, path, number), line=number)


def _labels(value: dict[str, Any], path: Path, line: int) -> Iterator[ModelLabel]:
    if isinstance(value.get("judgmentRatings"), list):
        yield from _of_workbench(value, path, line)
    elif isinstance(value.get("query_doc_pairs"), list):
        yield from _of_quepid(value, path, line)
    elif any("relevant_documents" in query for query in _dicts(value.get("queries"))):
        yield from _of_rre(value, path, line)
    elif any(isinstance(held, list) and "_calls" in name for name, held in value.items()):
        yield from _of_trulens(value, path, line)
    elif candidates := _judged_candidates(value):
        yield from _of_candidates(value, candidates, path, line)
    elif isinstance(_flat(value).get(_RETRIEVED), list):
        yield from _of_phoenix(_flat(value), path, line)
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
    """Return the judges of a book of Quepid as a table, which have columns after query and docid."""
    names = [plain_key(name) for name in value]
    return [*value][2:] if names[:2] == ["query", "docid"] and not {*names}.intersection(_NO_JUDGE) else []


def _is_sample(value: Mapping[str, Any]) -> bool:
    """Return whether it is a sample of Ragas or DeepEval, which may lack reference contexts."""
    keys = {plain_key(name) for name in value}
    return any(sample <= keys for sample in _SAMPLES) and keys.isdisjoint((*_GRADE, *_DOCUMENT))


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _named(value: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """Return the first of these fields that exists, in any spelling; None without one."""
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
        raise DataError(
            "is missing: give an id or the passage", path=path, line=line, field="doc_id", value=""
        )
    failed = value.get("result_status") == 0  # UMBRELA: the model's answer could not be parsed
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
        _span(_named(value, _SHOWN_TEXT), path, line),
    )


def _span(given: Any, path: Path, line: int) -> tuple[int, int] | None:
    """Return the characters that a model was shown, half open; None if not given."""
    if given is None:
        return None
    if isinstance(given, list) and len(given) == 2 and all(type(one) is int for one in given):
        start, end = given
        if 0 <= start <= end <= _FURTHEST:
            return start, end
    said = json.dumps(given)[:_SHOWN]
    raise DataError("is not [start, end) of characters", path=path, line=line, field="shown", value=said)


def _grade(given: Any, path: Path, line: int) -> int | None:
    """Return a grade: a whole number, a word for one, or a share of 1, which counts from 0.5."""
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
    raise DataError(
        "is not a grade", path=path, line=line, field="judgment", value=json.dumps(given)[:_SHOWN]
    )


def _of_workbench(value: Mapping[str, Any], path: Path, line: int) -> Iterator[ModelLabel]:
    """Yield OpenSearch's ratings, which are texts of numbers."""
    model = _text(value.get("name"))
    for one in _dicts(value["judgmentRatings"]):
        for rating in _dicts(one.get("ratings")):
            held = {"query": one.get("query"), "doc_id": rating.get("docId"), "rating": rating.get("rating")}
            yield _label({**held, "model": model}, path, line)


def _of_quepid(value: Mapping[str, Any], path: Path, line: int) -> Iterator[ModelLabel]:
    """Yield the ratings of a book of Quepid by judge."""
    for pair in _dicts(value["query_doc_pairs"]):
        for one in _dicts(pair.get("judgements")):
            grade = None if one.get("unrateable") or one.get("judge_later") else one.get("rating")
            held = {"query": pair.get("query_text"), "doc_id": pair.get("doc_id"), "rating": grade}
            about = {"explanation": one.get("explanation"), "model": one.get("user_email")}
            yield _label({**held, **about}, path, line)


def _of_rre(value: Mapping[str, Any], path: Path, line: int) -> Iterator[ModelLabel]:
    """Yield the gains of the Rated Ranking Evaluator, which names a query by its text."""
    for query in _dicts(value["queries"]):
        asked = {"query": _dict(query, "placeholders").get("$query")}
        for document, gain in _dict(query, "relevant_documents").items():
            grade = gain.get("gain") if isinstance(gain, dict) else gain
            yield _label({**asked, "doc_id": document, "rating": grade}, path, line)


def _of_trulens(value: Mapping[str, Any], path: Path, line: int) -> Iterator[ModelLabel]:
    """Yield the calls of TruLens' feedbacks that judged a context: its input, and its result."""
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


def _judged_candidates(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the candidates of a request to UMBRELA that have a judgement; none of a plain ranking."""
    return [one for one in _dicts(value.get("candidates")) if _named(one, _GRADE[:2]) is not None]


def _of_candidates(
    value: Mapping[str, Any], candidates: Sequence[Mapping[str, Any]], path: Path, line: int
) -> Iterator[ModelLabel]:
    """Yield the judgements of a query's candidates; scores of the ranking itself are no grades."""
    asked = value.get("query")
    topic = _text(asked.get("qid") or asked.get("text")) if isinstance(asked, dict) else _text(asked)
    for one in candidates:
        shown = one.get("doc")
        passage = _named(shown, ("segment", "contents", "text")) if isinstance(shown, dict) else shown
        about = {"query": topic, "judgment": _named(one, _GRADE[:2]), "passage": passage}
        yield _label({**one, **about}, path, line)


def _of_phoenix(value: Mapping[str, Any], path: Path, line: int) -> Iterator[ModelLabel]:
    """Yield the judgements of a retrieval's documents; ``document.score`` is the retrieval's own.

    A judgement of the whole retrieval counts for a document only if it is the only one.
    """
    documents = [_flat(one) for one in _dicts(value[_RETRIEVED])]
    names = ("label", "score", "explanation")
    for at, retrieved in enumerate(documents):
        own = {name.removeprefix("document."): held for name, held in retrieved.items()}
        of_retrieval = _dicts(own.get("evaluations"))[:1] or [
            {name: held[at] for name in names if isinstance(held := value.get(name), list) and at < len(held)}
        ]
        if len(documents) == 1:
            of_retrieval.append({name: value.get(name) for name in names})
        judged = next((one for one in of_retrieval if _named(one, _GRADE) is not None), {})
        held = {**judged, "input": _named(value, _TOPIC), "model": _named(value, _MODEL)}
        if "label" in own:
            held |= {"label": own["label"], "explanation": own.get("explanation")}
        yield _label({**held, "doc_id": own.get("id"), "passage": own.get("content")}, path, line)


def _flat(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of nested objects, with names joined by dots, as in tables."""
    found: dict[str, Any] = {}
    left: list[tuple[str, Any]] = [*value.items()]
    while left:
        name, held = left.pop()
        if isinstance(held, dict) and name.count(".") < _DEEPEST:
            left += [(f"{name}.{key}", one) for key, one in held.items()]
        else:
            found[name] = held
    return found


def _dict(value: Any, name: str) -> dict[str, Any]:
    held = value.get(name) if isinstance(value, dict) else None
    return held if isinstance(held, dict) else {}


def _contexts(value: Mapping[str, Any]) -> list[str]:
    """Return the relevant contexts of a sample of Ragas or DeepEval; a table has them as text."""
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


# Location among the judged topics and documents.


def located(
    labels: ModelLabels,
    judged: Mapping[str, Sequence[str]],
    questions: Mapping[str, str],
    collection: Collection | None,
    progress: Progress = unwatched,
) -> ModelLabels:
    """Return labels with the ids of ``judged`` topics and documents (documents by topic).

    A topic may be named by its text (``questions`` by id); a passage without a document is located in the
    documents of its topic, and its place is what the model was shown. Unknown names stay. Raises Cancelled.
    """
    by_text = {" ".join(text.split()).lower(): topic for topic, text in questions.items()}
    texts = _Texts(collection)
    made, lost, unknown = [], 0, 0
    for done, label in enumerate(labels.labels):
        progress("judgements", done, len(labels.labels))
        topic = label.topic
        if topic not in judged:  # pandas turns 1 into 1.0 in a column with gaps
            whole = topic.removesuffix(".0")
            topic = whole if whole in judged else by_text.get(" ".join(topic.split()).lower(), topic)
        unknown += topic not in judged
        label = label._replace(topic=topic)
        if label.passage is not None:
            listed = [label.document] if label.document else judged.get(topic, [])
            name, place = texts.holding(label.passage, listed)
            lost += not name and not label.document
            shown = None if label.passage in label.quotes else place
            label = label._replace(document=label.document or name, shown=label.shown or shown)
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
    """The texts of documents, prepared for search; those of a topic's pool are kept up to a size."""

    def __init__(self, collection: Collection | None) -> None:
        self._collection = collection
        self._finders: dict[str, QuoteFinder | None] = {}
        self._held = 0

    def holding(self, passage: str, documents: Sequence[str]) -> tuple[str, Span | None]:
        """Return the first document that contains a passage, and the place; "" if none does."""
        if self._collection is None:
            return "", None
        for document in documents:
            if document not in self._finders:
                self._add(document, self._collection)
            finder = self._finders[document]
            if finder is not None and (places := finder.find(passage).places):
                return document, places[0]
        return "", None

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
