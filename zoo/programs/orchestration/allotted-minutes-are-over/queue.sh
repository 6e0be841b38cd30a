#!/bin/bash
minutes=8s
echo "[queue] $(date +%T) start train.py, allotted $minutes"
timeout --verbose "$minutes" python train.py
rc=$?
[ $rc = 124 ] && echo "[queue] $(date +%T) train.py used its 8 s, stopped"
echo "[queue] exit $rc"
exit $rc
