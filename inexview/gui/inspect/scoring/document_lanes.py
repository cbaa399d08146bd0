"""What each open run retrieved of the open document: lanes beside its text, the results behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from inexview.core.judgements.runs import UNKNOWN, Result, Run
from inexview.core.text.id_columns import Names
from inexview.core.text.spans import Offsets, Spans
from inexview.gui.article.margin_signs import heat_of
from inexview.gui.article.overlays import Heat, Lane
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.inspect.scoring.run_keys import are_same
from inexview.gui.services.session import Session

MOST_LANES = 8


@dataclass(frozen=True, eq=False)
class RunResults:
    """A run's lane beside a document, and what lies behind it."""

    run: Run
    topic: str
    document: str
    lane: Lane

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """The results of the run in the document, in rank order; made when one points at them."""
        return tuple(self.run.passages(self.topic, self.document))

    @cached_property
    def _bounds(self) -> tuple[Offsets, Offsets]:
        """Starts and ends (n,) of the results; a point counts as a character, an unknown place as none."""
        starts = np.array([one.start for one in self.results], np.int64)
        ends = np.array([one.end for one in self.results], np.int64)
        return starts, np.where(starts == UNKNOWN, starts, np.maximum(ends, starts + 1))

    def at(self, start: int, end: int) -> Result | None:
        """Return the best result that has any of the characters ``[start, end)``."""
        starts, ends = self._bounds
        met = np.flatnonzero((starts < end) & (start < ends))
        return self.results[int(met[0])] if len(met) else None


class DocumentLanes:
    """Looks up the results of all runs once for each document."""

    def __init__(self, session: Session, board: RunBoard) -> None:
        self._session = session
        self._board = board
        self._texts: tuple[tuple[object, ...], list[Spans]] = ((), [])
        self._made: tuple[tuple[object, ...], tuple[RunResults, ...]] = ((), ())
        self._heat: tuple[tuple[RunResults, ...], Heat] | None = None

    def all(self) -> tuple[RunResults, ...]:
        session = self._session
        if session.topic is None or session.document is None or not session.runs:
            return ()
        topic, document, runs, board = session.topic.id, session.document.id, session.runs, self._board
        place = session.topic, session.document, runs
        if not are_same(self._texts[0], place):
            self._texts = place, _texts(runs, topic, document)
        made_of = *place, board.current, board.baseline  # which have styles of their own
        if not are_same(self._made[0], made_of):
            name, styles, texts = board.name, map(board.style, runs), self._texts[1]
            self._made = (
                made_of,
                tuple(
                    RunResults(run, topic, document, Lane(name(run), style, text))
                    for run, style, text in zip(runs, styles, texts, strict=True)
                ),
            )
        return self._made[1]

    def shown(self) -> tuple[RunResults, ...]:
        """Return the runs that have a lane: all, or of too many those that are compared; none of one run."""
        every = self.all()
        if len(every) < 2:
            return ()
        if len(every) <= MOST_LANES:
            return every
        pair = {id(self._board.current), id(self._board.baseline)}
        return tuple(one for one in every if id(one.run) in pair)

    def heat(self) -> Heat | None:
        """Return how many runs agree, where they have no lane each."""
        every = self.all()
        if len(every) <= MOST_LANES:
            return None
        if self._heat is None or self._heat[0] is not every:
            self._heat = every, heat_of([one.lane for one in every])
        return self._heat[1]


def _texts(runs: Sequence[Run], topic: str, document: str) -> list[Spans]:
    """Return the characters of a document that each run retrieved, as far as it says where they are.

    All runs are looked through at once: with a hundred, what numpy takes for each call would be seen.
    """
    parts = [slice(rows.start, rows.stop) for rows in (run.rows(topic) for run in runs)]
    names = Names.joined([run.document.take(part) for run, part in zip(runs, parts, strict=True)])
    rows = np.flatnonzero(names.are(document))
    of = np.repeat(np.arange(len(runs)), [part.stop - part.start for part in parts])[rows]
    starts, sizes = (
        np.concatenate([column[part] for column, part in zip(columns, parts, strict=True)])[rows]
        for columns in ([run.start for run in runs], [run.size for run in runs])
    )
    known = starts != UNKNOWN
    ends = starts + np.maximum(sizes, 0)
    return Spans.several(of[known], starts[known], ends[known], len(runs))
