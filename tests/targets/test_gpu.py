"""GPUs are read where there is a driver, and nothing is loaded where there is none."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from runtriage.targets import gpu
from runtriage.targets.gpu import ABSENT, Gpus
from tests.parse.documents import parsed

pynvml: Any = pytest.importorskip("pynvml")
HERE = any(path.exists() for path in gpu._DRIVERS)


@pytest.mark.skipif(HERE, reason="this machine has a driver")
def test_without_a_driver_nothing_is_loaded_and_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", None)
    gpus = Gpus()
    assert (gpus.problem, gpus.read([1])) == (ABSENT, [])


@pytest.mark.skipif(HERE, reason="this machine has a driver")
def test_a_library_that_finds_no_driver_is_a_reason_and_no_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(gpu, "_DRIVERS", (tmp_path,))
    assert Gpus().problem == "the driver's library did not answer (NVMLError_LibraryNotFound)"
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert "pip install 'runtriage[proc]'" in (Gpus().problem or "")


def answers(**more: Any) -> SimpleNamespace:
    """What the binding gives back for two cards, the second of which is lost; its own types and errors."""

    def handle(index: int) -> int:
        if index == 1:
            raise pynvml.NVMLError(pynvml.NVML_ERROR_GPU_IS_LOST)
        return index

    def untold(*_: object) -> int:
        raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)

    memory, rates, process = pynvml.c_nvmlMemory_t(), pynvml.c_nvmlUtilization_t(), pynvml.c_nvmlProcessInfo_v3_t()
    memory.total, memory.used, rates.gpu, process.pid, process.usedGpuMemory = 80 << 30, 60 << 30, 97, 7, 50 << 30
    told = {
        "NVMLError": pynvml.NVMLError,
        "NVML_MEMORY_ERROR_TYPE_UNCORRECTED": 1,
        "NVML_VOLATILE_ECC": 0,
        "NVML_TEMPERATURE_GPU": 0,
        "nvmlInit": lambda: None,
        "nvmlDeviceGetCount": lambda: 2,
        "nvmlDeviceGetHandleByIndex": handle,
        "nvmlDeviceGetName": lambda _: "H100",
        "nvmlDeviceGetMemoryInfo": lambda _: memory,
        "nvmlDeviceGetUtilizationRates": lambda _: rates,
        "nvmlDeviceGetComputeRunningProcesses": lambda _: [process],
        "nvmlDeviceGetTemperature": untold,
        "nvmlDeviceGetTotalEccErrors": lambda *_: 3,
    }
    return SimpleNamespace(**told | more)


def test_what_the_binding_tells_becomes_states(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(gpu, "_DRIVERS", (tmp_path,))
    monkeypatch.setitem(sys.modules, "pynvml", answers())
    first, second = Gpus().read([7, 8])
    assert (first["own_bytes"], first["celsius"], first["busy_percent"]) == (50 << 30, None, 97)
    assert second == {"index": 1, "lost": True}
    document = f'{{"schema": "runtriage.gpu/1", "gpus": [{json.dumps(first)}, {json.dumps(second)}]}}'
    events = parsed("gpus.json", "record", document.encode()).events
    assert [(event.name, event.subject.gpu) for event in events] == [
        ("gpu/ecc", "0"),
        ("gpu/use", "0"),
        ("gpu/lost", "1"),
    ]
    assert "61,440 of 81,920 MiB in use, 51,200 of them this run's" in events[1].excerpt.raw
