"""The fields of one line of JSON, read strictly: what is of another kind is an error with file and line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from inexview.core.errors import DataError
from inexview.core.formats.problems import Problems

_SPACE = re.compile(r"\s*")
_NO_NAME = re.compile("[\x00-\x1f\x7f]|\\A[ \ufeff]| \\Z")
_FARTHEST = 10**300
_LONGEST_TEXT = 10_000  # characters of a quote or an assessor's name


def parsed(line: bytes) -> dict[str, Any]:
    """Return the object that a line of JSON holds.  Raises ValueError with a sentence for anything else."""
    try:
        values = json.loads(
            line.decode("utf-8"), object_pairs_hook=_without_repeats, parse_constant=_refuse_constant
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"is no line of JSON: {error.msg} (character {error.pos + 1})") from error
    except RecursionError as error:
        raise ValueError("is no record: it is nested too deeply") from error
    if not isinstance(values, dict):
        raise ValueError("is no JSON object: each line is {…}")
    return values


def json_values(text: str, path: Path) -> Iterator[tuple[Any, int]]:
    """Yield the values of JSON, in lines or one after the other, each with the line where it begins."""
    decoder = json.JSONDecoder(object_pairs_hook=_without_repeats, parse_constant=_refuse_constant)
    at, line = _SPACE.match(text).end(), 1  # type: ignore[union-attr]  # which always matches
    line += text.count("\n", 0, at)
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise DataError(f"is no JSON: {error.msg}", path=path, line=error.lineno) from error
        except (ValueError, RecursionError) as error:
            problem = "is nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise DataError(problem, path=path, line=line) from error
        if _MAY_BE_HALF.search(text, at, end) and not _is_whole(value):
            raise DataError("holds half a character (a lone surrogate)", path=path, line=line)
        yield value, line
        end = _SPACE.match(text, end).end()  # type: ignore[union-attr]
        line += text.count("\n", at, end)
        at = end


_MAY_BE_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def _is_whole(value: Any) -> bool:
    """Tell whether all texts of a value can be written, which halves of characters cannot."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ValueError(f"gives '{name[:60]}' twice")
            seen.add(name)
    return values


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"is no line of JSON: {name} is no number")


class JsonFields:
    """The fields of an object; whatever is wrong is noted, ``bad`` tells so, and a default is returned."""

    def __init__(self, values: dict[str, Any], problems: Problems, line: int, where: str = "") -> None:
        self.values = values
        self.bad = False
        self._problems = problems
        self._line = line
        self._where = where
        self._parent: JsonFields | None = None

    def error(self, problem: str, name: str | None = None, value: object = None) -> None:
        """Note what is wrong with the line, or with one field of it."""
        found: JsonFields | None = self
        while found is not None:
            found.bad, found = True, found._parent
        if name is None:
            self._problems.error(problem, line=self._line)
            return
        field = f"{self._where}{name}"
        self._problems.error(problem, line=self._line, field=field, value=_shown(value))

    def warn(self, problem: str, detail: str = "") -> None:
        """Note what looks wrong about the line."""
        self._problems.warn(problem, [self._line], [detail] if detail else None)

    def name(self, name: str, longest: int) -> str:
        """Read a name, which may hold blanks, of so many bytes at most."""
        text = self.text(name, required=True)
        if text and (_NO_NAME.search(text) or len(text.encode()) > longest):
            self.error(
                f"is no name: control characters, blanks at an end, or more than {longest} bytes", name, text
            )
        return text

    def text(self, name: str, *, required: bool = False) -> str:
        """Read a text, "" where there is none and none is required."""
        value = self._value(name)
        if value is None or value == "":
            if required:
                self.error("is missing", name, "")
        elif not isinstance(value, str):
            self.error("is no text in quotation marks", name, value)
        elif len(value) > _LONGEST_TEXT:
            self.error(f"is longer than {_LONGEST_TEXT:,} characters", name, value)
        elif any("\ud800" <= character <= "\udfff" for character in value):
            self.error("holds half a character (a lone surrogate)", name, ascii(value))
        else:
            return value
        return ""

    def count(self, name: str, largest: int, *, default: int | None = None) -> int:
        """Read a whole number from 0 on; required where there is no ``default``."""
        value = self._value(name)
        if value is None:
            if default is not None:
                return default
            self.error("is missing", name, "")
        elif not isinstance(value, int) or isinstance(value, bool) or value < 0:
            self.error("is not a whole number of characters", name, value)
        elif value > largest:
            self.error(f"is larger than any document ({largest})", name, value)
        else:
            return value
        return 0

    def number(self, name: str, largest: float) -> float:
        """Read a number from 0 on, 0 where there is none."""
        value = 0.0 if self._value(name) is None else self._value(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= largest:
            return float(value)
        self.error(f"is no number between 0 and {largest:,}", name, value)
        return 0.0

    def signed(self, name: str) -> float | None:
        """Read any number, None where there is none."""
        value = self._value(name)
        if value is None:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _FARTHEST:
            return float(value)
        self.error("is no number", name, value)
        return None

    def truth(self, name: str, *, default: bool) -> bool:
        value = default if self._value(name) is None else self._value(name)
        if isinstance(value, bool):
            return value
        self.error("is neither true nor false", name, value)
        return default

    def span(self, name: str, largest: int) -> tuple[int, int] | None:
        """Read ``[start, end]``, None where there is none."""
        value = self._value(name)
        if value is None:
            return None
        whole = isinstance(value, list) and [type(one) for one in value] == [int, int]
        if whole and 0 <= value[0] <= value[1] <= largest:
            return value[0], value[1]
        self.error("is no passage [start, end]", name, value)
        return None

    def object(self, name: str) -> JsonFields | None:
        """Read an object, None where there is none."""
        value = self._value(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.error("is no object {…}", name, value)
            return None
        return self._inner(value, f"{self._where}{name}.")

    def objects(self, name: str) -> Iterator[JsonFields]:
        """Read a list of objects, empty where there is none."""
        listed = [] if self._value(name) is None else self._value(name)
        if not isinstance(listed, list):
            self.error("is no list […]", name, listed)
            return
        for at, value in enumerate(listed):
            if isinstance(value, dict):
                yield self._inner(value, f"{self._where}{name}[{at}].")
            else:
                self.error("is no object {…}", f"{name}[{at}]", value)
            if self._problems.full:
                return

    def _value(self, name: str) -> Any:
        """Return a field's value; null says as much as a field that is not there."""
        return self.values.get(name)

    def _inner(self, values: dict[str, Any], where: str) -> JsonFields:
        inner = JsonFields(values, self._problems, self._line, where)
        inner._parent = self
        return inner


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)[:200]
