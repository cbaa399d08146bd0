"""Numbers as a person reads them."""

import pytest

from inexview.core.wording import in_one_line, percent


@pytest.mark.parametrize(
    ("share", "decimals", "told"),
    [
        (0.5, 0, "50 %"),
        (1.0, 0, "100 %"),
        (0.999, 0, "99 %"),
        (0.0398, 1, "4.0 %"),
        (0.9999, 1, "99.9 %"),
        (float("nan"), 1, "–"),
    ],
)
def test_a_share_has_a_space_and_is_100_only_if_complete(share, decimals, told):
    assert percent(share, decimals) == told.replace(" ", "\N{NO-BREAK SPACE}")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("short", "short"),
        (" two\nlines\x00\x1b[2J\u202e ", "two lines [2J"),
        ("exactly ten", "exactly te…"),
        ("x" * 10 + " " * 90, "xxxxxxxxxx…"),
        ("", ""),
    ],
)
def test_a_text_of_any_origin_is_one_line_without_controls(text, line):
    assert in_one_line(text, 13 if "[" in text else 10) == line
