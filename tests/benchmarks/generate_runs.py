"""Make qrels and runs of the size of INEX 2009: 68 topics, 1,500 results each, 600 judged documents a topic.

    python tests/benchmarks/generate_runs.py FOLDER [--runs 100] [--topics 68] [--results 1500] [--seed 1]

writes FOLDER/qrels.txt and FOLDER/run000.txt …; with ``--documents`` TREC qrels and runs instead, of one
result per document.  About 70 of a topic's documents are relevant, with 1–6 passages each.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

JUDGED, RELEVANT = 600, 70
COLLECTION = 2_666_190


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--topics", type=int, default=68)
    parser.add_argument("--results", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--documents", action="store_true")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    generate(**vars(arguments))


def generate(
    folder: Path, runs: int, topics: int = 68, results: int = 1500, seed: int = 1, documents: bool = False
) -> None:
    random = np.random.default_rng(seed)
    names = [str(2009001 + at) for at in range(topics)]
    pools = [random.choice(COLLECTION, JUDGED, replace=False) for _ in names]
    lengths = [random.integers(800, 60_000, JUDGED) for _ in names]
    make_qrels, make_run = (trec_qrels, trec_run) if documents else (fol_qrels, fol_run)
    lines = [
        line
        for name, pool, length in zip(names, pools, lengths, strict=True)
        for line in make_qrels(random, name, pool, length)
    ]
    (folder / "qrels.txt").write_text("\n".join(lines) + "\n")
    for at in range(runs):
        lines = [
            line
            for name, pool, length in zip(names, pools, lengths, strict=True)
            for line in make_run(random, name, pool, length, results, f"run{at:03}")
        ]
        (folder / f"run{at:03}.txt").write_text("\n".join(lines) + "\n")


def fol_qrels(random: np.random.Generator, name: str, pool: np.ndarray, length: np.ndarray) -> list[str]:
    lines = []
    for place, (document, size) in enumerate(zip(pool.tolist(), length.tolist(), strict=True)):
        head = f"{name} Q0 {document}"
        if place < RELEVANT:
            edges = np.sort(random.choice(size, 2 * random.integers(1, 7), replace=False)).tolist()
            passages = [(low, high - low) for low, high in zip(edges[::2], edges[1::2], strict=True)]
            rsize = sum(long for _, long in passages)
            tail = " ".join(f"{offset}:{long}" for offset, long in passages)
            lines.append(f"{head} {rsize} {size} {passages[0][0]} {tail}")
        else:
            lines.append(f"{head} 0 {size}")
    return [lines[at] for at in random.permutation(len(lines))]


def fol_run(
    random: np.random.Generator, name: str, pool: np.ndarray, length: np.ndarray, results: int, run: str
) -> list[str]:
    """A third of the results from the pool; a document's results do not overlap, and are spread out."""
    judged = random.choice(JUDGED, results // 5, replace=False)
    others = random.choice(COLLECTION, results, replace=False)
    passages: list[tuple[float, int, int, int]] = []
    for document, size in [
        *zip(pool[judged].tolist(), length[judged].tolist(), strict=True),
        *((document, 20_000) for document in others.tolist()),
    ]:
        cuts = np.sort(random.integers(0, size, 2 * random.integers(1, 4))).tolist()
        passages += [
            (random.random(), document, low, high - low + 1)
            for low, high in zip(cuts[::2], cuts[1::2], strict=True)
            if high > low
        ]
    ranked = sorted(_disjoint(passages))[:results]
    return [
        f"{name} Q0 {document} {rank} {1 - 0.9 * rank / results:.6f} {run} {start} {size}"
        for rank, (_, document, start, size) in enumerate(ranked, 1)
    ]


def rank_again(run: Path, to: Path, seed: int) -> None:
    """Write an FOL run with each topic's results in an order the more unlike its own the higher the seed."""
    random = np.random.default_rng(seed)
    rows = [line.split() for line in run.read_text().splitlines()]
    topics: dict[str, list[list[str]]] = {}
    for row in rows:
        topics.setdefault(row[0], []).append(row)
    lines = []
    for own in topics.values():
        order = np.argsort(np.arange(len(own)) + random.normal(0, 1 + 50 * seed, len(own)) * (seed > 0))
        for rank, (at, ranked) in enumerate(zip(order.tolist(), own, strict=True), 1):
            topic, q0, document, *_, start, size = own[at]
            lines.append(f"{topic} {q0} {document} {rank} {ranked[4]} {to.stem} {start} {size}")
    to.write_text("\n".join(lines) + "\n")


def _disjoint(passages: list[tuple[float, int, int, int]]) -> list[tuple[float, int, int, int]]:
    kept: list[tuple[float, int, int, int]] = []
    for passage in sorted(passages, key=lambda p: p[1:]):
        if not kept or kept[-1][1] != passage[1] or kept[-1][2] + kept[-1][3] <= passage[2]:
            kept.append(passage)
    return kept


def trec_qrels(random: np.random.Generator, name: str, pool: np.ndarray, length: np.ndarray) -> list[str]:
    return [f"{name} 0 {document} {int(place < RELEVANT)}" for place, document in enumerate(pool.tolist())]


def trec_run(
    random: np.random.Generator, name: str, pool: np.ndarray, length: np.ndarray, results: int, run: str
) -> list[str]:
    judged = pool[random.choice(JUDGED, min(results, JUDGED) // 2, replace=False)]
    others = random.choice(COLLECTION, results, replace=False)
    ranked = np.unique(np.concatenate((judged, others)))
    ranked = ranked[random.permutation(len(ranked))][:results]
    scores = np.sort(random.random(len(ranked)))[::-1]
    return [
        f"{name} Q0 {document} {rank} {score:.6f} {run}"
        for rank, (document, score) in enumerate(zip(ranked.tolist(), scores.tolist(), strict=True), 1)
    ]


if __name__ == "__main__":
    main()
