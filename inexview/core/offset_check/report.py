"""A diagnosis in sentences: what the offsets of a file are, how sure that is, and what is left."""

from __future__ import annotations

from dataclasses import dataclass

from inexview.core.offset_check.diagnosis import Diagnosis
from inexview.core.offset_check.findings import CheckedRow, Problem, Sureness
from inexview.core.text.counting import CODE_POINTS, Convention
from inexview.core.wording import counted, percent, some_named

_MOST_NAMED = 3
_MOSTLY = 0.9


@dataclass(frozen=True, slots=True)
class Verdict:
    """The main thing, and what else there is to say; all in sentences."""

    headline: str
    details: tuple[str, ...]


def verdict(diagnosis: Diagnosis) -> Verdict:
    if not diagnosis.documents:
        return Verdict("Nothing could be compared.", tuple(_unread(diagnosis)))
    if diagnosis.end_for_length is not None:
        return Verdict(_ends(diagnosis), tuple(_unread(diagnosis)))
    details = [_how_sure(diagnosis), _ambiguous(diagnosis), _edges(diagnosis), *_unread(diagnosis)]
    return Verdict(_headline(diagnosis), tuple(filter(None, details)))


def _headline(diagnosis: Diagnosis) -> str:
    best, documents = diagnosis.best, diagnosis.documents
    fitting = diagnosis.fitting(best)
    if len(diagnosis.parts) > 1:
        return _mixed(diagnosis)
    if diagnosis.sureness is Sureness.NONE:
        return (
            f"No convention explains half of the {counted(documents, 'document')}; the closest, {best}, fits "
            f"{fitting:,}. Do the file and the collection belong together?"
        )
    if not diagnosis.has_lengths and best != CODE_POINTS:
        return f"The offsets of this run count {best}."
    if fitting == documents:
        all_of = "The one document fits" if documents == 1 else f"All {documents:,} documents fit"
        if best == CODE_POINTS:
            if diagnosis.sureness is Sureness.OPEN:
                return f"{all_of} code points, as inexview counts, but other ways of counting as well."
            return f"{all_of} code points, as inexview counts: nothing needs correcting."
        return f"{all_of} {best}; {_as_code_points(diagnosis)}."
    rest = "" if best == CODE_POINTS else f"; {_as_code_points(diagnosis)}"
    return f"{fitting:,} of {counted(documents, 'document')} {_fit(fitting)} {best}{rest}."


def _as_code_points(diagnosis: Diagnosis) -> str:
    fitting = diagnosis.fitting(CODE_POINTS)
    if diagnosis.documents == 1:
        return "it would fit code points, too" if fitting else "it would not fit code points"
    return f"{fitting:,} would fit code points" if fitting else "none would fit code points"


def _mixed(diagnosis: Diagnosis) -> str:
    (best, fitting), *others = diagnosis.parts
    of = counted(diagnosis.documents, "document")
    listed = "; ".join(f"of the others, {count:,} {_fit(count)} {one}" for one, count in others)
    return f"The file is mixed: {fitting:,} of {of} {_fit(fitting)} {best}; {listed}."


def _ends(diagnosis: Diagnosis) -> str:
    suspected = diagnosis.end_for_length
    assert suspected is not None
    return (
        f"The last field looks like the end of a passage, not like its length: {suspected.past:,} of "
        f"{counted(suspected.results, 'result')} would run past the end of their document, "
        f"and {suspected.fitting:,} fit as ends."
    )


def _how_sure(diagnosis: Diagnosis) -> str:
    if diagnosis.sureness is Sureness.OPEN:
        explain = "explains as much and reads" if len(diagnosis.rivals) == 1 else "explain as much and read"
        return (
            f"It cannot be told from {_listed(diagnosis.rivals)}, which {explain} other text: "
            "compare the passages by eye."
        )
    if len(diagnosis.parts) > 1:
        return ""
    if diagnosis.sureness is Sureness.LIKELY:
        return "That is likely, not certain: few documents tell it from other ways of counting."
    if diagnosis.sureness is not Sureness.SURE or diagnosis.best == CODE_POINTS:
        return ""
    if diagnosis.alike:
        return f"{_listed(diagnosis.alike)} would read the same text."
    by = "explains clearly fewer documents" if diagnosis.has_lengths else "cuts clearly more words"
    return f"That is sure: every other way of counting {by}."


def _ambiguous(diagnosis: Diagnosis) -> str:
    if not diagnosis.ambiguous or not diagnosis.has_lengths:
        return ""
    ambiguous = diagnosis.ambiguous
    return f"{ambiguous:,} of {diagnosis.documents:,} {_fit(ambiguous)} more than one convention."


def _fit(number: int) -> str:
    return "fits" if number == 1 else "fit"


def _edges(diagnosis: Diagnosis) -> str:
    """Say how many edges fall on natural places, and how many do as inexview counts."""
    edges = int(diagnosis.found.edges.sum())
    if not edges:
        return ""
    said = f"{percent(diagnosis.fit(diagnosis.best).natural)} of {counted(edges, 'passage edge')}"
    if diagnosis.best == CODE_POINTS:
        return f"{said} fall on words or elements."
    other = percent(diagnosis.fit(CODE_POINTS).natural)
    return f"{said}, read so, fall on words or elements; read as code points, {other}."


def _unread(diagnosis: Diagnosis) -> list[str]:
    missing = [diagnosis.table.ids[at] for at in diagnosis.found.missing.nonzero()[0][: _MOST_NAMED + 1]]
    count = int(diagnosis.found.missing.sum())
    said = []
    if count:
        named = some_named(missing, _MOST_NAMED)
        are = "is" if count == 1 else "are"
        said.append(f"{counted(count, 'document')} {are} not in the collection ({named}).")
    unreadable = len(diagnosis.found.unreadable)
    if unreadable:
        said.append(f"{counted(unreadable, 'document')} could not be read.")
    return said


def doubt(diagnosis: Diagnosis, expected: Convention = CODE_POINTS) -> str | None:
    """Say why the offsets look wrong to a reader that expects a convention; None where they do not."""
    documents, right = diagnosis.documents, diagnosis.fitting(expected)
    if not documents:
        return None
    if diagnosis.end_for_length is not None:
        return "its last field looks like the end of a passage, not like its length"
    sure = diagnosis.sureness in (Sureness.SURE, Sureness.LIKELY)
    if sure and diagnosis.best != expected and expected not in diagnosis.alike:
        return f"its offsets seem to count {diagnosis.best}, and are read as {expected}"
    if right >= _MOSTLY * documents:
        return None
    what = "have the length" if diagnosis.has_lengths else "hold the passages"
    return f"only {right:,} of the {documents:,} documents looked at {what} that it says"


def told(row: CheckedRow) -> str:
    """Return what is wrong with a row, without its place."""
    if row.problem is Problem.MISSING:
        return "not in the collection"
    if row.problem is Problem.UNREADABLE:
        return row.why
    if row.problem is Problem.PAST_END:
        return f"reaches to {row.reach:,}, past the document's end at {row.found:,}"
    if row.problem is Problem.LENGTH:
        return f"length {row.said:,}, the document has {row.found:,}"
    return "fits"


def misfit_line(file: object, row: CheckedRow) -> str:
    """Return a line about a row that does not fit: "file:12: topic 3, document 7: …; fits UTF-8 bytes"."""
    said = f"{file}:{row.line}: topic {row.topic}, document {row.document}: {told(row)}"
    return f"{said}; fits {fitting_names(row)}" if row.found is not None else said


def fitting_names(row: CheckedRow) -> str:
    """Return which conventions a row would fit, for a person."""
    return _listed(row.fits) if row.fits else "none"


def _listed(conventions: tuple[Convention, ...]) -> str:
    names = [one.name for one in conventions]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return " or ".join(names[:_MOST_NAMED]) + more
