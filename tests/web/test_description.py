"""The JSON API does what its description says, whatever is asked."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings

from runtriage.model.options import Options
from runtriage.web.app import application
from runtriage.web.openapi import description
from runtriage.web.serve import site
from tests.web.filled import filled

VALID, INVALID = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
CAN_BE_WRONG = ("/api/v1/runs", "get"), ("/api/v1/fleet", "get"), ("/api/v1/runs/{id}/feedback", "post")
"""Operations whose parameters or body some values do not fit."""
OPERATIONS = [
    *((path, method, VALID) for path, methods in description()["paths"].items() for method in methods),
    *((path, method, INVALID) for path, method in CAN_BE_WRONG),
]


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Generator[schemathesis.BaseSchema]:
    place: Path = tmp_path_factory.mktemp("described") / "history.sqlite3"
    filled(place, 20)
    built = site(place, host="127.0.0.1", token=None, options=Options())
    yield schemathesis.openapi.from_asgi("/api/v1/openapi.json", application(built), headers={"host": "127.0.0.1"})
    built.jobs.close()


@pytest.mark.parametrize(("path", "method", "mode"), OPERATIONS)
def test_no_request_gets_an_answer_that_is_not_described(
    described: schemathesis.BaseSchema, path: str, method: str, mode: schemathesis.GenerationMode
) -> None:
    operation = described[path][method]

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=15, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(headers={"host": "127.0.0.1"})

    ask()
