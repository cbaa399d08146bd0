"""A program that imports judgements until it is killed; run with ``python -m``, see test_kill.py."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.project.import_judgements import make_ready
from inexview.core.project.project import Project
from inexview.core.text.counting import CODE_POINTS
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.services.session import import_steps
from tests.projects import TEXT, TOPIC

JUDGEMENTS = 4_000


def judgement(number: int) -> Judgement:
    """Return one of the judgements: each third is relevant."""
    marks = Spans([(0, 1 + number % 9), (20, 25)]) if number % 3 == 0 else EMPTY
    return Judgement(TOPIC, f"x{number}", marks.size, len(TEXT), 0 if marks else None, marks)


def main() -> None:
    """Import, and say after each step how many judgements are in the project."""
    qrels = Qrels.from_judgements(map(judgement, range(JUDGEMENTS)))
    ready = make_ready(qrels, {TOPIC}, CODE_POINTS, lambda _: TEXT, check=False)
    with Project.open(Path(sys.argv[1])) as project:
        for news in import_steps(project, ready):
            os.write(1, b"%d\n" % news.done)


if __name__ == "__main__":
    main()
