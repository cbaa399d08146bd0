"""The functions for scripts other than :func:`evaluate`: show a text, open the window, make runs and reports.

Each function accepts objects of inexview, names of files, or dicts, rows and frames as :meth:`Qrels.of` and
:meth:`Run.of` take them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from inexview.core.article.blocks import BlockKind
from inexview.core.article.document import Document
from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import evaluate
from inexview.core.evaluation.run_report import Report, Reported, command_of, report_of, usual_title
from inexview.core.evaluation.testing import Testing
from inexview.core.files import LinkedPlace
from inexview.core.formats.passage_lines import write_fol_qrels, write_fol_run
from inexview.core.formats.readers import given_qrels, given_runs
from inexview.core.formats.topic_files import read_topics
from inexview.core.formats.trec import write_trec_qrels, write_trec_run
from inexview.core.judgements.qrels import Pool, Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.topics import Topic, Topics
from inexview.core.measures.measure import Measure
from inexview.core.retrieval.engines import LocalEngine
from inexview.core.retrieval.models import DEPTH, ModelParameters, RetrievalSettings
from inexview.core.retrieval.retrieve import fused_run, pool_runs, run_of, usual_id
from inexview.core.retrieval.retrieve import retrieve as retrieved_by
from inexview.core.retrieval.shards import UnitKind, WordForms
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.word_index.word_index import word_index
from inexview.core.wording import counted, percent, some_named, today

Runs = Any
"""A run or several: Runs, names of files, dicts, frames."""

# A text with its judged and retrieved characters, as HTML.

# A notebook may be dark on a light desktop, or the reverse: its own attribute decides.
_LIGHT = "--mark:#ffe7a0;--ink:#1b1f24;--edge:#0b63b0;--wrong:#b3261e"
_DARK = "--mark:#5c4a12;--ink:#f4f1e8;--edge:#6fb1f0;--wrong:#ff8a80"
_STYLE = f"""<style>
.inexview{{max-width:44em;font:1em/1.6 Georgia,serif;{_LIGHT}}}
@media (prefers-color-scheme:dark){{.inexview{{{_DARK}}}}}
[data-jp-theme-light=true] .inexview,.vscode-light .inexview{{{_LIGHT}}}
[data-jp-theme-light=false] .inexview,.vscode-dark .inexview{{{_DARK}}}
"""
_STYLE += """
.inexview .hit,.inexview .miss,.inexview .judged{background:var(--mark);color:var(--ink)}
.inexview .miss{border-bottom:2px dotted var(--wrong)}
.inexview .hit{border-bottom:2px solid var(--edge)}
.inexview .false-alarm{border-bottom:4px double var(--wrong)}
.inexview .bep{color:var(--wrong);font-weight:bold}
.inexview small{font-family:sans-serif;opacity:.75}
</style>"""
_LAYOUT = {
    BlockKind.TITLE: "font-weight:bold",
    BlockKind.HEADING: "font-weight:bold",
    BlockKind.CAPTION: "font-style:italic",
    BlockKind.CELL: "display:inline-block;min-width:8em;margin:0 1em 0 0",
}
_LEGEND = {
    "judged": "judged relevant",
    "hit": "relevant and retrieved",
    "miss": "relevant, not retrieved",
    "false-alarm": "retrieved, not relevant",
}


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text with its marks; a notebook shows it, and ``html`` is a self-contained part of a page."""

    html: str
    relevant: Spans
    """The characters judged relevant."""
    retrieved: Spans | None
    """The characters that the run retrieved; None without a run."""

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        retrieved = "" if self.retrieved is None else f", {self.retrieved.size:,} retrieved"
        return f"<MarkedText: {self.relevant.size:,} characters relevant{retrieved}>"

    def save(self, path: str | Path) -> None:
        """Write it as a page, in UTF-8; raises OSError."""
        page = (
            f"<!DOCTYPE html>\n<html><head><meta charset='utf-8'></head><body>\n{self.html}\n</body></html>\n"
        )
        Path(path).write_text(page, encoding="utf-8")


def show(
    document: Document | str | Path, qrels: object = None, run: object = None, *, topic: str | None = None
) -> MarkedText:
    """Return the text of a document with the characters judged relevant and those that a run retrieved.

    ``document`` may be the name of a file.  ``topic`` is only needed if the judgements, or else the run, have
    several with this document.  Raises InexviewError, also for passages beyond the end of the text.
    """
    if not isinstance(document, Document):
        document = Document.from_file(document)
    judged = None if qrels is None else given_qrels(qrels)
    made = None if run is None else _one_run(run)
    topic = topic if topic is not None else _topic_of(document.id, judged, made)
    judgement = None if judged is None or topic is None else judged.judgement(topic, document.id)
    relevant = EMPTY if judgement is None else judgement.relevant_text
    passages = [] if made is None or topic is None else made.passages(topic, document.id)
    known = [(one.start, one.end) for one in passages if one.known]
    retrieved = None if made is None else Spans(known)
    for what, spans in (("judged", relevant), ("retrieved", retrieved or EMPTY)):
        if spans and int(spans.ends[-1]) > document.length:
            raise InexviewError(
                f"{document.id} has {document.length:,} characters, and a {what} passage ends at "
                f"{int(spans.ends[-1]):,}: are they of another text, or counted otherwise?"
            )
    bep = None if judgement is None else judgement.bep
    said = escape(_said(document, topic, relevant, retrieved))
    looks = ["judged"] if retrieved is None else ["hit", "miss", "false-alarm"]
    legend = " · ".join(f"<span class='{look}'>{_LEGEND[look]}</span>" for look in looks)
    head = f"<h2>{escape(document.title)}</h2>\n<p><small>{said}<br>{legend}</small></p>"
    body = "\n".join(_blocks(document, relevant, retrieved, bep))
    return MarkedText(f"{_STYLE}<div class='inexview'>\n{head}\n{body}\n</div>", relevant, retrieved)


def _one_run(run: object) -> Run:
    runs = list(given_runs(run))
    if len(runs) != 1:
        raise InexviewError(f"one run can be shown, and {len(runs)} are given")
    return runs[0]


def _topic_of(document: str, qrels: Qrels | None, run: Run | None) -> str | None:
    """Return the only topic with a document, in the judgements or else in the run; None without any."""
    topics: list[str] = []
    if qrels is not None:
        rows = qrels.document.are(document)
        topics = [qrels.topics[at] for at in dict.fromkeys(qrels.topic[rows].tolist())]
    if not topics and run is not None:
        topics = [run.topics[at] for at in dict.fromkeys(run.topic[run.document.are(document)].tolist())]
    if len(topics) > 1:
        raise InexviewError(
            f"{document} is there for {counted(len(topics), 'topic')} ({some_named(topics)}): name one"
        )
    return topics[0] if topics else None


def _said(document: Document, topic: str | None, relevant: Spans, retrieved: Spans | None) -> str:
    parts = [document.id, *([] if topic is None else [f"topic {topic}"])]
    parts.append(f"{relevant.size:,} of {document.length:,} characters relevant")
    if retrieved is not None:
        both = (relevant & retrieved).size
        precision, recall = both / max(retrieved.size, 1), both / max(relevant.size, 1)
        parts.append(f"{retrieved.size:,} retrieved, {both:,} of them relevant")
        parts.append(f"precision {percent(precision)}, recall {percent(recall)}")
    return " · ".join(parts)


def _blocks(document: Document, relevant: Spans, retrieved: Spans | None, bep: int | None) -> Iterator[str]:
    """Yield the blocks of a text as paragraphs, cut at the edges of the marks."""
    edges = {0, document.length, *relevant.starts.tolist(), *relevant.ends.tolist()}
    if retrieved is not None:
        edges |= {*retrieved.starts.tolist(), *retrieved.ends.tolist()}
    edges |= set() if bep is None else {bep}
    for block in document.blocks:
        if not document.text[block.start : block.end].strip():
            continue
        cuts = sorted({block.start, block.end, *(edge for edge in edges if block.start < edge < block.end)})
        parts = []
        for start, end in pairwise(cuts):
            text = escape(document.text[start:end])
            look = _look(start in relevant, None if retrieved is None else start in retrieved)
            sign = "<span class='bep' title='best entry point'>▶ </span>" if start == bep else ""
            parts.append(
                f"{sign}<span class='{look}' title='{_LEGEND[look]}'>{text}</span>" if look else sign + text
            )
        if block.kind is BlockKind.CELL:  # the cells of a row next to each other
            yield "<br>" if block.column == 0 else ""
        yield f"<p style='{_LAYOUT.get(block.kind, '')}'>{''.join(parts)}</p>"


def _look(relevant: bool, retrieved: bool | None) -> str:
    if retrieved is None:
        return "judged" if relevant else ""
    if relevant:
        return "hit" if retrieved else "miss"
    return "false-alarm" if retrieved else ""


# The window.


def open(
    what: object,
    runs: Runs = (),
    *,
    collection: str | Path | Collection | None = None,
    topic: str | None = None,
    document: str | None = None,
    at: int | None = None,
    task: str | None = None,
) -> subprocess.Popen[bytes]:
    """Open the window in another process, and return that process.

    ``what`` is a project, which opens at ``topic``, ``document`` and the offset ``at``; or judgements, which
    open with ``runs`` and the texts of the ``collection`` for reading.  Data without a file are written to
    temporary files.  Raises InexviewError for data that cannot be read.
    """
    if isinstance(what, str | Path) and Path(what).suffix == ".inexview":
        arguments = [LinkedPlace(Path(what), topic, document, None, at).link]
    else:
        if topic is not None or document is not None or at is not None:
            raise InexviewError("a place can be named in a project only: give the name of one")
        arguments = ["inspect", *_files(given_qrels(what), list(given_runs(runs)))]
        if collection is not None:
            arguments += ["-C", str(collection.path if isinstance(collection, Collection) else collection)]
        arguments += [] if task is None else ["--task", Task.named(task).value]
    return subprocess.Popen([sys.executable, "-m", "inexview", *arguments])


def _files(qrels: Qrels, runs: Sequence[Run]) -> list[str]:
    """Return the arguments that name judgements and runs, after writing those without a file."""
    folder = (
        None if qrels.path and all(run.path for run in runs) else Path(tempfile.mkdtemp(prefix="inexview-"))
    )
    judged = qrels.path
    if judged is None and folder is not None:
        judged = folder / "qrels.txt"
        (write_trec_qrels if qrels.graded else write_fol_qrels)(qrels, judged)
    paths = []
    for number, run in enumerate(runs, 1):
        path = run.path
        if path is None and folder is not None:
            path = folder / f"run-{number}.txt"
            (write_trec_run if run.task is Task.DOCUMENTS else write_fol_run)(run, path)
        paths.append(str(path))
    return ["-Q", str(judged), *(["-R", *paths] if paths else [])]


# Runs, pools and reports.


def fuse(
    runs: Runs, *, method: str = "rrf", depth: int = DEPTH, id: str = "", task: Task | str | None = None
) -> Run:
    """Return the fusion of runs, at most ``depth`` results a topic.

    ``method`` is rrf (reciprocal ranks: Cormack, Clarke, Büttcher, SIGIR 2009), combsum or combmnz (Fox and
    Shaw, TREC-2).  Each stretch of passages is fused separately.  ``task`` is that of the runs unless given.
    Raises InexviewError.
    """
    named = None if task is None else Task.named(task)
    return fused_run(list(given_runs(runs)), method, depth, id or method, named)


def pool(
    runs: Runs, *, depth: int = 100, method: str = "rank", per_topic: int | None = None, qrels: object = None
) -> Pool:
    """Return the pool of the first ``depth`` documents of each run, at most ``per_topic`` for a topic.

    ``method`` sorts the documents, as ``inexview pool -h`` explains; move-to-front uses the relevant
    documents of ``qrels``.  Raises InexviewError.
    """
    judged = None if qrels is None else given_qrels(qrels)
    return pool_runs(list(given_runs(runs)), depth, method=method, per_topic=per_topic, qrels=judged)


def retrieve(
    topics: Topics | Mapping[str, str] | str | Path,
    collection: Collection | Mapping[str, str] | str | Path,
    *,
    model: str = "BM25",
    unit: str = "article",
    depth: int = DEPTH,
    fields: Sequence[str] = ("title",),
    stop_list: str = "snowball",
    stemmer: str = "none",
    task: Task | str | None = None,
    id: str = "",
    **parameters: float,
) -> Run:
    """Return the run of a model on a collection for topics.

    ``topics`` are a file or ``{id: query}``, the ``collection`` a Collection, its path or ``{id: text}``.
    ``unit`` is article, passage:WORDS/STEP or element:TAG,TAG; ``parameters`` are those of the model (``k1``,
    ``b``, ``mu`` …), as ``inexview retrieve -h`` lists them.  The index of words is made once and kept.
    Raises InexviewError.
    """
    settings = RetrievalSettings(
        model=model,
        unit=UnitKind.parse(unit),
        depth=depth,
        fields=tuple(fields),
        forms=WordForms.named(stop_list, stemmer),
        parameters=ModelParameters().changed(parameters),
        task=None if task is None else Task.named(task),
    )
    if isinstance(topics, Mapping):
        listed: Topics = Topics(tuple(Topic(str(name), text) for name, text in topics.items()))
    else:
        listed = topics if isinstance(topics, Topics) else read_topics(topics)
    with _opened(collection) as texts:
        found = retrieved_by(listed, LocalEngine(word_index(texts)), settings)
    return run_of(found, settings, id or usual_id(settings))


@contextmanager
def _opened(collection: Collection | Mapping[str, str] | str | Path) -> Iterator[Collection]:
    """Yield a collection, and close it again if it was opened here."""
    if isinstance(collection, Collection):
        yield collection
        return
    opened = Collection.of(collection) if isinstance(collection, Mapping) else Collection.open(collection)
    with closing(opened):
        yield opened


def report(
    qrels: object,
    runs: Runs,
    *,
    measures: Measure | str | Sequence[Measure | str] | None = None,
    title: str = "",
    testing: Testing | None = None,
    **settings: Any,
) -> Report:
    """Return a report on runs: the best one and its significance, means, pairs, topics, and caveats.

    Its ``html()``, ``markdown`` and ``latex`` are texts.  The first of the ``measures`` decides, by default
    the main one of the task; ``settings`` are those of :func:`evaluate`.  Raises InexviewError.
    """
    judged = given_qrels(qrels)
    evaluation, how = (
        evaluate(judged, list(given_runs(runs)), measures=measures, **settings),
        testing or Testing(),
    )
    scores = evaluation.runs
    tasks = {one.task for one in scores}
    if len(tasks) > 1:
        raise InexviewError(f"runs of different tasks cannot be compared: {', '.join(sorted(tasks))}")
    first = scores[0]
    main = first.mean_names[first.names.index(first.main)]
    measured = [main] if measures is None else list(first.mean_names)
    reported = Reported(
        title=title or usual_title(scores, judged.path),
        date=today(),
        scores=scores,
        qrels=judged.path,
        measures=measured,
        command=command_of(str(judged.path or "QRELS"), scores, evaluation.settings, how, measured),
        testing=how,
    )
    return report_of(reported)
