"""Motion: as the desktop has it or as the settings say; nothing blinks or fades where less is wanted."""

from types import SimpleNamespace

from PySide6.QtCore import Qt

from inexview.gui.services.settings import MOTION, Motion, Settings, less_wanted


def test_less_motion_stops_what_blinks_and_fades_and_comes_back(qapp, tmp_path):
    settings = Settings(tmp_path / "settings.ini")
    before = qapp.cursorFlashTime(), qapp.isEffectEnabled(Qt.UIEffect.UI_General)
    motion, told = Motion(qapp, settings), []
    motion.changed.connect(told.append)
    settings.set(MOTION, "reduced")
    assert motion.reduced
    assert (qapp.cursorFlashTime(), qapp.isEffectEnabled(Qt.UIEffect.UI_General)) == (0, False)
    settings.set(MOTION, "all")
    assert (qapp.cursorFlashTime(), qapp.isEffectEnabled(Qt.UIEffect.UI_General)) == before
    assert told == [True, False]


def test_the_desktop_setting_is_followed_if_qt_knows_it():
    def desktop(name):
        return SimpleNamespace(motionPreference=lambda: SimpleNamespace(name=name))

    assert less_wanted(desktop("ReducedMotion"))
    assert not less_wanted(desktop("NoPreference"))
    assert not less_wanted(SimpleNamespace())
    assert not less_wanted(None)
