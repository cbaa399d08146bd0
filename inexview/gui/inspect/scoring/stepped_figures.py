"""The figures of one run while a parameter moves; those of all runs follow when it rests."""

from __future__ import annotations

from dataclasses import replace

from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import ParameterSteps
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.gui.inspect.scoring.run_figures import RunFigures
from inexview.gui.inspect.scoring.scoring_choice import ScoringChoice

NONE = RunFigures()


class SteppedFigures:
    """Scores one run at once with other parameters; what it is laid over is kept from step to step."""

    def __init__(self) -> None:
        self._made_of: tuple[Run, Qrels, ScoringSettings] | None = None
        self._steps: ParameterSteps | None = None

    def by(
        self, choice: ScoringChoice, known: RunFigures, run: Run | None, qrels: Qrels | None
    ) -> RunFigures:
        """Return a run's figures by a choice of other parameters than those of the ``known`` figures.

        None where the run has none there, and where the judgements are not known.
        """
        scores = None if run is None else known.scores.get(id(run))
        if run is None or qrels is None or scores is None:
            return NONE
        settings = replace(choice.settings(scores.task), changes={})
        try:
            if self._steps is None or self._made_of != (run, qrels, settings):
                self._steps = ParameterSteps(qrels, run, settings, scores)
                self._made_of = run, qrels, settings
            now = self._steps.scored(choice.parameters(scores.task))
        except InexviewError:  # the figures of all runs will say why
            return NONE
        return replace(known, scores={id(run): now}).showing(known.measures)
