"""Scores a diagnosis on the zoo: ``python -m zoo.score [--split dev] [--tool 'CMD {log}']``."""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from zoo.ablate import HIDES, hidden
from zoo.answer import Answer, read_report, read_text
from zoo.case import Case, handed_over, load_cases
from zoo.diagram import diagram
from zoo.measures import FIGURES, f1_by_class, interval
from zoo.outcome import Outcome, judge

Diagnose = Callable[[Path], Answer]
TOOL_SECONDS = 120


def own_diagnosis(target: Path) -> Answer:
    """What this project says, asked through its library."""
    from runtriage import api  # pyright: ignore[reportMissingTypeStubs]

    report = cast("Any", api).diagnose(str(target))
    return read_report(json.loads(report.to_json()))


def tool_diagnosis(command: str) -> Diagnose:
    """What another program says; ``{log}`` in its command stands for the target, its output is JSON or text."""
    words = shlex.split(command)

    def ask(target: Path) -> Answer:
        argv = [word.replace("{log}", str(target)) for word in words]
        try:
            done = subprocess.run(
                argv, capture_output=True, text=True, errors="replace", timeout=TOOL_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return Answer(abstained=True)
        return read_output(done.stdout)

    return ask


def read_output(text: str) -> Answer:
    """An answer from a program's output: a JSON object when it is one, else free text."""
    try:
        document = json.loads(text)
    except ValueError:
        return read_text(text)
    return read_report(cast("dict[str, Any]", document)) if isinstance(document, dict) else read_text(text)


def score(cases: Iterable[Case], diagnose: Diagnose, hide: Sequence[str] = ()) -> list[Outcome]:
    """Ask about every case, without the evidence that ``hide`` names, and hold each answer against its truth."""
    outcomes: list[Outcome] = []
    for case in cases:
        with hidden(case, hide) if hide else handed_over(case) as target:
            answer = diagnose(target)
        outcomes.append(judge(case.truth, answer, case.lines))
    return outcomes


def figures(outcomes: Sequence[Outcome]) -> dict[str, dict[str, Any]]:
    """Every figure with its 95 % interval; both are None where a figure has nothing to count."""
    return {
        name: {"value": figure(outcomes), "interval": interval(outcomes, figure)} for name, figure in FIGURES.items()
    }


def table(outcomes: Sequence[Outcome]) -> str:
    """The figures as aligned text, then F1 by class."""
    healthy = sum(one.healthy for one in outcomes)
    rows = [f"{len(outcomes) - healthy} failing and {healthy} healthy cases"]
    for name, row in figures(outcomes).items():
        if row["value"] is not None:
            low, high = row["interval"]
            rows.append(f"{name:<38}{row['value']:>7.3f}   [{low:.3f}, {high:.3f}]")
    rows.append("")
    by_class = f1_by_class((one.truth, one.given) for one in outcomes if not one.healthy)
    rows += [f"F1 {name:<35}{value:>7.3f}" for name, value in by_class.items()]
    return "\n".join(rows)


def ablations(cases: Sequence[Case], diagnose: Diagnose) -> str:
    """Class macro-F1 and exact class with all evidence, and with each source hidden in turn."""
    rows = [f"{'hidden':<14}{'macro-F1':>9}{'loss':>8}{'exact':>8}"]
    whole: float | None = None
    for kind in ("", *HIDES):
        outcomes = score(cases, diagnose, (kind,) if kind else ())
        reached = FIGURES["class macro-F1"](outcomes) or 0.0
        whole = reached if whole is None else whole
        exact = FIGURES["class exact"](outcomes) or 0.0
        rows.append(f"{kind or 'nothing':<14}{reached:>9.3f}{reached - whole:>+8.3f}{exact:>8.3f}")
    return "\n".join(rows)


def misses(outcomes: Iterable[Outcome]) -> str:
    """One line for every case with a wrong class, root, rank or status, or a false alarm."""
    rows: list[str] = []
    for one in outcomes:
        parts = {
            "class": one.class_hit,
            "root": one.root_hit,
            "rank": one.rank_hit,
            "status": one.status,
            "checkpoint": one.checkpoint,
            "alarm": None if one.false_alarm is None else not one.false_alarm,
        }
        wrong = [part for part, right in parts.items() if right is False]
        if wrong:
            rows.append(f"{one.name:<34} {','.join(wrong):<22} {one.truth or 'healthy'} / {one.given}")
    return "\n".join(rows)


def note(ledger: Path, split: str, outcomes: Sequence[Outcome]) -> None:
    """Append one line to the ledger of looks at a split: commit, number of cases, figures."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    values = {name: row["value"] for name, row in figures(outcomes).items()}
    line = {"commit": commit, "split": split, "cases": len(outcomes), "figures": values}
    with ledger.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def main(argv: list[str] | None = None) -> int:
    """Print the figures; on the development split also the cases that went wrong."""
    parser = argparse.ArgumentParser(prog="zoo.score", description=__doc__)
    parser.add_argument("--split", choices=["dev", "test"], default="dev")
    parser.add_argument("--tool", metavar="CMD", help="score this command instead; {log} stands for the target")
    parser.add_argument(
        "--evidence",
        action="append",
        choices=["text", "series", "stacks", "cluster"],
        help="only cases that this kind of evidence decides (may be repeated; default: all)",
    )
    parser.add_argument(
        "--hide", action="append", choices=list(HIDES), default=[], help="take this source of evidence away first"
    )
    parser.add_argument("--ablations", action="store_true", help="hide each source in turn and print the loss")
    parser.add_argument("--calibration", action="store_true", help="draw how often answers were right by confidence")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--ledger", metavar="FILE", type=Path, help="append the commit and the figures to this file")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these cases")
    options = parser.parse_args(argv)
    kinds = options.evidence or ["text", "series", "stacks", "cluster"]
    cases = [case for case in load_cases(options.split, tuple(options.names)) if case.truth["evidence"] in kinds]
    if not cases:
        parser.error("no such case")
    diagnose = tool_diagnosis(options.tool) if options.tool else own_diagnosis
    if options.ablations:
        print(ablations(cases, diagnose))
        return 0
    outcomes = score(cases, diagnose, options.hide)
    if options.ledger:
        note(options.ledger, options.split, outcomes)
    if options.json:
        print(json.dumps(figures(outcomes), indent=2))
        return 0
    print(table(outcomes))
    if options.calibration:
        print(f"\n{diagram(outcomes)}")
    if options.split == "dev" and (wrong := misses(outcomes)):
        print(f"\nwrong on:\n{wrong}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
