"""What the user asked for besides the target."""

from __future__ import annotations

from msgspec import Struct

FRAMEWORKS = ("pytorch", "lightning", "deepspeed", "fsdp", "tensorflow", "jax")
TASKS = ("classification", "regression", "language-modeling")


class Options(Struct, frozen=True, kw_only=True):
    """Choices that change a diagnosis. `last` limits reading to the last N lines of each log; None reads all.

    `as_of` anchors look-backs in seconds since the epoch; None where no look-back needs it.
    """

    framework: str | None = None
    task: str | None = None
    label_column: str | None = None
    last: int | None = None
    context: int = 0
    traceback: bool = False
    strict_redaction: bool = False
    as_of: float | None = None
    metrics: bool = True
    workers: int | None = None
