from pathlib import Path

from zoo.rewrite import replacements, rewrite


def test_paths_of_the_recording_machine_get_neutral_names():
    pairs = replacements(Path("/tmp/zoo-1/run"), Path("/v/torch"), "/home/me/python")
    text = b'File "/tmp/zoo-1/run/train.py" "/v/torch/lib/x.py" "/home/me/python/lib/os.py"'
    assert (
        rewrite(text, pairs, host="") == b'File "/home/ml/project/train.py" "/opt/venv/lib/x.py" "/usr/local/lib/os.py"'
    )


def test_a_python_that_lies_in_usr_stays():
    assert len(replacements(Path("/tmp/zoo-1/run"), Path("/v/torch"), "/usr")) == 3


def test_the_host_is_renamed_only_as_a_whole_word():
    assert rewrite(b"host: box, box-2, mybox", [], host="box") == b"host: node-01, box-2, mybox"


def test_localhost_keeps_its_name():
    assert rewrite(b"host: localhost", [], host="localhost") == b"host: localhost"
