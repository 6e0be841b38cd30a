"""When something happened, and how far the printed time can be trusted."""

from __future__ import annotations

from msgspec import Struct


class Instant(Struct, frozen=True):
    """A printed time.

    `seconds` are seconds since 1970-01-01 as printed: in UTC when `zoned`, else read as if the print were UTC and then
    comparable only within one `clock` (a host, a service, or the artifact when neither is known). A print without a date
    has `dated` false and counts from midnight. `precision` is the resolution of the print in seconds, `uncertainty` the
    most it can be off by beyond that (a watchdog line that was back-dated, for example).
    """

    text: str
    seconds: float
    zoned: bool = False
    dated: bool = True
    clock: str = ""
    precision: float = 1.0
    uncertainty: float = 0.0

    @property
    def utc(self) -> float | None:
        """Seconds since the epoch in UTC, or None when the print names no zone or no date."""
        return self.seconds if self.zoned and self.dated else None
