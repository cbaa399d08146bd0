"""The retrieval models with dictionaries and loops: what the columns are compared with.

Written from the papers, and not from the program: texts are lists of words, units are slices of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import exp, log
from typing import NamedTuple

STOP = {"the", "of"}
FEEDBACK = 20


class PlainUnit(NamedTuple):
    document: str
    first: int
    stop: int


class PlainCollection:
    """Documents as lists of words; stop words count for what a passage is, and for nothing else."""

    def __init__(
        self,
        documents: Mapping[str, Sequence[str]],
        size: int = 0,
        step: int = 0,
        *,
        elements: Mapping[str, Sequence[tuple[int, int]]] | None = None,
        stem: Callable[[str], str] = str,
    ) -> None:
        self.stem = stem
        self.texts = {id: list(words) for id, words in documents.items()}
        self.documents = {id: self.kept(words) for id, words in self.texts.items()}
        self.units: dict[PlainUnit, Counter[str]] = {}
        for id, words in self.texts.items():
            for first, stop in passages(len(words), size, step) if elements is None else elements[id]:
                self.units[PlainUnit(id, first, stop)] = self.kept(words[first:stop])
        self.counts = sum(self.documents.values(), Counter())
        self.words = self.counts.total()
        filled = [unit.total() for unit in self.units.values() if unit.total()]
        self.average = sum(filled) / max(len(filled), 1)
        self.filled = len(filled)

    def kept(self, words: Sequence[str]) -> Counter[str]:
        return Counter(self.stem(word) for word in words if word not in STOP)

    def p(self, word: str) -> float:
        return self.counts[word] / self.words


def passages(length: int, size: int, step: int) -> list[tuple[int, int]]:
    if not size:
        return [(0, length)] if length else []
    found = []
    for first in range(0, length, step):
        found.append((first, min(first + size, length)))
        if first + size >= length:
            break
    return found


def known(collection: PlainCollection, query: Sequence[str]) -> Counter[str]:
    terms = collection.kept(query)
    return Counter({term: often for term, often in terms.items() if collection.counts[term]})


def mixed(
    collection: PlainCollection,
    query: Mapping[str, float],
    weights: tuple[float, float, float],
    units: Mapping[PlainUnit, Counter[str]],
) -> dict[PlainUnit, float]:
    """Σ query(w) log(λ1 P(w|C) + λ2 P(w|D) + λ3 P(w|p)) of what has a word of the query."""
    scores = {}
    for unit, words in units.items():
        document = collection.documents[unit.document]
        seen = (weights[1] and any(document[word] for word in query)) or (
            weights[2] and any(words[word] for word in query)
        )
        if seen and words.total():
            scores[unit] = sum(
                weight
                * log(
                    weights[0] * collection.p(word)
                    + weights[1] * document[word] / document.total()
                    + weights[2] * words[word] / words.total()
                )
                for word, weight in query.items()
            )
    return scores


def relevance(
    collection: PlainCollection, query: Counter[str], part: float, smoothing: float, own: float
) -> dict[str, float]:
    """Return R*; ``part`` is the collection's in QL, ``smoothing`` in P(w|R), ``own`` is λ of R*."""
    whole = {PlainUnit(id, 0, len(collection.texts[id])): words for id, words in collection.documents.items()}
    likelihoods = mixed(collection, query, (part, 1 - part, 0), whole)
    best = sorted(likelihoods, key=lambda unit: (-likelihoods[unit], list(whole).index(unit)))[:FEEDBACK]
    probabilities: Counter[str] = Counter()
    for unit in best:
        words = collection.documents[unit.document]
        for word, often in words.items():
            probabilities[word] += exp(likelihoods[unit]) * often / words.total()
    total = sum(probabilities.values())
    likely = {word: value / total for word, value in probabilities.items() if value / total >= 0.001}
    chosen = dict(sorted(likely.items(), key=lambda pair: (-pair[1], pair[0]))[:100])
    total = sum(chosen.values())
    smoothed = {
        w: (1 - smoothing) * value / total + smoothing * collection.p(w) for w, value in chosen.items()
    }
    total = sum(smoothed.values())
    star = {word: (1 - own) * value / total for word, value in smoothed.items()}
    for word, often in query.items():
        star[word] = star.get(word, 0) + own * often / query.total()
    total = sum(star.values())
    return {word: value / total for word, value in star.items() if value}


def divergence(
    collection: PlainCollection,
    star: Mapping[str, float],
    weights: tuple[float, float, float],
    units: Mapping[PlainUnit, Counter[str]],
) -> dict[PlainUnit, float]:
    """−KL(R* ‖ mixture)."""
    own = sum(value * log(value) for value in star.values())
    return {unit: score - own for unit, score in mixed(collection, star, weights, units).items()}


def tfidf(collection: PlainCollection, query: Counter[str]) -> dict[PlainUnit, float]:
    scores = {}
    for unit, words in collection.units.items():
        score = 0.0
        for word, often in query.items():
            having = sum(1 for document in collection.documents.values() if document[word])
            idf = log((len(collection.documents) + 1) / (0.5 + having))
            count = words[word]
            tf = count / (words.total() / (2 * collection.average) + 0.5 + count)
            score += tf * idf * (often / (often + 1)) * idf
        if any(words[word] for word in query):
            scores[unit] = score
    return scores


def dirichlet(collection: PlainCollection, query: Counter[str], mu: float) -> dict[PlainUnit, float]:
    return {
        unit: sum(
            often * log((words[word] + mu * collection.p(word)) / (words.total() + mu))
            for word, often in query.items()
        )
        for unit, words in collection.units.items()
        if any(words[word] for word in query)
    }


def bm25(collection: PlainCollection, query: Counter[str], k1: float, b: float) -> dict[PlainUnit, float]:
    scores = {}
    for unit, words in collection.units.items():
        score = 0.0
        for word, often in query.items():
            having = sum(1 for other in collection.units.values() if other[word])
            idf = log(1 + (collection.filled - having + 0.5) / (having + 0.5))
            count = words[word]
            score += often * idf * count / (count + k1 * (1 - b + b * words.total() / collection.average))
        if any(words[word] for word in query):
            scores[unit] = score
    return scores


def stretches(
    collection: PlainCollection, star: Mapping[str, float], window: int, shortest: int
) -> dict[PlainUnit, Counter[str]]:
    """Return the stretches of texts whose words stand one blank apart."""
    found = {}
    heaviest = max(star.values())
    for id, words in collection.texts.items():
        marked = set()
        for at, word in enumerate(words):
            if word not in STOP and (term := collection.stem(word)) in star:
                reach = round(round(window * star[term] / heaviest, 9))
                marked.update(range(max(0, at - reach), min(len(words), at + reach + 1)))
        for first in sorted(at for at in marked if at - 1 not in marked):
            stop = first
            while stop in marked:
                stop += 1
            if len(" ".join(words[first:stop])) >= shortest:
                found[PlainUnit(id, first, stop)] = collection.kept(words[first:stop])
    return found
