#!/bin/bash
# nightly retraining of the churn model
stamp() { echo "$(date +%H:%M:%S) [nightly] $*"; }
stamp "1/5 fetch"
python stages.py fetch
stamp "2/5 clean"
python stages.py clean
stamp "3/5 train"
python train.py | tail -n 25
stamp "4/5 calibrate"
python stages.py calibrate || true
stamp "5/5 publish"
python stages.py publish
rc=$?
stamp "publish returned $rc"
exit $rc
