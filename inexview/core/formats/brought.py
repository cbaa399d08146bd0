"""Recognises files and folders that the user opens without naming their kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from inexview.core.benchmarks.forms import find
from inexview.core.collection.collection import Collection
from inexview.core.collection.kinds import holds_texts
from inexview.core.collection.listing import is_article
from inexview.core.errors import DataError
from inexview.core.files import is_there
from inexview.core.formats.conversion import MOST, Incoming, look
from inexview.core.formats.format import BUNDLE_QRELS, JUDGEMENTS, RUNS, FileKind
from inexview.core.formats.text_files import files_in
from inexview.core.wording import counted


@dataclass(frozen=True, slots=True)
class Brought:
    """Files and folders by their content; a folder of several things is replaced by its files."""

    benchmarks: tuple[Path, ...] = ()
    """Benchmarks, and files of annotation tools."""
    collections: tuple[Path, ...] = ()
    judgements: tuple[Path, ...] = ()
    runs: tuple[Path, ...] = ()
    topics: tuple[Path, ...] = ()
    pools: tuple[Path, ...] = ()
    unknown: tuple[Path, ...] = ()

    @property
    def inspects(self) -> bool:
        """Whether it can be inspected: it has judgements or runs."""
        return bool(self.judgements or self.runs)

    @property
    def nothing(self) -> bool:
        return not (self.benchmarks or self.collections or self.inspects or self.topics or self.pools)

    def why_not(self) -> str:
        """Return, as a sentence without its full stop, why nothing of it can be opened."""
        if len(self.unknown) == 1:
            apart = next((one.apart for one in look(self.unknown) if one.apart is not None), None)
            if apart is not None:
                return f"{self.unknown[0].name} holds {apart.value}: open a project and drop the file there"
            if is_article(self.unknown[0].name) and self.unknown[0].is_file():
                return f"{self.unknown[0].name} is a single text: open its folder instead"
            return f"{self.unknown[0].name} holds no text, topics, judgements or runs"
        return f"None of the {counted(len(self.unknown), 'file')} holds text, topics, judgements or runs"


def sort_out(paths: Sequence[Path]) -> Brought:
    """Return what each path is, by its content; raises DataError for a missing path."""
    found: dict[str, list[Path]] = {}

    def note(kind: str, path: Path) -> None:
        if path not in found.setdefault(kind, []):
            found[kind].append(path)

    for path in paths:
        if not is_there(path):
            raise DataError("there is no such file or folder", path=path)
        if find(path) is not None:
            note("benchmarks", path)
            continue
        inside = look([path])
        known = [one for one in inside if _kind(one)]
        if path.is_dir() and _are_texts(path, inside):
            known = []
        for one in known:
            note(_kind(one), one.path)
        if not known:
            apart = any(one.apart is not None for one in inside) and not path.is_dir()
            note("collections" if not apart and _is_collection(path) else "unknown", path)
    _find_table(found)
    return Brought(**{kind: tuple(listed) for kind, listed in found.items() if listed})


def _are_texts(folder: Path, files: Sequence[Incoming]) -> bool:
    """Return whether the files of a folder are texts, of which some may look like judgements or topics."""
    said = [one.path for one in files if _kind(one) in ("benchmarks", "judgements", "runs")]
    texts = [path for path in files_in(folder, MOST, every=True) if is_article(path.name)]
    return not said or 2 * sum(path in texts for path in said) < len(texts)


def _find_table(found: dict[str, list[Path]]) -> None:
    """If there is no collection, use the largest table of ids and texts, which topics look like too."""
    topics = found.get("topics", [])
    if found.get("collections") or not topics:
        return
    texts = [path for path in topics if path.is_file() and not _ASKED.search(path.name) and holds_texts(path)]
    if texts:
        largest = max(texts, key=lambda path: path.stat().st_size)
        topics.remove(largest)
        found["collections"] = [largest]


_ASKED = re.compile("topic|quer|question|claim", re.IGNORECASE)
"""Names of files with topics."""


def _is_collection(path: Path) -> bool:
    """Return whether a path holds texts; a folder may hold none."""
    if not holds_texts(path):
        return False
    with closing(Collection.open(path)) as collection:
        try:
            collection.require_articles(listed=False)
        except DataError:
            return False
    return True


def _kind(file: Incoming) -> str:
    if file.archive:
        return "collections"
    if file.format in BUNDLE_QRELS:
        return "benchmarks"
    if file.holds in JUDGEMENTS:
        return "judgements"
    if file.holds in RUNS:
        return "runs"
    return {FileKind.TOPICS: "topics", FileKind.POOL: "pools"}.get(file.holds or FileKind.QRELS, "")
