from runtriage.redact import DEFAULT, clean, clean_document, strict

TEXT = """\
  File "/home/alice/secretproj/train_acme.py", line 12, in <module>
  File "/opt/conda/lib/python3.10/site-packages/torch/nn/modules/linear.py", line 116, in forward
  File "/home/alice/venv/lib/python3.11/site-packages/transformers/trainer.py", line 1
FileNotFoundError: [Errno 2] No such file or directory: '/data/acme/shards/part-0001.parquet'
gpu-09:12345:12399 [3] NCCL INFO Bootstrap : Using eth0:10.12.7.44<0>
gpu-09 is gone; host gpu-10.cluster.local too; node: gpu-09
srun: error: gpu-b07: task 3: Killed
MASTER_ADDR=10.12.7.44 MASTER_PORT=29500 rdzv_endpoint=gpu-01:29400
mail alice@acme.com or alice@gpu-09; USER=bob
s3://acme-models/ckpt/step_1000/model.safetensors missing
wandb: Currently logged in as: lab-bot (team-dev)
peer fe80::1ff:fe23:4567:890a and 2001:db8::1:2:3 via aa:bb:cc:dd:ee:ff
C:\\Users\\carol\\x\\train_acme.py:12
May 14 02:11:07 gn08 kernel: Out of memory: Killed process 31337 (python)
"""
PRIVATE = (
    *("alice", "bob", "carol", "acme", "secretproj", "gpu-09", "gpu-10", "gpu-b07", "gpu-01", "gn08", "10.12.7.44"),
    *("lab-bot", "team-dev", "fe80::", "2001:db8", "aa:bb"),
)


def test_who_and_where_are_gone() -> None:
    cleaned = clean(TEXT, strict())
    assert [name for name in PRIVATE if name in cleaned] == []


def test_what_the_diagnosis_needs_stays() -> None:
    lines = clean(TEXT, strict()).split("\n")
    assert lines[1] == TEXT.split("\n")[1]
    assert "site-packages/transformers/trainer.py" in lines[2]
    assert lines[0].endswith('.py", line 12, in <module>')
    assert lines[3].endswith("/part-0001.parquet'")
    assert "MASTER_PORT=29500" in lines[7]
    assert lines[13].endswith("kernel: Out of memory: Killed process 31337 (python)")


def test_one_name_has_one_ordinal_everywhere() -> None:
    names = strict()
    first = clean("gpu-09:1:2 [0] NCCL INFO x", names)
    later = clean("lost contact with gpu-09, then host gpu-11", names)
    assert (first, later) == ("host-1:1:2 [0] NCCL INFO x", "lost contact with host-1, then host host-2")


def test_ordinals_are_stable_when_cleaned_again() -> None:
    names = strict()
    once = clean(TEXT, names)
    assert clean(once, names) == once
    assert clean(once, strict()) == once


def test_local_and_public_names_stay() -> None:
    line = "127.0.0.1:29500 https://huggingface.co /dev/shm logs/rank37.err:88412 step 12/100 3 tokens/s torch.nn.Linear v2.1.0"
    assert clean(line, strict()) == line


def test_document_counts_in_reading_order_and_keeps_its_shape() -> None:
    document = {
        "schema": "runtriage.report/1",
        "summary": "rank 3 on gpu-09 ran out of memory",
        "culprit": {"rank": 3, "node": "gpu-09", "pod": None},
        "evidence": [{"citation": {"artifact": "acme-run/rank3.log", "first_line": 7, "sha256": "9f86d081" * 8}}],
    }
    cleaned = clean_document(document, strict())
    assert cleaned == {
        "schema": "runtriage.report/1",
        "summary": "rank 3 on host-1 ran out of memory",
        "culprit": {"rank": 3, "node": "host-1", "pod": None},
        "evidence": [{"citation": {"artifact": "path-1/rank3.log", "first_line": 7, "sha256": "9f86d081" * 8}}],
    }


def test_ordinals_that_the_run_uses_itself_are_not_given_to_others() -> None:
    document = {"summary": "host-1 lost gpu-09", "culprit": {"node": "gpu-09"}}
    assert clean_document(document, strict()) == {"summary": "host-1 lost host-2", "culprit": {"node": "host-2"}}


def test_the_name_of_an_artifact_is_hidden_in_sentences_too() -> None:
    document = {
        "summary": "printed at acme.log:9",
        "citation": {"artifact": "logs/acme.log"},
        "coverage": {"artifact": "train.log"},
    }
    assert clean_document(document, strict()) == {
        "summary": "printed at file-1.log:9",
        "citation": {"artifact": "logs/file-1.log"},
        "coverage": {"artifact": "train.log"},
    }


def test_a_run_that_calls_itself_a_secret_or_a_terminal_control_is_cleaned_and_a_plain_name_is_kept() -> None:
    evil = "\x1b[31mrun AWS_SECRET_ACCESS_KEY=abcdefgh12345678abcdefgh12345678"
    cleaned = str(clean_document({"run_id": evil, "stages": {evil: {"id": evil}}}, DEFAULT))
    assert "abcdefgh12345678" not in cleaned and "\\x1b" not in cleaned
    plain = {"run_id": "train-2026.05_7f3", "id": "a1/b2:c3", "pointer": "/a b=c"}
    assert clean_document(plain, DEFAULT) == plain
