python -X faulthandler train.py
exit $?
