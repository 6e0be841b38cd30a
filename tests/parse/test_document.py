"""Which parser a document is given to, and that none is left out for a text it could claim."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import pytest

import runtriage.parse
from runtriage.model.artifact import Artifact
from runtriage.parse.document import parsers, recognise
from runtriage.parse.text_words import WORDS

TEXTS = {
    "k8s": b"apiVersion: v1\nkind: Pod\nstatus:\n  phase: Failed\n",
    "k8s-describe": b"Name:         trainer-0\nNamespace:    ml\nEvents:\n",
    "k8s-events": b"LAST SEEN   TYPE      REASON    OBJECT    MESSAGE\n",
    "k8s-table": b"NAME   READY   STATUS   RESTARTS   AGE\n",
    "nccl-log": b"step 1\ngpu-01:41:42 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0]\n",
    "nvidia-smi": b"\n==============NVSMI LOG==============\n",
    "nvidia-smi-csv": b"index, clocks_throttle_reasons.hw_slowdown, name\n0, Active, x\n",
    "process": b' "schema": "runtriage.process/1"\n',
    "process-run": b' "schema": "runtriage.run/1"\n',
    "recorder": b"\x80\x02}q\x00(X\x09\x00\x00\x00pg_configq\x01X\x18\x00\x00\x00last_enqueued_collectiveq\x02",
    "sky": b'SkyPilot API server 0.9\n[{"job_id": 1, "schedule_state": "DONE"}]',
    "sky-table": b"Managed jobs\nID  TASK  NAME  RESOURCES  #RECOVERIES  STATUS\n1   -     a     1x         0            DONE\n",
    "slurm-table": b"JobID|JobName|State|ExitCode\n1|a|FAILED|1:0\n",
    "slurm-shown": b"JobId=17 JobName=train\n   JobState=FAILED\n",
    "slurm-queue": b"  JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n",
    "tables-df": b"Filesystem 1K-blocks Used Available Use% Mounted on\n",
    "metrics-events": b"\x18\0\0\0\0\0\0\0\xa3\x7f\x4b\x22\t\0\0\0\0\0\0\0\0\x1a\rbrain.Event:2",
    "metrics-wandb": b":W&B\x00",
    "workflow": b'# ledger\n{"schema": "npa.workflow.runtime.v1"}\n',
}
"""A text for every parser that takes some, as it begins."""


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_reaches_the_parser_that_claims_it_though_it_looks_like_a_log(name: str) -> None:
    found = recognise(Artifact(path="kept.log", kind="log"), TEXTS[name])

    assert found is not None
    assert found.id == name


def test_parsers_that_take_no_text_claim_none() -> None:
    silent = {module for module, words in WORDS.items() if not words}
    logs = [Artifact(path="kept.log", kind="log"), Artifact(path="runs/5/train.out", kind="log")]

    for parser in parsers(silent):
        assert not any(parser.claims(log, text) for log in logs for text in (*TEXTS.values(), b"step 1 loss 2.5\n"))


def test_every_module_with_parsers_is_asked() -> None:
    names = [module.name for module in pkgutil.iter_modules(runtriage.parse.__path__)]

    assert sorted(WORDS) == [name for name in names if hasattr(import_module(f"runtriage.parse.{name}"), "PARSERS")]


@pytest.mark.parametrize("content", [b'{"jobs": [], "TrainingJobStatus": "Failed"}', b'\n {"TrainingJobStatus": 1}'])
def test_a_document_in_json_is_shown_to_all_parsers(content: bytes) -> None:
    found = recognise(Artifact(path="kept.log", kind="log"), content)

    assert found is not None
    assert found.id == "cloud-job"


def test_what_a_source_says_of_a_run_is_shown_to_all_parsers() -> None:
    found = recognise(Artifact(path="store", kind="log", source="mlflow-store"), b"runs\n")

    assert found is not None
    assert found.id == "a-store-of-mlflow"


def test_a_log_belongs_to_no_parser() -> None:
    for text in (b"step 1 loss 2.5\nNAME of the run: a\n", b'[rank0] step 1\n{"kind": "Pod", "apiVersion": "v1"}\n'):
        assert recognise(Artifact(path="train.log", kind="log"), text) is None
