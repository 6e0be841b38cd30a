"""The host that a system log is of: as its lines say, or as its file is called."""

from __future__ import annotations

from typing import Final

from runtriage.model.pattern import deferred

_LINES: Final = 400
_SHARE: Final = 0.8
_SYSLOG: Final = deferred(
    rb"(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)) "
    rb"(?P<host>[A-Za-z0-9][\w.-]{0,62}) [\w.@/-]{1,40}(?:\([\w-]{1,40}\))?(?:\[\d{1,9}\])?: "
)
_NAMED: Final = deferred(
    r"(?:^|/)(?:(?P<before>[A-Za-z][A-Za-z0-9-]{0,40}?\d[A-Za-z0-9]{0,10})[._-])?"
    r"(?:dmesg|kern(?:el)?|syslog|journal|messages|serial|console|slurmd|smi)(?:-T)?"
    r"(?:[._-](?P<after>[A-Za-z][A-Za-z0-9-]{0,40}?\d[A-Za-z0-9]{0,10}))?(?:-T)?(?:\.(?:txt|log|out))?$"
)
_NOT_HOSTS: Final = deferred(r"(?i)(?:attempt|rank|run|exp|job|try|restart|part|slurm|v)s?[-_]?\d")


def host_of(sample: bytes) -> str | None:
    """Return the one host that the lines of a system log name behind their time, None where this is no such log."""
    lines = [line for line in sample.split(b"\n", _LINES)[:_LINES] if line.strip()]
    found = [match["host"] for line in lines if (match := _SYSLOG.match(line))]
    if not lines or len(found) < _SHARE * len(lines) or len(set(found)) != 1:
        return None
    return found[0].decode("ascii", "replace")


def host_in_name(path: str) -> str | None:
    """Return the host in the name of a file that holds a system log, such as `gpu-07.dmesg` or `kern-n12.log`."""
    found = _NAMED.search(path)
    host = (found["before"] or found["after"]) if found else None
    return None if host is None or _NOT_HOSTS.match(host) else host
