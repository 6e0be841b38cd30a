"""Callbacks for trainers: they write `check-failed-run.json` when training fails, and never touch the exception."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from runtriage.launch.inside import Metrics, write


def hugging_face(out_dir: str | Path = ".") -> Any:
    """Return a callback for the Trainer of Hugging Face: `Trainer(..., callbacks=[hugging_face("outputs")])`.

    The Trainer tells its callbacks nothing of an exception, so an exception that ends the program while it trains is what counts.
    Raises ImportError where transformers is not installed.
    """
    base = cast("type[Any]", import_module("transformers").TrainerCallback)
    failed = _Ending(Path(out_dir))

    def begin(self: object, args: Any, state: Any, control: object, **_: object) -> None:
        failed.arm(int(getattr(args, "process_index", 0)))

    def log(
        self: object, args: Any, state: Any, control: object, logs: Mapping[str, object] | None = None, **_: object
    ) -> None:
        failed.metrics.add(int(getattr(state, "global_step", 0)), logs or {})

    def end(self: object, args: Any, state: Any, control: object, **_: object) -> None:
        failed.disarm()

    return type("RuntriageCallback", (base,), {"on_train_begin": begin, "on_log": log, "on_train_end": end})()


def lightning(out_dir: str | Path = ".") -> Any:
    """Return a callback for Lightning: `Trainer(callbacks=[lightning("outputs")])`. Raises ImportError where it is not installed."""
    base = _lightning_base()
    folder, metrics = Path(out_dir), Metrics()

    def batch(self: object, trainer: Any, *_: object) -> None:
        metrics.add(int(trainer.global_step), _numbers(trainer.callback_metrics))

    def failed(self: object, trainer: Any, module: object, exception: BaseException) -> None:
        if isinstance(exception, Exception):
            write(exception, metrics, folder, int(getattr(trainer, "global_rank", 0)))

    return type("RuntriageCallback", (base,), {"on_train_batch_end": batch, "on_exception": failed})()


def _lightning_base() -> type[Any]:
    try:
        return cast("type[Any]", import_module("lightning.pytorch.callbacks").Callback)
    except ImportError:
        return cast("type[Any]", import_module("pytorch_lightning.callbacks").Callback)


def _numbers(values: Mapping[str, Any]) -> dict[str, float]:
    """Return metrics as numbers; a tensor is asked for its value only where that does not wait for a GPU."""
    found: dict[str, float] = {}
    for name, value in values.items():
        if getattr(getattr(value, "device", None), "type", "cpu") == "cpu":
            found[name] = float(value)
    return found


class _Ending:
    """Armed while training runs: an exception that ends the program then is diagnosed before the hook that was there shows it."""

    def __init__(self, folder: Path) -> None:
        self.metrics = Metrics()
        self._folder = folder
        self._rank = 0
        self._armed = False
        self._before: Any = None

    def arm(self, rank: int) -> None:
        """Wait for an exception."""
        self._rank, self._armed = rank, True
        if self._before is None:
            self._before = sys.excepthook
            sys.excepthook = self._hook

    def disarm(self) -> None:
        """Training is over."""
        self._armed = False

    def _hook(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if self._armed and isinstance(error, Exception):
            write(error, self.metrics, self._folder, self._rank)
        self._before(kind, error, trace)
