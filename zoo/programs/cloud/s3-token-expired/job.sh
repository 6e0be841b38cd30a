python store.py &
server=$!
sleep 1
python train.py
rc=$?
kill $server
exit $rc
