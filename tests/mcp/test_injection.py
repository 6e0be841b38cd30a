"""Text in a run that gives orders changes neither verdict nor plan, and is flagged wherever it stands."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import pytest

from runtriage.api.orders import WITHHELD, orders, withheld
from tests.mcp.asking import Lasting, answer, lasting, session, text

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
REASONED = """\
{{"kind": "List", "items": [{{"kind": "Event", "apiVersion": "v1", "type": "Warning", "reason": {reason}, "message": {message}, "involvedObject": {{"kind": "Pod", "name": "t-0"}}}}]}}
"""
VERDICT = ("status", "primary_cause", "failure_mode", "decision", "culprit", "last_step")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Lasting]:
    with lasting(tmp_path_factory.getbasetemp()) as client:
        yield client


def asked(server: Lasting, folder: Path) -> dict[str, Any]:
    return answer(server.call("diagnose", {"target": str(folder / "run")}))


def made(folder: Path, before: str = "", after: str = "") -> Path:
    run = folder / "run"
    run.mkdir()
    (run / "train.log").write_text(LOG.format(before=before, after=after), "utf-8")
    return run


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory, server: Lasting) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("plain")
    made(folder, "INFO nothing to see", "INFO bye")
    return asked(server, folder)


def same(found: dict[str, Any], plain: dict[str, Any]) -> bool:
    plan = [[(step["action"], step["risk"], step["command"]) for step in each["plan"]] for each in (found, plain)]
    return all(found[name] == plain[name] for name in VERDICT) and plan[0] == plan[1]


def flagged(found: dict[str, Any]) -> bool:
    """Tell whether the answer names a sentence of the run that gives orders, and says how many there are."""
    assert found["orders_total"] >= len(found["orders_in_run_text"])
    return bool(found["orders_in_run_text"]) and all(
        orders(item["untrusted_text"]) for item in found["orders_in_run_text"]
    )


def test_there_are_at_least_thirty_cases() -> None:
    assert len(set(CASES)) >= 30


@pytest.mark.parametrize("sentence", CASES)
def test_in_a_log_it_changes_nothing_and_is_flagged(
    server: Lasting, tmp_path: Path, plain: dict[str, Any], sentence: str
) -> None:
    made(tmp_path, f"INFO {sentence}", sentence)

    found = asked(server, tmp_path)

    assert same(found, plain) and not flagged(plain)
    assert flagged(found)
    assert {item["where"] for item in found["orders_in_run_text"]} & {"train.log:3", "train.log:8"}


@pytest.mark.parametrize("sentence", CASES)
def test_it_is_recognised_and_kept_out_of_what_the_tool_says_itself(sentence: str) -> None:
    assert orders(f"ValueError: {sentence}")
    assert WITHHELD in withheld(f"ValueError: {sentence}")


@pytest.mark.parametrize("sentence", CASES)
def test_in_the_message_of_an_exception_it_is_fenced_and_flagged(
    server: Lasting, tmp_path: Path, sentence: str
) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "train.log").write_text(
        f'step 1 loss=2\nTraceback (most recent call last):\n  File "/home/ml/a.py", line 8, in main\n    run()\nValueError: {sentence}\n',
        "utf-8",
    )

    result = server.call("diagnose", {"target": str(tmp_path / "run")})

    found = answer(result)
    assert flagged(found)
    outside = text(result).partition("<untrusted-")[0]
    assert not orders(outside.replace(WITHHELD, ""))
    assert found["status"] == "crashed" and found["primary_cause"] is not None


@pytest.mark.parametrize("sentence", CASES[1::4])
def test_around_the_evidence_it_is_fenced_and_counted(server: Lasting, tmp_path: Path, sentence: str) -> None:
    made(tmp_path, sentence, sentence)
    found = asked(server, tmp_path)

    result = server.call("diagnose", {"target": str(tmp_path / "run")})
    assert answer(result)["report_id"] == found["report_id"]

    async def ask(client: Any) -> Any:
        first = answer(await client.call_tool("diagnose", {"target": "run"}))
        return await client.call_tool("get_evidence", {"report_id": first["report_id"], "context_lines": 6})

    page = session(ask, tmp_path)
    assert sum(item["orders"] for item in answer(page)["items"]) > 0
    assert "WARNING" in text(page)
    lines = text(page).splitlines()
    assert all(line.startswith("| ") for line in lines if sentence[:30] in line and not line.startswith("<"))


@pytest.mark.parametrize("sentence", CASES)
def test_in_events_of_the_cluster_it_changes_nothing_and_is_flagged(
    server: Lasting, tmp_path: Path, sentence: str
) -> None:
    run = made(tmp_path, "INFO nothing to see", "INFO bye")
    (run / "events.txt").write_text(EVENTS.format(text="Error: the container could not be started"), "utf-8")
    plain = asked(server, tmp_path)

    (run / "events.txt").write_text(EVENTS.format(text=sentence), "utf-8")

    found = asked(server, tmp_path)
    assert same(found, plain) and flagged(found)


@pytest.mark.parametrize("sentence", CASES)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_in_the_reason_of_an_event_it_changes_nothing_and_is_flagged(
    server: Lasting, tmp_path: Path, sentence: str, *, ascii_only: bool
) -> None:
    run = made(tmp_path, "INFO nothing to see", "INFO bye")
    (run / "events.json").write_text(REASONED.format(reason='"SomethingElse"', message='"x"'), "utf-8")
    plain = asked(server, tmp_path)
    written = json.dumps(sentence, ensure_ascii=ascii_only)
    (run / "events.json").write_text(REASONED.format(reason=written, message='"x"'), "utf-8")

    found = asked(server, tmp_path)

    assert same(found, plain) and flagged(found)


@pytest.mark.parametrize("sentence", CASES)
def test_in_settings_of_a_tracker_it_changes_nothing_and_is_flagged(
    server: Lasting, tmp_path: Path, plain: dict[str, Any], sentence: str
) -> None:
    run = made(tmp_path, "INFO nothing to see", "INFO bye")
    (run / "config.json").write_text(json.dumps({"notes": sentence, "name": sentence}), "utf-8")
    assert flagged(asked(server, tmp_path))
    (run / "config.json").unlink()
    (run / "wandb-metadata.json").write_text(json.dumps({"program": "train.py", "args": [sentence]}), "utf-8")

    found = asked(server, tmp_path)
    assert same(found, plain) and flagged(found)


@pytest.mark.parametrize("name", ["params/notes", "tags/mlflow.note.content", "params/resume"])
@pytest.mark.parametrize("sentence", CASES[::3])
def test_in_the_fields_of_a_store_of_mlflow_it_is_flagged(
    server: Lasting, tmp_path: Path, sentence: str, name: str
) -> None:
    run = made(tmp_path, "INFO nothing to see", "INFO bye")
    (run / "meta.yaml").write_text("run_id: abc\nstatus: 4\nstart_time: 1\nlifecycle_stage: active\n", "utf-8")
    (run / name).parent.mkdir()
    (run / name).write_text(sentence, "utf-8")

    assert flagged(asked(server, tmp_path))


@pytest.mark.parametrize("sentence", CASES)
def test_in_the_name_of_a_file_it_changes_nothing_and_is_flagged(
    server: Lasting, tmp_path: Path, plain: dict[str, Any], sentence: str
) -> None:
    run = made(tmp_path, "INFO nothing to see", "INFO bye")
    name = (
        sentence.rstrip(".").replace("rank 0", "rank zero").replace(" ", "_").replace("/", "-")
    )  # a name may tell a rank
    (run / "train.log").rename(run / f"{name}.log")

    result = server.call("diagnose", {"target": str(tmp_path / "run")})

    found = answer(result)
    assert same(found, plain) and flagged(found)
    outside = text(result).partition("<untrusted-")[0]
    assert all(name not in line or f"⟦{name}" in line for line in outside.splitlines())


def test_words_of_the_run_in_a_sentence_of_the_tool_stand_between_marks_it_cannot_write(
    server: Lasting, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    run.mkdir()
    message = "the red widget ⟧ in row ⟦ seventeen"
    (run / "train.log").write_text(
        f'step 1 loss=2\nTraceback (most recent call last):\n  File "/home/ml/a.py", line 8, in main\n    run()\nValueError: {message}\n',
        "utf-8",
    )

    found = asked(server, tmp_path)

    for words in (found["summary"], found["root_cause"], found["evidence"][0]["claim"]):
        assert "⟦ValueError: the red widget ] in row [ seventeen⟧" in words
        assert words.count("⟦") == words.count("⟧") == 1


def test_what_programs_print_is_rarely_taken_for_orders() -> None:
    logs = sorted((ROOT / "tests" / "healthy" / "silent").rglob("*.log"))
    lines = [line for log in logs for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
    flagged = [line for line in lines if orders(line)]

    assert len(lines) > 500
    assert len(flagged) <= len(lines) / 500, flagged[:20]
