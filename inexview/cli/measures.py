"""``inexview measures [NAME…]``: explain measures, from the records that define them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator, Mapping, Sequence

from inexview.cli.common import FINE
from inexview.core.collection.kinds import kinds
from inexview.core.formats.format import added_formats
from inexview.core.measures.measure import (
    ALIASES,
    MeasureError,
    MeasureRecord,
    did_you_mean,
    families,
    family,
    find,
    parse,
)
from inexview.core.plugins import package_of


def measures_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser("measures", description="Explain all measures, or only the named ones.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a measure such as MAgP or iP[0.01]")
    parser.set_defaults(run=_run_measures)


def _run_measures(arguments: Namespace) -> int:
    records = {name: family(name) for name in families()}
    named = {_known(parse(name).name, records) for name in arguments.names}
    for name, of_family in records.items():
        wanted = [record for record in of_family if not named or record.name in named]
        if wanted:
            print(f"{name}\n{'─' * len(name)}")
        for record in wanted:
            print("\n".join(_explained(record)) + "\n")
    if not named and (others := list(_others())):
        print("\n".join(["added by other packages\n───────────────────────", *others]))
    return FINE


def _others() -> Iterator[str]:
    """Yield the additions of other packages, a line each, with the package."""
    for record in (record for name in families() for record in family(name) if record.package):
        yield f"measure {record.name}: {record.package}"
    for format in added_formats():
        yield f"format {format.name}: {package_of(format)}"
    for kind in kinds():
        if package := package_of(kind):
            yield f"collection, {kind.name}: {package}"


def _known(name: str, records: Mapping[str, Sequence[MeasureRecord]]) -> str:
    """Return the usual name of a measure; raises MeasureError."""
    try:
        return find(name, records).name
    except MeasureError:
        named = [each for own in records.values() for record in own for each in (record.name, record.mean)]
        hint = did_you_mean(name, [*named, *ALIASES]) or ": inexview measures lists all"
        raise MeasureError(f"there is no measure {name!r}{hint}") from None


def _explained(record: MeasureRecord) -> list[str]:
    usual = record.at.usual[0] if record.at and record.at.usual else None
    shown = record.label(usual)
    mean = record.label(usual, mean=True)
    low, high = record.range
    uses = ", ".join(record.uses)
    lines = [
        f"{shown}{f', mean {mean}' if mean != shown else ''}: {record.title}",
        f"  {record.formula}",
        f"  {low:g} … {high:g}{f'; depends on {uses}' if uses else ''}",
        f"  {record.citation}",
    ]
    others = [alias for alias, name in ALIASES.items() if name == record.name]
    also = [f"  also written {', '.join(others)}"] if others else []
    return [*lines, *also, f"  {record.note}"] if record.note else [*lines, *also]
