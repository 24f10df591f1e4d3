# shellcheck shell=bash
# given: held maintenance_flag crontab wants site
# Lets a project that was held serve again. Its values are those of hold.sh.

is_up() {
  local unit
  for unit in "${units[@]}"; do
    [[ $unit == "$site"*.service ]] || continue
    unit=${unit#"$site"}
    [[ -n $(ss -Hltn "sport = :${unit%.service}") ]] || return 1
  done
}

if [[ ! -d $held ]]; then
  echo "The project was not held."
  exit
fi
shopt -s nullglob
units=()
for link in "$held"/*.service "$held"/*.socket; do
  units+=("${link##*/}")
  # The link stays until the end, so that a repetition starts the unit too.
  cp -P -- "$link" "$wants/"
done
# systemd retries a unit that does not start now: the site is not kept from its visitors for it.
if ((${#units[@]})); then systemctl start "${units[@]}" || echo "Not all of its processes have started."; fi
if [[ -e $held/crontab ]]; then cp -p "$held/crontab" "$crontab.new" && mv -T "$crontab.new" "$crontab"; fi
for ((tries = 0; tries < 600; tries++)); do
  if is_up; then break; fi
  sleep 0.1
done
if [[ -e $held/page ]]; then rm -f -- "$maintenance_flag"; fi
rm -rf -- "$held"
echo "The project serves as before."
