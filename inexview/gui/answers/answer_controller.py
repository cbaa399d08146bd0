"""The controller of Answer, the page on which assessors judge how citations support sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal

from inexview.core.answers.answers import Answer, Answers, Reference
from inexview.core.answers.figures import AnswerFigure, Judged, figures_of
from inexview.core.answers.nuggets import NuggetFile, text_of_results
from inexview.core.answers.support import SupportJudgements, asks_together, to_judge
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Run
from inexview.core.project.answer_record import AnswerState, SupportAction
from inexview.core.project.import_judgements import Layer, named_apart
from inexview.core.project.nuggets import TopicCoverage, assigned_nuggets, nuggets_of
from inexview.core.project.project import Project
from inexview.core.project.reviews import (
    AnswersAdded,
    OtherAnswer,
    add_answers,
    judge_answer,
    note_names,
    redo_answer,
    undo_answer,
)
from inexview.core.text.spans import Spans
from inexview.core.wording import counted, percent
from inexview.gui.article.article_view import Context, Controller
from inexview.gui.article.bars import Align
from inexview.gui.look.theme import theme_now
from inexview.gui.look.widgets import Pages
from inexview.gui.services.actions import EDIT, GO, JUDGE, VIEW, Action, Room
from inexview.gui.services.document_record import OpenDocument
from inexview.gui.services.messages import Message, MessageKind, Offer, ask
from inexview.gui.services.settings import PACKED, choose_file

if TYPE_CHECKING:
    from inexview.gui.answers.answer_panels import (
        AnswerRow,
        AnswersPanel,
        Chosen,
        CurrentSentence,
        JudgePanel,
        PassageFacts,
        Wire,
    )


class AnswerController(Controller):
    """Keeps the current answer, sentence and citation, and carries out judgements of them."""

    wanted = Signal()  # open the page
    names_changed = Signal()  # names of runs were shown or hidden

    def __init__(self, context: Context, pages: Pages) -> None:
        super().__init__(context)
        self._pages = pages
        self.active = False
        self._at = 0  # index among the answers to the topic
        self._chosen: Chosen = (0, None)
        self._together = False  # whether the question is about all passages of the sentence together
        self._layers: tuple[Layer, ...] = ()
        self._places: dict[tuple[str, str], tuple[Reference, ...]] = {}
        self._coverage: TopicCoverage | None = None  # coverage of the topic's nuggets, once requested
        self._session.topic_changed.connect(lambda _topic: self._begin_topic())
        self._session.document_opened.connect(self._show_passage)
        self._session.document_failed.connect(lambda _problem: self.show())
        self._session.runs_changed.connect(lambda _runs: self.show())
        self._session.run_selected.connect(lambda _run: self.show())

    # Imported here: most projects have no answers.

    @cached_property
    def left(self) -> AnswersPanel:
        from inexview.gui.answers.answer_panels import AnswersPanel

        panel = AnswersPanel()
        panel.answer_chosen.connect(self.choose_answer)
        panel.chosen.connect(self.choose)
        panel.seen.connect(self.show)
        return panel

    @cached_property
    def right(self) -> JudgePanel:
        from inexview.gui.answers.answer_panels import JudgePanel

        return JudgePanel(self._book, self._note)

    @cached_property
    def sentence(self) -> CurrentSentence:
        """The current sentence, above the text where the list is folded."""
        from inexview.gui.answers.answer_panels import CurrentSentence

        made = CurrentSentence()
        made.chosen.connect(self.choose)
        self._pages.show_above(made)
        return made

    def fold(self, panel: bool, sentences: bool) -> None:
        """Put the question under the text, and the current sentence above it, where panels have no room."""
        self.right.set_folded(folded=panel)
        if panel:
            self._pages.show_below(self.right.foot)
            self.right.foot.show()
        self.sentence.setVisible(sentences)
        self.show()

    @cached_property
    def wire(self) -> Wire:
        from inexview.gui.answers.answer_panels import Wire

        wire = Wire(self._article, lambda: self.left.place_of(self._chosen[0]))
        self.left.moved.connect(lambda _: wire.update())
        return wire

    # -- current answer, sentence and citation -------------------------------------------------------

    @property
    def answers(self) -> tuple[Answer, ...]:
        topic = self._session.topic
        return () if topic is None else self._session.project.answers.of_topic(topic.id)

    @property
    def answer(self) -> Answer | None:
        answers = self.answers
        return answers[self._at] if self._at < len(answers) else None

    @property
    def state(self) -> AnswerState:
        answer = self.answer
        return AnswerState() if answer is None else self._state_of(answer)

    def _state_of(self, answer: Answer) -> AnswerState:
        return self._session.project.answers.state(answer.topic, answer.run)

    @property
    def chosen(self) -> Chosen:
        """The current sentence and citation."""
        return self._chosen

    @property
    def reference(self) -> Reference | None:
        """The current passage, with its place if known."""
        answer, (_, at) = self.answer, self._chosen
        return None if answer is None or at is None else self._references(answer)[at]

    def _references(self, answer: Answer) -> tuple[Reference, ...]:
        return self._places.get((answer.topic, answer.run), answer.references)

    # -- opening and closing the page ----------------------------------------------------------------

    def offer(self) -> None:
        """Enable the page if the topic has answers."""
        self._book["answer"].setEnabled(bool(self.answers))

    def enter(self) -> None:
        """Request the page if the topic has answers."""
        if self.answers:
            self.wanted.emit()
            return
        self._book["assess"].trigger()
        self._messages.info(
            "This topic has no answers: File ▸ Judgements ▸ Import answers reads them from a file."
        )

    def ask(self) -> None:
        """Import answers from a file."""
        kinds = f"Answers (*.jsonl *.json *.ndjson *.txt {PACKED});;All files (*)"
        path = choose_file(self._window, "Import answers", kinds, self._settings)
        if path is not None:
            self.bring_in(path)

    def bring_in(self, path: Path) -> None:
        """Import the answers of a file into the project, and report the result."""
        from inexview.core.formats.answer_files import read_answers

        self._tasks.run(lambda: read_answers(path), partial(self._take, path))

    def _take(self, path: Path, read: Answers, *, replaces: bool = False, second: bool = False) -> None:
        project, done = self._session.project, list[AnswersAdded]()
        if not self._session.saving.write(
            lambda: done.append(add_answers(project, read.answers, replace=replaces, second=second)),
            "answers",
        ):
            return
        added = done[0]
        left_out, replaced = added.left_out, len(added.others) - len(added.left_out)
        said = [f"{counted(replaced, 'answer')} replaced"] if replaced else []
        said += [] if replaced and not added.added else [f"{counted(added.added, 'answer')} imported"]
        said += [f"{added.known} there already"] if added.known else []
        said += [f"{counted(len(added.topics), 'topic')} not in the project"] if added.topics else []
        said += [warning.removeprefix(f"{path}: ") for warning in read.warnings]
        said += (
            [f"{counted(len(left_out), 'answer')} left out, as the run has another one"] if left_out else []
        )
        text = f"{path.name}: {'; '.join(said)}."
        if left_out:
            lines = [f"{path.name}:{other.answer.line}: {other}" for other in left_out]
            message = Message.listing(MessageKind.WARNING, text, lines)
            offers = (
                Offer("Replace", partial(self._replace, path, read, left_out)),
                Offer("Take as second answers", partial(self._take, path, read, second=True)),
            )
            self._messages.say(replace(message, more=() if replaces or second else offers))
        else:
            (self._messages.warn if added.topics or read.warnings else self._messages.info)(text)
        for other in added.others:
            self._places.pop((other.answer.topic, other.answer.run), None)
        self.offer()
        if self.active and added.others:
            self._find_places()
            self._go_on()

    def _replace(self, path: Path, read: Answers, others: Sequence[OtherAnswer]) -> None:
        """Replace answers of the project by those of a file; ask first if the old ones are judged."""
        judged = sum(other.judged for other in others)
        what = f"Replace {counted(len(others), 'answer')}?"
        detail = (
            f"{counted(judged, 'judgement')} of the present answers stay only where sentence and passage are "
            "the same in the new ones. This cannot be undone."
        )
        if not judged or ask(self._window, what, detail, "Replace"):
            self._take(path, read, replaces=True)

    def set_active(self, active: bool) -> None:
        if active is self.active:
            return
        self.active = active
        self._article.flash.keep(active)
        if active:
            self._find_places()
            self._go_on()
        else:
            self._write_note()
            self._point_nowhere()

    def _begin_topic(self) -> None:
        self._at, self._chosen, self._together = 0, (0, None), False
        self.offer()
        if self.active and not self.answers:
            self._book["assess"].trigger()
        elif self.active:
            self._find_places()
            self._go_on()

    def _find_places(self) -> None:
        """Find, in a background thread, the passages that answers give by their words only."""
        from inexview.core.formats.answer_files import placed_references

        answers = [one for one in self.answers if (one.topic, one.run) not in self._places]
        collection = self._session.project.collection
        if not answers:
            return

        def take(found: Sequence[tuple[Reference, ...]]) -> None:
            for answer, references in zip(answers, found, strict=True):
                self._places[answer.topic, answer.run] = references
            if self.active:
                self._open_passage()

        self._tasks.run(lambda: placed_references(answers, collection), take, urgent=False)

    # -- moving --------------------------------------------------------------------------------------

    def choose_answer(self, at: int) -> None:
        """Open another answer, at the first thing to judge."""
        self._write_note()
        self._at = at
        self._go_on()

    def step_answer(self, by: int) -> None:
        answers = self.answers
        if answers:
            self.choose_answer((self._at + by) % len(answers))

    def choose(self, chosen: Chosen) -> None:
        """Go to a sentence, and to one of the passages that it cites."""
        self._write_note()
        self._chosen, self._together = chosen, False
        self.show()  # first, because the passage is aligned with its sentence
        self._open_passage()

    def step_citation(self, by: int) -> None:
        """Go to the next or previous citation of the answer."""
        answer = self.answer
        if answer is None:
            return
        listed = list(answer.citations)
        if not listed:
            return
        sentence, reference = self._chosen
        if reference is not None and (sentence, reference) in listed:
            at = listed.index((sentence, reference)) + by
        else:  # at a sentence without citations
            later = [at for at, place in enumerate(listed) if place[0] > sentence]
            at = (later[0] if later else len(listed)) - (by < 0)
        if 0 <= at < len(listed):
            self.choose(listed[at])

    def step_sentence(self, by: int) -> None:
        answer = self.answer
        at = self._chosen[0] + by
        if answer is not None and 0 <= at < len(answer.sentences):
            self.choose((at, next(iter(answer.sentences[at].citations), None)))

    def _go_on(self) -> None:
        """Go to the next thing to judge, wrapping at the end; stay if nothing is left."""
        answer = self.answer
        if answer is None:
            self.show()
            return
        left = list(to_judge(answer, self.state.judged))
        sentence, reference = self._chosen
        order = {place: at for at, place in enumerate(answer.citations)}
        here = order.get((sentence, -1 if reference is None else reference), -1)
        later = [place for place in left if order[place] > here]
        following = next(iter(later or left), None)
        if following is None:
            sentences = answer.sentences
            cited = sentences[sentence].citations if sentence < len(sentences) else ()
            if sentence >= len(sentences) or reference not in (cited or (None,)):
                sentence, cited = 0, sentences[0].citations if sentences else ()
                reference = next(iter(cited), None)
            self.choose((sentence, reference))
        else:
            self.choose(following)

    def back_to_passage(self) -> None:
        """Scroll to the cited passage."""
        self._open_passage()

    def _open_passage(self) -> None:
        reference, session = self.reference, self._session
        if not self.active:
            return
        if reference is None:
            self._point_nowhere()
            return
        document = self._document_of(reference)
        if session.document is not None and session.document.id == document:
            self._outline(reference)
        else:
            session.open_document(document)

    def _document_of(self, reference: Reference) -> str:
        """Return the document of the collection that contains a passage; ``d7#3`` may be a segment of d7."""
        collection = self._session.project.collection
        whole = reference.document.split("#", 1)[0]
        return whole if reference.document not in collection and whole in collection else reference.document

    def _show_passage(self, _opened: OpenDocument) -> None:
        if self.active:
            reference = self.reference
            if reference is not None:
                self._outline(reference)
            self.show()

    def _outline(self, reference: Reference) -> None:
        """Outline a passage and scroll to it; without a place, show its document."""
        document = self._session.document
        if document is None or document.id != self._document_of(reference):
            return
        if not reference.placed:
            self._point_nowhere()
            return
        end, level = min(reference.end, document.length), self.wire.level
        self._article.reveal(reference.start, end, align=Align.NEAREST if level is None else level)
        self._article.flash.begin(reference.start, end)
        self.wire.show_passage(reference.start, (self._chosen[1] or 0) + 1)

    def _point_nowhere(self) -> None:
        self._article.flash.stop()
        self.wire.show_passage(None, 0)

    # -- judging -------------------------------------------------------------------------------------

    def judge(self, value: str) -> None:
        """Judge how far the passage, or all passages together, support the sentence, and go on."""
        answer, (sentence, reference) = self.answer, self._chosen
        if answer is None:
            return
        if self._together:
            if value != "partial":
                self._do(SupportAction("together", sentence, value=value == "full"))
                self._together = False
                self._go_on()
            return
        if reference is None:
            if answer.sentences:
                self._messages.info("This sentence cites nothing: N says that it needs no citation.")
            return
        if not self._do(SupportAction("support", sentence, reference, value)):
            return
        if asks_together(answer, self.state.judged, sentence):
            self._together = True
            self.show()
        else:
            self._go_on()

    def toggle_need(self) -> None:
        """Judge that the sentence needs no citation, or undo that."""
        answer, sentence = self.answer, self._chosen[0]
        if answer is None or sentence >= len(answer.sentences):
            return
        needs_none = sentence not in self.state.judged.no_need
        if self._do(SupportAction("needs-citation", sentence, value=not needs_none)) and needs_none:
            bare = [
                at
                for at, one in enumerate(answer.sentences)
                if not one.citations and at not in self.state.judged.no_need and at > sentence
            ]
            if bare and not list(to_judge(answer, self.state.judged)):
                self.choose((bare[0], None))
                return
            self._go_on()

    def ask_together(self) -> None:
        """Ask again whether all passages of the sentence together support it fully."""
        answer, sentence = self.answer, self._chosen[0]
        if answer is not None and answer.sentences and len(answer.sentences[sentence].citations) > 1:
            self._together = not self._together
            self.show()

    def finish(self) -> None:
        """Finish the answer and open the next; if something is left to judge, go there instead."""
        answer = self.answer
        if answer is None:
            return
        left = list(to_judge(answer, self.state.judged))
        if left:
            self._messages.info(f"{counted(len(left), 'citation')} still to judge.")
            self._go_on()
            return
        if not self.state.finished and not self._do(SupportAction("finished", value=True)):
            return
        following = [at for at, one in enumerate(self.answers) if not self._state_of(one).finished]
        later = [at for at in following if at > self._at]
        if following:
            self.choose_answer((later or following)[0])
        else:
            self.show()
            self._messages.info("Every answer to this topic is finished.")

    def undo(self) -> None:
        self._turn(undo_answer, "undo")

    def redo(self) -> None:
        self._turn(redo_answer, "redo")

    def _turn(self, turn: Callable[[Project, str, str], AnswerState], what: str) -> None:
        answer, project = self.answer, self._session.project
        if answer is None:
            return
        history = project.answers.history(answer.topic, answer.run)
        action = history.to_undo if what == "undo" else history.to_redo
        if action is None:
            self._messages.info(f"There is nothing to {what} in this answer.")
            return
        if not self._session.saving.write(lambda: turn(project, answer.topic, answer.run), what):
            return
        self._together = False
        if action.sentence >= 0:
            reference = action.reference if action.reference >= 0 else None
            self._chosen = action.sentence, reference
        self._open_passage()
        self.show()

    def _do(self, action: SupportAction) -> bool:
        answer, session = self.answer, self._session
        if answer is None or session.project.read_only:
            self._messages.warn("This project is read-only.")
            return False
        project, topic, run = session.project, answer.topic, answer.run
        done = session.saving.write(lambda: judge_answer(project, topic, run, action), action.label)
        self.show()
        return done

    def _note(self, said: str) -> None:
        answer, (sentence, reference) = self.answer, self._chosen
        if answer is None or reference is None or not self.active:
            return
        if said.strip() != self.state.notes.get((sentence, reference), ""):
            self._do(SupportAction("note", sentence, reference, said.strip() or None))

    def _write_note(self) -> None:
        if "right" in self.__dict__ and self.right.note.hasFocus():
            self._note(self.right.note.text())

    def note(self) -> None:
        """Focus the note on the citation."""
        if self.active:  # otherwise its panel is not in the window
            self.right.note.setFocus()

    def dismiss(self) -> bool:
        """Close the derivation, or the question about all passages; return False if neither is open."""
        if not self.active:
            return False
        if self._together:
            self._together = False
            self.show()
            return True
        return self.right.figures.dismiss()

    # -- contents ------------------------------------------------------------------------------------

    def compare(self, layers: Sequence[Layer]) -> None:
        """Compare the judgements of other assessors; they are shown once an answer is finished."""
        self._layers = named_apart(layer for layer in layers if layer.answers)
        self.show()

    def _others(self, answer: Answer, state: AnswerState) -> dict[str, SupportJudgements]:
        """Return the judgements of other assessors by name, empty before the answer is finished."""
        judged = {layer.name: layer.support(answer) for layer in self._layers if state.finished}
        return {name: support for name, support in judged.items() if support is not None}

    def _note_names(self) -> None:
        """Record that names of runs are shown while answers are still to be judged."""
        answer, session = self.answer, self._session
        if answer is not None and self.shows_names and not session.project.read_only:
            session.saving.write(lambda: note_names(session.project, answer.topic), "names of runs")

    @property
    def shows_names(self) -> bool:
        return self._book["answer-names"].isChecked()

    @property
    def named(self) -> bool:
        """Whether the name of the run was shown before its answer was finished."""
        answer = self.answer
        return answer is not None and self._session.project.answers.named(answer.topic, answer.run)

    def show(self) -> None:
        """Show the answers, the current one, its passage and the judgements, if the page is open."""
        if not self.active:
            return
        self._note_names()
        self.names_changed.emit()
        answer, state, named = self.answer, self.state, self.shows_names
        self.left.show_answers(
            [self._row(at, one, named=named) for at, one in enumerate(self.answers)], self._at
        )
        self.left.show_answer(self._at + 1, answer)
        if answer is None:
            return
        others = self._others(answer, state)
        self.left.show_judged(state, self._chosen, theme_now(), others)
        note = "" if self._chosen[1] is None else state.notes.get((self._chosen[0], self._chosen[1]), "")
        self.right.show_passage(self._facts(answer, state, others), note)
        folded = not (state.finished or self._book["answer-figures"].isChecked())
        self.right.show_figures(self.figures(answer), folded=folded)
        if "sentence" in self.__dict__:
            self.sentence.show_judged(answer, state, self._chosen, theme_now(), others)
        self.right.show_question(answer, state, self._chosen, together=self._together)

    def _row(self, at: int, answer: Answer, *, named: bool) -> AnswerRow:
        from inexview.gui.answers.answer_panels import AnswerRow

        state, every = self._state_of(answer), len(list(answer.citations))
        left = sum(1 for _ in to_judge(answer, state.judged))
        return AnswerRow(answer.run if named else str(at + 1), every - left, every, state.finished)

    def figures(self, answer: Answer) -> Mapping[str, AnswerFigure]:
        """Return the current figures of an answer; hits count only in finished documents."""
        project, references = self._session.project, self._references(answer)
        cited = [reference.document for reference in references]
        finished = {
            name: state
            for name in dict.fromkeys(cited)
            if (state := project.state(answer.topic, name)).finished
        }
        if not finished:  # otherwise unfinished documents would count as missed instead of open
            states = ((name, project.state(answer.topic, name)) for name in project.touched(answer.topic))
            finished = dict(islice(((name, state) for name, state in states if state.finished), 1))
        qrels = Qrels.from_judgements(
            [
                Judgement(answer.topic, name, state.size, 0, None, state.marks)
                for name, state in finished.items()
            ]
        )
        support = {(answer.run, answer.topic): self._state_of(answer).judged}
        nuggets, ranking = self._nuggets(), self.ranking
        retrieved = None
        if nuggets is not None and ranking is not None:
            retrieved = {answer.topic: text_of_results(ranking, answer.topic)}
        return figures_of(answer, Judged(support, qrels, nuggets, retrieved=retrieved), references)

    @property
    def ranking(self) -> Run | None:
        """The open run of the documents retrieved for the answer: its own, else the current run.

        Answers are also open as runs, which hold what they cite.
        """
        answer, session = self.answer, self._session
        if answer is None:
            return None
        cited = [answer.references[at].document for at in answer.cited]
        for run in session.runs:
            if run.id == answer.run:
                results = islice(run.results(answer.topic), len(cited) + 1)
                if [result.document for result in results] != cited:
                    return run
        writers = {one.run for one in self.answers}
        return None if session.run is None or session.run.id in writers else session.run

    def _nuggets(self) -> NuggetFile | None:
        """Return the nuggets of the topic with their places and their support in answers."""
        project, topic = self._session.project, self._session.topic
        if topic is None or not project.nuggets.of(topic.id).nuggets:
            return None
        if self._coverage is None or self._coverage.topic != topic.id:
            self._coverage = TopicCoverage(project, topic.id)
        return NuggetFile((*assigned_nuggets(project, topic), nuggets_of(project, topic, self._coverage)))

    def _facts(
        self, answer: Answer, state: AnswerState, layers: Mapping[str, SupportJudgements]
    ) -> PassageFacts | None:
        from inexview.gui.answers.answer_panels import PassageFacts

        (sentence, at), session = self._chosen, self._session
        if at is None:
            return None
        reference = self._references(answer)[at]
        document = self._document_of(reference)
        shown = session.document if session.document is not None and session.document.id == document else None
        problem = ""
        if document not in session.project.collection:
            problem = f"{reference.document}: not in this collection"
        elif (
            not reference.placed
            and reference.quote is not None
            and (answer.topic, answer.run) in self._places
        ):
            problem = "The words of this passage are not in the text."
        place = f"{reference.start:,}:{reference.end - reference.start:,}" if reference.placed else ""
        others = tuple(
            (f"Supports sentence {other + 1}", state.judged.support.get((other, at)))
            for other, one in enumerate(answer.sentences)
            if at in one.citations and other != sentence
        )
        others += tuple(
            (f"{name}, sentence {sentence + 1}", judged.support.get((sentence, at)))
            for name, judged in layers.items()
        )
        title = reference.title or session.catalogue.about(document).title or document
        relevant = self._relevant_in(answer.topic, document, reference) if shown is not None else ""
        return PassageFacts(at + 1, len(answer.references), title, place, relevant, others, problem)

    def _relevant_in(self, topic: str, document: str, reference: Reference) -> str:
        """Return how much of a passage is marked as relevant."""
        state = self._session.project.state(topic, document)
        if not state.finished and not state.marks:
            return "This document is not judged."
        if not reference.placed:
            return f"Judged relevant in the document: {state.size:,} characters"
        size = reference.end - reference.start
        held = (state.marks & Spans([(reference.start, reference.end)])).size
        share = percent(held / max(size, 1))
        return f"Judged relevant in it: {held:,} of {size:,} characters ({share})"


_ANSWERING = (Room.ANSWER,)
ACTIONS: tuple[Action[Any], ...] = (
    Action("support-full", JUDGE, "Full", "The passage supports the sentence fully; go on",
           lambda w: partial(w.answer.judge, "full"), ("1",), starts_group=True, rooms=_ANSWERING,
           judges=True),
    Action("support-partial", JUDGE, "Partial, ½", "The passage supports part of the sentence; go on",
           lambda w: partial(w.answer.judge, "partial"), ("2", "½"), rooms=_ANSWERING, judges=True),
    Action("support-none", JUDGE, "None", "The passage does not support the sentence; go on",
           lambda w: partial(w.answer.judge, "none"), ("0",), rooms=_ANSWERING, judges=True),
    Action("no-citation", JUDGE, "Sentence needs no citation",
           "Leave the sentence out of weighted recall, or undo that", lambda w: w.answer.toggle_need,
           ("N",), rooms=_ANSWERING, judges=True),
    Action("together", JUDGE, "All together", "Say whether all passages of the sentence support it fully",
           lambda w: w.answer.ask_together, ("T",), rooms=_ANSWERING, judges=True),
    Action("finish-answer", JUDGE, "Finish, next answer",
           "Finish the answer, or go to the next citation to judge",
           lambda w: w.answer.finish, ("F",), rooms=_ANSWERING, judges=True),
    Action("note-citation", JUDGE, "Note on the citation", "Write a note on this citation",
           lambda w: w.answer.note, ("Alt+N",), rooms=_ANSWERING),
    Action("undo-answer", EDIT, "Undo", "Take back the last judgement of this answer",
           lambda w: w.answer.undo, ("Ctrl+Z",), rooms=_ANSWERING, judges=True),
    Action("redo-answer", EDIT, "Redo", "Redo the judgement that was undone", lambda w: w.answer.redo,
           ("Ctrl+Y", "Ctrl+Shift+Z"), rooms=_ANSWERING, judges=True),
    Action("next-citation", GO, "Next citation", "Go to the next citation of the answer",
           lambda w: partial(w.answer.step_citation, 1), ("Right",), rooms=_ANSWERING),
    Action("previous-citation", GO, "Previous citation", "Go to the previous citation of the answer",
           lambda w: partial(w.answer.step_citation, -1), ("Left",), rooms=_ANSWERING),
    Action("next-sentence", GO, "Next sentence of the answer", "Go to the next sentence",
           lambda w: partial(w.answer.step_sentence, 1), ("Down",), rooms=_ANSWERING),
    Action("previous-sentence", GO, "Previous sentence of the answer", "Go to the sentence before",
           lambda w: partial(w.answer.step_sentence, -1), ("Up",), rooms=_ANSWERING),
    Action("answer-names", VIEW, "Names of runs", "Show which run wrote each answer: no longer judge blind",
           lambda w: w.answer.show, checkable=True, rooms=_ANSWERING),
    Action("answer-figures", VIEW, "Figures before finishing",
           "Show the figures of an answer while you judge it", lambda w: w.answer.show, ("V",),
           checkable=True, rooms=_ANSWERING),
    Action("back-to-passage", GO, "Back to the passage", "Scroll to the cited passage",
           lambda w: w.answer.back_to_passage, ("P",), rooms=_ANSWERING),
)  # fmt: skip
"""The actions of Answer in the menus of the window."""
