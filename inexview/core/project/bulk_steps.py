"""Steps over so many documents that they are written in parts, each part in a transaction.

All parts have the id of one :class:`BulkStep`, so that undo takes them back together.
"""

from __future__ import annotations

from collections.abc import Sequence

from inexview.core.project.journal.journal import JournalEntry
from inexview.core.project.journal.journal_rows import BulkStep
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.project.judging.judging_actions import ActionKind, JudgingAction
from inexview.core.project.project import Project


def not_relevant_too(project: Project, topic: str, step: BulkStep, documents: Sequence[str]) -> list[str]:
    """Finish further documents as not relevant, as part of a step; return those that this changes.

    Raises what ``Project.not_relevant`` raises; nothing of this part has happened then.
    """
    done = JudgingAction(ActionKind.NOT_RELEVANT)
    changed = [name for name in documents if not _is_done(project.state(topic, name))]
    lengths = project.documents.known_lengths(changed)
    actions = {name: done._replace(length=length) for name, length in lengths.items()}
    if actions:
        project.do_all(topic, actions, step)
    return changed


def _is_done(state: DocumentState) -> bool:
    return state.finished and not state.relevant


def turn_too(
    project: Project, topic: str, step: BulkStep, action: str, of: str, documents: Sequence[str]
) -> list[str]:
    """Take step ``of`` back (UNDO) in further documents, or do it again (REDO), as part of another step.

    Return the documents in which it is the next one to take back, or to do again.
    """
    reached = project.histories.turning(action, topic, of, documents)
    project.append([JournalEntry(action, {"of": of}, topic, name) for name in reached], step=step)
    return reached
