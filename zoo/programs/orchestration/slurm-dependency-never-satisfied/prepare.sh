#!/bin/bash
#SBATCH --job-name=prepare --time=00:01:00 --ntasks=1 --mem=300
sleep 3
exit 2
