"""Where what was found out about a collection is kept: its list, its lengths, its data packed again.

It lies in the user's cache folder, under a name made of the collection's absolute path, and can be deleted at
any time.  Small collections, which are listed in no time, keep nothing.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from platformdirs import user_cache_path

ELSEWHERE = "INEXVIEW_CACHE"  # the environment's name for another cache folder


class CachePlace:
    """The files kept of one collection; ``warning`` says what is not as it should be."""

    def __init__(self, collection: Path, *, small: bool) -> None:
        self.collection = collection
        self.small = small
        self.warning: str | None = None
        path = os.path.realpath(collection)
        self._name = sha256(os.fsencode(path)).hexdigest()[:24]
        self._folder = cache_folder()
        if small:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._folder):
                pass
            for file in self._all_files():
                if file.is_symlink():  # it would be written to elsewhere
                    file.unlink()
        except OSError as error:
            self.warning = (
                f"{self._folder}: the list of articles cannot be kept there "
                f"({(error.strerror or str(error)).lower()}), and is made again each time; "
                f"${ELSEWHERE} may name another folder"
            )
            self._use_temporary_folder()

    @property
    def index(self) -> Path:
        return self._file("index")

    @property
    def listing(self) -> Path:
        """What was listed so far, and of a folder its folders."""
        return self._file("listing")

    @property
    def name(self) -> Path:
        """Where it is written whose files these are: the others are called by a sum of its path."""
        return self._file("name")

    def note_name(self) -> None:
        """Write down whose files these are, so that they can be listed."""
        with suppress(OSError):  # a full disk is told where something is lost by it
            self.name.write_bytes(os.fsencode(os.path.realpath(self.collection)))

    @property
    def lengths(self) -> Path:
        return self._file("lengths")

    @property
    def titles(self) -> Path:
        return self._file("titles")

    @property
    def lock(self) -> Path:
        """The lock of who makes the index."""
        return self._file("lock")

    @property
    def store(self) -> Path:
        """The data of a gzip or xz packed again; of a small one in a folder that is gone after use."""
        return self._file("blocks")

    @property
    def words(self) -> Path:
        return self._file("words")

    @property
    def shards(self) -> Path:
        """The folder of the words of parts of the collection, which this machine searched for a cluster."""
        return self._file("shards")

    def bytes_kept(self) -> int:
        files = [self.index, self.listing, self.lengths, self.titles, self.store, *self._of_words()]
        return sum(file.stat().st_size for file in files if file.exists())

    def bytes_of_words(self) -> int:
        return sum(file.stat().st_size for file in self._of_words())

    def _of_words(self) -> list[Path]:
        return [*self.words.glob("*/*"), *self.shards.glob("*/*")]

    def forget(self) -> None:
        """Delete what is kept but for lengths, titles and words, which hold while files do not change."""
        for file in (self.index, self.listing, self.store):
            file.unlink(missing_ok=True)

    def forget_words(self) -> None:
        """Delete the index of words, and those of parts of the collection."""
        for folder in (self.words, self.shards):
            shutil.rmtree(folder, ignore_errors=True)

    def forget_all(self) -> int:
        """Delete all that is kept, and return how many bytes that was; the lock stays, which has none."""
        freed = self.bytes_kept()
        self.forget()
        self.forget_words()
        for file in (self.lengths, self.titles, self.name):
            file.unlink(missing_ok=True)
        return freed

    def _all_files(self) -> tuple[Path, ...]:
        return self.index, self.listing, self.lengths, self.titles, self.lock, self.store, self.name

    def _file(self, kind: str) -> Path:
        if self.small and self._folder == cache_folder():
            self._use_temporary_folder()
        return self._folder / f"{self._name}.{kind}"

    def _use_temporary_folder(self) -> None:
        folder = tempfile.mkdtemp(prefix="inexview-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._folder = Path(folder)


@dataclass(frozen=True, slots=True)
class CachedIndex:
    """What is kept of one collection: how large it is, and whether the collection is still there."""

    place: CachePlace
    size: int

    @property
    def there(self) -> bool:
        """Whether there is something at the collection's path."""
        return self.place.collection.exists()

    @property
    def gone(self) -> bool:
        """Whether it was deleted, as far as can be told: its folder holds other things, and not it.

        Of a collection whose drive is not mounted the folder is gone too, or empty.
        """
        folder = self.place.collection.parent
        try:
            return not self.there and any(folder.iterdir())
        except OSError:
            return False


def kept() -> list[CachedIndex]:
    """Return what is kept of all collections whose names are known, in the order of their paths."""
    found = []
    for file in cache_folder().glob("*.name"):
        place = CachePlace(Path(os.fsdecode(file.read_bytes())), small=False)
        if place.name == file:
            found.append(CachedIndex(place, place.bytes_kept()))
    return sorted(found, key=lambda one: one.place.collection)


def cache_folder() -> Path:
    """Return the folder in which all collections' files are kept."""
    elsewhere = os.environ.get(ELSEWHERE)
    return Path(elsewhere) if elsewhere else user_cache_path("inexview") / "collections"
