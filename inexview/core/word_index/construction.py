"""Makes the index of words of a collection, segment by segment, going on where it was stopped."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

from inexview.core.collection.cache import CachePlace
from inexview.core.collection.cache_lock import locked
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.progress import Cancelled, Progress, Tell, untold, unwatched
from inexview.core.word_index.segment import BrokenSegmentError, Segment
from inexview.core.word_index.segment_writer import SegmentWriter
from inexview.core.word_index.word_index import Manifest, WordIndex

SEGMENT_WORDS = 8_000_000  # 100 MB in memory, and a minute that a kill may cost


def word_index(
    collection: Collection, progress: Progress = unwatched, *, rebuild: bool = False, tell: Tell = untold
) -> WordIndex:
    """Return the index of words of a collection; makes it where there is none of the collection as it is.

    What was done when the work is given up is kept, and the next attempt goes on from there; an index that
    is damaged, cut short or of another version is made again, which ``tell`` hears before the work begins.
    ``progress`` hears of "articles indexed".
    Raises Cancelled, and DataError where the collection cannot be listed, was replaced or changes meanwhile,
    or the disk is full.
    """
    kept = None if rebuild else WordIndex.kept(collection)
    if kept is not None:
        return kept
    if collection.replaced():  # one would find the words of one archive, and read the other
        told = "the articles were replaced while they were open; open them again"
        raise DataError(told, path=collection.path)
    place = CachePlace(collection.path, small=False)
    with (
        locked(place.lock.with_suffix(".words-lock"), "index of words", progress),
        closing(Collection.open(collection.path)) as current,  # an open one may list what was there before
    ):
        if not rebuild:  # another process may have made it meanwhile
            kept = WordIndex.kept(collection, lambda why: tell(f"{why}; they are indexed again"))
        if kept is not None:
            return kept
        current.check(progress)  # what is made of a damaged list would stay wrong
        place.note_name()
        try:
            return _made(current, place, progress, rebuild)
        except OSError as error:
            place.forget_words()
            raise DataError(
                f"the index of words cannot be written ({error.strerror or error}); is the disk full?",
                path=place.words,
            ) from error


def _made(collection: Collection, place: CachePlace, progress: Progress, rebuild: bool) -> WordIndex:
    folder, fingerprint = place.words, collection.fingerprint()
    manifest, segments = Manifest(fingerprint), list[Segment]()
    if not rebuild:
        manifest, segments = _begun(folder, fingerprint)
    if not segments:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    _sweep(folder, manifest.segments)
    done = sum(segment.facts.documents for segment in segments)
    ids, total = islice(collection.ids_as_stored(), done, None), len(collection)
    while done < total:
        writer, stopped = _filled(collection, ids, progress, done, total)
        if not writer.ids:
            raise stopped or _changed(collection)
        name = f"{len(segments):04}"
        writer.write(folder / name)
        segments.append(Segment(folder / name))
        manifest = replace(manifest, segments=(*manifest.segments, name))
        manifest.write(folder)
        if stopped is not None:
            raise stopped
        done += len(writer.ids)
    if collection.fingerprint() != fingerprint:
        place.forget_words()
        raise _changed(collection)
    replace(manifest, complete=True).write(folder)
    return WordIndex(segments)


def _sweep(folder: Path, segments: Sequence[str]) -> None:
    """Remove what a killed process has left of segments that it was about to write."""
    for left in folder.iterdir():
        if left.is_dir() and left.name not in segments:
            shutil.rmtree(left, ignore_errors=True)


def _changed(collection: Collection) -> DataError:
    return DataError(
        "the collection changed while its words were indexed; index it again when it is at rest",
        path=collection.path,
    )


def _begun(folder: Path, fingerprint: str) -> tuple[Manifest, list[Segment]]:
    """Return what an earlier attempt has left of this state of the collection, as far as it is whole."""
    manifest = Manifest.read(folder)
    if manifest is None or manifest.fingerprint != fingerprint:
        return Manifest(fingerprint), []
    segments = []
    for name in manifest.segments:
        try:
            segments.append(Segment(folder / name))
        except BrokenSegmentError:
            break
    return replace(manifest, segments=manifest.segments[: len(segments)], complete=False), segments


def _filled(
    collection: Collection, ids: Iterable[str], progress: Progress, done: int, total: int
) -> tuple[SegmentWriter, Cancelled | None]:
    """Read articles until a segment is full, they end, or somebody gives the work up."""
    writer = SegmentWriter()
    for id in ids:
        try:
            progress("articles indexed", done + len(writer.ids), total)
        except Cancelled as wish:
            return writer, wish
        add_article(writer, collection, id)
        if writer.words >= SEGMENT_WORDS:
            break
    return writer, None


def add_article(writer: SegmentWriter, collection: Collection, id: str) -> None:
    """Read an article into a segment; one that cannot be read keeps its place there."""
    try:
        article = collection.scan(id)
    except DataError:
        article = None
    writer.add(id, article)
