"""Indexes or opens a collection in a process of its own, and prints how long it took and what it needed.

``python -m tests.benchmarks.indexing_worker index|open COLLECTION`` prints JSON.
"""

from __future__ import annotations

import json
import random
import resource
import sys
from pathlib import Path
from time import perf_counter

from inexview.core.collection.collection import Collection


def main(what: str, path: Path) -> dict[str, float]:
    """Measure; seconds and MB."""
    before = _peak()
    collection = Collection.open(path)
    begun = perf_counter()
    (collection.rebuild if what == "index" else collection.prepare)()
    prepared = perf_counter() - begun
    id = random.Random(7).choice(collection.ids())
    length = collection.load(id).length
    found = {
        "prepared": prepared,
        "first": perf_counter() - begun,
        "memory": _peak(),
        "memory_before": before,
        "kept": collection.place.bytes_kept() / 1e6,
        "index": collection.place.index.stat().st_size / 1e6,
        "articles": len(collection),
        "length": length,
    }
    collection.close()
    return found


def _peak() -> float:
    """Return the most memory that was resident, in MB; Linux counts a parent's in ``ru_maxrss``."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], Path(sys.argv[2]))))
