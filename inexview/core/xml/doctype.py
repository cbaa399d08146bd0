"""What a document type may declare: bounds on declarations that cost far more than they are long.

expat follows entities within entities with its own stack, which ends, and with it the program, after some
thousands of them; it looks through all attributes that were declared of an element for each that is declared
next, and again for each such element of the article.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from inexview.core.errors import DataError

MOST_NESTED = 400  # entities that hold others; real DTDs have some dozens
MOST_ATTRIBUTES = 250  # of one element

_HOLDS_ENTITY = re.compile("[&%][^#]")


class Doctype:
    """Counts what is declared; ``refusal`` makes the error that is raised where it is too much."""

    def __init__(self, refusal: Callable[[str], DataError]) -> None:
        self._refusal = refusal
        self.entities: set[str] = set()
        """The names of those that were declared."""
        self._nested = 0
        self._attributes: Counter[str] = Counter()

    def entity(self, name: str, parameter: bool, value: str | None, *_where: str | None) -> None:
        """Take an entity's declaration, as expat gives it; chains of entities are no longer than these."""
        if not parameter:
            self.entities.add(name)
        if value is not None and _HOLDS_ENTITY.search(value):
            self._nested += 1
            if self._nested > MOST_NESTED:
                raise self._refusal(
                    f"more than {MOST_NESTED} entities that hold other entities; it is refused as a bomb"
                )

    def attribute(self, element: str, *_declared: object) -> None:
        """Take an attribute's declaration, as expat gives it."""
        self._attributes[element] += 1
        if self._attributes[element] > MOST_ATTRIBUTES:
            raise self._refusal(
                f"more than {MOST_ATTRIBUTES} attributes are declared of one element; it is refused as a bomb"
            )
