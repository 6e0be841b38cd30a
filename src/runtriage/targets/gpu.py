"""GPUs as NVIDIA's driver counts them, through its own library. Nothing is loaded where there is no driver."""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib import import_module
from pathlib import Path
from typing import Any, Final

ABSENT: Final = "no NVIDIA driver here"
MISSING: Final = "nvidia-ml-py is not installed: pip install 'runtriage[proc]'"
_DRIVERS: Final = (Path("/dev/nvidiactl"), Path("/dev/dxg"))
_LOST: Final = "NVMLError_GpuIsLost"
_MOST: Final = 64


class Gpus:
    """All GPUs of this machine; `problem` says why there are none to read."""

    def __init__(self) -> None:
        self.problem: str | None = None
        self._library: Any = None
        if not any(path.exists() for path in _DRIVERS):
            self.problem = ABSENT
            return
        try:
            self._library = import_module("pynvml")
            self._library.nvmlInit()
        except ImportError:
            self.problem = MISSING
        except Exception as error:  # noqa: BLE001 - whatever the driver's library raises, the run goes on without its figures
            self.problem = f"the driver's library did not answer ({type(error).__name__})"

    def read(self, pids: Collection[int]) -> list[dict[str, object]]:
        """Return one document a GPU; `own_bytes` is what these processes use of it, None where the driver does not tell."""
        if self.problem is not None:
            return []
        count = self._ask({}, self._library.nvmlDeviceGetCount) or 0
        return [self._one(index, pids) for index in range(min(count, _MOST))]

    def _one(self, index: int, pids: Collection[int]) -> dict[str, object]:
        library, found = self._library, dict[str, object](index=index)
        handle = self._ask(found, library.nvmlDeviceGetHandleByIndex, index)
        if handle is None:
            return found
        name = self._ask(found, library.nvmlDeviceGetName, handle)
        memory = self._ask(found, library.nvmlDeviceGetMemoryInfo, handle)
        rates = self._ask(found, library.nvmlDeviceGetUtilizationRates, handle)
        running = self._ask(found, library.nvmlDeviceGetComputeRunningProcesses, handle)
        uncorrected = (library.NVML_MEMORY_ERROR_TYPE_UNCORRECTED, library.NVML_VOLATILE_ECC)
        own = [one.usedGpuMemory for one in running or () if one.pid in pids]
        found |= {
            "name": name.decode("utf-8", "replace") if isinstance(name, bytes) else name,
            "used_bytes": getattr(memory, "used", None),
            "total_bytes": getattr(memory, "total", None),
            "busy_percent": getattr(rates, "gpu", None),
            "celsius": self._ask(found, library.nvmlDeviceGetTemperature, handle, library.NVML_TEMPERATURE_GPU),
            "uncorrected_errors": self._ask(found, library.nvmlDeviceGetTotalEccErrors, handle, *uncorrected),
            "own_bytes": None if None in own or running is None else sum(own),
            "own_processes": len(own),
        }
        return found

    def _ask(self, found: dict[str, object], call: Callable[..., Any], *arguments: object) -> Any:
        """Return an answer, None for what a card does not tell; one that is lost says so."""
        try:
            return call(*arguments)
        except self._library.NVMLError as error:
            if type(error).__name__ == _LOST:
                found["lost"] = True
            return None
