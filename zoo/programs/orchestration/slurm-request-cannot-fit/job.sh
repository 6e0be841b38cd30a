#!/bin/bash
#SBATCH --job-name=pretrain --nodes=4 --mem=900G --time=00:02:00
python train.py
