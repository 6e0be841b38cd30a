printf "train: data/train.bin\n\tpython train.py\n" > Makefile
make train
