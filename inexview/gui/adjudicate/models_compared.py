"""Models compared with a person on the open topic: figures and quotes, computed in background threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from inexview.core.answers.judges import FoundQuote, ModelLabel, ModelLabels, quotes_read
from inexview.core.open_runs.judges import ModelStanding, standing_in_topic
from inexview.core.project.model_labels import Person, persons_beside, persons_of
from inexview.gui.adjudicate.adjudicate_controller import LayerComparison
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import BackgroundTask, Tasks

Quotes = Mapping[str, Sequence[FoundQuote]]
"""The quotes of a model by document, with the places found."""


class ModelsCompared(QObject):
    """Compares models with a person; results are kept until their inputs change."""

    changed = Signal()
    failed = Signal(object)  # Exception

    def __init__(self, session: Session, tasks: Tasks, comparison: LayerComparison) -> None:
        super().__init__(session)
        self._session, self._tasks, self._comparison = session, tasks, comparison
        self.persons: Sequence[Person] | None = None
        """The project's own assessor first, if anything is finished; None until known."""
        self.models: Mapping[str, ModelLabels] = {}
        self.standings: dict[str, ModelStanding] = {}
        self.quotes: dict[str, Quotes] = {}
        self.person, self.model = 0, ""  # the chosen person, and the model that is compared first
        self._stale = True  # whether persons or models may have changed
        self._asked: tuple[object, ...] = ()
        self._under_way: dict[str, BackgroundTask] = {}
        for other in (
            session.topic_changed, session.judgements_changed, session.record.remarks_changed,
            comparison.layers_changed,
        ):  # fmt: skip
            other.connect(lambda _told=None: self.forget())

    def forget(self) -> None:
        """Mark the results as outdated, because judgements, labels or layers changed."""
        self._stale = True

    def ask(self) -> None:
        """Bring the results up to date with topic, runs and judgements."""
        session, project = self._session, self._session.project
        if session.topic is None:
            return
        if self._stale:
            self._stop("persons")
            self._stale, self._asked = False, ()
            self.persons, self.standings, self.quotes = None, {}, {}
            self.models = project.judges.of_topic(session.topic.id)
            if self.model not in self.models:
                self.model = next(iter(self.models), "")
            self._find_persons(session.topic.id)
        asked = (tuple(map(id, session.runs)), project.judges.asked, self.person)
        if self.persons is not None and asked != self._asked:
            self._asked = asked
            self.standings, self.quotes = {}, {}
            self._compare(session.topic.id, self.persons)

    def _stop(self, *names: str) -> None:
        for name in (*names, "models", "quotes"):
            if (task := self._under_way.pop(name, None)) is not None:
                task.cancel()

    def _find_persons(self, topic: str) -> None:
        project, layers = self._session.project, self._comparison.opened
        if project.damage is not None or not self.models:  # a damaged project can only be read in this thread
            self.persons = persons_of(project, topic, layers) if self.models else []
            return
        path, collection = project.path, project.collection

        def take(persons: Sequence[Person]) -> None:
            self.persons = persons
            self.person = min(self.person, max(len(persons) - 1, 0))
            self.ask()
            self.changed.emit()

        self._under_way["persons"] = self._tasks.run(
            lambda: persons_beside(path, collection, topic, layers), take, self._fail
        )

    def _fail(self, error: Exception) -> None:
        self.persons = []
        self.failed.emit(error)
        self.changed.emit()

    def _compare(self, topic: str, persons: Sequence[Person]) -> None:
        """Compare every model, the chosen one first, and then look for its quotes."""
        self._stop()
        if not persons:
            return
        person, runs, models = persons[self.person].qrels, self._session.runs, self.models
        asked = self._session.project.judges.asked

        def compare(model: str) -> ModelStanding:
            return standing_in_topic(
                model, topic, person, models[model], runs,
                kappa_asked=asked.kappa, tau_asked=asked.tau, measure=asked.measure,
            )  # fmt: skip

        def go_on(left: Sequence[str]) -> None:
            if left:
                first, *others = left
                self._under_way["models"] = self._tasks.run(
                    partial(compare, first), partial(take, others), partial(fail, others)
                )

        def take(others: Sequence[str], found: ModelStanding) -> None:
            self.standings[found.model] = found
            if found.model == self.model:
                self.read_quotes()
            self.changed.emit()
            go_on(others)

        def fail(others: Sequence[str], error: Exception) -> None:
            self.failed.emit(error)
            go_on(others)

        go_on(sorted(models, key=lambda name: name != self.model))

    def read_quotes(self) -> None:
        """Find the quotes of the chosen model in the texts, once it is compared."""
        model, standing = self.model, self.standings.get(self.model)
        if standing is None or model in self.quotes:
            return
        preparation = self._session.preparation
        if not preparation.ready:  # the folder of the texts is not known yet
            preparation.when_ready(self.read_quotes, lambda: None)
            return
        collection = self._session.project.collection
        labels = [one.label for one in standing.documents if one.label.quotes]

        def take(read: Sequence[tuple[ModelLabel, tuple[FoundQuote, ...]]]) -> None:
            self.quotes[model] = {label.document: found for label, found in read}
            self.changed.emit()

        self._stop_quotes()
        self._under_way["quotes"] = self._tasks.run(
            lambda: quotes_read(labels, collection), take, self._fail_quotes, urgent=False, of_articles=True
        )

    def _stop_quotes(self) -> None:
        if (task := self._under_way.pop("quotes", None)) is not None:
            task.cancel()

    def _fail_quotes(self, error: Exception) -> None:
        self.quotes[self.model] = {}
        self.failed.emit(error)
        self.changed.emit()
