"""Runs with the END of a passage where its length belongs, as one known writer wrote them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inexview.core.text.offset_arrays import Ints


@dataclass(frozen=True, slots=True)
class EndForLength:
    """How many of the ``results`` in documents of known length run past the end, and how many would fit."""

    past: int
    fitting: int
    """Results that would lie in their document if the length were the end."""
    results: int

    @property
    def likely(self) -> bool:
        """Whether more than a tenth run past the end and nearly all would fit."""
        return self.past > 0.1 * self.results and self.fitting > 0.95 * self.results


def lengths_as_ends(start: Ints, size: Ints, length: Ints) -> EndForLength:
    """Count results by their start, size and the length of their document, shape (n,) each."""
    past = start + size > length
    fits = (size <= length) & (size > start)
    return EndForLength(int(np.count_nonzero(past)), int(np.count_nonzero(fits)), len(start))
