"""Rules of the layout that no linter knows."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
FORBIDDEN_NAMES = {"utils", "util", "common", "helpers", "helper", "core", "base", "misc"}


def test_no_source_file_is_longer_than_400_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): count for path in SOURCES if (count := len(path.read_text().splitlines())) > 400
    }
    assert not long


def test_no_function_is_longer_than_40_lines() -> None:
    long = {
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and (node.end_lineno or 0) - node.lineno >= 40
    }
    assert not long


def test_the_median_source_file_stays_under_100_lines() -> None:
    counts = sorted(len(path.read_text().splitlines()) for path in SOURCES)
    assert counts[len(counts) // 2] < 100


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert not {part for path in SOURCES for part in path.relative_to(ROOT).with_suffix("").parts} & FORBIDDEN_NAMES


def test_pickle_is_never_imported() -> None:
    importing = [
        path
        for path in SOURCES
        if re.search(
            r"^\s*(?:import|from) _?(?:pickle|dill|cloudpickle|joblib|marshal|shelve)\b", path.read_text(), re.MULTILINE
        )
    ]
    assert not importing
