"""When something happened, and how far the printed time can be trusted."""

from __future__ import annotations

from datetime import date
from time import gmtime
from typing import Final

from msgspec import Struct

NO_YEAR: Final = 1972
"""Year that stands for an unprinted one; a leap year, so that 29 February can be read."""
WITHOUT_YEAR: Final = "no-year"
"""How the clock of a date without a year ends."""
_DAY: Final = 86_400
_YEAR: Final = 366 * _DAY
_EPOCH: Final = date(1970, 1, 1).toordinal()


def midnight(year: int, month: int, day: int) -> int:
    """Return the seconds from 1970-01-01 to a day of 1 to 31; those behind the last of a month are days of the next."""
    return (date(year, month, 1).toordinal() + day - 1 - _EPOCH) * _DAY


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

    @property
    def yearless(self) -> bool:
        """Tell whether the print has a date of which it leaves out the year."""
        return self.dated and self.clock.endswith(WITHOUT_YEAR)


def apart(first: Instant, second: Instant) -> float:
    """Return the seconds from the first print to the second; a year that one of them leaves out is taken to be the other's."""
    if first.yearless == second.yearless or not (first.dated and second.dated):
        return second.seconds - first.seconds
    seconds = _in_no_year(second) - _in_no_year(first)
    return seconds - _YEAR if seconds > _YEAR / 2 else seconds + _YEAR if seconds < -_YEAR / 2 else seconds


def _in_no_year(instant: Instant) -> float:
    if instant.yearless:
        return instant.seconds
    printed = gmtime(instant.seconds)
    return midnight(NO_YEAR, printed.tm_mon, printed.tm_mday) + instant.seconds % _DAY
