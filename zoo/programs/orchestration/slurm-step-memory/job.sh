#!/bin/bash
#SBATCH --job-name=embed --time=00:04:00 --ntasks=1 --mem=700
srun python train.py
rc=$?
echo "srun ended with $rc"
exit $rc
