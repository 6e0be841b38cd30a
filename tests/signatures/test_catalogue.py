"""Every packaged signature file, held to what it says."""

import subprocess
import sys
from pathlib import Path

import pytest

from runtriage.redact import clean
from runtriage.scan.find import Span
from runtriage.scan.rules import compile as compile_rules
from runtriage.signatures import load
from runtriage.signatures.check import check_entry, false_alarms, read_entries
from runtriage.signatures.matcher import Matcher

HEALTHY = Path(__file__).parents[1] / "healthy" / "silent"

ENTRIES, BROKEN = read_entries()
SIGNATURES = [entry.signature for entry in ENTRIES]
CATALOGUE = Matcher(SIGNATURES)
PATTERNS = {f"{signature.id}#{pattern.name}" for signature in SIGNATURES for pattern in signature.patterns}
LOGS = sorted(path for path in HEALTHY.rglob("*") if path.is_file())


def test_every_file_can_be_read():
    assert BROKEN == []
    assert load().faults == ()


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.label for entry in ENTRIES])
def test_a_file_is_what_it_says(entry):
    assert check_entry(entry, CATALOGUE, clean) == []


@pytest.mark.parametrize("log", LOGS, ids=[str(path.relative_to(HEALTHY)) for path in LOGS])
def test_nothing_fires_on_a_healthy_run(log: Path):
    assert false_alarms(log.read_text("utf-8", errors="surrogateescape"), SIGNATURES, CATALOGUE) == []


def test_the_log_engine_finds_in_every_example_what_re_finds():
    rules = compile_rules(load(), None)
    assert rules.broken == ()
    finder = rules.finder()
    for text in {line for entry in ENTRIES for example in entry.document.example for line in example.text.split("\n")}:
        line = text.encode()
        found = {rules.rules[number] for _, number in finder.find(line, Span(0, 0, len(line)))}
        confirmed = {rule.name for rule in found if rule.cue is None and rule.regex.search(line)}
        assert PATTERNS & confirmed == {f"{claim.signature}#{claim.pattern}" for claim in CATALOGUE.claims(text)}


def test_hostile_lines_stop_no_pattern():
    """In a child, which can be killed where a pattern ignores the limit on its time."""
    code = (
        "from runtriage.signatures.check import read_entries, slow_patterns\n"
        "for entry in read_entries()[0]:\n"
        "    print(*slow_patterns(entry), sep='\\n', end='')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert (done.stdout, done.returncode) == ("", 0), done.stderr
