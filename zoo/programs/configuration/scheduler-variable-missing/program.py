import os
print("starting")
job = os.environ["SLURM_JOB_ID"]
print(job)
