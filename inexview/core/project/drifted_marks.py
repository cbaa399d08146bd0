"""What is done about marks that read differently now: moved, confirmed, or taken away, each in one step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inexview.core.errors import JudgementError
from inexview.core.project.judging.action_quotes import as_items
from inexview.core.project.judging.document_state import DocumentState, to_quote
from inexview.core.project.judging.judging_actions import ActionKind, JudgingAction
from inexview.core.project.project import Project
from inexview.core.text.spans import Spans
from inexview.core.text.text_quotes import Span, quotes_of


def move_marks(
    project: Project, topic: str, document: str, moves: Mapping[Span, Span], text: str
) -> DocumentState:
    """Mark passages (from → to) where their text is now; ``text`` is the document's.

    An empty span moves the entry point; otherwise one that lies within a passage goes along with it.
    Raises JudgementError for what is not marked so.
    """
    project.documents.note_text(document, text)
    return project.do(topic, document, _moving(project.state(topic, document), moves, text))


def keep_marks(
    project: Project, topic: str, document: str, spans: Iterable[Span], text: str
) -> DocumentState:
    """Confirm passages as they read now, an entry point within them too.

    The empty span is the entry point alone.  Raises JudgementError for other spans.
    """
    project.documents.note_text(document, text)
    return project.do(topic, document, _keeping(project.state(topic, document), spans, text))


def remove_marks(project: Project, topic: str, document: str, spans: Iterable[Span]) -> DocumentState:
    """Take whole passages away, and an entry point that lies within them.

    The empty span is the entry point alone.  Raises JudgementError for other spans.
    """
    return project.do(topic, document, _removing(project.state(topic, document), spans))


def _moving(state: DocumentState, moves: Mapping[Span, Span], text: str) -> JudgingAction:
    _check_there(state, moves, "moved")
    marks = {span: to for span, to in moves.items() if span[0] < span[1]}
    kept = [passage for passage in state.passages if passage not in moves]
    bep = _moved_entry(state.bep, moves)
    if not marks:
        return JudgingAction(ActionKind.ENTRY_POINT, bep=bep)
    spans = tuple(Spans([*kept, *marks.values()]))
    made = [span for span in spans if span not in kept]
    if bep is not None and bep != state.bep:
        made.append((bep, bep))
    return JudgingAction(
        ActionKind.MOVE, spans, bep, quotes=as_items(quotes_of(text, made)), passages=len(marks)
    )


def _moved_entry(bep: int | None, moves: Mapping[Span, Span]) -> int | None:
    if bep is None or (bep, bep) in moves:
        return None if bep is None else moves[bep, bep][0]
    for (start, end), (to, stop) in moves.items():
        if start <= bep < end:
            return min(to + bep - start, stop - 1)
    return bep


def _keeping(state: DocumentState, spans: Iterable[Span], text: str) -> JudgingAction:
    wanted = list(spans)
    _check_there(state, wanted, "kept")
    bep = state.bep
    marks = tuple(span for span in wanted if span[0] < span[1])
    if bep is not None and any(start <= bep < end for start, end in marks):
        wanted.append((bep, bep))
    quotes = as_items(quotes_of(text, wanted))
    if not marks:
        return JudgingAction(ActionKind.KEEP, bep=bep, quotes=quotes)
    return JudgingAction(ActionKind.KEEP, marks, quotes=quotes)


def _removing(state: DocumentState, spans: Iterable[Span]) -> JudgingAction:
    gone = list(spans)
    _check_there(state, gone, "removed")
    marks = [span for span in gone if span[0] < span[1]]
    if not marks:
        return JudgingAction(ActionKind.ENTRY_POINT)
    bep = state.bep
    if bep is not None and ((bep, bep) in gone or any(start <= bep < end for start, end in marks)):
        bep = None
    left = tuple(passage for passage in state.passages if passage not in marks)
    return JudgingAction(ActionKind.REMOVE, left, bep, passages=len(marks))


def _check_there(state: DocumentState, spans: Iterable[Span], done: str) -> None:
    there = to_quote(state)
    for start, end in sorted(spans):
        if (start, end) not in there:
            what = f"passage [{start}, {end})" if start < end else f"best entry point at {start}"
            raise JudgementError(f"there is no {what} to be {done}")
