"""The program's own source, parsed once for all tests that look at it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Module:
    """What tests ask of a module: its text, and some of what its syntax tree holds."""

    path: Path
    text: str
    messages: tuple[tuple[int, str], ...]
    """The strings that are no docstrings, with their lines."""
    classes: tuple[str, ...]
    composed: tuple[str, ...]
    """The names of types that are made of others."""
    constants: tuple[str, ...]
    """The names in capitals that the module assigns, as often as it does."""
    handlers: tuple[ast.ExceptHandler, ...]
    functions: tuple[tuple[str, int], ...]
    """The name of each function and method, and of how many lines it is."""

    @property
    def place(self) -> str:
        """Where the module is in the checkout."""
        return self.path.relative_to(ROOT).as_posix()


@cache
def modules() -> tuple[Module, ...]:
    """Return all modules of the program."""
    return tuple(map(_read, sorted(ROOT.glob("inexview/**/*.py"))))


def _read(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    bare, messages, classes, handlers, functions = set(), [], [], [], []
    for node in ast.walk(tree):  # what holds a node comes before it
        if isinstance(node, ast.Expr):
            bare.add(id(node.value))
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and id(node) not in bare:
                messages.append((node.lineno, node.value))
        elif isinstance(node, ast.ClassDef):
            classes.append(node.name)
        elif isinstance(node, ast.FunctionDef):
            functions.append((node.name, (node.end_lineno or node.lineno) - node.lineno + 1))
        elif isinstance(node, ast.ExceptHandler):
            handlers.append(node)
    composed = [
        one.id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.BinOp)
        for one in node.targets
        if isinstance(one, ast.Name) and not one.id.isupper()
    ]
    constants = [
        one.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        for one in (target.elts if isinstance(target, ast.Tuple) else [target])
        if isinstance(one, ast.Name) and one.id.isupper()
    ]
    return Module(
        path,
        text,
        tuple(messages),
        tuple(classes),
        tuple(composed),
        tuple(constants),
        tuple(handlers),
        tuple(functions),
    )
