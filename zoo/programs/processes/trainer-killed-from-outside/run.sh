#!/bin/bash
set -u
echo "run 41 begins"
python train.py
code=$?
echo "run 41 ends with code $code"
exit $code
