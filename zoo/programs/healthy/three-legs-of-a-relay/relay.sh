# the queue gives us two minutes at a time; 75 means "not done, start me again"
leg=0
while :; do
  leg=$((leg + 1))
  echo "== leg $leg =="
  python leg.py
  rc=$?
  case $rc in
    0) exit 0 ;;
    75) echo "relay: exit code 75, restarting" ;;
    *) echo "relay: unexpected exit code $rc"; exit $rc ;;
  esac
done
