"""Tools that are run by hand: whatever they take from inexview is there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
TOOLS = sorted((CHECKOUT / "tools").glob("*.py"))


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.stem)
def test_every_name_that_a_tool_imports_is_there(tool: Path) -> None:
    missing = [
        f"{module}.{name}" for module, name in _imported(tool) if not hasattr(import_module(module), name)
    ]
    assert missing == []


def _imported(tool: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(tool.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("inexview."):
            yield from ((node.module, alias.name) for alias in node.names)
