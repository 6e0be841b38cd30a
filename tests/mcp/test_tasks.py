"""Ten questions that agents are asked, answered over the protocol alone and held against what is known of recorded runs."""

from __future__ import annotations

import asyncio
import json
import re
import warnings
from collections.abc import Awaitable, Callable
from statistics import median
from typing import Any, Final

import pytest
from zoo.case import Case, handed_over, load_cases

from mcp import Client
from runtriage.mcp.server import server
from tests.mcp.asking import answer, reading, text

VOCABULARY: Final = "o200k_base"
"""A tokenizer that models in use have; others differ from it by some per cent."""
TOKENS: Final = 1500

Ask = Callable[[Client, str, dict[str, Any]], Awaitable[bool]]


async def asked(client: Client, target: str) -> dict[str, Any]:
    return answer(await client.call_tool("diagnose", {"target": target}))


async def why_did_it_fail(client: Client, target: str, truth: dict[str, Any]) -> bool:
    return (await asked(client, target))["primary_cause"] in {truth["primary_cause"], *truth["acceptable"]}


async def was_it_out_of_memory(client: Client, target: str, truth: dict[str, Any]) -> bool:
    return ((await asked(client, target))["primary_cause"] == "oom") == (truth["primary_cause"] == "oom")


async def which_rank_was_it(client: Client, target: str, truth: dict[str, Any]) -> bool:
    return (await asked(client, target))["culprit"].get("rank") == truth["culprit"]["rank"]


async def how_far_did_it_come(client: Client, target: str, truth: dict[str, Any]) -> bool:
    return (await asked(client, target))["last_step"] == truth["last_step"]


async def did_it_crash_or_hang(client: Client, target: str, truth: dict[str, Any]) -> bool:
    return (await asked(client, target))["status"] == truth["run_status"]


async def which_line_proves_it(client: Client, target: str, truth: dict[str, Any]) -> bool:
    found = await asked(client, target)
    if found["primary_cause"] is None:
        return False
    page = answer(await client.call_tool("get_evidence", {"report_id": found["report_id"], "evidence_id": "e1"}))
    return any(
        re.search(root["pattern"], page["items"][0]["untrusted_text"]) for root in truth["roots"] if root.get("pattern")
    )


async def can_i_restart_and_from_where(client: Client, target: str, truth: dict[str, Any]) -> bool:
    found = await asked(client, target)
    unasked = [step for step in found["plan"] if step["risk"] == "safe" and step["command"]]
    whole = truth["last_good_checkpoint"]
    return found["last_good_checkpoint"] == whole and (found["decision"] == "NO-GO" or bool(unasked))


async def what_was_it_not(client: Client, target: str, truth: dict[str, Any]) -> bool:
    found = await asked(client, target)
    right = {truth["primary_cause"], *truth["acceptable"]}
    dismissed = {item["cause"] for item in found["ruled_out"]}
    return found["primary_cause"] not in set(truth["must_rule_out"]) - right and (
        found["primary_cause"] in right or not dismissed & right
    )


async def what_does_that_mean(client: Client, target: str, truth: dict[str, Any]) -> bool:
    mode = (await asked(client, target))["failure_mode"] or truth["failure_mode"]
    page = answer(await client.call_tool("explain_failure_mode", {"mode": mode}))
    return page["markdown"].startswith(f"# {mode}")


async def is_anything_wrong_at_all(client: Client, target: str, truth: dict[str, Any]) -> bool:
    return ((await asked(client, target))["primary_cause"] is None) == truth["healthy"]


TASKS: Final[list[tuple[Ask, str, float]]] = [
    (why_did_it_fail, "failing", 0.8),
    (was_it_out_of_memory, "failing", 0.9),
    (which_rank_was_it, "ranks", 0.8),
    (how_far_did_it_come, "failing", 0.8),
    (did_it_crash_or_hang, "failing", 0.8),
    (which_line_proves_it, "failing", 0.7),
    (can_i_restart_and_from_where, "checkpoints", 1.0),
    (what_was_it_not, "traps", 0.9),
    (what_does_that_mean, "failing", 1.0),
    (is_anything_wrong_at_all, "healthy", 0.95),
]
"""Each question, the runs it is asked about, and the share of right answers below which something broke."""


@pytest.fixture(scope="module")
def cases() -> dict[str, list[Case]]:
    recorded = [case for case in load_cases("dev") if not case.truth["made"]]
    failing = [case for case in recorded if not case.truth["healthy"] and case.truth["primary_cause"]]
    return {
        "failing": failing[::20],
        "ranks": [case for case in failing if case.truth["culprit"]["rank"] is not None][:12],
        "checkpoints": [case for case in failing if "last_good_checkpoint" in case.truth][:16],
        "traps": [case for case in failing if case.truth["must_rule_out"]][::12],
        "healthy": [case for case in recorded if case.truth["healthy"]][:12],
    }


@pytest.mark.parametrize(("ask", "group", "share"), TASKS, ids=lambda value: getattr(value, "__name__", None))
def test_a_question_is_answered_right_for_recorded_runs(
    cases: dict[str, list[Case]], ask: Ask, group: str, share: float
) -> None:
    async def all_of_them() -> list[bool]:
        found: list[bool] = []
        for case in cases[group]:
            with handed_over(case) as target:
                async with Client(server(reading(target), seconds=60)) as client:
                    found.append(await ask(client, str(target), case.truth))
        return found

    right = asyncio.run(all_of_them())
    wrong = [case.name for case, good in zip(cases[group], right, strict=True) if not good]
    assert len(right) >= 5
    assert sum(right) / len(right) >= share, wrong


def pieces(words: str) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the package opens its own data in an older way
        import bpe_openai
    return len(bpe_openai.get_encoding(VOCABULARY).encode(words))


def test_a_typical_answer_costs_an_agent_less_than_1500_tokens(cases: dict[str, list[Case]]) -> None:
    async def costs(case: Case) -> tuple[int, int]:
        with handed_over(case) as target:
            async with Client(server(reading(target), seconds=60)) as client:
                result = await client.call_tool("diagnose", {"target": str(target)})
        return pieces(text(result)), pieces(json.dumps(result.structured_content, ensure_ascii=False))

    found = [asyncio.run(costs(case)) for case in cases["failing"]]
    texts, documents = zip(*found, strict=True)

    assert median(texts) < TOKENS / 3 and max(texts) < TOKENS, sorted(texts)
    assert median(documents) < TOKENS / 2 and max(documents) < TOKENS, sorted(documents)
