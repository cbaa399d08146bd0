"""Where the cells of a table are when some reach over several rows or columns.

HTML's ``rowspan`` and ``colspan`` and the CALS tables of IEEE (``colspec``, ``namest``, ``nameend``,
``morerows``) come to the same: a cell takes the first column that no cell from above reaches down into.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

WIDEST, TALLEST = 1_000, 65_534  # the same bounds as in HTML
MOST_MINDED = 200  # columns beyond are not kept free for cells from above, so that no table takes long
_NUMBER_AT_END = re.compile(r"[0-9]{1,4}$")


@dataclass(slots=True)
class Grid:
    """One table while its cells are read in order; ``number`` counts the tables of an article."""

    number: int
    row: int = -1
    in_head: bool = False
    _column: int = 0
    _taken: dict[int, int] = field(default_factory=dict)  # column -> first row that is free again
    _columns: dict[str, int] = field(default_factory=dict)  # CALS: name -> column
    _spans: dict[str, tuple[str, str]] = field(default_factory=dict)  # CALS: name -> first and last column
    _last_named: int = -1

    def begin_row(self) -> None:
        self.row += 1
        self._column = 0

    def begin_group(self, *, head: bool) -> None:
        """Begin a head, body or foot: no cell reaches from one into another."""
        self.in_head = head
        self._taken.clear()

    def name_column(self, attributes: Mapping[str, str]) -> None:
        """Take note of a ``colspec``; without a ``colnum`` it follows the one before."""
        number = _number(attributes.get("colnum", ""), WIDEST, 0)
        self._last_named = number - 1 if number else self._last_named + 1
        if name := attributes.get("colname"):
            self._columns[name] = self._last_named

    def name_span(self, attributes: Mapping[str, str]) -> None:
        """Take note of a ``spanspec``."""
        if name := attributes.get("spanname"):
            self._spans[name] = attributes.get("namest", ""), attributes.get("nameend", "")

    def place(self, attributes: Mapping[str, str] | None) -> tuple[int, int, int, int]:
        """Return where the next cell of the row is and how far it reaches.

        As (row, column, rows, columns), of which the place counts from 0.
        """
        if self.row < 0:
            self.row = 0  # a cell without a row begins one
        if not attributes:  # by far most cells
            column = self._free(self._column) if self._taken else self._column
            self._column = column + 1
            return self.row, column, 1, 1
        column, width = self._across(attributes)
        height = self._down(attributes)
        if height > 1:
            behind = self.row + height
            for taken in range(column, min(column + width, MOST_MINDED)):
                self._taken[taken] = max(behind, self._taken.get(taken, 0))  # two cells may overlap
        self._column = column + width
        return self.row, column, height, width

    def _free(self, column: int) -> int:
        while self._taken.get(column, 0) > self.row:
            column += 1
        return column

    def _across(self, attributes: Mapping[str, str]) -> tuple[int, int]:
        """Return the column of a cell and over how many it reaches."""
        first, last = attributes.get("namest"), attributes.get("nameend")
        if (span := self._spans.get(attributes.get("spanname", ""))) is not None:
            first, last = span
        column = self._named(attributes.get("colname", first))
        if column is None or column < self._column:
            column = self._free(self._column)
        end = None if first is None else self._named(last)
        if end is not None and end >= column:
            return column, min(end - column + 1, WIDEST)
        return column, max(_number(attributes.get("colspan", ""), WIDEST, 1), 1)

    def _named(self, name: str | None) -> int | None:
        """Return the column of a name; one that no ``colspec`` gives may end in its number ("col3", "c3")."""
        if not name:
            return None
        if name in self._columns:
            return self._columns[name]
        number = None if self._columns else _NUMBER_AT_END.search(name)
        return int(number[0]) - 1 if number and 0 < int(number[0]) <= WIDEST else None

    def _down(self, attributes: Mapping[str, str]) -> int:
        if "morerows" in attributes:
            return _number(attributes["morerows"], TALLEST, 0) + 1
        height = _number(attributes.get("rowspan", ""), TALLEST, 1)
        return height or TALLEST  # 0: as far as the group goes


def _number(said: str, most: int, otherwise: int) -> int:
    """Return a number that an attribute says, bounded, or something else where it says none."""
    said = said.strip()
    return min(int(said), most) if said.isdecimal() and len(said) < 6 else otherwise
