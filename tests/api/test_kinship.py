from __future__ import annotations

import pytest

from runtriage.api.kinship import Known, comparable, same_program

SETTINGS = {"batch_size": "32", "optimizer": "adamw", "model": "vit", "lr": "0.1", "epochs": "9"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Known("/r/a.log"), Known("/r/a.log"), True),
        (Known("/r/nan"), Known("/r/keras.log"), False),
        (Known("/r/run-7.log"), Known("/r/run-12.log"), True),
        (Known("/r/job-7.log", "PyTorch"), Known("/r/job-12.log", "Keras"), False),
        (
            Known("/r/7.log", metrics=frozenset({"loss", "wer"})),
            Known("/r/8.log", metrics=frozenset({"reward"})),
            False,
        ),
        (Known("/a", settings={"wandb.project": "speech"}), Known("/b", settings={"project": "speech"}), True),
        (Known("/a", settings={"project": "speech"}), Known("/b", settings={"project": "speech"}), True),
        (Known("/r/1.log", settings={"project": "speech"}), Known("/r/2.log", settings={"project": "pets"}), False),
        (Known("/a", "JAX", SETTINGS), Known("/b", "JAX", {**SETTINGS, "lr": "0.2"}), True),
        (Known("/a", "JAX", SETTINGS), Known("/b", "JAX", {**SETTINGS, "lr": "0.2", "model": "bert"}), False),
        (Known("/a", "JAX", {"seed": "1"}), Known("/b", "JAX", {"seed": "1"}), False),
        (Known(), Known(), False),
    ],
)
def test_one_program_is_told_by_place_name_or_settings(one: Known, other: Known, same: bool) -> None:
    assert same_program(one, other) is same
    assert same_program(other, one) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Known("/r/a", metrics=frozenset({"loss", "lr"})), Known("/r/b", metrics=frozenset({"loss", "wer"})), False),
        (Known("/r/a", metrics=frozenset({"loss", "lr"})), Known("/r/b", metrics=frozenset({"loss", "lr"})), True),
        (Known("/r/a", "JAX", SETTINGS), Known("/r/b", "unknown", SETTINGS), True),
        (Known("/r/a", "JAX", SETTINGS), Known("/r/b", "Keras", SETTINGS), False),
        (Known("/r/a", settings={"world_size": "1", "epoch": "2"}), Known("/r/b", settings={"world_size": "1"}), False),
    ],
)
def test_runs_with_two_names_in_common_can_be_compared(one: Known, other: Known, same: bool) -> None:
    assert comparable(one, other) is same
