"""The left panel over all topics: what decides, the runs with their figures, and what these leave out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QWidget

from inexview.core.evaluation.comparison import RunDifference, interval_text, marks_meaning
from inexview.core.evaluation.scores import RunScores, TopicScores
from inexview.core.judgements.runs import Run, Task
from inexview.core.report import difference_text
from inexview.core.wording import counted
from inexview.gui.inspect.figures.explained_figures import ExplainedRun
from inexview.gui.inspect.figures.figure_asked import FigureAsked, FigureLevel
from inexview.gui.inspect.figures.figure_clicks import FigureClicks
from inexview.gui.inspect.runs.run_list import RunList
from inexview.gui.inspect.runs.run_model import RunRow
from inexview.gui.inspect.runs.scoring_bar import ScoringBar
from inexview.gui.inspect.scoring.edit_mode import EditMode
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.inspect.scoring.run_figures import NO_TASK
from inexview.gui.inspect.scoring.run_keys import key_of
from inexview.gui.inspect.scoring.scoring_choice import presets_for
from inexview.gui.inspect.scoring.task_words import TASK_WORDS
from inexview.gui.look.layouts import WhenSeen, in_column
from inexview.gui.look.theme import Theme
from inexview.gui.services.session import Session

JUDGED = "Scored by {}, not by the judgements over the text; A in the chart of judgements goes back."


class RunsPanel(QWidget):
    """Shows what the board knows, and passes on what a person chooses."""

    wanted = Signal()  # one more run

    def __init__(self, session: Session, board: RunBoard, editing: EditMode) -> None:
        super().__init__()
        self._board = board
        self._editing = editing
        self._session = session
        self.bar = ScoringBar()
        self._bar_shown: tuple[object, ...] = ()
        self.list = RunList()
        self._listed = WhenSeen(self, self._show_list)
        in_column(self.list, on=self, margins=0, spacing=0)
        board.figured.connect(self.show_all)
        editing.changed.connect(self._show_notes)
        self._connect()
        self.show_all()

    def _connect(self) -> None:
        board, runs, bar = self._board, self.list, self.bar
        runs.wanted.connect(self.wanted)
        runs.chosen.connect(lambda key: self._session.select_run(board.by_key(key)))
        runs.removed.connect(self._remove)
        runs.baselined.connect(lambda key: board.compare_with(board.by_key(key)))
        runs.task_chosen.connect(self._choose_task)
        runs.completed.connect(lambda on: board.choose(replace(board.choice, complete=on)))
        bar.task_chosen.connect(self._choose_task)
        bar.preset_chosen.connect(lambda name: board.choose(replace(board.choice, preset=name, changes={})))
        bar.measures_chosen.connect(self._choose_measures)

    def set_theme(self, theme: Theme) -> None:
        self.list.set_theme(theme)

    # -- showing -------------------------------------------------------------------------------------

    def show_all(self) -> None:
        self._show_bar()
        self._listed.refresh()

    def list_now(self) -> RunList:
        """Return the table of the runs as they are now, also while it is not seen."""
        self._show_list()
        return self.list

    def _show_list(self) -> None:
        board = self._board
        compared = board.pairs.differences()
        rows = [self._row(run, compared) for run in board.runs]
        self.list.set_runs(rows, board.figures.measures if board.task is not None else ())
        self.list.set_current(None if board.current is None else key_of(board.current))
        several = f"{len(board.runs)} open" if len(board.runs) > 1 else ""
        stale = any(map(board.is_stale, board.runs))
        said = " · ".join(part for part in (several, board.why_stale if stale else "") if part)
        self.list.set_heading(said, stale=stale)
        self.list.ask_for_task(bool(board.runs) and board.task is None)
        self._show_notes()

    def _show_bar(self) -> None:
        board, task, choice = self._board, self._board.task, self._board.choice
        declared = [task for task in map(choice.own_task, board.runs) if task is not None]
        preset, changed = None, False
        measures: tuple[tuple[str, ...], tuple[str, ...]] = (), ()
        if task is not None:
            preset, measures = choice.preset_of(task), (choice.shown(task), choice.available(task))
            changed = choice.parameters(task) != preset.parameters
        shown = choice.task, task, declared, bool(board.runs), preset, changed, measures
        if shown == self._bar_shown:
            return
        self._bar_shown = shown
        self.bar.setVisible(bool(board.runs))
        self.bar.show_tasks(choice.task, task, declared)
        if task is None or preset is None:
            self.bar.preset.hide()
        else:
            self.bar.show_presets(task, preset, presets_for(task), changed=changed)
        self.bar.show_measures(*measures)

    def _row(self, run: Run, compared: Mapping[int, RunDifference]) -> RunRow:
        board = self._board
        figures, difference = board.shown(run), compared.get(id(run))
        scores = figures.scores.get(id(run))
        is_base = run is board.baseline and len(board.scored()) > 1
        return RunRow(
            key=key_of(run),
            name=board.name(run),
            style=board.style(run),
            figures=figures.of(run),
            covered=None if scores is None else scores.counts.topics_judged - scores.counts.topics_missing,
            judged=0 if scores is None else scores.counts.topics_judged,
            difference=None if difference is None else difference.mean,
            mark="" if difference is None else difference.mark,
            baseline=is_base,
            said=self._said(run),
            told=partial(self._tip, run, scores, difference),
        )

    def _said(self, run: Run) -> str:
        """Say why a run has no figures, or that it is scored for another task than its own."""
        board = self._board
        if problem := board.figures.problem_of(run):
            return problem
        if run.unknown_task:
            return f"task {run.unknown_task} is not known"
        own = board.choice.own_task(run)
        if own is None:
            return "" if board.choice.task is not None else NO_TASK
        return "" if own is board.task else f"declared {own.value}"

    def _tip(self, run: Run, scores: RunScores | None, difference: RunDifference | None) -> str:
        problem = self._board.figures.problems.get(id(run))
        lines = [run.id, str(run.path or "")]
        if problem is not None:
            lines += f"Not scored: {problem}".split("\n")[:3]
        if run.unknown_task:
            lines += [f"Its file says the task {run.unknown_task}; known are {', '.join(Task)}."]
        if difference is not None and not math.isnan(difference.pair.low):
            mean, topics = difference_text(difference.mean, 4), counted(len(difference.topics), "topic")
            lines += [
                f"{mean} against the baseline, {topics}, 95 % interval {interval_text(*difference.interval)}"
            ]
        if scores is not None:
            preset = scores.preset.said_with(scores.parameters, scores.task)
            lines += [f"{TASK_WORDS[scores.task]}, {preset}"]
            lines += scores.warnings[:3]
        return "\n".join(line for line in lines if line)

    def _show_notes(self) -> None:
        board = self._board
        other = board.judged_by and JUDGED.format(board.judged_by)
        reopened = self._editing.said if board.runs else ""
        notes = [other, reopened, board.figures.nothing]
        compared = None if board.stale else board.pairs.with_baseline()
        if compared is not None and any(row.mark for row in self.list.model.rows):
            notes.append(f"{marks_meaning(compared)}.")
        lacking = self._lacks(self._lacking())
        self.list.show_notes([note for note in notes if note], lacking, complete=board.choice.complete)

    def _lacking(self) -> list[Run]:
        """Return the runs whose means leave topics out, unless these count as 0."""
        board = self._board
        if board.stale or board.choice.complete:
            return []
        return [run for run in board.scored() if board.figures.scores[id(run)].counts.topics_missing]

    def _lacks(self, lacking: Sequence[Run]) -> str:
        """Say in a line which runs lack judged topics; of a single one also its mean with these as 0."""
        if not lacking:
            return ""
        board, judged = self._board, len(self._board.figures.topics)
        counts = [len(board.figures.scores[id(run)].topics) for run in lacking]
        if len(lacking) == 1:
            zero = self._with_all_topics(lacking[0]).mean[board.figures.deciding]
            name = board.name(lacking[0])
            return f"{name} has {counts[0]} of {judged} topics; with the others as 0: {zero:.4f}."
        runs = counted(len(lacking), "run")
        return f"{runs} have {min(counts)} to {max(counts)} of {judged} topics, and come after the others."

    def _with_all_topics(self, run: Run) -> TopicScores:
        """Return the scores of a run over every judged topic, those that it lacks as 0."""
        scores, topics = self._board.figures.scores[id(run)], self._board.figures.topics
        values = np.zeros((len(scores.names), len(topics)))
        values[:, [topics.index(topic) for topic in scores.topics]] = scores.values
        return scores.with_values(values, tuple(topics))

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Let the means over every judged topic be asked for."""
        clicks.watch(self.list.lacking, self._figure_of_note)

    def _figure_of_note(self, _point: QPoint) -> FigureAsked | None:
        lacking = self._lacking()
        if len(lacking) != 1:
            return None
        made = partial(ExplainedRun.of, self._with_all_topics(lacking[0]))
        return FigureAsked(FigureLevel.RUN, self._board.figures.deciding, made=made)

    # -- choosing ------------------------------------------------------------------------------------

    def _remove(self, key: str) -> None:
        run = self._board.by_key(key)
        if run is not None:
            self._session.close_run(run)

    def _choose_task(self, task: Task | None) -> None:
        self._board.choose(replace(self._board.choice, task=task))

    def _choose_measures(self, names: tuple[str, ...]) -> None:
        if self._board.task is not None:
            self._board.choose(self._board.choice.show(self._board.task, names))
