from __future__ import annotations

import pytest

from runtriage.cli import diagnose
from runtriage.cli.app import run
from runtriage.cli.diagnosis import Choices
from runtriage.cli.main import with_command
from runtriage.cli.plain import FLAGS, plain


@pytest.mark.parametrize(
    "given",
    [
        ["train.log"],
        ["-"],
        ["diagnose", "rank0.log", "rank1.log"],
        ["--exit-zero", "a folder/", "--no-cache"],
        ["diagnose", "train.log", *FLAGS],
        ["--traceback", "-"],
    ],
)
def test_plain_words_mean_what_the_parser_makes_of_them(given: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[Choices] = []
    monkeypatch.setattr(diagnose, "run", lambda choices: parsed.append(choices) or 0)

    assert run(with_command(given)) == 0
    assert plain(with_command(given)) == parsed[0]


@pytest.mark.parametrize(
    "given",
    [
        ["train.log", "--last", "5"],
        ["train.log", "--exit"],
        ["train.log", "-o", "report.json"],
        ["diagnose", "--", "--once"],
        ["diagnose", "--traceback"],
        ["diagnose", "--help"],
        ["runai:cluster/train"],
        ["verify", "report.json"],
        ["--help"],
        [],
    ],
)
def test_everything_else_is_left_to_the_parser(given: list[str]) -> None:
    assert plain(with_command(given)) is None


def test_a_shell_that_completes_a_line_is_answered_by_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_RUNTRIAGE_COMPLETE", "complete_bash")

    assert plain(["diagnose", "train.log"]) is None
