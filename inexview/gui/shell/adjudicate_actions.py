"""The rows of the menus for a second assessor: layers, rulings, and going from difference to difference."""

from __future__ import annotations

from functools import partial

from inexview.core.project.judging.decisions import Ruling
from inexview.gui.services.actions import FILE, GO, JUDGE, VIEW, Room
from inexview.gui.shell.window_action import WindowAction as Action

_HERE = (Room.ADJUDICATE,)


def layer_files() -> tuple[Action, ...]:
    return (
        Action("open-layer", FILE, "Open another assessor’s layer…",
               "Lay the judgements of another assessor beside these: a project, qrels or JSON lines",
               lambda w: w.layers.ask, starts_group=True),
        Action("close-layers", FILE, "Close layers", "Leave the other assessors' judgements alone",
               lambda w: w.adjudicate.comparison.close),
    )  # fmt: skip


def rulings() -> tuple[Action, ...]:
    """Return what settles places and documents."""
    return (
        *(_ruling(number, ruling, name) for number, (ruling, name) in enumerate(_CHOICES.items(), 1)),
        *(_rest(number, ruling, name) for number, (ruling, name) in enumerate(_CHOICES.items(), 1)),
        Action("settle", JUDGE, "Settled, next", "Finish the third layer of this document",
               lambda w: w.adjudicate.walk.settle, ("F",), rooms=_HERE, judges=True),
        Action("settle-later", JUDGE, "Come back later, next", "Flag this document, and go to the next one",
               lambda w: w.adjudicate.walk.flag, ("C",), rooms=_HERE, judges=True),
        Action("take-over", JUDGE, "Take over the documents of this list",
               "Finish all on which all agree, or which only one judged, as they are",
               lambda w: w.adjudicate.walk.take_over, rooms=_HERE, judges=True),
    )  # fmt: skip


def difference_steps() -> tuple[Action, ...]:
    return (
        Action("next-place", GO, "Next difference", "Go to the next place that is not settled",
               lambda w: partial(w.adjudicate.step_place, 1), ("N",), rooms=_HERE),
        Action("previous-place", GO, "Previous difference", "Go to the place before that is not settled",
               lambda w: partial(w.adjudicate.step_place, -1), ("Shift+N",), rooms=_HERE),
    )  # fmt: skip


def adjudicate_mode() -> Action:
    return Action("adjudicate", VIEW, "Adjudicate", "Settle where assessors differ",
                  lambda w: w.adjudicate.enter, ("Ctrl+3",), checkable=True, anywhere=True)  # fmt: skip


_CHOICES = {
    Ruling.A: ("a", "A's", "what the first assessor marked"),
    Ruling.B: ("b", "B's", "what the second assessor marked"),
    Ruling.UNION: ("union", "the union", "what any of them marked"),
    Ruling.INTERSECTION: ("intersection", "the intersection", "what all marked"),
    Ruling.C: ("c", "C's", "what the third assessor marked"),
    Ruling.MAJORITY: ("majority", "two of three", "what at least two of three marked"),
}


def _ruling(number: int, ruling: Ruling, names: tuple[str, str, str]) -> Action:
    name, words, what = names
    return Action(f"take-{name}", JUDGE, f"Take {words}", f"Mark here {what}",
                  lambda w: partial(w.adjudicate.rule, ruling), (str(number),), starts_group=number == 1,
                  rooms=_HERE, judges=True)  # fmt: skip


def _rest(number: int, ruling: Ruling, names: tuple[str, str, str]) -> Action:
    name, words, _ = names
    told = f"{words[0].upper()}{words[1:]} for all places left"
    return Action(f"rest-{name}", JUDGE, told, "All that is still open in this document",
                  lambda w: partial(w.adjudicate.rule_rest, ruling), (f"Shift+{number}",), rooms=_HERE,
                  judges=True)  # fmt: skip
