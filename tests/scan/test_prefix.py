from __future__ import annotations

import pytest

from runtriage.model.artifact import Artifact
from runtriage.model.subject import Subject
from runtriage.scan.dialects import line_reader
from runtriage.scan.prefix import read_prefix
from runtriage.scan.prefix_field import read_fields
from runtriage.scan.prefix_path import PathFacts, read_path
from runtriage.scan.prefix_style import PLAIN, learn_style


@pytest.mark.parametrize(
    ("line", "subject", "rest"),
    [
        ("[rank3]: Traceback", Subject(rank=3), "Traceback"),
        ("[rank3]:   File", Subject(rank=3), "  File"),
        ("[rank0]:[W514 02:11:16.2 Proc", Subject(rank=0), "[W514 02:11:16.2 Proc"),
        ("[rank: 1] Seed set to 0", Subject(), "[rank: 1] Seed set to 0"),
        ("[default3]:  File", Subject(local_rank=3, role="default"), "  File"),
        ("[trainer1]:rank 1 attempt 0", Subject(local_rank=1, role="trainer"), "rank 1 attempt 0"),
        ("[1,3]<stdout>:step 5", Subject(rank=3), "step 5"),
        ("[1,mpirank:9,algo-2]<stderr>:step 5", Subject(rank=9, node="algo-2"), "step 5"),
        ("[prterun-node7-123@1,3]<stderr>: step 5", Subject(rank=3), "step 5"),
        (
            "(RayTrainWorker pid=123, ip=10.0.0.1) loss",
            Subject(role="RayTrainWorker", pid=123, node="10.0.0.1"),
            "loss",
        ),
        ("(pid=7, ip=10.0.0.1) loss", Subject(pid=7, node="10.0.0.1"), "loss"),
        ("\x1b[36m(train_fn pid=7)\x1b[0m loss", Subject(role="train_fn", pid=7), "loss"),
        ("(Worker pid=7) [rank2]: loss", Subject(role="Worker", pid=7, rank=2), "loss"),
        ("(train-llm, pid=1792) loss", Subject(role="train-llm", pid=1792), "loss"),
        ("(head, rank=0, pid=2811) loss", Subject(node="head", pid=2811), "loss"),
        ("(worker1, rank=1, pid=1792, ip=10.4.3.9)   File", Subject(node="worker1", pid=1792), "  File"),
        ("[pod/job-0-abc/main] loss", Subject(pod="job-0-abc", role="main"), "loss"),
        ("[pod/job-0/main] [rank1]: loss", Subject(pod="job-0", role="main", rank=1), "loss"),
        ("gpu-7:5571:5872 [2] NCCL INFO NET", Subject(node="gpu-7", pid=5571, gpu="2"), "NCCL INFO NET"),
        (
            "gpu-7:5571:5872 [2] transport/net_ib.cc:2287 NCCL WARN NET/IB",
            Subject(node="gpu-7", pid=5571, gpu="2"),
            "transport/net_ib.cc:2287 NCCL WARN NET/IB",
        ),
        (
            "[2026-01-01 12:08:32] n-0:194:710 [0] int cm_req_handle_error_entry(fid_cq*, uint16_t):46 NCCL WARN NET/OFI",
            Subject(node="n-0", pid=194, gpu="0"),
            "int cm_req_handle_error_entry(fid_cq*, uint16_t):46 NCCL WARN NET/OFI",
        ),
        ("[c3:20117] *** An error occurred", Subject(node="c3", pid=20117), "*** An error occurred"),
        ("[c3:20117] Signal: Bus error (7)", Subject(node="c3", pid=20117), "Signal: Bus error (7)"),
        (
            "[1731810000.439548] [c4:32674:0] ib_md.c:349  UCX  ERROR ibv",
            Subject(node="c4", pid=32674),
            "ib_md.c:349  UCX  ERROR ibv",
        ),
        ("[train.py:120] loss 2.0", Subject(), "[train.py:120] loss 2.0"),
        ("[trainer:120] [ 3] loss", Subject(), "[trainer:120] [ 3] loss"),
        ("step 5 loss 2.0", Subject(), "step 5 loss 2.0"),
        ("[iter3]: loss", Subject(), "[iter3]: loss"),
        ("[INFO] loss", Subject(), "[INFO] loss"),
        ("[3]: loss", Subject(), "[3]: loss"),
    ],
)
def test_a_launcher_s_prefix_names_the_speaker_and_is_taken_off(line: str, subject: Subject, rest: str):
    prefix = read_prefix(line.encode())
    assert prefix.subject == subject
    assert line.encode()[prefix.end :].decode() == rest


def test_mpirun_says_which_stream_a_line_came_from():
    assert read_prefix(b"[1,3]<stderr>:x").stream == "stderr"


def test_bare_numbers_are_ranks_only_where_they_repeat_all_over_the_file():
    ranks = b"".join(b"[%d]: step %d loss 1.0\n" % (step % 4, step) for step in range(40))
    srun = b"".join(b"%d: step %d loss 1.0\n" % (step % 2, step) for step in range(40))
    assert read_prefix(b"[3]: Killed", learn_style(ranks)).subject.rank == 3
    assert read_prefix(b" 1: Killed", learn_style(srun)).subject.rank == 1
    assert read_prefix(b"[3] Killed", learn_style(ranks)).subject.rank is None


def test_a_short_paste_shows_ranks_by_what_they_say():
    alike = b"0: step 310 ok\n1: step 310 ok\n2: step 310 ok\n3: step 310 ok\n3: loading eval split\n"
    assert learn_style(alike).bare == ":"
    raised = (
        b'3: Traceback (most recent call last):\n3:   File "t.py", line 1, in <module>\n3: KeyError: 1\nsrun: error\n'
    )
    assert learn_style(raised).bare == ":"
    assert learn_style(b"0: loss 0.51\n1: loss 0.42\n2: loss 0.38\n3: loss 0.35\n").bare == ""
    numbered = b'41: Traceback (most recent call last):\n42:   File "t.py", line 1, in <module>\n43: KeyError: 1\n'
    assert learn_style(numbered).bare == ""


def test_a_short_paste_of_pdsh_shows_its_hosts():
    paste = (
        b"worker-2: ImportError: libcudart.so.12\nworker-2: done\npdsh@head: worker-2: ssh exited with exit code 1\n"
    )
    assert learn_style(paste).hosts == {b"worker-2"}
    assert learn_style(b"layer1: 5\nlayer1: 6\nother\n").hosts == frozenset()


def test_one_rank_printed_on_every_line_is_a_rank():
    style = learn_style(b"".join(b"[0] step %d/900 loss 1.0\n" % step for step in range(40)))
    assert read_prefix(b"[0] done", style).subject.rank == 0


@pytest.mark.parametrize("shape", [b"[%d]\tvalid-rmse:0.5\n", b"[%d] valid's auc: 0.5\n", b"%d: loss 0.5\n"])
def test_numbers_that_only_grow_are_rounds_and_not_ranks(shape: bytes):
    assert learn_style(b"".join(shape % step for step in range(60))) == PLAIN


def test_host_names_count_as_prefix_where_most_lines_have_one():
    style = learn_style(b"".join(b"gpu-1%d: [INFO] step %d\n" % (step % 2, step) for step in range(20)))
    assert read_prefix(b"gpu-11: Killed", style).subject == Subject(node="gpu-11")
    assert learn_style(b"epoch1: 5\nepoch2: 5\nepoch3: 4\nepoch1: 3\nepoch1: 2\nepoch1: 2\n") == PLAIN


def test_a_collector_s_time_before_every_line_is_no_part_of_the_text():
    sample = b"".join(b"2026-11-29T13:13:%02d.123456789Z stderr F [rank1]: step\n" % n for n in range(20))
    reader = line_reader(Artifact(path="pod.log", kind="log"), sample)
    line = b"2026-11-29T13:14:00.123456789Z stderr F [rank1]: Traceback (most recent call last):"
    length, key = reader.speaker(line)
    assert (line[length:], key) == (b"Traceback (most recent call last):", b"[rank1]:")
    context = reader.context(line)
    assert context.subject.rank == 1
    assert context.when is not None
    assert context.when.utc is not None


@pytest.mark.parametrize(
    ("text", "rank", "local"),
    [
        ("[2026-06-01 01:13:48,243] [INFO] [logging.py:107:log_dist] [Rank 5] step=6", 5, None),
        ("2026-11-29 13:16:28,475 | INFO    | rank1 | step 15", 1, None),
        ("[2026-11-29 13:13:22,520] [INFO] [rank1:13] step 6", 1, None),
        ("INFO 15:00:03 rank0 warmup batch 1/30", 0, None),
        ("13:46:32 rank=1 step=20", 1, None),
        ("[PG ID 0 PG GUID 0 Rank 7] using GPU", 7, None),
        ("Initializing distributed: GLOBAL_RANK: 2, MEMBER: 3/4", 2, None),
        ("(rank3) out of steps", 3, None),
        ("rank 3: loss 2.0", 3, None),
        ("local_rank=1 ready", None, 1),
        ("Received a dump signal due to a collective timeout from rank 5", None, None),
        ("Duplicate GPU detected : rank 2 and rank 3", None, None),
        ("waiting for rank=2 and rank=3", None, None),
        ("low rank 8 adapters", None, None),
        ("lora_rank=16", None, None),
        ("LinkRank 3", None, None),
    ],
)
def test_a_logger_s_field_names_the_rank_and_a_sentence_about_others_does_not(
    text: str, rank: int | None, local: int | None
):
    said = read_fields(text.encode())
    assert (said.rank, said.local_rank) == (rank, local)


@pytest.mark.parametrize(
    ("path", "facts"),
    [
        ("logs/rank_3.log", PathFacts(rank=3)),
        ("7.log", PathFacts(rank=7)),
        ("logs/113.log", PathFacts(rank=113)),
        ("113.log", PathFacts()),
        ("out.8812031", PathFacts()),
        ("48213.out", PathFacts(stream="stdout")),
        ("rank3.err", PathFacts(rank=3, stream="stderr")),
        ("out/stdout_rank3.txt", PathFacts(rank=3, stream="stdout")),
        ("worker-3.err", PathFacts(rank=3, stream="stderr")),
        ("log.3", PathFacts(rank=3)),
        ("slurm-123_3.out", PathFacts(rank=3, stream="stdout")),
        ("slurm-123.out", PathFacts(stream="stdout")),
        ("tl/none_x/attempt_1/0/stderr.log", PathFacts(attempt=1, local_rank=0, stream="stderr")),
        ("local_rank_2.log", PathFacts(local_rank=2)),
        ("gpu-a07/train.log", PathFacts(node="gpu-a07")),
        ("node-0-rank-5.log", PathFacts(rank=5, node="0")),
        ("run-12/epoch-3/train.log", PathFacts()),
        ("train.log", PathFacts()),
        ("rankings_2024.txt", PathFacts()),
        ("events.out.tfevents.1764421988.host", PathFacts()),
        ("logs/73008_3_0_log.out", PathFacts(rank=0, stream="stdout")),
        ("logs/73008_5_log.err", PathFacts(rank=5, stream="stderr")),
    ],
)
def test_a_path_says_who_wrote_the_file(path: str, facts: PathFacts):
    assert read_path(path) == facts


def test_a_line_s_rank_goes_before_its_file_s_rank():
    reader = line_reader(Artifact(path="logs/rank_3.log", kind="log"), b"")
    assert reader.subject(b"step 5").rank == 3
    assert reader.subject(b"[rank1]: Killed").rank == 1


def test_an_artifact_s_own_facts_go_before_its_path():
    reader = line_reader(Artifact(path="logs/rank_3.log", kind="log", rank=7, attempt=2, node="n1"), b"")
    assert reader.subject(b"step 5") == Subject(rank=7, attempt=2, node="n1")


def test_a_number_in_a_file_s_name_is_no_rank_where_its_lines_name_others():
    words = b"n1:11:34 [0] NCCL WARN Call failed\n[rank8]: Traceback\n"
    assert line_reader(Artifact(path="1.log", kind="log"), words).subject(b"n1 says").rank == 8
    several = b"[rank8]: a\n[rank9]: b\n"
    assert line_reader(Artifact(path="1.log", kind="log"), several).subject(b"n1 says").rank is None
    own = b"[rank0]: peer\n[rank1]: me\n"
    assert line_reader(Artifact(path="1.log", kind="log"), own).subject(b"n1 says").rank == 1
