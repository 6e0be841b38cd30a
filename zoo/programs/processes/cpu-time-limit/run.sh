#!/bin/bash
ulimit -S -t 8     # interactive queue: 8 CPU seconds for each process
python train.py
rc=$?
echo "exit status $rc"
exit $rc
