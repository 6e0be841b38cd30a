"""Addresses of object storage, folders in their place, and targets on them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from runtriage.api.workflow_reading import read_records
from runtriage.model.artifact import Collected, Empty, Request, Unavailable
from runtriage.targets.errors import TargetError
from runtriage.targets.objects import FolderStore, Kind, ObjectError, location
from runtriage.targets.objects_target import ObjectsTarget
from runtriage.targets.s3_credentials import s3_settings
from runtriage.targets.workflow_outputs import check_outputs
from runtriage.targets.workflow_place import Base, RunPlace, place
from tests.targets.objects_memory import MemoryStore


@pytest.mark.usefixtures("untouched_world")
@pytest.mark.parametrize(
    "text", ["s3://", "s3:///key", "s3://b/../c", "s3://u@b/key", "s3://b/k?versionId=1", "s3://b/k#x", "s3://./k"]
)
def test_an_address_that_means_more_than_bucket_and_key_is_refused(text: str) -> None:
    with pytest.raises(TargetError):
        location(text)


@pytest.mark.usefixtures("untouched_world")
@pytest.mark.parametrize("text", ["train.log", "https://b/k", "ssh:host:/x", "C:/logs"])
def test_other_texts_are_no_addresses(text: str) -> None:
    assert location(text) is None


@pytest.mark.usefixtures("untouched_world")
def test_an_address_has_one_spelling() -> None:
    found = location("S3:b//runs/r1/")
    assert found is not None
    assert found.uri == "s3://b/runs/r1"


def test_a_folder_in_the_place_of_a_bucket_shows_nothing_outside_itself(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.log").write_text("x", "utf-8")
    (tmp_path / "secret").write_text("x", "utf-8")
    (tmp_path / "in/link").symlink_to(tmp_path / "secret")
    store = FolderStore(tmp_path / "in")
    assert [entry.key for entry in store.entries("")] == ["a.log"]
    for key in ("../secret", "link"):
        with pytest.raises(ObjectError) as caught:
            store.read(key, 0, 1)
        assert caught.value.kind != "absent"


@pytest.mark.usefixtures("untouched_world")
def test_logs_and_records_under_a_prefix_are_taken_and_packed_ones_are_unpacked() -> None:
    store = MemoryStore(
        {"r/a.log": b"one\n", "r/b.log.gz": gzip.compress(b"two\n"), "r/model.pt": b"x", "r/empty.log": b""}
    )
    target = ObjectsTarget(store, "r", "s3://b/r")
    outcome = target.collect(Request(kind="objects"))
    assert isinstance(outcome, Collected)
    assert [artifact.path for artifact in outcome.artifacts] == ["a.log", "b.log.gz"]
    for artifact, content in zip(outcome.artifacts, (b"one\n", b"two\n"), strict=True):
        with target.open(artifact) as stream:
            buffer = bytearray(16)
            assert bytes(buffer[: stream.readinto(memoryview(buffer))]) == content
            assert not getattr(stream, "local", False), "what is unpacked is as far away as what is packed"


@pytest.mark.usefixtures("untouched_world")
def test_a_refused_prefix_is_not_an_empty_one() -> None:
    refused = ObjectsTarget(MemoryStore({}, {"r": "denied"}), "r", "s3://b/r").collect(Request(kind="objects"))
    empty = ObjectsTarget(MemoryStore({"r/model.pt": b"x"}), "r", "s3://b/r").collect(Request(kind="objects"))
    assert isinstance(refused, Unavailable)
    assert isinstance(empty, Empty)


@pytest.mark.usefixtures("untouched_world")
def test_an_object_that_shrinks_while_it_is_read_is_an_error_not_an_end() -> None:
    objects = {"a.log": b"x" * 10}
    target = ObjectsTarget(MemoryStore(objects), "a.log", "s3://b/a.log")
    outcome = target.collect(Request(kind="objects"))
    assert isinstance(outcome, Collected)
    stream = target.open(outcome.artifacts[0])
    assert stream.readinto(memoryview(bytearray(10))) == 10
    assert stream.readinto(memoryview(bytearray(10))) == 0


def run_place(store: MemoryStore) -> RunPlace:
    return RunPlace(store=store, key="r", run_id="r", uri="s3://b/r", source="explicit_uri", strict=True)


def no_bucket(scheme: str, bucket: str) -> MemoryStore:
    raise TargetError(f"{scheme}://{bucket}: no", 4)


def test_outputs_are_proven_by_bytes_and_unknown_where_access_is_lacking() -> None:
    objects = {"r/full": b"x", "r/zero": b"", "r/dir/.keep": b"", "r/dir/data": b"x", "r/hollow/.keep": b""}
    store = MemoryStore(objects, {"r/closed": "denied"})
    names = ["full", "zero", "gone", "closed", "dir/", "hollow/", "none/"]
    uris = [*(f"s3://b/r/{name}" for name in names), "s3://other/x", "s3://b/r/{{x}}"]
    found = check_outputs(uris, run_place(store), no_bucket, ["s3://b/r"])
    assert [check.state for check in found.values()] == [
        "valid", "empty", "missing", "indeterminate", "valid", "empty", "missing", "indeterminate", "indeterminate",
    ]  # fmt: skip
    assert found["s3://b/r/dir/"].first_key_empty


def test_a_run_id_is_looked_for_in_order_and_refusal_is_remembered() -> None:
    store = MemoryStore({"base/r1/npa-workflow/manifest.json": b"{}"})
    found = place("r1", lambda scheme, bucket: store, Base(alias="lab", bucket="b", prefix="base"))
    assert (found.key, found.run_id) == ("base/r1", "r1")
    closed = MemoryStore({}, {"base/r2/npa-workflow/manifest.json": "denied"})
    doubtful = place("r2", lambda scheme, bucket: closed, Base(alias="lab", bucket="b", prefix="base"))
    assert doubtful.key == "base/r2"
    assert ("s3://b/base/r2", "unavailable", "refused") in doubtful.checks


@pytest.mark.parametrize("text", ["a/b", "-x", "a" * 97, "a b"])
def test_what_is_no_run_id_asks_nobody(text: str) -> None:
    with pytest.raises(TargetError) as caught:
        place(text, no_bucket, Base(alias="lab", bucket="b"))
    assert caught.value.code == 2


@pytest.mark.parametrize("tail", ["", "/", "/npa-workflow", "/npa-workflow/manifest.json", "/manifest.json"])
def test_an_address_of_a_document_of_a_run_means_the_run(tail: str) -> None:
    found = place(f"s3://b/runs/r1{tail}", lambda scheme, bucket: MemoryStore({}), None)
    assert (found.key, found.run_id) == ("runs/r1", "r1")


def test_keys_come_from_the_environment_or_from_the_profile(tmp_path: Path) -> None:
    aws = tmp_path / ".aws"
    aws.mkdir()
    (aws / "credentials").write_text(
        "[default]\naws_access_key_id = A\naws_secret_access_key = B%25\n[lab]\naws_access_key_id = C\n", "utf-8"
    )
    (aws / "config").write_text("[profile lab]\nregion = eu-north1\nendpoint_url = https://s3.lab\n", "utf-8")
    home = {"HOME": str(tmp_path)}
    assert s3_settings(environment=home) == {"region": "us-east-1", "access_key_id": "A", "secret_access_key": "B%25"}
    assert s3_settings(environment=home | {"AWS_PROFILE": "lab"}) == {
        "region": "eu-north1",
        "endpoint": "https://s3.lab",
        "access_key_id": "C",
    }
    named = home | {"AWS_ACCESS_KEY_ID": "E", "AWS_SECRET_ACCESS_KEY": "F", "AWS_ENDPOINT_URL": "https://env"}
    assert s3_settings("https://project", environment=named)["endpoint"] == "https://project"
    assert s3_settings(environment=named)["access_key_id"] == "E"


def test_storage_that_cannot_be_reached_is_asked_once() -> None:
    refused: dict[str, Kind] = {
        f"runs/r1/{name}": "unreachable" for name in ("npa-workflow/manifest.json", "workflow.yaml")
    }
    found = read_records(place("s3://b/runs/r1", lambda scheme, bucket: MemoryStore({}, refused), None))
    assert {(each.path, each.state) for each in found.documents} == {
        (name, "unavailable")
        for name in (
            "npa-workflow/manifest.json",
            "npa-workflow/runtime.json",
            "workflow.yaml",
            "npa-workflow/supervisor/attempts/",
        )
    }
