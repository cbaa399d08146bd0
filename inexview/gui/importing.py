"""Takes judgements into a project a few at a time, so that tens of thousands do not hold the window up."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

import numpy as np

from inexview.core.conventions import CODE_POINTS
from inexview.core.exchange import Imported
from inexview.core.project import Project
from inexview.core.qrels import Qrels
from inexview.core.records import Records
from inexview.gui.tasks import News

CHECKED = 50  # documents that are read, to see whether the qrels count as they should
READ, UNREAD = 5, 100  # judgements in a step: of documents that are read, and of others


def import_steps(project: Project, judged: Qrels | Records) -> Generator[News, None, Imported]:
    """Take judgements over, those of a topic together; what was taken over stays where the rest is given up.

    Raises what ``Project.import_qrels`` raises.
    """
    total = len(judged)
    rows = np.argsort(judged.topic, kind="stable") if isinstance(judged, Qrels) else np.arange(total)
    done = documents = unchanged = 0
    warnings: dict[str, None] = {}
    while done < total:
        check = done < CHECKED
        size = READ if check or project.convention != CODE_POINTS else UNREAD
        taken = _take(project, judged, rows[done : done + size].tolist(), check=check)
        documents += taken.documents
        unchanged += taken.unchanged
        warnings.update(dict.fromkeys(taken.warnings))
        done = min(done + size, total)
        yield News("judgements taken over", done, total)
    return Imported(documents, unchanged, tuple(warnings))


def _take(project: Project, judged: Qrels | Records, rows: Sequence[int], *, check: bool) -> Imported:
    if isinstance(judged, Records):
        part = replace(judged, records=tuple(judged.records[row] for row in rows))
        return project.import_records(part, check=check)
    qrels = replace(
        Qrels.from_judgements(judged.at(row) for row in rows), path=judged.path, graded=judged.graded
    )
    return project.import_qrels(qrels, check=check)
