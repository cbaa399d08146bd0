"""A process that judges at random until it is killed; run with ``python -m``, see test_kill.py.

For each line ``SEED`` on stdin a fork of this process opens the project and works; it prints ``pid N``, then
after each finished command what stands judged, as JSON.  When it is dead, ``dead`` is printed.  Where the
project file is gone it saves all that was done to another file beside it, and goes on there; where it can do
neither it makes the file ``WAITS`` and waits.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path

from inexview.core.errors import JudgementError, ProjectError
from inexview.core.project.document_state import UNTOUCHED, DocumentState, apply
from inexview.core.project.history import History, Step
from inexview.core.project.journal import ProjectGoneError
from inexview.core.project.nugget_record import TopicNuggetHistory
from inexview.core.project.nuggets import (
    delete_nugget,
    make_nugget,
    redo_nuggets,
    turn_words,
    undo_nuggets,
)
from inexview.core.project.project import Project
from inexview.core.project.recovery import save_elsewhere
from inexview.core.project.reviews import note_left
from inexview.core.text.spans import Spans
from tests.projects import TEXT, TOPIC

DOCUMENTS = ("d1", "d2", "d3")
WAITS = "waits"


def fingerprint(history: History) -> list[list[object]]:
    """Return all states of a history, those that were undone last."""
    steps = (*history.done, *history.undone)
    return [
        [list(state.edges), state.bep, state.finished, step.label]
        for step, state in zip(steps, states_after(steps), strict=True)
    ] + [[len(history.done)]]


def states_after(steps: Sequence[Step]) -> list[DocumentState]:
    """Return the state after each of the steps of a document, from its first one on."""
    return list(accumulate((step.action for step in steps), apply, initial=UNTOUCHED))[1:]


def command(project: Project, chance: random.Random) -> Callable[[], DocumentState | None]:
    """Choose something to do."""
    document = chance.choice(DOCUMENTS)
    start = chance.randrange(len(TEXT))
    end = chance.randrange(start, len(TEXT)) + 1
    return chance.choice(
        [
            lambda: project.mark(TOPIC, document, start, end),
            lambda: project.erase(TOPIC, document, start, end),
            lambda: project.set_bep(TOPIC, document, start),
            lambda: project.set_bep(TOPIC, document, None),
            lambda: project.finish(TOPIC, document),
            lambda: project.undo(TOPIC, document),
            lambda: project.undo(TOPIC, document),
            lambda: project.redo(TOPIC, document),
            lambda: project.not_relevant(TOPIC, *DOCUMENTS[:2]),
            lambda: note_left(project, TOPIC, document, start),
            lambda: act_on_nuggets(project, chance, document, Spans([(start, end)])),
        ]
    )


def act_on_nuggets(project: Project, chance: random.Random, document: str, words: Spans) -> None:
    """Do something to the nuggets of the topic; raises JudgementError where that cannot be."""
    there = [nugget.key for nugget in project.nuggets.of(TOPIC).nuggets]
    what = chance.randrange(6) if there else 0
    if what == 0:
        make_nugget(project, TOPIC, f"fact {len(there)}", document=document, spans=words)
    elif what == 1:
        delete_nugget(project, TOPIC, chance.choice(there), document=document)
    elif what in (2, 3):
        turn_words(project, TOPIC, chance.choice(there), document, words)
    else:
        (undo_nuggets if what == 4 else redo_nuggets)(project, TOPIC, document)


def nuggets_said(history: TopicNuggetHistory) -> list[object]:
    """Return the nuggets of a topic and what is filed under them."""
    places = sorted(
        [name, key, [list(span) for span in own.filed]]
        for name, by in history.places.items()
        for key, own in by.items()
    )
    return [[nugget.number, nugget.text] for nugget in history.nuggets] + places


def report(project: Project) -> None:
    """Say what stands judged, past all buffers."""
    said = {
        "histories": [fingerprint(project.histories.of(TOPIC, document)) for document in DOCUMENTS],
        "positions": [project.histories.log(TOPIC, document).reading.position for document in DOCUMENTS],
        "nuggets": nuggets_said(project.nuggets.of(TOPIC)),
    }
    os.write(1, json.dumps(said).encode() + b"\n")


def wait_for_end(path: Path) -> None:
    """Do nothing more until killed, and let it be known by a file."""
    path.with_name(WAITS).touch()
    signal.pause()


def work(path: Path, seed: int) -> None:
    """Judge until killed, now and then closing and opening again."""
    chance = random.Random(seed)
    while True:
        try:
            project = Project.open(path, copy=False)
        except ProjectError:  # it was taken away while it was closed
            wait_for_end(path)
        with project:
            for _ in range(chance.randrange(5, 30)):
                try:
                    command(project, chance)()
                except JudgementError:
                    continue
                except ProjectGoneError:
                    path = path.with_name(f"rescued-{chance.randrange(10**9)}.inexview")
                    save_elsewhere(project.journal, path)
                    break
                except ProjectError:  # what took its place can only be read
                    wait_for_end(path)
                report(project)


def main() -> None:
    """Fork a worker for each seed that is asked for."""
    for line in sys.stdin:
        worker = os.fork()
        if not worker:
            os.write(1, f"pid {os.getpid()}\n".encode())
            work(Path(sys.argv[1]), int(line))
        os.waitpid(worker, 0)
        os.write(1, b"\ndead\n")  # the report may have been cut short


if __name__ == "__main__":
    main()
