"""Requests become artifacts: one file a source."""
