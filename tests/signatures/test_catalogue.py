"""Every packaged signature file, held to what it says."""

import subprocess
import sys
from pathlib import Path

import pytest

from runtriage.redact import clean
from runtriage.signatures.check import check_entry, false_alarms, read_entries
from runtriage.signatures.engines import hyperscan_lines
from runtriage.signatures.matcher import Matcher

HEALTHY = Path(__file__).parents[1] / "healthy" / "silent"

ENTRIES, BROKEN = read_entries()
SIGNATURES = [entry.signature for entry in ENTRIES]
CATALOGUE = Matcher(SIGNATURES)
LOGS = sorted(path for path in HEALTHY.rglob("*") if path.is_file())


def test_every_file_can_be_read():
    assert BROKEN == []


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.label for entry in ENTRIES])
def test_a_file_is_what_it_says(entry):
    assert check_entry(entry, CATALOGUE, clean) == []


@pytest.mark.parametrize("log", LOGS, ids=[str(path.relative_to(HEALTHY)) for path in LOGS])
def test_nothing_fires_on_a_healthy_run(log: Path):
    assert false_alarms(log.read_text("utf-8", errors="surrogateescape"), SIGNATURES, CATALOGUE) == []


def test_both_engines_find_the_same_in_every_example_of_the_catalogue():
    patterns = [pattern for signature in SIGNATURES for pattern in signature.patterns]
    names = [(signature.id, pattern.name) for signature in SIGNATURES for pattern in signature.patterns]
    texts = [line for entry in ENTRIES for example in entry.document.example for line in example.text.split("\n")]
    found = hyperscan_lines(patterns, [text.encode() or b" " for text in texts])
    assert found is not None
    for text, numbers in zip(texts, found, strict=True):
        assert {names[number] for number in numbers} == {(c.signature, c.pattern) for c in CATALOGUE.claims(text)}


def test_hostile_lines_stop_no_pattern():
    """The child checks all files again; here it may be killed, which a pattern that ignores signals would need."""
    command = [sys.executable, "-m", "runtriage.signatures.check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.returncode) == ("", 0), done.stderr
