"""Runs zoo programs and refreshes their recordings: ``python zoo/record.py [NAME...]``."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zoo.layout import Program

MAX_BYTES = 300_000


def record(program: Program, into: Path) -> dict[str, Any]:
    """Run ``program`` and replace its recording; returns the truth with line numbers."""
    from zoo.execute import execute
    from zoo.layout import ZooError
    from zoo.rewrite import replacements, rewrite
    from zoo.venvs import base_prefix, ensure_venv

    venv = ensure_venv(program.venv)
    truth = program.truth
    with tempfile.TemporaryDirectory(prefix="zoo-") as scratch:
        workdir = Path(scratch) / "run"
        workdir.mkdir()
        ran = execute(program, venv, workdir)
        pairs = replacements(workdir, venv, base_prefix(venv))
    files = {name: rewrite(raw, pairs) for name, raw in ran.files.items()}
    problem = _problem(truth, ran.exit_code, files)
    try:
        _resolve(program, truth, files)
    except ZooError as error:
        problem = problem or str(error)
    if problem:
        raise ZooError(f"{program.name}: {problem}\n{_tail(files[program.log])}")
    _write(into / program.name, files, truth)
    return truth


def refresh_truth(program: Program, into: Path) -> dict[str, Any]:
    """Bring the truth beside an existing recording up to date with its program's, without running it."""
    folder = into / program.name
    truth = program.truth
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and path != folder / "truth.json"]
    _resolve(program, truth, {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths})
    _write_truth(folder, truth)
    return truth


def _resolve(program: Program, truth: dict[str, Any], files: dict[str, bytes]) -> None:
    from zoo.roots import last_step, resolve_roots

    truth["roots"] = resolve_roots(truth["roots"], files)
    if program.last_step:
        truth["last_step"] = last_step(program.last_step, files[program.log])


def _lacking(program: Program, gpu: bool) -> str | None:
    if "gpu" in program.truth["requires"] and not gpu:
        return "a CUDA device"
    if program.service == "slurm" and shutil.which("slurmctld") is None:
        return "Slurm"
    return None


def _problem(truth: dict[str, Any], exit_code: int | None, files: dict[str, bytes]) -> str | None:
    if exit_code != truth["exit_code"]:
        return f"exit code {exit_code}, declared {truth['exit_code']}"
    size = sum(len(raw) for raw in files.values())
    return f"{size} bytes are too many to keep" if size > MAX_BYTES else None


def _tail(raw: bytes) -> str:
    return "\n".join(raw.decode("utf-8", errors="replace").split("\n")[-40:])


def _write(folder: Path, files: dict[str, bytes], truth: dict[str, Any]) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    for name, raw in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
    _write_truth(folder, truth)


def _write_truth(folder: Path, truth: dict[str, Any]) -> None:
    text = json.dumps(truth, indent=2, ensure_ascii=False) + "\n"
    (folder / "truth.json").write_text(text, encoding="utf-8")


def main(argv: list[str] | None = None) -> int:
    """Record the named programs, or all; says what was skipped, fails when one did not behave."""
    from zoo.layout import RECORDINGS, ZooError, programs

    parser = argparse.ArgumentParser(prog="record", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs to run (default: all)")
    parser.add_argument("--into", type=Path, default=RECORDINGS, help="folder of recordings")
    parser.add_argument("--gpu", action="store_true", help="also run programs that need a CUDA device")
    parser.add_argument("--truth-only", action="store_true", help="run nothing, refresh the truth of what is recorded")
    options = parser.parse_args(argv)
    known = programs()
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no such program: {', '.join(unknown)}")
    failed = 0
    for name in options.names or list(known):
        if lacks := _lacking(known[name], options.gpu):
            print(f"skipped   {name} (needs {lacks})")
            continue
        try:
            truth = (refresh_truth if options.truth_only else record)(known[name], options.into)
        except ZooError as error:
            failed += 1
            print(f"FAILED    {error}", file=sys.stderr)
            continue
        lines = ", ".join(f"{root['file']}:{root.get('line', root.get('pointer'))}" for root in truth["roots"])
        print(f"recorded  {name}  {lines}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    raise SystemExit(main())
