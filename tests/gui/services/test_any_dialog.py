"""The dialog that takes files or a folder alike."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QTreeView

from inexview.gui.services.settings import AnyDialog
from tests.gui.driving import double_click


def opened(qtbot, folder, name):
    """Return the dialog, where a row is, and its button *Open*."""
    dialog = AnyDialog(None, "Open", str(folder))
    qtbot.addWidget(dialog)
    dialog.setViewMode(AnyDialog.ViewMode.Detail)
    dialog.show()
    tree = dialog.findChild(QTreeView, "treeView")

    def row():
        model, root = tree.model(), tree.rootIndex()
        found = [model.index(at, 0, root) for at in range(model.rowCount(root))]
        return next((one for one in found if one.data() == name), None)

    qtbot.waitUntil(lambda: row() is not None)
    tree.scrollTo(row())
    button = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Open)
    return dialog, tree.viewport(), tree.visualRect(row()).center(), button


def test_a_folder_that_is_chosen_is_taken_and_not_gone_into(qtbot, tmp_path):
    (tmp_path / "corpus").mkdir()
    dialog, view, place, button = opened(qtbot, tmp_path, "corpus")
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
    with qtbot.waitSignal(dialog.accepted):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert dialog.selectedFiles() == [str(tmp_path / "corpus")]


def test_a_double_click_goes_into_a_folder_and_takes_a_file(qtbot, tmp_path):
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "run.txt").write_text("7 Q0 moon 1 9 r\n", encoding="utf-8")
    dialog, view, place, _ = opened(qtbot, tmp_path, "corpus")
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
    double_click(view, place)
    qtbot.waitUntil(lambda: dialog.directory().path() == str(tmp_path / "corpus"))
    assert dialog.isVisible()
    dialog.reject()
    dialog, view, place, button = opened(qtbot, tmp_path / "corpus", "run.txt")
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
    with qtbot.waitSignal(dialog.accepted):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert dialog.selectedFiles() == [str(tmp_path / "corpus" / "run.txt")]
