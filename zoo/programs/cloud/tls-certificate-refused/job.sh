python service.py > /dev/null 2>&1 &
server=$!
sleep 2
python train.py
rc=$?
kill $server
exit $rc
