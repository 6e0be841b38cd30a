#!/usr/bin/env bash
export MASTER_ADDR=127.0.0.1 MASTER_PORT=29517
python -m http.server 29517 --bind 127.0.0.1 > /dev/null 2>&1 &   # somebody else's service
server=$!
sleep 1
echo "[launcher] 2 processes, master ${MASTER_ADDR}:${MASTER_PORT}"
python -m torch.distributed.run --nproc_per_node=2 --master_addr=$MASTER_ADDR --master_port=$MASTER_PORT train.py
rc=$?
kill $server
exit $rc
