"""The parameters of runs: read from ids or a table, as columns of tables, and as a filter of runs."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from inexview.core.errors import DataError, InexviewError
from inexview.core.files import read_small_table
from inexview.core.report import NOTHING, ValueCell, ValueTable, parameter

Setting = float | str
_NAMED = re.compile(
    r"(?:^|[-_,; /])([^\W\d_][^\W_]*+)="
    r"(-?\d++(?:\.\d++)?+(?:[eE][-+]?\d++)?+|[^-_,; /=]++)(?=$|[-_,; /])"
)
_PARTS = re.compile(r"[-_,; /]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WITH_NUMBER = re.compile(r"([^\W\d]+)(\d+(?:\.\d+)?)")
_SUFFIX = re.compile(r"\.[^\W\d_]\w{0,9}\Z")  # of files, by which runs of one id are told apart


@dataclass(frozen=True, slots=True)
class RunParameters:
    """The parameters of R runs: their ``names``, and what each run sets; a run without one lacks its name."""

    names: tuple[str, ...]
    settings: tuple[Mapping[str, Setting], ...]

    def said(self, run: int) -> str:
        """Return the parameters of a run: ``k1 1.2, b 0.4``; empty if none are known."""
        own = self.settings[run]
        return ", ".join(f"{name} {written(own[name])}" for name in self.names if name in own)

    def values(self, name: str) -> list[Setting]:
        """Return the values that a parameter has, numbers in rising order before texts."""
        there = {own[name] for own in self.settings if name in own}
        return sorted(there, key=lambda value: (isinstance(value, str), value))

    def texts(self, name: str) -> list[str]:
        """Return each run's value of a parameter, formatted; a dash if it has none."""
        return [written(own[name]) if name in own else NOTHING for own in self.settings]

    @property
    def numeric(self) -> tuple[str, ...]:
        """The parameters whose values are numbers, the one with most values first."""
        numbers = [name for name in self.names if not any(isinstance(one, str) for one in self.values(name))]
        return tuple(sorted(numbers, key=lambda name: -len(self.values(name))))

    def of(self, runs: Iterable[int]) -> RunParameters:
        """Return the same parameters of some of the runs, by their places."""
        return RunParameters(self.names, tuple(self.settings[run] for run in runs))


def written(value: Setting) -> str:
    """Write a value as a person would."""
    return value if isinstance(value, str) else parameter(value)


def parameters_of(ids: Sequence[str], given: Sequence[Mapping[str, Setting] | None] = ()) -> RunParameters:
    """Return the parameters that differ between runs: those ``given`` of them, or else those in their ids.

    Pairs such as ``k1=0.9`` are taken as they are.  Without any, ids of as many parts are held side by side:
    a number belongs to the name before it, ``k1_0.9``, or to the letters that it follows, ``mu500``; numbers
    that only count the runs are no parameter.  The suffix of files that several ids share is no part of them.

    >>> [dict(one) for one in parameters_of(["BM25-k1=0.9-b=0.4", "BM25-k1=1.2-b=0.4"]).settings]
    [{'k1': 0.9}, {'k1': 1.2}]
    >>> parameters_of(["bm25_k1_0.9_b_0.4", "bm25_k1_0.9_b_0.75"]).said(1)
    'b 0.75'
    >>> parameters_of(["LM-passages", "BM25-sections"]).names
    ()
    """
    if any(settings is not None for settings in given):
        return varying([settings or {} for settings in given])
    bare = _without_suffixes(ids)
    named = [{name: _setting(value) for name, value in _NAMED.findall(id)} for id in bare]
    return varying(named if any(named) else _side_by_side(bare))


def _without_suffixes(ids: Sequence[str]) -> list[str]:
    suffixes = [found[0] if (found := _SUFFIX.search(id)) else "" for id in ids]
    often = Counter(suffixes)
    return [
        id.removesuffix(suffix) if often[suffix] > 1 else id for id, suffix in zip(ids, suffixes, strict=True)
    ]


def _setting(text: str) -> Setting:
    try:
        value = float(text)
    except ValueError:
        return text
    return value if math.isfinite(value) else text


def varying(settings: Sequence[Mapping[str, Setting]]) -> RunParameters:
    """Return the parameters that have two values or more."""
    names = dict.fromkeys(name for own in settings for name in own)
    differ = tuple(name for name in names if len({own[name] for own in settings if name in own}) > 1)
    return RunParameters(
        differ, tuple({name: own[name] for name in differ if name in own} for own in settings)
    )


def _side_by_side(ids: Sequence[str]) -> list[dict[str, Setting]]:
    """Return what ids of as many parts set, if all that differs between them is numbers."""
    parts = [[part for part in _PARTS.split(id) if part] for id in ids]
    found: list[dict[str, Setting]] = [{} for _ in ids]
    if len({len(own) for own in parts}) != 1:
        return found
    before = ""
    for at, column in enumerate(zip(*parts, strict=True)):
        if len({*column}) == 1:
            before = column[0]
            continue
        bare = all(map(_NUMBER.fullmatch, column))
        split = [_WITH_NUMBER.fullmatch(part) for part in column]
        letters = {one[1] for one in split if one is not None}
        if bare and before:
            name, values = before, list(column)
        elif None not in split and len(letters) == 1:
            name, values = letters.pop(), [one[2] for one in split if one is not None]
        else:
            return [{} for _ in ids]
        name = name if name not in found[0] else f"{name} {at}"
        for own, value in zip(found, values, strict=True):
            own[name] = float(value)
    return [{} for _ in ids] if _are_counted(found) else found


def _are_counted(settings: Sequence[Mapping[str, Setting]]) -> bool:
    """Return whether runs only have numbers, as run1, run2 and run3: these are no parameter."""
    if {len(own) for own in settings} != {1}:
        return False
    numbers = sorted(float(value) for own in settings for value in own.values())
    return all(second == first + 1 for first, second in pairwise(numbers))


@dataclass(frozen=True, slots=True)
class ParameterTable:
    """A file with the parameters of runs, by the runs' ids."""

    path: Path
    settings: Mapping[str, Mapping[str, Setting]]

    @classmethod
    def read(cls, path: Path) -> ParameterTable:
        """Read a table, CSV or TSV: a line of headings, and the ids of the runs in its first column.

        Raises DataError if the file is not such a table.
        """
        head, rows = read_small_table(path, "a table of parameters")
        settings: dict[str, dict[str, Setting]] = {}
        for line, (id, *cells) in rows:
            if id in settings:
                raise DataError("is repeated", path=path, line=line, field=head[0], value=id)
            named = zip(head[1:], cells, strict=True)
            settings[id] = {name: _setting(cell.strip()) for name, cell in named if cell.strip()}
        return cls(path, settings)

    def of(self, ids: Sequence[str]) -> list[Mapping[str, Setting]]:
        """Return what each run sets, nothing for runs that are not in the table.

        Raises DataError if the table has none of the runs.
        """
        if ids and self.settings.keys().isdisjoint(ids):
            raise DataError(f"contains none of the runs; the first run is {ids[0]!r}", path=self.path)
        return [self.settings.get(id, {}) for id in ids]


# Columns of tables whose rows are runs.


def without_settings(name: str, settings: Mapping[str, Setting]) -> str:
    """Return a run's name without the parameters in it.

    >>> without_settings("BM25 k1=0.90 b_0.4", {"k1": 0.9, "b": 0.4})
    'BM25'
    """
    for key, value in settings.items():
        pattern = rf"(?:^|(?<=[-_,; /])){re.escape(key)}[-_,; /=]?([^-_,; /=]++|-[^-_,; /=]++)(?=$|[-_,; /])"
        found = next((one for one in re.finditer(pattern, name) if _setting(one[1]) == value), None)
        if found is not None:
            name = name[: found.start()] + name[found.end() :]
    return name.strip("-_,; /")


def headings(names: Sequence[str], taken: Sequence[str]) -> tuple[str, ...]:
    """Return the headings of parameters, none of them that of another column."""
    return tuple(f"{name}=" if name in taken else name for name in names)


def with_parameters(table: ValueTable, parameters: RunParameters) -> ValueTable:
    """Return a table of runs, a row each, with their parameters behind its first column."""
    if not parameters.names:
        return table
    settings = zip(*(map(ValueCell, parameters.texts(name)) for name in parameters.names), strict=True)
    rows = ((row[0], *cells, *row[1:]) for row, cells in zip(table.rows, settings, strict=True))
    head = (table.head[0], *headings(parameters.names, table.head), *table.head[1:])
    return replace(table, head=head, rows=tuple(rows))


# A part of the runs: by name, and by what they set.

_CONDITION = re.compile(r"([^\s<>=]+?)(<=|>=|=|<|>)(\S*)")


def chosen_runs(ids: Sequence[str], parameters: RunParameters, typed: str) -> list[int]:
    """Return the places of the runs that fit all words that are typed.

    ``b=0.4`` and ``b=0.4..0.75`` are a value and a range, ``b=0.4..`` and ``b=..0.75`` ranges with one end,
    ``k1>=1`` a bound; other words are parts of the id.  A condition without a value, as while it is typed,
    holds for all runs.  Raises InexviewError for a parameter that there is not.
    """
    tests = [_test_of(word, parameters) for word in typed.split()]
    return [at for at, id in enumerate(ids) if all(test(id, parameters.settings[at]) for test in tests)]


def _test_of(word: str, parameters: RunParameters) -> Callable[[str, Mapping[str, Setting]], bool]:
    condition = _CONDITION.fullmatch(word)
    if condition is None:
        return lambda id, _own: word.casefold() in id.casefold()
    name, sign, value = condition.groups()
    if name not in parameters.names:
        known = ", ".join(parameters.names) or "none"
        raise InexviewError(
            f"{word!r}: {name!r} is not a parameter that differs between the runs; these do: {known}"
        )
    low, dots, high = value.partition("..") if sign == "=" else (value, "", "")
    first = _setting(low) if low else -math.inf
    last = (_setting(high) if high else math.inf) if dots else first

    def fits(_id: str, own: Mapping[str, Setting]) -> bool:
        if name not in own:
            return False
        setting = own[name]
        if isinstance(setting, str) or isinstance(first, str) or isinstance(last, str):
            return sign == "=" and setting == _setting(value)
        if sign == "=":
            return first <= setting <= last
        bounds = {"<": setting < first, "<=": setting <= first, ">": setting > first, ">=": setting >= first}
        return bounds[sign]

    return fits if value else lambda _id, _own: True
