"""Settings: declared as data, kept in a file, and never trusted when read back."""

import json

import pytest

from inexview.gui.services import settings as declarations
from inexview.gui.services.settings import (
    APPEARANCE,
    KEYS,
    LAYERS,
    MOST_RECENT,
    NOT_RANKED,
    PANELS,
    RECENT,
    RUNS,
    SCORING,
    WORDS,
    ZOOM,
    Setting,
    Settings,
)


def test_every_default_is_allowed_and_every_key_unique():
    declared = [one for one in vars(declarations).values() if isinstance(one, Setting)]
    assert ZOOM in declared
    assert all(setting.allowed(setting.default) for setting in declared)
    assert len({setting.key for setting in declared}) == len(declared)


def test_a_value_outlives_the_program(settings, tmp_path):
    settings.set(ZOOM, 140)
    settings._store.sync()
    assert Settings(tmp_path / "settings.ini").get(ZOOM) == 140


def test_invalid_values_are_refused_when_set_and_ignored_when_read(settings):
    with pytest.raises(ValueError, match="not allowed"):
        settings.set(ZOOM, 5)
    for nonsense in ('"dark"x', "12", '"sepia"', "null"):
        settings._store.setValue(APPEARANCE.key, nonsense)
        assert settings.get(APPEARANCE) == "system"


@pytest.mark.parametrize(
    ("setting", "nonsense"),
    [
        (RECENT, [1]),
        (KEYS, {"mark": "M"}),
        (RUNS, {"p": [None]}),
        (LAYERS, {"p": "x"}),
        (SCORING, {"p": []}),
        (WORDS, {"p": {"1": [["oil", 5]]}}),
        (WORDS, {"p": {"1": ["oil"]}}),
        (NOT_RANKED, [[]]),
        (PANELS, {"assess": [292, 820]}),
        (PANELS, {"assess": [292, "820", 328]}),
    ],
)
def test_lists_of_something_else_count_as_not_set(settings, setting, nonsense):
    settings._store.setValue(setting.key, json.dumps(nonsense))
    assert settings.get(setting) == setting.default
    with pytest.raises(ValueError, match="not allowed"):
        settings.set(setting, nonsense)


def test_a_list_without_end_counts_as_not_set(settings):
    settings._store.setValue(RECENT.key, "[" * 100_000)
    assert settings.get(RECENT) == []


def test_a_change_is_signalled_once(settings):
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
