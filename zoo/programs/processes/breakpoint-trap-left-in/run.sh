echo "$ python train.py --rounds 80"
python train.py --rounds 80
