"""Nuggets in Assess: digits file the current mark; list, margin and text show the filed places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal

from inexview.core.answers.nuggets import Importance, NuggetFile
from inexview.core.article.granularity import Granularity
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, InexviewError
from inexview.core.project.document_state import DocumentState
from inexview.core.project.import_judgements import Layer
from inexview.core.project.nugget_record import NuggetStep, ProjectNugget
from inexview.core.project.nuggets import (
    NuggetsAdded,
    OthersNugget,
    PlaceInDocument,
    TopicCoverage,
    add_nuggets,
    all_nuggets,
    delete_nugget,
    key_of,
    make_nugget,
    new_nuggets,
    others_nuggets,
    redo_nuggets,
    reword_nugget,
    same_words,
    take_nugget,
    turn_words,
    undo_nuggets,
    weigh_nugget,
)
from inexview.core.project.project import Project
from inexview.core.text.search import Span, first_words
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted, some_named
from inexview.gui.article.article_view import Context, Controller
from inexview.gui.article.margins import NuggetSign
from inexview.gui.article.overlays import Stroke, Tool
from inexview.gui.assess.nugget_panel import LayerHead, NuggetPanel, NuggetRow, PlaceRow
from inexview.gui.assess.topic_panel import row_at
from inexview.gui.look.widgets import ARROWS, WhenSeen
from inexview.gui.services.actions import ASSESSING, FILE, GO, JUDGE, VIEW, Action, Room
from inexview.gui.services.document_record import OpenDocument, StateChanged
from inexview.gui.services.messages import Message, MessageKind, announce
from inexview.gui.services.settings import PACKED, choose_file, choose_new_file
from inexview.gui.services.tasks import BackgroundTask

LONGEST_NEW = 300  # characters of the current words that start a new nugget
FIRST_WORDS = 60  # characters of a place that its row shows
MOST_READ = 60  # documents whose places are shown with their first words
MOST_LOOKED, TOGETHER = 300, 4  # documents searched for the same words, in all and in one task


@dataclass(frozen=True, slots=True)
class _Draft:
    """The subject of the open field: the text of a nugget, or of a new one with its place."""

    key: int | None
    document: str | None
    words: Spans = EMPTY


class NuggetController(Controller):
    """Files places under nuggets and shows them; opens and closes the nugget page."""

    place_wanted = Signal(object, object)  # id of a document, span
    changed = Signal()  # nuggets or their places changed
    undo_changed = Signal()
    listed_changed = Signal()  # whether the list has entries

    def __init__(self, context: Context, panel: NuggetPanel) -> None:
        super().__init__(context)
        self.panel = panel
        self.files = NuggetFiles(context, self)
        self.coverage: TopicCoverage | None = None
        self.selected = 0
        """The key of the selected nugget; 0: none; negative: another assessor's."""
        self._layers: Sequence[tuple[int, Layer]] = ()
        self._own_look: int | None = None
        self._others: tuple[OthersNugget, ...] = ()
        self._listed = False, False  # whether the list is shown, and has nuggets of others
        self._on = True  # the user asked to see them
        self._pointed: int | None = None
        self._made: Span | None = None  # the last mark, while nothing else is current
        self._tens: Span | None = None  # the current words when 0 was pressed
        self._draft: _Draft | None = None
        self._version: object = None
        self._brought: Mapping[str, int] | None = None  # new nuggets per document, once requested
        self._words = PlaceWords(context, self._show_places)
        self._seen = WhenSeen(panel, self._show_panel)
        self._connect()

    def _connect(self) -> None:
        session, article, panel = self._session, self._article, self.panel
        session.topic_changed.connect(lambda _topic: self._begin_topic())
        session.document_opened.connect(self._begin_document)
        session.document_failed.connect(lambda _problem: self._leave_document())
        session.document_awaited.connect(lambda _document: self._leave_document())
        session.state_changed.connect(self._on_judged)
        session.judgements_changed.connect(self._look_again)
        session.catalogue.learned.connect(lambda _about: self._show_places())
        article.caret_moved.connect(lambda _caret: self._show_hand())
        article.ends.changed.connect(lambda _end: self._show_hand())
        article.pen.pressed.connect(lambda _none: self._forget_made())
        article.stroke_finished.connect(self._on_stroke)
        article.margin.nugget_chosen.connect(self._choose_sign)
        article.margin.nugget_pointed.connect(lambda sign: self._point(None if sign is None else sign.nugget))
        panel.chosen.connect(self.select)
        panel.pointed.connect(self._point)
        panel.place_chosen.connect(self._go)
        panel.new_line.wanted.connect(self._book["new-nugget"].trigger)
        panel.new_line.field.kept.connect(self._keep)
        panel.new_line.field.dropped.connect(self._drop)
        panel.same.wanted.connect(self._go_to_same)
        self._book.room_changed.connect(self._on_room)
        self._book.keys_changed.connect(self._show_hand)
        self._book.keys_changed.connect(self._name_unit_keys)

    # -- state ---------------------------------------------------------------------------------------

    @property
    def nuggets(self) -> tuple[ProjectNugget, ...]:
        return () if self.coverage is None else self.coverage.history.nuggets

    @property
    def shown(self) -> bool:
        """Whether the nuggets are shown next to the text, and digits assign passages to them."""
        return self._on and bool(self.nuggets)

    @property
    def listed(self) -> bool:
        """Whether the list is shown beside the text, even only for nuggets of others."""
        return self.shown or (self._on and bool(self.others))

    @property
    def room(self) -> Room:
        """The current page of Assess."""
        return Room.NUGGETS if self.shown else Room.ASSESS

    @property
    def _active(self) -> bool:
        return self._book.room is Room.NUGGETS

    @property
    def _document(self) -> str | None:
        return None if self._session.document is None else self._session.document.id

    def _nugget(self, key: int) -> ProjectNugget | None:
        return next((one for one in self.nuggets if one.key == key), None)

    # -- of other assessors --------------------------------------------------------------------------

    def compare(self, layers: Sequence[tuple[int, Layer]], own: int | None) -> None:
        """Show the nuggets of layers over finished documents; sets the styles of all layers."""
        self._layers, self._own_look = layers, own
        topic, before, chosen = self._session.topic, self._others, self._other(self.selected)
        self._others = others_nuggets(
            (look, layer.name, layer.nuggets[topic.id])
            for look, layer in layers
            if topic is not None and topic.id in layer.nuggets
        )
        if before or self._others:
            same = self._other(self.selected)
            if chosen is not None and (same is None or same[:-1] != chosen[:-1]):
                self.selected = 0
            self._show()

    def _revealed(self, document: str) -> bool:
        """Return whether others' nuggets may be shown: the document is finished, or is not judged here."""
        topic, judges = self._session.topic, not self._adjudicates or self._own_look is not None
        return topic is not None and (not judges or self._session.project.state(topic.id, document).finished)

    @property
    def others(self) -> tuple[OthersNugget, ...]:
        """The nuggets of others that may be shown beside the open document."""
        document = self._document
        return self._others if self._others and document is not None and self._revealed(document) else ()

    @property
    def _adjudicates(self) -> bool:
        return self._book.room is Room.ADJUDICATE

    def _other(self, key: int) -> OthersNugget | None:
        return next((one for one in self.others if one.key == key), None)

    def _others_here(self, other: OthersNugget) -> tuple[Spans, ...]:
        document = self._session.document
        return () if document is None else other.places_in(document.id, document.length)

    def _others_rows(self) -> list[NuggetRow | LayerHead]:
        rows: list[NuggetRow | LayerHead] = []
        for name, listed in groupby(self.others, key=lambda one: (one.assessor, one.layer)):
            own = list(listed)
            rows.append(LayerHead(*name, len(own)))
            rows += [
                NuggetRow(
                    one.key, one.number, str(one.number), one.nugget.text, one.nugget.importance,
                    len(self._others_here(one)),
                    sum(self._revealed(place.document) for place in one.nugget.places),
                    one.layer,
                )
                for one in own
            ]  # fmt: skip
        return rows

    def take_over(self) -> None:
        """Copy another assessor's selected nugget, with its places in finished documents."""
        other, done = self._other(self.selected), list[NuggetsAdded]()
        if other is None:
            self._messages.info("First select a nugget of another assessor.", self._session.while_here())
        elif not self._refused() and self._write(
            lambda project, topic: done.append(take_nugget(project, topic, other, document=self._document))
        ):
            added, places = done[0], counted(done[0].places, "place")
            said = f"copied from {other.assessor} with {places}" if added.nuggets else f"{places} added"
            if not (added.nuggets or added.places):
                said = "in your list already, with all its places"
            self.refresh()
            self._messages.info(f"Nugget {other.number}: {said}.", self._session.while_here())

    def found_in(self, document: str) -> int:
        """Return the number of nuggets that a document states; −1 if the topic has none."""
        return len(self.coverage.in_document(document)) if self.coverage is not None and self.nuggets else -1

    def brought(self) -> Mapping[str, int]:
        """Return the number of new nuggets of each document of the pool, best document first."""
        if self._brought is None:
            self._brought = {}
            if self.coverage is not None and self._session.pool_is_known:
                self._brought = new_nuggets(self.coverage.stated(), self._session.pool)
        return self._brought

    # -- coming and going ----------------------------------------------------------------------------

    def _begin_topic(self) -> None:
        topic = self._session.topic
        self.coverage = None if topic is None else TopicCoverage(self._session.project, topic.id)
        self.selected, self._brought = 0, None
        self.compare(self._layers, self._own_look)
        self._leave_document()
        self._follow_room()
        self._show()

    def _begin_document(self, _opened: OpenDocument) -> None:
        self._leave_document()
        self._show()

    def _leave_document(self) -> None:
        self._made = self._tens = self._pointed = None
        self._drop(focus=False)
        self._words.stop()

    def _on_room(self) -> None:
        self._drop(focus=False)
        self._name_unit_keys()
        self._show()

    def _name_unit_keys(self) -> None:
        """Show other keys for the units in the strip while digits file under nuggets."""
        keys = [self._book.key_text(name) for name in ("wider-unit", "narrower-unit")]
        wider, narrower = ("+".join(ARROWS.get(part, part) for part in key.split("+")) for key in keys)
        shared = wider.rpartition("+")[0] == narrower.rpartition("+")[0]
        named = f"{wider} {narrower.rpartition('+')[2] if shared else narrower}".strip()
        self._article.strip.pen_state.show_step(named if self._active else "")

    def _follow_room(self) -> None:
        """Switch to the page with nuggets, or to the one without."""
        if self._book.room in ASSESSING and self._book.room is not self.room:
            self._book.set_room(self.room)
        action = self._book["nugget-panel"]
        action.setEnabled(bool(self.nuggets or self.others))
        action.setChecked(self.listed)

    def toggle(self) -> None:
        """Show the nuggets beside the text, or the judgement of the document."""
        self._on = not self._on
        self._follow_room()
        self._show()

    def dismiss(self) -> bool:
        """Cancel a half-typed number; return whether there was one."""
        waiting = self._tens is not None
        self._tens = None
        return waiting

    def _on_judged(self, change: StateChanged) -> None:
        if self.coverage is not None and (self.nuggets or self._others):
            self._brought = None
            if change.document_id == self._document or self._document in change.documents:
                self._show()

    def _look_again(self) -> None:
        """Show the nugget changes of another window."""
        if self.coverage is not None and self._version != (
            self.coverage.topic,
            self.coverage.history.version,
        ):
            self.refresh()

    # -- current nugget ------------------------------------------------------------------------------

    def _on_stroke(self, stroke: Stroke) -> None:
        self._made = (stroke.start, stroke.end) if stroke.tool is Tool.MARK else None
        self._show_hand()

    def _forget_made(self) -> None:
        self._made = None

    @property
    def hand(self) -> Span | None:
        """The span that a digit files: the selection, else the mark held, at the caret, or just made."""
        marks = self._session.state.marks
        if self._session.document is None:
            return None
        start, end = self._article.selection
        if start < end:
            return start, end
        if (held := self._article.ends.held) is not None:
            return held.start, held.end
        row = row_at(marks, self._article.caret)
        if row is None and self._made is not None:
            row = row_at(marks, self._made[0])
        return None if row is None else (int(marks.starts[row]), int(marks.ends[row]))

    def _words_in_hand(self) -> Spans | None:
        """Return the current marked span; show a message and return None if there is none."""
        hand, here = self.hand, self._session.while_here()
        if self._article.selection[0] < self._article.selection[1] and not self._article.selection_at_hand():
            hand = None
        if hand is None:
            self._messages.info("No mark is selected: mark words, or click into a mark.", here)
            return None
        words = Spans([hand])
        if words - self._session.state.marks:
            key = self._book.key_text("mark")
            told = "Only marked words can be filed under a nugget: mark them first"
            mark = self._book["mark"].trigger
            self._messages.say(Message(MessageKind.REFUSED, f"{told} ({key}).", "Mark them", mark))
            return None
        return words

    # -- actions -------------------------------------------------------------------------------------

    def press(self, digit: int) -> None:
        """File under the nugget of a digit; 0 and a digit file under 10 to 19."""
        tens, hand = self._tens, self.hand or (0, 0)
        self._tens = None
        if tens == hand:
            self._file(10 + digit)
        elif digit:
            self._file(digit)
        else:
            self._tens = hand
            self._messages.info("0: a digit more files under nugget 10 to 19.", self._session.while_here())

    def _file(self, number: int) -> None:
        nugget = next((one for one in self.nuggets if one.number == number), None)
        if nugget is None:
            typed = key_of(number)
            self._messages.info(f"There is no nugget {typed}.", self._session.while_here())
        else:
            self._turn(nugget)

    def file_under_selected(self) -> None:
        """File the current span under the selected nugget."""
        if (nugget := self._selected_one()) is not None:
            self._turn(nugget)

    def _turn(self, nugget: ProjectNugget) -> None:
        document = self._document
        words = None if document is None else self._words_in_hand()
        if document is None or words is None:
            self.select(nugget.key)
            return
        filed: list[bool] = []
        if not self._write(
            lambda project, topic: filed.append(turn_words(project, topic, nugget.key, document, words))
        ):
            return
        self.selected = nugget.key
        self._article.deselect()
        self.refresh()
        typed = key_of(nugget.number)
        announce(self._article, f"filed under nugget {typed}" if filed[0] else f"removed from nugget {typed}")

    def begin_new(self) -> None:
        """Open the field for a new nugget with the current words, if any."""
        document, words = self._session.document, EMPTY
        if self._refused():
            return
        if document is not None and self.hand is not None:
            found = self._words_in_hand()
            if found is None:
                return
            words = found
        said = "" if document is None else first_words(document.text, *_ends(words), LONGEST_NEW)
        self._draft = _Draft(None, self._document, words)
        self.panel.new_line.begin(said, typed=self._book.key_text("new-nugget"), select=True)

    def begin_rewording(self) -> None:
        """Open the field with the text of the selected nugget."""
        nugget = self._selected_one()
        if nugget is not None and not self._refused():
            self._draft = _Draft(nugget.key, self._document)
            self.panel.new_line.begin(nugget.text, typed=key_of(nugget.number), select=False)

    def _refused(self) -> bool:
        reason = self._session.project.read_only_reason
        if reason:
            self._messages.warn("This project is read-only.")
        return bool(reason)

    def _keep(self, vital: bool) -> None:
        """Save the text of the field."""
        draft, said = self._draft, self.panel.new_line.field.text()
        if draft is None or not said.strip():
            self._drop()
            return
        importance = Importance.VITAL if vital else Importance.OKAY

        def write(project: Project, topic: str) -> None:
            if draft.key is not None:
                reword_nugget(project, topic, draft.key, said, document=draft.document)
                return
            made = make_nugget(
                project, topic, said, importance=importance, document=draft.document, spans=draft.words
            )
            self.selected = made.key

        if self._write(write):
            self._drop()
            self._on = True
            self.refresh()

    def _drop(self, *, focus: bool = True) -> None:
        if self._draft is not None:
            self._draft = None
            self.panel.new_line.end()
            if focus:
                self._article.setFocus()
            self._show_hand()

    def weigh(self) -> None:
        """Make the selected nugget vital, or okay."""
        if (nugget := self._selected_one()) is not None:
            other = Importance.OKAY if nugget.vital else Importance.VITAL
            if self._write(partial(weigh_nugget, key=nugget.key, importance=other, document=self._document)):
                self.refresh()
                announce(self._article, f"nugget {key_of(nugget.number)} is {other.value}")

    def delete(self) -> None:
        """Delete the selected nugget with its places."""
        if (nugget := self._selected_one()) is not None:
            places = 0 if self.coverage is None else len(self.coverage.places_of(nugget.key))
            if self._write(partial(delete_nugget, key=nugget.key, document=self._document)):
                self.selected = 0
                self.refresh()
                gone = f" with {counted(places, 'place')}" if places else ""
                self._messages.info(
                    f"Nugget {key_of(nugget.number)} is deleted{gone}. "
                    f"{self._book.key_text('undo')} brings it back."
                )

    def _selected_one(self) -> ProjectNugget | None:
        nugget, other = self._nugget(self.selected), self._other(self.selected)
        if other is not None:
            key = self._book.key_text("take-nugget")
            self._messages.info(
                f"This nugget is from {other.assessor}: you can read it, and copy it ({key}).",
                self._session.while_here(),
            )
        elif nugget is None:
            self._messages.info("No nugget is selected.", self._session.while_here())
        return nugget

    def _write(self, command: Callable[[Project, str], object]) -> bool:
        topic = self._session.topic
        return topic is not None and self._session.saving.write(
            lambda: command(self._session.project, topic.id), "nugget"
        )

    def step_unit(self, step: int) -> None:
        """Select the next larger unit (1) or the next smaller one (-1) for marks."""
        units, state = list(Granularity), self._article.pen_state
        at = units.index(state.unit) + step
        if 0 <= at < len(units):
            state.choose(units[at])
            state.let_up()

    # -- undo ----------------------------------------------------------------------------------------

    def to_undo(self, after: str) -> NuggetStep | None:
        """Return the nugget step to undo, if it is later than the last step of judging."""
        if self.coverage is None or self._session.adjudicates:
            return None
        step = self.coverage.history.to_undo(self._document)
        return step if step is not None and step.id > after else None

    def to_redo(self, after: str, before: str) -> NuggetStep | None:
        """Return the nugget step to redo, if it was done between two steps of judging."""
        if self.coverage is None or self._session.adjudicates:
            return None
        step = self.coverage.history.to_redo(self._document)
        return step if step is not None and after < step.id and (not before or step.id < before) else None

    def undo(self) -> None:
        if self._write(partial(undo_nuggets, document=self._document)):
            self.refresh()

    def redo(self) -> None:
        if self._write(partial(redo_nuggets, document=self._document)):
            self.refresh()

    # -- going from nugget to nugget, and from place to place ------------------------------------------

    def select(self, key: int) -> None:
        """Select a nugget, underline its words, and list its places."""
        self.selected = key
        self._show()

    def step(self, step: int) -> None:
        keys = [*(one.key for one in self.nuggets), *(one.key for one in self.others)]
        if keys:
            at = keys.index(self.selected) + step if self.selected in keys else (0 if step > 0 else -1)
            self.select(keys[at % len(keys)])

    def _choose_sign(self, sign: NuggetSign) -> None:
        if sign.key:
            self.select(sign.nugget)
        else:
            self._article.place_caret(sign.span[0])

    def _point(self, key: int | None) -> None:
        if key != self._pointed:
            self._pointed = key
            self._lay()

    def step_place(self, step: int) -> None:
        """Go to the next (1) or previous (-1) place of the selected nugget, wrapping around the pool."""
        places = [one for one in self._places() if one.start is not None]
        if self._other(self.selected) is None and self._selected_one() is None:
            return
        if not places:
            self._messages.info("No place states this nugget yet.", self._session.while_here())
            return
        row = self._session.pool.row
        order = sorted(places, key=lambda one: (row(one.document), one.document, one.start or 0))
        here = (row(self._document or ""), self._document or "", self._article.caret)
        later = [one for one in order if (row(one.document), one.document, one.start or 0) > here]
        earlier = [one for one in order if (row(one.document), one.document, one.start or 0) < here]
        target = (later or order)[0] if step > 0 else (earlier or order)[-1]
        self._go_to(target.document, _ends(target.spans))

    def _go(self, place: PlaceRow) -> None:
        self._go_to(place.document, (place.start or 0, place.end))

    def _go_to(self, document: str, span: Span) -> None:
        self.place_wanted.emit(document, span)
        self._article.setFocus()

    def _go_to_same(self) -> None:
        if self._words.same is not None:
            self._go_to(*self._words.same)

    # -- showing -------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show changes of nuggets."""
        if self.coverage is None:
            return
        self._version = self.coverage.topic, self.coverage.history.version
        self._brought = None
        if self._nugget(self.selected) is None and self._other(self.selected) is None:
            self.selected = 0
        self._follow_room()
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        if self.coverage is not None:
            self._version = self.coverage.topic, self.coverage.history.version
        if (listed := (self.listed, bool(self.others))) != self._listed:
            self._listed = listed
            self._follow_room()
            self.listed_changed.emit()
        self._seen.refresh()
        self._show_hand()
        self._lay()

    def _show_panel(self) -> None:
        document = self._document
        here = {} if self.coverage is None or document is None else self.coverage.in_document(document)
        every = {} if self.coverage is None else self.coverage.counts()
        rows = [
            NuggetRow(
                one.key, one.number, key_of(one.number), one.text, one.importance, len(here.get(one.key, ())),
                every.get(one.key, 0),
            )
            for one in self.nuggets
        ]  # fmt: skip
        self.panel.show_nuggets(rows, self.selected, full=self.listed, others=self._others_rows())
        unfiled = [] if self.coverage is None or document is None else self.coverage.unfiled(document)
        self.panel.unfiled.show_count(len(unfiled))
        self._show_places()

    def _places(self) -> list[PlaceInDocument]:
        if (other := self._other(self.selected)) is not None:
            seen = (place for place in other.nugget.places if self._revealed(place.document))
            return [PlaceInDocument(place.document, place.spans) for place in seen]
        return [] if self.coverage is None or not self.selected else self.coverage.places_of(self.selected)

    def _show_places(self) -> None:
        """Show the places of the selected nugget: this document first, then in pool order."""
        if not self.listed or not self.panel.isVisible():
            return
        nugget, other = self._nugget(self.selected), self._other(self.selected)
        here, row = self._document, self._session.pool.row
        places = sorted(
            self._places(), key=lambda one: (one.document != here, row(one.document), one.start or -1)
        )
        about = self._session.catalogue.about
        listed = [
            PlaceRow(
                one.document,
                "this document" if one.document == here else about(one.document).title,
                one.start,
                int(one.spans.ends[-1]) if one.spans else 0,
                self._words.of(one),
                one.document == here,
            )
            for one in places
        ]
        named = "" if nugget is None else key_of(nugget.number)
        self.panel.show_places(named if other is None else f"{other.assessor} {other.number}", listed)
        same = self._words.same
        self.panel.same.setVisible(same is not None and nugget is not None)
        if same is not None:
            self.panel.same.set_text(f"= the same words, not marked: {about(same[0]).title} {same[1][0]:,}")
        self._words.read(places, self._state_of)

    def _state_of(self, document: str) -> DocumentState:
        return self._session.state_of(document)

    def _show_hand(self) -> None:
        """Show the span that a digit would file, in text, margin, and the line for a new nugget."""
        document, hand = self._session.document, self.hand
        if self._draft is None:
            said = "" if document is None or hand is None else first_words(document.text, *hand, LONGEST_NEW)
            self.panel.say_new(said)
        signs: list[NuggetSign] = []
        marks = self._session.state.marks
        marked = hand is not None and not Spans([hand]) - marks
        if self._seen_here and self.coverage is not None and document is not None:
            for key, places in self.coverage.in_document(document.id).items():
                nugget = self._nugget(key)
                signs += [
                    _sign(nugget, place, self.selected, self._own_layer)
                    for place in places
                    if place and nugget is not None
                ]
            if self._active and hand is not None and marked and hand in self.coverage.unfiled(document.id):
                told = f"1–9 or {self._book.key_text('new-nugget')}"
                signs.append(NuggetSign(hand, told))
        signs += self._others_signs()
        signs.sort(key=lambda sign: (sign.span[0], sign.layer or 0, sign.key))
        self._article.margin.set_nuggets(signs)
        shown = hand if self._active and marked and self._article.pen_state.live else None
        before = self._article.overlay.beside
        if shown != before.in_hand:
            self._article.lay_beside(replace(before, in_hand=shown))

    @property
    def _seen_here(self) -> bool:
        """Whether the text shows the project's own nuggets: in Assess and Adjudicate."""
        return self._active or (self._adjudicates and self._on)

    @property
    def _own_layer(self) -> int | None:
        """The index of the assessor's own layer in Adjudicate."""
        return self._own_look if self._adjudicates else None

    def _others_signs(self) -> Iterator[NuggetSign]:
        if self._on and (self._adjudicates or self._book.room in ASSESSING):
            for one in self.others:
                weight = one.nugget.importance
                told = f"{one.assessor} · {one.number} · {weight.value}: {one.nugget.text[:300]}"
                vital, current = weight is Importance.VITAL, one.key == self.selected
                for place in self._others_here(one):
                    if place:
                        yield NuggetSign(
                            _ends(place), told, str(one.number), one.key, vital, current, one.layer
                        )

    def _lay(self) -> None:
        """Underline the words of the nugget under the mouse, else of the selected one."""
        key, filed, layer = self._pointed or self.selected, EMPTY, self._own_layer
        places: Sequence[Spans] = ()
        if (other := self._other(key)) is not None and self._on:
            places, layer = self._others_here(other), other.layer
        elif self._seen_here and self.coverage is not None and self._document is not None:
            places = self.coverage.in_document(self._document).get(key, ())
        if places and (self._adjudicates or self._book.room in ASSESSING):
            filed = Spans(span for place in places for span in place)
        before = self._article.overlay.beside
        if filed != before.filed or (filed and layer != before.filed_by):
            self._article.lay_beside(replace(before, filed=filed, filed_by=layer))


def _ends(spans: Spans) -> Span:
    return (int(spans.starts[0]), int(spans.ends[-1])) if spans else (0, 0)


def _sign(nugget: ProjectNugget, place: Spans, selected: int, layer: int | None) -> NuggetSign:
    told = f"{key_of(nugget.number)} · {nugget.importance.value}: {nugget.text[:300]}"
    return NuggetSign(
        _ends(place), told, key_of(nugget.number), nugget.key, nugget.vital, nugget.key == selected, layer
    )


# The first words of places, and other places with them: read in a background thread, in portions.


class PlaceWords(Controller):
    """Finds the first words of places, and unmarked places elsewhere with the same words."""

    def __init__(self, context: Context, show: Callable[[], None]) -> None:
        super().__init__(context)
        self._show = show
        self._known: dict[PlaceInDocument, str] = {}
        self._looked: list[PlaceInDocument] = []
        self._task: BackgroundTask | None = None
        self.same: tuple[str, Span] | None = None
        context.session.saving.closing.connect(self.stop)

    def of(self, place: PlaceInDocument) -> str:
        return self._known.get(place, "")

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._task, self._looked, self.same = None, [], None

    def read(self, places: Sequence[PlaceInDocument], state_of: Callable[[str], DocumentState]) -> None:
        """Read the first words of places, then look for the same words in the pool."""
        if list(places) == self._looked or not self._session.preparation.ready:
            return
        self.stop()
        self._looked = list(places)
        collection, some = self._session.project.collection, [one for one in places if one.spans][:MOST_READ]

        def read() -> dict[PlaceInDocument, str]:
            return {one: _words_of(collection, one) for one in some}

        def take(found: dict[PlaceInDocument, str]) -> None:
            self._known |= {one: words[:FIRST_WORDS] for one, words in found.items()}
            self._show()
            phrases = [words for words in found.values() if words]
            held = {one.document for one in places}
            pool = self._session.pool
            others = [name for name in pool[:MOST_LOOKED] if name not in held]
            if phrases:
                self._look(phrases, others, state_of)

        self._task = self._tasks.run(read, take, urgent=False, when_settled=True)

    def _look(
        self, phrases: Sequence[str], names: Sequence[str], state_of: Callable[[str], DocumentState]
    ) -> None:
        """Search the documents in portions until one has the words."""
        some, rest = names[:TOGETHER], names[TOGETHER:]
        if not some:
            return
        collection, marks = self._session.project.collection, {name: state_of(name).marks for name in some}

        def take(found: tuple[str, Span] | None) -> None:
            if found is None:
                self._look(phrases, rest, state_of)
            else:
                self.same = found
                self._session.catalogue.want_first([found[0]])
                self._show()

        self._task = self._tasks.run(
            lambda: _elsewhere(collection, marks, phrases), take, urgent=False, when_settled=True
        )


def _words_of(collection: Collection, place: PlaceInDocument) -> str:
    try:
        text = collection.text(place.document)
    except DataError:
        return ""
    return " ".join(text[slice(*_ends(place.spans))].split())


def _elsewhere(
    collection: Collection, marks: Mapping[str, Spans], phrases: Sequence[str]
) -> tuple[str, Span] | None:
    for name, own in marks.items():
        try:
            found = same_words(collection.text(name), phrases, own)
        except InexviewError:
            continue
        if found is not None:
            return name, found
    return None


# Import and export of nugget files.


class NuggetFiles(Controller):
    """Imports and exports nugget files."""

    def __init__(self, context: Context, nuggets: NuggetController) -> None:
        super().__init__(context)
        self._nuggets = nuggets

    def ask(self) -> None:
        """Import nuggets from a file."""
        kinds = f"Nuggets (*.jsonl *.json *.ndjson {PACKED});;All files (*)"
        path = choose_file(self._window, "Import nuggets", kinds, self._settings)
        if path is not None:
            self.bring_in(path)

    def bring_in(self, path: Path) -> None:
        """Import the nuggets of a file, and show a summary."""
        from inexview.core.formats.nugget_files import placed_nuggets, read_nugget_file

        project, collection = self._session.project, self._session.project.collection

        def take(read: NuggetFile) -> None:
            done: list[NuggetsAdded] = []
            bring = partial(add_nuggets, project, read, source=path.name, document=self._session.document_id)
            if not self._session.saving.write(lambda: done.append(bring()), "nuggets"):
                return
            added = done[0]
            said = [f"{counted(added.nuggets, 'nugget')} with {counted(added.places, 'place')} imported"]
            said += [f"{added.known} there already"] if added.known else []
            said += [f"assigned to {counted(added.answers, 'answer')}"] if added.answers else []
            said += [f"not in the project: topics {some_named(added.topics)}"] if added.topics else []
            said += [warning.removeprefix(f"{path}: ") for warning in read.warnings]
            (self._messages.warn if added.topics or read.warnings else self._messages.info)(
                f"{path.name}: {'; '.join(said)}."
            )
            self._nuggets.refresh()

        self._tasks.run(lambda: placed_nuggets(read_nugget_file(path), collection)[0], take)

    def ask_export(self) -> None:
        """Write the project's nuggets as a NuggetBank."""
        project = self._session.project
        if not project.nuggets:
            self._messages.info("This project has no nuggets yet.")
            return
        proposed = project.path.with_name(f"{project.path.stem}-nuggets.jsonl")
        path = choose_new_file(self._window, "Export nuggets", proposed, "NuggetBank (*.jsonl)")
        if path is not None:
            self.export(path)

    def export(self, path: Path) -> None:
        from inexview.core.files import write_complete
        from inexview.core.formats.nugget_files import write_nugget_bank

        file, collection = all_nuggets(self._session.project), self._session.project.collection
        count = sum(len(topic.nuggets) for topic in file.topics)
        self._tasks.run(
            lambda: write_complete(path, lambda part: write_nugget_bank(file.topics, part, collection)),
            lambda _nothing: self._messages.info(f"{counted(count, 'nugget')} written to {path.name}."),
            saves=True,
        )


# The actions of nuggets, as the window lists all of its own.

_BESIDE = (Room.NUGGETS,)

NUGGET_FILES: tuple[Action[Any], ...] = (
    Action("open-nuggets", FILE, "Import nuggets…", "Import nuggets and their places from a file",
           lambda w: w.assess.nuggets.files.ask, judges=True),
    Action("export-nuggets", FILE, "Export nuggets…", "Write a NuggetBank: nuggets, their words and offsets",
           lambda w: w.assess.nuggets.files.ask_export),
)  # fmt: skip


def _digit(digit: int) -> Action[Any]:
    """Return the action of a digit; 0 waits for a second one."""
    text = f"File under nugget {digit}" if digit else "Nugget 10 to 19: 0, then a digit"
    tip = "The current mark or the selected words; again: remove them"
    return Action(f"nugget-{digit}", JUDGE, text, tip, lambda w: partial(w.assess.nuggets.press, digit),
                  (str(digit),), rooms=_BESIDE, judges=True, starts_group=digit == 1)  # fmt: skip


NUGGET_ACTIONS: tuple[Action[Any], ...] = (
    *(_digit(digit) for digit in (*range(1, 10), 0)),
    Action("file-selected", JUDGE, "File under the selected nugget", "Again: remove it from that nugget",
           lambda w: w.assess.nuggets.file_under_selected, ("L",), rooms=_BESIDE, judges=True),
    Action("take-nugget", JUDGE, "Take nugget over", "Copy another assessor’s nugget, with its places",
           lambda w: w.assess.nuggets.take_over, ("Shift+L",), rooms=ASSESSING, judges=True),
    Action("new-nugget", JUDGE, "New nugget…",
           "From the marked or selected words; Enter: okay, Shift+Enter: vital",
           lambda w: w.assess.nuggets.begin_new, ("+",), rooms=ASSESSING, judges=True),
    Action("weigh-nugget", JUDGE, "Vital or okay", "Change the importance of the selected nugget",
           lambda w: w.assess.nuggets.weigh, ("V",), rooms=_BESIDE, judges=True),
    Action("reword-nugget", JUDGE, "Reword nugget…", "Change the words of the selected nugget",
           lambda w: w.assess.nuggets.begin_rewording, ("F2",), rooms=_BESIDE, judges=True),
    Action("delete-nugget", JUDGE, "Delete nugget", "With its places; its number stays free",
           lambda w: w.assess.nuggets.delete, ("Shift+Del",), rooms=_BESIDE, judges=True),
    Action("next-nugget", GO, "Next nugget", "Select the nugget below",
           lambda w: partial(w.assess.nuggets.step, 1), ("Alt+PgDown",), rooms=_BESIDE),
    Action("previous-nugget", GO, "Previous nugget", "Select the nugget above",
           lambda w: partial(w.assess.nuggets.step, -1), ("Alt+PgUp",), rooms=_BESIDE),
    Action("next-nugget-place", GO, "Next place of the nugget", "Go to the next place of the selected nugget",
           lambda w: partial(w.assess.nuggets.step_place, 1), ("Alt+]",), rooms=_BESIDE),
    Action("previous-nugget-place", GO, "Previous place of the nugget",
           "Go to the previous place of the selected nugget",
           lambda w: partial(w.assess.nuggets.step_place, -1), ("Alt+[",), rooms=_BESIDE),
    Action("wider-unit", JUDGE, "Larger unit", "Marks grow to the next larger unit",
           lambda w: partial(w.assess.nuggets.step_unit, 1), ("Alt+Up",), rooms=_BESIDE),
    Action("narrower-unit", JUDGE, "Smaller unit", "Marks grow to the next smaller unit",
           lambda w: partial(w.assess.nuggets.step_unit, -1), ("Alt+Down",), rooms=_BESIDE),
    Action("nugget-panel", VIEW, "Nuggets", "Show the nuggets of the topic beside the text",
           lambda w: w.assess.nuggets.toggle, ("Shift+V",), checkable=True, rooms=ASSESSING),
)  # fmt: skip
