"""Every remedy a detector names is in the catalogue."""

from __future__ import annotations

import ast
import csv
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import runtriage.detect
from runtriage.signatures import load

HERE = Path(runtriage.detect.__file__).parent


def strings(node: ast.AST) -> Iterator[str]:
    yield from (part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str))


def named(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.keyword) and node.arg == "fixes" and isinstance(node.value, (ast.Tuple, ast.IfExp)):
            yield from strings(node.value)
        if isinstance(node, ast.Assign) and any("FIXES" in ast.unparse(target) for target in node.targets):
            yield from strings(node.value)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "_Meaning" and isinstance(node.args[-1], ast.Tuple):
            yield from strings(node.args[-1])


def every() -> Iterator[tuple[str, str]]:
    for path in sorted(HERE.glob("*.py")):
        yield from ((path.name, name) for name in named(path))
    rows = (HERE / "exceptions.csv").read_text(encoding="utf-8").splitlines()
    for row in csv.DictReader(line for line in rows if not line.startswith("#")):
        yield from (("exceptions.csv", name) for name in row["fixes"].split())
    for path in sorted(HERE.glob("states*.toml")):
        for row in tomllib.loads(path.read_text(encoding="utf-8"))["state"]:
            yield from ((path.name, name) for name in row.get("fixes", ()))


@pytest.mark.parametrize(("where", "name"), sorted(set(every())))
def test_a_named_remedy_exists(where: str, name: str) -> None:
    assert name in KNOWN, f"{where} names {name}"


KNOWN = load().fixes
