"""The measures once more, character by character, written from the papers and not from the program.

A judgement is (rsize, length, bep, set of highlighted characters); a run is a list of (document, start,
size) in rank order, start None for a passage that the collection does not hold.
"""

from math import floor

UNKNOWN_SIZE = 18
UNKNOWN_ENTRY = -10_000


def characters(start, size):
    return set() if start is None else set(range(start, start + size))


def size_of(start, size):
    return UNKNOWN_SIZE if start is None else size


def new_of(judged, document, start, size, shown):
    """Return the relevant and all characters of a result that are not in ``shown``, which takes them up."""
    if start is None:
        return 0, size_of(start, size)
    new = {(document, at) for at in range(start, start + size)} - shown
    shown |= new
    relevant = judged[document][3] if document in judged and judged[document][0] else set()
    return sum(at in relevant for _, at in new), len(new)


def focused(judged, run):
    """P[r] and R[r] at each rank, the 101 iP, AiP and AP."""
    trel = sum(rsize for rsize, *_ in judged.values())
    precision, recall, reached, found = [], [], [], []
    rel = ret = 0
    shown = set()
    for document, start, size in run:
        got, new = new_of(judged, document, start, size, shown)
        rel += got
        ret += new
        precision.append(rel / ret if ret else 0.0)
        recall.append(rel / trel if trel else 0.0)
        reached.append(floor(100 * (rel / trel)) if trel else None)
        if got:
            found.append(rel / ret)
    interpolated = [
        max(
            (p for p, at in zip(precision, reached, strict=True) if at is not None and at >= level),
            default=0.0,
        )
        for level in range(101)
    ]
    average = sum(found) / len(found) * recall[-1] if found else 0.0
    return precision, recall, interpolated, sum(interpolated) / 101, average


def f(precision, recall, beta):
    above = (1 + beta**2) * precision * recall
    return above / (beta**2 * precision + recall) if above > 0 else 0.0


def entry_score(distance, length, a, n):
    if n is not None:
        return (n - distance) / n if distance <= n else 0.0
    return a * length / (a * length + distance) if distance else 1.0


def in_context(judged, run, score):
    """gP[r], gR[r] at each document's rank, the 11-point curve and AgP; ``score`` makes S(d)."""
    documents = list(dict.fromkeys(document for document, _, _ in run))
    nrel = sum(rsize > 0 for rsize, *_ in judged.values())
    precision, recall, average = [], [], 0.0
    total, relevant = 0.0, 0
    for rank, document in enumerate(documents, 1):
        is_relevant = document in judged and judged[document][0] > 0
        if is_relevant:
            total += score(document, [(start, size) for own, start, size in run if own == document])
            relevant += 1
        precision.append(total / rank)
        recall.append(relevant / nrel if nrel else 0.0)
        if is_relevant:
            average += total / rank / nrel
    curve = [
        max((p for p, at in zip(precision, recall, strict=True) if 10 * at >= level), default=0.0)
        for level in range(11)
    ]
    return precision, recall, curve, average


def f_of_document(judged, beta):
    def score(document, passages):
        rsize = judged[document][0]
        shown = set()
        counted = [new_of(judged, document, start, size, shown) for start, size in passages]
        got, ret = (sum(column) for column in zip(*counted, strict=True))
        return f(got / ret if ret else 0.0, got / rsize, beta)

    return score


def entry_of_document(judged, a, n):
    def score(document, passages):
        _, length, bep, _ = judged[document]
        start = passages[0][0]
        entry = UNKNOWN_ENTRY if start is None else start
        return 0.0 if bep is None else entry_score(abs(entry - bep), length, a, n)

    return score
