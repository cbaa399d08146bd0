"""When the articles are not where they were: asks where they are now, and makes sure that it is them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from inexview.core.collection import Collection
from inexview.core.errors import DataError
from inexview.core.project import Project

LOOKED_FOR = 200  # documents of each pool; enough to tell whether it is this collection
ARCHIVES = "Archives (*.zip *.tar *.tar.gz *.tgz *.tar.bz2 *.tar.xz)"


def ask_collection(parent: QWidget | None, was: Path) -> Path | None:
    """Ask where a collection is now: for a folder where it was one, otherwise for an archive."""
    near = next((str(folder) for folder in was.parents if folder.is_dir()), "")
    title = f"Where is {was.name} now?"
    if was.suffix:
        chosen, _ = QFileDialog.getOpenFileName(parent, title, near, ARCHIVES)
    else:
        chosen = QFileDialog.getExistingDirectory(parent, title, near)
    return Path(chosen) if chosen else None


def move_collection(project: Project, path: Path) -> None:
    """Note in the project where its collection is now.

    Raises DataError where there is none, or where it holds nothing that is to be judged.
    """
    if project.has_pool:
        collection = Collection.open(path)
        pooled = [name for topic in project.topics for name in project.pool(topic.id)[:LOOKED_FOR]]
        if pooled and not any(name in collection for name in pooled):
            raise DataError(
                f"none of the pool's documents is in it, neither {pooled[0]} nor any other", path=path
            )
        collection.close()
    project.set_collection(path)
