from __future__ import annotations

from io import BytesIO

import pytest

from runtriage.api.surroundings import around

pytestmark = pytest.mark.usefixtures("untouched_world")


def test_a_line_that_two_claims_cite_is_read_once() -> None:
    text = BytesIO(b"".join(b"line %d\n" % number for number in range(1, 10)))
    assert around(text, [5, 5, 2], 1) == {2: ["line 1", "line 2", "line 3"], 5: ["line 4", "line 5", "line 6"]}
