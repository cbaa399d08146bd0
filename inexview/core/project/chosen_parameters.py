"""What runs are scored with in a project: a preset, and what was changed of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inexview.core.errors import InexviewError
from inexview.core.measures.measure import Parameters
from inexview.core.project.journal.journal import JournalEntry
from inexview.core.project.journal.row_values import number, text, whole

PARAMETERS = "parameters"
_NUMBERS = ("beta", "a", "n", "tolerance")
_WHOLE = ("n", "tolerance")


@dataclass(frozen=True, slots=True)
class ChosenParameters:
    """None: as the preset has it, and the preset that is usual for the task."""

    preset: str | None = None
    """A name; a newer inexview may know more of them."""
    beta: float | None = None
    a: float | None = None
    n: int | None = None
    tolerance: int | None = None

    @property
    def changes(self) -> dict[str, float]:
        return {name: value for name in _NUMBERS if (value := getattr(self, name)) is not None}


def parameters_entry(chosen: ChosenParameters) -> JournalEntry:
    """Return the entry that says what runs are scored with from now on."""
    named = {} if chosen.preset is None else {"preset": chosen.preset}
    return JournalEntry(PARAMETERS, {**named, **chosen.changes})


def parameters_from(content: Mapping[str, Any]) -> ChosenParameters:
    """Read a row's content; raises ValueError where a parameter is none."""
    numbers: dict[str, Any] = {
        name: (whole if name in _WHOLE else number)(content[name], name)
        for name in _NUMBERS
        if name in content
    }
    try:
        Parameters().changed(**numbers)
    except InexviewError as error:
        raise ValueError(str(error)) from error
    return ChosenParameters(text(content["preset"], "preset") if "preset" in content else None, **numbers)
