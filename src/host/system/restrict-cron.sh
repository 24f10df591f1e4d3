# shellcheck shell=bash
# uses: runner/put-file.sh
# Allows only root and listed accounts to have crontabs, and removes those of projects.
restrict() { # FILE GROUP
  local names
  names=$({ echo root; grep -vE '^(root|project-[0-9]+)? *$' "$1" 2> /dev/null; } || true)
  put_file "$1" 0640 "$names"$'\n'
  chown "root:$2" "$1"
  chmod 0640 "$1"
}
# Users of crontab and at; the groups are those as which the programs read their lists.
restrict /etc/cron.allow crontab
restrict /etc/at.allow daemon
for crontab in /var/spool/cron/crontabs/project-*; do
  [ -e "$crontab" ] || continue
  rm -f "$crontab"
  echo "Removed the crontab of ${crontab##*/}: jobs of projects belong to Longshore."
done
echo "Only root, and accounts in /etc/cron.allow and /etc/at.allow, schedule jobs of their own."
