#!/bin/bash
echo "job 4181 on partition short, started"
python train.py
rc=$?
echo "job 4181 finished with exit code $rc"
exit $rc
