"""JSON lines: one judged document each, with quotes of its passages, the assessor and times.

Offsets are code points, ``[start, end)``. Unknown fields are left out: ``bep``, ``bep_quote``, a passage's
``quote``, ``assessor``, ``begun``, ``changed``, ``seconds``, ``added``, ``come_back``, ``note`` and ``grade``
of the document and of passages; a ``length`` of 0 is unknown. A line with remarks only is no judgement: its
document is not finished. ``origins`` give the source (``from``) of marks that the assessor did not draw:
another layer, or with ``suggested`` the source of a suggestion. ``suggestions`` have their ``source`` and
``score``, the ``decision`` (taken, changed, refused) and, if the ends were changed, the passage ``taken``.
Passages are as they are written elsewhere; overlapping ones are reported, as in qrels.

A ``quote`` has the first and the last words of the passage, see :mod:`~inexview.core.text.search`, and a
``digest`` of all of it: BLAKE2b of 8 bytes, in hexadecimal, over its words as UTF-8 joined by single blanks.
``others`` is the number of other places in the document with this text when it was marked; ``lead`` and
``trail`` are the lengths of the white space at its ends. Older files without digests are read as before.
``bep_quote`` has the words after the best entry point.

>>> {"topic": "7", "document": "12", "relevant": true, "length": 900, "rsize": 17, "bep": 4,
...  "bep_quote": "A lamp burns oil. Its wick is", "passages": [{"start": 4, "end": 21, "quote":
...  {"first": "A lamp burns oil.", "last": "A lamp burns oil.", "digest": "a7bc5f323410eb2f"}}],
...  "finished": true}

Suggested passages are JSON lines too: one passage each, or one document with its passages.

>>> {"topic": "7", "document": "12", "start": 4, "end": 21, "score": 0.83}
>>> {"topic": "7", "document": "12", "passages": [{"start": 4, "end": 21, "score": 0.83}]}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from inexview.core.errors import DataError, reported
from inexview.core.files import open_lines
from inexview.core.formats.columns import (
    BARE_ENTRY,
    ENTRY_BEYOND,
    LARGER_SIZE,
    OTHER_SIZE,
    OVERLAP,
    PASSAGE_BEYOND,
    Problems,
)
from inexview.core.formats.text_files import LONGEST_LINE, TextEncoding, refuse_beginning, write_lines
from inexview.core.judgements.qrels import (
    DECISIONS,
    Judgement,
    JudgementRecord,
    Origin,
    Qrels,
    RecordedQrels,
    Records,
    SuggestedPassage,
)
from inexview.core.judgements.tables import LARGEST, LONGEST_NAME
from inexview.core.progress import Progress, unwatched
from inexview.core.text.json_values import refuse_constant, without_repeats
from inexview.core.text.search import DIGEST, UNKNOWN, Quote, Span, quotes_of
from inexview.core.text.spans import Spans

if TYPE_CHECKING:
    from inexview.core.collection.collection import Collection


_NO_NAME = re.compile("[\x00-\x1f\x7f]|\\A[ \ufeff]| \\Z")
_FARTHEST = 10**300
_LONGEST_TEXT = 10_000  # characters of a quote or an assessor's name


def parsed(line: bytes) -> dict[str, Any]:
    """Return the object in a line of JSON. Raises ValueError with a sentence for anything else."""
    try:
        values = json.loads(
            line.decode("utf-8"), object_pairs_hook=without_repeats, parse_constant=refuse_constant
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"is not a line of JSON: {error.msg} (character {error.pos + 1})") from error
    except RecursionError as error:
        raise ValueError("is nested too deeply for a record") from error
    if not isinstance(values, dict):
        raise ValueError("is not a JSON object: each line is {…}")
    return values


class JsonFields:
    """The fields of an object; a wrong one is reported, sets ``bad``, and gets a default value.

    A field that is null is missing.
    """

    def __init__(self, values: dict[str, Any], problems: Problems, line: int, where: str = "") -> None:
        self.values = values
        self.bad = False
        self._problems = problems
        self._line = line
        self._where = where
        self._parent: JsonFields | None = None

    def error(self, problem: str, name: str | None = None, value: object = None) -> None:
        """Record an error of the line, or of a field."""
        fields: JsonFields | None = self
        while fields is not None:
            fields.bad, fields = True, fields._parent
        if name is None:
            self._problems.error(problem, line=self._line)
            return
        field = f"{self._where}{name}"
        self._problems.error(problem, line=self._line, field=field, value=_shown(value))

    def warn(self, problem: str, detail: str = "") -> None:
        self._problems.warn(problem, [self._line], [detail] if detail else None)

    def name(self, name: str, longest: int) -> str:
        """Read a name, which may hold blanks, of a limited number of bytes."""
        text = self.text(name, required=True)
        if text and (_NO_NAME.search(text) or len(text.encode()) > longest):
            self.error(
                "is not a valid name: it has control characters, blanks at either end, or more than "
                f"{longest} bytes",
                name,
                text,
            )
        return text

    def text(self, name: str, *, required: bool = False) -> str:
        """Read a text, "" if it is missing and not required."""
        value = self.values.get(name)
        if value is None or value == "":
            if required:
                self.error("is missing", name, "")
        elif not isinstance(value, str):
            self.error("must be a text in quotation marks", name, value)
        elif len(value) > _LONGEST_TEXT:
            self.error(f"is longer than {_LONGEST_TEXT:,} characters", name, value)
        elif any("\ud800" <= character <= "\udfff" for character in value):
            self.error("holds half a character (a lone surrogate)", name, ascii(value))
        else:
            return value
        return ""

    def count(self, name: str, largest: int, *, default: int | None = None) -> int:
        """Read a whole number from 0 on; required without a ``default``."""
        value = self.values.get(name)
        if value is None:
            if default is not None:
                return default
            self.error("is missing", name, "")
        elif not isinstance(value, int) or isinstance(value, bool) or value < 0:
            self.error("is not a whole number of characters", name, value)
        elif value > largest:
            self.error(f"is larger than any document ({largest})", name, value)
        else:
            return value
        return 0

    def _held(self, name: str, default: Any, good: Callable[[Any], bool], problem: str) -> Any:
        """Return a value, its default if it is missing or, with an error, if it is not ``good``."""
        value = self.values.get(name)
        if value is None or good(value):
            return default if value is None else value
        self.error(problem, name, value)
        return default

    def number(self, name: str, largest: float) -> float:
        """Read a number from 0 on, 0 if it is missing."""
        problem = f"is not a number between 0 and {largest:,}"
        return float(self._held(name, 0, lambda value: _is_number(value) and 0 <= value <= largest, problem))

    def signed(self, name: str) -> float | None:
        """Read any number, None if it is missing."""
        value = self._held(
            name, None, lambda value: _is_number(value) and abs(value) <= _FARTHEST, "is not a number"
        )
        return None if value is None else float(value)

    def truth(self, name: str, *, default: bool) -> bool:
        return bool(
            self._held(name, default, lambda value: isinstance(value, bool), "is neither true nor false")
        )

    def span(self, name: str, largest: int) -> tuple[int, int] | None:
        """Read ``[start, end]``, None if it is missing."""

        def good(value: Any) -> bool:
            whole = isinstance(value, list) and [type(one) for one in value] == [int, int]
            return whole and 0 <= value[0] <= value[1] <= largest

        value = self._held(name, None, good, "is not a passage [start, end]")
        return None if value is None else (value[0], value[1])

    def object(self, name: str) -> JsonFields | None:
        """Read an object, None if it is missing."""
        value = self._held(name, None, lambda value: isinstance(value, dict), "is not an object {…}")
        return None if value is None else self._inner(value, f"{self._where}{name}.")

    def objects(self, name: str) -> Iterator[JsonFields]:
        """Read a list of objects, empty if it is missing."""
        listed = self._held(name, [], lambda value: isinstance(value, list), "is not a list […]")
        for at, value in enumerate(listed):
            if isinstance(value, dict):
                yield self._inner(value, f"{self._where}{name}[{at}].")
            else:
                self.error("is not an object {…}", f"{name}[{at}]", value)
            if self._problems.full:
                return

    def _inner(self, values: dict[str, Any], where: str) -> JsonFields:
        inner = JsonFields(values, self._problems, self._line, where)
        inner._parent = self
        return inner


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)[:200]


# Judged documents.

_KNOWN = {
    "topic", "document", "relevant", "length", "rsize", "bep", "bep_quote", "passages", "finished",
    "assessor", "begun", "changed", "seconds", "added", "note",
    "come_back", "grade", "origins", "suggestions",
}  # fmt: skip
_JUDGING = {"relevant", "rsize", "passages", "finished"}
_REMARKING = {"note", "come_back", "grade", "suggestions"}
_OF_QUOTES = {"others": UNKNOWN, "lead": 0, "trail": 0}  # with their values for a missing field
_DIGEST = re.compile(rf"[0-9a-f]{{{2 * DIGEST}}}")
_LONGEST_SECONDS = 10**9
_FURTHEST = 2 * LARGEST  # largest end of a passage that other formats give as start and length


def write_jsonl(records: Iterable[JudgementRecord], path: str | Path) -> None:
    """Write records, one line each, in the order given."""
    write_lines(path, (json.dumps(_values(record), ensure_ascii=False) + "\n" for record in records))


def write_jsonl_qrels(
    qrels: Qrels | Iterable[Judgement],
    path: str | Path,
    collection: Collection | None = None,
    progress: Progress = unwatched,
) -> None:
    """Write judgements as finished documents; with the articles, passages are quoted.

    Articles that cannot be read give no quotes.  Of qrels made from records, the records are written.
    """
    if isinstance(qrels, RecordedQrels) and qrels.records:
        write_jsonl(_watched(qrels.records, len(qrels.records), progress), path)
        return
    listed = qrels if isinstance(qrels, Qrels) else Qrels.from_judgements(qrels)
    write_jsonl(_watched(_records(listed, collection), len(listed), progress), path)


def read_jsonl(path: str | Path) -> Records:
    """Read records.  Raises DataErrors, naming file, line and field, for what cannot be read."""
    problems = Problems(path)
    records: list[JudgementRecord] = []
    lines: list[int] = []
    places: dict[tuple[str, str], int] = {}
    hint = "; if the file was cut off here, use the complete file"
    for number, fields in _objects(problems, hint):
        record = _read(fields)
        if record is not None:
            key = record.judgement.topic, record.judgement.document
            before = places.setdefault(key, number)
            if before != number:
                problem = f"judges topic {key[0]}, document {key[1]} again, after line {before}"
                problems.error(problem, line=number)
            records.append(record)
            lines.append(number)
    problems.check()
    if not records:
        raise DataError("holds no judgement", path=path)
    return Records(tuple(records), tuple(lines), Path(path), problems.warnings)


def read_jsonl_qrels(path: str | Path) -> RecordedQrels:
    """Read the finished documents as qrels; the others are left out with a warning."""
    return read_jsonl(path).qrels()


# -- out --------------------------------------------------------------------------------------------------


def _values(record: JudgementRecord) -> dict[str, Any]:
    judgement = record.judgement
    values: dict[str, Any] = {
        "topic": judgement.topic,
        "document": judgement.document,
        "relevant": judgement.relevant,
        "length": judgement.length,
        "rsize": judgement.rsize,
    }
    if judgement.bep is not None:
        values["bep"] = judgement.bep
        entry = record.quotes.get((judgement.bep, judgement.bep))
        if entry is not None and entry.first:  # white space cannot be quoted
            values["bep_quote"] = entry.first
    values["passages"] = [_passage(span, record) for span in record.passages]
    values["finished"] = record.finished
    texts = (("assessor", record.assessor), ("begun", record.begun), ("changed", record.changed),
            ("note", record.note), ("come_back", record.come_back), ("grade", record.grade))  # fmt: skip
    values.update((name, value) for name, value in texts if value)
    if record.seconds:
        values["seconds"] = record.seconds
    if record.added:
        values["added"] = True
    if record.origins:
        values["origins"] = [
            {"start": start, "end": end, "from": origin.name}
            | ({"suggested": True} if origin.suggested else {})
            for (start, end), origin in record.origins
        ]
    if record.suggestions:
        values["suggestions"] = [_suggestion(one) for one in record.suggestions]
    return values


def _suggestion(one: SuggestedPassage) -> dict[str, Any]:
    values: dict[str, Any] = {"start": one.start, "end": one.end, "source": one.source}
    if one.score is not None:
        values["score"] = one.score
    values["decision"] = one.decision
    if one.taken is not None and one.taken != (one.start, one.end):
        values["taken"] = list(one.taken)
    return values


def _records(qrels: Qrels, collection: Collection | None) -> Iterator[JudgementRecord]:
    starts, ends, ptr = qrels.starts.tolist(), qrels.ends.tolist(), qrels.ptr.tolist()
    for row, judgement in enumerate(qrels):
        own = slice(ptr[row], ptr[row + 1])
        spans = tuple(span for span in zip(starts[own], ends[own], strict=True) if span[0] < span[1])
        entry = () if judgement.bep is None else ((judgement.bep, judgement.bep),)
        quotes = _quotes(judgement.document, (*spans, *entry), collection)
        yield JudgementRecord(judgement, quotes=quotes, written=_as_written(spans, judgement.passages))


def _as_written(spans: Sequence[Span], marks: Spans) -> tuple[Span, ...]:
    """Return passages that differ from the marks they make: they overlap, touch, or are unsorted."""
    return () if tuple(spans) == tuple(marks) else tuple(spans)


def _quotes(document: str, spans: Sequence[Span], collection: Collection | None) -> dict[Span, Quote]:
    if collection is None or not spans:
        return {}
    try:
        text = collection.text(document)
    except DataError:
        return {}
    return quotes_of(text, (span for span in spans if span[1] <= len(text)))


def _watched(
    records: Iterable[JudgementRecord], total: int | None, progress: Progress
) -> Iterator[JudgementRecord]:
    for done, record in enumerate(records):
        progress("judgements written", done, total)
        yield record


def _passage(span: Span, record: JudgementRecord) -> dict[str, Any]:
    (start, end), quote = span, record.quotes.get(span)
    values: dict[str, Any] = {"start": start, "end": end}
    if quote is not None:
        values["quote"] = {"first": quote.first, "last": quote.last}
        if quote.digest:
            values["quote"]["digest"] = quote.digest
        more = zip(_OF_QUOTES.items(), quote[3:], strict=True)
        values["quote"] |= {name: count for (name, usual), count in more if count != usual}
    texts = (
        ("text", record.texts.get(span)),
        ("note", record.notes.get(span)),
        ("grade", record.grades.get(span)),
    )
    return {**values, **{name: text for name, text in texts if text}}


# -- in ---------------------------------------------------------------------------------------------------


def lines_of(path: Path, encoding: TextEncoding) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank with their numbers.

    Raises DataError for a line that is too long, and for text that is not UTF-8.
    """
    with reported(path, "cannot be read: {}", OSError), open_lines(path) as file:
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise DataError(f"is longer than {LONGEST_LINE:,} bytes", path=path, line=number)
            if number == 1:
                refuse_beginning(line, path)
                line = line.removeprefix(b"\xef\xbb\xbf")
            if line.strip():
                yield number, encoding.utf8(line, number)


def _objects(problems: Problems, hint: str = "") -> Iterator[tuple[int, JsonFields]]:
    """Yield the objects of a file with their lines, until there are too many errors.

    Lines without an object are recorded as errors, a last one without a line end with a ``hint``.
    """
    for number, line in lines_of(Path(problems.path), TextEncoding(problems)):
        try:
            fields = JsonFields(parsed(line), problems, number)
        except ValueError as error:
            problems.error(str(error) if line.endswith(b"\n") else f"{error}{hint}", line=number)
        else:
            yield number, fields
        if problems.full:
            return


def _read(fields: JsonFields) -> JudgementRecord | None:
    """Return the record of a line; None after an error, which is recorded."""
    topic, document = fields.name("topic", LONGEST_NAME), fields.name("document", LONGEST_NAME)
    length = fields.count("length", LARGEST, default=0)
    spans, quotes, notes, grades = _passages(fields)
    marks = Spans(spans)
    rsize = fields.count("rsize", _FURTHEST, default=marks.size)
    bep = fields.count("bep", LARGEST, default=-1)
    names = {name for name, value in fields.values.items() if value is not None}
    judged = bool(names & _JUDGING)
    finished = fields.truth("finished", default=judged)
    if not names & (_JUDGING | _REMARKING):
        fields.error('contains no judgement of the document: expected "passages", or "relevant": false')
    entry = fields.text("bep_quote")
    if entry and bep >= 0:
        quotes[bep, bep] = Quote(entry, "")
    if fields.truth("relevant", default=rsize > 0) != (rsize > 0):
        fields.error(f"contradicts an rsize of {rsize}", "relevant", fields.values["relevant"])
    judgement = Judgement(topic, document, rsize, length, None if bep < 0 else bep, marks)
    _warn_of_contents(judgement, spans, fields, finished=finished)
    record = JudgementRecord(
        judgement,
        finished,
        quotes,
        seconds=fields.number("seconds", _LONGEST_SECONDS),
        assessor=fields.text("assessor"),
        begun=_time(fields, "begun"),
        changed=_time(fields, "changed"),
        written=_as_written(spans, marks),
        added=fields.truth("added", default=False),
        note=fields.text("note"),
        grade=fields.text("grade"),
        come_back=fields.truth("come_back", default=False),
        notes=notes,
        grades=grades,
        origins=tuple(
            (
                (one.count("start", LARGEST), one.count("end", _FURTHEST)),
                Origin(one.text("from", required=True), one.truth("suggested", default=False)),
            )
            for one in fields.objects("origins")
        ),
        suggestions=tuple(_suggestions(fields)),
    )
    for name in sorted(fields.values.keys() - _KNOWN):
        fields.warn(f"the field '{name}' is unknown and ignored")
    return None if fields.bad else record


def _suggestions(fields: JsonFields) -> Iterator[SuggestedPassage]:
    for one in fields.objects("suggestions"):
        start, end = one.count("start", LARGEST), one.count("end", _FURTHEST)
        source, decision = one.text("source", required=True), one.text("decision", required=True)
        if decision and decision not in DECISIONS:
            one.error(f"is not a decision; there are {', '.join(DECISIONS)}", "decision", decision)
        taken = (start, end) if decision != DECISIONS[-1] else None
        if "taken" in one.values:
            taken = one.span("taken", _FURTHEST)
        yield SuggestedPassage(source, start, end, one.signed("score"), decision, taken)


def _warn_of_contents(
    judged: Judgement, spans: Sequence[Span], fields: JsonFields, *, finished: bool
) -> None:
    """Warn of a suspicious judgement as in qrels; a length of 0 is unknown and gives no warning.

    Neither does an rsize without passages. The entry point of an unfinished document may wait for passages.
    """
    marks, rsize, length = judged.passages, judged.rsize, judged.length
    if judged.bep is not None and not marks and finished:
        fields.warn(BARE_ENTRY)
    listed = sum(end - start for start, end in spans)
    if marks and rsize != listed:
        fields.warn(OTHER_SIZE, f"{rsize} and {listed}")
    if listed > marks.size:
        fields.warn(OVERLAP)
    if length and rsize > length:
        fields.warn(LARGER_SIZE, f"{rsize} and {length}")
    if length and judged.bep is not None and judged.bep >= length:
        fields.warn(ENTRY_BEYOND)
    if length and marks and int(marks.ends[-1]) > length:
        fields.warn(PASSAGE_BEYOND)


def _passages(fields: JsonFields) -> tuple[list[Span], dict[Span, Quote], dict[Span, str], dict[Span, str]]:
    """Read passages as written, which may overlap, with their quotes, notes and grades."""
    spans: list[Span] = []
    quotes: dict[Span, Quote] = {}
    notes: dict[Span, str] = {}
    grades: dict[Span, str] = {}
    for passage in fields.objects("passages"):
        start, end = passage.count("start", LARGEST), passage.count("end", _FURTHEST)
        if passage.bad:
            continue
        if start >= end:
            passage.error("ends at or before its start", "end", end)
            continue
        spans.append((start, end))
        if (quote := passage.object("quote")) is not None:
            more = [quote.count(name, LARGEST, default=usual) for name, usual in _OF_QUOTES.items()]
            digest = quote.text("digest")
            if digest and _DIGEST.fullmatch(digest) is None:
                quote.error(f"is not a digest: {2 * DIGEST} lower-case hexadecimal digits", "digest", digest)
            quotes[start, end] = Quote(quote.text("first"), quote.text("last"), digest, *more)
        for texts, name in ((notes, "note"), (grades, "grade")):
            if text := passage.text(name):
                texts[start, end] = text
    return spans, quotes, notes, grades


def _time(fields: JsonFields, name: str) -> str:
    text = fields.text(name)
    try:
        if text:
            datetime.fromisoformat(text)
    except ValueError:
        fields.error("is not a time such as 2026-01-31T12:00:00+00:00", name, text)
    return text


# Suggested passages; judgements that are written as JSON lines can be read as suggestions.


class SuggestedLine(NamedTuple):
    """A passage ``[start, end)`` that is suggested for a topic."""

    topic: str
    document: str
    start: int
    end: int
    score: float | None


def read_suggestion_lines(path: str | Path) -> tuple[list[SuggestedLine], tuple[str, ...]]:
    """Read suggested passages; also return warnings.

    Raises DataErrors with file, line and field.
    """
    problems = Problems(path)
    suggested = [one for _, fields in _objects(problems) for one in _suggested(fields)]
    problems.check()
    return suggested, problems.warnings


def _suggested(fields: JsonFields) -> Iterator[SuggestedLine]:
    topic, document = fields.name("topic", LONGEST_NAME), fields.name("document", LONGEST_NAME)
    for passage in fields.objects("passages") if "passages" in fields.values else (fields,):
        start, end = passage.count("start", LARGEST), passage.count("end", 2 * LARGEST)
        score = passage.signed("score")
        if not passage.bad and start >= end:
            passage.error("ends at or before its start", "end", end)
        if not passage.bad:
            yield SuggestedLine(topic, document, start, end, score)
