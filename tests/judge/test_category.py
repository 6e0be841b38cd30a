"""The category of a workload and the primary class it stands for."""

from __future__ import annotations

from runtriage.judge.category import PRIMARY_CLASS
from runtriage.model.taxonomy import PRIMARY_CLASSES, WORKLOAD_CATEGORIES


def test_every_category_has_a_primary_class_or_none_on_purpose() -> None:
    assert set(PRIMARY_CLASS) == set(WORKLOAD_CATEGORIES)
    assert {name for name, primary in PRIMARY_CLASS.items() if primary is None} == {"UNKNOWN"}
    assert set(PRIMARY_CLASS.values()) - {None} <= set(PRIMARY_CLASSES)
