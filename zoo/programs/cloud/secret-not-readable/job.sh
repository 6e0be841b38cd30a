export INITIAL_NO_AUTH_ACTION_COUNT=5
moto_server -p 5983 > /dev/null 2>&1 &
server=$!
sleep 5
python train.py --prepare
python train.py
rc=$?
kill $server
exit $rc
