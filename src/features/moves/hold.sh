# shellcheck shell=bash
# given: held maintenance_flag crontab wants site state unit_files jobs php php_service php_socket user ports
# Holds the project, whose move's lock the script holds; needs `fail`. `held`: the directory of what is taken away; `wants`: the
# directory of the links of units; `site` and `jobs`: prefixes of units; `php`: its socket's unit; `ports`: of its processes.

is_answering() {
  local port
  for port in "${ports[@]}"; do [[ -z $(ss -Htn state established "( sport = :$port )") ]] || return 0; done
  [[ -n $(ss -Hx state established src "$php_socket") ]]
}

# It was deleted meanwhile.
[[ -d $state ]] || fail "The project is not on this server."
install -d -m 700 "$held"
if [[ ! -e $maintenance_flag ]]; then
  : > "$held/page"
  : > "$maintenance_flag"
fi
if [[ -e $crontab ]]; then mv -T "$crontab" "$held/crontab"; fi
# Ten seconds for requests under way. A request that nginx took an instant ago may not have arrived yet.
sleep 0.2
for ((tries = 0; tries < 100; tries++)); do
  if ! is_answering; then break; fi
  sleep 0.1
done
((tries < 100)) || echo "There still are connections; they are ended."
shopt -s nullglob
for link in "$wants/$site"*.service "$wants/$jobs"*.service "$wants/$php"; do
  [[ ! -L $link ]] || mv -t "$held" -- "$link"
done
systemctl stop "$site*.service" "$jobs*.service"
if [[ -e $unit_files/$php ]]; then systemctl stop "$php" "$php_service"; fi
for ((tries = 0; tries < 250; tries++)); do
  pkill -KILL -u "$user" || break
  sleep 0.02
done
echo "Visitors see the maintenance page, and nothing of the project runs."
