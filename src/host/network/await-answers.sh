# shellcheck shell=bash
# uses: busy.sh
# given: seconds
# Waits until `busy` is over. `seconds`: at most.
end=$((SECONDS + seconds))
# A request that nginx took an instant before may not have reached the application yet.
sleep 0.2
while busy; do
  if ((SECONDS >= end)); then
    echo "Some requests are still under way; the deployment continues all the same."
    exit
  fi
  sleep 0.1
done
