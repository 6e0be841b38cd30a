"""What the user typed becomes a Target; all reading of the world happens here."""

from runtriage.targets.errors import TargetError
from runtriage.targets.grammar import SCHEMES, Spec, parse
from runtriage.targets.local import LocalTarget
from runtriage.targets.resolve import resolve

__all__ = ["SCHEMES", "LocalTarget", "Spec", "TargetError", "parse", "resolve"]
