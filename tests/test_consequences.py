"""What breaks because another process of the program is gone is no cause."""

from __future__ import annotations

from pathlib import Path

import runtriage

_MAIN = """\
Traceback (most recent call last):
  File "/app/train.py", line 60, in main
    rate = right / total["val"]
KeyError: 'val'
"""
_PIN_MEMORY = """\
Exception in thread Thread-2 (_pin_memory_loop):
Traceback (most recent call last):
  File "/usr/lib/python3.11/threading.py", line 1045, in _bootstrap_inner
    self.run()
  File "/usr/lib/python3.11/multiprocessing/resource_sharer.py", line 57, in detach
    with _resource_sharer.get_connection(self._id) as conn:
  File "/usr/lib/python3.11/multiprocessing/connection.py", line 752, in answer_challenge
    message = connection.recv_bytes(256)
ConnectionResetError: [Errno 104] Connection reset by peer
"""


def test_a_loader_that_lost_the_main_process_is_not_the_root_whichever_is_printed_first(tmp_path: Path) -> None:
    for at, text in enumerate((_MAIN + _PIN_MEMORY, _PIN_MEMORY + _MAIN)):
        log = tmp_path / f"{at}.log"
        log.write_text(f"step 10 loss 2.5\nstep 20 loss 2.4\n{text}", encoding="utf-8")
        report = runtriage.diagnose(str(log))
        assert report.root_cause.root is not None
        assert "KeyError" in report.root_cause.root


_DRIVER = """\
pack_shards: what came of 2026-11-30 is not complete, refusing to go on with it
Traceback (most recent call last):
  File "/app/nightly.py", line 20, in go
    subprocess.run(STAGES[name], check=True)
subprocess.CalledProcessError: Command '['python', 'pack.py']' returned non-zero exit status 2.

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/nightly.py", line 27, in <module>
    go(name)
  File "/app/nightly.py", line 22, in go
    raise StageFailed(name) from e
StageFailed: pack
"""


def test_the_last_words_of_a_stage_are_the_root_of_what_its_driver_raises(tmp_path: Path) -> None:
    log = tmp_path / "nightly.log"
    log.write_text(_DRIVER, encoding="utf-8")
    report = runtriage.diagnose(str(log))
    assert report.primary_cause == "pipeline-orchestration"
    assert "refusing to go on" in (report.root_cause.root or "")
