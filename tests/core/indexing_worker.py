"""Indexes a collection in a process of its own: ``COLLECTION kill-after-news``, or 0 to go on to the end."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from inexview.core.collection.collection import Collection
from tests.core.collections import keep_everything

heard = 0


def progress(what: str, done: int, total: int | None) -> None:
    """Count the news, and die at the given one."""
    global heard
    heard += 1
    if heard == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)


with pytest.MonkeyPatch.context() as monkeypatch:
    keep_everything(monkeypatch)
    collection = Collection.open(Path(sys.argv[1]))
    collection.prepare(progress)
    print(len(collection), *collection.ids())
    collection.close()
