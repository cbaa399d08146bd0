"""What a castitle asks for, in words."""

from __future__ import annotations

import pytest

from inexview.core.judgements.topics import LONGEST, castitle_in_words


@pytest.mark.parametrize(
    ("castitle", "told"),
    [
        ("//*[about(., x y)]", "any element about x y"),
        ("//article//sec", "section, in article"),
        (
            '//(p|ip1|film_festival)[about(., +opera -soprano -"an aria") AND ( about(.//st, b ) )]',
            'paragraph or film festival about opera, not soprano, not "an aria" and (with heading about b)',
        ),
        (
            "//article[about(., a) and .//yr > 1998]//sec[about(., b) or about(.//(p|ip1), c)]",
            "section about b or with paragraph about c, in article about a and .//yr > 1998",
        ),
        ("olive oil", ""),
        ("//sec[about(., x)", ""),
        ("//" + " " * LONGEST, ""),
        ("", ""),
    ],
)
def test_a_castitle_in_words(castitle: str, told: str) -> None:
    assert castitle_in_words(castitle) == told
