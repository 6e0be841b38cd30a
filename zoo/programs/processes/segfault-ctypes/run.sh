set -u
cd "$(dirname "$0")"
python train.py
code=$?
if [ $code -ne 0 ]; then
  echo "training failed, code $code"
fi
exit $code
