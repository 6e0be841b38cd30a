ulimit -s 2048
python train.py
