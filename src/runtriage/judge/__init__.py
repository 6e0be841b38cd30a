"""Findings become a verdict."""

from runtriage.judge.verdict import judge

__all__ = ["judge"]
