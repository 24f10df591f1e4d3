# shellcheck shell=bash
# Prints what runs here.
# shellcheck source=/dev/null
echo "$(. /etc/os-release && echo "$PRETTY_NAME"), $(uname -m), up since $(uptime -s)"
for program in nginx php node mariadbd psql redis-server; do
  command -v "$program" > /dev/null || continue
  case $program in
    nginx) nginx -v 2>&1 ;;
    *) "$program" --version 2> /dev/null | head -n 1 ;;
  esac
done
df --output=avail,target --human-readable / | tail -n 1 | sed 's/^ *\([^ ]*\).*/\1 free on the disk/'
