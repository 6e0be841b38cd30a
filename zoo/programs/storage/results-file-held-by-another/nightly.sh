#!/bin/bash
python plot.py & plotter=$!
sleep 3
python train.py
rc=$?
kill $plotter
wait $plotter 2> /dev/null
echo "nightly.sh: train.py returned $rc"
exit $rc
