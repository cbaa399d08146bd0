"""No regular expression of the program takes quadratic time on a long, repetitive text."""

from __future__ import annotations

import gc
import importlib
import itertools
import pkgutil
import re
import signal
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
import regex

import inexview
from inexview.core.judgements.subsets import RULES

Pattern = re.Pattern[Any] | regex.Pattern[Any]
METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "split")
LENGTH = 10_000
PATIENCE = 0.03  # seconds of the processor; a quadratic pattern takes 0.06 and more, a linear one 0.003
UNITS = 5  # characters of a pattern that are combined
EVERYWHERE = "a1 \n"
OPENINGS = ("<title>", "<!--", "<DOCNO>", "</DOC>", "<a ")
TAILS = ("\x00", "!", "")


class SlowError(Exception):
    """A pattern took longer than a linear one does."""


def patterns() -> dict[str, Pattern]:
    """Return the patterns that modules hold, by the name under which they are used."""
    held: dict[str, Pattern] = {}
    for module in pkgutil.walk_packages(inexview.__path__, "inexview."):
        if not module.name.endswith("__main__"):
            for name, value in list(vars(importlib.import_module(module.name)).items()):
                for pattern in _within(value):
                    held.setdefault(f"{module.name}:{name}", pattern)
    return held


def _within(value: Any, depth: int = 0) -> Iterator[Pattern]:
    if isinstance(value, (re.Pattern, regex.Pattern)):
        yield value
    elif depth < 4:
        parts: list[Any] = [cell.cell_contents for cell in getattr(value, "__closure__", None) or ()]
        if isinstance(value, dict):
            parts = list(value.values())
        elif isinstance(value, (list, tuple, set, frozenset)):
            parts = list(value)
        elif is_dataclass(value) and not isinstance(value, type):
            parts = [getattr(value, field.name, None) for field in fields(value)]
        for part in parts:
            yield from _within(part, depth + 1)


def calls(name: str, source: str) -> dict[str, Callable[[Pattern, Any], Any]]:
    """Return the ways in which the program applies a pattern: the whole of a text unless it says so."""
    own = re.escape(name.rpartition(":")[2])
    found = set(re.findall(rf"\b{own}\.({'|'.join(METHODS)})\(", source)) or {"fullmatch"}
    ways: dict[str, Callable[[Pattern, Any], Any]] = {
        "sub": lambda pattern, text: pattern.sub(text[:0], text),
        "finditer": lambda pattern, text: sum(1 for _ in pattern.finditer(text)),
    }
    return {
        method: ways.get(method, lambda pattern, text, method=method: getattr(pattern, method)(text))
        for method in sorted(found)
    }


def letters(pattern: Pattern) -> list[str]:
    """Return the characters that a pattern names, one of each range."""
    found: dict[str, None] = {}

    def walk(parsed: Any) -> None:
        if isinstance(parsed, (list, tuple, _parser.SubPattern)):
            match list(parsed):
                case [operator, int(code)] if str(operator) in ("LITERAL", "NOT_LITERAL"):
                    found[chr(code)] = None
                case [operator, (int(low), int(_high))] if str(operator) == "RANGE":
                    found[chr(low)] = None
                case parts:
                    for part in parts:
                        walk(part)

    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    try:
        walk(_parser.parse(text, re.VERBOSE if pattern.flags & re.VERBOSE else 0))
    except re.error:  # of the package regex
        found.update(dict.fromkeys(c for c in text if not c.isalnum()))
    return list(found)[:UNITS]


def texts(pattern: Pattern) -> Iterator[str]:
    """Yield long texts of one or two of the pattern's characters, again and again."""
    seen = dict.fromkeys([*EVERYWHERE, *letters(pattern)])
    units = [*seen, *map("".join, itertools.permutations(seen, 2)), *OPENINGS]
    for unit in units:
        body = unit * (LENGTH // len(unit))
        for tail in TAILS[: 3 if len(unit) == 1 else 1]:
            yield body + tail
        if len(unit) == 1:
            yield f"{body} {body}"
            yield from (first + body for first in seen)


def is_slow(work: Callable[[], Any]) -> bool:
    """Return whether work takes longer than PATIENCE, three times: its processor time is counted."""

    def stop(*_given: object) -> None:
        raise SlowError

    before = signal.signal(signal.SIGVTALRM, stop)
    gc.disable()  # what it calls would swallow the exception
    try:
        for _ in range(3):
            signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
            try:
                work()
                return False
            except SlowError:
                continue
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return True
    finally:
        gc.enable()
        signal.signal(signal.SIGVTALRM, before)


def slow_text(pattern: Pattern, apply: Callable[[Pattern, Any], Any]) -> str | None:
    """Return the beginning of a text on which a pattern is slow."""
    for text in texts(pattern):
        given = text if isinstance(pattern.pattern, str) else text.encode()
        if is_slow(lambda given=given: apply(pattern, given)):
            return f"{text[:8]!r}…{text[-1:]!r}"
    return None


def _where_used(name: str, sources: dict[str, str], everywhere: str) -> str:
    module, _, own = name.partition(":")
    return sources.get(module, everywhere) if own.startswith("_") else everywhere


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="counts the processor's time by a signal")
def test_no_pattern_is_quadratic(checkout: Path) -> None:
    sources = {
        ".".join(path.relative_to(checkout).with_suffix("").parts): path.read_text()
        for path in (checkout / "inexview").rglob("*.py")
    }
    everywhere = "\n".join(sources.values())
    held = patterns()
    assert len(held) > 100
    slow = {
        f"{name}.{method}": text
        for name, pattern in held.items()
        for method, apply in calls(name, _where_used(name, sources, everywhere)).items()
        if (text := slow_text(pattern, apply)) is not None
    }
    assert not slow


@pytest.mark.parametrize(
    ("pattern", "method", "slow"),
    [
        (r"[\w.-]*\d[\w.-]*\s+x", "fullmatch", True),
        (r"\s*x", "search", True),
        (r"(?=[\w.-]*\d)[\w.-]++\s+x", "fullmatch", False),
        (r"\w+", "finditer", False),
    ],
)
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="counts the processor's time by a signal")
def test_the_test_finds_a_quadratic_pattern(pattern: str, method: str, slow: bool) -> None:
    apply = calls(":P", f"P.{method}(text)")[method]
    assert (slow_text(re.compile(pattern), apply) is not None) is slow


@pytest.mark.parametrize("name", RULES)
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="counts the processor's time by a signal")
def test_no_rule_of_ids_is_quadratic(name: str) -> None:
    rule = RULES[name][1]
    slow = [f"{text[:8]!r}…" for text in texts(re.compile(r"[._:#/\\-]0%")) if is_slow(partial(rule, text))]
    assert not slow
