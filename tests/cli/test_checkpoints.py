"""`runtriage checkpoints` as users run it."""

import json
import shutil
from pathlib import Path

from tests.cli.running import inside

SAVED = Path(__file__).parents[1] / "parse" / "saved"


def test_the_last_good_one_is_named_and_is_not_weights_alone(tmp_path: Path) -> None:
    for name in ("step_100.pt", "step_200.pt"):
        shutil.copy(SAVED / name, tmp_path)
    done = inside("checkpoints", tmp_path, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.endswith(f"last good: {tmp_path / 'step_100.pt'}\n")
    assert "weights only" in done.stdout


def test_weights_that_are_no_numbers_are_damage(tmp_path: Path) -> None:
    for name in ("step_100.pt", "step_200.pt"):
        shutil.copy(SAVED / name, tmp_path)
    done = inside("checkpoints", tmp_path, "--deep", "--format", "json", cwd=tmp_path)
    document = json.loads(done.stdout)
    assert document["last_good"] == "step_100.pt"
    assert "NaN or infinite" in document["checkpoints"][1]["problem"]


def test_exit_codes_say_how_it_stands(tmp_path: Path) -> None:
    whole = (SAVED / "step_100.pt").read_bytes()
    (tmp_path / "step_1.pt").write_bytes(whole[:-10])
    assert inside("checkpoints", tmp_path, cwd=tmp_path).returncode == 1
    shutil.copy(SAVED / "legacy.pt", tmp_path)
    assert inside("checkpoints", tmp_path, cwd=tmp_path).returncode == 5
    missing = inside("checkpoints", tmp_path / "nowhere", cwd=tmp_path)
    assert (missing.returncode, missing.stdout, missing.stderr.count("\n")) == (3, "", 1)
    assert inside("checkpoints", tmp_path, "--format", "xml", cwd=tmp_path).returncode == 2


def test_a_file_of_a_hundred_gigabytes_is_listed_by_its_ends(tmp_path: Path) -> None:
    with (tmp_path / "step_5.safetensors").open("wb") as file:
        header = b'{"w":{"dtype":"F32","shape":[25000000000],"data_offsets":[0,100000000000]}}'
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + 100_000_000_000)
    done = inside("checkpoints", tmp_path, cwd=tmp_path)
    assert done.returncode == 0
    assert "100 GB" in done.stdout


def test_a_folder_without_any_is_told_as_a_fault_is(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text("step 1 loss 2.5\n")
    done = inside("checkpoints", tmp_path, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("runtriage: no checkpoint was found; name the folder")
    assert json.loads(inside("checkpoints", tmp_path, "--format", "json", cwd=tmp_path).stdout)["checkpoints"] == []
