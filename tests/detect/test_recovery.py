"""Trouble that the log itself calls over is no cause, unless something fell into it."""

from __future__ import annotations

from collections.abc import Mapping

from runtriage.detect.signatures import find
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import EXCEPTION, SIGNATURE, Event
from runtriage.model.facts import Facts
from runtriage.model.options import Options
from runtriage.model.place import Citation
from runtriage.model.time import Instant
from runtriage.signatures.check import read_entries

CATALOGUE = Catalogue({entry.signature.id: entry.signature for entry in read_entries()[0]}, fixes={}, digest="")
LINK = "net/ib-link-flap.mlx5"
DOWN, UP = f"{LINK}#down", f"{LINK}#clear-1"
PORT = {"pci": "0000:3b:00.0", "interface": "ens59np0"}
OTHER = {"pci": "0000:9b:00.0", "interface": "ens60np0"}


def at(seconds: float) -> Instant:
    return Instant(text="", seconds=seconds, zoned=True)


def said(name: str, line: int, seconds: float, captures: Mapping[str, str] = PORT, last: int | None = None) -> Event:
    return Event(
        kind=SIGNATURE,
        name=name,
        citation=Citation(artifact="dmesg.txt", first_line=line),
        excerpt="",
        captures=captures,
        when=at(seconds),
        count=1 if last is None else 2,
        last=None if last is None else Citation(artifact="dmesg.txt", first_line=last),
    )


def waited(seconds: float, ran: float) -> Event:
    return Event(
        kind=SIGNATURE,
        name="nccl/watchdog-timeout.torch#timeout",
        citation=Citation(artifact="train.log", first_line=900),
        excerpt="",
        numbers={"ran_ms": ran * 1000},
        when=at(seconds),
    )


def raised(seconds: float) -> Event:
    return Event(
        kind=EXCEPTION,
        name="RuntimeError",
        citation=Citation(artifact="train.log", first_line=7),
        excerpt="",
        when=at(seconds),
    )


def roles(*events: Event) -> list[str]:
    facts = Facts(target="run", options=Options(), events=events)
    return [match.role for match in find(facts, CATALOGUE) if match.rule == LINK]


def test_a_line_that_reports_recovery_is_no_match():
    assert roles(said(UP, 2, 20)) == []


def test_a_link_that_stays_down_speaks():
    assert roles(said(DOWN, 1, 10)) == ["cause"]


def test_a_link_that_came_back_is_context():
    assert roles(said(DOWN, 1, 10), said(UP, 2, 20)) == ["context"]


def test_a_link_that_was_up_before_it_went_down_speaks():
    assert roles(said(UP, 1, 10), said(DOWN, 2, 20)) == ["cause"]


def test_a_link_that_flaps_and_ends_down_speaks():
    assert roles(said(DOWN, 1, 10, last=3), said(UP, 2, 20)) == ["cause"]


def test_another_port_that_comes_up_clears_nothing():
    assert roles(said(DOWN, 1, 10), said(UP, 2, 20, OTHER)) == ["cause"]


def test_a_failure_while_the_link_was_down_keeps_it_the_cause():
    assert roles(said(DOWN, 1, 10), said(UP, 2, 20), raised(15)) == ["cause"]


def test_a_failure_long_after_the_link_came_back_does_not():
    assert roles(said(DOWN, 1, 10), said(UP, 2, 20), raised(500)) == ["context"]


def test_a_wait_that_began_while_the_link_was_down_keeps_it_the_cause():
    assert roles(said(DOWN, 1, 10), said(UP, 2, 20), waited(612, 600)) == ["cause"]


def test_a_wait_that_began_after_the_link_came_back_does_not():
    assert roles(said(DOWN, 1, 10), said(UP, 2, 20), waited(700, 600)) == ["context"]
