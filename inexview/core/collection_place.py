"""Where what was found out about a collection is kept: its list, its lengths, its data packed anew.

It lies in the user's cache folder, under a name made of the collection's absolute path, and can be deleted at
any time.  Small collections, which are listed in no time, keep nothing.
"""

from __future__ import annotations

import os
import tempfile
import weakref
from hashlib import sha256
from pathlib import Path

from platformdirs import user_cache_path

ELSEWHERE = "INEXVIEW_CACHE"  # the environment's name for another cache folder


class Place:
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
            for file in (self.index, self.listing, self.lengths, self.lock, self.store):
                if file.is_symlink():  # it would be written to elsewhere
                    file.unlink()
        except OSError as error:
            self.warning = (
                f"{self._folder}: the list of articles cannot be kept there "
                f"({(error.strerror or str(error)).lower()}), and is made anew each time; "
                f"${ELSEWHERE} may name another folder"
            )
            self._use_temporary_folder()

    @property
    def index(self) -> Path:
        """The finished index."""
        return self._file("index")

    @property
    def listing(self) -> Path:
        """What was listed so far, and of a folder its folders."""
        return self._file("listing")

    @property
    def lengths(self) -> Path:
        """The lengths of documents, in characters."""
        return self._file("lengths")

    @property
    def lock(self) -> Path:
        """The lock of who makes the index."""
        return self._file("lock")

    @property
    def store(self) -> Path:
        """The data of a gzip or xz packed anew; of a small one in a folder that is gone after use."""
        return self._file("blocks")

    def bytes_kept(self) -> int:
        """Return how large everything is that is kept."""
        files = (self.index, self.listing, self.lengths, self.store)
        return sum(file.stat().st_size for file in files if file.exists())

    def forget(self) -> None:
        """Delete what is kept but for the lengths, which hold for the files that have not changed."""
        for file in (self.index, self.listing, self.store):
            file.unlink(missing_ok=True)

    def forget_all(self) -> int:
        """Delete all that is kept, and return how many bytes that was; the lock stays, which has none."""
        freed = self.bytes_kept()
        self.forget()
        self.lengths.unlink(missing_ok=True)
        return freed

    def _file(self, kind: str) -> Path:
        if self.small and self._folder == cache_folder():
            self._use_temporary_folder()
        return self._folder / f"{self._name}.{kind}"

    def _use_temporary_folder(self) -> None:
        folder = tempfile.mkdtemp(prefix="inexview-")
        weakref.finalize(self, _remove, folder)
        self._folder = Path(folder)


def cache_folder() -> Path:
    """Return the folder in which all collections' files are kept."""
    elsewhere = os.environ.get(ELSEWHERE)
    return Path(elsewhere) if elsewhere else user_cache_path("inexview") / "collections"


def _remove(folder: str) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
