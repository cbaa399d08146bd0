"""Recognises files by their beginning, not their name, and reads judgements and runs of any format.

:class:`FirstLook` answers what a file is, which reader reads it, and why no format fits; the file is opened
only once before that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from inexview.core.errors import DataError
from inexview.core.formats.format import (
    BUNDLE_QRELS,
    DIVERSITY,
    DIVERSITY_QRELS,
    FOL_ELEMENTS,
    FOL_QRELS,
    FOL_RUN,
    GENOMICS,
    GENOMICS_RUN,
    GOLD_PASSAGES,
    JSON_FORMATS,
    JSONL,
    JUDGEMENTS,
    RUNS,
    TEXT_FORMATS,
    TREC,
    TREC_QRELS,
    TREC_RUN,
    XML_FORMATS,
    FileKind,
    Format,
    Options,
    added_formats,
    bundle_format,
    format_named,
    formats,
    listed,
)
from inexview.core.formats.text_files import Beginning, beginning_of, files_in, foreign_name
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.plugins import attempt
from inexview.core.progress import Progress, unwatched
from inexview.core.wording import counted

if TYPE_CHECKING:
    from inexview.core.collection.collection import Collection
    from inexview.core.formats.columns import Locate
    from inexview.core.judgements.elements import Assessments
    from inexview.core.judgements.qrels import Records


_LOOKED_AT = 20  # files of a folder
_READ_FOR = {FileKind.QRELS: JUDGEMENTS, FileKind.RUN: RUNS}
_BY_WIDTH = {FileKind.QRELS: {4: TREC_QRELS, 0: FOL_QRELS}, FileKind.RUN: {6: TREC_RUN, 0: FOL_RUN}}
"""The reader that reports errors of lines in no format, by their number of fields; 0 for any other number."""


@dataclass(frozen=True, slots=True)
class FirstLook:
    """The beginning of a file, or of the first files of a folder."""

    path: Path
    beginnings: tuple[Beginning, ...]
    folder: bool = False

    @property
    def articles(self) -> bool:
        """Whether it is a folder of articles: most of its first files are articles."""
        articles = sum(beginning.root == "article" for beginning in self.beginnings)
        return self.folder and (2 * articles > len(self.beginnings) or not self.beginnings)

    def format(self, *kinds: FileKind) -> Format:
        """Return the format that fits best, of these kinds if given.

        Raises DataError if none fits, or if a folder is not read as one file.
        """
        if (bundle := self._bundle(kinds)) is not None:
            return bundle
        if self.folder:
            return _format_of_folder(self, kinds)
        format = _fitting(self.beginnings[0], kinds)
        if format is None:
            raise _unknown(self.beginnings[0], kinds)
        return format

    def reader(
        self, kind: FileKind, kinds: tuple[FileKind, ...] = (), *, otherwise: Format | None = None
    ) -> Format:
        """Return the format by which judgements or runs are read, of characters or of elements, or ``kinds``.

        For text in no format it is ``otherwise``, or the one of ``kind`` whose reader reports the errors.
        Raises DataError.
        """
        kinds = kinds or _READ_FOR[kind]
        if self.folder or self._bundle(kinds) is not None:
            return self.format(*kinds)
        beginning = self.beginnings[0]
        format = _fitting(beginning, kinds)
        if format is not None:
            return format
        other = beginning.xml or beginning.json is not None or foreign_name(beginning) is not None
        other = other or _is_broken_json(beginning)
        if other or (beginning.lines and _fitting(beginning, ()) is not None):
            raise _unknown(beginning, kinds)
        readers = _BY_WIDTH[kind]
        return otherwise or readers.get(beginning.width, readers[0])

    def _bundle(self, kinds: tuple[FileKind, ...]) -> Format | None:
        """Return the format of a benchmark or a tool's file: a folder, JSON, CSV or annotations of brat."""
        first = self.beginnings[0] if self.beginnings else Beginning(self.path)
        if not self.folder and (
            first.xml or (first.json is None and len(first.header) < 2 and self.path.suffix != ".ann")
        ):
            return None
        return bundle_format(self.path, *kinds)

    def trec_reader(self, kind: FileKind) -> Format:
        """Return the reader, TREC's for a text table with its number of fields.

        It is for users who give TREC files, of which some look like HARD passages or FOL qrels.
        """
        if self.folder:
            return self.reader(kind)
        width = self.beginnings[0].width
        if kind is FileKind.QRELS:
            return TREC_QRELS if width == 4 else self.reader(kind, otherwise=TREC_QRELS)
        other = width > 6 and _fitting(self.beginnings[0], RUNS)
        return TREC_RUN if width >= 6 and not other else self.reader(kind, otherwise=TREC_RUN)


def first_look(path: str | Path) -> FirstLook:
    """Look at the beginning of a file, or of the first files of a folder.

    Raises DataError if it cannot be read.
    """
    path = Path(path)
    if not path.is_dir():
        return FirstLook(path, (beginning_of(path),))
    files = files_in(path, _LOOKED_AT)
    if not files and not any(one.is_dir() for one in path.iterdir()):
        raise DataError("cannot be read: the folder holds no file", path=path)
    beginnings = []
    for file in files:
        try:
            beginnings.append(beginning_of(file))
        except DataError:  # a picture, an archive
            beginnings.append(Beginning(file))
    return FirstLook(path, tuple(beginnings), folder=True)


def format_of(path: str | Path, *kinds: FileKind) -> Format:
    """Recognise the format of a file, or of a folder of files, by its content, of these kinds if given.

    Raises DataError if it cannot be read, or if no format fits.
    """
    return first_look(path).format(*kinds)


def reader_for(path: Path, kind: FileKind, name: Format | str | None = None) -> Format:
    """Return the format of judgements or a run: the named one, or the one recognised.

    Raises DataError if the named format has other content, and what ``FirstLook.reader`` raises.
    """
    if name is None:
        return first_look(path).reader(kind)
    named = format_named(name) if isinstance(name, str) else name
    if named.kind not in _READ_FOR[kind]:
        raise DataError(f"is {named.kind}, which is not accepted here", field="format", value=named.name)
    return named


def holds_nuggets(path: Path) -> bool:
    """Return whether a file begins like a file of nuggets; raises DataError if it cannot be read."""
    look = first_look(path)
    return not look.folder and begins_nuggets(look.beginnings[0])


def begins_nuggets(beginning: Beginning) -> bool:
    return bool(beginning.first_object) and bool(beginning.keys & {"nuggets", "nugget_bank", "claim_bank"})


def begins_support(beginning: Beginning) -> bool:
    """Return whether a file begins like a file of judged citations."""
    keys = beginning.first_object.keys()
    return {"run_id", "sentence"} <= keys and not keys.isdisjoint(_OF_SUPPORT)


_OF_SUPPORT = ("support", "together", "needs_citation")


def format_to_read(path: Path, kind: FileKind, name: str | None, preset: str | None) -> Format:
    """Return the named format, or the preset's, or the one recognised.

    The preset trec prefers TREC's formats; qrels of subtopics and runs of the Genomics track are known by
    their preset only.
    """
    if name is None and preset == TREC:
        return first_look(path).trec_reader(kind)
    if name is None and preset == DIVERSITY and kind is FileKind.QRELS:
        return DIVERSITY_QRELS
    if name is None and preset == GENOMICS:
        return GENOMICS_RUN if kind is FileKind.RUN else GOLD_PASSAGES
    return reader_for(path, kind, name)


def _fitting(beginning: Beginning, kinds: tuple[FileKind, ...]) -> Format | None:
    """Return the format that fits best, of several the first in the list; None if none fits."""
    if foreign_name(beginning) is not None:
        return None
    family: Sequence[Format] = XML_FORMATS if beginning.xml else TEXT_FORMATS
    if beginning.json is not None:
        family = JSON_FORMATS
    elif _is_broken_json(beginning):
        family = (JSONL,)  # its reader reports what is wrong with a line
    family = (*family, *added_formats())
    fits = {format: _fit(format, beginning) for format in family if not kinds or format.kind in kinds}
    best = max(fits, key=lambda format: fits[format], default=None)
    return best if best is not None and fits[best] else None


def _fit(format: Format, beginning: Beginning) -> float:
    """Return how well a beginning fits a format; 0, with a warning, if another package's format fails."""
    return attempt(format, f"the format {format.name!r}", lambda: format.recognise(beginning), 0.0)


def _is_broken_json(beginning: Beginning) -> bool:
    """Return whether a file begins like JSON without a first value; an id may be ``[10pt]``."""
    first = b"".join(beginning.lines[:1])
    return beginning.json is None and re.match(rb"\s*[\[{]\s*(?:[^\w\s]|\Z)", first) is not None


def _format_of_folder(look: FirstLook, kinds: tuple[FileKind, ...]) -> Format:
    """Return the format of a folder that is read as one, because all its files are of one kind."""
    inside: dict[Format, list[Path]] = {}
    for beginning in look.beginnings:
        if (format := _fitting(beginning, ())) is not None:
            inside.setdefault(format, []).append(beginning.path)
    wanted = {format: files for format, files in inside.items() if not kinds or format.kind in kinds}
    asked = listed(formats(*kinds))
    if look.articles:
        problem = f"is a collection (a folder of articles); expected one of {asked}"
    elif len({format.kind for format in wanted}) == 1:
        most = max(wanted, key=lambda format: len(wanted[format]))
        if most.folder:
            return most
        name = wanted[most][0].name
        problem = f"is a folder, but {most.name} files are read one at a time: name one, such as {name}"
    elif not wanted and len({format.kind for format in inside}) == 1:
        most, files = next(iter(inside.items()))
        problem = f"holds {most.title} ({files[0].name}); expected one of {asked}"
    elif inside:
        named = "; ".join(f"{files[0].name}: {format.title}" for format, files in inside.items())
        problem = f"holds files that cannot be read together ({named}); name a file or the format"
    else:
        problem = f"holds no file in a known format; name the format, one of {asked}"
    raise DataError(problem, path=look.path)


def _unknown(beginning: Beginning, kinds: tuple[FileKind, ...]) -> DataError:
    """Return the error of a file in no known format (of these kinds), with what it may be."""
    asked = listed(formats(*kinds))
    other = _fitting(beginning, ()) if kinds else None
    if (foreign := foreign_name(beginning)) is not None:
        problem = foreign
    elif _is_broken_json(beginning):
        problem = "begins like JSON, but its first value is not valid JSON, or is nested too deeply"
    elif other is not None:
        problem = f"looks like {other.title}; expected one of {asked}"
    elif beginning.root == "article":
        problem = f"is an article of a collection; expected one of {asked}"
    else:
        seen = _seen(beginning)
        problem = f"is in an unknown format, judging by its {seen}; name the format, one of {asked}"
    return DataError(problem, path=beginning.path)


def _seen(beginning: Beginning) -> str:
    if beginning.tags:
        return f"root <{beginning.root}>"
    if beginning.first_object:
        names = ", ".join(list(beginning.first_object)[:8])
        return f"first object, which has the fields {names}"
    if beginning.lines:
        fields = beginning.lines[0].split()
        count = counted(len(fields), "field")
        shown = b" ".join(fields).decode("utf-8", "replace")
        shown = shown if len(shown) <= 60 else f"{shown[:59]}…"
        return f"first line, of {count} ({shown})"
    return "first tags, which cannot be read" if beginning.xml else "content: it is empty"


ONLY_ELEMENTS = (
    "judges whole elements (INEX 2002–2005), not characters, so it cannot be shown as passages; `inexview "
    "eval` and `inexview inspect` can score runs of elements with it"
)


def read_qrels(
    path: str | Path, *, collection: Collection | None = None, format: Format | str | None = None
) -> Qrels:
    """Read judgements of characters; assessment XML and HARD passages need the articles.

    ``format`` is the format or its name; by default it is recognised.  Raises DataError (or DataErrors,
    several of them) for a file that cannot be read.
    """
    path = Path(path)
    reader = reader_for(path, FileKind.QRELS, format)
    if reader.kind is FileKind.QRELS:
        qrels: Qrels = reader.read(path, Options(collection))
        return qrels
    if collection is None:
        raise DataError("is XML: give the articles, to locate its passages", path=path, line=1)
    from inexview.core.formats.assessment_xml import found_passages  # lxml

    return found_passages(reader.read(path, Options()), collection)


Table = object
"""Judgements or results as ``Qrels.of`` and ``Run.of`` take them: dicts, rows, columns, frames."""


def given_qrels(given: Qrels | str | Path | Table) -> Qrels:
    """Return judgements given as Qrels, as a file, or as ``Qrels.of`` takes them; raises InexviewError."""
    return read_qrels(given) if isinstance(given, str | Path) else Qrels.of(given)


def given_runs(given: Run | str | Path | Table | Iterable[Run | str | Path | Table]) -> Iterator[Run]:
    """Yield one run or several: Runs, files, or what ``Run.of`` takes; raises InexviewError.

    Several are in a list or another iterable.
    """
    if isinstance(given, str | Path):
        yield read_run(given)
    elif isinstance(given, Run | Mapping) or _is_frame(given) or not isinstance(given, Iterable):
        yield Run.of(given)
    else:  # rows of one run, or several runs
        listed = list(given)
        if listed and not _is_run(listed[0]):
            yield Run.of(listed)
        else:
            for run in listed:
                yield from given_runs(run)


def _is_run(given: object) -> bool:
    """Return whether a member of a list is a run or a file, and no row."""
    if isinstance(given, Mapping):
        return all(isinstance(own, Sized) and not isinstance(own, str) for own in given.values())
    return isinstance(given, Run | str | Path | list) or _is_frame(given)


def _is_frame(given: object) -> bool:
    """Return whether something is a frame; reading columns of a lazy polars frame would compute them."""
    return hasattr(given, "collect") or hasattr(given, "columns")


def read_judgements(
    path: Path, format: Format, collection: Collection | None, progress: Progress = unwatched
) -> Qrels | ElementQrels:
    """Read judgements of passages, or of elements from assessments without passages.

    Without the articles, assessments give their elements too.  Raises DataError for what cannot be read, and
    for passages without articles, and Cancelled.
    """
    if format.kind is not FileKind.ASSESSMENTS:
        return read_qrels(path, collection=collection, format=format)
    assessments: Assessments = format.read(path, Options())
    judges_elements = any(assessments.elements_judged())
    if collection is None and assessments.holds_passages and not judges_elements:
        raise DataError("marks passages, not elements: give the articles with --collection", path=path)
    if collection is None or (judges_elements and not assessments.holds_passages):
        return assessments.elements()
    from inexview.core.formats.assessment_xml import found_passages  # lxml

    return found_passages(assessments, collection, progress)


def read_for_project(
    path: Path, format: Format | None, collection: Collection, progress: Progress = unwatched
) -> Qrels | Records:
    """Read judgements of passages for a project; of JSON lines with everything in them.

    ``format`` is the recognised format, if any.  Raises DataError for what cannot be read, or judges elements
    only, and Cancelled.
    """
    reader = format or reader_for(path, FileKind.QRELS)
    if reader is JSONL:
        from inexview.core.formats.jsonl import read_jsonl

        return read_jsonl(path)
    if reader in BUNDLE_QRELS:
        from inexview.core.formats.bundle_files import read_bundle_records  # which reads articles

        return read_bundle_records(path, form=reader.name, collection=collection, progress=progress)
    judged = read_judgements(path, reader, collection, progress)
    if isinstance(judged, ElementQrels):
        raise DataError(ONLY_ELEMENTS, path=path)
    return judged


def read_run(
    path: str | Path,
    *,
    fol_end: bool = False,
    locate: Locate | None = None,
    collection: Collection | None = None,
    format: Format | str | None = None,
    progress: Progress = unwatched,
) -> Run:
    """Read a run of characters: an FOL run, a run of elements, a TREC run, submission XML or a HARD run.

    With ``fol_end`` the last field of an FOL run is where a passage ends.  ``locate``, for instance a
    :class:`~inexview.core.judgements.elements.Locator`, finds the elements and points that runs name
    in the articles; without it they are found in ``collection``, which also holds the articles that HARD's
    bytes count in.  ``format`` is the format or its name; it is recognised otherwise.

    Raises DataError (or DataErrors, several of them) for a file that cannot be read.
    """
    path = Path(path)
    reader = reader_for(path, FileKind.RUN, format)
    if reader.kind is FileKind.RUN:
        run: Run = reader.read(path, Options(collection, fol_end, progress=progress))
        return run
    if locate is None and collection is not None:
        from inexview.core.judgements.elements import Locator

        locate = Locator(collection, progress=progress)
    from inexview.core.formats.submission_xml import read_submission  # the parsers of XML

    return read_submission(path, locate, lines=reader is FOL_ELEMENTS)
