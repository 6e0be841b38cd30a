"""The reports that this server made, by id, for as long as it runs."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from runtriage.model.report import Report

_KEPT: Final = 100


class Kept(Struct, frozen=True):
    """A report and the target it was made from, as it was admitted; `last` lines of each log were read, all without."""

    report: Report
    target: str
    last: int | None = None


class Shelf:
    """The last hundred reports; the same diagnosis of the same target has the same id."""

    def __init__(self) -> None:
        self._reports: OrderedDict[str, Kept] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, report: Report, target: str, last: int | None = None) -> str:
        """Keep a report and return its id."""
        same = replace(report, run_id="", timestamp="", duration_seconds=0.0)
        content = target.encode("utf-8", "replace") + b"\0" + msgspec.json.encode(same)
        identity = hashlib.sha256(content).hexdigest()[:12]
        with self._lock:
            self._reports[identity] = Kept(report, target, last)
            self._reports.move_to_end(identity)
            while len(self._reports) > _KEPT:
                self._reports.popitem(last=False)
        return identity

    def get(self, identity: str) -> Kept | None:
        """Return what is kept under an id."""
        with self._lock:
            return self._reports.get(identity)
