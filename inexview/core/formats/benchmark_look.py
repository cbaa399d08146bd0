"""The contents of a benchmark, a tool's file or a folder, as shown before it is used."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import NamedTuple

from inexview.core.benchmarks.bundle import CODE_POINTS, Bundle, QuoteCheck, QuotedPassage, TextOf
from inexview.core.benchmarks.forms import find, form_named
from inexview.core.collection.collection import Collection
from inexview.core.collection.kinds import holds_texts
from inexview.core.errors import DataError
from inexview.core.formats.bundle_files import AS_FOUND, BenchmarkReading, checked_passages, texts_of
from inexview.core.formats.format import RUNS
from inexview.core.formats.readers import format_of
from inexview.core.progress import Progress, unwatched
from inexview.core.text.counting import Convention
from inexview.core.text.spans import Spans

CONTEXT = 160
"""Characters shown before and after a passage."""
SHOWN_QUESTIONS, SHOWN_PASSAGES = 50, 4
MOST_NAMES = 2_000  # files and folders of a folder that are examined
MOST_OPENED = 60  # files whose beginning is read to find runs
DATA = (".json", ".jsonl", ".csv", ".tsv", ".ann", ".txt", ".gz")  # files that may be parts of a benchmark


class ShownPassage(NamedTuple):
    """The characters ``[start, end)`` of a text with some text around them, for display."""

    start: int
    end: int
    before: str
    text: str
    after: str


class ShownQuestion(NamedTuple):
    """A question, and its passages in the first document that has any."""

    id: str
    text: str
    document: str
    passages: tuple[ShownPassage, ...]


@dataclass(frozen=True, slots=True)
class FoundTexts:
    """The number of texts, and the lengths in code points of those with a judged passage."""

    number: int
    read: int = 0
    characters: int = 0
    longest: int = 0


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """The files of a folder besides those of texts, questions and passages."""

    used: tuple[Path, ...] = ()
    """Files of questions and passages, if the form names them."""
    runs: tuple[Path, ...] = ()
    unread: tuple[str, ...] = ()
    """Names in the folder of all other files."""


@dataclass(frozen=True)
class BenchmarkLook:
    """The contents of a benchmark, before anything is made of it."""

    bundle: Bundle
    check: QuoteCheck
    reading: BenchmarkReading
    """The options of reading it, also for later use."""
    texts: FoundTexts
    median: int
    """Median number of characters of a passage."""
    most: int
    """Largest number of passages of a question."""
    single: int
    """Number of questions with one passage."""
    samples: tuple[ShownQuestion, ...]
    files: FoundFiles = FoundFiles()

    @property
    def better_way(self) -> Convention | None:
        """The convention in which passages match their quotes, if none does in code points."""
        others = {way: number for way, number in self.check.fits.items() if way != self.check.way}
        if self.check.fitting or not others:
            return None
        return max(others, key=others.__getitem__)


def look_at(path: Path, reading: BenchmarkReading = AS_FOUND) -> Bundle | Path:
    """Read a benchmark or an annotation tool's file.

    Returns the path itself if it is only a collection. Raises DataError.
    """
    if reading.form is None and find(path) is None and holds_texts(path):
        with closing(Collection.open(path)):
            return path
    return reading.bundle(path)


def check_passages(
    bundle: Bundle, reading: BenchmarkReading = AS_FOUND, progress: Progress = unwatched
) -> BenchmarkLook:
    """Compare the passages of a benchmark with their texts; raises DataError, Cancelled.

    Nothing is moved silently: if no passage fits code points, they are still read as code points, unless
    ``reading`` names another convention.
    """
    with ExitStack() as stack:
        collection = None
        if not bundle.texts and bundle.corpus is not None:
            collection = stack.enter_context(closing(Collection.open(bundle.corpus)))
            collection.prepare(progress)
        passages, check, lengths = checked_passages(bundle, collection, progress, reading)
        if (
            reading.way is None
            and check.way != CODE_POINTS
            and check.passages
            and not check.fits.get(CODE_POINTS)
        ):
            reading = replace(reading, way=CODE_POINTS)
            passages, check, lengths = checked_passages(bundle, collection, progress, reading)
        samples = tuple(_samples(bundle, passages, texts_of(bundle, collection)))
        number = len(bundle.texts) if collection is None else len(collection)
    known = [len(text) for text in bundle.texts.values()] or [*lengths.values()]
    sizes = [passage.end - passage.start for passage in passages]
    per_question = Counter(passage.topic for passage in passages).values()
    return BenchmarkLook(
        bundle=bundle,
        check=check,
        reading=reading,
        texts=FoundTexts(number, len(known), sum(known), max(known, default=0)),
        median=round(median(sizes)) if sizes else 0,
        most=max(per_question, default=0),
        single=sum(number == 1 for number in per_question),
        samples=samples,
        files=files_beside(bundle, reading.form),
    )


def files_beside(bundle: Bundle, form: str | None = None) -> FoundFiles:
    """Return the runs and unread files in a benchmark's folder; empty for a single file."""
    folder = bundle.path
    if not folder.is_dir():
        return FoundFiles()
    known = form_named(form) if form is not None else find(folder)
    used = known.files(folder) if known is not None else []
    texts = bundle.corpus
    runs: list[Path] = []
    unread: list[str] = []
    opened = 0
    for path in _files_in(folder, texts):
        if path in used or path.parent.name == "benchmarks":
            continue
        is_run = opened < MOST_OPENED and _is_run(path)
        opened += 1
        if is_run:
            runs.append(path)
        elif path.parent == folder and path.suffix not in DATA:
            unread.append(path.name)
    return FoundFiles(tuple(used), tuple(runs), tuple(unread))


def _files_in(folder: Path, texts: Path | None) -> Iterator[Path]:
    """Yield the files of a folder and its subfolders, without the texts; links are not followed."""
    names = 0
    for at in [folder, *_folders_in(folder)]:
        if texts is not None and (at == texts or texts in at.parents):
            continue
        try:
            with os.scandir(at) as entries:
                listed = sorted(
                    (entry for entry, _ in zip(entries, range(MOST_NAMES), strict=False)), key=_name
                )
        except OSError:
            continue
        for entry in listed:
            names += 1
            if names > MOST_NAMES:
                return
            if entry.is_file(follow_symlinks=False) and not entry.name.startswith("."):
                yield Path(entry.path)


def _folders_in(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            listed = [one for one, _ in zip(entries, range(MOST_NAMES), strict=False)]
    except OSError:
        return []
    return [Path(one.path) for one in sorted(listed, key=_name) if one.is_dir(follow_symlinks=False)]


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _is_run(path: Path) -> bool:
    """Return whether a file is a run, by its beginning."""
    try:
        return format_of(path).kind in RUNS
    except DataError:
        return False


def _samples(bundle: Bundle, passages: Sequence[QuotedPassage], text_of: TextOf) -> Iterator[ShownQuestion]:
    """Yield questions from all parts of the benchmark, each with its passages in one document."""
    of_topic: dict[str, list[QuotedPassage]] = {}
    for passage in passages:
        of_topic.setdefault(passage.topic, []).append(passage)
    answered = [question for question in bundle.questions if question.id in of_topic]
    for question in answered[:: max(1, len(answered) // SHOWN_QUESTIONS)][:SHOWN_QUESTIONS]:
        listed = of_topic[question.id]
        document = listed[0].document
        text = text_of(document)
        if text is not None:
            spans = Spans((one.start, one.end) for one in listed if one.document == document)
            shown = tuple(_shown(text, start, end) for start, end in [*spans][:SHOWN_PASSAGES])
            yield ShownQuestion(question.id, question.text, document, shown)


def _shown(text: str, start: int, end: int) -> ShownPassage:
    before, after = text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT]
    if start > CONTEXT:  # from whole words to whole words
        before = before.partition(" ")[2]
    if end + CONTEXT < len(text):
        after = after.rpartition(" ")[0]
    return ShownPassage(start, end, before, text[start:end], after)
