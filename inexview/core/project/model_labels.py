"""Labels of models in a project: import, removal, thresholds, and the persons they are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from inexview.core.answers.judges import FoundQuote, ModelLabel, ModelLabels, quotes_read
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, JudgementError
from inexview.core.formats.conversion import look
from inexview.core.formats.format import Apart
from inexview.core.formats.judge_files import located, read_model_labels
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.measures.measure import parse
from inexview.core.progress import Progress, unwatched
from inexview.core.project.document_state import Suggestion, grade_numbers
from inexview.core.project.import_judgements import Layer, named_apart, own_layer
from inexview.core.project.journal import JournalEntry
from inexview.core.project.journal_rows import Remarks
from inexview.core.project.judge_record import ASKED, KEPT, LABELS, AskedOfModels, label_content
from inexview.core.project.project import Project
from inexview.core.project.reviews import Suggestions, read_suggestions, set_answer
from inexview.core.text.spans import Spans
from inexview.core.wording import counted, in_one_line, some_named

LONGEST, MOST_QUOTES, LONGEST_NAME = 20_000, 100, 200
"""Characters of a reason or quote, quotes of a label, characters of a model's name; more is cut off."""
STANDS = "model: "
"""Prefix of the record that a person's grade is right; the model's name follows."""


class LabelsAdded(NamedTuple):
    """The result of importing labels, and what was left out."""

    models: tuple[str, ...]
    added: int
    known: int
    """Labels that the project already has."""
    topics: tuple[str, ...]
    """Topics that the project lacks."""
    nowhere: int
    """Labels of passages that are in no document of their topic."""
    cut: int
    """Labels with a reason or quotes that were cut off."""

    @property
    def complete(self) -> bool:
        return not (self.topics or self.nowhere or self.cut)

    def said(self) -> str:
        """Return the result as text, without a full stop."""
        named = f" of {some_named(self.models)}" if self.models else ""
        parts = [f"{counted(self.added, 'label')}{named} imported"]
        parts += [f"{self.known:,} there already"] if self.known else []
        if self.topics:
            parts.append(
                f"{counted(len(self.topics), 'topic')} not in the project: {some_named(self.topics)}"
            )
        parts += [f"{counted(self.cut, 'label')} too long, cut off"] if self.cut else []
        return "; ".join(parts)


def read_labels(
    path: Path,
    topics: Mapping[str, str],
    documents: Mapping[str, Sequence[str]],
    collection: Collection,
    progress: Progress = unwatched,
) -> ModelLabels:
    """Read a model's judgements, with the project's ids; may run in any thread.

    ``topics`` are the texts of its topics, ``documents`` those in which passages are located. Raises
    DataError and Cancelled.
    """
    return located(read_model_labels(path), documents, topics, collection, progress)


def looked_in(project: Project) -> dict[str, Sequence[str]]:
    """Return the documents in which passages are located, by topic: its pool, else the judged ones."""
    listed = project.pool if project.contents.has_pool else project.touched
    return {topic.id: listed(topic.id) for topic in project.topics}


def add_labels(project: Project, labels: ModelLabels) -> LabelsAdded:
    """Import labels into a project, in one transaction; they replace labels of the same documents.

    Raises ProjectError.
    """
    topics = {topic.id for topic in project.topics}
    source = "" if labels.path is None else labels.path.name
    found: dict[tuple[str, str], dict[str, list[ModelLabel]]] = {}
    unknown, nowhere, cut = dict[str, None](), 0, 0
    for label in labels.labels:
        if label.topic not in topics:
            unknown[label.topic] = None
        elif not label.document:
            nowhere += 1
        else:
            kept = _kept(label)
            cut += kept[3:5] != label[3:5]
            listed = found.setdefault((kept.topic, kept.model), {}).setdefault(kept.document, [])
            listed.append(kept)
    entries, added, known = [], 0, 0
    for (topic, model), by_document in found.items():
        new: list[ModelLabel] = []
        taken_out = model not in project.judges.models
        for document, listed in by_document.items():
            if not taken_out and tuple(listed) == project.judges.of_document(topic, model, document):
                known += len(listed)
            else:
                new += listed
        if new:
            content = {"model": model, "source": source, "labels": [label_content(one) for one in new]}
            entries.append(JournalEntry(LABELS, content, topic))
            added += len(new)
    project.append(entries)
    models = tuple(dict.fromkeys(model for _, model in found))
    return LabelsAdded(models, added, known, tuple(unknown), nowhere, cut)


def _kept(label: ModelLabel) -> ModelLabel:
    """Return a label in the form of the journal: without the passage, and with limited lengths."""
    name = "".join(letter for letter in label.model if letter.isprintable())[:LONGEST_NAME].strip()
    quotes = tuple(_utf8(quote[:LONGEST]) for quote in label.quotes[:MOST_QUOTES])
    return ModelLabel(
        label.topic,
        _utf8(label.document),
        label.grade,
        _utf8(label.reason[:LONGEST]),
        quotes,
        _utf8(name) or "model",
        shown=label.shown,
    )


def _utf8(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def keep_model(project: Project, model: str, *, on: bool) -> None:
    """Remove a model from the project, or restore it; raises ProjectError."""
    project.append([JournalEntry(KEPT, {"model": model, "on": on})])


def ask_of_models(project: Project, asked: AskedOfModels) -> None:
    """Set the thresholds for models; raises MeasureError and, for an impossible κ or τ, JudgementError."""
    parse(asked.measure)
    try:
        AskedOfModels.from_content(asked.content())
    except ValueError as error:
        raise JudgementError(str(error)) from error
    if asked != project.judges.asked:
        project.append([JournalEntry(ASKED, asked.content())])


def let_stand(project: Project, topic: str, document: str, model: str, *, on: bool) -> None:
    """Record that the person's grade of a document is right despite the model's, or undo that."""
    set_answer(project, topic, document, STANDS + model, on=on)


def stands(project: Project, topic: str, document: str, model: str) -> bool:
    return STANDS + model in project.histories.log(topic, document).remarks.answered


# -- as suggestions --------------------------------------------------------------------------------------

SAID = 400  # characters of a reason


def as_suggestions(
    model: str, labels: ModelLabels, read: Iterable[tuple[ModelLabel, Sequence[FoundQuote]]]
) -> Suggestions:
    """Return a model's quotes as suggestions, with its grade and reason for each document.

    A quote with several places is suggested at the first; one that is not found is skipped.
    """
    passages: dict[str, dict[str, tuple[Suggestion, ...]]] = {}
    for label, found in read:
        places = sorted({one.places[0] for one in found if one.places})
        grade = None if label.grade is None else float(label.grade)
        own = passages.setdefault(label.topic, {})
        known = {one.span: one for one in own.get(label.document, ())}
        known |= {place: Suggestion(*place, model, grade) for place in places}
        own[label.document] = tuple(known[place] for place in sorted(known))
    said = {}
    for (topic, document), label in labels.by_document.items():
        about = f": “{in_one_line(label.reason, SAID)}”" if label.reason.strip() else ""
        said[topic, document] = f"grade {label.grade}{about}"
    return Suggestions(model, passages, said=said)


def read_any_suggestions(
    path: Path,
    topics: Mapping[str, str],
    documents: Mapping[str, Sequence[str]],
    collection: Collection,
    progress: Progress = unwatched,
) -> Suggestions:
    """Read suggestions, or a model's quotes as suggestions; of several models the first.

    Raises DataError and Cancelled.
    """
    if not any(file.apart is Apart.LABELS for file in look([path])):
        return read_suggestions(path, collection, progress)
    labels = read_labels(path, topics, documents, collection, progress)
    kept = ModelLabels(tuple(_kept(label) for label in labels.labels if label.document))
    if not kept.labels:
        raise DataError("judges no document of these topics", path=path)
    first, *others = kept.models
    own = kept.of_model(first)
    suggestions = as_suggestions(first, own, quotes_read(own.labels, collection, progress))
    left = (
        [f"{path}: also contains {counted(len(others), 'other model')}: {some_named(others)}"]
        if others
        else []
    )
    return replace(suggestions, path=path, warnings=(*labels.warnings, *left))


# -- the person ------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Person:
    """The judge of a topic's documents: grades or relevance, and marks."""

    name: str
    qrels: Qrels
    marks: Mapping[str, Spans] = field(default_factory=dict)


def person_of(project: Project, topic: str, layer: Layer | None = None) -> Person:
    """Return the judgements of a layer, by default of the project's assessor, for a topic.

    If any document has a grade, relevant documents without one count as 1, not relevant ones as 0.
    """
    judging = own_layer(project, topic) if layer is None else layer
    judged = judging.judged.get(topic, {})
    remarks = {
        document: taken.remarks
        if judging.path is not None
        else project.histories.log(topic, document).remarks
        for document, taken in judged.items()
    }
    rows = [taken.judgement for taken in judged.values()]
    marks = {row.document: row.passages for row in rows}
    if any(remark.grade for remark in remarks.values()):
        rows = [_graded(row, remarks[row.document], project.contents.scale) for row in rows]
        return Person(judging.name, replace(Qrels.from_judgements(rows), graded=True), marks)
    return Person(judging.name, Qrels.from_judgements(rows), marks)


def persons_of(project: Project, topic: str, layers: Sequence[Layer]) -> list[Person]:
    """Return the persons with judgements of a topic: the project's assessor, then those of layers."""
    named = named_apart((own_layer(project, topic), *layers))
    return [person for layer in named if len((person := person_of(project, topic, layer)).qrels)]


def persons_beside(path: Path, collection: Collection, topic: str, layers: Sequence[Layer]) -> list[Person]:
    """Return ``persons_of`` for a project that is open; for a worker thread."""
    with Project.beside(path, collection) as project:
        return persons_of(project, topic, layers)


def _graded(row: Judgement, remarks: Remarks, scale: Sequence[str]) -> Judgement:
    grade = grade_numbers(scale).get(remarks.grade, 1) if row.relevant else 0
    return Judgement(row.topic, row.document, grade, row.length, None, Spans())
