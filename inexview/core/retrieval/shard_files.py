"""Shards on a worker: the articles of a range, indexed where the worker is and kept there."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import islice, pairwise
from pathlib import Path

from inexview.core.collection.cache import CachePlace
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.retrieval.shard import Shard
from inexview.core.retrieval.units import UnitKind
from inexview.core.retrieval.word_forms import WordForms
from inexview.core.word_index.segment import BrokenSegmentError, Segment, SegmentWriter
from inexview.core.word_index.word_index import VERSION, add_article


@dataclass(frozen=True, slots=True)
class ShardRange:
    """The documents ``[start, stop)`` of a collection in the order in which they lie."""

    collection: str
    start: int
    stop: int
    digest: str
    """Of their ids: a worker's copy of the collection must have the same."""


def shard_ranges(collection: Collection, shards: int) -> list[ShardRange]:
    """Cut a collection into ranges of equally many documents."""
    total, ids = len(collection), collection.ids_as_stored()
    edges = [total * at // shards for at in range(shards + 1)]
    path = str(collection.path.absolute())
    return [
        ShardRange(path, start, stop, _digest(list(islice(ids, stop - start))))
        for start, stop in pairwise(edges)
        if stop > start
    ]


@lru_cache(maxsize=8)
def open_shard(range: ShardRange, forms: WordForms, kind: UnitKind) -> Shard:
    """Open a shard in this process, indexing its articles where that was not done.

    Raises DataError where the collection is not here, or is another one.
    """
    return Shard(_segment(range), forms, kind, range.start)


def _segment(range: ShardRange) -> Segment:
    with closing(Collection.open(range.collection)) as collection:
        place = CachePlace(collection.path, small=False)
        fingerprint = sha256(f"{VERSION} {collection.fingerprint()}".encode()).hexdigest()[:16]
        folder = place.shards / f"{fingerprint}-{range.start}-{range.stop}"
        with suppress(BrokenSegmentError):
            return Segment(folder)
        ids = list(islice(collection.ids_as_stored(), range.start, range.stop))
        if _digest(ids) != range.digest:
            raise DataError(
                "holds other articles here than where the search was begun", path=range.collection
            )
        writer = SegmentWriter()
        for id in ids:
            add_article(writer, collection, id)
        return _written(writer, folder)


def _written(writer: SegmentWriter, folder: Path) -> Segment:
    """Write a segment; another worker of the machine may have done so meanwhile, or left a damaged one."""
    with suppress(OSError):
        writer.write(folder)
        return Segment(folder)
    with suppress(BrokenSegmentError):
        return Segment(folder)
    from shutil import rmtree

    rmtree(folder, ignore_errors=True)
    try:
        writer.write(folder)
    except OSError as error:
        raise DataError(
            f"the index of words cannot be written ({error.strerror or error}); is the disk full?",
            path=folder,
        ) from error
    return Segment(folder)


def _digest(ids: list[str]) -> str:
    return sha256("\0".join(ids).encode("utf-8", "surrogatepass")).hexdigest()
