"""The ranked list of the chosen run for the topic, true to the judgements, the baseline and what-if."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject

from inexview.core.judgements.runs import Run
from inexview.core.judgements.topics import Topic
from inexview.core.project.judging.document_state import DocumentState
from inexview.gui.inspect.ranking.ranked_columns import RankedColumn
from inexview.gui.inspect.ranking.ranked_list import RankedList
from inexview.gui.inspect.scoring.ranked_rows import DocumentFaults, RankedDocument, Rows
from inexview.gui.inspect.scoring.ranking_costs import CostsOfRanking
from inexview.gui.inspect.scoring.rankings import Ranking, Retrieved, ranked_row
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.inspect.scoring.scored_judgement import scored_judgement
from inexview.gui.inspect.scoring.scratch_copies import ScratchCopies
from inexview.gui.look.layouts import WhenSeen
from inexview.gui.look.theme import RelevanceState
from inexview.gui.services.document_record import StateChanged
from inexview.gui.services.session import Session
from inexview.gui.services.settings import NOT_RANKED, Settings
from inexview.gui.services.tasks import Tasks


class TopicRanking(QObject):
    """Lists what the chosen run ranked for the topic, and after it what it misses, once somebody looks."""

    def __init__(
        self,
        session: Session,
        board: RunBoard,
        scratch_copies: ScratchCopies,
        tasks: Tasks,
        settings: Settings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.list = RankedList()
        self._seen = WhenSeen(self.list, self._show)
        self._session = session
        self._board = board
        self._scratch_copies = scratch_copies
        self._ranking: Ranking | None = None  # the one asked for last
        self._listed: Ranking | None = None
        self._held = frozenset[str]()  # the documents that have a row, also those that it misses
        self._before: Ranking | None = None  # of the run itself, where a scratch copy's is listed
        self._here: tuple[Ranking, str, Retrieved] | None = None
        self._outdated = False  # documents of the ranking that is listed may be judged differently by now
        self._wholes: Mapping[str, bool] = {}  # of the documents that are judged as wholes, the relevant ones
        self._other: Ranking | None = None  # of the baseline
        self._compared_with: tuple[Run, str] | None = None
        self.costs = CostsOfRanking(board, tasks, self)
        self.costs.known.connect(self.list.set_costs)
        away = settings.get(NOT_RANKED)
        self.list.show_columns(frozenset(column for column in RankedColumn if column.name not in away))
        self.list.columns_chosen.connect(
            lambda wanted: settings.set(NOT_RANKED, [one.name for one in RankedColumn if one not in wanted])
        )
        session.state_changed.connect(self._show_state)
        session.part_judged.connect(self._show_state)
        session.catalogue.learned.connect(self.list.renew)

    def here(self) -> Retrieved | None:
        """Return what the run retrieved of the open document; nothing at all is an empty set of passages."""
        document, ranking = self._session.document, self._known()
        if document is None or ranking is None:
            return None
        if self._here is None or self._here[0] is not ranking or self._here[1] != document.id:
            self._here = ranking, document.id, ranking.retrieved(document.id)
        return self._here[2]

    def _known(self) -> Ranking | None:
        """Return the ranking of the run, or of its scratch copy, for the topic."""
        session, ranking = self._session, self._ranking
        if session.topic is None or session.run is None:
            return None
        run = self._scratch_copies.ranking(session.topic.id)
        run = session.run if run is None else run  # of a scratch copy nothing may be left
        if ranking is None or ranking.run is not run or ranking.topic != session.topic.id:
            ranking = self._ranking = Ranking(run, session.topic.id)
        return ranking

    # -- the list ------------------------------------------------------------------------------------

    def show(self) -> None:
        """List the run's documents for the topic with what is known of them now."""
        self._seen.refresh()

    def list_now(self) -> RankedList:
        """Return the list as it is now, also while it is not seen."""
        self._show()
        return self.list

    def list_again(self) -> None:
        """List them although run and topic may be the same: judgements may not be."""
        self.outdate()
        self.show()

    def outdate(self) -> None:
        """Have them listed again when they are shown next."""
        self._outdated = True

    def _show(self) -> None:
        self._compare()
        self._list()
        session, listed = self._session, self._listed
        if session.run is not None and session.topic is not None:
            self.list.heading.set_text(*self._heading(session.run, session.topic))
        known = listed is not None and not self._outdated and self.costs.ask(listed.run, listed.topic)
        if not known:
            self.list.show_costs_stale(True)  # those of before, or by another measure

    def _list(self) -> None:
        """List the ranking, and after it what it does not hold, once it is known how all is judged."""
        session, ranking, ready = self._session, self._known(), self._session.reading.ready
        if ranking is self._listed and not (self._outdated and ready):
            return
        last, self._listed, self._outdated = self._listed, ranking, not ready
        if ranking is None or session.topic is None or session.run is None or not ready:
            self.list.set_documents(None)  # not those of another topic
            return
        topic = session.topic
        states = {name: session.state_of(name) for name in session.project.touched(topic.id)}
        relevant = {name for name, state in states.items() if state.finished and state.relevant}
        wholes = self._wholes = self._board.judged_as_wholes(topic.id)
        relevant |= {name for name, own in wholes.items() if own}
        missed = session.in_pool_order(name for name in relevant if name not in ranking)
        scratch = ranking.run is not session.run
        before = self._before = Ranking(session.run, topic.id) if scratch else None
        had = () if before is None else before.documents
        dropped = [name for name in had if name not in ranking and name not in relevant]
        whole = (name for name in wholes if name in ranking)
        judged = {**ranking.faults(states), **dict.fromkeys(whole, DocumentFaults.NONE)}
        judged |= dict.fromkeys(missed, DocumentFaults.MISSED)
        judged |= dict.fromkeys(dropped, DocumentFaults.NONE)
        rows = Rows([*ranking.documents, *missed, *dropped], self._rows, judged)
        self._held = frozenset(rows.documents)
        heading = self._heading(session.run, topic)
        style = self._board.style(session.run)
        other = last is None or last.topic != topic.id
        self.list.set_documents(rows, run_style=style, heading=heading, scratch=scratch, other_topic=other)
        if session.document_id is not None:
            self.list.set_current(session.document_id)

    def _compare(self) -> None:
        """List beside each document what the baseline made of it."""
        topic, other = self._session.topic, self._board.baseline
        alone = topic is None or other is None or other is self._session.run
        wanted = None if alone or topic is None or other is None else (other, topic.id)
        if wanted != self._compared_with:
            self._compared_with = wanted
            self._other = None if wanted is None else Ranking(*wanted)
            self.list.compare_with(None if other is None or wanted is None else self._board.style(other))

    def _heading(self, run: Run, topic: Topic) -> tuple[str, str]:
        figures = self._board.shown(run)
        value = figures.of_topic(run, topic.id)
        told = "" if value is None or self._scratch_copies.active else f"{figures.topic_name} {value:.4f}"
        if self._board.is_stale(run):
            told = self._board.why_stale
        elif problem := figures.problem_of(run):
            told = problem
        named = "" if len(self._board.runs) > 1 else run.id  # of several it is said above
        return f"Topic {topic.id}", " · ".join(part for part in (told, named) if part)

    def preview(self, state: DocumentState | None, retrieved: Retrieved | None = None) -> None:
        """Show the open document as a stroke would have it, judged so or retrieved so; None: all as it is."""
        document, listed = self._session.document_id, self._listed
        if state is None:
            self.list.preview(None)
        elif document is not None and listed is not None:
            (there,) = self._retrieved_there([document])
            self.list.preview(self._row(retrieved or listed.retrieved(document), state, there))

    def _rows(self, documents: Sequence[str]) -> list[RankedDocument]:
        assert self._listed is not None, "there are rows"
        return [
            self._row(found, self._session.state_of(found.document), there)
            for found, there in zip(
                self._listed.retrieved_of(documents), self._retrieved_there(documents), strict=True
            )
        ]

    def _retrieved_there(self, documents: Sequence[str]) -> Sequence[Retrieved | None]:
        """Return what the baseline retrieved of documents."""
        return [None] * len(documents) if self._other is None else self._other.retrieved_of(documents)

    def _row(self, retrieved: Retrieved, state: DocumentState, there: Retrieved | None) -> RankedDocument:
        session, document = self._session, retrieved.document
        about = session.catalogue.about(document)
        row = ranked_row(
            retrieved,
            state,
            about,
            self._board.parameters,
            scored_judgement(session, self._board.given, document, state, about.length),
            other=there,
            task=self._board.task,
        )
        if self._before is not None:
            row = replace(row, was=self._before.rank(document))
        relevant = self._wholes.get(document)
        if relevant is None:
            return row
        return replace(row, state=RelevanceState.RELEVANT if relevant else RelevanceState.NOT_RELEVANT)

    def _show_state(self, change: StateChanged) -> None:
        if not self.list.isVisible():
            self.list_again()
        elif self._listed is not None:
            states = {name: self._session.state_of(name) for name in change.documents}
            relevant = {name for name, state in states.items() if state.finished and state.relevant}
            if not relevant <= self._held:  # the run misses one more
                self.list_again()
                return
            faults = dict.fromkeys(states, DocumentFaults.MISSED) | self._listed.faults(states)
            for document, fault in faults.items():
                self.list.judge(document, fault)
