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
    """A file and its format; ``problem`` is why it is not recognised."""

    path: Path
    format: Format | None = None
    problem: Exception | None = None
    fol_end: bool = False
    join: IdJoin = NO_JOIN
    articles: bool = False
    """Whether it is a folder that looks like a collection."""

    @property
    def holds(self) -> FileKind | None:
        """The content of the file, if it is recognised."""
        return None if self.format is None else self.format.kind

    @property
    def archive(self) -> bool:
        """Whether it looks like a collection of articles."""
        return self.format is None and (self.articles or is_archive(self.path))

    @property
    def needs_articles(self) -> bool:
        """Whether its places need the articles."""
        return self.format is not None and (self.format.names_places or self.format.needs_collection)


@dataclass(frozen=True, slots=True)
class Read:
    """A file that was read: a run, judgements (of JSON lines all that they say), or why it is neither."""

    path: Path
    content: Run | Qrels | Records | Exception
    doubt: str | None = None
    """Why its offsets look wrong, for a message after its name."""


def look(paths: Sequence[Path], options: RunOptions = AS_SEEN) -> list[Incoming]:
    """Recognise files by how they begin, or read them as the options say.

    A folder that is not read as one is replaced by its files.
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
    """Recognise the content of a folder that is not read as one: articles, or files of several kinds."""
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
    """Report the files of a folder in no format, such as those of a project."""
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
    """Read runs and judgements; an unreadable file does not stop the others.  Raises Cancelled.

    An unrecognised file is read as one of the kinds ``asked`` for, whose reader reports the errors; a folder
    keeps its problem.  ``doubt_of`` returns why the offsets of a run or of qrels look wrong.
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
