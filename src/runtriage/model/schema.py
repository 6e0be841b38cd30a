"""`python -m runtriage.model.schema` prints the JSON Schema of the report; the shipped file is its output."""

from __future__ import annotations

import json

import msgspec

from runtriage.model.report import Report


def text() -> str:
    """Return the schema as indented JSON with a final newline."""
    return json.dumps(msgspec.json.schema(Report), indent=2) + "\n"


if __name__ == "__main__":
    print(text(), end="")
