"""Judgements as their files give them, made ready for a project: in code points, and quoted where read.

What reads articles is here, and needs no project: it may run in any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, ProjectError
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.records import JudgementRecord, Records
from inexview.core.progress import Progress, unwatched
from inexview.core.project.journal.remarks import NO_REMARKS, Remarks
from inexview.core.project.judging.decisions import Brought
from inexview.core.text.counting import CODE_POINTS, Convention, Scale
from inexview.core.text.spans import Spans
from inexview.core.text.text_quotes import Quote, Span, quotes_of
from inexview.core.wording import counted, some_named

CHECKED = 50  # documents that are read; enough to see another way of counting
TextOf = Callable[[str], str]  # the text of a document; raises DataError where it cannot be read


@dataclass(frozen=True, slots=True)
class Taken:
    """A judgement to be taken over, counted in code points, and what else its file says.

    ``actual`` is the length of the document, None where it was not read.
    """

    judgement: Judgement
    finished: bool = True
    quotes: Mapping[Span, Quote] = field(default_factory=dict)
    actual: int | None = None
    remarks: Remarks = NO_REMARKS
    brought: Brought | None = None
    added: bool = False
    """Whether an assessor found the document there, which no pool had."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Judgements that can be taken over, where they come from, and what became of the rest."""

    taken: tuple[Taken, ...]
    source: str = ""
    warnings: tuple[str, ...] = ()


def make_ready(
    judged: Qrels | Records,
    topics: Container[str],
    convention: Convention,
    text_of: TextOf,
    progress: Progress = unwatched,
    *,
    check: bool = True,
) -> Ready:
    """Return judgements as code points; qrels are counted by ``convention``, records by none.

    The first documents are read, to see whether they are as long as the judgements say (not without
    ``check``); where the convention is another one, all that hold passages are.  Raises ProjectError for
    qrels that only grade whole documents, and Cancelled.
    """
    source = "" if judged.path is None else judged.path.name  # rows go where places say nothing
    if isinstance(judged, Qrels):
        if judged.graded:
            raise ProjectError(
                f"{judged.path}: these qrels grade whole documents; they do not say which text"
            )
        if convention != CODE_POINTS:
            taken, problems = _in_code_points(judged, topics, convention, text_of, progress)
            return Ready(tuple(taken), source, tuple(problems))
        taken = [Taken(judgement) for judgement in judged]
    else:
        taken = [_recorded(one) for one in judged]
    return Ready(tuple(_read_first(taken, topics, text_of, progress) if check else taken), source)


def telling_absent(ready: Ready, topics: Container[str], collection: Collection) -> Ready:
    """Return the same judgements with a warning where the collection lacks documents that they are about."""
    judged = (one.judgement.document for one in ready.taken if one.judgement.topic in topics)
    absent = collection.lacking(judged)
    if not absent:
        return ready
    number = counted(len(absent), "judged document")
    are = "is" if len(absent) == 1 else "are"
    told = f"{number} {are} not in the collection and cannot be opened: {some_named(absent)}"
    return replace(ready, warnings=(*ready.warnings, told))


def _recorded(record: JudgementRecord) -> Taken:
    remarks = Remarks(record.note, record.come_back, record.grade, record.notes, record.grades)
    told = record.origins or record.suggestions
    return Taken(
        record.judgement,
        record.finished,
        record.quotes,
        remarks=remarks,
        brought=Brought(record.origins, record.suggestions) if told else None,
        added=record.added,
    )


def _read_first(
    taken: Iterable[Taken], topics: Container[str], text_of: TextOf, progress: Progress
) -> Iterator[Taken]:
    """Yield judgements, those of the first documents with what reading each of them once tells."""
    lengths: dict[str, int | None] = {}
    for one in taken:
        document = one.judgement.document
        if document in lengths:
            yield replace(one, actual=lengths[document])
        elif one.judgement.topic not in topics or len(lengths) == CHECKED:
            yield one
        else:
            progress("articles read", len(lengths), None)
            text = _text(document, text_of)
            lengths[document] = None if text is None else len(text)
            yield one if text is None else _read(one, text)


def _text(document: str, text_of: TextOf) -> str | None:
    try:
        return text_of(document)
    except DataError:
        return None


def _read(one: Taken, text: str) -> Taken:
    """Return a judgement with the length of its document, and with quotes where its file brings none."""
    judgement = one.judgement
    spans: list[Span] = list(judgement.passages.clip(0, len(text)))
    if judgement.bep is not None:
        spans.append((judgement.bep, judgement.bep))
    quotes = quotes_of(text, (span for span in spans if span not in one.quotes))
    return replace(one, quotes={**one.quotes, **quotes}, actual=len(text))


def _in_code_points(
    qrels: Qrels, topics: Container[str], convention: Convention, text_of: TextOf, progress: Progress
) -> tuple[list[Taken], list[str]]:
    """Return judgements counted in code points, and what became of the rest.

    A document that cannot be read cannot be counted in another way, and is left out.
    """
    rows = list(qrels)
    converted: list[Taken | None] = [None] * len(rows)
    of_document: dict[str, list[int]] = {}
    for row, judgement in enumerate(rows):
        if judgement.topic not in topics or (not judgement.passages and judgement.bep is None):
            converted[row] = Taken(replace(judgement, length=0))
        else:
            of_document.setdefault(judgement.document, []).append(row)
    problems: list[str] = []
    for done, (document, listed) in enumerate(of_document.items()):
        progress("articles read", done, len(of_document))
        try:
            text = text_of(document)
        except DataError as error:
            problems += [
                f"topic {rows[row].topic}, document {document}: left out, because only the article tells "
                f"which characters {convention} mean: {error}"
                for row in listed
            ]
            continue
        scale = Scale(text, convention)
        for row in listed:
            converted[row] = _read(Taken(_converted(rows[row], text, scale)), text)
    return [one for one in converted if one is not None], problems


def _converted(judgement: Judgement, text: str, scale: Scale) -> Judgement:
    """Return a judgement counted by a scale in code points; a length that does not fit stays, to be told."""
    written = judgement.passages
    passages = Spans.from_arrays(
        scale.to_code_points(written.starts), scale.to_code_points(written.ends, ends=True)
    )
    bep = None if judgement.bep is None else int(scale.to_code_points(judgement.bep))
    fits = judgement.length in (0, scale.length)
    length = len(text) if fits else judgement.length
    rsize = passages.size if judgement.passages else judgement.rsize
    return Judgement(judgement.topic, judgement.document, rsize, length, bep, passages)
