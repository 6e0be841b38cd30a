"""Configuration files become settings with a role and a line, and hostile ones end soon and quietly."""

from __future__ import annotations

import pytest

from runtriage.model.event import COMMAND, Event
from runtriage.model.place import Citation
from runtriage.parse import of_commands
from tests.parse.documents import parsed


def settings(path: str, content: str) -> dict[str, tuple[str, str | None, int | None]]:
    found = parsed(path, "config", content.encode()).settings
    return {item.name: (item.value.raw, item.role, item.citation.first_line) for item in found if item.role is not None}


def test_yaml_is_read_with_its_lines() -> None:
    got = settings("config.yaml", "lr: 0.6\ntrainer:\n  gradient_clip_val: 1.0\n  name: x\nmodel:\n  num_classes: 10\n")
    assert got == {
        "lr": ("0.6", "lr", 1),
        "trainer.gradient_clip_val": ("1.0", "grad_clip", 3),
        "model.num_classes": ("10", "num_labels", 6),
    }


def test_json_with_tabs_is_read_with_its_lines() -> None:
    got = settings("ds_config.json", '{\n\t"fp16": {\n\t\t"enabled": true\n\t},\n\t"train_batch_size": "auto"\n}\n')
    assert got == {"fp16.enabled": ("true", "precision", 3)}


def test_a_precision_that_is_off_is_no_precision() -> None:
    assert settings("training_args.json", '{"fp16": false, "bf16": true}') == {"bf16": ("true", "precision", 1)}


def test_classes_of_a_model_are_counted() -> None:
    got = settings("config.json", '{"id2label": {"0": "a", "1": "b", "2": "c"}}')
    assert got["id2label.num_labels"][:2] == ("3", "num_labels")


def test_values_a_tracker_wraps_keep_their_name() -> None:
    assert settings("config.yaml", "lr:\n  desc: null\n  value: 0.3\n") == {"lr": ("0.3", "lr", 3)}


def test_overrides_printed_arguments_and_ini_files_are_read() -> None:
    assert settings(".hydra/overrides.yaml", "- optim.lr=0.1\n") == {"optim.lr": ("0.1", "lr", 1)}
    got = settings("args.txt", "Namespace(lr=0.01, batch_size=32, data='/x,y', fp16=True)\n")
    assert {name: value[0] for name, value in got.items()} == {"lr": "0.01", "batch_size": "32", "fp16": "True"}
    assert settings("train.toml", "[data]\nnum_workers = 4  # four\n") == {"num_workers": ("4", "num_workers", 2)}


def test_settings_without_a_known_meaning_are_kept_behind_the_others() -> None:
    found = parsed("config.yaml", "config", b"data:\n  path: /d\nlr: 0.6\n_wandb:\n  value: x\n").settings
    assert [(item.name, item.value.raw, item.role) for item in found] == [
        ("lr", "0.6", "lr"),
        ("data.path", "/d", None),
    ]
    assert [item.name for item in parsed("args.txt", "config", b"some words of prose\nlr 0.3\n").settings] == ["lr"]
    machine = parsed("wandb-metadata.json", "config", b'{"python": "3.11", "args": ["--lr", "1e-4"]}').settings
    assert {item.name for item in machine} >= {"python"}


def test_deepspeed_and_fsdp_are_recognised_by_their_keys() -> None:
    assert parsed("ds_config.json", "config", b'{"zero_optimization": {"stage": 2}}').frameworks == ["deepspeed"]
    assert parsed("accelerate_config.yaml", "config", b"distributed_type: FSDP\n").frameworks == ["fsdp"]


@pytest.mark.parametrize(
    "content",
    [
        "[" * 200_000,
        "- " * 200_000 + "a",
        '{"a":' * 100_000,
        "a: &a [x, x]\n"
        + "".join(f"b{n}: &b{n} [{', '.join(['*a' if n == 0 else f'*b{n - 1}'] * 9)}]\n" for n in range(30)),
        "\x00\x01\x02",
        "a: b: c: [",
        "!!python/object/apply:os.system ['true']",
    ],
    ids=["brackets", "dashes", "braces", "laughs", "nul", "broken", "tag"],
)
def test_hostile_documents_say_nothing(content: str) -> None:
    assert settings("config.yaml", content) == {}


def test_what_precedes_an_error_is_kept() -> None:
    assert settings("config.json", '{"lr": 0.1, "seed": 3,') == {"lr": ("0.1", "lr", 1), "seed": ("3", "seed", 1)}


def test_options_of_the_printed_command_are_settings() -> None:
    event = Event(
        kind=COMMAND,
        name="command",
        citation=Citation(artifact="train.log", first_line=1),
        excerpt="",
        captures={"command": "torchrun train.py --lr 0.7 --num-workers=3 optim.weight_decay=0.1 --fast --seed -1"},
    )
    assert {item.name: item.value for item in of_commands([event, event])} == {
        "lr": "0.7",
        "num_workers": "3",
        "optim.weight_decay": "0.1",
    }


def test_printed_arguments_are_settings_each_once() -> None:
    event = Event(
        kind=COMMAND,
        name="arguments",
        citation=Citation(artifact="train.log", first_line=1),
        excerpt="",
        captures={"arguments": "lr=0.7, num_workers=3, out='a, b', fp16=True)"},
    )
    assert {item.name: (item.value, item.role) for item in of_commands([event, event])} == {
        "lr": ("0.7", "lr"),
        "num_workers": ("3", "num_workers"),
        "fp16": ("True", "precision"),
        "out": ("a, b", None),
    }
