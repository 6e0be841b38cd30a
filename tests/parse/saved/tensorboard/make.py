"""`python make.py torch` or `python make.py tensorboardX`: writes `WRITER.tfevents.1` beside this file with that writer's own code.

The first needs the packages torch and tensorboard.
"""

from __future__ import annotations

import sys
import tempfile
from importlib import import_module
from pathlib import Path


def main(which: str) -> None:
    """Write losses of which the last ten are no numbers, with everything else that commonly stands between them."""
    library = import_module("torch.utils.tensorboard" if which == "torch" else which)
    with tempfile.TemporaryDirectory() as folder:
        board = library.SummaryWriter(folder)
        for step in range(140):
            board.add_scalar("train/loss", 2 / (1 + step / 20) if step < 130 else float("nan"), step)
            board.add_scalar("train/lr", 1e-3 * (1 - step / 140), step)
            if step % 50 == 49:
                board.add_scalar("val/loss", 2.2 / (1 + step / 20), step)
            if step == 5:
                board.add_text("note", "hello")
                board.add_histogram("weights", import_module("numpy").array([1.0, 2.0]), step)
            if which == "torch":
                board.add_scalar("as/tensor", 1 / (1 + step), step, new_style=True)
            if which == "torch" and step == 7:
                board.add_scalar("as/double", 0.1, step, new_style=True, double_precision=True)
        board.close()
        (written,) = Path(folder).glob("events*")
        content = written.read_bytes()
    Path(__file__).with_name(f"{which}.tfevents.1").write_bytes(content)


if __name__ == "__main__":
    main(sys.argv[1])
