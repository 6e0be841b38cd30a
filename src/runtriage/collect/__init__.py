"""Requests become artifacts: one file a source."""

from runtriage.collect.budget import Budget
from runtriage.collect.dispatch import collect

__all__ = ["Budget", "collect"]
