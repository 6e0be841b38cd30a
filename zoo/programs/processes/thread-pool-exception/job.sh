echo start
python train.py
exit $?
