"""Reports that try a view: as large as a real one gets, and with text that tries to take it over."""

from __future__ import annotations

import json
from typing import Any, cast

from msgspec import convert

from runtriage.model.report import Report
from tests.render.build import report

HOSTILE = (
    "\"'></code></pre></style></title><script>alert(1)</script><img src=http://127.0.0.1/x onerror=alert(1)>"
    "<svg onload=alert(1)><!-- {{ 7 * 7 }} {% raw %} ]]> \x1b[31m\x07 \u202egnp.exe\u2066 \u200b javascript:alert(1)"
    "\n::error file=a,line=1::taken\r\n::stop-commands::x\n##[set-env name=a]b\n%0A::warning::c"
)
_CITED = {"artifact": "logs/rank37.err", "first_line": 88412, "last_line": 88413}


def full(text: str = "the loss of rank 37 is not finite", ranks: int = 64, points: int = 120) -> Report:
    """Return a report with every section, many entries in each, and `text` in every field that takes one."""
    place = {**_CITED, "artifact": text, "pointer": text}
    step = {"action": text, "expected_impact": text, "time_to_try": text, "validate": text, "command": text}
    content: dict[str, Any] = {
        **dict.fromkeys(("summary", "target", "framework", "primary_cause", "failure_mode", "workload_category"), text),
        "abstained": text,
        "root_cause": {"proximate": text, "root": text, "contributing": [text] * 4},
        "root_evidence": place,
        "culprit": {"rank": 37, "node": text, "pod": text, "gpu": text},
        "last_progress": {"step": 900, "epoch": 1.5, "time": text},
        "workflow": {text: text},
        "extension": {"blocks": [text]},
        "platform_lines": [f"{text}: {text}"],
        "evidence": [
            {"id": text, "claim": text, "citation": {**place, "series": "loss", "first_step": 500.0}, "excerpt": text,
             "quantity": text, "role": "root" if number == 0 else text, "time": f"08:14:{number % 60:02} {text}", "rank": number,
             "context": [text] * 9, "context_first_line": 88408}
            for number in range(64)
        ],
        "cascade": [{"mode": text, "text": text, "citation": place, "ranks": list(range(ranks))} for _ in range(12)],
        "hypotheses": [
            {"mode": text, "primary_class": text, "score": 1.0, "supports": [text] * 3, "contradicts": [text] * 3}
            for _ in range(8)
        ],
        "ruled_out": [{"cause": text, "because": text, "citation": place} for _ in range(8)],
        "plan": [{**step, "risk": risk, "from": text} for risk in ("safe", "needs-approval", "dangerous") for _ in range(3)],
        "next_commands": [text] * 4,
        "missing": [{"what": text, "why": text}],
        "coverage": {
            "files": ranks, "not_seen": [text], "rules_broken": [text],
            "artifacts": [{"artifact": text, "kind": text, "bytes": 10, "lines": 3, "cut": text} for _ in range(ranks)],
        },
        "recurrence": {"note": text},
        "metrics": [
            {"name": name, "role": "loss", "artifact": text, "rank": rank, "total": points, "nonfinite": 1,
             "curve": [(step * 10.0, None if step == 60 else 5.0 / (step + 1)) for step in range(points)]}
            for name in ("loss", text) for rank in range(ranks)
        ],
        "checkpoints": [{"path": text, "step": 1, "time": text, "size": 5, "format": text, "problem": text} for _ in range(20)],
    }  # fmt: skip
    plain = json.loads(report().to_json())
    return convert({**cast("dict[str, Any]", plain), **content}, Report)
