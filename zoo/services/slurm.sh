#!/bin/bash
# A private one-node Slurm without accounting: slurm.sh start|stop FOLDER. Needs root and the Debian packages
# slurmctld, slurmd, slurm-client and munge; touches nothing outside FOLDER.
set -eu
at=$2
if [ "$1" = stop ]; then
  for name in slurmd slurmctld munged; do
    [ -f "$at/$name.pid" ] || continue
    pid=$(cat "$at/$name.pid")
    kill "$pid" 2>/dev/null || continue
    for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
  done
  exit 0
fi
mkdir -p "$at/state" "$at/spool"
chmod 755 "$at"
head -c 1024 /dev/urandom > "$at/munge.key"
chmod 600 "$at/munge.key"
munged --force --key-file="$at/munge.key" --socket="$at/munge.socket" --pid-file="$at/munged.pid" \
  --log-file="$at/munged.log" --seed-file="$at/munged.seed"
cat > "$at/slurm.conf" <<CONF
ClusterName=local
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
AuthType=auth/munge
AuthInfo=socket=$at/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$at/state
SlurmdSpoolDir=$at/spool
SlurmctldLogFile=$at/slurmctld.log
SlurmdLogFile=$at/slurmd.log
SlurmctldPidFile=$at/slurmctld.pid
SlurmdPidFile=$at/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,bf_interval=1
ReturnToService=2
KillWait=2
EnforcePartLimits=ALL
MpiDefault=none
NodeName=node-01 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=train Nodes=node-01 Default=YES MaxTime=00:05:00 State=UP
CONF
export SLURM_CONF="$at/slurm.conf"
slurmctld
slurmd -N node-01
for _ in $(seq 50); do
  sinfo --noheader --format=%T 2>/dev/null | grep -q idle && exit 0
  sleep 0.2
done
echo "the node never became idle" >&2
exit 1
