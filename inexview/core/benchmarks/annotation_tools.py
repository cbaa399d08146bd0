"""Annotation tools, read and written: Label Studio, doccano, brat, INCEpTION, Prodigy, web annotations.

Files are written in the form in which they were read: objects keep their keys and their order, and only spans
change.  Offsets are written in the same way of counting in which they were read.
"""

from __future__ import annotations

import copy
import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from inexview.core.benchmarks.bundle import (
    CODE_POINTS,
    RELEVANT,
    UNPLACED,
    UTF16,
    Bundle,
    Judged,
    Marked,
    Question,
    QuotedPassage,
)
from inexview.core.benchmarks.span_benchmarks import Fields, is_offset
from inexview.core.errors import DataError
from inexview.core.text.counting import Characters, Convention, Form, Scale
from inexview.core.text.json_values import csv_rows, json_values, like_it, text_of_file, written_like
from inexview.core.wording import counted

DOCUMENT_KEYS = (
    "doc_id", "docid", "document_id", "docno", "doc", "document", "filename", "file_name", "file", "source",
)  # fmt: skip
TOPIC_KEYS = ("topic_id", "topic", "query_id", "qid", "query", "question")
NOT_RELEVANT = frozenset({"0", "o", "not relevant", "not_relevant", "non-relevant", "irrelevant", "no"})
"""Labels, in lower case, of passages that are not relevant."""


class _Collected:
    """The parts of a bundle, collected entry by entry from a file."""

    def __init__(self, form: str, path: Path) -> None:
        self.form, self.path = form, path
        self.texts: dict[str, str] = {}
        self.questions: dict[str, Question] = {}
        self.passages: list[QuotedPassage] = []
        self.judged: dict[tuple[str, str], None] = {}
        self.warnings: list[str] = []
        self._left_out = 0

    def topic(self, values: Mapping[str, Any]) -> str:
        """Return the topic that an entry names: its own, or the file's only one."""
        id, text = named_topic(values, self.path)
        self.questions.setdefault(id, Question(id, text))
        return id

    def document(self, values: Mapping[str, Any], otherwise: str, text: str) -> str:
        """Return the id of an entry's document, with a number if an earlier text of that id differs."""
        id = named_document(values, otherwise)
        unique, number = id, 1
        while self.texts.setdefault(unique, text) != text:
            number += 1
            unique = f"{id} ({number})"
        return unique

    def mark(self, passage: QuotedPassage) -> None:
        if passage.label.lower() in NOT_RELEVANT:
            self._left_out += 1
        else:
            self.passages.append(passage)

    def made(self) -> Bundle:
        if self._left_out:
            said = f"{self.path}: {counted(self._left_out, 'span')} labelled as not relevant: left out"
            self.warnings.append(said)
        return Bundle(
            self.form,
            self.path,
            tuple(self.questions.values()),
            tuple(self.passages),
            tuple(self.judged),
            self.texts,
            warnings=tuple(self.warnings),
        )


def named_topic(values: Mapping[str, Any], path: Path) -> tuple[str, str]:
    """Return the id and the text of the topic that an entry names; else the file's name is the topic."""
    named = {key: values[key] for key in TOPIC_KEYS if isinstance(values.get(key), str | int)}
    if not named:
        stem = path.name.split(".", 1)[0]
        return stem, stem.replace("_", " ")
    id = str(next(iter(named.values())))
    text = next((str(named[key]) for key in ("query", "question", "topic") if key in named), id)
    return id, text


def named_document(values: Mapping[str, Any], otherwise: str) -> str:
    meta = values.get("meta")
    for held in (values, meta if isinstance(meta, dict) else {}):
        for key in DOCUMENT_KEYS:
            if isinstance(held.get(key), str | int) and str(held[key]):
                return str(held[key])
    return otherwise


def _entries(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the objects of a file, and the members of a list."""
    for value, line in json_values(text_of_file(path), path):
        for member in value if isinstance(value, list) else (value,):
            if not isinstance(member, dict):
                raise DataError("is not an object {…}", path=path, line=line)
            yield member, line


# Ways of counting, in reverse.


def counted_in(text: str, way: Convention) -> Callable[[int], int]:
    """Return a function from code points of a text to offsets of a way of counting."""
    if way == CODE_POINTS:
        return int
    scale = Scale(text, Convention(way.unit))

    def count(offset: int) -> int:
        more = text.count("\n", 0, offset) if way.form is Form.CRLF else 0
        return int(scale.from_code_points([offset])[0]) + more

    return count


def _kept(
    old: Sequence[Any], spans: Iterable[tuple[int, int, str]], edges: Callable[[Any], tuple[Any, Any, Any]]
) -> Iterator[tuple[tuple[int, int, str], Any | None]]:
    """Yield spans to be written, each with the existing entry of exactly that span, which is kept."""
    known: dict[tuple[Any, Any, Any], Any] = {}
    loose: dict[tuple[Any, Any], Any] = {}
    for entry in old:
        start, end, label = edges(entry)
        known.setdefault((start, end, label), entry)
        loose.setdefault((start, end), entry)
    for span in spans:
        start, end, label = span
        kept = known.get(span)
        if kept is None and label == RELEVANT:
            kept = loose.get((start, end))
        yield span, kept


def _identifier(*parts: object) -> str:
    return blake2b("\0".join(map(str, parts)).encode(), digest_size=5).hexdigest()


def _lines(values: Iterable[Any], like: str) -> str:
    """Write entries as lines, or as one list if the file is a list."""
    listed = list(values)
    if like.lstrip().startswith("["):
        return like_it(listed, like) + "\n"
    ascii_only = like.isascii() and "\\u" in like
    return "".join(json.dumps(value, ensure_ascii=ascii_only) + "\n" for value in listed)


# Label Studio.

_SPAN_TYPES = ("labels", "hypertextlabels", "paragraphlabels")


def read_label_studio(path: Path) -> Bundle:
    """Read an export of Label Studio: JSON, JSON_MIN, or CSV with JSON in its cells.

    An annotation that was not cancelled judges its task's text; ``completed_by`` is the annotator.  Spans in
    HTML are read by their ``globalOffsets`` in the rendered text.
    """
    made = _Collected("Label Studio", path)
    for task, line in _label_studio_tasks(path):
        fields = Fields(task, path, line)
        data = task["data"] if isinstance(task.get("data"), dict) else task
        text = _task_text(data)
        if text is None:
            made.warnings.append(
                f"{path}:{line}: task {task.get('id', '')} has no text of its own, and is left out"
            )
            continue
        topic, document = made.topic(data), made.document(data, str(task.get("id", line)), text)
        if "annotations" not in task and "completions" not in task:  # JSON_MIN
            made.judged[topic, document] = None
            labels = task.get("label")
            if isinstance(labels, str):
                labels = _cell(labels, fields)
            for value in Fields({"label": labels or []}, path, line).members("label"):
                _label_studio_span(value, made, topic, document, str(task.get("annotator", "")))
            continue
        for annotation in fields.members("annotations" if "annotations" in task else "completions"):
            if annotation.values.get("was_cancelled"):
                continue
            made.judged[topic, document] = None
            annotator = str(annotation.values.get("completed_by", ""))
            for result in annotation.members("result"):
                if result.values.get("type") in _SPAN_TYPES:
                    _label_studio_span(result.within("value"), made, topic, document, annotator)
    return made.made()


def _label_studio_tasks(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    if text_of_file(path).lstrip()[:1] in ("[", "{"):
        yield from _entries(path)
    else:
        for row, line in csv_rows(path):
            yield dict(row), line


def _cell(cell: str, fields: Fields) -> Any:
    if not cell.strip():
        return []
    try:
        return json.loads(cell)
    except (ValueError, RecursionError) as error:
        raise fields.wrong("is not valid JSON", "label", cell) from error


def _task_text(data: Mapping[str, Any]) -> str | None:
    """Return the text of a task: the field ``text``, or else the longest that is not an id or an address."""
    if isinstance(data.get("text"), str):
        return str(data["text"])
    texts = [
        value
        for key, value in data.items()
        if isinstance(value, str)
        and key not in DOCUMENT_KEYS
        and key not in TOPIC_KEYS
        and not re.match(r"\w+://\S+\Z", value)
    ]
    return max(texts, key=len, default=None)


def _label_studio_span(value: Fields, made: _Collected, topic: str, document: str, annotator: str) -> None:
    held = value
    if isinstance(value.values.get("globalOffsets"), dict):
        held = value.within("globalOffsets")
    start, end = held.offset("start"), held.offset("end")
    label = _first_label(value.values)
    quote = value.values.get("text")
    quote = quote if isinstance(quote, str) else None
    made.mark(QuotedPassage(topic, document, start, end, quote, label, annotator, value.line))


def _first_label(value: Mapping[str, Any]) -> str:
    for name in _SPAN_TYPES:
        labels = value.get(name)
        if isinstance(labels, list) and labels:
            return str(labels[0])
    return ""


def write_label_studio(judged: Judged, template: Path | None, way: Convention) -> str:
    """Write judgements as tasks: those of the template with other spans, or new ones with their texts."""
    like = "" if template is None else text_of_file(template)
    tasks = [] if template is None else [copy.deepcopy(task) for task, _ in _label_studio_tasks(template)]
    names = _Collected("", template or Path("judgements"))
    written = set()
    for task in tasks:
        data = task["data"] if isinstance(task.get("data"), dict) else task
        if (text := _task_text(data)) is None:
            continue
        pair = names.topic(data), names.document(data, str(task.get("id", "")), text)
        if (marked := judged.get(pair)) is None:
            continue
        written.add(pair)
        if "annotations" not in task and "completions" not in task:
            values = task.get("label")
            old = _cell(values, Fields(task, names.path, 0)) if isinstance(values, str) else values or []
            task["label"] = [
                _label_studio_value(span, marked.text, kept, next(iter(old), {}))
                for span, kept in _kept(old, _spans(marked, way), _value_edges)
            ]
            continue
        name = "annotations" if "annotations" in task else "completions"
        annotations = task[name] = task.get(name) or []
        if not annotations:
            annotations.append({"id": len(tasks) + 1, "was_cancelled": False, "result": []})
        first = next((one for one in annotations if not one.get("was_cancelled")), annotations[0])
        first["result"] = _label_studio_results(first.get("result") or [], marked, way)
    for number, (pair, marked) in enumerate(judged.items(), len(tasks) + 1):
        if pair not in written and template is None:
            topic, document = pair
            data = {"text": marked.text, "doc_id": document, "topic": topic}
            result = _label_studio_results([], marked, way)
            tasks.append({"id": number, "data": data, "annotations": [{"id": number, "result": result}]})
    if like and like.lstrip()[:1] not in ("[", "{"):
        return _table(tasks, like)
    return _lines(tasks, like or "[")


def _table(tasks: Sequence[Mapping[str, Any]], like: str) -> str:
    """Write tasks as rows of CSV, with their spans as JSON in a cell."""
    out = io.StringIO()
    ends = "\r\n" if "\r\n" in like else "\n"
    writer = csv.DictWriter(out, list(tasks[0]) if tasks else [], lineterminator=ends)
    writer.writeheader()
    for task in tasks:
        label = task["label"]
        writer.writerow({**task, "label": label if isinstance(label, str) else json.dumps(label)})
    return out.getvalue()


def _label_studio_results(old: Sequence[Any], marked: Marked, way: Convention) -> list[Any]:
    spans = [one for one in old if isinstance(one, dict) and one.get("type") in _SPAN_TYPES]
    others = [one for one in old if one not in spans]
    model: dict[str, Any] = spans[0] if spans else {"from_name": "label", "to_name": "text", "type": "labels"}
    results = []
    for span, kept in _kept(spans, _spans(marked, way), lambda one: _value_edges(one.get("value") or {})):
        result = dict(
            kept or {"id": _identifier(*span), **{k: model.get(k) for k in ("from_name", "to_name", "type")}}
        )
        model_value = model.get("value") or {}
        result["value"] = _label_studio_value(span, marked.text, (kept or {}).get("value"), model_value)
        results.append(result)
    return results + others


def _spans(marked: Marked, way: Convention) -> list[tuple[int, int, str]]:
    count = counted_in(marked.text, way)
    return [(count(start), count(end), label or RELEVANT) for start, end, label in marked.passages]


def _value_edges(value: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    held = value.get("globalOffsets") if isinstance(value.get("globalOffsets"), dict) else value
    return held.get("start"), held.get("end"), _first_label(value)  # type: ignore[union-attr]


def _label_studio_value(
    span: tuple[int, int, str], text: str, kept: Mapping[str, Any] | None, model: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a span in the form of Label Studio; new ones name their labels as ``model`` does."""
    if kept is not None:
        return dict(kept)
    start, end, label = span
    name = next((name for name in _SPAN_TYPES if name in model), _SPAN_TYPES[0])
    value = {"start": start, "end": end, "text": text[start:end], name: [label]}
    return value | ({"globalOffsets": {"start": start, "end": end}} if "globalOffsets" in model else {})


# doccano, spaCy and Prodigy: a text with spans in each object.


def read_doccano(path: Path) -> Bundle:
    """Read JSON lines of doccano, or entities in spaCy's form: ``[start, end, label]`` or objects.

    They contain no text for the offsets, and doccano counts UTF-16 units if a browser made them: if more
    passages then begin and end at words, they are read so, with a warning.
    """
    made = _Collected("doccano", path)
    for entry, line in _entries(path):
        fields = Fields(entry, path, line)
        text = fields.text("text" if "text" in entry else "data")
        topic, document = made.topic(entry), made.document(entry, str(entry.get("id", line)), text)
        made.judged[topic, document] = None
        annotator = str(entry.get("annotator", entry.get("user", "")))
        for span in _doccano_spans(entry, fields):
            made.mark(QuotedPassage(topic, document, *span[:2], None, span[2], annotator, line))
    return replace(made.made(), unit_unknown=True)


def _doccano_key(entry: Mapping[str, Any]) -> str:
    return next((key for key in ("label", "labels", "entities") if isinstance(entry.get(key), list)), "label")


def _doccano_spans(entry: Mapping[str, Any], fields: Fields) -> Iterator[tuple[int, int, str]]:
    name = _doccano_key(entry)
    for span in fields.listed(name):
        start, end, label = _doccano_edges(span)
        if not (is_offset(start) and is_offset(end)):
            raise fields.wrong("is not a span [start, end, label]", name, span)
        yield start, end, label


def _doccano_edges(span: Any) -> tuple[Any, Any, Any]:
    if isinstance(span, dict):
        label = str(span.get("label", ""))
        return span.get("start_offset", span.get("start")), span.get("end_offset", span.get("end")), label
    return (span[0], span[1], str(span[2])) if isinstance(span, list) and len(span) >= 3 else (None, None, "")


def write_doccano(judged: Judged, template: Path | None, way: Convention) -> str:
    """Write judgements as lines of doccano: those of the template with other spans, or new ones."""

    def fill(entry: dict[str, Any], marked: Marked) -> None:
        name = _doccano_key(entry)
        entry[name] = [
            list(span) if kept is None else kept
            for span, kept in _kept(entry.get(name) or [], _spans(marked, way), _doccano_edges)
        ]

    return _written_entries(judged, template, fill, lambda marked: {"label": []})


ACCEPTED = "accept"
"""The answer of a task of Prodigy whose spans are judged."""


def read_prodigy(path: Path) -> Bundle:
    """Read JSON lines of Prodigy; rejected or ignored tasks are left out."""
    made = _Collected("Prodigy", path)
    passed = 0
    for entry, line in _entries(path):
        fields = Fields(entry, path, line)
        if entry.get("answer", ACCEPTED) != ACCEPTED:
            passed += 1
            continue
        text = fields.text("text")
        topic = made.topic(entry)
        document = made.document(entry, str(entry.get("_input_hash", line)), text)
        made.judged[topic, document] = None
        annotator = str(entry.get("_annotator_id", ""))
        for span in fields.members("spans"):
            start, end = span.offset("start"), span.offset("end")
            quote = span.values.get("text")
            quote = quote if isinstance(quote, str) else None
            made.mark(
                QuotedPassage(topic, document, start, end, quote, span.text("label", ""), annotator, line)
            )
    if passed:
        made.warnings.append(
            f"{path}: {counted(passed, 'task')} rejected or ignored: nothing is judged there"
        )
    return made.made()


def write_prodigy(judged: Judged, template: Path | None, way: Convention) -> str:
    """Write judgements as accepted tasks of Prodigy; new spans have no tokens."""

    def fill(entry: dict[str, Any], marked: Marked) -> None:
        entry["spans"] = [
            {"start": span[0], "end": span[1], "label": span[2]} if kept is None else kept
            for span, kept in _kept(
                entry.get("spans") or [],
                _spans(marked, way),
                lambda one: (one.get("start"), one.get("end"), str(one.get("label", ""))),
            )
        ]
        entry["answer"] = ACCEPTED

    return _written_entries(judged, template, fill, lambda marked: {"spans": []}, key="_input_hash")


def _written_entries(
    judged: Judged,
    template: Path | None,
    fill: Callable[[dict[str, Any], Marked], None],
    new: Callable[[Marked], dict[str, Any]],
    key: str = "id",
) -> str:
    like = "" if template is None else text_of_file(template)
    names = _Collected("", template or Path("judgements"))
    entries = []
    for entry, line in [] if template is None else _entries(template):
        entry = copy.deepcopy(entry)
        entries.append(entry)
        if entry.get("answer", ACCEPTED) != ACCEPTED:
            continue
        text = str(entry.get("text", entry.get("data", "")))
        pair = names.topic(entry), names.document(entry, str(entry.get(key, line)), text)
        if (marked := judged.get(pair)) is not None:
            fill(entry, marked)
    if template is None:
        for (topic, document), marked in judged.items():
            entry = {"text": marked.text, "doc_id": document, "topic": topic, **new(marked)}
            fill(entry, marked)
            entries.append(entry)
    return _lines(entries, like)


# brat: a text and a file of annotations next to it.

_BRAT = re.compile(r"(T\S+)\t(\S+) (\d{1,15} \d{1,15}(?:;\d{1,15} \d{1,15})*)(?:\t(.*))?")


def brat_files(path: Path) -> list[tuple[Path, Path]]:
    """Return the pairs of ``.ann`` and ``.txt`` at a path, below a folder in the order of their names.

    Links in a folder are skipped, because they may lead anywhere.
    """
    if path.is_dir():
        pairs = ((ann, ann.with_suffix(".txt")) for ann in sorted(path.rglob("*.ann")))
        return [pair for pair in pairs if not any(one.is_symlink() for one in pair)]
    return [(path.with_suffix(".ann"), path.with_suffix(".txt"))]


def read_brat(path: Path) -> Bundle:
    """Read annotations of brat, one file or a folder of them; a document's id is its path without ``.txt``.

    Parts of an annotation are separate passages; line ends are blanks in the covered text.
    """
    made = _Collected("brat", path)
    topic = made.topic({})
    for ann, txt in brat_files(path):
        text = text_of_file(txt).replace("\r\n", "\n")
        name = ann.relative_to(path) if path.is_dir() else Path(ann.name)
        document = made.document({}, name.with_suffix("").as_posix(), text)
        made.judged[topic, document] = None
        for line, written in enumerate(text_of_file(ann).splitlines(), 1):
            if not written.startswith("T"):
                continue
            found = _BRAT.fullmatch(written)
            if found is None:
                problem = "is not an annotation `T1<TAB>label 35 70<TAB>text`"
                raise DataError(problem, path=ann, line=line, field="T", value=written[:60])
            _, label, places, covered = found.groups()
            spans = [tuple(map(int, place.split())) for place in places.split(";")]
            for (start, end), quote in zip(spans, _brat_quotes(covered, spans), strict=True):
                made.mark(QuotedPassage(topic, document, start, end, quote, label, "", line))
    return made.made()


def _brat_quotes(covered: str | None, spans: Sequence[tuple[int, ...]]) -> list[str | None]:
    """Cut the covered text into its parts, which are joined by a blank; None if the lengths do not match."""
    sizes = [end - start for start, end in spans]
    if covered is None or len(covered) != sum(sizes) + len(sizes) - 1:
        return [covered if len(spans) == 1 else None] * len(spans)
    quotes: list[str | None] = []
    at = 0
    for size in sizes:
        quotes.append(covered[at : at + size])
        at += size + 1
    return quotes


def write_brat(judged: Judged, template: Path, way: Convention) -> dict[Path, str]:
    """Return the ``.ann`` files of a folder, or of one file, with other text annotations, and the texts.

    Relations, events, attributes and notes stay, except those about removed annotations.
    """
    topic = named_topic({}, template)[0]
    files = {}
    for ann, txt in brat_files(template):
        name = ann.relative_to(template) if template.is_dir() else Path(ann.name)
        files[name.with_suffix(".txt")] = text_of_file(txt)
        marked = judged.get((topic, name.with_suffix("").as_posix()))
        written = text_of_file(ann)
        files[name] = written if marked is None else _brat_lines(written, marked, way)
    return files


def _brat_lines(written: str, marked: Marked, way: Convention) -> str:
    lines = written.splitlines()
    old = [found for line in lines if (found := _BRAT.fullmatch(line))]
    parts = {found: [tuple(map(int, part.split())) for part in found[3].split(";")] for found in old}
    numbers = [int(found[1][1:]) for found in old if found[1][1:].isdigit()]
    number = max(numbers, default=0)
    spans = _spans(marked, way)
    wanted = {(start, end) for start, end, _ in spans}
    # An annotation of several parts stays as long as all of them are marked.
    whole = {part: found for found, places in parts.items() if wanted.issuperset(places) for part in places}
    single = [found for found, places in parts.items() if len(places) == 1]

    def edges(found: re.Match[str]) -> tuple[Any, Any, Any]:
        start, end = parts[found][0]
        return start, end, found[2]

    kept_ids, out = set(), []
    for (start, end, label), (_, kept), (first, last, _) in zip(
        spans, _kept(single, spans, edges), marked.passages, strict=True
    ):
        kept = kept or whole.get((start, end))
        if kept is not None:
            if kept[1] not in kept_ids:
                out.append(kept[0])
            kept_ids.add(kept[1])
        else:
            number += 1
            covered = marked.text[first:last].replace("\n", " ")
            out.append(f"T{number}\t{label.replace(' ', '_')} {start} {end}\t{covered}")
    gone = {found[1] for found in old} - kept_ids
    for line in lines:
        words = set(re.split(r"[\s:]+", line))
        if not _BRAT.fullmatch(line) and not words & gone:
            out.append(line)
    return "".join(f"{line}\n" for line in out)


def new_brat(judged: Judged) -> dict[Path, str]:
    """Return a text and a file of annotations for each judged document."""
    files: dict[Path, str] = {}
    for (topic, document), marked in judged.items():
        name = document if len({pair[0] for pair in judged}) == 1 else f"{topic}/{document}"
        stem = Path(*[part for part in name.split("/") if part not in ("", ".", "..")] or ["document"])
        files[stem.with_name(stem.name + ".txt")] = marked.text
        files[stem.with_name(stem.name + ".ann")] = _brat_lines("", marked, CODE_POINTS)
    return files


# INCEpTION: UIMA CAS in JSON, which counts UTF-16 units.

_STRUCTURES = "%FEATURE_STRUCTURES"
_NO_MARKS = re.compile(
    r"(?:^|\.)(?:Sofa|DocumentAnnotation|DocumentMetaData|Token|Sentence|LayerDefinition)\Z|TagsetDescription"
)


def read_cas(path: Path) -> Bundle:
    """Read a document of INCEpTION (UIMA CAS JSON); its offsets count UTF-16 units, by its specification."""
    made = _Collected("INCEpTION (CAS JSON)", path)
    for values, line in _entries(path):
        fields = Fields(values, path, line)
        structures = _structures(values, fields)
        text = next((one["sofaString"] for one in structures if isinstance(one.get("sofaString"), str)), None)
        if text is None:
            raise fields.wrong("holds no text (sofaString)", _STRUCTURES)
        title = next(
            (one[key] for one in structures for key in ("documentTitle", "documentId") if one.get(key)), ""
        )
        topic = made.topic({})
        document = made.document({}, str(title) or path.name.split(".", 1)[0], text)
        made.judged[topic, document] = None
        point = _points_of(text)
        for one in structures:
            span = _cas_edges(one)
            if span is None or _NO_MARKS.search(str(one.get("%TYPE", ""))):
                continue
            start, end, label = span
            made.mark(QuotedPassage(topic, document, point(start), point(end), None, label, "", line))
    return made.made()


def _points_of(text: str) -> Callable[[int], int]:
    scale = Scale(Characters(text), UTF16)
    return lambda offset: int(scale.to_code_points([offset])[0])


def _structures(values: Mapping[str, Any], fields: Fields) -> list[dict[str, Any]]:
    held = values.get(_STRUCTURES)
    listed = list(held.values()) if isinstance(held, dict) else fields.listed(_STRUCTURES)
    return [one for one in listed if isinstance(one, dict)]


def _cas_edges(one: Mapping[str, Any]) -> tuple[int, int, str] | None:
    start, end = (one.get(name, one.get(f"^{name}")) for name in ("begin", "end"))
    if not (is_offset(start) and is_offset(end)):
        return None
    label = next((one[key] for key in ("label", "value", "identifier") if isinstance(one.get(key), str)), "")
    return start, end, label or str(one.get("%TYPE", "")).rsplit(".", 1)[-1]


def write_cas(judged: Judged, template: Path, way: Convention) -> str:
    """Write a document of INCEpTION with other spans, in the same layer."""
    like = text_of_file(template)
    values = copy.deepcopy(next(iter(_entries(template)))[0])
    names = _Collected("", template)
    structures = _structures(values, Fields(values, template, 1))
    text = next(one["sofaString"] for one in structures if isinstance(one.get("sofaString"), str))
    title = next(
        (one[key] for one in structures for key in ("documentTitle", "documentId") if one.get(key)), ""
    )
    pair = names.topic({}), names.document({}, str(title) or template.name.split(".", 1)[0], text)
    marked = judged.get(pair)
    if marked is None:
        return like
    old = [
        one
        for one in structures
        if _cas_edges(one) is not None and not _NO_MARKS.search(str(one.get("%TYPE", "")))
    ]
    model = old[0] if old else {"%TYPE": "custom.Span", "@sofa": 1}
    numbers = [one["%ID"] for one in structures if isinstance(one.get("%ID"), int)]
    number = max(numbers, default=0)
    made = []
    for (start, end, label), kept in _kept(
        old, _spans(marked, UTF16), lambda one: _cas_edges(one) or (0, 0, "")
    ):
        if kept is None:
            number += 1
            kept = {
                "%TYPE": model["%TYPE"],
                "@sofa": model.get("@sofa", 1),
                "begin": start,
                "end": end,
                "label": label,
            }
            kept = {**({"%ID": number} if numbers else {}), **kept}
        made.append(kept)
    marks = set(map(id, old))
    rest = [one for one in structures if id(one) not in marks]
    if isinstance(values[_STRUCTURES], dict):
        ids = {id(one): key for key, one in values[_STRUCTURES].items()}
        highest = max((int(key) for key in values[_STRUCTURES] if str(key).isdigit()), default=0)
        listed = {}
        for one in rest + made:
            key = ids.get(id(one))
            if key is None:
                highest += 1
                key = str(highest)
            listed[key] = one
        values[_STRUCTURES] = listed
    else:
        values[_STRUCTURES] = rest + made
    return like_it(values, like) + ("\n" if like.endswith("\n") else "")


# Web annotations: W3C's model, used by Hypothesis and others.


def read_web_annotations(path: Path) -> Bundle:
    """Read annotations with selectors in their targets; the quote decides, positions count UTF-16 units."""
    made = _Collected("web annotations (W3C)", path)
    for annotation, line in _annotations(path):
        fields = Fields(annotation, path, line)
        topic = made.topic({"topic": named} if (named := _class(annotation)) else {})
        for target in _targets(annotation):
            document = str(target.get("source", annotation.get("uri", "")))
            if not document:
                raise fields.wrong("has no source", "target")
            made.judged[topic, document] = None
            start, end, quote = _selected(target, fields)
            made.passages.append(
                QuotedPassage(
                    topic, document, start, end, quote, _tag(annotation), _creator(annotation), line
                )
            )
    return made.made()


def _annotations(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    for entry, line in _entries(path):
        held = next(
            (entry[key] for key in ("items", "rows", "annotations") if isinstance(entry.get(key), list)), None
        )
        if held is None and isinstance(entry.get("first"), dict):
            held = entry["first"].get("items")
        for one in [entry] if held is None else held:
            if isinstance(one, dict):
                yield one, line


def _targets(annotation: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    held = annotation.get("target")
    for target in held if isinstance(held, list) else [held]:
        if isinstance(target, dict) and target.get("selector"):
            yield target


def _selected(target: Mapping[str, Any], fields: Fields) -> tuple[int, int, str | None]:
    start = end = UNPLACED
    quote = None
    held = target["selector"]
    for selector in held if isinstance(held, list) else [held]:
        one = Fields(selector, fields.path, fields.line, "target.selector")
        if one.values.get("type") == "TextPositionSelector":
            start, end = one.offset("start"), one.offset("end")
        elif one.values.get("type") == "TextQuoteSelector":
            quote = one.text("exact")
    return start, end, quote


def _tag(annotation: Mapping[str, Any]) -> str:
    for tags in (annotation.get("tags"), annotation.get("body")):
        for tag in tags if isinstance(tags, list) else [tags]:
            if isinstance(tag, str) and tag:
                return tag
            if isinstance(tag, dict) and isinstance(tag.get("value"), str):
                return str(tag["value"])
    return ""


CLASSIFYING = "classifying"
"""The purpose of a body that names the topic, among W3C's motivations."""


def _class(annotation: Mapping[str, Any]) -> str:
    """Return the topic under which an annotation is classified."""
    body = annotation.get("body")
    for one in body if isinstance(body, list) else [body]:
        if isinstance(one, dict) and one.get("purpose") == CLASSIFYING and isinstance(one.get("value"), str):
            return str(one["value"])
    return ""


def _creator(annotation: Mapping[str, Any]) -> str:
    creator = annotation.get("creator", annotation.get("user", ""))
    return str(creator.get("name", creator.get("id", ""))) if isinstance(creator, dict) else str(creator)


def write_web_annotations(judged: Judged, template: Path | None, way: Convention) -> str:
    """Write each passage as an annotation with its position and its quote; existing annotations are kept."""
    old: dict[tuple[str, str], Any] = {}
    if template is not None:
        for annotation, line in _annotations(template):
            for target in _targets(annotation):
                quote = _selected(target, Fields(annotation, template, line))[2]
                old[str(target.get("source", annotation.get("uri", ""))), quote or ""] = annotation
    items = []
    for (topic, document), marked in judged.items():
        count = counted_in(marked.text, UTF16)
        for start, end, label in marked.passages:
            quote = marked.text[start:end]
            items.append(
                old.get((document, quote))
                or _annotation(document, marked.text, start, end, label, topic, count)
            )
    like = "" if template is None else text_of_file(template)
    values = [] if template is None else [value for value, _ in json_values(like, template)]
    if len(values) > 1:
        return written_like(items, like)
    whole = values[0] if values and isinstance(values[0], dict) else {}
    name = next((key for key in ("items", "rows", "annotations") if isinstance(whole.get(key), list)), None)
    if name is None and isinstance(whole.get("first"), dict):  # a page of a W3C collection
        return like_it({**whole, "first": {**whole["first"], "items": items}}, like) + "\n"
    return like_it({**whole, name: items} if name else items, like or "[") + "\n"


AROUND = 32  # characters before and after a passage, by which it is found again


def _annotation(
    document: str, text: str, start: int, end: int, label: str, topic: str, count: Callable[[int], int]
) -> dict[str, Any]:
    return {
        "@context": "http://www.w3.org/ns/anno.jsonld",
        "id": f"urn:inexview:{_identifier(topic, document, start, end)}",
        "type": "Annotation",
        "motivation": "tagging",
        "body": [
            {"type": "TextualBody", "purpose": "tagging", "value": label or RELEVANT},
            {"type": "TextualBody", "purpose": CLASSIFYING, "value": topic},
        ],
        "target": {
            "source": document,
            "selector": [
                {"type": "TextPositionSelector", "start": count(start), "end": count(end)},
                {
                    "type": "TextQuoteSelector",
                    "exact": text[start:end],
                    "prefix": text[max(start - AROUND, 0) : start],
                    "suffix": text[end : end + AROUND],
                },
            ],
        },
    }
