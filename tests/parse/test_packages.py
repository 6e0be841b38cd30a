"""Lists of packages and dumps of an environment become settings; nothing of them that may be a secret does."""

from __future__ import annotations

import pytest

from tests.parse.documents import parsed

FREEZE = """\
# pip freeze
Torch==2.1.0+cu121
my_pkg[extra]==1.0 ; python_version > "3.8"
local @ file:///home/x/local-1.0.whl
-e git+https://token@host/x.git#egg=zz
"""
CONDA_LIST = """\
# packages in environment at /opt/conda:
#
# Name                    Version                   Build  Channel
_libgcc_mutex             0.1                        main
cudatoolkit               11.8.0               h37601d7_11    conda-forge
"""
CONDA_ENV = (
    "name: x\nchannels:\n  - defaults\ndependencies:\n  - python=3.11.5=h955ad1f_0\n  - pip:\n    - einops==0.7.0\n"
)
PIP_LIST = "Package    Version\n---------- -------\nnumpy      1.26.4\n"
DUMP = "HOME=/home/x\nNCCL_DEBUG=INFO\nAWS_SECRET_ACCESS_KEY=abcdefgh\nWANDB_API_KEY=0123\nPATH=/bin\nexport CUDA_VISIBLE_DEVICES=0,1\n"
COLLECTED = "PyTorch version: 2.3.1\nIs CUDA available: True\nNvidia driver version: 550.54\n[pip3] torch==2.3.1\n"


def settings(path: str, content: str) -> dict[str, str]:
    return {item.name: item.value.raw for item in parsed(path, "config", content.encode()).settings}


@pytest.mark.parametrize(
    ("path", "content", "expected"),
    [
        (
            "requirements.txt",
            FREEZE,
            {"package torch": "2.1.0+cu121", "package my-pkg": "1.0", "package local": "file:///home/x/local-1.0.whl"},
        ),
        ("conda-list.txt", CONDA_LIST, {"package -libgcc-mutex": "0.1", "package cudatoolkit": "11.8.0"}),
        ("files/conda-environment.yaml", CONDA_ENV, {"package python": "3.11.5", "package einops": "0.7.0"}),
        ("environment.yml", CONDA_ENV, {"package python": "3.11.5", "package einops": "0.7.0"}),
        ("pip_list.txt", PIP_LIST, {"package numpy": "1.26.4"}),
        ("env.txt", DUMP, {"NCCL_DEBUG": "INFO", "CUDA_VISIBLE_DEVICES": "0,1"}),
        (
            "collect_env.txt",
            COLLECTED,
            {
                "PyTorch version": "2.3.1",
                "Is CUDA available": "True",
                "Nvidia driver version": "550.54",
                "package torch": "2.3.1",
            },
        ),
    ],
)
def test_what_a_run_ran_on_is_read(path: str, content: str, expected: dict[str, str]) -> None:
    assert settings(path, content) == expected


@pytest.mark.parametrize("content", ["a" * 100_000, "== " * 50_000, "\x00\xff==1", "x" * 99 + "==1", "- " * 30_000])
def test_hostile_lists_say_nothing(content: str) -> None:
    assert settings("requirements.txt", content) == {}
