#!/bin/bash
echo "job 88213 on queue long, requested 1 task"
echo "job 88213: stage-in done"
python train.py > train.out 2> train.err
rc=$?
echo "job 88213: command finished with exit code $rc"
echo "job 88213: stage-out done, releasing resources"
exit $rc
