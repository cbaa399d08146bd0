"""Explains the figures that Inspect shows: of runs, topics and documents, and how two of them differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject

from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparison import RunDifference
from inexview.core.evaluation.derivations import RANK, Derivation
from inexview.core.evaluation.explain import (
    ElementScoring,
    derive_characters,
    derive_cost,
    derive_document,
    derive_place,
)
from inexview.core.evaluation.run_derivations import (
    TOPICS,
    derive_compared_mean,
    derive_coverage,
    derive_pair,
    derive_rank,
)
from inexview.core.evaluation.scores import ScoringSettings, means_without
from inexview.core.evaluation.scratch_run import ranking_of
from inexview.core.evaluation.variants import RankingFault
from inexview.core.judgements.runs import Run
from inexview.core.measures.measure import parse
from inexview.core.progress import Progress
from inexview.gui.inspect.figures.explained_figures import (
    Explained,
    ExplainedAlone,
    ExplainedDifference,
    ExplainedRun,
    ExplainedTopic,
)
from inexview.gui.inspect.figures.figure_asked import OPEN, FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.scoring.rankings import Ranking
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.inspect.scoring.run_keys import place_of
from inexview.gui.inspect.scoring.scored_judgement import scored_judgement
from inexview.gui.inspect.scoring.scratch_copies import ScratchCopies
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import BackgroundTask, Tasks

COPY, MENDED = "scratch copy", "mended"


class FigureExplainer(QObject):
    """Makes what a figure is made of; what takes long off the window's thread, one at a time."""

    def __init__(
        self, session: Session, board: RunBoard, scratch_copies: ScratchCopies, tasks: Tasks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._board = board
        self._scratch_copies = scratch_copies
        self._tasks = tasks
        self._task: BackgroundTask | None = None

    def explain(self, asked: FigureAsked, done: Callable[[Explained | None], None]) -> None:
        """Explain a figure of what is open; None where there is none."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        board, compared = self._board, asked.of in (FigureOf.LEAD, FigureOf.BASELINE)
        alone = compared and board.baseline in (None, board.current)
        if asked.made is not None:
            done(asked.made())
        elif board.current is None or alone or (asked.of.scratched and self._scratch_copies.copy is None):
            done(None)
        elif asked.level is FigureLevel.RUN:
            done(self._of_run(asked))
        elif asked.level is FigureLevel.DOCUMENT:
            done(self._of_document(asked))
        else:
            self._explain_topic(asked, done)

    def choices(self) -> tuple[FigureOf, ...]:
        board = self._board
        pair = board.baseline is not None and board.baseline is not board.current
        lead = (FigureOf.BASELINE, FigureOf.LEAD) if pair else ()
        scratch = (FigureOf.SCRATCH, FigureOf.CHANGE) if self._scratch_copies.active else ()
        return (FigureOf.RUN, *lead, *scratch)

    def deciding(self, level: FigureLevel) -> str:
        """Return the measure that is explained where none is named."""
        if level is FigureLevel.DOCUMENT:
            return "F(d)"
        figures = self._board.figures
        return figures.deciding if level is FigureLevel.RUN else figures.topic_name

    def _names(self, of: FigureOf) -> tuple[str, str]:
        run, baseline = self._board.current, self._board.baseline
        own = "" if run is None else self._board.name(run)
        if of is FigureOf.LEAD:
            return own, "" if baseline is None else self._board.name(baseline)
        return MENDED if of is FigureOf.MENDED else COPY, own

    # -- runs ----------------------------------------------------------------------------------------

    def _of_run(self, asked: FigureAsked) -> Explained | None:
        board, copy = self._board, self._scratch_copies.copy
        run = board.baseline if asked.of is FigureOf.BASELINE else board.current
        scores = board.scores(run)
        if scores is None or asked.of is FigureOf.LEAD:
            return self._of_pair(asked.without) if scores is not None else None
        own = ExplainedRun.of(scores, self._more(run, scores.mean, scores.topics))
        if (mending := self._mending(asked)) is not None:
            return self._of_mended_run(own, asked.topic, mending)
        scorer = self._scratch_copies.scorer() if asked.of.scratched else None
        if scorer is None or copy is None:
            return None if asked.of.scratched else own
        try:
            changed = scorer.score(copy.scratch)
        except InexviewError:
            return None
        explained = ExplainedRun.of(changed, self._more(run, changed.mean, changed.topics))
        if asked.of is FigureOf.SCRATCH:
            return explained
        return ExplainedDifference.of(explained, own, self._names(asked.of), own.means)

    def _of_mended_run(self, own: ExplainedRun, topic: str, mending: RankingFault) -> Explained | None:
        """Explain what the means would gain were something in a topic mended."""
        board, run = self._board, self._board.current
        scorer, scores = self._scratch_copies.scorer(), board.scores(run)
        if scorer is None or scores is None or run is None or board.qrels is None:
            return None
        if topic not in scores.topics:
            return None
        mended = mending.put_right(ranking_of(run, topic), board.qrels, board.task)
        column = scorer.of_ranking(topic, mended)
        values = scores.values.copy()
        values[:, scores.topics.index(topic)] = [column.get(name, 0.0) for name in scores.names]
        changed = ExplainedRun.of(scores.with_values(values, scores.topics))
        return ExplainedDifference.of(changed, own, self._names(FigureOf.MENDED), own.means)

    def _more(
        self, own: Run | None, means: dict[str, float], topics: tuple[str, ...]
    ) -> dict[str, Derivation]:
        """Derive the rank of a run with these means among the runs, and how many topics it covers."""
        board = self._board
        runs, decides = board.scored(), board.figures.deciding
        at = place_of(own, runs)
        if at is None:
            return {}
        shown = [means[decides] if run is own else board.figures.of(run)[decides] for run in runs]
        return {
            RANK: derive_rank([board.name(run) for run in runs], shown, at, decides),
            TOPICS: derive_coverage(board.figures.topics, topics),
        }

    def _of_pair(self, without: str) -> Explained | None:
        """Explain what the comparison says of the run in the foreground and the baseline."""
        board = self._board
        found = board.pairs.of(board.current, board.baseline)
        if found is None or board.current is None or board.baseline is None:
            return None
        if without:
            found = board.pairs.without(without, board.current, board.baseline)
            if found is None:
                return None
        turned = found.comparison.difference(found.second, found.first)
        one, other = self._compared(found), self._compared(turned)
        more = derive_pair(found)
        return ExplainedDifference.of(one, other, self._names(FigureOf.LEAD), one.means, more)

    def _compared(self, found: RunDifference) -> ExplainedRun:
        """Explain the mean of the first of two runs that are compared."""
        mean = derive_compared_mean(found, self._board.figures.topic_name)
        geometric = np.arange(int(found.comparison.geometric))
        without = means_without(found.scores[:1], geometric)
        return ExplainedRun({mean.measure: mean}, (mean.measure,), without)

    # -- topics --------------------------------------------------------------------------------------

    def _explain_topic(self, asked: FigureAsked, done: Callable[[Explained | None], None]) -> None:
        board, opened = self._board, self._session.topic
        first, second = self._rankings(asked)
        task, qrels, names = board.task, board.qrels, self._names(asked.of)
        if asked.change is not None:
            names = f"after change {asked.change + 1}", "before"
        if first is not None and opened is not None and board.elements is not None:
            self._explain_elements(asked, board.elements, (first, second), opened.id, done)
            return
        if first is None or task is None or qrels is None or opened is None:
            done(None)
            return
        point = None if asked.point is None else (asked.point.kind, asked.point.at)
        settings = self._settings("" if point else asked.measure)
        topic, differs = opened.id, asked.of.difference

        def work() -> Explained | None:
            one = ExplainedTopic.of(qrels, first, settings, topic, point)
            if not differs:
                return one
            other = None if second is None else ExplainedTopic.of(qrels, second, settings, topic)
            measures = () if one is None else tuple(one.derivations)
            return ExplainedDifference.of(one, other, names, measures)

        self._task = self._tasks.run(work, done, urgent=False)

    def _explain_elements(
        self,
        asked: FigureAsked,
        elements: ElementScoring,
        runs: tuple[Run, Run | None],
        topic: str,
        done: Callable[[Explained | None], None],
    ) -> None:
        """Derive by judged elements; what each measure is without each element takes a while."""
        first, second = runs
        scores, names = self._board.scores(self._board.current), self._names(asked.of)
        if scores is None or asked.of.scratched:
            done(None)
            return
        measure = asked.measure if asked.measure in scores.names else self.deciding(FigureLevel.TOPIC)
        measures = dict.fromkeys([measure, *scores.reported])
        settings = replace(self._settings(""), measures=tuple(map(parse, measures)))

        def work(progress: Progress) -> Explained | None:
            one = ExplainedTopic.of_elements(elements, first, settings, topic, progress)
            if not asked.of.difference:
                return one
            other = ExplainedTopic.of_elements(elements, second or first, settings, topic, progress)
            return ExplainedDifference.of(one, other, names, () if one is None else tuple(one.derivations))

        said = f"Deriving {measure} of {first.id}"
        self._task = self._tasks.run_long(said, work, done, given_up=lambda: done(None))

    def _settings(self, measure: str) -> ScoringSettings:
        """Return how the runs are scored, with a measure more that is not among those computed."""
        board = self._board
        assert board.task is not None, "there is a task"
        settings, scores = board.choice.settings(board.task), board.scores(board.current)
        if measure and scores is not None and measure not in scores.names:
            return replace(settings, measures=(parse(board.figures.deciding), parse(measure)))
        return settings

    def _rankings(self, asked: FigureAsked) -> tuple[Run | None, Run | None]:
        """Return the ranking whose figures are explained, and the one that they are held against."""
        board, copy, topic = self._board, self._scratch_copies.copy, self._session.topic
        of, change, run, mending = asked.of, asked.change, self._board.current, self._mending(asked)
        if of is FigureOf.BASELINE:
            return board.baseline, None
        if mending is not None:
            if run is None or topic is None or board.qrels is None:
                return None, None
            return mending.put_right(ranking_of(run, topic.id), board.qrels, board.task), run
        if change is not None and copy is not None:
            made = copy.scratch.changes[change : change + 1]
            return (made[0].after, made[0].before) if made else (None, None)
        if of.scratched and copy is not None and topic is not None:
            return copy.scratch.ranking(topic.id), board.current
        return board.current, board.baseline

    def _mending(self, asked: FigureAsked) -> RankingFault | None:
        """Return what is mended, in the open document where none is named."""
        if asked.mending is None or asked.mending.document != OPEN:
            return asked.mending
        return replace(asked.mending, document=self._session.document_id or OPEN)

    # -- documents -----------------------------------------------------------------------------------

    def _of_document(self, asked: FigureAsked) -> Explained | None:
        first, second = (self._passages(ranking, asked) for ranking in self._rankings(asked))
        if not asked.of.difference:
            return first
        measures = (
            ()
            if first is None or second is None
            else tuple(name for name in first.derivations if name in second.derivations)
        )
        return ExplainedDifference.of(first, second, self._names(asked.of), measures)

    def _passages(self, run: Run | None, asked: FigureAsked) -> ExplainedAlone | None:
        """Derive the figures of the open document under a run; of one that is not judged those it has."""
        session = self._session
        document, topic, state = session.document, session.topic, session.state
        if document is None or topic is None or run is None:
            return None
        ranking = Ranking(run, topic.id)
        here = ranking.retrieved(document.id)
        judged = scored_judgement(session, self._board.given, document.id, state, document.length)
        marks = None if judged is None else judged.passages
        told = (
            []
            if judged is None
            else derive_document(
                document.id,
                judged.passages,
                here.passages,
                length=judged.length,
                bep=judged.bep,
                entry=here.scored_entry,
                rsize=judged.rsize,
                nowhere=here.nowhere,
                parameters=self._board.parameters,
            )
        )
        if asked.cost is not None:
            told.append(derive_cost(document.id, asked.cost))
        told += derive_characters(document.id, marks, here.passages, length=document.length)
        place = derive_place(document.id, ranking.documents)
        listed = told if place is None else [*told, place]
        return ExplainedAlone({one.measure: one for one in listed}) if listed else None
