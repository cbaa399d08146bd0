"""Judgements of other assessors of the same topics, laid beside those of a project: read, never written."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.files import is_there
from inexview.core.judgements.qrels import Qrels, Records
from inexview.core.progress import Progress, unwatched
from inexview.core.project.exchange.import_judgements import Taken, make_ready
from inexview.core.project.exchange.project_judgements import judgement_of, records_of
from inexview.core.project.journal.journal import MAGIC
from inexview.core.project.judging.adjudication import Difference
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.project.project import Project
from inexview.core.project.text_changes import Reader
from inexview.core.text.counting import Convention
from inexview.core.wording import counted


@dataclass(frozen=True)
class Layer:
    """What one assessor judged completely, by topic and document, counted in code points."""

    name: str
    judged: Mapping[str, Mapping[str, Taken]]
    path: Path | None = None
    """Its file; None for the judgements of the project itself."""
    warnings: tuple[str, ...] = ()

    def state(self, topic: str, document: str) -> DocumentState | None:
        """Return how a document is judged here; None where it is not judged, or without saying where."""
        taken = self.judged.get(topic, {}).get(document)
        if taken is None or (taken.judgement.relevant and not taken.judgement.passages):
            return None
        return DocumentState.of(taken.judgement.passages, taken.judgement.bep, finished=True)

    def length(self, topic: str, document: str) -> int:
        """Return how long the document was when it was judged here; 0 where that is not known."""
        taken = self.judged.get(topic, {}).get(document)
        return 0 if taken is None else taken.judgement.length

    def qrels(self, topic: str) -> Qrels:
        return Qrels.from_judgements(one.judgement for one in self.judged.get(topic, {}).values())

    def differs(self, topic: str, document: str, text: str) -> str:
        """Say why passages of a document may be elsewhere than where they were marked; "" if not."""
        taken = self.judged.get(topic, {}).get(document)
        if taken is None or not taken.judgement.relevant:
            return ""
        if drifted := Reader(text).drifted(taken.quotes):
            number = "1 passage reads" if len(drifted) == 1 else f"{len(drifted):,} passages read"
            return f"{number} differently here than when {self.name} marked"
        length = taken.judgement.length
        if length not in (0, len(text)):
            return f"{self.name} judged an article of {length:,} characters, this has {len(text):,}"
        return ""


def read_layer(
    path: Path,
    topics: Container[str],
    convention: Convention,
    collection: Collection,
    progress: Progress = unwatched,
) -> Layer:
    """Read another project, or judgements in any format, as a layer; qrels are counted by ``convention``.

    Raises DataError and ProjectError for what cannot be read, and Cancelled.
    """
    judged = read_others_judgements(path, collection, progress)
    ready = make_ready(judged, topics, convention, lambda document: collection.scan(document).text, progress)
    listed = (one for one in ready.taken if one.finished and one.judgement.topic in topics)
    found = _by_topic(
        replace(one, judgement=replace(one.judgement, length=one.judgement.length or one.actual or 0))
        for one in listed
    )
    if not found:
        raise DataError("judges no topic of this project", path=path)
    documents = {document for own in found.values() for document in own}
    lacking = collection.lacking(document for own in found.values() for document in own)
    if len(lacking) == len(documents):
        raise DataError(
            "judges no document of this collection", path=path, field="document", value=lacking[0]
        )
    warnings = [*judged.warnings, *ready.warnings]
    if lacking:
        warnings.append(f"{counted(len(lacking), 'document')} not in the collection, such as {lacking[0]}")
    assessors = {one.assessor for one in judged} if isinstance(judged, Records) else set()
    name = assessors.pop() if len(assessors) == 1 and "" not in assessors else path.stem
    return Layer(name, found, path, tuple(warnings))


def read_others_judgements(
    path: Path, collection: Collection, progress: Progress = unwatched
) -> Qrels | Records:
    """Read the judgements of another project, or of a file in any format, as they are counted there.

    Raises DataError and ProjectError for what cannot be read, and Cancelled.
    """
    from inexview.core.formats.readers import read_for_project  # here: a project is opened without any reader

    if not is_project(path):
        return read_for_project(path, None, collection, progress)
    with Project.open(path, read_only=True) as other:
        records = tuple(records_of(other, read_lengths=False, progress=progress))
        return Records(records, path=path, warnings=() if other.damage is None else (str(other.damage),))


def own_layer(project: Project, topic: str) -> Layer:
    """Return what the project's own assessor judged of a topic."""
    found = []
    for document in project.touched(topic):
        history = project.histories.of(topic, document)
        state = history.state
        if state.finished:
            length = history.finished_length
            if length is None:
                found_in = zip(history.done, history.states(), strict=True)
                lengths = [step.action.length for step, reached in found_in if reached == state]
                length = next((one for one in reversed(lengths) if one is not None), 0)
            found.append(Taken(judgement_of(topic, document, state, length)))
    return Layer(project.assessor, _by_topic(found))


def differences(layers: Sequence[Layer], topic: str, order: Sequence[str] = ()) -> list[Difference]:
    """Return every document of a topic that one of two or three layers judges, most disputed first.

    Where as many are disputed, the order is that of ``order``.
    """
    names = tuple(layer.name for layer in layers)
    listed = dict.fromkeys((*order, *(name for layer in layers for name in layer.judged.get(topic, {}))))
    found = [Difference(name, names, tuple(layer.state(topic, name) for layer in layers)) for name in listed]
    judged = (one for one in found if any(state is not None for state in one.states))
    return sorted(judged, key=lambda one: (-one.disputed, not one.entries_apart))


def settled(project: Project, topic: str, document: str) -> bool:
    """Tell whether the third layer of a document is finished."""
    return project.histories.third(topic, document).state.finished


def named_apart(layers: Iterable[Layer]) -> tuple[Layer, ...]:
    """Return layers of which no two have the same name, so that one knows whose marks were taken."""
    found: list[Layer] = []
    for layer in layers:
        taken = {one.name for one in found}
        wanted = [layer.name, f"{layer.name} ({layer.path.stem})" if layer.path else layer.name]
        numbered = (f"{layer.name} ({number})" for number in range(2, len(taken) + 3))
        name = next(one for one in (*wanted, *numbered) if one not in taken)
        found.append(replace(layer, name=name))
    return tuple(found)


def is_project(path: Path) -> bool:
    """Tell whether a file is a project, whatever it is called; raises DataError where it cannot be read."""
    try:
        if is_there(path) and not path.is_file():  # what reads it says what it is
            return False
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", path=path) from error


def _by_topic(listed: Iterable[Taken]) -> dict[str, dict[str, Taken]]:
    found: dict[str, dict[str, Taken]] = {}
    for one in listed:
        found.setdefault(one.judgement.topic, {})[one.judgement.document] = one
    return found
