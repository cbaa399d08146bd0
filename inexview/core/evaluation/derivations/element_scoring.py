"""Score and explain runs by judged elements, where a run is open as the passages that its elements are."""

from __future__ import annotations

from inexview.core.errors import InexviewError
from inexview.core.evaluation.derivations.explained import TopicExplained, explain_elements
from inexview.core.evaluation.evaluate_elements import score_element_run
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.formats.submission_xml.element_run_files import read_element_run
from inexview.core.judgements.elements import ElementQrels, ElementRun
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress, unwatched


class ElementScoring:
    """Judged elements, and the elements of runs, which are read from the run's file when they are wanted."""

    def __init__(self, qrels: ElementQrels) -> None:
        self.qrels = qrels
        self._read: dict[int, tuple[Run, ElementRun]] = {}

    def elements_of(self, run: Run) -> ElementRun:
        """Return the elements of a run; raises DataError where its file names none."""
        known = self._read.get(id(run))
        if known is None:
            if run.path is None:
                raise InexviewError(f"{run.id} has no file that names its elements")
            known = self._read[id(run)] = run, read_element_run(run.path)
        return known[1]

    def keep(self, runs: tuple[Run, ...]) -> None:
        """Forget the elements of all other runs."""
        here = {*map(id, runs)}
        for key in [key for key in self._read if key not in here]:
            self._read.pop(key, None)

    def score(self, run: Run, settings: ScoringSettings) -> RunScores:
        """Score a run; raises what :func:`score_element_run` and :meth:`elements_of` raise."""
        return score_element_run(self.qrels, self.elements_of(run), settings)

    def explain(
        self, run: Run, settings: ScoringSettings, topic: str, progress: Progress = unwatched
    ) -> TopicExplained:
        """Explain a topic of a run; raises what :func:`explain_elements` and :meth:`elements_of` raise."""
        return explain_elements(self.qrels, self.elements_of(run), settings, topic, progress=progress)
