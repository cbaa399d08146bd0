"""Reads judgements and runs of any format, recognised from the file's content or named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from inexview.core.errors import DataError, InexviewError
from inexview.core.formats.format import FileKind, Format, Options
from inexview.core.formats.recognition import reader_for
from inexview.core.formats.tables.text_formats import FOL_ELEMENTS, JSONL
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress, unwatched

if TYPE_CHECKING:
    from inexview.core.collection.collection import Collection
    from inexview.core.formats.located import Locate
    from inexview.core.judgements.elements import Assessments
    from inexview.core.judgements.records import Records

ONLY_ELEMENTS = (
    "says how far whole elements are relevant (INEX 2002–2005), and not which of their characters: it cannot "
    "be shown as passages; `inexview eval` and `inexview inspect` score runs of elements by it"
)


def read_qrels(
    path: str | Path, *, collection: Collection | None = None, format: Format | str | None = None
) -> Qrels:
    """Read judgements of characters: FOL qrels, TREC qrels, or assessment XML and HARD passages, which need
    the articles.

    ``format`` is the format or its name; it is recognised otherwise.  Raises DataError (or
    DataErrors, several of them) for a file that cannot be read.
    """
    path = Path(path)
    found = reader_for(path, FileKind.QRELS, format)
    if found.kind is FileKind.QRELS:
        qrels: Qrels = found.read(path, Options(collection))
        return qrels
    if collection is None:
        raise DataError("is XML: give the articles, in which its passages lie", path=path, line=1)
    from inexview.core.formats.assessment_xml.passages import found_passages  # lxml

    return found_passages(found.read(path, Options()), collection)


Table = Mapping[str, Mapping[str, float]]
"""Grades or scores as ``{topic: {document: number}}``, as pytrec_eval and ranx have them."""


def given_qrels(given: Qrels | str | Path | Table) -> Qrels:
    """Return judgements that are given as such, as a file, or as a dict of dicts; raises InexviewError."""
    if isinstance(given, Qrels):
        return given
    if isinstance(given, str | Path):
        return read_qrels(given)
    if isinstance(given, Mapping):
        from inexview.core.formats.tables.named_fields import qrels_of_table

        return qrels_of_table(given)
    raise InexviewError(f"judgements are Qrels, the name of a file, or {_TABLE}, not {type(given).__name__}")


def given_runs(given: Run | str | Path | Table | Iterable[Run | str | Path | Table]) -> Iterator[Run]:
    """Yield one run or several, given as such, as files, or as dicts of dicts; raises InexviewError."""
    if isinstance(given, Run):
        yield given
    elif isinstance(given, str | Path):
        yield read_run(given)
    elif isinstance(given, Mapping):
        from inexview.core.formats.tables.named_fields import run_of_table

        yield run_of_table(given)
    elif isinstance(given, Iterable):
        for run in given:
            yield from given_runs(run)
    else:
        raise InexviewError(f"a run is a Run, the name of a file, or {_TABLE}, not {type(given).__name__}")


_TABLE = "a dict {topic: {document: number}}"


def read_judgements(
    path: Path, format: Format, collection: Collection | None, progress: Progress = unwatched
) -> Qrels | ElementQrels:
    """Read what runs are scored by: passages, or the elements of assessments that judge only those.

    Without the articles, assessments give their elements too; where nothing at all is relevant, it is in no
    passage.  Raises DataError for what cannot be read, for
    passages alone without the articles in which they lie, and Cancelled.
    """
    if format.kind is not FileKind.ASSESSMENTS:
        return read_qrels(path, collection=collection, format=format)
    assessments: Assessments = format.read(path, Options())
    judges_elements = any(assessments.elements_judged())
    if collection is None and assessments.holds_passages and not judges_elements:
        raise DataError("marks passages and no elements: give the articles with --collection", path=path)
    if collection is None or (judges_elements and not assessments.holds_passages):
        return assessments.elements()
    from inexview.core.formats.assessment_xml.passages import found_passages  # lxml

    return found_passages(assessments, collection, progress)


def read_for_project(
    path: Path, format: Format | None, collection: Collection, progress: Progress = unwatched
) -> Qrels | Records:
    """Read judgements of passages as a project takes them over, with all that JSON lines say of them.

    ``format`` is what they were recognised as, None where that was not asked.  Raises DataError for what
    cannot be read, or judges elements only, and Cancelled.
    """
    found = format or reader_for(path, FileKind.QRELS)
    if found is JSONL:
        from inexview.core.formats.tables.jsonl import read_jsonl

        return read_jsonl(path)
    judged = read_judgements(path, found, collection, progress)
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
    :class:`~inexview.core.judgements.element_lookup.Locator`, finds the elements and points that runs name
    in the articles; without it they are found in ``collection``, which also holds the articles that HARD's
    bytes count in.  ``format`` is the format or its name; it is recognised otherwise.

    Raises DataError (or DataErrors, several of them) for a file that cannot be read.
    """
    path = Path(path)
    found = reader_for(path, FileKind.RUN, format)
    if found.kind is FileKind.RUN:
        run: Run = found.read(path, Options(collection, fol_end, progress=progress))
        return run
    if locate is None and collection is not None:
        from inexview.core.judgements.element_lookup import Locator

        locate = Locator(collection, progress=progress)
    if found is FOL_ELEMENTS:
        from inexview.core.formats.tables.fol_elements import (
            read_fol_elements,  # the parsers of XML, as below
        )

        return read_fol_elements(path, locate)
    from inexview.core.formats.submission_xml.read import read_submission

    return read_submission(path, locate)
