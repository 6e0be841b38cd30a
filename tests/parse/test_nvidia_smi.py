"""The health that GPUs report is read GPU by GPU; what is in order says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtriage.api.diagnosis import diagnose
from tests.parse.documents import parsed

HEAD = "\n==============NVSMI LOG==============\n\nTimestamp     : Thu May 14 10:01:00 2026\nAttached GPUs : 2\n"
GPU = """\
GPU 00000000:{bus}:00.0
    Product Name                          : NVIDIA H100 80GB HBM3
    ECC Errors
        Volatile
            SRAM Correctable              : 7
            SRAM Uncorrectable SEC-DED    : 0
            DRAM Uncorrectable            : {dram}
        Aggregate
            SRAM Uncorrectable SEC-DED    : 6
    Remapped Rows
        Uncorrectable Error               : 1
        Pending                           : {pending}
        Remapping Failure Occurred        : No
    Temperature
        GPU Current Temp                  : {heat}
"""


def listing(dram: str = "0", pending: str = "No", heat: str = "41 C") -> str:
    healthy = GPU.format(bus="3B", dram="0", pending="No", heat="40 C")
    return HEAD + healthy + GPU.format(bus="5E", dram=dram, pending=pending, heat=heat)


def told(text: str) -> list[tuple[str, str | None, int | None]]:
    events = parsed("nvidia-smi-q.txt", "gpu", text.encode()).events
    return [
        (event.name, event.subject.gpu, event.citation.first_line)
        for event in events
        if event.name not in ("gpu/listed", "gpu/attached")
    ]


def test_healthy_gpus_and_old_counts_say_nothing() -> None:
    assert told(listing()) == []


@pytest.mark.parametrize(
    ("changed", "name", "line"),
    [({"dram": "2"}, "gpu/ecc", 27), ({"pending": "Yes"}, "gpu/remap", 32), ({"heat": "ERR!"}, "gpu/lost", 35)],
)
def test_what_is_wrong_is_cited_with_its_gpu(changed: dict[str, str], name: str, line: int) -> None:
    assert told(listing(**changed)) == [(name, "1", line)]


def test_a_lost_gpu_is_told_once() -> None:
    lost = listing(heat="ERR!").replace(": NVIDIA H100 80GB HBM3\n", ": Unknown Error\n")
    assert [name for name, gpu, _ in told(lost) if gpu == "1"] == ["gpu/lost"]


def test_a_lost_gpu_is_the_root_and_named(tmp_path: Path) -> None:
    (tmp_path / "nvidia-smi-q.txt").write_text(listing(heat="ERR!"), "utf-8")
    (tmp_path / "train.log").write_text("step 1/90 loss=2.0\n", "utf-8")
    report = diagnose(str(tmp_path))
    assert report.failure_mode == "cuda/fell-off-bus"
    assert report.culprit.gpu == "1"


def test_hostile_listings_end_soon() -> None:
    deep = "".join(f"{' ' * n}key{n}\n" for n in range(3000))
    assert told(HEAD + "GPU 00000000:3B:00.0\n" + deep + "x" * 1_000_000) == []


def test_a_whole_listing_numbers_the_gpus() -> None:
    events = parsed("nvidia-smi-q.txt", "gpu", listing().encode()).events
    listed = [(event.numbers["index"], event.captures["pci"].raw) for event in events if event.name == "gpu/listed"]
    assert listed == [(0.0, "00000000:3B:00.0"), (1.0, "00000000:5E:00.0")]


def test_part_of_a_listing_numbers_no_gpu() -> None:
    part = listing(dram="3").replace("Attached GPUs : 2", "Attached GPUs : 8")
    assert told(part) == [("gpu/ecc", "00000000:5E:00.0", 27)]
    assert all(event.name != "gpu/listed" for event in parsed("nvidia-smi-q.txt", "gpu", part.encode()).events)


def test_a_clock_lowered_by_heat_is_told_and_a_power_cap_is_not() -> None:
    reasons = """\
    Clocks Event Reasons
        SW Power Cap                      : Active
        HW Slowdown                       : Active
            HW Thermal Slowdown           : {}
        SW Thermal Slowdown               : Active
"""
    assert told(listing() + reasons.format("Active")) == [("gpu/throttle", "1", 39)]
    assert told(listing() + reasons.format("Not Active")) == []
