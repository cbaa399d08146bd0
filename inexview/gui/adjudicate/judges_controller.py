"""The controller of Judges: it compares models with a person on the open topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inexview.core.answers.judges import (
    FoundQuote,
    ModelLabels,
    QuoteFinder,
    nearest_said,
    quotes_read,
    quotes_said,
)
from inexview.core.open_runs.judges import (
    DifferingDocument,
    ModelStanding,
    first_place,
    in_text,
    not_shown,
)
from inexview.core.project.model_labels import (
    LabelsAdded,
    add_labels,
    as_suggestions,
    ask_of_models,
    keep_model,
    let_stand,
    looked_in,
    read_labels,
    stands,
)
from inexview.core.report import figure_text
from inexview.core.text.search import Span
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted, in_one_line, percent
from inexview.gui.adjudicate.adjudicate_controller import LayerComparison
from inexview.gui.adjudicate.models_compared import ModelsCompared
from inexview.gui.article.article_view import Context, Controller
from inexview.gui.article.bars import Align
from inexview.gui.article.overlays import Beside, SuggestionGhost
from inexview.gui.look.widgets import Pages
from inexview.gui.services.actions import ASSESSING, FILE, GO, JUDGE, VIEW, Action, Room
from inexview.gui.services.document_record import OpenDocument
from inexview.gui.services.messages import Message, MessageKind, Offer
from inexview.gui.services.settings import PACKED, choose_file
from inexview.gui.services.tasks import BackgroundTask

if TYPE_CHECKING:
    from inexview.gui.adjudicate.judges_page import JudgedRow, JudgesPage
    from inexview.gui.adjudicate.judges_panels import ComparedPanel, JudgeRow, JudgesPanel

KINDS = f"Judgements of a model (*.jsonl *.json *.csv *.tsv *.txt *.qrels {PACKED});;All files (*)"
LONGEST_REASON = 400  # characters in the list
LOOKED_AT = 200  # documents whose titles are read first
TWO, ONE = "Where they differ by two grades or more", "One grade apart"
QUESTION = "May this model judge this topic?"
Cell = tuple[int, int]


class JudgesController(Controller):
    """Keeps the chosen model, document and quote, and the results computed so far."""

    wanted = Signal(object)  # bool: open or close the page
    room_wanted = Signal(object)  # Room: the page, or the article at a quote
    place_wanted = Signal(object)  # (document, function to call when it is shown)
    offered = Signal()  # the models of the project changed
    choice_wanted = Signal(object, object, object)  # prompt, names, function to call with the chosen name
    suggested = Signal(object)  # open the page, or leave it

    def __init__(self, context: Context, comparison: LayerComparison, pages: Pages) -> None:
        super().__init__(context)
        self.active = self.looking = False
        self._comparison, self._pages = comparison, pages
        self.compared = ModelsCompared(context.session, context.tasks, comparison)
        self.compared.changed.connect(self._show)
        self.compared.failed.connect(self._messages.error)
        self._cell: Cell | None = None
        self._near = False  # whether documents with grades one apart are listed
        self._document = ""
        self._derived = ""
        self._rows: dict[str, DifferingDocument] = {}  # the listed documents by id
        self._listed_by: tuple[object, ...] = ()
        self._text: tuple[str, str | None, str] = ("", None, "")  # document, its text, and why it has none
        self._reading: BackgroundTask | None = None
        session = context.session
        session.topic_changed.connect(lambda _topic: self._begin_topic())
        session.runs_changed.connect(lambda _runs: self.refresh())
        session.judgements_changed.connect(self.refresh)
        session.record.remarks_changed.connect(lambda _document: self.refresh())
        session.catalogue.learned.connect(self._on_learned)
        session.document_opened.connect(self._show_quotes_over)
        comparison.layers_changed.connect(self.refresh)

    # Imported here: most projects have no models.

    @cached_property
    def left(self) -> JudgesPanel:
        from inexview.gui.adjudicate.judges_panels import JudgesPanel

        panel = JudgesPanel()
        panel.chosen.connect(self._choose)
        panel.derived.connect(self.derive)
        panel.removed.connect(self.take_out)
        return panel

    @cached_property
    def right(self) -> ComparedPanel:
        from inexview.gui.adjudicate.judges_panels import ComparedPanel

        panel = ComparedPanel(self._book)
        panel.quote_chosen.connect(self.go_to_quote)
        panel.nearest_wanted.connect(self.find_nearest)
        return panel

    @cached_property
    def page(self) -> JudgesPage:
        from inexview.gui.adjudicate.judges_page import JudgesPage

        page = JudgesPage(self._book)
        page.derived.connect(self.derive)
        page.threshold_wanted.connect(self.ask_thresholds)
        page.cell_chosen.connect(self.choose_cell)
        page.section_wanted.connect(self.turn_section)
        page.view.walked.connect(lambda row: self._walk(row.document))
        page.view.chosen.connect(lambda _index: self.open())
        self._pages.add(page)
        return page

    # -- import and removal of models -----------------------------------------------------------------

    @property
    def models(self) -> Mapping[str, ModelLabels]:
        """The labels of each model of the project for the open topic."""
        topic = self._session.topic
        return {} if topic is None else self._session.project.judges.of_topic(topic.id)

    def ask(self) -> None:
        """Import a model's judgements from a file."""
        path = choose_file(self._window, "Import a model’s judgements", KINDS, self._settings)
        if path is not None:
            self.bring_in(path)

    def bring_in(self, path: Path) -> None:
        """Import the labels of a file once the articles can be read, and report the result."""
        project = self._session.project
        topics, documents = {topic.id: topic.title for topic in project.topics}, looked_in(project)
        collection = project.collection
        self._session.preparation.when_ready(
            lambda: self._tasks.run_long(
                f"Reading {path.name}",
                lambda progress: read_labels(path, topics, documents, collection, progress),
                partial(self._take, path),
            ),
            lambda: self._messages.warn(f"{path.name} cannot be read: the collection is not indexed."),
        )

    def _take(self, path: Path, labels: ModelLabels) -> None:
        project, before = self._session.project, {*self._session.project.judges.models}
        done: list[LabelsAdded] = []
        if not self._session.saving.write(lambda: done.append(add_labels(project, labels)), "labels"):
            return
        added = done[0]
        self._changed()
        new = [model for model in added.models if model not in before]
        warnings = [warning.removeprefix(f"{path}: ") for warning in labels.warnings]
        said = "; ".join((added.said(), *warnings))
        kind = MessageKind.INFO if added.complete and not warnings else MessageKind.WARNING
        here = self.models
        if added.models and not any(model in here for model in added.models):
            said += "; none of them for this topic"
        offers = [Offer("See the judges", self.enter)] if any(model in here for model in added.models) else []
        if new and len(new) == len(added.models):
            offers.append(Offer("Undo", lambda: self._keep(new, on=False)))
        self._messages.say(Message(kind, f"{path.name}: {said}.", more=tuple(offers)))

    def _keep(self, models: Sequence[str], *, on: bool) -> bool:
        project = self._session.project

        def write() -> None:
            for model in models:
                keep_model(project, model, on=on)

        kept = self._session.saving.write(write, "the model")
        self._changed()
        return kept

    def take_out(self) -> None:
        """Remove the chosen model from the project, and offer to restore it."""
        model = self.compared.model
        if model in self.models and self._keep([model], on=False):
            back = Offer("Undo", lambda: self._keep([model], on=True))
            self._messages.say(
                Message(MessageKind.INFO, f"{model} is removed from the project.", more=(back,))
            )

    def _changed(self) -> None:
        self.compared.forget()
        self.offered.emit()
        self.refresh()

    def ask_suggestions(self) -> None:
        """Show quotes of a model as suggestions in Assess; of several models the user chooses one."""
        models = self._session.project.judges.models
        if not models:
            self._messages.info(
                "No model’s judgements are in this project: File ▸ Judgements ▸ Bring a model’s judgements "
                "in…"
            )
        elif len(models) == 1:
            self.suggest(models[0])
        else:
            self.choice_wanted.emit("Suggest the quotes of…", models, self.suggest)

    def suggest(self, model: str) -> None:
        """Find the quotes of a model in the texts, and suggest them."""
        project = self._session.project
        labels, collection = project.judges.of_model(model), project.collection
        self._tasks.run_long(
            f"Looking for the quotes of {model}",
            lambda progress: as_suggestions(model, labels, quotes_read(labels.labels, collection, progress)),
            self.suggested.emit,
        )

    def ask_thresholds(self) -> None:
        """Open the dialog for the thresholds that models must reach in this project."""
        from inexview.gui.adjudicate.judges_panels import AskedDialog

        project = self._session.project
        dialog = AskedDialog(project.judges.asked, self._window)
        dialog.accepted.connect(
            lambda: self._session.saving.write(lambda: ask_of_models(project, dialog.wanted), "the setting")
        )
        dialog.finished.connect(lambda _result: self.refresh())
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    # -- opening and closing the page -----------------------------------------------------------------

    def enter(self) -> None:
        """Request the page."""
        self.wanted.emit(True)

    def set_active(self, active: bool) -> None:
        """Open or close the page."""
        if active is self.active:
            return
        self.active = active
        if active:
            self._show_page()
            self.refresh()
            self.take_keyboard()
        else:
            self.looking = False
            self._show_article()
            self._article.lay_beside(Beside())

    def dismiss(self) -> bool:
        """Close what was opened last: a derivation, the article, the documents of a cell, the page."""
        if not self.active:
            return False
        if self._derived:
            self.derive("")
        elif self.looking:
            self.go_back()
        elif self._cell is not None:
            self.choose_cell(None)
        else:
            self.wanted.emit(False)
        return True

    def take_keyboard(self) -> None:
        """Focus the list, or the first button if there is no list."""
        if not self.looking:
            page = self.page
            listed = page.view if page.model.rows and not page.below.isHidden() else self.left.view
            (page.bring if not page.bring.isHidden() else listed).setFocus()

    def _show_page(self) -> None:
        """Show the page in place of the article, with messages below it."""
        self.looking = False
        self._pages.show_page(self.page)
        self._move_messages(self._pages.show_below)
        self.right.show_looking(looking=False)

    def _show_article(self) -> None:
        """Show the article in place of the page."""
        self._pages.show_page(self._article)
        self._move_messages(self._article.show_under_text)

    def _move_messages(self, place: Callable[[QWidget], object]) -> None:
        place(self._messages)
        self._messages.setVisible(self._messages.current is not None)

    def _begin_topic(self) -> None:
        self._document, self._cell, self._near, self._derived = "", None, False, ""
        self._text = ("", None, "")
        self.offered.emit()
        if self.active:
            if self.looking:
                self.go_back()
            self.refresh()

    def refresh(self) -> None:
        """Compare the models again if anything that the comparison depends on has changed."""
        if self.active:
            self.compared.ask()
            self._show()

    # -- choosing ------------------------------------------------------------------------------------

    def _choose(self, row: JudgeRow) -> None:
        """Choose a model, or the person to compare models with."""
        if row.model:
            self.compared.model, self._cell = row.name, None
            self.compared.read_quotes()
        else:
            names = [person.name for person in self.compared.persons or ()]
            self.compared.person = names.index(row.name) if row.name in names else 0
        self._derived = ""
        self.refresh()

    def choose_cell(self, cell: Cell | None) -> None:
        """List the documents of a cell of the table, or else those that differ."""
        self._cell = None if cell == self._cell else cell
        self._document = ""
        self._show()
        self.take_keyboard()

    def turn_section(self) -> None:
        """List documents with grades one apart, or those further apart."""
        self._near, self._cell, self._document = not self._near, None, ""
        self._show()
        self.take_keyboard()

    def _walk(self, document: str) -> None:
        if document != self._document:
            self._document = document
            self._tasks.settling.unsettle()
            self._show_current()
            self._show_document()

    def step(self, by: int) -> None:
        """Open the next (1) or previous (-1) document of the list."""
        names = [*self._rows]
        at = names.index(self._document) + by if self._document in names else 0
        if 0 <= at < len(names):
            self._walk(names[at])
            if self.looking:
                self.open()

    def derive(self, name: str) -> None:
        """Show or hide the derivation of a figure."""
        self._derived = "" if name == self._derived else name
        self._show_derivation()

    # -- the article at a quote ----------------------------------------------------------------------

    def open(self) -> None:
        """Open the article at the first quote found in it, or at the first mark."""
        self.go_to_quote(-1)

    def go_to_quote(self, number: int) -> None:
        """Open the article at a quote (from 0) if it is found in the text."""
        standing = self._at()
        if standing is None:
            return
        found = self._found(standing)
        if number >= len(standing.label.quotes):
            return
        if number >= 0 and (number >= len(found) or not found[number].places):
            self._messages.info(f"Quote {number + 1} is not in the text.")
            return
        place = first_place(self._marks(standing.pair.document), found, max(number, 0))
        span = found[number].places[0] if number >= 0 else (place, place + 1)
        document = standing.pair.document
        if not self.looking:
            self.looking = True
            self._show_article()
            self.right.show_looking(looking=True)
            self.room_wanted.emit(Room.QUOTES)
        self.place_wanted.emit((document, partial(self._reveal, document, span)))

    def _reveal(self, document: str, span: Span) -> None:
        if self.looking and self._session.document_id == document:
            self._show_quotes_over()
            self._article.place_caret(span[0])
            self._article.reveal(*span, align=Align.CENTER)
            self._article.setFocus()

    def _show_quotes_over(self, _opened: OpenDocument | None = None) -> None:
        """Underline the model's quotes in the article that was opened from this page."""
        if not self.looking:
            return
        standing, here = self._at(), self._session.document_id
        found = () if standing is None or standing.pair.document != here else self._found(standing)
        ghosts = tuple(SuggestionGhost(place, quoted=True) for one in found for place in one.places)
        self._article.lay_beside(Beside(suggested=ghosts))

    def find_nearest(self, number: int) -> None:
        """Find, in a background thread, which words of a missing quote are in the text."""
        one, (document, text, _) = self._at(), self._text
        if one is None or text is None or document != one.pair.document:
            return
        quote = one.label.quotes[number]

        def show(said: str) -> None:
            if self._document == document:
                self.right.quotes[number].show_nearest(said)

        self._tasks.run(lambda: nearest_said(quote, QuoteFinder(text).nearest(quote)), show)

    def go_back(self) -> None:
        """Return from the article to the page."""
        if self.looking:
            self._article.lay_beside(Beside())
            self._show_page()
            self.room_wanted.emit(Room.JUDGES)
            self._show()
            self.take_keyboard()

    def hold(self) -> None:
        """Record that the person's grade is right, and go on; if it is recorded, undo that."""
        topic, standing, project = self._session.topic, self._at(), self._session.project
        if topic is None or standing is None:
            return
        document, model = standing.pair.document, self.compared.model
        on = not stands(project, topic.id, document, model)
        if not self._session.saving.write(
            lambda: let_stand(project, topic.id, document, model, on=on), "that the grade holds"
        ):
            return
        self._show_titles()
        if on:
            self.step(1)

    # -- showing -------------------------------------------------------------------------------------

    @property
    def _standing(self) -> ModelStanding | None:
        return self.compared.standings.get(self.compared.model)

    def _at(self) -> DifferingDocument | None:
        return self._rows.get(self._document)

    def _list(self, standing: ModelStanding) -> None:
        """List the documents of a cell, or those whose grades differ by the chosen number."""
        by = standing, self._cell, self._near
        if by != self._listed_by:
            listed = standing.near if self._near else standing.far
            if self._cell is not None:
                listed = standing.at_grades(*self._cell)
            self._rows, self._listed_by = {one.pair.document: one for one in listed}, by
        if self._document not in self._rows:
            self._document = next(iter(self._rows), "")

    def _found(self, one: DifferingDocument) -> Sequence[FoundQuote]:
        return self.compared.quotes.get(self.compared.model, {}).get(one.pair.document, ())

    def _marks(self, document: str) -> Spans:
        persons = self.compared.persons
        return persons[self.compared.person].marks.get(document, EMPTY) if persons else EMPTY

    def _show(self) -> None:
        if not self.active:
            return
        self._show_judges()
        standing, page, compared = self._standing, self.page, self.compared
        if standing is None or not standing.agreement.pairs:
            self._rows, self._listed_by = {}, ()
            self._show_nothing(standing)
            return
        person = (compared.persons or ())[compared.person].name
        page.show_verdict(compared.model, person, standing.agreement, standing.said())
        page.show_order(standing.order, {run.id: at for at, run in enumerate(self._session.runs)})
        self._show_figures(standing)
        empty = not page.model.rows
        self._list(standing)
        self._show_rows(standing)
        if empty and self.left.view.hasFocus():
            self.take_keyboard()  # as soon as there is anything to go through
        self._show_document()
        self._show_derivation()

    def _show_nothing(self, standing: ModelStanding | None) -> None:
        had_keyboard = self.page.view.hasFocus() or self.left.view.hasFocus() or self.page.bring.hasFocus()
        model, persons = self.compared.model, self.compared.persons
        if not self.compared.models:
            said = (
                "No model has judged this topic. File ▸ Judgements ▸ Import a model’s judgements… reads "
                "them from a file (UMBRELA, lines of JSON, Quepid, qrels …). Nothing is sent anywhere."
            )
            caption, heading = "", QUESTION
        elif standing is None and (persons is None or persons):
            caption, heading, said = model, QUESTION, "computing…"
        elif standing is None:
            caption, heading = model, QUESTION
            said = (
                "Nothing of this topic is finished yet: judge documents, and the model is compared with you."
            )
        else:
            caption, heading = model, standing.agreement.heading
            own = standing.agreement
            said = f"{own.said()} "
            if own.without_grade == standing.labels:
                said += f"None of its {counted(standing.labels, 'answer')} on this topic holds a grade."
            else:
                said += f"The model judges {counted(own.only_model, 'document')} that you have not finished."
        self.page.show_nothing(caption, heading, said, brings=not self.compared.models)
        self.left.show_figures(0, {}, {}, ("", "", ""))
        self.right.show_nothing()
        if had_keyboard:
            self.take_keyboard()

    def _show_judges(self) -> None:
        from inexview.gui.adjudicate.judges_panels import JudgeRow

        compared = self.compared
        persons = compared.persons or ()
        rows = [
            JudgeRow(person.name, False, "", "", at == compared.person) for at, person in enumerate(persons)
        ]
        for model in compared.models:
            standing = compared.standings.get(model)
            kappa = tau = "…" if persons else ""
            if standing is not None:
                values = standing.agreement.weighted_kappa, standing.order.tau
                kappa, tau = map(_shown, values)
            rows.append(JudgeRow(model, True, kappa, tau, model == compared.model))
        self.left.show_judges(rows)

    def _show_figures(self, standing: ModelStanding) -> None:
        own = standing.agreement
        count, (low, high) = len(own.pairs), own.interval
        figures = {
            "weighted κ": _shown(own.weighted_kappa),
            "interval": "–" if low != low else f"{_shown(low)} to {_shown(high)}",
            "κ": _shown(own.kappa),
            "α": _shown(own.alpha),
            "same": f"{own.same:,} of {count:,} ({percent(own.same / count)})",
            "higher": f"{own.higher:,}, {own.lower:,}",
        }
        quotes = self.compared.quotes.get(self.compared.model)
        found = "–"
        if any(one.label.quotes for one in standing.documents):
            read = [one for listed in (quotes or {}).values() for one in listed]
            found = "…" if quotes is None else f"{sum(bool(one.places) for one in read):,} of {len(read):,}"
        parts = []
        if own.without_grade:
            parts.append(f"{counted(own.without_grade, 'answer')} have no grade and are left out.")
        if own.only_model:
            parts.append(f"{counted(own.only_model, 'document')} of the model’s you have not finished.")
        if own.only_person:
            parts.append(f"{counted(own.only_person, 'document')} of yours the model has not judged.")
        graded = f"{standing.labels - own.without_grade:,} of {standing.labels:,}"
        self.left.show_figures(count, figures, standing.biases, (graded, found, " ".join(parts)))

    def _show_derivation(self) -> None:
        standing = self._standing
        made = {} if standing is None else standing.derivations()
        if self._derived not in made:
            self._derived = ""
        self.left.show_derivation(f"{self._derived}: {made[self._derived]}" if self._derived else "")

    def _show_rows(self, standing: ModelStanding) -> None:
        topic = self._session.topic
        if topic is None:
            return
        section = f"{TWO}  {len(standing.far):,}"
        if not self._near:
            section = f"{ONE}  {counted(len(standing.near), 'document')}  ›"
        about = f"{len(self._rows):,} of {counted(len(standing.agreement.pairs), 'document')}"
        title = ONE if self._near else TWO
        if self._cell is not None:
            title, section = f"Person {self._cell[0]}, model {self._cell[1]}", ""
        rows = [self._row(one, topic.id) for one in self._rows.values()]
        self.page.show_rows(rows, title, about, section, filtered=self._cell is not None)
        self._show_current()
        self._session.look_at([*self._rows][:LOOKED_AT])

    def _on_learned(self, about: Mapping[str, object]) -> None:
        """Show titles that were just read."""
        self._show_titles()
        if self.active and self._document in about:
            self._show_document()

    def _show_titles(self) -> None:
        """Show the rows again, with all known titles."""
        standing = self._standing
        if self.active and standing is not None and self._rows:
            self._show_rows(standing)

    def _show_current(self) -> None:
        """Show the current document in the list and in the table."""
        here = self._at()
        cell = None if here is None else (here.pair.person, here.pair.model)
        self.page.show_current(self._document)
        self.page.grades.show_current(cell, self._cell)

    def _row(self, one: DifferingDocument, topic: str) -> JudgedRow:
        from inexview.gui.adjudicate.judges_page import JudgedRow

        document, found = one.pair.document, self._found(one)
        read = self.compared.quotes.get(self.compared.model)
        quotes = "…" if one.label.quotes and read is None else quotes_said(found)
        return JudgedRow(
            document,
            self._session.catalogue.about(document).title or document,
            one.pair.person,
            one.pair.model,
            in_one_line(one.label.reason, LONGEST_REASON),
            quotes,
            any(quote.places for quote in found),
            any(not quote.places for quote in found),
            one.rank,
            stands(self._session.project, topic, document, self.compared.model),
        )

    def _show_document(self) -> None:
        one, persons = self._at(), self.compared.persons
        if one is None or not persons:
            self.right.show_nothing()
            return
        document, marks = one.pair.document, self._marks(one.pair.document)
        about = self._session.catalogue.about(document)
        named = document if about.title not in ("", document) else ""
        read, text, _ = self._text
        length = len(text) if text is not None and read == document else about.length
        facts = " · ".join(filter(None, (named, f"{length:,} characters" if length else "")))
        names = persons[self.compared.person].name, self.compared.model
        grades = one.pair.person, one.pair.model
        place = f"{[*self._rows].index(document) + 1:,} of {len(self._rows):,}"
        self.right.show_document(
            place, one.rank, about.title or document, facts, names, one.label, grades, marks
        )
        known = self.compared.model in self.compared.quotes
        self.right.show_quotes(document, one.label.quotes, self._found(one) if known else None)
        self._show_text(one, marks)

    def _show_text(self, one: DifferingDocument, marks: Spans) -> None:
        """Show both judges in the text, which is read in a background thread."""
        document, (known, text, problem) = one.pair.document, self._text
        if known != document:
            self.right.show_text(None, "", "")
            self._read_text(document)
            return
        if text is None:
            self.right.show_text(None, "", "", problem or "…")
            return
        found = self._found(one)
        place = first_place(marks, found)
        part = in_text(text, place, marks, found)
        self.right.show_text(part, f"{place:,}" if place else "", not_shown(marks, one.label.shown))

    def _read_text(self, document: str) -> None:
        collection = self._session.project.collection
        if self._reading is not None:
            self._reading.cancel()
        self._reading = self._tasks.run(
            lambda: collection.text(document),
            lambda text: self._take_text(document, text, ""),
            lambda error: self._take_text(document, None, str(error)),
            of_articles=True,
            when_settled=True,
        )

    def _take_text(self, document: str, text: str | None, problem: str) -> None:
        self._text = document, text, problem
        if self.active and document == self._document:
            self._show_document()


def _shown(value: float) -> str:
    return figure_text(value, 3).replace("-", "−")


def _quote(number: int) -> Action[Any]:
    return Action(f"quote-{number}", GO, f"Quote {number}", "Open the article at a quote of the model",
                  lambda w: partial(w.judges.go_to_quote, number - 1), (str(number),),
                  rooms=(Room.JUDGES, Room.QUOTES))  # fmt: skip


ACTIONS: tuple[Action[Any], ...] = (
    Action("open-models", FILE, "Import a model’s judgements…",
           "Import judgements of a model, to compare them with yours", lambda w: w.judges.ask),
    Action("suggest-quotes", FILE, "Suggest what a model quoted…",
           "Show a model’s quotes, grade and reason while you judge (recorded in the project)",
           lambda w: w.judges.ask_suggestions, rooms=(*ASSESSING, Room.JUDGES)),
    Action("ask-of-models", FILE, "Thresholds for models…",
           "Set the weighted κ and τ that a model must reach", lambda w: w.judges.ask_thresholds,
           rooms=(Room.JUDGES,)),
    Action("remove-model", FILE, "Remove this model…", "Remove the judgements of the selected model",
           lambda w: w.judges.take_out, rooms=(Room.JUDGES,)),
    Action("grade-holds", JUDGE, "Person’s grade holds, next",
           "Record that your grade is right; press again to undo", lambda w: w.judges.hold,
           ("Y",), rooms=(Room.JUDGES, Room.QUOTES), judges=True),
    Action("open-quote", GO, "Open at the quote", "Open the article at the model's quote, or at a mark",
           lambda w: w.judges.open, rooms=(Room.JUDGES,)),
    Action("back-to-judges", GO, "Back to the judges", "Close the article and go back to the list",
           lambda w: w.judges.go_back, ("Alt+Q",), rooms=(Room.QUOTES,)),
    *map(_quote, range(1, 10)),
    Action("judges", VIEW, "Judges", "Whether a model may judge this topic in your place",
           lambda w: w.judges.enter, ("Ctrl+5",), checkable=True, anywhere=True),
)  # fmt: skip
"""The actions of Judges in the menus of the window."""
