"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

_READ: Final = "What to read"
_OUT: Final = "What to write"
_ELSEWHERE: Final = "Other ways to name a target"

Targets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TARGET",
        help="Log, folder, glob, or - for standard input. Several together are one run.",
        show_default=False,
    ),
]
Last = Annotated[
    int | None,
    typer.Option("--last", min=1, metavar="N", help="Read only the last N lines of each log.", rich_help_panel=_READ),
]
Framework = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Narrow to pytorch, lightning, deepspeed, fsdp, tensorflow or jax.", rich_help_panel=_READ
    ),
]
Task = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What metrics to expect: classification, regression or language-modeling.",
        rich_help_panel=_READ,
    ),
]
Artifacts = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH", help="Folder with the run's configs and checkpoints, read with the log.", rich_help_panel=_READ
    ),
]
Data = Annotated[
    list[str] | None,
    typer.Option(
        "--data",
        metavar="PATH",
        help="Table of training data to look through (csv, jsonl, parquet), or a folder of them.",
        rich_help_panel=_READ,
    ),
]
LabelColumn = Annotated[
    str | None,
    typer.Option(
        "--target",
        "--target-column",
        metavar="COLUMN",
        help="Column of the labels: the tables of data in the folder, or of --data, are looked through.",
        rich_help_panel=_READ,
    ),
]
Traceback = Annotated[
    bool,
    typer.Option(
        "--traceback", help="The input is a pasted traceback (standard input by default).", rich_help_panel=_READ
    ),
]
AsOf = Annotated[
    str | None, typer.Option(metavar="TIME", help="End of look-backs, as 2026-05-14T02:00:00Z.", rich_help_panel=_READ)
]
SignatureFolders = Annotated[
    list[Path] | None,
    typer.Option("--signatures", metavar="DIR", help="Folder of your own signatures.", rich_help_panel=_READ),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor write the cache.", rich_help_panel=_READ)]
NoHistory = Annotated[
    bool, typer.Option("--no-history", help="Neither use nor extend the history of diagnoses.", rich_help_panel=_READ)
]
Once = Annotated[
    bool, typer.Option("--once", help="Diagnose once, never wait for a run to end.", rich_help_panel=_READ)
]
Interval = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="SECONDS",
        help="Diagnose a live target again and again, with this pause, until its run has ended (Vertex AI: 60).",
        rich_help_panel=_READ,
    ),
]

Format = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="terminal, json, markdown, html or github.", rich_help_panel=_OUT),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Write the report there; .json, .md, .html and .txt choose the format.",
        rich_help_panel=_OUT,
    ),
]
Open = Annotated[bool, typer.Option("--open", help="Show the HTML report in the browser.", rich_help_panel=_OUT)]
OutDir = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Write check-failed-run.json there.", rich_help_panel=_OUT)
]
Context = Annotated[
    int, typer.Option(min=0, max=1000, metavar="N", help="Show N lines around each cited line.", rich_help_panel=_OUT)
]
Redact = Annotated[
    str | None,
    typer.Option(
        metavar="LEVEL",
        help="default removes secrets, strict also users, hosts, addresses and paths.",
        rich_help_panel=_OUT,
    ),
]
RunId = Annotated[
    str | None, typer.Option(metavar="ID", help="Identifier to put into the report.", rich_help_panel=_OUT)
]
ExitZero = Annotated[
    bool, typer.Option("--exit-zero", help="Leave with 0 also when the run failed.", rich_help_panel=_OUT)
]

Pid = Annotated[int | None, typer.Option(metavar="PID", help="A running process.", rich_help_panel=_ELSEWHERE)]
Proc = Annotated[
    str | None, typer.Option(metavar="NAME", help="A running process, by name.", rich_help_panel=_ELSEWHERE)
]
Wandb = Annotated[str | None, typer.Option(metavar="RUN", help="A Weights & Biases run.", rich_help_panel=_ELSEWHERE)]
Mlflow = Annotated[str | None, typer.Option(metavar="RUN", help="An MLflow run.", rich_help_panel=_ELSEWHERE)]
Vertex = Annotated[
    str | None,
    typer.Option("--vertex-pipeline", metavar="JOB", help="A Vertex AI pipeline job.", rich_help_panel=_ELSEWHERE),
]
Project = Annotated[
    str | None, typer.Option(metavar="PROJECT", help="Google Cloud project of the job.", rich_help_panel=_ELSEWHERE)
]
Region = Annotated[
    str | None, typer.Option(metavar="REGION", help="Region of the job (us-central1).", rich_help_panel=_ELSEWHERE)
]
