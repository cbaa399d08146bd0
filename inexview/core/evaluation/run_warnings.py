"""What makes the means of a run less than they seem, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from inexview.core.judgements.id_spelling import nothing_in_common
from inexview.core.judgements.runs import Task, lengths_as_ends
from inexview.core.measures.joined import Joined
from inexview.core.wording import CountedSentence, counted, some_named

REREAD = ", and nearly all would fit if their last field were an end: reread with --fol-end"


def warnings_of(joined: Joined, *, complete: bool) -> tuple[str, ...]:
    """Say what of the run or of the qrels makes the means less than they seem."""
    where = str(joined.run.path or joined.run.id)
    said = warnings_of_topics(joined.qrels.topics, joined.run.topics, where, complete=complete)
    if not np.any(joined.row >= 0) and (apart := nothing_in_common(joined.qrels, joined.run)):
        said = [f"{where}: {apart}"]
    barren = [topic for topic, nrel in zip(joined.topics, joined.nrel.tolist(), strict=True) if not nrel]
    if barren:
        named = f"no relevant document ({some_named(barren)})"
        one, many = f"topic has {named}: it scores 0", f"topics have {named}: they score 0"
        said.append(CountedSentence(len(barren), one, many, where))
    if joined.run.by_score and joined.task is Task.BEST_IN_CONTEXT:
        said.append(f"{where}: ranks documents only; each is taken to be entered at its first character")
    if past := past_their_documents(joined, where):
        said.append(past)
    return tuple(said)


def warnings_of_topics(
    judged: Sequence[str], in_run: Sequence[str], where: str, *, complete: bool
) -> list[str]:
    """Say which judged topics a run has no result for, and which of its topics were not judged."""
    has, known = set(in_run), set(judged)
    said = []
    missing = [topic for topic in judged if topic not in has]
    if missing:
        one = len(missing) == 1
        if complete:
            how = "it counts as 0" if one else "they count as 0"
        else:
            left, them = ("it is left", "it") if one else ("they are left", "them")
            how = f"{left} out of the mean (--complete counts {them} as 0)"
        topics = counted(len(judged), "judged topic")
        said.append(f"{where}: no result for {len(missing)} of {topics} ({some_named(missing)}); {how}")
    ignored = [topic for topic in in_run if topic not in known]
    if ignored:
        named = f"not judged ({some_named(ignored)}): ignored"
        said.append(CountedSentence(len(ignored), f"topic was {named}", f"topics were {named}", where))
    return said


def past_their_documents(joined: Joined, where: str = "") -> CountedSentence | None:
    """Say how many results run past their document, and whether their lengths look like ends."""
    told = np.flatnonzero((joined.row >= 0) & joined.known)
    length = joined.qrels.length[joined.row[told]]
    told, length = told[length > 0], length[length > 0]
    counted_so = lengths_as_ends(joined.start[told], joined.size[told], length)
    if not counted_so.past:
        return None
    hint = REREAD if counted_so.likely else ""
    one, many = "result runs past the end of its document", "results run past the end of their document"
    return CountedSentence(counted_so.past, one + hint, many + hint, where)
