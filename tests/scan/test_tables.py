from __future__ import annotations

from pathlib import Path

import pytest

from runtriage.model.series import Series
from tests.scan.reading import read

LOGS = Path(__file__).parent / "logs" / "metrics"
ULTRALYTICS = b"""
      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size
        1/2         0G      1.162      2.513      1.315         45        640: 100%|####| 8/8 [00:10<00:00,  1.3s/it]
                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100%|####| 2/2 [00:01<00:00,  1.9it/s]
                   all         64        256      0.512      0.433      0.451      0.301

      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size
        2/2         0G      1.010      2.101      1.201         45        640: 100%|####| 8/8 [00:10<00:00,  1.3s/it]
                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100%|####| 2/2 [00:01<00:00,  1.9it/s]
                   all         64        256      0.602      0.533      0.551      0.401
"""


def series(data: bytes, path: str = "train.log") -> dict[str, Series]:
    return {each.name: each for each in read(data, path=path).series}


def values(found: Series) -> list[float]:
    return [point.value for point in found.points]


def test_a_csv_file_is_read_by_its_header():
    data = b"epoch,step,train_loss,val_loss\n" + b"".join(
        b"%d,%d,%s,%s\n" % (epoch, epoch * 10, b"" if epoch % 2 else b"0.5", b"0.25" if epoch % 2 else b"")
        for epoch in range(20)
    )
    found = series(data, "metrics.csv")
    assert (found["train_loss"].role, found["val_loss"].role) == ("loss", "eval_loss")
    assert values(found["train_loss"]) == [0.5] * 10
    assert [point.step for point in found["val_loss"].points] == list(range(10, 200, 20))


def test_two_tables_with_as_many_columns_keep_their_own_names():
    rows = b"".join(b"%d,0.5,0.25\n" % step for step in range(40))
    first, second = series(b"step,loss,acc\n" + rows, "a.csv"), series(b"step,reward,entropy\n" + rows, "b.csv")
    assert set(first) == {"loss", "acc"}
    assert set(second) == {"reward", "entropy"}


def test_aligned_columns_with_a_bar_behind_them_are_read():
    found = series(ULTRALYTICS)
    assert values(found["box_loss"]) == [1.162, 1.010]
    assert (found["eval mAP50"].role, values(found["eval mAP50"])) == ("eval_metric", [0.451, 0.551])


def test_a_header_with_nan_values_below_it_keeps_them():
    found = series(
        b"  epoch    train_loss    valid_loss     dur\n-------  ------------  ------------  ------\n"
        + b"".join(
            b"      %d        0.6869           %s  0.0182\n" % (epoch, b"nan" if epoch > 2 else b"0.5")
            for epoch in range(1, 6)
        )
    )
    assert found["valid_loss"].nonfinite == 3
    assert found["train_loss"].total == 5


def test_the_best_round_that_is_printed_again_is_no_progress():
    result = read((LOGS / "lightgbm.txt").read_bytes())
    (auc,) = [each for each in result.series if each.name == "training's auc"]
    assert [point.step for point in auc.points] == list(range(1, 31))


def test_a_column_that_tells_how_long_an_epoch_took_does_not_hide_the_table():
    rows = b"".join(
        b"%d         %.6f    1.912345    0.10%d     00:12     \n" % (at, 2.0 / (at + 1), at) for at in range(8)
    )
    found = series(b"epoch     train_loss  valid_loss  accuracy  time    \n" + rows)
    assert (found["train_loss"].role, found["train_loss"].total) == ("loss", 8)
    assert (found["eval accuracy"].role, found["eval accuracy"].total) == ("eval_metric", 8)


def test_a_score_beside_losses_of_both_sides_is_the_evaluations_unless_it_has_a_twin():
    rows = b"".join(b"%d,1.5,2.5,0.5,0.25\n" % epoch for epoch in range(1, 9))
    notebook = series(b"epoch,train_loss,valid_loss,f1,other\n" + rows, "history.csv")
    keras = series(b"epoch,train_loss,valid_loss,f1,val_f1\n" + rows, "history.csv")
    assert notebook["eval f1"].role == "eval_metric"
    assert (keras["f1"].role, keras["val_f1"].role) == ("metric", "eval_metric")


def test_detection_scores_keep_the_kind_of_output_in_their_names():
    head = b"epoch,time,train/box_loss,metrics/precision(B),metrics/mAP50-95(B),val/box_loss,lr/pg0\n"
    found = series(head + b"".join(b"%d,1.0,2.0,0.5,0.25,2.5,0.01\n" % at for at in range(1, 9)), "results.csv")
    assert found["eval metrics/mAP50-95(B)"].role == "eval_metric"
    assert found["train/box_loss"].role == "loss_part"


def test_a_long_table_says_the_same_read_row_by_row_or_many_at_a_time(monkeypatch: pytest.MonkeyPatch):
    rows = b"".join(b"%d,%.6g,%.6g,%s\n" % (at, 3 / (at + 1), at / 7, b"" if at % 9 else b"nan") for at in range(9000))
    data = b"step,loss,grad_norm,val_loss\n" + rows + b"step,reward,entropy,kl\n" + rows
    at_once = read(data, path="metrics.csv")
    monkeypatch.setattr("runtriage.scan.metrics.bulk_type", lambda: None)
    assert repr(at_once) == repr(read(data, path="metrics.csv"))
    assert {item.name: item.total for item in at_once.series}["loss"] == 18000
