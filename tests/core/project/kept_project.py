"""Writes a project of the present schema with what it says, which tests open when the schema is another.

Run ``python -m tests.core.project.kept_project`` before the schema changes; it writes both files into
``tests/data/projects``.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.project.document_state import Suggestion
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.journal import VERSION
from inexview.core.project.project import Project
from inexview.core.project.reviews import (
    Suggestions,
    note_away,
    note_back,
    note_inspected,
    note_left,
    note_opened,
    note_suggested,
    note_suggestions,
    set_answer,
    set_flag,
    set_grade,
    set_note,
    set_scale,
    taking,
)
from inexview.core.text.spans import Spans
from tests.core.judging_worker import fingerprint
from tests.projects import OTHER_TOPIC, TEXT, TOPIC, make_project

QRELS, SUGGESTED = Path("/home/ada/private/ben.qrels"), Path("/home/ada/private/machine.jsonl")
KEPT = Path(__file__).resolve().parents[2] / "data" / "projects"


def said(project: Project) -> dict[str, object]:
    """Return what a project says, as it is written down when the file is made."""
    worked = [(topic.id, name) for topic in project.topics for name in project.touched(topic.id)]
    logs = {f"{topic} {name}": project.histories.log(topic, name) for topic, name in worked}
    return {
        "topics": [topic.id for topic in project.topics],
        "pools": {topic.id: list(project.pool(topic.id)) for topic in project.topics},
        "convention": project.convention.name,
        "histories": {place: fingerprint(log.history) for place, log in logs.items()},
        "positions": {place: log.reading.position for place, log in logs.items()},
        "quotes": {
            f"{topic} {name}": sorted(
                [start, end, quote.first, quote.last, quote.digest]
                for (start, end), quote in project.histories.quotes(topic, name).items()
            )
            for topic, name in worked
        },
    }


def work(project: Project) -> None:
    """Do something of each kind, so that the file has rows of it."""
    set_scale(project, ("fair", "good"))
    note_opened(project, TOPIC, "d1", text=TEXT)
    project.mark(TOPIC, "d1", 3, 20)
    project.mark(TOPIC, "d1", 30, 42)
    project.erase(TOPIC, "d1", 5, 9)
    project.set_bep(TOPIC, "d1", 3)
    set_note(project, TOPIC, "d1", "which fox?")
    set_grade(project, TOPIC, "d1", "good", (9, 20))
    set_flag(project, TOPIC, "d1", on=True)
    note_inspected(project, TOPIC, "d1", ["LM"])
    note_left(project, TOPIC, "d1", 12)
    project.finish(TOPIC, "d1")
    project.reopen(TOPIC, "d1")
    project.finish(TOPIC, "d1")
    project.not_relevant(TOPIC, "d2", "d3")
    project.undo(TOPIC, "d3")
    project.redo(TOPIC, "d3")
    project.mark(OTHER_TOPIC, "d1", 0, 7)
    set_answer(project, OTHER_TOPIC, "d1", "answered", on=True)
    note_away(project, OTHER_TOPIC, "d1", 3.5)
    note_back(project, OTHER_TOPIC, "d1")
    project.clear(OTHER_TOPIC, "d1")
    project.undo(OTHER_TOPIC, "d1")
    judged = Qrels.from_judgements([Judgement(TOPIC, "d4", 4, len(TEXT), 2, Spans([(2, 6)]))])
    import_judgements(project, replace(judged, path=QRELS))
    listed = {TOPIC: {"d5": (Suggestion(0, 7, "machine", 0.5),)}}
    note_suggestions(project, Suggestions("machine", listed, SUGGESTED), on=True)
    note_suggested(project, TOPIC, "d5", "machine", 1)
    project.do(TOPIC, "d5", taking(listed[TOPIC]["d5"][0]))


def main() -> None:
    name = f"version-{VERSION}"
    with TemporaryDirectory() as folder:
        path = make_project(Path(folder))
        with Project.open(path, copy=False) as project:
            work(project)
            told = said(project)
        (KEPT / f"{name}.inexview").write_bytes(path.read_bytes())
    (KEPT / f"{name}.json").write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
