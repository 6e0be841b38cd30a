"""Printed times, in the dozen forms that training programs, schedulers and kernels use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from time import gmtime
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from runtriage.model.pattern import deferred
from runtriage.model.time import NO_YEAR, WITHOUT_YEAR, Instant, midnight
from runtriage.scan.alike import FORMS, Alike, form_of_text

_WINDOW: Final = 200
_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
SINCE_BOOT: Final = "boot"


_Reader = tuple[Alike, Callable[[re.Match[str], str], "Instant | None"]]
"""A way to print a time, and what reads it."""


class Known(NamedTuple):
    """A year and a month that an artifact prints."""

    year: int
    month: int


_HMS = r"(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d):(?P<second>[0-5]\d|60)(?:[.,](?P<fraction>\d{1,9}))?"
_ZONE = r"(?: ?(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d)(?![\w:]))?"
_MONTH = r"(?P<name>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"

_DATED = Alike(
    rf"(?<![\w.:/-])(?P<year>[12]\d\d\d)(?P<mark>[-/])(?P<month>\d\d)(?P=mark)(?P<day>\d\d)[T _]{_HMS}{_ZONE}", re.ASCII
)
_GLOG = Alike(rf"(?<!\w)[IWEFDC](?P<month>\d\d?)(?P<day>\d\d) {_HMS}(?= )", re.ASCII)
_SYSLOG = Alike(
    rf"(?<!\w)(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?{_MONTH} {{1,2}}(?P<day>\d{{1,2}}) {_HMS}(?: (?P<year>[12]\d\d\d))?(?!\w)",
    re.ASCII,
)
_NGINX = Alike(rf"(?<!\w)(?P<day>\d\d)[/ -]{_MONTH}[/ -](?P<year>[12]\d\d\d)[: ]{_HMS}{_ZONE}", re.ASCII)
_SHORT_DATE = Alike(rf"(?<![\w.:/-])(?P<month>\d\d)/(?P<day>\d\d) {_HMS}(?!\w)", re.ASCII)
_BOOT = Alike(r"(?:^|(?<=[ :]))\[ {0,8}(?P<boot>\d{1,9}\.\d{6})\] ", re.ASCII)
_EPOCH = Alike(
    r"^(?P<epoch>1[0-9]{9}(?:\.\d{1,9})?)(?=[ \t,:|])"
    r"|(?<![\w.])[\"']?(?:ts|time|timestamp|created|wall_time|_timestamp)[\"']?[=:] ?(?P<keyed>1[0-9]{9}(?:\.\d{1,9})?|1[0-9]{12})(?![\w.])",
    re.ASCII,
)
_CLOCK = Alike(rf"(?:^|(?<=[\s\[(|]))(?:T=)?{_HMS}(?=[\s\])|>,:]|$)", re.ASCII)
MAY_DATE = deferred(rb"\d:[0-5]\d:|\.\d{6}\] |1\d{9}")
"""What every form of a time holds: most lines that print none are told by one look."""
_MAY_DATE = Alike(MAY_DATE.pattern.decode(), re.ASCII)
_CLOCK_COLUMN: Final = 48
_FRONT = deferred(r"(?:\[[A-Za-z_]\w{0,30}\]\s{1,2}|[A-Z]{4,8}\s{1,4})?[\s\[(<|]{0,4}(?=\d|[A-Z][a-z]{2} |[IWEFD]\d)")
"""What stands before a time at the front of a line; where it is followed by one, no other time can come first."""
_ECHOED = "^C"
"""What a terminal shows of an interrupt, right in front of whatever is printed next."""
_DURATION = deferred(r"(?:eta|elapsed|remaining|duration|took|total|time|after|in)\W{0,4}$", re.IGNORECASE)


def read_instant(text: str, clock: str = "", known: Known | None = None) -> Instant | None:
    """Read the first time printed near the start of a line, or None.

    `clock` names whose clock it is (host or artifact). A print without a year takes it from `known`, a date that the same
    artifact prints in full; without one it keeps its place within `NO_YEAR` and says so in its clock, so that it orders only
    against its like. Seconds since boot form a clock of their own.
    """
    found = _read(text, clock)
    if known is None or found is None or not found.dated or not found.clock.endswith(WITHOUT_YEAR):
        return found
    return _with_year(found, clock, known)


def _with_year(found: Instant, clock: str, known: Known) -> Instant:
    printed = gmtime(found.seconds)
    year = known.year + (known.month == 12 and printed.tm_mon == 1) - (known.month == 1 and printed.tm_mon == 12)
    days = midnight(year, printed.tm_mon, printed.tm_mday) - midnight(NO_YEAR, printed.tm_mon, printed.tm_mday)
    return replace(found, seconds=found.seconds + days, clock=clock)


def learn_date(lines: Iterable[str]) -> Known | None:
    """Return the first date with a year that the lines print at their fronts."""
    for line in lines:
        found = _read(line, "")
        if found is not None and found.dated and found.clock != WITHOUT_YEAR:
            printed = gmtime(found.seconds)
            return Known(printed.tm_year, printed.tm_mon)
    return None


def _read(text: str, clock: str) -> Instant | None:
    head = text[:_WINDOW].removeprefix(_ECHOED)
    places = _places(form_of_text(head))
    if places is None:
        return None
    for shape, read in places.front:
        found = shape.pattern.match(head, places.begin)
        if found is not None and (instant := read(found, clock)) is not None:
            return instant
    best: Instant | None = None
    at = len(head) + 1
    for shape, read in places.anywhere:
        found = shape.pattern.search(head, 0, at)
        if found is not None and found.start() < at and (instant := read(found, clock)) is not None:
            best, at = instant, found.start()
    return best


class _Places(Struct, frozen=True):
    """Where a time may begin at the front of lines of a form, and which readers may find one there, or anywhere."""

    begin: int
    front: tuple[_Reader, ...]
    anywhere: tuple[_Reader, ...]


@lru_cache(FORMS)
def _places(form: str) -> _Places | None:
    """Return where times may stand in lines of a form; None where no line of it prints one."""
    if not _MAY_DATE.may(form):
        return None
    front = _FRONT.match(form)
    begin = front.end() if front is not None else -1
    at_front = [reader for reader in _READERS if front is not None and reader[0].broad.match(form, begin) is not None]
    anywhere = [reader for reader in _READERS if reader[0].may(form)]
    return _Places(begin, tuple(at_front), tuple(anywhere))


def _precision(found: re.Match[str]) -> float:
    fraction = found["fraction"]
    return 10.0 ** -len(fraction) if fraction else 1.0


def _seconds(found: re.Match[str]) -> float:
    whole = int(found["hour"]) * 3600 + int(found["minute"]) * 60 + int(found["second"])
    return whole + (float(f"0.{found['fraction']}") if found["fraction"] else 0.0)


def _offset(zone: str) -> int:
    if zone in ("Z", "UTC", "GMT"):
        return 0
    digits = zone[1:].replace(":", "")
    return (1 if zone[0] == "+" else -1) * (int(digits[:2]) * 3600 + int(digits[2:]) * 60)


@lru_cache(maxsize=1024)
def _midnight(year: str | None, month: str, day: str) -> int | None:
    number = int(month) if month.isdigit() else _MONTHS[month.lower()]
    if not (1 <= number <= 12 and 1 <= int(day) <= 31):
        return None
    return midnight(int(year) if year else NO_YEAR, number, int(day))


def _full(found: re.Match[str], clock: str) -> Instant | None:
    names = found.re.groupindex
    year = found["year"] if "year" in names else None
    midnight = _midnight(year, found["month" if "month" in names else "name"], found["day"])
    if midnight is None:
        return None
    zone = found["zone"] if "zone" in names else None
    seconds = midnight + _seconds(found) - (_offset(zone) if zone else 0)
    return Instant(
        text=found.group().strip(),
        seconds=seconds,
        zoned=zone is not None and year is not None,
        clock=clock if year else _own(clock, WITHOUT_YEAR),
        precision=_precision(found),
    )


def _own(clock: str, kind: str) -> str:
    return f"{clock}#{kind}" if clock else kind


def _boot(found: re.Match[str], clock: str) -> Instant | None:
    return Instant(
        text=found["boot"], seconds=float(found["boot"]), dated=False, clock=_own(clock, SINCE_BOOT), precision=1e-6
    )


def _epoch(found: re.Match[str], clock: str) -> Instant | None:
    printed = found["epoch"] or found["keyed"]
    whole, _, fraction = printed.partition(".")
    if len(whole) == 13:
        return Instant(text=printed, seconds=int(whole) / 1000, zoned=True, clock=clock, precision=1e-3)
    precision = 10.0 ** -len(fraction) if fraction else 1.0
    return Instant(text=printed, seconds=float(printed), zoned=True, clock=clock, precision=precision)


def _time_only(found: re.Match[str], clock: str) -> Instant | None:
    if found.start() > _CLOCK_COLUMN or _DURATION.search(found.string[: found.start()]):
        return None
    text = found.group().strip()
    return Instant(text=text, seconds=_seconds(found), dated=False, clock=clock, precision=_precision(found))


_READERS: Final[tuple[_Reader, ...]] = (
    (_DATED, _full),
    (_GLOG, _full),
    (_NGINX, _full),
    (_SYSLOG, _full),
    (_SHORT_DATE, _full),
    (_BOOT, _boot),
    (_EPOCH, _epoch),
    (_CLOCK, _time_only),
)
