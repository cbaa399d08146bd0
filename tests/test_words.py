"""Words that this project has retired: they made its sentences stilted, in code and on the screen."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from inexview.core.project.document_list import Shown
from inexview.core.project.document_state import Standing
from inexview.gui.look.theme import RelevanceState
from tests.program_text import modules

RETIRED = re.compile(
    r"\b(anew|nobody|whoever|odd|reckon\w*|reads? otherwise|judged otherwise|so many fit)\b", re.IGNORECASE
)
RETIRED_IN_NAMES = re.compile(r"\b\w*(_anew|nobody|whoever|_is_odd|reckon)\w*", re.IGNORECASE)
RETIRED_ON_THE_SCREEN = re.compile(r"\bstands?\b(?! (for|still)\b)")
ANOTHER_STATE = re.compile(
    r"\bopen documents?\b|\bdocuments? (that (is|are) |still )?(open|done)\b(?! in)"
    r"|\bthey are open\b|\bthe open ones\b|\bbeing judged\b|\bin progress\b|\bunfinished\b"
    r"|\b(documents?|topics?) (is|are) (complete|done|pending)\b",
    re.IGNORECASE,
)
"""What is said of a document that is to do or begun (not finished), relevant or not relevant (finished)."""
PROSE = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1)}


def test_no_retired_word_is_in_comments_docstrings_or_messages() -> None:
    found = [
        f"{module.place}:{line}: {match[0]}"
        for module in modules()
        if RETIRED.search(module.text)  # in a name, maybe
        for line, text in _prose(module.text)
        for match in RETIRED.finditer(text)
    ]
    assert not found


def test_no_retired_word_is_in_a_name() -> None:
    found = {module.place: RETIRED_IN_NAMES.findall(module.text) for module in modules()}
    assert not {place: names for place, names in found.items() if names}


def test_no_retired_word_is_on_the_screen_or_in_the_guide(checkout: Path) -> None:
    found = [
        f"{where}: {match[0]}"
        for where, text in _read_by_people(checkout)
        for retired in (RETIRED, RETIRED_ON_THE_SCREEN)
        for match in retired.finditer(text)
    ]
    assert not found


def test_states_of_documents_have_the_same_words_everywhere(checkout: Path) -> None:
    said = [(where, text) for where, text in _read_by_people(checkout) if " " in text]
    found = [f"{where}: {match[0]}" for where, text in said for match in ANOTHER_STATE.finditer(text)]
    assert not found
    standings = {one.value for one in Standing}
    assert {one.value for one in RelevanceState} - standings == {"unjudged", "not in the collection"}
    assert {one.value.lower() for one in Shown} - standings == {"not", "come back", "all"}


def _read_by_people(checkout: Path) -> list[tuple[str, str]]:
    """Return what is on the screen, on the command line and in the guide, with where it is."""
    messages = ((module.path, line, text) for module in modules() for line, text in module.messages)
    pages = (
        (path, line, text)
        for path in [*sorted(checkout.glob("resources/guide/*.md")), checkout / "README.md"]
        for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    )
    return [(f"{path.relative_to(checkout)}:{line}", text) for path, line, text in (*messages, *pages)]


def _prose(source: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in PROSE:
            yield token.start[0], token.string
