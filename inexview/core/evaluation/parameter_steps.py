"""A run scored again and again with other parameters, as a slider moves: it is laid over qrels once."""

from __future__ import annotations

from dataclasses import replace

from inexview.core.evaluation.laid_run import lay
from inexview.core.evaluation.measure_values import compute
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.measures.measure import Parameters


class ParameterSteps:
    """Scores a run as :func:`evaluate` does, each time with other parameters of the measures."""

    def __init__(self, qrels: Qrels, run: Run, settings: ScoringSettings, scores: RunScores) -> None:
        """``scores`` are the run's by these settings; raises what :func:`evaluate` raises."""
        self._laid = lay(qrels, run, settings)
        self._scores = scores

    def scored(self, parameters: Parameters) -> RunScores:
        """Return the scores with these parameters; what counts and warnings say is the same with all."""
        values, curve = compute(self._laid.joined, parameters, self._laid.wanted)
        return replace(self._scores, parameters=parameters, values=values, curve=curve)
