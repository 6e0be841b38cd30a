import pytest

from runtriage.targets import TargetError, parse


@pytest.mark.parametrize(
    ("text", "scheme", "rest"),
    [
        ("-", "stdin", ""),
        ("train.log", "path", "train.log"),
        ("logs/*.log", "glob", "logs/*.log"),
        ("file:/data/x.log", "path", "/data/x.log"),
        ("file:///data/x.log", "path", "/data/x.log"),
        ("file://localhost/data/x.log", "path", "/data/x.log"),
        ("ssh:ml@gpu-09:/data", "ssh", "ml@gpu-09:/data"),
        ("ml@gpu-09:/data/train.log", "ssh", "ml@gpu-09:/data/train.log"),
        ("gpu-09:/data/train.log", "ssh", "gpu-09:/data/train.log"),
        ("s3://bucket/runs/7", "s3", "bucket/runs/7"),
        ("gs://bucket/x", "gs", "bucket/x"),
        ("pid:4321", "pid", "4321"),
        ("K8S:prod/ml/Pod/trainer-0", "k8s", "prod/ml/Pod/trainer-0"),
        ("runai:prod/job-42", "runai", "prod/job-42"),
        ("./odd:name.log", "path", "./odd:name.log"),
    ],
)
def test_a_string_names_one_thing(text: str, scheme: str, rest: str) -> None:
    spec = parse(text, exists=lambda _: False)
    assert (spec.scheme, spec.rest, spec.text) == (scheme, rest, text)


@pytest.mark.parametrize("text", ["pid:4321", "s3:x", "ml@host:/x", "what:ever", "run[1].log", "a*b.log"])
def test_an_existing_path_wins(text: str) -> None:
    spec = parse(text, exists=lambda path: path == text)
    assert (spec.scheme, spec.rest) == ("path", text)


def test_an_unknown_scheme_is_a_usage_error_that_suggests_a_known_one() -> None:
    with pytest.raises(TargetError, match="did you mean wandb:") as caught:
        parse("wandbb:team/run", exists=lambda _: False)
    assert caught.value.code == 2


@pytest.mark.parametrize("text", ["", "a\0b"])
def test_an_impossible_path_is_a_usage_error(text: str) -> None:
    with pytest.raises(TargetError) as caught:
        parse(text)
    assert caught.value.code == 2
