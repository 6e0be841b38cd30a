"""The log engine: bytes to raw events and series."""

from runtriage.scan.many import scan_many
from runtriage.scan.one import scan
from runtriage.scan.result import ScanResult
from runtriage.scan.rules import Rules
from runtriage.scan.rules import compile as compile_rules

__all__ = ["Rules", "ScanResult", "compile_rules", "scan", "scan_many"]
