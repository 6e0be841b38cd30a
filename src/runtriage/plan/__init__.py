"""A verdict becomes a recovery plan and a decision."""

from runtriage.plan.build import plan

__all__ = ["plan"]
