"""The rows of a derivation: told apart, also of one document, with figures that are never cut."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication

from inexview.core.evaluation.derivations import Derivation, DerivationRow, Fraction, filled_lines
from inexview.core.report import unbroken
from inexview.gui.inspect.derivation import DerivationModel, figure_places


def shown(*rows):
    model = DerivationModel(lambda _row: "Olive oil")
    made = Derivation(measure="AP", title="", formula="", value=0.5, rows=rows)
    model.show(made)
    return [model.place(at) for at in range(len(rows))]


def test_rows_of_one_document_say_where_they_are():
    first, second = DerivationRow(1, "a", (), start=10, end=25), DerivationRow(2, "a", (), start=0, end=8)
    other, element = DerivationRow(3, "b", ()), DerivationRow(4, "a", (), element="/article[1]/p[2]")
    assert shown(first, second, other, element) == ["10:15", "0:8", "", "/article[1]/p[2]"]


def test_the_figures_of_a_column_have_equal_decimals():
    model = DerivationModel(lambda _row: "Olive oil")
    rows = (DerivationRow(1, "a", (1, 0.5, 1.0, -0.25)), DerivationRow(2, "b", (1200, 1.0, math.inf, 1.0)))
    made = Derivation(
        measure="AP", title="", formula="", value=0.5, rows=rows, columns=("size", "P@r", "x", "change")
    )
    model.show(made)
    assert [model.figures(at) for at in (0, 1)] == [
        ("1", "0.5000", "1.0000", "−0.2500"),
        ("1,200", "1.0000", "∞", "1.0000"),
    ]


def test_the_end_of_a_sum_is_not_broken_over_lines():
    told = filled_lines(Fraction(15.0, 7, "Σ", "n"), [0.5, 1.5, 2.5, 3.5, 7.0], 15 / 7)[1]
    assert unbroken(told).split(" ")[-1].replace("\N{NO-BREAK SPACE}", " ") == "… 2 more) / 7"
    assert unbroken(told).replace("\N{NO-BREAK SPACE}", " ") == told


def test_rows_of_as_many_documents_need_not():
    assert shown(DerivationRow(1, "a", (), start=10, end=25), DerivationRow(2, "b", ())) == ["", ""]


# The further figures of a derivation's rows: names give way, numbers never do.

NAMES = ("relevant", "S(d)", "gP[r]", "gR[r]")
ROWS = (("1", "0.3792", "0.1896", "0.0556"), ("0", "0.0000", "0.4544", "0.2778"))


def test_a_long_name_is_abbreviated_before_it_is_cut(qapp: QApplication) -> None:
    metrics = QFontMetrics(QFont())
    assert "rel" in {figure_places(metrics, NAMES, ROWS, room)[0].name for room in range(160, 320)}


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
