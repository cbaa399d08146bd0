"""Judgements taken over by a project: each as one step of its document that can be undone, and remarks."""

from __future__ import annotations

from dataclasses import dataclass

from inexview.core.judgements.qrels import Judgement, PooledDocument, Qrels
from inexview.core.judgements.records import Records
from inexview.core.project.contents import pool_entry
from inexview.core.project.exchange.import_judgements import Ready, Taken, make_ready, telling_absent
from inexview.core.project.journal.journal import JournalEntry
from inexview.core.project.judging.action_quotes import as_items, with_quotes
from inexview.core.project.judging.document_state import UNTOUCHED
from inexview.core.project.judging.judging_actions import ActionKind, JudgingAction, apply
from inexview.core.project.judging.origins import brought_origins, origins
from inexview.core.project.judging.suggestions import listed_suggestions
from inexview.core.project.judging.undo_history import History
from inexview.core.project.project import Project
from inexview.core.project.remark_actions import remark_entries
from inexview.core.wording import counted


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of imported qrels: how many documents were taken over or stood so before, and oddities."""

    documents: int
    unchanged: int
    warnings: tuple[str, ...]


def import_judgements(
    project: Project, judged: Qrels | Records, *, replace: bool = False, check: bool = True
) -> Imported:
    """Take judgements over; records bring their quotes, and documents that are open there stay open.

    Where the assessor judged differently, that stays, unless ``replace``.  Documents outside the pool are
    added to it.  The first documents are read to see whether qrels count as they should (not without
    ``check``); where the project's convention is not code points, all that hold passages are.
    Raises ProjectError for qrels that only grade whole documents.
    """
    topics = {topic.id for topic in project.topics}
    ready = make_ready(judged, topics, project.convention, project.documents.text, check=check)
    ready = telling_absent(ready, topics, project.collection) if check else ready
    return take(project, ready, replace=replace)


def take(project: Project, ready: Ready, *, replace: bool = False) -> Imported:
    """Take over what was made ready, some of it or all, in one transaction; see ``import_judgements``."""
    topics = {topic.id for topic in project.topics}
    actions: dict[tuple[str, str], JudgingAction] = {}
    remarks: list[JournalEntry] = []
    added: set[tuple[str, str]] = set()
    unchanged = 0
    unknown: dict[str, None] = {}
    warnings: list[str] = []
    for one in ready.taken:
        topic, document = one.judgement.topic, one.judgement.document
        if topic not in topics:
            unknown[topic] = None
            continue
        before = project.state(topic, document)
        length = project.documents.length_noted(document) if one.actual is None else one.actual
        action, faults = _action(one.judgement, ready.source, length, finished=one.finished)
        action = action._replace(brought=one.brought)
        warnings += [f"topic {topic}, document {document}: {fault}" for fault in faults]
        same = apply(before, action) is before
        if one.added:
            added.add((topic, document))
        if same and not _tells_more(action, project.histories.of(topic, document), replace=replace):
            unchanged += 1
        elif not same and not before.untouched and not replace:
            warnings.append(f"topic {topic}, document {document}: judged differently here, which is kept")
        else:
            text = project.documents.text_at_hand(document)
            actions[topic, document] = _with_quotes(one, action, text)
        remarked, faults = remark_entries(project, topic, document, one.remarks, replace=replace)
        remarks += remarked
        warnings += [f"topic {topic}, document {document}: {fault}" for fault in faults]
    _write(project, actions, remarks, added)
    left_out = [f"topic {topic} is not in the project: its judgements are left out" for topic in unknown]
    return Imported(len(actions), unchanged, (*ready.warnings, *left_out, *warnings))


def _tells_more(action: JudgingAction, history: History, *, replace: bool) -> bool:
    """Tell whether a file tells of decisions, for marks that are here, what is not known of them here.

    Marks that the assessor drew here stay the assessor's own, unless ``replace``.
    """
    if action.brought is None or (history.done and not replace):
        return False
    known = brought_origins(action, history.state.marks) == origins(history)
    return not known or not set(action.brought.suggestions) <= set(listed_suggestions(history))


def _write(
    project: Project,
    actions: dict[tuple[str, str], JudgingAction],
    remarks: list[JournalEntry],
    added: set[tuple[str, str]],
) -> None:
    """Write the actions and remarks, and pool documents that no pool has; assessors found the ``added``."""
    outside: dict[tuple[str, bool], list[PooledDocument]] = {}
    for topic, document in dict.fromkeys((*actions, *added)) if project.contents.has_pool else ():
        if not project.contents.is_pooled(topic, document):
            found = (topic, document) in added
            outside.setdefault((topic, found), []).append(PooledDocument(document))
    entries = [pool_entry(topic, listed, added=found) for (topic, found), listed in outside.items()]
    for (topic, document), action in actions.items():
        entries.append(JournalEntry(action.kind, action.content(), topic, document))
    project.append([*entries, *remarks])


def _action(
    judgement: Judgement, source: str, actual: int | None = None, *, finished: bool = True
) -> tuple[JudgingAction, list[str]]:
    """Turn a judgement into the action that takes it over, and warnings; ``actual`` is the document's length.

    A relevant document without a usable best entry point is taken over as open, for the assessor to set one,
    as is one that was not ``finished`` where it comes from.
    """
    length = actual if actual is not None else judgement.length or None
    marks, bep = judgement.passages, judgement.bep
    warnings = []
    if length is not None and judgement.length not in (0, length):
        warnings.append(
            f"the qrels count {counted(judgement.length, 'character')}, the document has {length:,}: "
            "its passages may be shifted"
        )
    if marks and length is not None and int(marks.ends[-1]) > length:
        marks = marks.clip(0, length)
        warnings.append("passages run past the document's end and were cut off there")
    if bep is not None and length is not None and bep >= length:
        warnings.append(f"the best entry point {bep} lies past the document's end and was dropped")
        bep = None
    elif bep is not None and not marks and finished:
        warnings.append("a best entry point without relevant text was dropped")
        bep = None
    complete = bep is not None if marks else not judgement.relevant
    if finished and not complete:
        lacking = "without a best entry point" if marks else "no passage says where"
        warnings.append(f"relevant, but {lacking}: it stays open")
    return JudgingAction(
        ActionKind.IMPORT, tuple(marks), bep, complete and finished, source, length
    ), warnings


def _with_quotes(one: Taken, action: JudgingAction, text: str | None) -> JudgingAction:
    """Return an import with the quotes that were brought along, and with those of the text at hand."""
    if not action.spans and action.bep is None:
        return action
    there = {*action.spans, (action.bep, action.bep)}
    given = {span: quote for span, quote in one.quotes.items() if span in there}
    action = action._replace(quotes=as_items(given))
    return action if text is None else with_quotes(UNTOUCHED, action, text)
