from __future__ import annotations

from pathlib import Path

import pytest

from inexview.core.errors import InexviewError
from inexview.core.files import resource


def test_a_checkout_has_its_resources_next_to_the_package(checkout: Path) -> None:
    assert resource("fonts/README.md") == checkout / "resources" / "fonts" / "README.md"


@pytest.mark.parametrize("layout", ["site-packages/inexview/_data", "site-packages/resources"])
def test_both_layouts_are_found(tmp_path: Path, layout: str) -> None:
    icon = tmp_path / layout / "icons" / "inexview.svg"
    icon.parent.mkdir(parents=True)
    icon.write_text("<svg/>", encoding="utf-8")
    assert resource("icons/inexview.svg", package=tmp_path / "site-packages" / "inexview") == icon


def test_the_wheel_is_asked_before_a_stranger_next_to_it(tmp_path: Path) -> None:
    for folder in ("inexview/_data", "resources"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "note").write_text(folder, encoding="utf-8")
    assert resource("note", package=tmp_path / "inexview").read_text(encoding="utf-8") == "inexview/_data"


def test_a_missing_resource_names_both_places_and_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InexviewError, match=r"Inter\.otf is neither in .*_data nor in .*resources.*again"):
        resource("fonts/Inter.otf", package=tmp_path / "inexview")
