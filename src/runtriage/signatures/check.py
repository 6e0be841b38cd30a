"""Checks signature files as a whole: what they claim, what others claim, and what both engines make of them.

`python -m runtriage.signatures.check [FILE ...]` checks the packaged files, or only those named, and prints what is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from runtriage.model.catalogue import Signature
from runtriage.signatures.catalogue import Entry, read_files
from runtriage.signatures.document import ExampleTable
from runtriage.signatures.engines import hyperscan_lines, re2_refusal
from runtriage.signatures.error import SignatureError
from runtriage.signatures.hostile import slow_line
from runtriage.signatures.matcher import Claim, Matcher
from runtriage.signatures.rules import NO_MATCH
from runtriage.signatures.sources import SourceFile, source_files

Redact = Callable[[str], str]

_SPEAKING_ROLES = ("cause", "symptom", "confirmation")


def read_entries(folders: Sequence[Path] = ()) -> tuple[list[Entry], list[str]]:
    """Read every signature file with its examples; the second value is what is wrong with files that cannot be read."""
    read = read_files(source_files(folders))
    return read.entries, [*map(str, read.faults)]


def check_entry(entry: Entry, catalogue: Matcher, redact: Redact | None = None) -> list[str]:
    """Return what is wrong with one file, given the matcher over all of them; each a line that names file and key."""
    problems: list[str] = []
    for index, example in enumerate(entry.document.example):
        key = f"example.{index}"
        problems += [f"{key}: {problem}" for problem in _example_problems(entry, example, catalogue)]
        if redact is not None and example.expect != NO_MATCH:
            problems += [f"{key}: {problem}" for problem in _redaction_problems(entry, example, redact)]
    for index, pattern in enumerate(entry.signature.patterns):
        refusal = re2_refusal(pattern)
        if refusal is not None:
            problems.append(f"match.{index}.pattern: {refusal}")
    return [f"{entry.label}: {problem}" for problem in problems]


def slow_patterns(entry: Entry) -> list[str]:
    """Return which patterns of a file work for too long on lines made to hold them up."""
    texts = [example.text for example in entry.document.example]
    return [
        f"{entry.label}: match.{index}.pattern: takes over a second on a 20 kB line of {line}"
        for index, pattern in enumerate(entry.signature.patterns)
        if (line := slow_line(pattern, texts)) is not None
    ]


def engine_differences(chosen: Sequence[Entry]) -> list[str]:
    """Return which files Hyperscan refuses, and where it and `re` find different patterns in the examples."""
    try:
        return _differences(chosen)
    except ValueError:
        return [problem for entry in chosen for problem in _refusals(entry)]


def false_alarms(text: str, signatures: Sequence[Signature], catalogue: Matcher) -> list[Claim]:
    """Return what fires on the log of a healthy run; advice and context say nothing about failure and may."""
    roles = {signature.id: signature.role for signature in signatures}
    return [claim for claim in catalogue.claims(text) if roles[claim.signature] in _SPEAKING_ROLES]


def check_files(paths: Sequence[Path] = (), redact: Redact | None = None) -> list[str]:
    """Check the files named, or all packaged ones, against the whole catalogue."""
    wanted = {path.resolve() for path in paths}
    files = source_files()
    known = {Path(file.place).resolve() for file in files}
    missing = [path for path in paths if not path.is_file()]
    if missing:
        return [str(SignatureError(str(missing[0]), "", "is not a file"))]
    files += [SourceFile(str(path), path.parent.name, str(path)) for path in paths if path.resolve() not in known]
    read = read_files(files)
    catalogue = Matcher(entry.signature for entry in read.entries)
    chosen = {file.label for file in files if not wanted or Path(file.place).resolve() in wanted}
    problems = [str(fault) for fault in read.faults if fault.file in chosen]
    wanted_entries = [entry for entry in read.entries if entry.label in chosen]
    for entry in wanted_entries:
        problems += check_entry(entry, catalogue, redact)
        problems += slow_patterns(entry)
    return problems + engine_differences(wanted_entries)


def _example_problems(entry: Entry, example: ExampleTable, catalogue: Matcher) -> list[str]:
    claims = catalogue.claims(example.text)
    own = [claim for claim in claims if claim.signature == entry.signature.id]
    if example.expect == NO_MATCH:
        return [f"the look-alike is matched by {claim.pattern}" for claim in own]
    problems = [f"is also claimed by {claim.signature} ({claim.pattern})" for claim in claims if claim not in own]
    problems += [f"also matches {claim.pattern}" for claim in own if claim.pattern != example.expect]
    wanted = [claim for claim in own if claim.pattern == example.expect]
    if not wanted:
        problems.append(f"does not match {example.expect}")
    elif wanted[0].captures != example.captures:
        problems.append(f"captures {wanted[0].captures}, the file says {example.captures}")
    return problems


def _redaction_problems(entry: Entry, example: ExampleTable, redact: Redact) -> list[str]:
    clean = redact(example.text)
    matched = {claim.pattern for claim in Matcher([entry.signature]).claims(clean)}
    return [] if example.expect in matched else [f"no longer matches after redaction: {clean!r}"]


def _differences(chosen: Sequence[Entry]) -> list[str]:
    patterns = [pattern for entry in chosen for pattern in (*entry.signature.patterns, *entry.signature.clears)]
    names = [
        (entry.signature.id, pattern.name)
        for entry in chosen
        for pattern in (*entry.signature.patterns, *entry.signature.clears)
    ]
    lines = [
        line for entry in chosen for example in entry.document.example for line in example.text.split("\n") if line
    ]
    found = hyperscan_lines(patterns, [line.encode() for line in lines])
    if found is None:
        return []
    slow = Matcher(entry.signature for entry in chosen)
    problems: list[str] = []
    for line, numbers in zip(lines, found, strict=True):
        fast = {names[number] for number in numbers if not names[number][1].startswith("clear-")}
        if fast != {(claim.signature, claim.pattern) for claim in slow.claims(line)}:
            problems.append(f"Hyperscan finds {sorted(fast)} in {line!r}, re does not agree")
    return problems


def _refusals(entry: Entry) -> list[str]:
    try:
        return _differences([entry])
    except ValueError as error:
        return [f"{entry.label}: match: {error}"]


def main(arguments: Sequence[str]) -> int:
    """Print what is wrong; return 1 if anything is."""
    problems = check_files([Path(argument) for argument in arguments])
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
