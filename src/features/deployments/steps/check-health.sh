# shellcheck shell=bash
# uses: watch-process.sh, expectation.sh, silent.sh
# given: health_seconds asked
# Waits until the new process responds. `health_seconds`: at most; `asked`: the path, and the expected answer.
end=$((SECONDS + health_seconds))
for ((tries = 1; ; tries++)); do
  ask
  if is_expected; then break; fi
  died && give_up "The process ended before it answered"
  if ((SECONDS >= end)); then
    if [[ $status ]]; then give_up "The process answers $status on port $port to a request for $asked"; fi
    give_up "$(silence)"
  fi
  if ((tries < 20)); then sleep 0.05; else sleep 0.2; fi
done
echo "The new process answers $status on port $port."
