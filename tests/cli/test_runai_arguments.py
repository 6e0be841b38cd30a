"""What `runtriage runai` and `runtriage k8s` ask for before they ask anybody else."""

from __future__ import annotations

import pytest

from runtriage.cli.app import run as command
from runtriage.cli.errors import CommandError
from runtriage.cli.runai import span


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ([], ["--cluster-id", "--workload-id", "--workload-name with --project"]),
        (["--workload-id", "w"], ["--cluster-id"]),
        (["--cluster-id", "c"], ["--workload-id"]),
        (["--cluster-id", "c", "--workload-name", "n"], ["--project"]),
        (["--cluster-id", "c", "--project", "p"], ["--workload-name"]),
    ],
)
def test_what_is_missing_is_named_before_anything_is_asked(
    given: list[str], named: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["runai", *given, "--mcp", "no-such-server"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("runtriage: missing: ")
    assert all(name in told for name in named)


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (["--workload-id", "w", "--workload-name", "n", "--project", "p"], "not both"),
        (["--workload-id", "w", "--mcp", "x", "--api", "https://y"], "not both"),
        (["--workload-id", "w", "--lookback", "long"], "--lookback"),
        (["--workload-id", "w", "--intent", "activ"], "did you mean active"),
        (["--workload-id", "w", "--api", "ftp://x"], "--api"),
        (["--workload-id", "w", "--api", "http://control.example"], "not encrypted"),
    ],
)
def test_what_cannot_be_meant_is_refused(given: list[str], word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["runai", "--cluster-id", "c", *given]) == 2
    assert word in capsys.readouterr().err


def test_no_way_to_the_platform_names_the_ways(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RUNAI_MCP", "RUNAI_URL"):
        monkeypatch.delenv(name, raising=False)
    assert command(["runai", "--cluster-id", "c", "--workload-id", "w"]) == 2
    told = capsys.readouterr().err
    assert "--mcp" in told
    assert "--api" in told


def test_a_cluster_object_or_a_selection_is_named_not_both(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["k8s"]) == 2
    assert command(["k8s", "pod/x", "-l", "a=b"]) == 2
    assert command(["k8s", "pod/x", "pod/y"]) == 2
    assert command(["k8s", "pod", "x", "y"]) == 2
    assert "KIND/NAME" in capsys.readouterr().err


def test_spans_are_counts_of_a_unit() -> None:
    assert [span(text) for text in ("90m", "24h", "7d", "2w")] == [5_400.0, 86_400.0, 604_800.0, 1_209_600.0]
    with pytest.raises(CommandError):
        span("0h")


def test_credentials_in_an_address_are_not_repeated_by_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("httpx2")
    address = "https://ana:hunter2hunter2@127.0.0.1:9/"
    assert command(["runai", "--cluster-id", "c", "--workload-id", "w", "--mcp", address, "--api", address]) == 2
    assert command(["k8s", f"pod{address}x", "-n", "ml"]) == 2
    assert "hunter2hunter2" not in capsys.readouterr().err
