"""What is added to a project at large: bulk steps, topics and pools; and documents that are withdrawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, ProjectError
from inexview.core.judgements.qrels import Pool
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress, unwatched
from inexview.core.project.contents import (
    PooledText,
    pool_entries,
    pool_entry,
    texts_entries,
    topic_entry,
    withdrawal_entry,
)
from inexview.core.project.journal.journal import JournalEntry
from inexview.core.project.journal.journal_rows import BulkStep
from inexview.core.project.judging.document_state import ActionKind, JudgingAction
from inexview.core.project.project import Project
from inexview.core.text.search import text_digest
from inexview.core.wording import some_named


def not_relevant_too(project: Project, topic: str, step: BulkStep, documents: Sequence[str]) -> list[str]:
    """Finish further documents as not relevant, as part of a step; return those that this changes.

    Raises what ``Project.not_relevant`` raises; nothing of this part has happened then.
    """
    done = JudgingAction(ActionKind.NOT_RELEVANT)
    states = {name: project.state(topic, name) for name in documents}
    changed = [name for name, state in states.items() if state.relevant or not state.finished]
    lengths = project.documents.known_lengths(changed)
    actions = {name: done._replace(length=length) for name, length in lengths.items()}
    if actions:
        project.do_all(topic, actions, step)
    return changed


def turn_too(
    project: Project, topic: str, step: BulkStep, action: str, of: str, documents: Sequence[str]
) -> list[str]:
    """Take step ``of`` back (UNDO) in further documents, or do it again (REDO), as part of another step.

    Return the documents in which it is the next one to take back, or to do again.
    """
    reached = project.histories.turning(action, topic, of, documents)
    project.append([JournalEntry(action, {"of": of}, topic, name) for name in reached], step=step)
    return reached


# What is to be judged in a project that there is already: topics and pools added, documents withdrawn.
#
# What is new comes last, and what is judged stays.


@dataclass(frozen=True, slots=True)
class PoolAdded:
    """How many documents came to the pool, how many it had already, and topics that the project has not."""

    documents: int
    pooled_before: int
    unknown_topics: tuple[str, ...]


def add_pool(project: Project, pool: Pool) -> PoolAdded:
    """Add documents to a project's pool, in one transaction; of those it has, note which runs found them.

    Raises ProjectError where the project has no pool, since then the whole collection is to be judged.
    """
    contents = project.contents
    _check_pool(project)
    topics = {topic.id for topic in contents.topics}
    entries, new, before = [], 0, 0
    for topic, documents in pool.topics.items():
        if topic not in topics:
            continue
        known = {pooled.document: pooled for pooled in contents.pooled(topic)}
        told = []
        for document in documents:
            own = known.get(document.document)
            new, before = new + (own is None), before + (own is not None)
            if own is None or own.joined(document) != own:
                told.append(document)
        if told:
            entries.append(pool_entry(topic, told))
    project.append(entries)
    return PoolAdded(new, before, tuple(topic for topic in pool.topics if topic not in topics))


@dataclass(frozen=True, slots=True)
class TopicsAdded:
    """The topics that came to a project, how many documents are pooled for them, and what was left out."""

    topics: tuple[str, ...]
    documents: int
    warnings: tuple[str, ...]


def add_topics(project: Project, topics: Iterable[Topic], pool: Pool | None = None) -> TopicsAdded:
    """Add the topics that a project lacks, with what ``pool`` has for them, in one transaction.

    Raises ProjectError for a pool where the project has none: then the whole collection is to be judged.
    """
    if pool is not None:
        _check_pool(project)
    known = {topic.id for topic in project.topics}
    wanted = {topic.id: topic for topic in topics}
    new = [topic for id, topic in wanted.items() if id not in known]
    entries, documents = [topic_entry(topic) for topic in new], 0
    warnings = []
    if there := [id for id in wanted if id in known]:
        warnings.append(f"in the project already, and left as they are: topics {some_named(there)}")
    if pool is not None:
        for topic in new:
            pooled = pool.topics.get(topic.id, ())
            documents += len(pooled)
            entries += pool_entries(topic.id, pooled)
        if others := [id for id in pool.topics if id not in wanted or id in known]:
            warnings.append(f"the pool names topics that are not added: {some_named(others)}")
    if project.contents.has_pool and (
        bare := [topic.id for topic in new if pool is None or not pool.topics.get(topic.id)]
    ):
        warnings.append(f"no documents are pooled for topics {some_named(bare)}")
    project.append(entries)
    return TopicsAdded(tuple(topic.id for topic in new), documents, tuple(warnings))


MOST_TEXTS = 5_000  # pooled documents whose texts are read for their digests, which takes about 5 ms each


def unread_texts(project: Project) -> list[str]:
    """Return the pooled documents of which the project does not say which text they have, each once."""
    known = project.contents.texts
    pooled = (document for topic in project.topics for document in project.contents.pooled_ids(topic.id))
    return [document for document in dict.fromkeys(pooled) if document not in known]


def read_texts(
    collection: Collection, documents: Sequence[str], progress: Progress = unwatched
) -> dict[str, PooledText]:
    """Read which text each document has, of MOST_TEXTS at most; may run in any thread.

    What cannot be read has none.  Raises Cancelled.
    """
    texts = {}
    listed = documents[:MOST_TEXTS]
    for done, document in enumerate(listed):
        progress("articles read", done, len(listed))
        with suppress(DataError):
            text = collection.scan(document).text
            texts[document] = len(text), text_digest(text)
    return texts


def note_texts(project: Project, texts: Mapping[str, PooledText]) -> None:
    """Note which texts pooled documents have, so that another text under the same id is told later."""
    entries, noted = [], set[str]()
    for topic in project.topics:
        pooled = [id for id in project.contents.pooled_ids(topic.id) if id in texts and id not in noted]
        noted.update(pooled)
        entries += texts_entries(topic.id, {id: texts[id] for id in pooled})
    project.append(entries)


def withdraw(project: Project, documents: Iterable[str], topic: str | None, why: str = "") -> set[str]:
    """Take documents out of the pool of a topic, or of all; return those that were in one.

    They can be read as before, and what is judged stays.  Raises ProjectError where there is no pool.
    """
    _check_pool(project)
    ids = dict.fromkeys(documents)
    entries, found = [], set[str]()
    for one in project.topics:
        if topic in (None, one.id) and (
            listed := [id for id in ids if project.contents.is_pooled(one.id, id)]
        ):
            entries.append(withdrawal_entry(one.id, listed, why))
            found.update(listed)
    project.append(entries)
    return found


def _check_pool(project: Project) -> None:
    if not project.contents.has_pool:
        raise ProjectError(f"{project.path}: has no pool: the whole collection is to be judged already")
