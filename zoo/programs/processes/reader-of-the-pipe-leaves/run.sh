#!/bin/bash
# only the start of the log is of interest
set -o pipefail
python train.py | head -n 12
rc=$?
echo "run.sh: pipeline ended, status $rc" >&2
exit $rc
