"""The shipped JSON Schema is the models'; fields are only ever added."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema

from runtriage.model.report import Report
from runtriage.model.schema import text
from tests.render.build import report


def shipped() -> dict[str, object]:
    return json.loads(resources.files("runtriage.model").joinpath("report.schema.json").read_text(encoding="utf-8"))


def test_the_shipped_schema_is_generated_from_the_models() -> None:
    assert shipped() == json.loads(text())


def test_a_report_validates_against_the_shipped_schema() -> None:
    jsonschema.validate(json.loads(report().to_json()), shipped())


def test_readers_ignore_keys_they_do_not_know() -> None:
    content = json.loads(report().to_json())
    assert Report.from_json(json.dumps({**content, "new_field": 1})) == report()
