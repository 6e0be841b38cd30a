from zoo.answer import Answer, Citation, read_report, read_text


def test_a_report_gives_its_scored_fields():
    report = {
        "primary_cause": "oom",
        "run_status": "crashed",
        "confidence_score": 0.9,
        "root_evidence": {"artifact": "train.log", "first_line": 4, "last_line": 5},
        "evidence": [{"citation": {"artifact": "pod.json", "pointer": "/status"}}, {"claim": "uncited"}],
        "culprit": {"rank": 3},
        "last_progress": {"step": 70},
        "hypotheses": [{"primary_class": "oom"}],
        "checkpoints": [{"path": "ckpt/1.pt", "last_good": False}, {"path": "ckpt/2.pt", "last_good": True}],
    }
    assert read_report(report) == Answer(
        primary_cause="oom",
        run_status="crashed",
        root=Citation("train.log", 4, 5),
        evidence=(Citation("pod.json", pointer="/status"),),
        rank=3,
        last_step=70,
        last_good="ckpt/2.pt",
        confidence=0.9,
        leading="oom",
    )


def test_a_citation_without_last_line_is_one_line():
    assert read_report({"root_evidence": {"artifact": "a", "first_line": 7}}).root == Citation("a", 7, 7)


def test_no_cause_on_a_failed_or_unknown_run_is_an_abstention():
    assert read_report({"primary_cause": None, "run_status": "crashed"}).abstained
    assert read_report({"primary_cause": None, "run_status": "unknown"}).abstained
    assert read_report({"primary_cause": None, "run_status": "completed", "abstained": "too little"}).abstained


def test_a_fine_or_routed_run_without_cause_is_no_abstention():
    assert not read_report({"primary_cause": None, "run_status": "completed"}).abstained
    assert not read_report({"primary_cause": None, "run_status": "unknown", "routed": "preempted"}).abstained


def test_a_class_nobody_defined_is_no_class():
    assert read_report({"primary_cause": "gremlins"}).primary_cause is None


def test_free_text_gives_its_first_class_status_and_place():
    answer = read_text("The run CRASHED: io-checkpoint, see logs/train.log:120 (not oom, see a.log:3)")
    assert (answer.primary_cause, answer.run_status) == ("io-checkpoint", "crashed")
    assert answer.root == Citation("logs/train.log", 120, 120)


def test_a_class_inside_a_longer_word_is_not_found():
    assert read_text("the oom-killer-thing in my-stalled-app").primary_cause is None
