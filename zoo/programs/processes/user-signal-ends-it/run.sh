python train.py
rc=$?
echo "exit status $rc"
exit $rc
