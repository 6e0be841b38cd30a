#!/bin/bash
#SBATCH --job-name=autoenc --time=00:01:00 --ntasks=1 --mem=1500
echo "job $SLURM_JOB_ID on $SLURMD_NODENAME"
python train.py
