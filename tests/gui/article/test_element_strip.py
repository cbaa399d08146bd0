"""The line under the article that names the element: shortened by whole parts, in few looks."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from inexview.gui.article.bars import HoverLine


@pytest.mark.parametrize("width", [20, 60, 200, 330, 100_000])
def test_as_many_parts_are_shown_as_there_is_room_for(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    line = HoverLine(elided=True, stressed=" › ")
    qtbot.addWidget(line)
    line.resize(width, 26)
    looks, briefer = [], HoverLine._briefer
    monkeypatch.setattr(HoverLine, "_briefer", lambda *asked: looks.append(asked[-1]) or briefer(*asked))
    parts = [f"section {number}" for number in range(1000)]
    line.set_text(" › ".join(parts))
    room = width - line._wide(parts[-1], bold=True) + line._wide(parts[-1], bold=False)
    whole = [line.full_text, *(" › ".join(["…", *parts[at:]]) for at in range(1, 1000))]
    fitting = [one for one in whole if line.fontMetrics().horizontalAdvance(one) <= room]
    if fitting:
        assert line.shown_text == fitting[0]
    else:
        assert line.shown_text.startswith("…")
    assert len(looks) <= 12, "an article may be nested a thousand deep"
