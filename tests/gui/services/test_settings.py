"""Settings: declared as data, kept in a file, and never trusted when read back."""

import pytest

from inexview.gui.services.settings import APPEARANCE, MOST_RECENT, RECENT, SETTINGS, ZOOM, Settings


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path / "settings.ini")


def test_every_default_is_allowed_and_every_key_unique():
    assert all(setting.allowed(setting.default) for setting in SETTINGS)
    assert len({setting.key for setting in SETTINGS}) == len(SETTINGS)


def test_a_value_outlives_the_program(settings, tmp_path):
    settings.set(ZOOM, 140)
    settings._store.sync()
    assert Settings(tmp_path / "settings.ini").get(ZOOM) == 140


def test_what_is_not_allowed_is_refused_when_set_and_ignored_when_read(settings):
    with pytest.raises(ValueError, match="not allowed"):
        settings.set(ZOOM, 5)
    for nonsense in ('"dark"x', "12", '"sepia"', "null"):
        settings._store.setValue(APPEARANCE.key, nonsense)
        assert settings.get(APPEARANCE) == "system"


def test_a_change_is_told_once(settings):
    told = []
    settings.changed.connect(told.append)
    settings.set(ZOOM, 125)
    settings.set(ZOOM, 125)
    assert [(change.setting, change.value) for change in told] == [(ZOOM, 125)]


def test_recent_projects_come_newest_first_without_doubles(settings, tmp_path):
    paths = [tmp_path / f"{number}.inexview" for number in range(MOST_RECENT + 3)]
    for path in [*paths, paths[5]]:
        settings.remember_project(path)
    kept = settings.get(RECENT)
    assert kept[0] == str(paths[5])
    assert len(kept) == len(set(kept)) == MOST_RECENT
    settings.forget_project(paths[5])
    assert str(paths[5]) not in settings.get(RECENT)
