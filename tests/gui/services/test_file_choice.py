"""Where files are written: a name without a suffix gets that of the kind that was chosen."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from inexview.core.files import project_path
from inexview.gui.services.settings import choose_new_file, file_name

KINDS = "Page (*.html);;PDF (*.pdf);;LaTeX table (*.tex)"


@pytest.fixture
def parent(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def answer(monkeypatch):
    """Have the file dialog answer with a name and a kind; what it was asked is returned in a list."""
    asked = []

    def say(name, kind):
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *of: (asked.append(of), (str(name), kind))[1]
        )
        return asked

    return say


def test_a_name_without_a_suffix_gets_that_of_the_chosen_kind(parent, answer, tmp_path):
    asked = answer(tmp_path / "out", "PDF (*.pdf)")
    assert choose_new_file(parent, "Save", tmp_path / "runs.tex", KINDS) == tmp_path / "out.pdf"
    assert asked[0][-1] == "LaTeX table (*.tex)"
    answer(tmp_path / "out", "")
    assert choose_new_file(parent, "Save", tmp_path / "runs.tex", KINDS) == tmp_path / "out.tex"
    answer(tmp_path / "out.svg", "PDF (*.pdf)")
    assert choose_new_file(parent, "Save", tmp_path / "runs.tex", KINDS) == tmp_path / "out.svg"
    answer("", "")
    assert choose_new_file(parent, "Save", tmp_path / "runs.tex", KINDS) is None


def test_a_file_is_asked_about_whose_name_the_dialog_has_not_seen(parent, answer, tmp_path, monkeypatch):
    answer(tmp_path / "out", "PDF (*.pdf)")
    (tmp_path / "out.pdf").touch()
    for button, chosen in ((0, tmp_path / "out.pdf"), (1, None)):
        monkeypatch.setattr(QMessageBox, "exec", lambda box: None)
        monkeypatch.setattr(QMessageBox, "clickedButton", lambda box, at=button: box.buttons()[at])
        assert choose_new_file(parent, "Save", tmp_path / "runs.tex", KINDS) == chosen


def test_a_title_names_a_file_and_no_folder():
    assert file_name("P[1/2]: a*b ") == "P-1-2-- a-b"
    assert Path(file_name("x" * 300)).name == "x" * 80


@pytest.mark.parametrize("name", ["mine", "mine.v2", "mine.txt"])
def test_a_project_is_called_one_whatever_its_name(name):
    assert project_path(Path(name)) == Path(f"{name}.inexview")
    assert project_path(Path(f"{name}.inexview")) == Path(f"{name}.inexview")
