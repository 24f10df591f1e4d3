# shellcheck shell=bash
# uses: units.sh, network/drain.sh
# given: rollback_state slots drain_seconds refuse_seconds
# Stops the old process. `refuse_seconds`: 0 while nginx still sends requests.
if [[ ! -e $rollback_state ]]; then exit 0; fi
read -r _ _ old < "$rollback_state"
if [[ $old = - ]]; then echo "There was no process before."; exit; fi
end=$((SECONDS + drain_seconds))
((refuse_seconds == 0)) || refuse_requests "$old" "$refuse_seconds"
# A connection that nginx was just making.
sleep 0.2
while [[ -n $(ss -Htn state established "( sport = :$old )") ]]; do
  if ((SECONDS >= end)); then
    echo "The old process still has connections after $drain_seconds s; it is stopped all the same."
    break
  fi
  sleep 0.1
done
systemctl stop "$(unit_on "$old")"
accept_requests "$old"
rm -f -- "$slots/$old"
echo "Stopped the old process on port $old."
