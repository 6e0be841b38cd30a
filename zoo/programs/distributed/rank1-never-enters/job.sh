# another tool of this project holds the index while it rebuilds it
exec 9> index.lock
flock -x 9
torchrun --nproc_per_node=2 train.py 9>&-
