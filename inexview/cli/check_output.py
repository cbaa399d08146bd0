"""What `inexview check` prints: the conventions, the verdict, and what does not fit."""

from __future__ import annotations

import json
import math
from argparse import Namespace
from itertools import islice
from typing import Any, TextIO

from inexview.cli.common import visible
from inexview.cli.table_output import Table, TableCell
from inexview.core.offset_check.correction import Correction
from inexview.core.offset_check.diagnosis import Diagnosis
from inexview.core.offset_check.findings import CheckedRow, Fit
from inexview.core.offset_check.report import misfit_line, share, verdict
from inexview.core.text.counting import Convention
from inexview.core.wording import counted

FIRST = 10
"""So many misfits are listed unless all are asked for."""


def as_table(
    out: TextIO,
    diagnosis: Diagnosis,
    convention: Convention,
    copy: Correction | None,
    arguments: Namespace,
) -> None:
    """Print for people."""
    print(_conventions(diagnosis).rendered("table"), file=out)
    said = verdict(diagnosis)
    print("\n".join((said.headline, *said.details)), file=out)
    _print_misfits(out, diagnosis, convention, arguments)
    if copy is not None:
        print(f"\n{arguments.corrected}: {_copied(copy)}", file=out)


def _conventions(diagnosis: Diagnosis) -> Table:
    fits = diagnosis.fits()
    headings = ["fit", "documents", "passages", "entry points", "edges on words"]
    rows: list[tuple[TableCell, ...]] = [
        (fit.convention.name, fit.documents, fit.passages, fit.entries, share(fit.natural)) for fit in fits
    ]
    totals = len(diagnosis.table.starts), int((diagnosis.table.entry >= 0).sum())
    rows.append(("of", diagnosis.documents, *totals, int(diagnosis.found.edges.sum())))
    kept = [0, 1, *(2 + at for at, total in enumerate(totals) if total), *([4] if any(totals) else [])]
    return Table(tuple(headings[at] for at in kept), [tuple(row[at] for at in kept) for row in rows])


def _print_misfits(out: TextIO, diagnosis: Diagnosis, convention: Convention, arguments: Namespace) -> None:
    count = len(diagnosis.misfit_rows(convention))
    if not count:
        return
    does = "does" if count == 1 else "do"
    print(f"\n{counted(count, 'line')} {does} not fit {convention}:", file=out)
    for misfit in islice(diagnosis.misfits(convention), None if arguments.all else FIRST):
        print(visible(misfit_line(arguments.file, misfit)), file=out)
    if count > FIRST and not arguments.all:
        print(f"… and {count - FIRST:,} more (--all lists them)", file=out)


def _copied(copy: Correction) -> str:
    changed, left = int(copy.changed.sum()), int(copy.left.sum())
    said = f"written; {counted(changed, 'line')} of {len(copy.changed):,} changed"
    were = "it was" if left == 1 else "they were"
    return f"{said}, {counted(left, 'misfit')} left as {were}" if left else said


def as_json(
    out: TextIO,
    diagnosis: Diagnosis,
    convention: Convention,
    copy: Correction | None,
    arguments: Namespace,
) -> None:
    """Print for programs."""
    said = verdict(diagnosis)
    suspected = diagnosis.end_for_length
    told_of: dict[str, Any] = {
        "file": str(arguments.file),
        "collection": str(arguments.collection),
        "kind": "run" if diagnosis.is_run else "qrels",
        "documents": diagnosis.documents,
        "ambiguous": diagnosis.ambiguous,
        "missing": [diagnosis.table.ids[at] for at in diagnosis.found.missing.nonzero()[0].tolist()],
        "unreadable": {diagnosis.table.ids[at]: why for at, why in diagnosis.found.unreadable.items()},
        "conventions": [_fit_json(fit) for fit in diagnosis.fits()],
        "best": diagnosis.best.key,
        "sureness": diagnosis.sureness.value,
        "rivals": [one.key for one in diagnosis.rivals],
        "parts": [{"convention": one.key, "documents": count} for one, count in diagnosis.parts],
        "end_for_length": None
        if suspected is None
        else {"results": suspected.results, "past": suspected.past, "fitting_as_ends": suspected.fitting},
        "verdict": [said.headline, *said.details],
        "convention": convention.key,
        "misfit_count": len(diagnosis.misfit_rows(convention)),
        "misfits": [
            _misfit_json(misfit)
            for misfit in islice(diagnosis.misfits(convention), None if arguments.all else FIRST)
        ],
        "corrected": None
        if copy is None
        else {
            "file": str(arguments.corrected),
            "changed": int(copy.changed.sum()),
            "left": int(copy.left.sum()),
        },
    }
    print(json.dumps(told_of, ensure_ascii=False, indent=1), file=out)


def _fit_json(fit: Fit) -> dict[str, Any]:
    return {
        "convention": fit.convention.key,
        "name": fit.convention.name,
        "documents": fit.documents,
        "passages_within": fit.passages,
        "entry_points_within": fit.entries,
        "natural_edges": None if math.isnan(fit.natural) else fit.natural,
    }


def _misfit_json(misfit: CheckedRow) -> dict[str, Any]:
    return {
        "line": misfit.line,
        "topic": misfit.topic,
        "document": misfit.document,
        "problem": None if misfit.problem is None else misfit.problem.value,
        "length_in_file": misfit.said,
        "length_of_document": misfit.found,
        "last_offset": misfit.reach,
        "fits": [one.key for one in misfit.fits],
    }
