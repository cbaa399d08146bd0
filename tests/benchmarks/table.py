"""Run the benchmarks and write their figures into the table of ``README.md`` beside this file.

python -m tests.benchmarks.table            runs everything (about six minutes on two quiet cores)
python -m tests.benchmarks.table FILE.json  takes a file that ``--benchmark-json`` wrote
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

README = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- table: made by table.py -->\n", "<!-- end of the table -->\n"

# What is aimed at, in milliseconds of the median, by the benchmark's name and the size it is run with.
AIMS = {
    "test_file_to_document": {"44000": 3, "250000": 10, "2000000": 80},
    "test_from_the_document_to_its_first_painting": {"44000": 15, "250000": 20, "2000000": 40},
    "test_from_a_mouse_move_to_the_painted_window": {"": 4},
    "test_from_a_mouse_move_to_the_painted_preview_with_scores": {"": 4},
    "test_an_overlay_on_or_off": {"": 5},
    "test_a_mark_durable_on_disk": {"": 10},
    "test_a_cold_start_until_the_window_is_painted": {"": 1000},
    "test_a_random_article_from_its_id_to_the_document": {"659388": 20, "60000": 20},
    "test_a_random_record_from_its_id_to_the_document": {"": 20},
    "test_contracts_of_80_million_characters_checked": {"": 10_000},
    "test_contracts_looked_at_until_they_are_painted": {"": 1000},
    "test_quotes_of_a_model": {"": 1000},
    "test_focused_runs": {"1-1": 350, "100-1": 3000},
    "test_runs_compared": {"20": 2000, "60": 6000},
    "test_a_dict_of_300000_results": {"": 200},
}


def main(arguments: list[str]) -> None:
    """Write the table."""
    measured = read(Path(arguments[0])) if arguments else run()
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    table = "\n".join(lines(measured))
    README.write_text(f"{before}{BEGIN}\n{table}\n\n{END}{after}", encoding="utf-8")


def run() -> dict[str, Any]:
    """Run all benchmarks, and return what they measured."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "measured.json"
        command = [sys.executable, "-m", "pytest", str(README.parent), "--benchmark-only", "-q"]
        subprocess.run([*command, "-p", "no:randomly", f"--benchmark-json={path}"], check=True)
        return read(path)


def read(path: Path) -> dict[str, Any]:
    """Read what pytest-benchmark wrote."""
    measured: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return measured


def lines(measured: dict[str, Any]) -> Iterator[str]:
    """Yield the table's lines, in the order in which the benchmarks stand in their files."""
    machine = measured["machine_info"]
    yield (
        f"{date.today():%d %B %Y}, {machine['cpu'].get('brand_raw', machine['machine'])}, "
        f"{machine['cpu'].get('count', '?')} cores, Python {machine['python_version']}. Milliseconds."
    )
    yield ""
    yield "| what | with | median | aim | best | worst | rounds | besides |"
    yield "|---|---|---:|---:|---:|---:|---:|---|"
    for one in measured["benchmarks"]:
        stats, name = one["stats"], one["name"].split("[")[0]
        given = "" if one["params"] is None else re.sub(r"^.*?\[|\]$", "", one["name"])
        besides = ", ".join(f"{key} {value}" for key, value in one["extra_info"].items())
        median, best, worst = (shown(1000 * stats[key]) for key in ("median", "min", "max"))
        aim = aimed(name, given)
        missed = aim and 1000 * stats["median"] > aim
        yield (
            f"| {name.removeprefix('test_').replace('_', ' ')} | {given} | {'**' * bool(missed)}{median}"
            f"{'**' * bool(missed)} | {aim or ''} | {best} | {worst} | {stats['rounds']} | {besides} |"
        )


def aimed(name: str, given: str) -> int | None:
    """Return what is aimed at, None where nothing is."""
    for size, aim in AIMS.get(name, {}).items():
        if size in (given, "") or given.startswith(f"{size}-") or given.endswith(f"-{size}"):
            return aim
    return None


def shown(value: float) -> str:
    """Write milliseconds with three figures."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    main(sys.argv[1:])
