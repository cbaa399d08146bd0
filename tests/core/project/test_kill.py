"""Killed at any moment, a project keeps everything up to the last finished action, undo history included.

``INEXVIEW_KILLS=500 INEXVIEW_ROLLBACKS=200 pytest tests/core/project/test_kill.py`` kills as often.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from inexview.core.judgements.qrels import Qrels
from inexview.core.project.history import DocumentLog
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.journal import Journal
from inexview.core.project.journal_rows import DamagedFileError, Row
from inexview.core.project.nugget_record import NUGGET_ROWS, NuggetRecord
from inexview.core.project.project import Project
from inexview.core.project.recovery import QUIET, copies_of, newer_copy, salvaged
from tests.core.importing_worker import JUDGEMENTS, judgement
from tests.core.judging_worker import DOCUMENTS, WAITS, fingerprint, nuggets_said
from tests.projects import TOPIC, make_project

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")

KILLS = int(os.environ.get("INEXVIEW_KILLS", "50"))
ACCIDENTS = int(os.environ.get("INEXVIEW_KILLS", "20"))
ROLLBACKS = int(os.environ.get("INEXVIEW_ROLLBACKS", "20"))


@pytest.fixture
def workers(tmp_path: Path, checkout: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start the process that forks a worker for each seed it reads."""
    path = make_project(tmp_path / "study")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.core.judging_worker", str(path)],
        cwd=checkout,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pipesize=1 << 20,  # a worker whose reports no one reads would stop at its next one
    )
    with process:
        yield process
        process.stdin.close()


def killed_at_random(
    workers: subprocess.Popen[bytes], chance: random.Random, accident: Callable[[], object] = lambda: None
) -> str:
    """Let a worker work, kill it, and return its last whole report ("" if it had not made any).

    ``accident`` happens in between.
    """
    workers.stdin.write(b"%d\n" % chance.randrange(10**9))
    workers.stdin.flush()
    worker = int(workers.stdout.readline().split()[1])
    last = b""
    for _ in range(chance.choice([0, 0, chance.randrange(40)])):
        last = workers.stdout.readline()
    time.sleep(chance.random() * 0.02)
    accident()
    time.sleep(chance.choice([0, 0, 0.1]) * chance.random())
    os.kill(worker, signal.SIGKILL)
    while (line := workers.stdout.readline()) != b"dead\n":
        if line.endswith(b"}\n"):
            last = line
    return last.decode()


def judged(rows: Sequence[Row]) -> dict[str, object]:
    """Fold rows to what a worker reports."""
    logs = [DocumentLog(row for row in rows if row.document == document) for document in DOCUMENTS]
    nuggets = NuggetRecord()
    for row in rows:
        if row.action in NUGGET_ROWS:
            nuggets.take(row)
    return {
        "histories": [fingerprint(log.history) for log in logs],
        "positions": [log.reading.position for log in logs],
        "nuggets": nuggets_said(nuggets.of(TOPIC)),
    }


def without_last_action(rows: Sequence[Row]) -> Sequence[Row]:
    """Leave out the rows of the last transaction: those of one time."""
    return [row for row in rows if row.time != rows[-1].time]


def test_nothing_that_was_finished_is_lost_when_the_program_is_killed(
    workers: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    path = tmp_path / "study" / "test.inexview"
    chance = random.Random()
    before: list[Row] = []
    for _ in range(KILLS):
        said = killed_at_random(workers, chance)
        journal = Journal.open(path, read_only=True)
        rows = list(journal.rows())
        journal.close()
        assert rows[: len(before)] == before, "what stood in the journal has changed"
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        reported = json.loads(said) if said else judged(before)
        # The action that was under way may be there as well: then all but that is what was reported.
        assert reported in (judged(rows), judged(without_last_action(rows)))
        before = rows
    assert len(before) > KILLS, "the workers hardly did anything"
    with Project.open(path) as project:
        assert not project.read_only
        assert project.histories.states(TOPIC) == {
            document: project.histories.of(TOPIC, document).state for document in project.touched(TOPIC)
        }
        project.not_relevant(TOPIC, "d5")


def replace(path: Path, older: Path) -> None:
    shutil.copyfile(older, path.with_name("part"))
    path.with_name("part").replace(path)


def rename(path: Path, older: Path) -> None:
    path.rename(path.with_name("renamed.inexview"))


def remove(path: Path, older: Path) -> None:
    path.unlink()


def rows_in(path: Path) -> Sequence[Row]:
    """Return the rows of a file, also where the log beside it is of the file that was replaced."""
    try:
        journal = Journal.open(path, read_only=True)
    except DamagedFileError:
        return salvaged(path)[0]
    rows = list(journal.rows())
    journal.close()
    return rows


def test_nothing_acknowledged_is_lost_when_the_file_is_taken_away_before_the_kill(
    workers: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    named = ("test.inexview", "older", "kept", WAITS)
    path, older, kept, waits = (tmp_path / "study" / name for name in named)
    shutil.copyfile(path, older)
    chance = random.Random()
    rescued = 0

    def take_away() -> None:
        chance.choice([replace, rename, remove])(path, older)
        end = time.monotonic() + (0 if rescued else 2)  # once at least it goes on in another file
        while not (there := list(path.parent.glob("rescued-*.inexview"))) and time.monotonic() < end:
            if waits.exists():  # it was between two projects when its file was taken away
                break
            time.sleep(0.005)
        time.sleep(0.05 if there else 0)

    for _ in range(ACCIDENTS):
        kept.unlink(missing_ok=True)
        waits.unlink(missing_ok=True)
        os.link(path, kept)  # what the path named before
        said = killed_at_random(workers, chance, take_away)
        saved = list(path.parent.glob("rescued-*.inexview"))
        stand = []
        for file in (kept, *([path] if path.exists() else []), *saved):
            rows = rows_in(file)
            stand += [judged(rows), judged(without_last_action(rows))]
        if said:
            assert json.loads(said) in stand
        rescued += len(saved)
        for file in path.parent.glob("*.inexview*"):
            file.unlink()
        shutil.copyfile(older, path)
    assert rescued


def actions_in(path: Path) -> set[str]:
    return {row.id for row in rows_in(path) if row.action not in QUIET}


def test_rows_only_in_copies_are_kept_and_reported_after_rollbacks(
    workers: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    path = tmp_path / "study" / "test.inexview"
    chance = random.Random()
    states, in_copies, said = [path.read_bytes()], set[str](), 0
    for _ in range(ROLLBACKS):
        killed_at_random(workers, chance)
        with Project.open(path, copy=False) as project:  # which takes what the log holds into the file
            assert not project.read_only
        states.append(path.read_bytes())
        held = set[str]().union(*(actions_in(copy.path) for copy in copies_of(path)))
        assert in_copies <= held | actions_in(path), "a copy is gone with what it alone had"
        in_copies = held
        path.write_bytes(chance.choice(states))
        newest = copies_of(path)[:1]
        if newest and actions_in(newest[0].path) - actions_in(path):
            newer = newer_copy(path)
            assert newer is not None, "the newest copy has more, and nothing is said"
            said += 1
    assert said


@pytest.mark.parametrize("steps", [0, 1, 4])
def test_an_import_that_is_killed_leaves_whole_judgements_and_goes_on_when_asked_again(
    tmp_path: Path, checkout: Path, steps: int
) -> None:
    path = make_project(tmp_path / "study")
    command = [sys.executable, "-m", "tests.core.importing_worker", str(path)]
    with subprocess.Popen(command, cwd=checkout, stdout=subprocess.PIPE) as worker:
        told = [int(worker.stdout.readline()) for _ in range(steps)]
        time.sleep(random.random() * 0.02)
        worker.kill()
    with Project.open(path) as project:
        states = project.histories.states(TOPIC)
        assert len(states) >= (told[-1] if told else 0)
        qrels = Qrels.from_judgements(judgement(number) for number in range(JUDGEMENTS))
        expected = {one.document: (one.passages, one.bep, True) for one in qrels}
        assert {name: (one.marks, one.bep, one.finished) for name, one in states.items()} == {
            name: expected[name] for name in list(expected)[: len(states)]
        }
        again = import_judgements(project, qrels, check=False)
        assert (again.documents, again.unchanged) == (JUDGEMENTS - len(states), len(states))
        assert set(project.pool(TOPIC)) >= set(expected)
