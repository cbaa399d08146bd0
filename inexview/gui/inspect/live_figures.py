"""What a run scores in the open document in one line, to be beside the judging."""

from __future__ import annotations

from dataclasses import dataclass

from inexview.core.measures.one_document import DocumentScores
from inexview.gui.inspect.figures import short


@dataclass(frozen=True, slots=True)
class LiveFigures:
    """A run by its name, and its figures or why there are none; the name is empty where nothing is shown."""

    run: str = ""
    said: str = ""


def live_figures(run: str, scores: DocumentScores | None, reason: str) -> LiveFigures:
    """Say precision, recall, F and s(x,b); the last is a dash where an entry point is missing."""
    if scores is None:
        return LiveFigures(run, reason if run else "")
    s = None if scores.distance is None else scores.s
    shown = (("P", scores.precision), ("R", scores.recall), ("F", scores.f), ("s", s))
    return LiveFigures(run, "   ".join(f"{name} {short(value)}" for name, value in shown))
