"""Checkpoints are judged by their headers; what is not whole is never named as the place to go on from."""

from __future__ import annotations

import struct
from collections.abc import Mapping

import pytest

from runtriage.model.facts import Checkpoint
from runtriage.parse import Piece, assemble
from tests.parse.documents import archive, parsed, safetensors, torch_file

TORCH = torch_file()


def pieces(files: Mapping[str, bytes]) -> list[Piece]:
    return [piece for path, content in files.items() for piece in parsed(path, "checkpoint", content).pieces]


def found(files: Mapping[str, bytes], saved: Mapping[str, int] | None = None) -> dict[str, Checkpoint]:
    return {item.path: item for item in assemble(pieces(files), saved or {})}


def only(files: Mapping[str, bytes]) -> Checkpoint:
    (item,) = found(files).values()
    return item


def hdf5(length: int, said: int) -> bytes:
    block = b"\x89HDF\r\n\x1a\n" + bytes([0, 0, 0, 0, 0, 8, 8, 0]) + struct.pack("<HHI", 4, 16, 0)
    return (block + struct.pack("<QQQ", 0, 2**64 - 1, said)).ljust(length, b"\1")


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("ckpt_10.pt", TORCH, "torch"),
        ("ckpt_10.safetensors", safetensors(), "safetensors"),
        ("ckpt_10.keras", archive({"config.json": b"{}", "model.weights.h5": b"x"}), "keras"),
        ("ckpt_10.h5", hdf5(800, 800), "hdf5"),
    ],
)
def test_whole_files_are_whole_and_cut_ones_are_not(name: str, content: bytes, form: str) -> None:
    whole = only({name: content})
    assert (whole.valid, whole.format, whole.step, whole.problem) == (True, form, 10, None)
    for cut in (1, len(content) // 2):
        broken = only({name: content[:-cut]})
        assert broken.valid is False, cut
        assert broken.problem
    assert only({name: b""}).problem == "is empty"
    assert only({name: bytes(9000)}).valid is False


def test_a_safetensors_file_says_how_much_is_missing() -> None:
    content = safetensors(400)
    assert (only({"ckpt_1.safetensors": content[:-9]}).problem or "").startswith("9 of ")
    assert "more than" in (only({"ckpt_1.safetensors": content + b"xx"}).problem or "")
    assert only({"ckpt_1.safetensors": b"\xff" * 64}).valid is False


def test_a_pickle_is_not_opened_so_nothing_is_said() -> None:
    assert only({"ckpt_1.pt": b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."}).valid is None


def test_the_folder_of_a_step_is_one_checkpoint() -> None:
    files = {f"out/checkpoint-{step}/{name}": TORCH for step in (100, 200) for name in ("model.bin", "optimizer.pt")}
    files["out/checkpoint-200/optimizer.pt"] = TORCH[:900]
    items = found(files)
    assert list(items) == ["out/checkpoint-100", "out/checkpoint-200"]
    assert items["out/checkpoint-100"].valid is True
    assert items["out/checkpoint-100"].resumable is True
    assert items["out/checkpoint-200"].valid is False
    assert (items["out/checkpoint-200"].problem or "").startswith("optimizer.pt: ")


def test_the_newest_of_a_series_lacks_what_all_before_it_have() -> None:
    files = {f"c/step_{step}/{name}": TORCH for step in (1, 2, 3) for name in ("model.pt", "optim.pt")}
    del files["c/step_3/optim.pt"]
    items = found(files)
    assert [item.valid for item in items.values()] == [True, True, False]
    assert "optim.pt" in (items["c/step_3"].problem or "")


def test_an_index_wants_all_its_shards() -> None:
    index = b'{"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}}'
    files = {
        "checkpoint-5/model.safetensors.index.json": index,
        "checkpoint-5/model-00001-of-00002.safetensors": safetensors(),
        "checkpoint-5/model-00002-of-00002.safetensors": safetensors(),
    }
    assert only(files).valid is True
    del files["checkpoint-5/model-00002-of-00002.safetensors"]
    broken = only(files)
    assert broken.valid is False
    assert "model-00002-of-00002.safetensors" in (broken.problem or "")


def test_shards_counted_in_their_names_are_counted() -> None:
    files = {f"m-0000{number}-of-00003.safetensors": safetensors() for number in (1, 3)}
    assert "1 of the 3" in (only(files).problem or "")


def test_latest_points_at_a_whole_set_or_is_told_on() -> None:
    shards = {f"global_step7/bf16_zero_pp_rank_{rank}_mp_rank_00_optim_states.pt": TORCH for rank in (0, 1, 2)}
    assert only({"latest": b"global_step7\n", **shards}).valid is True
    dangling = found({"latest": b"global_step9", **shards})["latest"]
    assert dangling.valid is False
    assert dangling.problem == "names global_step9, which is not there"
    del shards["global_step7/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt"]
    partial = found({"latest": b"global_step7", **shards})
    assert "rank 1" in (partial["global_step7"].problem or "")
    assert partial["latest"].problem == "names global_step7, which is not whole"


def test_a_distributed_checkpoint_without_metadata_was_never_finished() -> None:
    files = {"step_5/__0_0.distcp": b"x" * 99, "step_5/__1_0.distcp": b"x" * 99, "step_5/.metadata": b"\x80\x04x"}
    assert only(files).valid is True
    del files["step_5/.metadata"]
    assert ".metadata" in (only(files).problem or "")


def test_names_given_until_a_save_is_done_tell_it_is_not() -> None:
    assert only({"tmp-checkpoint-9/model.safetensors": safetensors()}).valid is False
    assert only({"checkpoints/9.orbax-checkpoint-tmp-17/d": TORCH}).valid is False


def orbax(step: str = "run/40/default") -> dict[str, bytes]:
    manifest = b"\x0c\xdb\x3a\x2a" + struct.pack("<Q", 40) + bytes(28)
    part = f"{step}/ocdbt.process_0"
    return {
        f"{step}/_METADATA": b'{"tree_metadata": {}}',
        f"{step}/_CHECKPOINT_METADATA": b'{"init_timestamp_nsecs": 1, "commit_timestamp_nsecs": 2}',
        f"{step}/manifest.ocdbt": manifest,
        f"{part}/manifest.ocdbt": manifest,
        f"{part}/d/{'0f' * 16}": b"x" * 99,
        f"{step}/d/{'ab' * 16}": b"x" * 99,
    }


def test_a_folder_of_orbax_is_one_checkpoint_whatever_it_is_called() -> None:
    item = only(orbax())
    assert (item.path, item.step, item.format, item.valid) == ("run/40/default", 40, "orbax", True)
    assert list(found(orbax("out/step_7"))) == ["out/step_7"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("_METADATA", None, "written last"),
        ("manifest.ocdbt", None, "written last"),
        ("_METADATA", b'{"tree_', "no whole JSON"),
        ("manifest.ocdbt", b"\x0c\xdb\x3a\x2a" + struct.pack("<Q", 90) + bytes(28), "says 90"),
        ("manifest.ocdbt", bytes(40), "does not begin"),
        ("_CHECKPOINT_METADATA", b'{"commit_timestamp_nsecs": null}', "never committed"),
        (f"d/{'ab' * 16}", b"", "is empty"),
    ],
)
def test_what_a_checkpoint_of_orbax_lacks_is_said(name: str, content: bytes | None, said: str) -> None:
    files = orbax()
    del files[f"run/40/default/{name}"]
    if content is not None:
        files[f"run/40/default/{name}"] = content
    item = only(files)
    assert item.valid is False
    assert said in (item.problem or "")


def test_a_file_that_only_bears_such_a_name_is_no_checkpoint() -> None:
    assert found({"table/_METADATA": b"PAR1"}) == {}


@pytest.mark.parametrize(
    ("path", "step"),
    [
        ("epoch=1-step=250.ckpt", 250),
        ("global_step1200/mp_rank_00_model_states.pt", 1200),
        ("iter_0000300/model.pt", 300),
        ("checkpoints/40/params.pt", 40),
        ("best.ckpt", None),
        ("resnet50.pth", None),
        ("epoch_3.pt", None),
    ],
)
def test_the_step_is_read_from_the_name(path: str, step: int | None) -> None:
    assert only({path: TORCH}).step == step


def test_the_step_the_log_printed_goes_before_a_bare_number() -> None:
    items = found({"ckpt_3.pt": TORCH, "policy.pt": TORCH}, {"ckpt_3.pt": 3000, "policy.pt": 160})
    assert (items["ckpt_3.pt"].step, items["policy.pt"].step) == (3000, 160)


def test_a_model_that_nothing_names_as_a_checkpoint_is_no_place_to_resume_from() -> None:
    assert only({"pretrained/model.safetensors": safetensors()}).resumable is False
    assert only({"last.ckpt": TORCH}).resumable is not False


def test_files_saved_beside_weights_are_no_checkpoint() -> None:
    assert found({"training_args.bin": TORCH, "model.safetensors.index.json": b"{}"}) == {}


def test_a_pointer_is_not_satisfied_by_a_longer_name() -> None:
    assert found({"latest": b"global_step1", "global_step10/m.pt": TORCH})["latest"].valid is False
    tensorflow = {"checkpoint": b'model_checkpoint_path: "ckpt-3"\n', "ckpt-3.data-00000-of-00001": b"x" * 50}
    assert "checkpoint" not in found(tensorflow)


def test_weights_under_the_name_of_a_pointer_are_weights() -> None:
    assert found({"run/latest": TORCH})["run/latest"].format == "torch"
