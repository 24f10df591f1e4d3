# shellcheck shell=bash
# uses: site-functions.sh, nginx/reload.sh
# given: pid sum wrote
# Makes nginx serve a site that write-site.sh wrote.

# A running nginx validates its files on reload, and keeps its present configuration if they are invalid. A test before the
# reload would read the sites of all projects twice: with 1,000 of them and their certificates that is another second for each
# publication. The test runs only without a reload: if nothing is new, so that manually broken settings are reported before nginx
# starts with them, and if nginx does not run.
read -r master 2> /dev/null < "$pid" || master=0
if is_served || [ ! -d "/proc/$master" ] || [ "$master" = 0 ]; then
  if ! answer=$(nginx -t 2>&1); then
    put_back
    refuse "$answer"
  fi
  printf '%s\n' "$answer"
fi
# The marker is made after the reload: a run that was cut off between the two is made up for.
if is_served; then
  unused_password
  echo "$sum" > "$written"
  rm -f -- "$available.former"
  echo "The web server serves the project as it should already."
  exit
fi
if ! reload_nginx "$pid"; then
  refusal=$answer
  put_back
  # For a web server that does not run.
  systemctl reload-or-restart nginx.service > /dev/null 2>&1 || true
  refuse "$refusal"
fi
unused_password
echo "$sum" > "$written"
: > "$served"
rm -f -- "$available.former"
echo "The web server serves the project."
