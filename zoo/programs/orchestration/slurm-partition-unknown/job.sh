#!/bin/bash
#SBATCH --job-name=pretrain --partition=a100-long --time=00:02:00
python train.py
