# shellcheck shell=bash
# uses: watch-process.sh, expectation.sh, silent.sh, installer.sh
# given: rounds
# Watches the new process while it has no visitors. `rounds`: of a quarter of a second.
for ((round = 0; round < rounds; round++)); do
  sleep 0.25
  died && give_up "The process ended shortly after it had answered"
  ask
  is_expected || give_up "The process answered ${status:-nothing} shortly after it had been healthy"
done
echo "The new process stays healthy."
ask_new() { http_get "$port" "$server_name" "$1"; }
ask_live() { http_get "$old" "$server_name" "$1"; }
if [[ $old != - ]] && ! expects_installer && shows_installer ask_new; then
  opened=$shown
  shows_installer ask_live || refuse_installer "$opened"
fi
