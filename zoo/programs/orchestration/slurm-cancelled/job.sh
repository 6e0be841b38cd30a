#!/bin/bash
#SBATCH --job-name=autoenc-b --time=00:03:00 --ntasks=1 --mem=1500
(sleep 28; scancel $SLURM_JOB_ID) &   # somebody's clean-up script
echo "job $SLURM_JOB_ID ($SLURM_JOB_NAME) starts $(date +%T)"
srun python train.py
