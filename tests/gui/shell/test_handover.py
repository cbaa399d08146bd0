"""A project that is open is not opened again: the second process hands its place to the window, and ends."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication

from inexview.core.files import LinkedPlace
from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.gui.services.settings import RUNS
from inexview.gui.shell import app
from inexview.gui.shell.app import Handover, hand_over
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import text_area


@pytest.fixture
def project(tmp_path):
    return create_sample_project(tmp_path / "sample.inexview")


def at_the_top(window, offset):
    lines = text_area(window.article).lines()
    return bool(lines) and lines[0].start <= offset < lines[3].end


def test_a_second_process_shows_its_place_in_the_window_that_is_open(application, qtbot, project, checkout):
    window = application.open_project(project)
    run = next(path for path in sample_runs(project) if path.stem == "LM-passages")
    named = ["--topic", "2026001", "--doc", "2041", "--run", run.name, "--at", "3000"]
    command = [sys.executable, "-m", "inexview", f"../{project.name}", *named]
    window.setWindowState(Qt.WindowState.WindowMinimized)
    with subprocess.Popen(command, cwd=run.parent, env=_environment(checkout)) as second:
        qtbot.waitUntil(lambda: second.poll() is not None)
    assert second.returncode == 0
    session = window.session
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == "2041")
    qtbot.waitUntil(lambda: session.run is not None and session.run.id == "LM-passages")
    qtbot.waitUntil(lambda: at_the_top(window, 3000))
    assert application.windows == [window]
    assert window.mode is Mode.INSPECT
    assert not window.inspect.over_topics
    assert not window.isMinimized()

    window.book["copy-link"].trigger()
    link = QApplication.clipboard().text()
    place = LinkedPlace.parse(link)
    assert (place.project, place.topic, place.document) == (project.resolve(), "2026001", "2041")
    assert place.run == str(run.resolve())
    window.article.reveal(0)
    window.session.open_document("2077")
    qtbot.waitUntil(lambda: session.document_id == "2077")
    application.open_place(place)
    qtbot.waitUntil(lambda: session.document_id == "2041" and at_the_top(window, place.at))
    assert session.runs == (session.run,)  # the run was open: it is not read again


def test_a_place_is_shown_first_when_the_program_starts_with_several_runs(application, qtbot, project):
    application.settings.remember_project(project)
    application.settings.remember(RUNS, project, [str(path) for path in sample_runs(project)])
    run = next(path for path in sample_runs(project) if path.stem == "LM-passages")
    application.open_place(LinkedPlace(project, "2026001", "2041", str(run), 3000))
    (window,) = application.windows
    session = window.session
    qtbot.waitUntil(lambda: len(session.runs) == len(sample_runs(project)) and session.document is not None)
    qtbot.waitUntil(lambda: session.run.id == "LM-passages" and session.document_id == "2041")
    qtbot.waitUntil(lambda: at_the_top(window, 3000))
    assert not window.inspect.over_topics


def test_a_hanging_or_closed_window_does_not_block_others(qapp, qtbot, project, checkout, monkeypatch):
    monkeypatch.setattr(app, "ANSWERED_WITHIN", 50)
    place = LinkedPlace(project, "2026001")
    assert not hand_over(place)  # no window at all
    hung = QLocalServer()
    assert hung.listen(app._socket_name(project))
    assert not hand_over(place)  # it never comes to answer
    address = hung.fullServerName()
    hung.close()
    if sys.platform != "win32":
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(address)  # what a process that was killed leaves
    assert not hand_over(place)
    taker = Handover(project, qapp)
    taken = []
    taker.taken.connect(taken.append)
    code = (
        "import sys; from inexview.gui.shell.app import LinkedPlace, hand_over\n"
        f"sys.exit(hand_over(LinkedPlace.parse({place.link!r})))"
    )
    with subprocess.Popen([sys.executable, "-c", code], env=_environment(checkout)) as asking:
        qtbot.waitUntil(lambda: asking.poll() is not None)
    assert asking.returncode == 1  # True
    assert taken == [place]
    _send_rubbish(qtbot, project)
    assert taken == [place]
    taker.close()
    assert not hand_over(place)
    taker.deleteLater()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can be another user")
def test_another_user_is_refused_on_both_sides(qapp, qtbot, project, checkout):
    taker = Handover(project, qapp)
    taken = []
    taker.taken.connect(taken.append)
    name = app._socket_name(project)
    said = f"{LinkedPlace(project, '2026001').link} \n"
    code = (
        "import os, socket, sys\n"
        "end = socket.socket(socket.AF_UNIX)\n"
        "os.setuid(65534)\n"
        "try:\n"
        f"    end.connect({name!r}); end.sendall({said!r}.encode()); print(end.recv(9))\n"
        "except PermissionError: print('refused')\n"
    )
    outside = [sys.executable, "-c", code]
    with subprocess.Popen(outside, stdout=subprocess.PIPE, text=True) as other:
        qtbot.waitUntil(lambda: other.poll() is not None)
        assert other.stdout.read() == "refused\n"
    assert Path(name).parent.stat().st_mode & 0o077 == 0
    taker.close()
    impostor = (
        "import os, socket, sys\n"
        f"end = socket.socket(socket.AF_UNIX); end.bind({name!r}); os.chmod({name!r}, 0o777)\n"
        "os.setuid(65534); end.listen(); print('there', flush=True); guest, _ = end.accept()\n"
        "print(guest.recv(99), flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", impostor], stdout=subprocess.PIPE, text=True
    ) as false_window:
        assert false_window.stdout.readline() == "there\n"
        assert not hand_over(LinkedPlace(project, "2026001"))
        assert false_window.stdout.readline() == "b''\n"  # nothing was said to it
    assert taken == []
    taker.deleteLater()


def _send_rubbish(qtbot, project):
    other = LinkedPlace(project.with_name("other.inexview"))
    for said in (b"open the door\n", b"x" * 100_000, f"{other.link}\n".encode()):
        guest = QLocalSocket()
        guest.connectToServer(app._socket_name(project))
        guest.write(said)
        qtbot.waitUntil(lambda guest=guest: guest.state() is QLocalSocket.LocalSocketState.UnconnectedState)


def _environment(checkout):
    return {**os.environ, "PYTHONPATH": str(checkout), "QT_QPA_PLATFORM": "offscreen"}
