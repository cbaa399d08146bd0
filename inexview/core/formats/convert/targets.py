"""Where converted content is written: in which format, whole or not at all, and to one file or many."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from inexview.core import durable
from inexview.core.errors import DataError
from inexview.core.file_presence import folder_is_there, is_there
from inexview.core.formats.convert.losses import Content
from inexview.core.formats.format import JUDGEMENTS, RUNS, FileKind, Format, Options
from inexview.core.formats.format_registry import formats
from inexview.core.formats.tables.text_formats import FOL_QRELS, FOL_RUN, JSONL, POOL_LIST
from inexview.core.formats.xml_formats import ASSESSMENTS_2007, POOL, SUBMISSION
from inexview.core.judgements.elements import AssessedTopic, Assessments
from inexview.core.judgements.topics import Topic, Topics
from inexview.core.project_name import PROJECT_SUFFIX

_USUAL = (
    (JUDGEMENTS, FOL_QRELS),
    (JUDGEMENTS, ASSESSMENTS_2007),
    (JUDGEMENTS, JSONL),
    (RUNS, FOL_RUN),
    (RUNS, SUBMISSION),
    ((FileKind.POOL,), POOL_LIST),
    ((FileKind.POOL,), POOL),
)
"""What is meant where a file's suffix is all that is said."""
_UNSAFE = re.compile(r"[^\w.-]+")


def target_for(kind: FileKind, path: Path) -> Format:
    """Return the format that a file for content of a kind is meant to have, told by its suffix.

    Raises DataError, which lists the choices, where that does not tell it.
    """
    suffix = path.suffix.lower() or ".txt"
    for kinds, format in _USUAL:
        if kind in kinds and format.suffix == suffix:
            return format
    family = next((kinds for kinds in (JUDGEMENTS, RUNS) if kind in kinds), (kind,))
    choices = ", ".join(format.name for format in formats(*family))
    raise DataError(f"name the format to write with --to, one of {choices}", path=path)


def is_folder(path: Path, written: str) -> bool:
    """Tell whether a path, as it was written, is meant for a folder of files."""
    return path.is_dir() or written.endswith(("/", os.sep))


def check_free(
    path: Path, sources: Iterable[Path | None] = (), *, overwrite: bool = False, folder: bool = False
) -> None:
    """Refuse to write where something would be destroyed, or where nothing can be written, before any work.

    Raises DataError: for one of the ``sources``, of which None is none, an article that is there in a folder
    of them, a folder (an empty one may be written to as a ``folder``), a project, and any file that is there,
    unless ``overwrite``.
    """
    if str(path) == "-":
        raise DataError("nothing is written to standard output; name a file", path=path)
    if path.name in ("", ".."):
        raise DataError("name a file or a folder to write", path=path)
    if any(_is_read(path, source) for source in sources if source is not None):
        raise DataError("would be written over what is read; name another file", path=path)
    if path.suffix == PROJECT_SUFFIX:
        raise DataError("is the name of a project; name another file", path=path)
    if folder_is_there(path):
        if not folder:
            raise DataError("is a folder; name a file", path=path)
        if any(path.iterdir()):
            raise DataError("is a folder with something in it; name another", path=path)
    elif is_there(path) and not path.is_file():
        raise DataError("is a device and no file; name a file", path=path)
    elif is_there(path) and not overwrite:
        raise DataError("is there already; --overwrite replaces it", path=path)
    elif not folder_is_there(path.absolute().parent):
        raise DataError("the folder that it shall be in does not exist", path=path)


def _is_read(path: Path, source: Path) -> bool:
    """Tell whether a path is a source, or an article that is there in a folder of them."""
    real, of = Path(os.path.realpath(path)), Path(os.path.realpath(source))
    article = path.suffix.lower() == ".xml" and is_there(path)
    return real == of or (article and folder_is_there(of) and real.is_relative_to(of))


def write_whole(content: Content, target: Format, path: Path, options: Options, *, folder: bool) -> None:
    """Write a file, or a folder of a file for each topic, that appears under its name when it is complete.

    Raises DataError where the format has no folders, and OSError where nothing can be written.
    """
    if not folder:
        durable.write_complete(path, lambda part: target.write(content, part, options))
        return
    if not target.folder or not isinstance(content, Assessments | Topics):
        raise DataError(f"{target.name} is written to a single file", path=path)

    def write_all(part: Path) -> None:
        part.mkdir()
        for name, one in _by_topic(content).items():
            target.write(one, part / f"{name}.xml", options)
        if path.is_dir():
            path.rmdir()  # an empty one: the folder that is written takes its place as a whole

    durable.write_complete(path, write_all)


def _by_topic(content: Assessments | Topics) -> dict[str, Content]:
    """Return the content of each topic's file by its name; names that would be the same are numbered."""
    listed: dict[str, Content] = {}
    taken: set[str] = set()
    topics: tuple[AssessedTopic | Topic, ...] = (
        content.topics if isinstance(content, Assessments) else content.listed
    )
    for topic in topics:
        safe = name = _UNSAFE.sub("_", topic.id if isinstance(topic, Topic) else topic.topic) or "topic"
        again = 1
        while name.lower() in taken:
            again += 1
            name = f"{safe}-{again}"
        taken.add(name.lower())
        listed[name] = Topics((topic,)) if isinstance(topic, Topic) else Assessments((topic,))
    return listed
