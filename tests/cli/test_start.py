"""What a diagnosis of a plain log must not load or prepare, so that it starts soon."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import FAILED, environment, runtriage

UNWANTED = (
    "calendar",
    "concurrent.futures",
    "distributed",
    "importlib.metadata",
    "inspect",
    "jinja2",
    "logging",
    "mcp",
    "pkgutil",
    "pyarrow",
    "rich",
    "runtriage.parse.checkpoint_zip",
    "runtriage.parse.k8s",
    "runtriage.fleet.run",
    "ssl",
    "statistics",
    "typer",
    "typing_extensions",
    "yaml",
)
PATTERNS = 60
"""More than such a log needs, and fewer than half of those there are."""

COUNTING = """
import json, re._compiler as compiler, sys
code, patterns = compiler._code, []
compiler._code = lambda parsed, flags: patterns.append(parsed) or code(parsed, flags)
from runtriage.cli.main import main
try:
    main(sys.argv[1:])
finally:
    json.dump([len(patterns), sorted(sys.modules)], sys.stderr)
"""


def test_a_plain_log_loads_no_more_than_it_needs_and_compiles_few_patterns(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text(FAILED, "utf-8")
    assert runtriage("train.log", "--exit-zero", cwd=tmp_path).returncode == 0

    done = subprocess.run(
        [sys.executable, "-c", COUNTING, "train.log", "--exit-zero"],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        timeout=120,
        check=True,
    )
    compiled, modules = json.loads(done.stderr)

    assert b"ValueError" in done.stdout
    assert not [name for name in UNWANTED if name in modules]
    assert compiled < PATTERNS


LEAVING = """
import atexit, sys
import runtriage.cli.main as cli

class Whole:
    def __del__(self):
        print("taken apart")

def main():
    atexit.register(print, "asked for")
    print("done")
    sys.exit(3)

whole, cli.main = Whole(), main
if sys.argv[1:]:
    atexit.register(print, "measured")
cli.program()
"""


@pytest.mark.parametrize(
    ("measured", "said"),
    [([], ["done", "asked for"]), (["yes"], ["done", "asked for", "measured", "taken apart"])],
)
def test_a_process_ends_with_its_code_once_all_that_was_asked_for_is_done(measured: list[str], said: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEAVING, *measured], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout.split("\n"), done.stderr) == (3, [*said, ""], "")
