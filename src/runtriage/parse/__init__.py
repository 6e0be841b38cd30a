"""Structured documents become raw events: one file a kind of document."""

from runtriage.parse.document import HEAD, Parsed, Parser, recognise

__all__ = ["HEAD", "Parsed", "Parser", "recognise"]
