"""``inexview measures [NAME…]``: explain measures, from the records that they themselves are made of."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from difflib import get_close_matches

from inexview.cli.common import FINE
from inexview.core.measures.measure import MeasureError, parse
from inexview.core.measures.registry import MeasureRecord, families, family


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser("measures", description="Explain every measure, or those that are named.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a measure such as MAgP or iP[0.01]")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    named = {parse(name).name for name in arguments.names}
    records = {name: family(name) for name in families()}
    _refuse_unknown(named, [record for of_family in records.values() for record in of_family])
    for name, of_family in records.items():
        wanted = [record for record in of_family if not named or named & {record.name, record.mean}]
        if wanted:
            print(f"{name}\n{'─' * len(name)}")
        for record in wanted:
            print("\n".join(_explained(record)) + "\n")
    return FINE


def _refuse_unknown(named: set[str], records: list[MeasureRecord]) -> None:
    known = {name for record in records for name in (record.name, record.mean) if name}
    for name in sorted(named - known):
        alike = get_close_matches(name, known, n=3)
        hint = f"; there is {' and '.join(alike)}" if alike else "; inexview measures lists those there are"
        raise MeasureError(f"there is no measure {name!r}{hint}")


def _explained(record: MeasureRecord) -> list[str]:
    usual = record.at.usual[0] if record.at else None
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
    return [*lines, f"  {record.note}"] if record.note else lines
