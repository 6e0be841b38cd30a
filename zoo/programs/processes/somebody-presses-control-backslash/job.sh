set -u
ulimit -c 0
echo "job.sh: segmenter, $(date +%F)"
python train_segmenter.py --crop 32
rc=$?
echo "job.sh: python returned $rc"
exit $rc
