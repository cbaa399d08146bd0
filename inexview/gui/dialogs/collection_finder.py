"""When the articles are not where they were: asks where they are now, and makes sure that it is them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from inexview.core.collection.archives import TARS
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.file_presence import folder_is_there
from inexview.core.progress import Progress
from inexview.core.project.project import Project

LOOKED_FOR = 200  # documents of each pool; enough to tell whether it is this collection
SUFFIXES = (".zip", *TARS)
ARCHIVES = f"Archives ({' '.join(f'*{suffix}' for suffix in SUFFIXES)})"


def is_archive(path: Path) -> bool:
    """Tell by its name whether a file may be a collection."""
    return path.name.lower().endswith(SUFFIXES)


def ask_collection(parent: QWidget | None, was: Path) -> Path | None:
    """Ask where a collection is now: for a folder where it was one, otherwise for an archive."""
    near = next((str(folder) for folder in was.parents if folder_is_there(folder)), "")
    title = f"Where is {was.name} now?"
    if is_archive(was):
        chosen, _ = QFileDialog.getOpenFileName(parent, title, near, ARCHIVES)
    else:
        chosen = QFileDialog.getExistingDirectory(parent, title, near)
    return Path(chosen) if chosen else None


def some_documents(project: Project) -> list[str]:
    """Return documents that a project's collection must hold some of: pooled or, without a pool, judged."""
    listed = project.pool if project.contents.has_pool else project.touched
    return [name for topic in project.topics for name in listed(topic.id)[:LOOKED_FOR]]


def check_collection(path: Path, wanted: Sequence[str], progress: Progress) -> None:
    """Make sure that a collection is there and can be read, and holds what is to be judged.

    Raises DataError where that is not so, and Cancelled.
    """
    collection = Collection.open(path)
    try:
        if any(collection.at_hand(name) for name in wanted):
            return
        collection.prepare(progress)
        if not len(collection):
            raise DataError("holds no XML files at all", path=path)
        if wanted and not any(name in collection for name in wanted):
            problem = f"none of the project's documents is in it, neither {wanted[0]} nor any other"
            raise DataError(problem, path=path)
    finally:
        collection.close()
