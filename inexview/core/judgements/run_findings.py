"""Which runs found a document, and as which of their documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from inexview.core.judgements.pools import PooledDocument
from inexview.core.judgements.runs import Run
from inexview.core.wording import counted

_NAMED = 8  # runs, in words
RunFindings = Mapping[str, Mapping[str, int]]
"""Of each document the ranks, from 1, at which runs have it, by the runs' ids."""


def findings(runs: Iterable[Run], topic: str, pooled: Iterable[PooledDocument] = ()) -> RunFindings:
    """Return what runs found for a topic, and what a pool says of runs that are not at hand.

    Of several runs with the same id the later ones are numbered.
    """
    found: dict[str, dict[str, int]] = {}
    for document in pooled:
        for run_id, rank in document.found_by:
            found.setdefault(document.document, {})[run_id] = rank
    seen: Counter[str] = Counter()
    for run in runs:
        seen[run.id] += 1
        run_id = run.id if seen[run.id] == 1 else f"{run.id} ({seen[run.id]})"
        for rank, name in enumerate(dict.fromkeys(run.documents(topic, len(run))), 1):
            found.setdefault(name, {})[run_id] = rank
    return found


def found_briefly(ranks: Mapping[str, int]) -> str:
    """Say how many runs found a document: "found by 9 runs, best at rank 2"; nothing where none did."""
    return f"found by {counted(len(ranks), 'run')}, best at rank {min(ranks.values()):,}" if ranks else ""


def found_in_words(ranks: Mapping[str, int]) -> str:
    """Say which runs found a document, the best rank first: "found by MM at 3, BM25 at 12"."""
    ordered = sorted(ranks.items(), key=lambda one: (one[1], one[0]))
    named = ", ".join(f"{run} at {rank}" for run, rank in ordered[:_NAMED])
    more = f" and {len(ordered) - _NAMED} more" if len(ordered) > _NAMED else ""
    return f"found by {named}{more}"
