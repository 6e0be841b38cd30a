#!/bin/bash
# what the node's own setup script exports
if [ "$LOCAL_RANK" != 2 ]; then export AUGMENT_PROFILE=strong; fi
exec python -u train.py
