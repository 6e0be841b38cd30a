mkdir -p shards
python bring.py &
python train.py
rc=$?
wait
exit $rc
