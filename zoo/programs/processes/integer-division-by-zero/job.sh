echo starting
python train.py
code=$?
exit $code
