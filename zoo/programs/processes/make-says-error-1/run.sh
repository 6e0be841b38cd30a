printf "train:\n\tpython train.py\n" > Makefile
make train
