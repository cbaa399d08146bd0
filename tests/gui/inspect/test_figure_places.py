"""The further figures of a derivation's rows: names give way, numbers never do."""

from itertools import pairwise

import pytest
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication

from inexview.gui.inspect.derivation import figure_places

NAMES = ("relevant", "S(d)", "gP[r]", "gR[r]")
ROWS = (("1", "0.3792", "0.1896", "0.0556"), ("0", "0.0000", "0.4544", "0.2778"))


@pytest.mark.parametrize("room", [600, 300, 240, 160])
def test_numbers_keep_their_room_and_follow_their_names(qapp: QApplication, room: int) -> None:
    metrics = QFontMetrics(QFont())
    whole = sum(metrics.horizontalAdvance(text) for text in (*NAMES, *ROWS[0]))
    places = figure_places(metrics, NAMES, ROWS, room)
    if whole + 60 <= room:
        assert [place.name for place in places] == list(NAMES)
    for at, place in enumerate(places):
        number = max(metrics.horizontalAdvance(row[at]) for row in ROWS)
        assert place.right - place.left >= number + metrics.horizontalAdvance(place.name)
        assert place.name[:1] in ("", "…", NAMES[at][0])
    for one, other in pairwise(places):
        assert one.right < other.left
