"""Amounts that Kubernetes objects ask for and offer: accelerators, CPUs, memory and local storage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.model.amount import quantity
from runtriage.model.pattern import deferred
from runtriage.parse.pointer import Node

_RESOURCES: Final = deferred(r"^(?:cpu|memory|ephemeral-storage|(?:[\w.-]+/)?[\w.-]*gpu[\w.-]*)$", re.IGNORECASE)


def offered(amounts: Node) -> Iterator[tuple[str, Node, float]]:
    """Yield each resource that is counted here, where it stands, and its amount."""
    for resource, amount in amounts.members():
        number = quantity(amount.value) if _RESOURCES.match(resource) else None
        if number is not None:
            yield resource, amount, number


def ceiling(spec: Node, container: str) -> Iterator[tuple[Node, str, str]]:
    """Yield where the memory of one container is set, its limit and its request as they are written; empty where none is."""
    for group in ("containers", "initContainers"):
        for each in spec.get(group).items():
            if each.text("name") == container:
                limit, request = (each.get("resources", which, "memory") for which in ("limits", "requests"))
                place = next((amount for amount in (limit, request) if amount.value is not None), each.get("name"))
                yield place, _written(limit), _written(request)


def _written(amount: Node) -> str:
    return "" if amount.value is None else str(amount.value)


def requested(spec: Node) -> Iterator[tuple[str, Node, float]]:
    """Yield what a whole pod asks one node for: the sum of its containers, or the largest step of its start if that is more.

    The place is that of the container that asks for most.
    """
    totals: dict[str, float] = {}
    places: dict[str, tuple[float, Node]] = {}

    def note(resource: str, place: Node, number: float) -> None:
        if number > places.get(resource, (-1.0, place))[0]:
            places[resource] = (number, place)

    steps: dict[str, float] = {}
    for group in ("containers", "initContainers"):
        for container in spec.get(group).items():
            stays = group == "containers" or container.text("restartPolicy") == "Always"
            for resource, place, number in offered(container.get("resources", "requests")):
                note(resource, place, number)
                if stays:
                    totals[resource] = totals.get(resource, 0.0) + number
                else:
                    steps[resource] = max(steps.get(resource, 0.0), number)
    for resource, (_, place) in places.items():
        yield resource, place, max(totals.get(resource, 0.0), steps.get(resource, 0.0))
