python store.py &
server=$!
sleep 2
STORAGE_EMULATOR_HOST=http://127.0.0.1:5985 python train.py
rc=$?
kill $server
exit $rc
