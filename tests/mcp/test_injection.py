"""Text in a run that gives orders changes neither verdict nor plan, and is flagged wherever it stands."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from runtriage.mcp.orders import WITHHELD, orders, withheld
from tests.mcp.asking import answer, call, text

CASES: Final[list[str]] = [
    case["text"] for case in tomllib.loads((Path(__file__).parent / "injections.toml").read_text("utf-8"))["case"]
]
ROOT = Path(__file__).parents[2]
LOG = """\
step 1 loss=2.5
step 2 loss=2.4
{before}
Traceback (most recent call last):
  File "/home/ml/train.py", line 8, in main
    run()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.12 GiB is free.
{after}
"""
EVENTS = """\
LAST SEEN   TYPE      REASON    OBJECT          MESSAGE
2m          Warning   Failed    pod/trainer-0   {text}
"""
VERDICT = ("status", "primary_cause", "failure_mode", "decision", "culprit", "last_step")


def asked(folder: Path) -> dict[str, Any]:
    return answer(call("diagnose", {"target": "run"}, folder))


def made(folder: Path, before: str = "", after: str = "") -> Path:
    run = folder / "run"
    run.mkdir()
    (run / "train.log").write_text(LOG.format(before=before, after=after), "utf-8")
    return run


@pytest.fixture
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("plain")
    made(folder, "INFO nothing to see", "INFO bye")
    return asked(folder)


def same(found: dict[str, Any], plain: dict[str, Any]) -> bool:
    plan = [[(step["action"], step["risk"], step["command"]) for step in each["plan"]] for each in (found, plain)]
    return all(found[name] == plain[name] for name in VERDICT) and plan[0] == plan[1]


def test_there_are_at_least_thirty_cases() -> None:
    assert len(set(CASES)) >= 30


@pytest.mark.parametrize("sentence", CASES)
def test_in_a_log_it_changes_nothing(tmp_path: Path, plain: dict[str, Any], sentence: str) -> None:
    made(tmp_path, f"INFO {sentence}", sentence)

    assert same(asked(tmp_path), plain)


@pytest.mark.parametrize("sentence", CASES)
def test_it_is_recognised_and_kept_out_of_what_the_tool_says_itself(sentence: str) -> None:
    assert orders(f"ValueError: {sentence}")
    assert WITHHELD in withheld(f"ValueError: {sentence}")


@pytest.mark.parametrize("sentence", CASES)
def test_in_the_message_of_an_exception_it_is_fenced_and_flagged(tmp_path: Path, sentence: str) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "train.log").write_text(
        f'step 1 loss=2\nTraceback (most recent call last):\n  File "/home/ml/a.py", line 8, in main\n    run()\nValueError: {sentence}\n',
        "utf-8",
    )

    result = call("diagnose", {"target": "run"}, tmp_path)

    found = answer(result)
    flagged = " ".join(item["untrusted_text"] for item in found["orders_in_run_text"])
    assert flagged
    outside = text(result).partition("<untrusted-")[0]
    assert not orders(outside.replace(WITHHELD, ""))
    assert found["status"] == "crashed" and found["primary_cause"] is not None


@pytest.mark.parametrize("sentence", CASES[1::4])
def test_around_the_evidence_it_is_fenced_and_counted(tmp_path: Path, sentence: str) -> None:
    made(tmp_path, sentence, sentence)
    found = asked(tmp_path)

    result = call("diagnose", {"target": "run"}, tmp_path)
    assert answer(result)["report_id"] == found["report_id"]

    async def ask(client: Any) -> Any:
        first = answer(await client.call_tool("diagnose", {"target": "run"}))
        return await client.call_tool("get_evidence", {"report_id": first["report_id"], "context_lines": 6})

    from tests.mcp.asking import session

    page = session(ask, tmp_path)
    assert sum(item["orders"] for item in answer(page)["items"]) > 0
    assert "WARNING" in text(page)
    lines = text(page).splitlines()
    assert all(line.startswith("| ") for line in lines if sentence[:30] in line and not line.startswith("<"))


@pytest.mark.parametrize("sentence", CASES)
def test_in_events_of_the_cluster_it_changes_nothing(tmp_path: Path, sentence: str) -> None:
    run = made(tmp_path, "INFO nothing to see", "INFO bye")
    (run / "events.txt").write_text(EVENTS.format(text="Error: the container could not be started"), "utf-8")
    plain = asked(tmp_path)

    (run / "events.txt").write_text(EVENTS.format(text=sentence), "utf-8")

    assert same(asked(tmp_path), plain)


@pytest.mark.parametrize("sentence", CASES)
def test_in_settings_of_a_tracker_it_changes_nothing(tmp_path: Path, plain: dict[str, Any], sentence: str) -> None:
    import json

    run = made(tmp_path, "INFO nothing to see", "INFO bye")
    (run / "config.json").write_text(json.dumps({"notes": sentence, "name": sentence}), "utf-8")
    (run / "wandb-metadata.json").write_text(json.dumps({"program": "train.py", "args": [sentence]}), "utf-8")

    assert same(asked(tmp_path), plain)


@pytest.mark.parametrize("sentence", [each for each in CASES[::5] if "/" not in each and "\u200b" not in each])
def test_in_the_name_of_a_file_it_is_flagged(tmp_path: Path, plain: dict[str, Any], sentence: str) -> None:
    run = made(tmp_path, "INFO nothing to see", "INFO bye")
    (run / "train.log").rename(run / f"{sentence.rstrip('.').replace(' ', '_')}.log")

    found = asked(tmp_path)

    assert same(found, plain)
    assert any("name of" in item["where"] for item in found["orders_in_run_text"])


def test_what_programs_print_is_rarely_taken_for_orders() -> None:
    logs = sorted((ROOT / "tests" / "healthy" / "silent").rglob("*.log"))
    lines = [line for log in logs for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
    flagged = [line for line in lines if orders(line)]

    assert len(lines) > 500
    assert len(flagged) <= len(lines) / 500, flagged[:20]
