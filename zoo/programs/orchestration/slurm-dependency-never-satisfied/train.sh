#!/bin/bash
#SBATCH --job-name=train --time=00:02:00 --ntasks=1 --mem=900
srun python train.py
