"""What a test opens, closed when it ends; what a whole module shares is closed by its fixture."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from inexview.core.collection.collection import Collection
from inexview.core.judgements.elements import Locator

until_the_test_ends = ExitStack()


def opened(path: Path) -> Collection:
    """Open a collection."""
    return until_the_test_ends.enter_context(closing(Collection.open(path)))


def opened_locator(place: Collection | Path, **more: Any) -> Locator:
    """Make a locator; the collection that it opens is closed."""
    return until_the_test_ends.enter_context(Locator(place, **more))
