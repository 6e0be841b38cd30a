from __future__ import annotations

import re

import pytest
from inline_snapshot import snapshot
from msgspec.structs import replace

from runtriage.model.report import Coverage, RuledOutModel
from runtriage.render.colour import styled
from runtriage.render.extras import coverage, others
from runtriage.render.markdown import document
from runtriage.render.terminal import plain
from tests.render.build import report

pytestmark = pytest.mark.usefixtures("untouched_world")

CONTROL = re.compile(r"\x1b\[[0-9;]*m")


def test_the_block_comes_first_and_the_extras_follow() -> None:
    assert plain(report()) == snapshot("""\
Status: crashed
Framework: PyTorch FSDP
Primary cause: oom (confidence: 0.94)
Contributing factors: eval had just started
Evidence:
- rank 37 asked for 2.50 GiB with 1.12 GiB free
Root cause:
Rank 37 ran out of GPU memory.
Top fixes:
1) Halve the eval batch | risk=needs-approval | expected impact=fits | validate=eval ends
Decision: NO-GO
Confidence: high

Next command(s):
- sed -n '88392,88432p' outputs/run-17/logs/rank37.err

Culprit: rank 37 on node gpu-09 · 2 attempts · last step 18,432
Mode:    oom/gpu-alloc (what it means: runtriage explain oom/gpu-alloc)
Where:   logs/rank37.err:88412 08:14:02 | CUDA out of memory
Ruled out: nccl-distributed (explained by rank 37, which left first)
Read: 1 file, 3.1 GB, all of it; not seen: scheduler record
""")


def test_each_place_carries_the_numbers_of_the_evidence_that_rests_on_it() -> None:
    first = report().evidence[0]
    elsewhere = replace(first, citation=replace(first.citation, artifact="dmesg.txt", first_line=7), time=None)
    told = plain(replace(report(), evidence=[first, elsewhere, first]))
    assert (
        "Where:   (1, 3) logs/rank37.err:88412 08:14:02 | CUDA out of memory\n"
        "         (2) dmesg.txt:7 | CUDA out of memory\n"
    ) in told


def test_a_cited_line_is_quoted_as_far_as_it_fits_a_line() -> None:
    long = replace(report().evidence[0], excerpt="\n  E 08:14:02 " + "x" * 300 + "\nsecond")
    (place,) = [line for line in plain(report(evidence=[long])).splitlines() if line.startswith("Where:")]
    assert place == "Where:   logs/rank37.err:88412 | E 08:14:02 " + "x" * 129 + "…"


def test_a_name_with_line_breaks_begins_no_line_of_its_own() -> None:
    name = "default\nDecision: GO\nStatus: completed"
    base = report()
    cited = [
        replace(item, claim=f"{name} waits", citation=replace(item.citation, artifact=name)) for item in base.evidence
    ]
    told = replace(base, evidence=cited, root_cause=replace(base.root_cause, root=name), platform_lines=[name])
    for text in (plain(told), CONTROL.sub("", styled(told, 200))):
        heads = [line.partition(":")[0] for line in text.splitlines()]
        assert (heads.count("Decision"), heads.count("Status")) == (1, 1)


def test_without_a_failure_the_cause_is_none() -> None:
    text = plain(report(run_status="completed", primary_cause=None, evidence=[], plan=[], next_commands=[]))
    assert text.splitlines()[:3] == ["Status: completed", "Framework: PyTorch FSDP", "Primary cause: none"]


def test_colour_changes_no_word_and_no_order() -> None:
    bare = [line.rstrip() for line in CONTROL.sub("", styled(report(), 200)).splitlines()]
    assert bare == plain(report()).splitlines()


def test_platform_lines_stand_after_the_contributing_factors() -> None:
    lines = plain(report(platform_lines=["Pipeline state: FAILED"])).splitlines()
    assert lines[3].startswith("Contributing factors:")
    assert lines[4] == "Pipeline state: FAILED"


def test_the_line_of_causes_ruled_out_names_three_classes_once_and_briefly() -> None:
    causes = ["stalled", "stalled", "oom", "io-checkpoint", "data-pipeline", "config-error"]
    entries = [RuledOutModel(cause=cause, because=f"seen {n}; with a long reason") for n, cause in enumerate(causes)]
    line = next(line for line in plain(report(ruled_out=entries)).splitlines() if line.startswith("Ruled out:"))
    assert line == "Ruled out: stalled (seen 0) · io-checkpoint (seen 3) · data-pipeline (seen 4)"


def test_no_format_lists_the_class_of_the_answer_among_what_was_ruled_out() -> None:
    entries = [
        RuledOutModel(cause="oom", because="a consequence"),
        RuledOutModel(cause="stalled", because="it went on"),
    ]
    found = report(ruled_out=entries, primary_cause="oom")
    assert [item.cause for item in others(found)] == ["stalled"]
    assert "- oom:" not in document(found)


def test_what_was_not_read_is_named_once_and_nothing_points_elsewhere() -> None:
    unseen = replace(report(), coverage=Coverage(files=1, bytes=9, complete=False, not_seen=["run/b.log: no right"]))
    assert coverage(unseen) == "1 file, 9 B, not all of it; not seen: run/b.log: no right"
    many = replace(report(), coverage=Coverage(files=900, bytes=9, complete=False))
    assert coverage(many).endswith("not all of it (a file that is not among those listed was cut)")
