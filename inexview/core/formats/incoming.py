"""Files that somebody brings: what each holds, and its run, judgements or problem once it is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.files import is_archive
from inexview.core.formats.beginnings import files_in
from inexview.core.formats.format import AS_SEEN, JUDGEMENTS, FileKind, Format, RunOptions
from inexview.core.formats.readers import FirstLook, first_look, format_to_read, read_for_project, read_run
from inexview.core.judgements.element_lookup import Locator
from inexview.core.judgements.id_spelling import NO_JOIN, IdJoin
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.records import Records
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress
from inexview.core.wording import counted, some_named

MOST = 100  # files of a folder that are opened at once


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file, and what it is; ``problem`` is why no one can tell."""

    path: Path
    format: Format | None = None
    problem: Exception | None = None
    fol_end: bool = False
    join: IdJoin = NO_JOIN
    articles: bool = False
    """Whether it is a folder that looks like a collection."""

    @property
    def holds(self) -> FileKind | None:
        """What kind of thing the file holds, as far as that can be told."""
        return None if self.format is None else self.format.kind

    @property
    def archive(self) -> bool:
        """Whether it looks like a collection of articles."""
        return self.format is None and (self.articles or is_archive(self.path))

    @property
    def needs_articles(self) -> bool:
        """Whether its places mean nothing without the articles."""
        return self.format is not None and (self.format.names_places or self.format.needs_collection)


@dataclass(frozen=True, slots=True)
class Read:
    """A file that was read: a run, judgements (of JSON lines all that they say), or why it is neither."""

    path: Path
    content: Run | Qrels | Records | Exception
    doubt: str | None = None
    """Why its offsets look wrong, to be said after its name."""


def look(paths: Sequence[Path], options: RunOptions = AS_SEEN) -> list[Incoming]:
    """Find out what files are, from how they begin or where somebody said how runs are to be read.

    A folder that is not read as one stands for its files.
    """
    return [one for path in paths for one in _look(path, options)]


def _look(path: Path, options: RunOptions = AS_SEEN) -> list[Incoming]:
    seen = None
    try:
        if options.tells and path.is_file():
            format = format_to_read(path, FileKind.RUN, options.format, options.preset)
            return [Incoming(path, format, fol_end=options.fol_end, join=options.join)]
        seen = first_look(path)
        return [Incoming(path, seen.format(), fol_end=options.fol_end, join=options.join)]
    except (DataError, OSError) as error:
        if seen is None or not seen.folder:
            return [Incoming(path, problem=error)]
        return _look_into(seen)


def _look_into(seen: FirstLook) -> list[Incoming]:
    """Find out what is in a folder that is not read as one: articles, or files of several kinds."""
    folder = seen.path
    if seen.articles:
        return [Incoming(folder, articles=True)]
    try:
        files = files_in(folder, MOST + 1, every=True)
    except DataError as error:
        return [Incoming(folder, problem=error)]
    if len(files) > MOST:
        problem = f"holds more than {MOST} files: choose those that are to be opened"
        return [Incoming(folder, problem=DataError(problem, path=folder))]
    inside = [one for file in files for one in _look(file)]
    known = [one for one in inside if one.problem is None]
    if not known:
        return [Incoming(folder, problem=DataError("holds no file in a format that is known", path=folder))]
    return [*known, *_left_out(folder, [one.path.name for one in inside if one.problem is not None])]


def _left_out(folder: Path, names: Sequence[str]) -> list[Incoming]:
    """Say which files of a folder are in no format, such as a project's own that lie beside its runs."""
    if not names:
        return []
    problem = f"{counted(len(names), 'file')} in no format that is known, left out: {some_named(names)}"
    return [Incoming(folder, problem=DataError(problem, path=folder))]


def read_all(
    files: Sequence[Incoming],
    asked: Sequence[FileKind],
    collection: Collection,
    progress: Progress,
    doubt_of: Callable[[Run | Qrels], str | None] = lambda _content: None,
) -> list[Read]:
    """Read runs and judgements; one that cannot be read does not keep the others.  Raises Cancelled.

    A file that no one knows is taken for one of the kinds ``asked`` for, whose reader can say what is wrong;
    of a folder it is said as it was found.
    ``doubt_of`` returns why the offsets of a run or of qrels look wrong; those without offsets are not asked.
    """
    read = []
    for done, file in enumerate(files):
        progress("files", done, len(files))
        content = _read(file, asked, collection, progress)
        doubt = None
        if isinstance(content, Run | Qrels) and not file.needs_articles:
            doubt = doubt_of(content)
        read.append(Read(file.path, content, doubt))
    return read


def _read(
    file: Incoming, asked: Sequence[FileKind], collection: Collection, progress: Progress
) -> Run | Qrels | Records | Exception:
    if file.problem is not None and file.path.is_dir():
        return file.problem
    try:
        if (file.holds or asked[0]) in JUDGEMENTS:
            return read_for_project(file.path, file.format, collection, progress)
        locate = Locator(collection, progress=progress)
        run = read_run(
            file.path, fol_end=file.fol_end, locate=locate, collection=collection, format=file.format
        )
        return file.join.of_run(run)
    except (DataError, OSError) as error:
        return error
