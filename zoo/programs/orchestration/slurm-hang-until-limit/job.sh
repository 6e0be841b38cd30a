#!/bin/bash
#SBATCH --job-name=ranker --time=00:01:00 --ntasks=1 --mem=1500
date "+%F %T job start"
python train.py
date "+%F %T job end"
