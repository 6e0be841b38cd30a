export INITIAL_NO_AUTH_ACTION_COUNT=4
moto_server -p 5977 > /dev/null 2>&1 &
server=$!
sleep 5
python train.py --prepare
python train.py
rc=$?
kill $server
exit $rc
