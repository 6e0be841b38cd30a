#!/bin/bash
#SBATCH --job-name=shards --time=00:03:00 --ntasks=2 --mem=900
srun --label --kill-on-bad-exit=1 python train.py
