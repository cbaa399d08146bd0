"""The XML files below a folder, listed folder by folder; one that has not changed is not listed again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from stat import S_ISLNK, S_ISREG
from time import monotonic, time_ns

from inexview.core.collection.archives.listing import Listing
from inexview.core.collection.archives.members import CollectionFile, explained, is_article, limited
from inexview.core.collection.archives.packed_blocks import BlockTable
from inexview.core.collection.archives.source import SAVED, KeptListing
from inexview.core.errors import DataError
from inexview.core.progress import Progress
from inexview.core.wording import counted

MOST_FOLDERS, SPARSE = 20_000, 10  # so many folders with an article in one of ten: a disk, no collection
_SMALL = 2000  # files and folders that are listed in no time

# A folder that changed as lately as this when it was listed may have changed again in the same tick of its
# file system's clock, unseen; it is listed again next time.
_TICK = 2_500_000_000


class FolderSource:
    """The XML files below a folder."""

    def __init__(self, root: Path) -> None:
        self.path = root

    def small(self) -> bool:
        """Count files and folders until there are many."""
        seen, folders = 0, [self.path]
        while folders and seen <= _SMALL:
            try:
                with os.scandir(folders.pop()) as there:
                    for entry in there:
                        seen += 1
                        if seen > _SMALL:
                            return False
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(Path(entry.path))
            except OSError:
                continue
        return seen <= _SMALL

    def stamp(self) -> str:
        """Return "": the folders' own times tell what has changed."""
        return ""

    def fits(self, index: KeptListing) -> bool:
        """Say whether each folder was last changed when the index says."""
        return all(
            changed is not None and _changed(self.path / name) == changed for name, changed in index.folders()
        )

    def list(self, listing: Listing, progress: Progress) -> None:
        """Write all XML files to the listing, folder by folder; links to elsewhere are passed over."""
        saved = monotonic()
        known = listing.folders()
        looked_at = listed = 0
        waiting = [""]
        try:
            while waiting:
                name = waiting.pop()
                looked, changed = time_ns(), _changed(self.path / name)
                folder = known.of(name)
                if folder is None or folder.changed is None or folder.changed != changed:
                    look = _Look(self.path, name, listing)
                    folder = known.listed_again(name, look.files(), look.folders)
                    fresh = changed is None or changed > looked - _TICK
                    known.note_change(folder, None if fresh or not look.readable else changed)
                looked_at, listed = looked_at + 1, listed + folder.files
                if looked_at >= MOST_FOLDERS and SPARSE * listed < looked_at:
                    raise DataError(
                        f"holds only {counted(listed, 'article')} in the first {looked_at:,} folders; "
                        "name the folder that holds the articles",
                        path=self.path,
                    )
                waiting += sorted(known.below(folder), reverse=True)
                progress("articles listed", listed, None)
                if monotonic() - saved > SAVED:
                    listing.save()
                    saved = monotonic()
        finally:
            listing.save()

    def direct(self, name: str) -> CollectionFile | None:
        """Find a file in the folder itself that is no link to another."""
        drive, place = os.path.splitdrive(name)
        steps = place.replace(os.sep, "/").split("/")
        if drive or not steps[0] or ".." in steps:  # it leads out of the folder
            return None
        try:
            # Asked for several times for each document of a run: a path object would take most of the time.
            there = S_ISREG(os.lstat(f"{self.path}{os.sep}{name}").st_mode) and not self._is_linked(steps)
        except (OSError, ValueError):  # missing, too long for a name, or no name at all
            return None
        return CollectionFile(name) if there else None

    def _is_linked(self, steps: Sequence[str]) -> bool:
        """Say whether the way to a file leads through a link, which may go anywhere; listing follows none."""
        folders = accumulate(steps[:-1], "{}/{}".format)
        return any(S_ISLNK(os.lstat(f"{self.path}{os.sep}{folder}").st_mode) for folder in folders)

    def read(self, entry: CollectionFile, blocks: BlockTable | None, limit: int | None = None) -> bytes:
        """Return a file or its beginning; a name that leads out of the folder is a KeyError."""
        if self.direct(entry.name) is None:
            raise KeyError(entry.name)
        path = self.path / entry.name
        with explained(path, "the file"), path.open("rb") as file:
            return limited(file, path, limit)

    def file_of(self, entry: CollectionFile) -> Path:
        """Return the file itself."""
        return self.path / entry.name

    def mark(self, entry: CollectionFile) -> tuple[int, int]:
        """Return the size of a file, and when it was last changed."""
        if self.direct(entry.name) is None:
            raise KeyError(entry.name)
        path = self.path / entry.name
        with explained(path, "the file"):
            status = path.stat()
        return status.st_size, status.st_mtime_ns

    def fingerprint(self) -> str:
        """Return a sum of all files' names, sizes and times of change (3 µs each)."""
        marks, waiting = [], [str(self.path)]
        while waiting:
            try:
                with os.scandir(waiting.pop()) as there:
                    for entry in there:
                        if entry.is_dir(follow_symlinks=False):
                            if not entry.name.startswith("."):
                                waiting.append(entry.path)
                        elif is_article(entry.name) and entry.is_file(follow_symlinks=False):
                            status = entry.stat(follow_symlinks=False)
                            marks.append(f"{entry.path}\0{status.st_size}\0{status.st_mtime_ns}")
            except OSError:  # it has no articles, then; listing it warns of it
                continue
        return sha256("\n".join(sorted(marks)).encode("utf-8", "surrogateescape")).hexdigest()

    def close(self) -> None:
        """Do nothing: a folder holds no file open."""


class _Look:
    """One look into a folder: its articles one by one, its folders when all of them were given."""

    def __init__(self, root: Path, name: str, listing: Listing) -> None:
        self._root = root
        self._name = name
        self._listing = listing
        self.folders: list[str] = []
        self.readable = True

    def files(self) -> Iterator[str]:
        """Yield the names of the articles; what cannot be read is passed over with a warning."""
        before = f"{self._name}/" if self._name else ""
        try:
            with os.scandir(self._root / self._name) as there:
                for entry in there:
                    name = before + entry.name
                    if not _is_text(entry.name):
                        self._listing.warn("names are not UTF-8, and were passed over", repr(name)[1:-1])
                    elif entry.is_dir(follow_symlinks=False):
                        if not entry.name.startswith("."):
                            self.folders.append(name)
                    elif is_article(name) and entry.is_file(follow_symlinks=False):
                        yield name
        except OSError as error:
            self.readable = False
            self._listing.warn("folders cannot be read", f"{self._name or self._root} ({error.strerror})")


def _changed(folder: Path) -> int | None:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return None


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
