"""Edges of passages, and the natural places of a document where edges fall that are read rightly.

People and systems mark whole words or elements; offsets that are read wrongly cut words anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from inexview.core.article.elements import Elements
from inexview.core.text.counting import WHITE_SPACE, Characters, Scale
from inexview.core.text.offset_arrays import Mask
from inexview.core.text.spans import Offsets

_BLANK, _WORD, _OTHER = 0, 1, 2
_LAST = 0xFFFF  # what lies beyond counts as its last character: no letter


@dataclass(frozen=True, eq=False)
class Edges:
    """Where passages start (``starts``; entry points are among them) and where they end."""

    starts: Offsets
    ends: Offsets

    def __len__(self) -> int:
        return len(self.starts) + len(self.ends)

    def __hash__(self) -> int:
        return hash((self.starts.tobytes(), self.ends.tobytes()))

    def meant(self, scale: Scale) -> Edges:
        """Return the code points that are meant if the offsets are those of a scale."""
        return Edges(scale.to_code_points(self.starts), scale.to_code_points(self.ends, ends=True))


class NaturalPlaces:
    """Where elements begin and end, and where visible text begins or ends without cutting a word."""

    def __init__(self, characters: Characters, elements: Elements) -> None:
        # What is before and behind each offset; nothing visible is outside the text.
        kinds = np.full(len(characters) + 3, _BLANK, np.uint8)
        points = np.minimum(characters.points, _LAST) if len(characters.wide) else characters.points
        kinds[1:-2] = _kinds_of_characters()[points]
        before, behind = kinds[:-1], kinds[1:]
        cut = (before == _WORD) & (behind == _WORD)
        self._begin: Mask = (behind != _BLANK) & ~cut
        self._finish: Mask = (before != _BLANK) & ~cut
        self._begin[elements.starts] = True
        self._finish[elements.ends] = True
        self._outside = len(characters) + 1

    def count(self, edges: Edges) -> int:
        """Count the edges that fall on natural places; none does outside the text."""
        begins = self._begin[np.minimum(edges.starts, self._outside)]
        finishes = self._finish[np.minimum(edges.ends, self._outside)]
        return int(np.count_nonzero(begins) + np.count_nonzero(finishes))


@cache
def _kinds_of_characters() -> NDArray[np.uint8]:
    kinds = [
        _WORD if (one := chr(point)).isalnum() else _BLANK if one in WHITE_SPACE else _OTHER
        for point in range(_LAST + 1)
    ]
    return np.array(kinds, np.uint8)
