"""``inexview measures``: explain every measure, from the records that the measures themselves are made of."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction

from inexview.cli.common import FINE
from inexview.core.measures.registry import Record, families, family


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command, which takes no arguments."""
    parser = subparsers.add_parser("measures", description="Explain every measure.")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    """Print the record of every measure, family by family."""
    for name in families():
        print(f"{name}\n{'─' * len(name)}")
        for record in family(name):
            print("\n".join(_explained(record)) + "\n")
    return FINE


def _explained(record: Record) -> list[str]:
    usual = record.at.usual[0] if record.at else None
    shown = record.label(usual)
    mean = record.label(usual, mean=True)
    low, high = record.range
    lines = [
        f"{shown}{f', mean {mean}' if mean != shown else ''}: {record.title}",
        f"  {record.formula}",
        f"  {low:g} … {high:g}{f'; depends on {chr(44).join(record.uses)}' if record.uses else ''}",
        f"  {record.citation}",
    ]
    return [*lines, f"  {record.note}"] if record.note else lines
