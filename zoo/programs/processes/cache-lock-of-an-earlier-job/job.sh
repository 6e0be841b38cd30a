mkdir -p cache
echo job-20871 > cache/news-2025.arrow.lock
flock cache/news-2025.arrow.lock sleep 70 > /dev/null 2>&1 &
sleep 1
echo "job 20944 started, walltime 00:00:45"
timeout -s TERM 45 python train.py
code=$?
if [ $code -eq 124 ]; then
    echo "job 20944: walltime of 45 s used up, SIGTERM sent to the batch script"
fi
exit $code
