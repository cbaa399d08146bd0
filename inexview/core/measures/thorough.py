"""Thorough over text (INEX 2009, efficiency 2010): results may overlap, each counts with what is new in it.

The measures are those of the focused task, on the characters that no earlier result of the topic has shown.
"""

from __future__ import annotations

from dataclasses import fields

from inexview.core.measures.focused import Ranks
from inexview.core.measures.joined import Joined
from inexview.core.measures.novelty import new_characters
from inexview.core.measures.registry import MeasureRecord, family, measure
from inexview.core.text.offset_arrays import Ints


class NewText(Ranks):
    """Precision and recall after each result, counting each character once."""

    def counted(self, joined: Joined) -> tuple[Ints, Ints]:
        """Return the new characters of each result, and the relevant ones of them."""
        return new_characters(joined)


ONLY_NEW = "rsize and size of a result are those of its new characters"
_OWN = ("name", "family", "view", "compute", "note")
_SAME = tuple(field.name for field in fields(MeasureRecord) if field.name not in _OWN)
for _record in family("focused"):
    _given = {name: getattr(_record, name) for name in _SAME}
    measure(_record.name, view=NewText, note=ONLY_NEW, **_given)(_record.compute)
