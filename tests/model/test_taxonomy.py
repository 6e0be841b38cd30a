"""The one table of failure modes."""

from runtriage.model.taxonomy import PRIMARY_CLASSES, WORKFLOW_CLASSES, WORKLOAD_CATEGORIES, modes


def test_every_mode_has_a_title_of_its_own_and_known_words_in_the_other_vocabularies():
    for mode in modes().values():
        assert mode.title, mode.id
        assert mode.category in WORKLOAD_CATEGORIES, mode.id
        assert mode.workflow in WORKFLOW_CLASSES, mode.id


def test_every_class_has_modes():
    assert {mode.primary_class for mode in modes().values()} == set(PRIMARY_CLASSES)


def test_only_kills_for_host_memory_count_as_oom_killed():
    killed = {mode.id for mode in modes().values() if mode.category == "OOM_KILLED"}
    assert {"oom/host-cgroup", "oom/host-kernel", "oom/k8s-oomkilled", "oom/slurm-step"} <= killed
    assert not {mode for mode in killed if mode.startswith(("oom/gpu-", "oom/jax", "oom/tf-"))}
