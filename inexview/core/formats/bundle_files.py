"""Benchmarks and files of annotation tools as judgements and topics, and writing of such files.

Passages are compared with the texts of the file (:mod:`inexview.core.benchmarks.bundle`), and differences are
reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from inexview.core.benchmarks import annotation_tools
from inexview.core.benchmarks.bundle import (
    CODE_POINTS,
    Bundle,
    Judged,
    Marked,
    QuoteCheck,
    QuotedPassage,
    TextOf,
    merged,
    placed,
    renamed,
)
from inexview.core.benchmarks.forms import BRAT, BundleForm, find, form_named
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.trec import read_trec_qrels
from inexview.core.judgements.qrels import Judgement, JudgementRecord, Qrels, RecordedQrels, Records
from inexview.core.judgements.topics import Topic, Topics
from inexview.core.progress import Progress, unwatched
from inexview.core.text.counting import Convention
from inexview.core.text.spans import Spans
from inexview.core.wording import counted, some_named

SUFFIXES = (".txt", ".text", ".md", ".markdown", ".html", ".htm", ".xhtml", ".xml")
"""Suffixes of text files, which documents' ids omit."""


def without_suffix(name: str) -> str:
    """Return a document's id in the collection: a path without the suffix of a text."""
    stem, dot, suffix = name.rpartition(".")
    return stem if f"{dot}{suffix.lower()}" in SUFFIXES and stem else name


def read_bundle(path: Path, form: str | None = None, *, suffixes: bool = False) -> Bundle:
    """Read a benchmark or a file of an annotation tool, with the collection's ids of documents.

    With ``suffixes`` ids keep the suffix of their text. Raises DataError with file, line and field.
    """
    known = form_named(form) if form is not None else find(path)
    if known is None:
        raise DataError("is neither a benchmark nor a file of a supported annotation tool", path=path)
    bundle = known.read(path)
    if bundle.corpus is not None and not bundle.texts:
        names = {id: without_suffix(id) for id in bundle.documents}
        if len(set(names.values())) == len(names):
            left_off = {id[len(name) :] for id, name in names.items()}
            bundle = replace(bundle, suffix=left_off.pop() if len(left_off) == 1 else "")
            return bundle if suffixes and bundle.suffix else renamed(bundle, names)
    return bundle


@dataclass(frozen=True, slots=True)
class BenchmarkReading:
    """Options for reading a benchmark or a tool's file."""

    form: str | None = None
    """The name of its form; None to recognise it."""
    texts: Path | None = None
    """The folder of its texts; None if they are in the file or next to it."""
    way: Convention | None = None
    """The convention of its offsets; None for the one that most passages fit."""
    move: bool = False
    """Whether to move passages that differ from their quote to the only place with that text."""
    suffixes: bool = False
    """Whether ids of documents keep the suffix of their text."""
    _read: tuple[Path, Bundle] | None = field(default=None, repr=False, compare=False)

    def once(self, path: Path) -> BenchmarkReading:
        """Return options that reuse the benchmark after reading it once; raises DataError."""
        return replace(self, _read=(path, self.bundle(path)))

    def bundle(self, path: Path) -> Bundle:
        """Read it; raises DataError."""
        if self._read is not None and self._read[0] == path:
            return self._read[1]
        bundle = read_bundle(path, self.form, suffixes=self.suffixes)
        return bundle if self.texts is None or bundle.texts else replace(bundle, corpus=self.texts)


AS_FOUND = BenchmarkReading()


def texts_of(bundle: Bundle, collection: Collection | None) -> TextOf:
    """Return a function that returns the text of a document, from the file or a collection."""
    if bundle.texts:
        return bundle.texts.get
    if collection is None:
        return lambda _document: None

    @lru_cache(8)
    def text_of(document: str) -> str | None:
        for id in (document, without_suffix(document)):
            try:
                return collection.text(id)
            except DataError:
                continue
        return None

    return text_of


def collection_of(path: Path, reading: BenchmarkReading = AS_FOUND) -> Path | None:
    """Return where the texts of a benchmark or a tool's file are: a folder next to it, or the file."""
    bundle = reading.bundle(path)
    return path if bundle.texts else bundle.corpus


def checked_passages(
    bundle: Bundle,
    collection: Collection | None = None,
    progress: Progress = unwatched,
    reading: BenchmarkReading = AS_FOUND,
) -> tuple[list[QuotedPassage], QuoteCheck, Mapping[str, int]]:
    """Return the passages in code points, their comparison with the texts, and lengths of documents.

    Without a collection that of the bundle itself is read. Raises DataError, Cancelled.
    """
    own = None
    if not bundle.texts and collection is None and bundle.corpus is not None:
        own = collection = Collection.open(bundle.corpus)
    try:
        read, lengths = texts_of(bundle, collection), dict[str, int]()

        def text_of(document: str) -> str | None:
            text = read(document)
            if text is not None:
                lengths[document] = len(text)
            return text

        passages, check = placed(bundle, text_of, progress, way=reading.way, move=reading.move)
        if not bundle.texts and collection is None:  # there is no text to compare them with
            passages = [passage for passage in bundle.passages if passage.has_place]
    finally:
        if own is not None:
            own.close()
    return passages, check, lengths


def read_bundle_qrels(
    path: Path,
    *,
    form: str,
    collection: Collection | None = None,
    progress: Progress = unwatched,
    reading: BenchmarkReading = AS_FOUND,
) -> Qrels:
    """Read the judgements of a benchmark or a tool: passages, or grades of whole documents.

    Raises DataError, Cancelled.
    """
    bundle = replace(reading, form=form).bundle(path)
    if bundle.qrels is not None:
        graded = read_trec_qrels(bundle.qrels)
        return replace(graded, path=path, warnings=(*bundle.warnings, *graded.warnings))
    return _records(bundle, path, collection, progress, reading).qrels()


def read_bundle_records(
    path: Path,
    *,
    form: str,
    collection: Collection | None = None,
    progress: Progress = unwatched,
    reading: BenchmarkReading = AS_FOUND,
    flag: bool = False,
) -> Records:
    """Read the passages of a benchmark or a tool with their labels; raises DataError, Cancelled.

    The passages of several annotators are joined. With ``flag`` a document with a passage that differs from
    its quote is flagged, with a note on which.
    """
    bundle = replace(reading, form=form).bundle(path)
    if bundle.qrels is not None:
        graded = read_trec_qrels(bundle.qrels)
        rows = tuple(JudgementRecord(row) for row in graded)
        return Records(rows, path=path, warnings=(*bundle.warnings, *graded.warnings))
    return _records(bundle, path, collection, progress, reading, flag=flag)


def _records(
    bundle: Bundle,
    path: Path,
    collection: Collection | None,
    progress: Progress,
    reading: BenchmarkReading,
    *,
    flag: bool = False,
) -> Records:
    """Return the passages of a bundle as judgements."""
    passages, check, lengths = checked_passages(bundle, collection, progress, reading)
    groups = merged(passages)
    relevant = {(passage.topic, passage.document) for passage in bundle.passages}
    pairs = dict.fromkeys((*bundle.judged, *((one.topic, one.document) for one in bundle.passages)))
    notes = _notes_of(check) if flag else {}
    records = [
        _record(
            pair,
            groups.get(pair, []),
            bundle,
            lengths,
            nowhere=pair in relevant,
            note=notes.get(pair, ""),
        )
        for pair in pairs
    ]
    if not records:
        raise DataError("holds no judgement", path=path)
    annotators = {passage.annotator for passage in passages if passage.annotator}
    warnings = [*bundle.warnings, *(f"{path}: {said}" for said in check.warnings())]
    if len(annotators) > 1:
        warnings.append(f"{path}: what {counted(len(annotators), 'annotator')} marked counts together")
    return Records(tuple(records), path=path, warnings=tuple(warnings))


def _notes_of(check: QuoteCheck) -> dict[tuple[str, str], str]:
    """Return notes on documents with passages that differ from their quotes, except moved ones."""
    places: dict[tuple[str, str], list[str]] = {}
    for one in check.misfits:
        if not (check.moved and one.place):
            passage = one.passage
            places.setdefault((passage.topic, passage.document), []).append(
                f"{passage.start:,}–{passage.end:,}"
            )
    return {
        pair: f"Reads differently from its file: {some_named(listed, 10)}." for pair, listed in places.items()
    }


def _record(
    pair: tuple[str, str],
    passages: list[QuotedPassage],
    bundle: Bundle,
    lengths: Mapping[str, int],
    *,
    nowhere: bool,
    note: str = "",
) -> JudgementRecord:
    """Return the judgement of a document; ``nowhere``: it is relevant without a passage.

    A document with a ``note`` is flagged to come back to.
    """
    topic, document = pair
    listed = sorted((passage.start, passage.end) for passage in passages if passage.start < passage.end)
    spans = Spans(listed)
    length = len(bundle.texts[document]) if document in bundle.texts else lengths.get(document, 0)
    annotators = Counter(passage.annotator for passage in passages if passage.annotator)
    written = tuple(listed) if listed != list(spans) else ()
    return JudgementRecord(
        Judgement(topic, document, spans.size or int(nowhere), length, None, spans),
        assessor=annotators.most_common(1)[0][0] if annotators else "",
        written=written,
        grades={(one.start, one.end): one.label for one in passages if one.label},
        note=note,
        come_back=bool(note),
    )


def read_bundle_topics(path: Path, *, form: str, reading: BenchmarkReading = AS_FOUND) -> Topics:
    """Read the questions of a benchmark as topics; raises DataError."""
    bundle = replace(reading, form=form).bundle(path)
    topics = tuple(Topic(question.id, " ".join(question.text.split())) for question in bundle.questions)
    return Topics(topics, path, bundle.warnings)


# Writing of such files.


def write_bundle(
    content: Qrels,
    path: Path,
    *,
    form: str,
    collection: Collection | None = None,
    template: Path | None = None,
    progress: Progress = unwatched,
) -> None:
    """Write judgements in the form of a benchmark or a tool.

    If ``template`` is a file of that form, only its spans are replaced. Texts come from the template or the
    collection. Raises DataError if a text or a template is missing.
    """
    known = form_named(form)
    assert known is not None  # a format names it
    source = None if template is None else find(template)
    bundle = None if source is None or template is None else read_bundle(template)
    texts = _all_texts(content, bundle, collection, path, progress)
    judged = judged_of(content, texts)
    if source is known and template is not None:
        way = CODE_POINTS if bundle is None else placed(bundle, texts.get)[1].way
        _write_again(judged, known, template, way, path)
    elif known is BRAT:
        if len(content.topics) > 1:
            problem = "has no topics: write one topic at a time (for a project, with --topic)"
            raise DataError(problem, path=path)
        _write_folder(path, annotation_tools.new_brat(judged))
    elif known.new is None:
        problem = f"needs a file of {known.title} as a template, because the judgements came from one"
        raise DataError(problem, path=path)
    else:
        path.write_text(known.new(judged), encoding="utf-8", newline="\n")


def _write_again(judged: Judged, form: BundleForm, template: Path, way: Convention, path: Path) -> None:
    if form is BRAT:
        _write_folder(path, annotation_tools.write_brat(judged, template, way))
    elif form.write is None:
        raise DataError(f"{form.title} can be read but not written; choose another format", path=path)
    elif len(files := form.files(template)) == 1:
        path.write_text(form.write(judged, files[0], way), encoding="utf-8", newline="\n")
    else:
        _write_folder(path, {Path(file.name): form.write(judged, file, way) for file in files})


def _write_folder(path: Path, files: Mapping[Path, str]) -> None:
    path.mkdir()
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text, encoding="utf-8", newline="\n")


def judged_of(content: Qrels, texts: Mapping[str, str]) -> dict[tuple[str, str], Marked]:
    """Return the judgements by topic and document, with grades of passages if known."""
    grades = {}
    for record in content.records if isinstance(content, RecordedQrels) else ():
        for span, grade in record.grades.items():
            grades[record.judgement.topic, record.judgement.document, span] = grade
    judged = {}
    for row in range(len(content)):
        one = content.at(row)
        own = slice(int(content.ptr[row]), int(content.ptr[row + 1]))
        spans = zip(content.starts[own].tolist(), content.ends[own].tolist(), strict=True)
        passages = tuple(
            (start, end, grades.get((one.topic, one.document, (start, end)), "")) for start, end in spans
        )
        judged[one.topic, one.document] = Marked(texts.get(one.document, ""), passages)
    return judged


def _all_texts(
    content: Qrels, bundle: Bundle | None, collection: Collection | None, path: Path, progress: Progress
) -> dict[str, str]:
    """Return the texts of all judged documents; raises DataError if one is missing."""
    own = None
    if collection is None and bundle is not None and bundle.corpus is not None and not bundle.texts:
        own = collection = Collection.open(bundle.corpus)
    source = bundle if bundle is not None and bundle.texts else Bundle("", path)
    text_of = texts_of(source, collection)
    texts = {}
    try:
        listed = dict.fromkeys(content.document.strings())
        for done, document in enumerate(listed):
            progress("documents", done, len(listed))
            text = text_of(document)
            if text is None and collection is not None and source.texts:
                text = texts_of(Bundle("", path), collection)(document)
            if text is None:
                raise _no_text(document, collection, path)
            texts[document] = text
    finally:
        if own is not None:
            own.close()
    return texts


def _no_text(document: str, collection: Collection | None, path: Path) -> DataError:
    if collection is None:
        return DataError("also contains the texts: give them with --collection", path=path)
    return DataError(f"also contains the texts, but {document!r} is not in the collection", path=path)


# Runs that name topics by their questions, and documents by other paths.


def names_by_tail(wanted: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Return the known document for each name: a path's last parts, with or without a suffix.

    Only unambiguous names are returned.
    """
    tails: dict[str, str | None] = {}
    ids = set(known)
    for id in ids:
        parts = without_suffix(id).split("/")
        for at in range(len(parts)):
            tail = "/".join(parts[at:])
            tails[tail] = id if tails.get(tail, id) == id else None
    found = {}
    for name in wanted:
        if name in ids:
            continue
        plain = without_suffix(name.replace("\\", "/"))
        parts = plain.split("/")
        for at in range(len(parts)):
            if (known_id := tails.get("/".join(parts[at:]))) is not None:
                found[name] = known_id
                break
    return found
