"""What is scored off the window's thread: runs by the judgements of one moment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from inexview.core.collection.collection import Collection
from inexview.core.evaluation.explain import ElementScoring
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress
from inexview.core.project.exchange.judgement_export import finished_judgements
from inexview.gui.inspect.scoring.run_figures import RunFigures, run_figures
from inexview.gui.inspect.scoring.scoring_choice import ScoringChoice


@dataclass(frozen=True, slots=True, eq=False)
class ScoringWork:
    """All that a worker needs to know, so that the window may go on meanwhile."""

    project: Path
    collection: Collection
    runs: tuple[Run, ...]
    current: Run | None
    choice: ScoringChoice
    judged: Qrels | ElementScoring | None
    """None: what is finished in the project, read from its file."""
    known: RunFigures | None
    """Scores that hold still."""
    before: tuple[Qrels, RunFigures] | None
    """Scores that hold where what is finished is what was finished before."""

    def __call__(self, progress: Progress) -> tuple[Qrels | None, RunFigures]:
        """Return the judgements, None where elements are judged, and what the runs score by them."""
        judged, known = self.judged, self.known
        if judged is None:
            judged = finished_judgements(self.project, self.collection)
            if self.before is not None and judged == self.before[0]:
                judged, known = self.before
        figures = run_figures(judged, self.runs, self.choice, self.current, known=known, progress=progress)
        return None if isinstance(judged, ElementScoring) else judged, figures
